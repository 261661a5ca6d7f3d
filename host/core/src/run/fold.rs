//! Events into a run: what was planned, what came of it, and whether it is all there.
//!
//! The fold orders by control, variant and repeat, not by arrival.

use std::collections::{BTreeMap, HashMap};

use super::event::{
    BaselineFinished, CaseKept, CaseTexts, ControlFacts, Event, FORMAT, RunFinished, RunStarted,
    TrialFinished,
};
use crate::contamination::Contamination;
use crate::control::transform::Transform;
use crate::findings::Outcome;
use crate::id::ControlId;
use crate::manifest::Rule;
use crate::policy::Policy;
use crate::verdict::Verdict;

/// A run as its record tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// What was run.
    pub started: RunStarted,
    /// The trials of each control, in the order of `started.controls`.
    pub results: Vec<ControlTrials>,
    /// What the baselines said.
    pub baselines: Vec<BaselineFinished>,
    /// Which texts of the controls stand in the component, where that was looked for.
    pub contamination: Option<Contamination>,
    /// The texts of controls that were judged wrong.
    pub kept: BTreeMap<ControlId, CaseTexts>,
    /// Whether the record holds its end and every planned trial.
    pub complete: bool,
}

/// Every trial of one control, by variant and repeat; the case as written comes first. What several trials
/// came to alike, as repeats do, is held once.
#[derive(Debug, Clone, Default)]
pub struct ControlTrials {
    /// By variant and repeat, each with the place of what it came to.
    trials: Vec<(Option<Transform>, u32, u32)>,
    /// What trials came to; of their variant and repeat only `trials` tells.
    came: Vec<TrialFinished>,
}

impl Run {
    /// The events that fold into this run again: what a copy of a record holds, its trials ordered by
    /// control, variant and repeat.
    pub fn events(&self) -> impl Iterator<Item = Event> {
        let started = Event::RunStarted(Box::new(self.started.clone()));
        let baselines = self.baselines.iter().cloned().map(Event::BaselineFinished);
        let scan = self.contamination.iter().cloned().map(Event::ContaminationScanned);
        let held = self.results.iter().map(|control| control.trials.len() as u64).sum();
        let trials = self.results.iter().flat_map(ControlTrials::all);
        let trials = trials.map(|trial| Event::TrialFinished(Box::new(trial.recorded())));
        let kept = self.kept.iter().map(|(control, texts)| {
            let (control, texts) = (control.clone(), texts.clone());
            Event::CaseKept(Box::new(CaseKept { control, texts }))
        });
        let end = self.complete.then_some(Event::RunFinished(RunFinished { trials: held }));
        std::iter::once(started).chain(baselines).chain(scan).chain(trials).chain(kept).chain(end)
    }
}

/// One trial of a control, and what came of it.
#[derive(Debug, Clone, Copy)]
pub struct Tried<'a> {
    /// The transform it was shown under, if any.
    pub variant: Option<Transform>,
    /// The repeat, from 0.
    pub repeat: u32,
    came: &'a TrialFinished,
}

/// All but variant and repeat, which may be those of a trial that came to the same.
impl std::ops::Deref for Tried<'_> {
    type Target = TrialFinished;

    fn deref(&self) -> &TrialFinished {
        self.came
    }
}

impl Tried<'_> {
    /// The trial as it was recorded.
    #[must_use]
    pub fn recorded(&self) -> TrialFinished {
        TrialFinished { variant: self.variant, repeat: self.repeat, ..self.came.clone() }
    }
}

/// How many of the last different answers a new one is compared with: repeats that differ are few, or the
/// grader answers at random.
const COMPARED: usize = 4;

/// How many trials of a control room is made for before they come.
const ROOM: usize = 4096;

/// Trials of a case at most.
const MOST_REPEATS: u32 = 1000;

