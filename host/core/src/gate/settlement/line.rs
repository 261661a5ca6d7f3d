//! One forecast or explanation: what was said and held against it, beside the book and how it came out.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::book::{Book, Standing};
use super::registration::{About, Registration};
use crate::gate::record::{
    Dimensions, Explanation, Forecast, LaterOutcome, Purpose, Stated, Step, SutRun,
};
use crate::gate::status::Status;
use crate::id::{CaseId, Digest, RunId, StepId};
use crate::ledger::Moment;
use crate::untrusted::Untrusted;

/// How a forecast or an explanation stands.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It was registered in time, and came out.
    Settled,
    /// It has not come out yet, or nobody entered how.
    Unresolved,
    /// It cannot be settled: what was registered in time is not what is here.
    Refused,
}

/// Why a forecast or an explanation cannot be settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Refused {
    /// Its horizon passed before it was registered.
    NotRegisteredInTime,
    /// It is not what was registered: these parts changed.
    Altered(Vec<String>),
    /// The record lost an entry on how it came out, which the book holds; or it holds them otherwise.
    EntryLost,
    /// The book has an entry on it of a time that is yet to come: a clock was set forward then, or is set back now.
    Ahead(Moment),
}

impl Refused {
    /// In words.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::NotRegisteredInTime => {
                "its horizon passed before it was registered: what is known is no forecast"
                    .to_owned()
            }
            Self::Altered(what) => {
                format!("it is not what was registered: {} changed", what.join(" and "))
            }
            Self::EntryLost => {
                "its record lost or changed an entry on how it came out, which the book holds, or tells them in another order"
                    .to_owned()
            }
            Self::Ahead(at) => format!(
                "the book has an entry on it of {at}, which is yet to come: a clock was set forward then, or is set back now"
            ),
        }
    }

    /// Whether somebody changed what stood there.
    #[must_use]
    pub fn is_tampering(&self) -> bool {
        matches!(self, Self::Altered(_) | Self::EntryLost | Self::Ahead(_))
    }
}

/// A forecast or an explanation of a run record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// The case.
    pub case: CaseId,
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: StepId,
    /// The claim.
    pub claim: Untrusted,
    /// What it is.
    pub about: About,
    /// The statement; of held-out cases nothing is told.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub wording: Untrusted,
    /// Which version of the system said it.
    pub version: Digest,
    /// When it is due.
    pub horizon: Moment,
    /// Whether that has passed.
    pub is_due: bool,
    /// Who or what is believed then.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub source_of_truth: Untrusted,
    /// What it is held against.
    pub baseline: BaselineLine,
    /// Its fingerprint, as it is here.
    pub fingerprint: Digest,
    /// When it was registered; absent where it was not.
    pub registered_at: Option<Moment>,
    /// How it stands.
    pub state: State,
    /// How far along it is: planned until it is registered, measured once it is settled.
    pub status: Status,
    /// Why it cannot be settled, where it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refused>,
    /// Of a forecast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forecast: Option<ForecastLine>,
    /// Of an explanation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<ExplanationLine>,
    /// Every entry on how it came out, oldest first. The last that counts is what it came to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<OutcomeLine>,
}

/// What a forecast or an explanation is held against.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BaselineLine {
    /// In words.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub says: Untrusted,
    /// Whether it expects the statement to come true; absent where it takes no side.
    pub expects: Option<bool>,
    /// The probability that it gives the statement, 0 to 1.
    pub probability: Option<f64>,
}

/// What a forecast called, and what came.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForecastLine {
    /// Whether it calls that the statement comes true; absent for a no-call.
    pub expects: Option<bool>,
    /// The probability of the statement coming true, 0 to 1, where it was stated.
    pub probability: Option<f64>,
    /// Whether the statement came true; absent where that is not settled.
    pub came: Option<bool>,
    /// Whether the call was right; absent where it is not settled, and for a no-call.
    pub hit: Option<bool>,
    /// Whether the baseline was right; absent where it is not settled, and where it takes no side.
    pub baseline_hit: Option<bool>,
}

/// How an explanation was assessed, then and later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExplanationLine {
    /// By what was known when it was given.
    pub contemporaneous: Dimensions,
    /// By what is known since; absent where it is not settled.
    pub later: Option<Dimensions>,
}

/// An entry on how something came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutcomeLine {
    /// When it was added.
    pub at: Moment,
    /// By whom.
    pub by: Untrusted,
    /// Of a forecast: whether its statement came true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub came: Option<bool>,
    /// Where that was read.
    pub source: Untrusted,
    /// Whether the book holds the entry: one that was written by hand counts for nothing.
    pub counts: bool,
}

/// Every forecast and explanation of these runs, by case, run and place in the record, beside the book, as of now.
#[must_use]
pub fn lines(runs: &[SutRun], book: &Book, now: Moment) -> Vec<Line> {
    let mut sorted: Vec<&SutRun> = runs.iter().collect();
    sorted.sort_by(|a, b| (&a.case, &a.run, &a.id).cmp(&(&b.case, &b.run, &b.id)));
    let mut lines = Vec::new();
    for run in sorted {
        let of = OfRun::new(run);
        lines.extend(run.open_claims().filter_map(|claim| line(&of, claim, book, now)));
    }
    lines
}

