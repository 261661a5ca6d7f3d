//! What a run that was made again shows.

use super::super::*;
use crate::authority::tests as ledger;
use crate::authority::tests::digest;
use crate::control::set::Kind;
use crate::decision::tests as decided;
use crate::decision::{Decision, decide};
use crate::example;
use crate::policy::{RequirementId, Waiver};
use crate::run::event::HeldOutFacts;
use crate::run::fold::Run;
use crate::run::part::evidence_digest;
use crate::statement::Statement;
use crate::verdict::Verdict;

/// A run that is enough for gating, but for what is waived, and the statement that rests on it.
fn promoted_run() -> (Run, Statement) {
    let mut judged = decided::sound();
    judged.push((
        example::control(Kind::Regression, "reg-1", "found in use"),
        vec![[Verdict::Pass; 2]; 3],
    ));
    judged.push((
        example::control(Kind::Regression, "reg-2", "found as well"),
        vec![[Verdict::Pass; 2]; 3],
    ));
    let run = example::run(&judged);
    let statement = statement_of(&run, &[RequirementId::RealOutput, RequirementId::HeldOut]);
    (run, statement)
}

fn statement_of(run: &Run, waived: &[RequirementId]) -> Statement {
    let mut statement = ledger::statement("component", Tier::Gating);
    let evidence = &mut statement.predicate.evidence;
    evidence.replay = evidence_digest(run);
    evidence.regression = run.started.digests.regression;
    evidence.semantics = run.started.digests.semantics;
    let waiver = |requirement: &RequirementId| Waiver {
        tier: Tier::Gating,
        requirement: *requirement,
        reason: "a test".into(),
    };
    statement.predicate.waivers = waived.iter().map(waiver).collect();
    statement
}

fn shown<T>(run: &Run, statement: &Statement, ask: impl FnOnce(&Rerun<'_>) -> T) -> T {
    let decision: Decision = decide(run);
    ask(&Rerun { run, record: digest("record"), decision: &decision, statement })
}

#[test]
fn a_run_that_repeats_the_promoted_one_keeps_every_promise() {
    let (run, statement) = promoted_run();
    let checks = shown(&run, &statement, |rerun| {
        assert_eq!(rerun.holds(), Tier::Gating);
        [
            rerun.reproducible_record(),
            rerun.controls_bite(),
            rerun.absence_is_never_green(&[]),
            rerun.serious_failure_never_averaged(&BTreeSet::new()),
        ]
    });
    assert!(checks.iter().all(|check| check.held), "{checks:?}");
    assert!(checks[2].detail.contains("2 waived"), "{}", checks[2].detail);
}

#[test]
fn a_run_that_came_out_otherwise_is_not_reproduced() {
    let (run, mut statement) = promoted_run();
    let check = shown(&run, &statement, |it| it.reproducible_record());
    assert!(check.detail.contains("byte for byte"), "{}", check.detail);
    let mut other = run.clone();
    other.started.seed = 7;
    assert!(!shown(&other, &statement, |it| it.reproducible_record()).held);
    // With an engine of other semantics the record is another, and what it shows must be the same.
    let mut engine = run.clone();
    engine.started.digests.semantics = digest("new");
    statement.predicate.evidence.record = digest("an older record");
    assert!(shown(&engine, &statement, |it| it.reproducible_record()).held);
    assert!(
        !shown(&run, &statement, |it| it.reproducible_record()).held,
        "the same in all, and another record"
    );
}

#[test]
fn what_was_not_measured_is_not_met() {
    let (run, statement) = promoted_run();
    let absent = |run: &Run, statement: &Statement, lost: &[String], says: &str| {
        let check = shown(run, statement, |rerun| rerun.absence_is_never_green(lost));
        assert!(!check.held && check.detail.contains(says), "{says}: {}", check.detail);
    };
    let mut cut = run.clone();
    cut.complete = false;
    absent(&cut, &statement, &[], "the run is incomplete");
    absent(&run, &statement, &["reg-9".into()], "found in use, and guarded by no control: reg-9");
    // Today's policy may waive what it likes: what counts is what was signed.
    let mut lax = run.clone();
    lax.started.policy.waivers = statement.predicate.waivers.clone();
    let unwaived = statement_of(&lax, &[RequirementId::RealOutput]);
    absent(&lax, &unwaived, &[], "held-out (gating) is not evaluated");
    let mut signed = unwaived;
    signed.predicate.evidence.held_out = Some(digest("held-out"));
    let check = shown(&lax, &signed, |rerun| {
        assert!(rerun.takes_held_out_as_signed());
        rerun.absence_is_never_green(&[])
    });
    assert!(check.held, "{}", check.detail);
    // With held-out controls in this run the statement's word is not taken.
    let mut opened = lax.clone();
    opened.started.held_out = Some(HeldOutFacts {
        controls: 1,
        digest: digest("held-out"),
        salt: None,
        contamination: None,
        results: vec![],
        looks: vec![],
        policy: None,
        authors: vec![],
        whole: None,
    });
    absent(&opened, &signed, &[], "held-out (gating) is not evaluated");
    let mut wrong = decided::sound();
    for (_, verdicts) in &mut wrong[..20] {
        *verdicts = vec![[Verdict::Pass; 2]; 3];
    }
    let wrong = example::run(&wrong);
    absent(&wrong, &statement, &[], "known-bad (gating) is not met");
    assert_eq!(shown(&wrong, &statement, |it| it.holds()), Tier::Advisory);
}

#[test]
fn controls_that_a_baseline_passes_do_not_bite() {
    let (mut run, statement) = promoted_run();
    run.baselines.clear();
    let check = shown(&run, &statement, |it| it.controls_bite());
    assert!(!check.held && check.detail.contains("no baseline was run"), "{}", check.detail);
    // A baseline that happens to say what the grader says.
    let (mut run, statement) = promoted_run();
    let verdicts = |trials: &crate::run::fold::ControlTrials| {
        let rules = &run.started.grader.manifest.rules;
        let first = trials.all().next().expect("a trial");
        crate::run::fold::rule_verdicts(rules, &first)
    };
    let all = run.results.iter().map(verdicts).collect();
    run.baselines[0].verdicts = all;
    let check = shown(&run, &statement, |it| it.controls_bite());
    assert!(!check.held && check.detail.contains("would be gating"), "{}", check.detail);
}

#[test]
fn one_failure_that_is_back_is_enough() {
    let mut judged = decided::sound();
    for (id, verdict) in [("reg-1", Verdict::Pass), ("reg-2", Verdict::Fail)] {
        let control = example::control(Kind::Regression, id, "found in use");
        judged.push((control, vec![[verdict, Verdict::Pass]; 3]));
    }
    let run = example::run(&judged);
    let check =
        shown(&run, &promoted_run().1, |it| it.serious_failure_never_averaged(&BTreeSet::new()));
    assert_eq!(check.detail, "1 of 2 controls of failures found in use are wrong: reg-2");
    assert!(!check.held);
}