impl ControlTrials {
    /// Every trial, the case as written first, repeats in order.
    pub fn all(&self) -> impl Iterator<Item = Tried<'_>> {
        self.trials.iter().map(|&(variant, repeat, at)| Tried {
            variant,
            repeat,
            came: &self.came[at as usize],
        })
    }

    /// Holds one more trial, of so many that are planned; gives its control and repeat back if it is there
    /// already.
    fn put(&mut self, trial: TrialFinished, planned: usize) -> Result<(), (ControlId, u32)> {
        let key = (trial.variant, trial.repeat);
        let Err(place) = self.trials.binary_search_by_key(&key, |held| (held.0, held.1)) else {
            return Err((trial.control, trial.repeat));
        };
        let first = self.came.len().saturating_sub(COMPARED);
        let same = (first..self.came.len()).find(|at| is_alike(&self.came[*at], &trial));
        let at = same.unwrap_or(self.came.len());
        if same.is_none() {
            self.came.reserve_exact(1);
            self.came.push(trial);
        }
        // What a record plans is what somebody wrote: room is made for so many at once at most.
        self.trials.reserve_exact(planned.min(ROOM).saturating_sub(self.trials.len()));
        self.trials.insert(place, (key.0, key.1, u32::try_from(at).unwrap_or(u32::MAX)));
        Ok(())
    }

    /// Gives every trial this outcome.
    #[cfg(test)]
    pub(crate) fn answer_all(&mut self, outcome: &Outcome) {
        for trial in &mut self.came {
            trial.outcome = outcome.clone();
        }
    }
}

/// By what the trials came to, in whatever order they arrived.
impl PartialEq for ControlTrials {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (Tried<'_>, Tried<'_>)| {
            (one.variant, one.repeat) == (other.variant, other.repeat)
                && is_alike(one.came, other.came)
        };
        self.trials.len() == other.trials.len() && self.all().zip(other.all()).all(same)
    }
}

/// Whether two trials of one control came to the same, whatever their variant and repeat.
fn is_alike(one: &TrialFinished, other: &TrialFinished) -> bool {
    let TrialFinished {
        control,
        variant: _,
        repeat: _,
        outcome,
        imposed,
        violations,
        fuel,
        inert,
        captured,
        captured_truncated,
    } = one;
    *fuel == other.fuel
        && *outcome == other.outcome
        && *imposed == other.imposed
        && *violations == other.violations
        && *inert == other.inert
        && *captured == other.captured
        && *captured_truncated == other.captured_truncated
        && *control == other.control
}

/// Why events do not make a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// There is nothing, or not the beginning.
    #[error(
        "the record does not begin with `run-started`: it is empty, or its beginning is missing"
    )]
    NoStart,
    /// Written by another version.
    #[error(
        "the record is of format {0}, and this accredit reads format {FORMAT}: use the accredit that wrote it"
    )]
    Format(u32),
    /// A second beginning.
    #[error("event {0} is a second `run-started`: one record holds one run")]
    SecondStart(usize),
    /// Something after the end.
    #[error("event {0} stands after `run-finished`: the record was added to")]
    AfterEnd(usize),
    /// A trial that the run did not plan.
    #[error("event {at} is a trial of `{control}` that the run did not plan")]
    Unplanned {
        /// The event, counted from 1.
        at: usize,
        /// Its control.
        control: ControlId,
    },
    /// A trial that is there twice.
    #[error("event {at} is a second result for repeat {repeat} of `{control}`")]
    Twice {
        /// The event, counted from 1.
        at: usize,
        /// Its control.
        control: ControlId,
        /// Its repeat.
        repeat: u32,
    },
    /// A baseline that does not fit the controls.
    #[error("event {0} is a baseline that does not give one verdict for each rule of each control")]
    Baseline(usize),
    /// A scan, or the texts of a control, that is there twice.
    #[error("event {0} tells a second time what an earlier event told: the record was added to")]
    Again(usize),
    /// More trials of a case than any run makes, or none.
    #[error(
        "the run plans {0} trials of each case, and a run makes from 1 to {MOST_REPEATS}: this is no record of one"
    )]
    Repeats(u32),
    /// A confidence that no policy may ask for.
    #[error(
        "the run's policy asks for a confidence of {0}, and a policy asks for 0.5 to below 1: this is no record of a run"
    )]
    Confidence(String),
    /// What the run says of its held-out controls does not fit them.
    #[error(
        "the run says that {said} of its controls are held out, and {held} are: it was changed, or is no record"
    )]
    HeldOut {
        /// The number that it says.
        said: u64,
        /// The number of controls that are marked.
        held: u64,
    },
    /// Two planned controls share an id.
    #[error("the run plans two controls of the id `{0}`")]
    SameId(ControlId),
    /// The end counts other trials than the record holds.
    #[error(
        "`run-finished` counts {said} trials and the record holds {held}: it was cut or added to"
    )]
    Count {
        /// The number in the event.
        said: u64,
        /// The number in the record.
        held: u64,
    },
}