/// A run whose claims are looked at one after the other.
struct OfRun<'a> {
    run: &'a SutRun,
    /// The digest of its record as it was made.
    record: Digest,
    /// Its entries on how things came out, by step and claim.
    outcomes: BTreeMap<(&'a StepId, &'a str), Vec<&'a LaterOutcome>>,
}

impl<'a> OfRun<'a> {
    fn new(run: &'a SutRun) -> Self {
        let mut outcomes: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for it in &run.outcomes {
            outcomes.entry((&it.step, it.claim.as_str())).or_default().push(it);
        }
        // Without a claim that is open nobody asks for it.
        let open = run.open_claims().next().is_some();
        let record = if open { run.original() } else { Digest::of(b"") };
        Self { run, record, outcomes }
    }
}

fn line(of: &OfRun<'_>, (step, claim): (&Step, &Stated), book: &Book, now: Moment) -> Option<Line> {
    let run = of.run;
    let is = Registration::in_record(run, of.record, (step, claim))?;
    let held = book.of(&run.id, &step.id, &claim.id);
    let entries = of.outcomes.get(&(&step.id, claim.id.as_str()));
    let entries = entries.map_or(&[][..], Vec::as_slice);
    let refused = refused((run, entries), &is, held, now);
    let counts = |entry: &LaterOutcome| {
        refused.is_none() && held.is_some_and(|it| it.came.iter().any(|it| it.outcome == *entry))
    };
    // The book says which was entered last, and no order that a record's entries stand in.
    let last = held.filter(|_| refused.is_none()).and_then(|it| it.came.last());
    let last = last.map(|it| &it.outcome);
    let told = run.purpose != Purpose::HeldOut;
    let text = |text: &str| if told { Untrusted::new(text) } else { Untrusted::default() };
    let state = match (&refused, last) {
        (Some(_), _) => State::Refused,
        (None, Some(_)) => State::Settled,
        (None, None) => State::Unresolved,
    };
    let (source, baseline) = said(claim, text);
    let explanation = claim.explanation.as_ref().filter(|_| told);
    Some(Line {
        case: run.case.clone(),
        run: run.id.clone(),
        step: step.id.clone(),
        claim: Untrusted::new(&claim.id),
        about: is.about,
        wording: text(&claim.text),
        version: is.version,
        horizon: is.horizon,
        is_due: is.horizon <= now,
        source_of_truth: source,
        forecast: claim.forecast.as_ref().map(|it| forecast(it, last)),
        explanation: explanation.map(|it| explained(it, last)),
        baseline,
        fingerprint: is.fingerprint,
        registered_at: held.map(|it| it.at),
        state,
        status: match state {
            State::Settled => Status::Measured,
            _ if held.is_some() => Status::Implemented,
            _ => Status::Planned,
        },
        outcomes: entries
            .iter()
            .map(|entry| OutcomeLine {
                at: entry.at,
                by: Untrusted::new(&entry.by),
                came: entry.came,
                source: text(&entry.source),
                counts: counts(entry),
            })
            .collect(),
        refused,
    })
}

fn refused(
    (run, entries): (&SutRun, &[&LaterOutcome]),
    is: &Registration,
    held: Option<&Standing>,
    now: Moment,
) -> Option<Refused> {
    let Some(held) = held else {
        return (is.horizon <= now).then_some(Refused::NotRegisteredInTime);
    };
    let differs = is.differs(&held.registration);
    if !differs.is_empty() {
        return Some(Refused::Altered(differs.into_iter().map(str::to_owned).collect()));
    }
    let ahead = held.came.last().map_or(held.at, |it| it.outcome.at).max(held.at);
    if ahead > now {
        return Some(Refused::Ahead(ahead));
    }
    let kept = held.came.iter().all(|it| it.is_among(entries, &run.corrections));
    let known = entries.iter().filter(|it| held.came.iter().any(|came| came.outcome == ***it));
    let in_order = known.eq(held.came.iter().map(|it| &it.outcome).collect::<Vec<_>>().iter());
    (!(kept && in_order)).then_some(Refused::EntryLost)
}

fn said(claim: &Stated, text: impl Fn(&str) -> Untrusted) -> (Untrusted, BaselineLine) {
    let of = |says, expects, probability| BaselineLine { says, expects, probability };
    match (&claim.forecast, &claim.explanation) {
        (Some(Forecast { source_of_truth, baseline, .. }), _) => {
            (text(source_of_truth), of(text(&baseline.says), baseline.side(), baseline.probability))
        }
        (None, Some(Explanation { source_of_truth, baseline, .. })) => {
            (text(source_of_truth), of(text(&baseline.says), None, None))
        }
        (None, None) => (Untrusted::default(), of(Untrusted::default(), None, None)),
    }
}

fn forecast(said: &Forecast, last: Option<&LaterOutcome>) -> ForecastLine {
    let came = last.and_then(|entry| entry.came);
    let right = |side: Option<bool>| Some(side? == came?);
    ForecastLine {
        expects: said.expects(),
        probability: said.probability,
        came,
        hit: right(said.expects()),
        baseline_hit: right(said.baseline.side()),
    }
}

fn explained(said: &Explanation, last: Option<&LaterOutcome>) -> ExplanationLine {
    ExplanationLine {
        contemporaneous: said.assessment.clone(),
        later: last.and_then(|entry| entry.later.clone()),
    }
}
