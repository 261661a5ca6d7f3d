//! What the gate promises, sentence by sentence.

use super::make::*;
use crate::gate::inventory::Serious;
use crate::gate::judged::Why;
use crate::gate::record::{ExpectedCheck, Purpose};
use crate::gate::standing::{Standing, Truth};
use crate::verdict::Verdict::{Fail, NotApplicable, Pass, Unproven, Unresolved};
use crate::verdict::{GraderKind, RuleTier, Scope, Tier};

#[test]
fn one_run_passes_if_every_check_passes_and_the_worst_run_decides() {
    assert_eq!(world(&[("a", &[Pass, Pass, Pass])]).verdict(), Truth::True);
    let report = world(&[("a", &[Pass, Fail, Pass]), ("b", &[Pass, Pass, Pass])]).report();
    assert_eq!(report.release.verdict, Truth::False);
    assert_eq!((report.summary.passed, report.summary.failed), (1, 1));
    assert_eq!(report.cases[0].verdict, Truth::False);
    let blocked: Vec<_> = report.blocking.iter().map(|it| it.run.as_str()).collect();
    assert_eq!(blocked, ["a-2"]);
}

#[test]
fn what_is_planned_is_not_implemented_and_what_is_implemented_is_not_measured() {
    let mut gate = world(&[("a", &[Pass]), ("b", &[Unproven]), ("c", &[Fail]), ("d", &[Pass])]);
    gate.runs.pop();
    let report = gate.report();
    let statuses: Vec<_> = report.cases.iter().map(|case| case.status.name()).collect();
    assert_eq!(statuses, ["measured", "implemented", "measured", "planned"]);
    let half = world(&[("a", &[Pass, Pass])]);
    let mut lost = half.clone();
    lost.runs.pop();
    assert_eq!(lost.report().cases[0].status.name(), "implemented", "partly there");
    let counts = report.statuses;
    assert_eq!(
        (counts.planned, counts.implemented, counts.measured, counts.approved),
        (1, 1, 2, 0)
    );
}

#[test]
fn every_step_of_a_conversation_must_pass() {
    let mut gate = world(&[("a", &[Pass])]);
    gate.inventory.cases[0].steps.push(id("s2"));
    gate.runs[0].steps.push(step("s2"));
    gate.judgements.push(judgement("g", "a-1", "s2", &[("r", None, Fail)]));
    assert_eq!(gate.verdict(), Truth::False);
    gate.judgements[1] = judgement("g", "a-1", "s2", &[("r", None, Pass)]);
    assert_eq!(gate.verdict(), Truth::True);
    // A step that nothing applies to beside one that passed.
    gate.judgements[1] = judgement("g", "a-1", "s2", &[("r", None, NotApplicable)]);
    assert_eq!(gate.verdict(), Truth::True);
}

#[test]
fn only_gating_authority_blocks_and_the_rest_are_shown_beside() {
    for authority in [Tier::Advisory, Tier::Characterization] {
        let mut gate = world(&[("a", &[Pass])]);
        gate.add("h", RuleTier::MustNot, authority, Fail);
        let report = gate.report();
        assert_eq!(report.release.verdict, Truth::True);
        assert_eq!((report.blocking.len(), report.advisory.len()), (0, 1));
        assert_eq!(report.advisory[0].authority, authority);
    }
}

#[test]
fn a_gate_without_a_gating_grader_is_undefined() {
    let mut gate = world(&[("a", &[Pass]), ("b", &[Fail])]);
    gate.graders[0].tier = Tier::Characterization;
    let report = gate.report();
    assert_eq!(report.release.verdict, Truth::Undefined);
    assert_eq!(report.summary.pass_rate, None);
    assert!(report.release.why.contains("no grader"), "{}", report.release.why);
    assert!(report.not_evaluated.iter().all(|open| open.why == Why::NoGatingGrader));
}

#[test]
fn a_grader_whose_authority_went_stale_stops_blocking_and_the_gate_says_so() {
    let mut gate = world(&[("a", &[Pass])]);
    gate.add("h", RuleTier::Essential, Tier::Gating, Fail);
    assert_eq!((gate.verdict(), gate.report().is_stale()), (Truth::False, false));
    gate.graders[1].tier = Tier::Advisory;
    gate.graders[1].reasons = vec!["the component changed".into()];
    let report = gate.report();
    assert_eq!(report.release.verdict, Truth::True);
    assert_eq!(report.stale, [id("h")]);
    assert_eq!(report.graders[1].reasons, ["the component changed"]);
}