/// Folds the events of one record.
///
/// # Errors
/// When they do not make one run. A record that merely stops early folds into an incomplete run.
pub fn fold(events: impl IntoIterator<Item = Event>) -> Result<Run, FoldError> {
    let mut events = events.into_iter();
    let Some(Event::RunStarted(started)) = events.next() else {
        return Err(FoldError::NoStart);
    };
    let mut folding = Folding::new(*started)?;
    for event in events {
        folding.take(event)?;
    }
    folding.end()
}

/// A fold under way: takes events as they happen.
#[derive(Debug)]
pub struct Folding {
    run: Run,
    places: HashMap<ControlId, usize>,
    taken: usize,
    held: u64,
    said: Option<u64>,
}

impl Folding {
    /// Begins with the run's first event.
    ///
    /// # Errors
    /// When its format is another, it plans two controls of one id or more repeats than a run makes, what it says of
    /// held-out controls does not fit them, or no policy asks for its confidence.
    pub fn new(started: RunStarted) -> Result<Self, FoldError> {
        if started.format != FORMAT {
            return Err(FoldError::Format(started.format));
        }
        if !(1..=MOST_REPEATS).contains(&started.repeats) {
            return Err(FoldError::Repeats(started.repeats));
        }
        if !Policy::is_confidence(started.policy.confidence) {
            return Err(FoldError::Confidence(started.policy.confidence.to_string()));
        }
        held_out_fits(&started)?;
        let mut places = HashMap::with_capacity(started.controls.len());
        for (index, facts) in started.controls.iter().enumerate() {
            if places.insert(facts.id.clone(), index).is_some() {
                return Err(FoldError::SameId(facts.id.clone()));
            }
        }
        let results = vec![ControlTrials::default(); started.controls.len()];
        let run = Run {
            started,
            results,
            baselines: Vec::new(),
            contamination: None,
            kept: BTreeMap::new(),
            complete: false,
        };
        Ok(Self { run, places, taken: 1, held: 0, said: None })
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// When it does not belong to the run.
    pub fn take(&mut self, event: Event) -> Result<(), FoldError> {
        self.taken += 1;
        let at = self.taken;
        if self.said.is_some() {
            return Err(FoldError::AfterEnd(at));
        }
        match event {
            Event::RunStarted(_) => Err(FoldError::SecondStart(at)),
            Event::BaselineFinished(baseline) => self.baseline(at, baseline),
            Event::ContaminationScanned(scan) => match self.run.contamination.replace(scan) {
                None => Ok(()),
                Some(_) => Err(FoldError::Again(at)),
            },
            Event::TrialFinished(trial) => self.trial(at, *trial),
            Event::CaseKept(kept) => self.kept(at, *kept),
            Event::RunFinished(finished) => {
                self.said = Some(finished.trials);
                Ok(())
            }
        }
    }

    fn baseline(&mut self, at: usize, baseline: BaselineFinished) -> Result<(), FoldError> {
        let rules = self.run.started.grader.manifest.rules.len();
        let fits = baseline.verdicts.len() == self.run.started.controls.len()
            && baseline.verdicts.iter().all(|verdicts| verdicts.len() == rules);
        if !fits {
            return Err(FoldError::Baseline(at));
        }
        self.run.baselines.push(baseline);
        Ok(())
    }

    fn kept(&mut self, at: usize, kept: CaseKept) -> Result<(), FoldError> {
        if !self.places.contains_key(&kept.control) {
            return Err(FoldError::Unplanned { at, control: kept.control });
        }
        match self.run.kept.insert(kept.control, kept.texts) {
            None => Ok(()),
            Some(_) => Err(FoldError::Again(at)),
        }
    }

    /// The run as far as it has come.
    #[must_use]
    pub fn so_far(&self) -> &Run {
        &self.run
    }

    fn trial(&mut self, at: usize, trial: TrialFinished) -> Result<(), FoldError> {
        let unplanned = || FoldError::Unplanned { at, control: trial.control.clone() };
        let place = *self.places.get(&trial.control).ok_or_else(unplanned)?;
        let facts = &self.run.started.controls[place];
        let planned = trial.repeat < self.run.started.repeats
            && trial.variant.is_none_or(|variant| facts.variants.contains(&variant));
        if !planned {
            return Err(unplanned());
        }
        let planned = (1 + facts.variants.len()) * self.run.started.repeats as usize;
        if let Err((control, repeat)) = self.run.results[place].put(trial, planned) {
            return Err(FoldError::Twice { at, control, repeat });
        }
        self.held += 1;
        Ok(())
    }

    /// The run, once the events have ended.
    ///
    /// # Errors
    /// When its end counts other trials than it holds.
    pub fn end(mut self) -> Result<Run, FoldError> {
        if let Some(said) = self.said.filter(|said| *said != self.held) {
            return Err(FoldError::Count { said, held: self.held });
        }
        let planned = planned_trials(&self.run.started);
        self.run.complete =
            self.said.is_some() && self.held == planned && planned == self.run.started.trials;
        Ok(self.run)
    }
}

/// Whether a run holds as many held-out controls as it says: all of them, or, in an author's copy, none.
fn held_out_fits(started: &RunStarted) -> Result<(), FoldError> {
    let held = started.controls.iter().filter(|facts| facts.held_out).count() as u64;
    let said = started.held_out.as_ref().map_or(0, |facts| match facts.is_withheld() {
        true => 0,
        false => facts.controls,
    });
    if said == held { Ok(()) } else { Err(FoldError::HeldOut { said, held }) }
}

/// How many trials the controls, their variants and the repeats come to.
#[must_use]
pub fn planned_trials(started: &RunStarted) -> u64 {
    let shown = |facts: &ControlFacts| 1 + facts.variants.len() as u64;
    started.controls.iter().map(shown).sum::<u64>() * u64::from(started.repeats)
}

/// Each rule's verdict in one trial, in the manifest's order. Of the claims of an `each-claim` rule the
/// worst counts: fail, then unproven, unresolved, pass; without claims the rule is not applicable.
#[must_use]
pub fn rule_verdicts(rules: &[Rule], trial: &TrialFinished) -> Vec<Verdict> {
    rules.iter().map(|rule| rule_verdict(rule, trial)).collect()
}

fn rule_verdict(rule: &Rule, trial: &TrialFinished) -> Verdict {
    let found: &[_] = match &trial.outcome {
        Outcome::Graded(findings) => findings,
        Outcome::Refused(_) | Outcome::Fault(_) => &[],
    };
    let said = found
        .iter()
        .filter(|finding| finding.rule.raw() == rule.id.as_str())
        .map(|finding| finding.verdict);
    let imposed =
        trial.imposed.iter().filter(|imposed| imposed.rule == rule.id).map(|_| Verdict::Unproven);
    said.chain(imposed).max_by_key(|verdict| weight(*verdict)).unwrap_or(Verdict::NotApplicable)
}

/// How bad a verdict is when several are folded into one.
fn weight(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::NotApplicable => 0,
        Verdict::Pass => 1,
        Verdict::Unresolved => 2,
        Verdict::Unproven => 3,
        Verdict::Fail => 4,
    }
}

/// What the rules' verdicts come to for the case as a whole: `fail` where a rule fails that decides, else
/// `unproven` or `unresolved` where such a rule is, else `pass` where one passes, else `not-applicable`.
/// Optional rules do not decide.
#[must_use]
pub fn case_verdict(rules: &[Rule], verdicts: &[Verdict]) -> Verdict {
    rules
        .iter()
        .zip(verdicts)
        .filter(|(rule, _)| rule.tier.decides())
        .map(|(_, verdict)| *verdict)
        .max_by_key(|verdict| weight(*verdict))
        .unwrap_or(Verdict::NotApplicable)
}

#[cfg(test)]
#[path = "fold_tests.rs"]
mod tests;
