//! The parts of a run: the controls that are open, those that are held out, and what an author may have.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::event::{
    BaselineFinished, ControlFacts, Event, HeldOutFacts, HeldOutResult, RunStarted,
};
use super::fold::{Run, planned_trials};
use crate::control::set::Kind;
use crate::id::Digest;

/// The run over its open controls alone.
#[must_use]
pub fn open(run: &Run) -> Cow<'_, Run> {
    match is_mixed(run) {
        false => Cow::Borrowed(run),
        true => Cow::Owned(keep(run, false, |facts| !facts.held_out)),
    }
}

/// Whether anything in the run is held out: controls, or what is declared of how they were drawn.
fn is_mixed(run: &Run) -> bool {
    let started = &run.started;
    started.controls.iter().any(|facts| facts.held_out)
        || started.samples.iter().any(|sample| sample.held_out)
}

/// The run over its held-out controls alone, where it has any.
#[must_use]
pub fn held_out(run: &Run) -> Option<Run> {
    let any = run.started.controls.iter().any(|facts| facts.held_out);
    any.then(|| keep(run, true, |facts| facts.held_out))
}

/// What an author may have of a run: no held-out control, in no form, but whether they held, tier by tier,
/// and the digest of the whole record. Without held-out controls it is the run as it is.
#[must_use]
pub fn for_author(run: &Run, results: Vec<HeldOutResult>, whole: Digest) -> Cow<'_, Run> {
    // Stripped where either sign of them is there.
    let facts = run.started.held_out.as_ref().filter(|facts| !facts.is_withheld());
    if facts.is_none() && !is_mixed(run) {
        return Cow::Borrowed(run);
    }
    let mut copy = open(run).into_owned();
    let policy = Some(copy.started.digests.policy);
    copy.started.held_out = facts.map(|facts| HeldOutFacts {
        salt: None,
        contamination: None,
        authors: Vec::new(),
        results,
        policy,
        whole: Some(whole),
        ..facts.clone()
    });
    Cow::Owned(copy)
}

/// The digest by which a ledger names a run before its results are opened: of its first event as JSON, without
/// the looks, which that entry is one of.
#[must_use]
pub fn run_digest(started: &RunStarted) -> Digest {
    let mut started = started.clone();
    if let Some(facts) = &mut started.held_out {
        facts.looks = Vec::new();
    }
    // Plain data: nothing that JSON could refuse.
    Digest::of(&serde_json::to_vec(&started).unwrap_or_default())
}

/// The digest of what a grader did with its open controls, by which a later run of them is held to an earlier
/// one: of every event, as JSON, each followed by a line end, ordered by control, variant and repeat. It leaves out
/// what may differ between two such runs: held-out controls (who re-runs may not have them), regression
/// controls (they are added meanwhile), texts that are kept for readers, the scan, and the engine's semantics with
/// the fuel, which change with the engine and ask for no new signature.
#[must_use]
pub fn evidence_digest(run: &Run) -> Digest {
    let mut part = keep(run, false, |facts| !facts.held_out && facts.kind != Kind::Regression);
    let started = &mut part.started;
    (started.held_out, started.digests.regression) = (None, None);
    started.digests.semantics = Digest::of(b"");
    (part.contamination, part.kept) = (None, BTreeMap::new());
    let mut hasher = blake3::Hasher::new();
    let mut line = Vec::new();
    for mut event in part.events() {
        if let Event::TrialFinished(trial) = &mut event {
            trial.fuel = 0;
        }
        line.clear();
        // Plain data: nothing that JSON could refuse.
        let _ = serde_json::to_writer(&mut line, &event);
        line.push(b'\n');
        hasher.update(&line);
    }
    hasher.finalize().into()
}

fn keep(run: &Run, held_out: bool, wanted: impl Fn(&ControlFacts) -> bool) -> Run {
    let controls = &run.started.controls;
    let places: Vec<_> = (0..controls.len()).filter(|at| wanted(&controls[*at])).collect();
    let mut started = run.started.clone();
    started.controls = places.iter().map(|at| controls[*at].clone()).collect();
    started.samples.retain(|sample| sample.held_out == held_out);
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