#[test]
fn unproven_and_unresolved_are_neither_pass_nor_fail() {
    for (said, standing) in [(Unproven, Standing::Unproven), (Unresolved, Standing::Unresolved)] {
        let report = world(&[("a", &[said]), ("b", &[Pass])]).report();
        assert_eq!(report.release.verdict, Truth::Undefined);
        assert_eq!(report.cases[0].standing, standing);
        let summary = report.summary;
        assert_eq!((summary.passed, summary.failed, summary.verdicted), (1, 0, 1));
        assert_eq!((summary.not_evaluated, summary.pass_rate), (1, Some(1.0)));
        assert!(report.blocking.is_empty());
    }
}

#[test]
fn not_applicable_is_apart_from_unproven_and_green_by_itself_never() {
    let report = world(&[("a", &[NotApplicable]), ("b", &[Pass])]).report();
    assert_eq!(report.release.verdict, Truth::True);
    assert_eq!((report.summary.not_applicable, report.summary.unproven), (1, 0));
    assert_eq!(report.cases[0].verdict, Truth::Undefined);
    let nothing = world(&[("a", &[NotApplicable])]).report();
    assert_eq!(nothing.release.verdict, Truth::Undefined);
    assert_eq!(nothing.summary.pass_rate, None);
}

#[test]
fn whatever_was_selected_and_is_missing_is_lost_evidence() {
    let sound = world(&[("a", &[Pass, Pass]), ("b", &[Pass])]);
    let undefined = |change: fn(&mut World), why: Why| {
        let mut gate = sound.clone();
        change(&mut gate);
        let report = gate.report();
        assert_eq!(report.release.verdict, Truth::Undefined, "{why:?}");
        assert_eq!((report.summary.cases, report.summary.failed), (2, 0), "{why:?}");
        assert_eq!(report.summary.missing, 1, "{why:?}");
        let open = report.not_evaluated.iter().any(|open| open.why == why);
        assert!(open, "{why:?}: {:?}", report.not_evaluated);
    };
    undefined(|gate| drop(gate.runs.remove(0)), Why::RunMissing);
    undefined(|gate| drop(gate.runs.remove(2)), Why::CaseMissing);
    undefined(|gate| drop(gate.judgements.remove(0)), Why::CheckMissing);
    undefined(|gate| gate.runs[0].steps.clear(), Why::StepMissing);
    undefined(|gate| gate.runs[0].purpose = Purpose::Characterization, Why::RunMismatch);
    undefined(
        |gate| {
            gate.runs[0].case = id("b");
            gate.runs[0].run = 9;
        },
        Why::RunMismatch,
    );
    undefined(|gate| gate.inventory.cases[0].checks.push(check("nobody")), Why::GraderMissing);
    undefined(
        |gate| {
            let mut asks = check("g");
            asks.rules.push(id("unknown"));
            gate.inventory.cases[0].checks.push(asks);
        },
        Why::RuleMissing,
    );
    undefined(
        |gate| {
            let expected = ExpectedCheck { grader: id("h"), rules: vec![], written_at: None };
            gate.runs[0].expected.push(expected);
        },
        Why::NotInInventory,
    );
}

#[test]
fn a_phase_that_was_never_observed_is_unproven() {
    let mut gate = world(&[("a", &[Pass])]);
    gate.runs[0].steps[0].answer = None;
    gate.judgements.clear();
    let report = gate.report();
    assert_eq!(report.cases[0].standing, Standing::Unproven);
    assert_eq!(report.not_evaluated[0].why, Why::NotObserved);

    let mut gate = world(&[("a", &[Pass])]);
    gate.graders[0] = grader("g", &[("r", RuleTier::Essential, Scope::EachClaim)], Tier::Gating);
    gate.judgements = vec![judgement("g", "a-1", "s", &[])];
    assert_eq!(gate.report().cases[0].standing, Standing::Unproven, "no claims were split off");
    gate.runs[0].steps[0].claims = Some(vec![]);
    assert_eq!(gate.report().cases[0].standing, Standing::NotApplicable, "it makes no claim");
    gate.runs[0].steps[0].claims = Some(vec![claim("c", false)]);
    assert_eq!(gate.report().cases[0].standing, Standing::Unproven, "silence on a claim");
}

