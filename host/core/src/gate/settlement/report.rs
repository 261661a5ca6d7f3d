//! The table of forecasts beside their baselines, and of explanations then and later.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::book::Book;
use super::calibrated::{Beside, ForecastCalibration, beside, calibrated};
use super::line::{Line, Refused, State, lines};
use super::registration::About;
use crate::assess::Known;
use crate::gate::record::SutRun;
use crate::id::{RunId, StepId};
use crate::ledger::Moment;
use crate::stats::interval::Count;
use crate::untrusted::Untrusted;

/// The version of the format of these reports.
pub const FORMAT: u32 = 1;

/// What every such report says of its own reach.
pub const REACH: &str =
    "Settled results inform. They change no verdict, and no release waits for them.";

/// How forecasts and explanations came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SettlementReport {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// When it was.
    pub now: Moment,
    /// How many there are of each sort.
    pub counts: Counts,
    /// Calls that were right, of the settled ones; no-calls are in neither.
    pub calls: Count,
    /// Baselines that were right, of those that took a side on a settled forecast.
    pub baselines: Count,
    /// Both, over the settled forecasts on which both took a side: the ones that can be compared.
    pub both: BothSides,
    /// Whether stated probabilities mean what they say; absent, with the reason, where none was stated.
    pub calibration: Known<ForecastCalibration>,
    /// The Brier scores of forecasts and baselines over the same statements; absent, with the reason, where not both
    /// stated a probability.
    pub beside: Known<Beside>,
    /// The forecasts.
    pub forecasts: Vec<Line>,
    /// The explanations.
    pub explanations: Vec<Line>,
    /// What the book holds of runs whose records are not here.
    pub not_here: Vec<NotHere>,
    /// What the report does not prove.
    pub reach: String,
}

/// How many forecasts and explanations there are of each sort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Forecasts.
    pub forecasts: u64,
    /// Explanations.
    pub explanations: u64,
    /// Forecasts that decline.
    pub no_calls: u64,
    /// Those of both that were settled.
    pub settled: u64,
    /// Those of both that are unresolved.
    pub unresolved: u64,
    /// Of the unresolved, those whose horizon has passed.
    pub due: u64,
    /// Of the unresolved, those that are not registered yet.
    pub not_registered: u64,
    /// Those of both that cannot be settled.
    pub refused: u64,
}

/// Right calls of forecasts and baselines over the same statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BothSides {
    /// Of the forecasts.
    pub calls: Count,
    /// Of their baselines.
    pub baselines: Count,
}

/// Something that was registered, and whose record is not here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotHere {
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: StepId,
    /// The claim.
    pub claim: Untrusted,
    /// When it is due.
    pub horizon: Moment,
    /// Whether the record is here, without the claim: the claim was taken out.
    pub taken_out: bool,
}

impl SettlementReport {
    /// Of these records, beside the book, as of now.
    #[must_use]
    pub fn new(runs: &[SutRun], book: &Book, now: Moment) -> Self {
        let (forecasts, explanations): (Vec<Line>, Vec<Line>) =
            lines(runs, book, now).into_iter().partition(|it| it.about == About::Forecast);
        let all: Vec<&Line> = forecasts.iter().chain(&explanations).collect();
        let settled: Vec<&Line> =
            forecasts.iter().filter(|it| it.state == State::Settled).collect();
        Self {
            format: FORMAT,
            now,
            counts: counts(&all),
            calls: right(settled.iter().map(|it| hits(it).0)),
            baselines: right(settled.iter().map(|it| hits(it).1)),
            both: both(&settled),
            calibration: calibrated(&settled),
            beside: beside(&settled),
            not_here: not_here(runs, book),
            forecasts,
            explanations,
            reach: REACH.to_owned(),
        }
    }

