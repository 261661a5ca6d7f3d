//! The parts of a run: the controls that are open, those that are held out, and what an author may have.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::event::{BaselineFinished, ControlFacts, HeldOutFacts, HeldOutResult};
use super::fold::{Run, planned_trials};
use crate::id::Digest;

/// The run over its open controls alone.
#[must_use]
pub fn open(run: &Run) -> Cow<'_, Run> {
    match run.started.controls.iter().any(|facts| facts.held_out) {
        false => Cow::Borrowed(run),
        true => Cow::Owned(keep(run, |facts| !facts.held_out)),
    }
}

/// The run over its held-out controls alone, where it has any.
#[must_use]
pub fn held_out(run: &Run) -> Option<Run> {
    let any = run.started.controls.iter().any(|facts| facts.held_out);
    any.then(|| keep(run, |facts| facts.held_out))
}

/// What an author may have of a run: no held-out control, in no form, but whether they held, tier by tier,
/// and the digest of the whole record. Without held-out controls it is the run as it is.
#[must_use]
pub fn for_author(run: &Run, results: Vec<HeldOutResult>, whole: Digest) -> Cow<'_, Run> {
    let Some(facts) = run.started.held_out.as_ref().filter(|facts| !facts.is_withheld()) else {
        return Cow::Borrowed(run);
    };
    let withheld = HeldOutFacts {
        salt: None,
        contamination: None,
        results,
        whole: Some(whole),
        ..facts.clone()
    };
    let mut copy = open(run).into_owned();
    copy.started.held_out = Some(withheld);
    Cow::Owned(copy)
}

fn keep(run: &Run, wanted: impl Fn(&ControlFacts) -> bool) -> Run {
    let controls = &run.started.controls;
    let places: Vec<_> = (0..controls.len()).filter(|at| wanted(&controls[*at])).collect();
    let mut started = run.started.clone();
    started.controls = places.iter().map(|at| controls[*at].clone()).collect();
    started.trials = planned_trials(&started);
    let baseline = |baseline: &BaselineFinished| BaselineFinished {
        name: baseline.name.clone(),
        verdicts: places.iter().map(|at| baseline.verdicts[*at].clone()).collect(),
    };
    let ids: BTreeSet<_> = started.controls.iter().map(|facts| &facts.id).collect();
    let kept = run.kept.iter().filter(|(id, _)| ids.contains(id));
    let kept = kept.map(|(id, texts)| (id.clone(), texts.clone())).collect();
    Run {
        results: places.iter().map(|at| run.results[*at].clone()).collect(),
        baselines: run.baselines.iter().map(baseline).collect(),
        kept,
        contamination: run.contamination.clone(),
        complete: run.complete,
        started,
    }
}