#[test]
fn serious_failures_are_never_averaged_away() {
    // 1 of 100 cases fails, and the policy lets 1 of 20 fail.
    let ids: Vec<String> = (0..100).map(|n| format!("c{n:03}")).collect();
    let verdicts = |n: usize| if n == 0 { [Fail] } else { [Pass] };
    let said: Vec<_> = (0..100).map(verdicts).collect();
    let cases: Vec<_> = ids.iter().zip(&said).map(|(id, said)| (id.as_str(), &said[..])).collect();
    let with = |tier, serious| {
        let mut gate = world(&cases);
        gate.policy.gate.pass_rate = 0.95;
        gate.graders[0] = grader("g", &[("r", tier, Scope::Output)], Tier::Gating);
        gate.inventory.checks[0].serious = serious;
        gate.report()
    };
    let ordinary = with(RuleTier::Important, None);
    assert_eq!(ordinary.release.verdict, Truth::True);
    assert_eq!((ordinary.tolerated.len(), ordinary.blocking.len()), (1, 0));
    for (tier, serious, named) in [
        (RuleTier::Essential, None, Serious::Essential),
        (RuleTier::MustNot, None, Serious::MustNot),
        (RuleTier::Important, Some(Serious::Entitlement), Serious::Entitlement),
        (RuleTier::Important, Some(Serious::RequiredNumber), Serious::RequiredNumber),
        (RuleTier::Optional, Some(Serious::RequiredNumber), Serious::RequiredNumber),
    ] {
        let report = with(tier, serious);
        assert_eq!(report.release.verdict, Truth::False, "{named:?}");
        assert_eq!(report.blocking[0].serious, Some(named));
    }
}

#[test]
fn an_important_claim_without_support_is_serious() {
    for (important, verdict) in [(true, Truth::False), (false, Truth::True)] {
        let mut gate = world(&[("a", &[Pass]), ("b", &[Pass])]);
        gate.policy.gate.pass_rate = 0.5;
        let rules = [("r", RuleTier::Important, Scope::EachClaim)];
        gate.graders[0] = grader("g", &rules, Tier::Gating);
        for run in &mut gate.runs {
            run.steps[0].claims = Some(vec![claim("c", important)]);
        }
        gate.judgements = vec![
            judgement("g", "a-1", "s", &[("r", Some("c"), Fail)]),
            judgement("g", "b-1", "s", &[("r", Some("c"), Pass)]),
        ];
        assert_eq!(gate.verdict(), verdict);
    }
}

#[test]
fn optional_rules_are_shown_and_never_decide() {
    let mut gate = world(&[("a", &[Pass])]);
    gate.add("h", RuleTier::Optional, Tier::Gating, Fail);
    let report = gate.report();
    assert_eq!((report.release.verdict, report.advisory.len()), (Truth::True, 1));
}

#[test]
fn characterization_never_blocks_and_is_counted_apart() {
    let mut gate = world(&[("a", &[Pass]), ("b", &[Fail])]);
    gate.inventory.cases[1].purpose = Purpose::Characterization;
    gate.runs[1].purpose = Purpose::Characterization;
    let report = gate.report();
    assert_eq!(report.release.verdict, Truth::True);
    assert_eq!((report.summary.cases, report.summary.failed), (1, 0));
    assert_eq!(report.purposes["characterization"].failed, 1);
    assert_eq!((report.blocking.len(), report.advisory.len()), (0, 1));
}

#[test]
fn of_a_held_out_case_nothing_is_told_but_that_it_failed() {
    let mut gate = world(&[("a", &[Fail])]);
    assert!(!gate.report().blocking[0].rationale.is_empty());
    gate.inventory.cases[0].purpose = Purpose::HeldOut;
    gate.runs[0].purpose = Purpose::HeldOut;
    let report = gate.report();
    assert_eq!(report.release.verdict, Truth::False);
    assert!(report.blocking[0].rationale.is_empty());
}

#[test]
fn past_the_policys_maximum_a_judges_fail_blocks_pending_a_person() {
    let mut gate = world(&[("a", &[Fail])]);
    gate.graders[0].kind = GraderKind::Judge;
    gate.graders[0].pass = Some(crate::stats::interval::Count::new(29, 30));
    let report = gate.report();
    assert!(report.false_block.past, "1 wrong fail of 30 cannot exclude more than 5 %");
    assert_eq!((report.release.verdict, report.release.pending_person), (Truth::False, true));
    gate.policy.gate.max_false_block = 0.2;
    assert!(!gate.report().release.pending_person);
    gate.graders[0].pass = None;
    assert!(gate.report().release.pending_person, "what was not measured excludes nothing");
    gate.graders[0].kind = GraderKind::Code;
    assert!(!gate.report().release.pending_person, "code is not pending");
}

#[test]
fn what_diagnostics_tell_never_changes_a_verdict() {
    let mut gate = world(&[("a", &[Pass])]);
    let before = gate.report();
    let call = crate::gate::record::Call {
        order: 1,
        tool: "search".into(),
        arguments: serde_json::json!({"q": "x"}),
        result: serde_json::Value::Null,
    };
    gate.runs[0].steps[0].calls = Some(vec![call.clone(), call]);
    let after = gate.report();
    assert_eq!(after.calls[&id("a-1")][0].1, 2);
    assert_eq!((before.release, before.summary), (after.release, after.summary));
}