    /// Every line of it.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.forecasts.iter().chain(&self.explanations)
    }

    /// Whether something of it was altered, taken out, or registered too late.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.counts.refused > 0 || self.not_here.iter().any(|it| it.taken_out)
    }

    /// Whether nothing waits for anybody: all is registered, and what is due is here and settled.
    #[must_use]
    pub fn is_up_to_date(&self) -> bool {
        let Counts { forecasts, explanations, due, not_registered, .. } = self.counts;
        let missing = self.not_here.iter().any(|it| it.horizon <= self.now);
        forecasts + explanations > 0 && due == 0 && not_registered == 0 && !missing
    }
}

/// What a gate tells of forecasts and explanations. It decides nothing there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Settled {
    /// Those that came out, each beside its baseline.
    pub came: Vec<Line>,
    /// Those that cannot be settled, and why.
    pub refused: Vec<Line>,
    /// How many are unresolved.
    pub unresolved: u64,
    /// Claims that the book holds and that were taken out of their records.
    pub taken_out: Vec<NotHere>,
}

impl Settled {
    /// Of these records, beside the book, as of now.
    #[must_use]
    pub fn new(runs: &[SutRun], book: &Book, now: Moment) -> Self {
        let mut settled = Self {
            taken_out: not_here(runs, book).into_iter().filter(|it| it.taken_out).collect(),
            ..Self::default()
        };
        for line in lines(runs, book, now) {
            match line.state {
                State::Settled => settled.came.push(line),
                State::Refused => settled.refused.push(line),
                State::Unresolved => settled.unresolved += 1,
            }
        }
        settled
    }

    /// Whether somebody changed what was registered, or what was entered.
    #[must_use]
    pub fn is_altered(&self) -> bool {
        let altered = |it: &Line| it.refused.as_ref().is_some_and(Refused::is_tampering);
        !self.taken_out.is_empty() || self.refused.iter().any(altered)
    }
}

fn counts(lines: &[&Line]) -> Counts {
    let count =
        |wanted: &dyn Fn(&Line) -> bool| lines.iter().filter(|it| wanted(it)).count() as u64;
    let open = |it: &Line| it.state == State::Unresolved;
    Counts {
        forecasts: count(&|it| it.about == About::Forecast),
        explanations: count(&|it| it.about == About::Explanation),
        no_calls: count(&|it| it.forecast.is_some_and(|it| it.expects.is_none())),
        settled: count(&|it| it.state == State::Settled),
        unresolved: count(&open),
        due: count(&|it| open(it) && it.is_due),
        not_registered: count(&|it| open(it) && it.registered_at.is_none()),
        refused: count(&|it| it.state == State::Refused),
    }
}

fn hits(line: &Line) -> (Option<bool>, Option<bool>) {
    line.forecast.map_or((None, None), |it| (it.hit, it.baseline_hit))
}

fn right(hits: impl Iterator<Item = Option<bool>>) -> Count {
    let hits: Vec<bool> = hits.flatten().collect();
    Count::new(hits.iter().filter(|hit| **hit).count() as u64, hits.len() as u64)
}

fn both(settled: &[&Line]) -> BothSides {
    let pairs: Vec<(bool, bool)> = settled
        .iter()
        .filter_map(|line| {
            let (own, baseline) = hits(line);
            own.zip(baseline)
        })
        .collect();
    BothSides {
        calls: right(pairs.iter().map(|(own, _)| Some(*own))),
        baselines: right(pairs.iter().map(|(_, baseline)| Some(*baseline))),
    }
}

fn not_here(runs: &[SutRun], book: &Book) -> Vec<NotHere> {
    let here: BTreeSet<&RunId> = runs.iter().map(|run| &run.id).collect();
    let of_run =
        |run| SutRun::open_claims(run).map(move |it| (&run.id, &it.0.id, it.1.id.as_str()));
    let open: BTreeSet<_> = runs.iter().flat_map(of_run).collect();
    let gone = book.standings().filter_map(|standing| {
        let it = &standing.registration;
        let is_here = open.contains(&(&it.run, &it.step, it.claim.as_str()));
        (!is_here).then(|| NotHere {
            run: it.run.clone(),
            step: it.step.clone(),
            claim: Untrusted::new(&it.claim),
            horizon: it.horizon,
            taken_out: here.contains(&it.run),
        })
    });
    gone.collect()
}
