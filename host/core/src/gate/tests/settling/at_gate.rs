//! At a gate: what a check evaluates decides when its verdict settles, and nothing that came out changes one.

use super::*;

#[test]
fn the_kind_of_evaluation_decides_when_a_verdict_may_settle() {
    use Evaluates::{
        Explanation, FactualClaim, Forecast, OperationalPerformance, WorkflowRequirement,
    };
    type Bend = fn(&mut World);
    type Meanwhile = Option<(Standing, Why)>;
    let sound: Bend = |_| {};
    let table: [(Evaluates, Bend, Meanwhile); 10] = [
        (FactualClaim, sound, None),
        (FactualClaim, |gate| gate.runs[0].ended_at = None, None),
        (WorkflowRequirement, sound, None),
        (
            WorkflowRequirement,
            |gate| gate.runs[0].ended_at = None,
            Some((Standing::Unproven, Why::NotEnded)),
        ),
        (
            WorkflowRequirement,
            |gate| gate.inventory.cases[0].steps.push(id("s2")),
            Some((Standing::Unproven, Why::NotEnded)),
        ),
        (OperationalPerformance, sound, None),
        (
            OperationalPerformance,
            |gate| gate.runs[0].steps[0].cost = None,
            Some((Standing::Unproven, Why::NotMeasured)),
        ),
        (
            OperationalPerformance,
            |gate| gate.runs[0].steps[0].latency_ms = None,
            Some((Standing::Unproven, Why::NotMeasured)),
        ),
        (Forecast, sound, Some((Standing::Unresolved, Why::SettledLater))),
        (Explanation, sound, Some((Standing::Unresolved, Why::SettledLater))),
    ];
    for said in [Pass, Fail] {
        for (kind, bend, meanwhile) in &table {
            let mut gate = world(&[("a", &[said])]);
            gate.inventory.checks[0].evaluates = Some(*kind);
            bend(&mut gate);
            let report = gate.report();
            let opens: Vec<_> =
                report.not_evaluated.iter().filter(|it| it.evaluates.is_some()).collect();
            match meanwhile {
                None => {
                    assert!(opens.is_empty(), "{kind:?}: {opens:?}");
                    assert_eq!(report.cases[0].verdict, Standing::from(said).truth());
                    assert!(report.blocking.iter().all(|it| it.evaluates == *kind));
                }
                Some((standing, why)) => {
                    assert_eq!((opens[0].standing, opens[0].why), (*standing, *why), "{kind:?}");
                    assert_eq!(opens[0].evaluates, Some(*kind));
                    assert_eq!(report.release.verdict, Truth::Undefined);
                    assert!(report.blocking.is_empty() && report.advisory.is_empty());
                }
            }
        }
    }
    // What has no verdict to settle stays what it is.
    for said in [Unproven, NotApplicable] {
        let mut gate = world(&[("a", &[said])]);
        gate.inventory.checks[0].evaluates = Some(Forecast);
        assert_eq!(gate.report().cases[0].standing, Standing::from(said));
    }
}

#[test]
fn a_claim_that_is_a_forecast_stays_open_unless_the_check_says_what_it_evaluates() {
    let mut gate = world(&[("a", &[Pass])]);
    gate.graders[0] = grader("g", &[("r", RuleTier::Important, Scope::EachClaim)], Tier::Gating);
    gate.runs[0] = run();
    let said = [("r", Some("f"), Fail), ("r", Some("e"), Pass)];
    gate.judgements = vec![judgement("g", "a-1", "s", &said)];
    gate.book = registered(&gate.runs[0]);
    let report = gate.report();
    let kinds: Vec<_> = report.not_evaluated.iter().filter_map(|it| it.evaluates).collect();
    assert_eq!(kinds, [Evaluates::Explanation, Evaluates::Forecast]);
    assert_eq!(report.release.verdict, Truth::Undefined);
    gate.inventory.checks[0].evaluates = Some(Evaluates::FactualClaim);
    assert_eq!(gate.report().release.verdict, Truth::False, "whether it is supported is a fact");
}

#[test]
fn of_two_checks_on_one_rule_the_worse_stands_as_serious_as_either() {
    let mut gate = world(&[("a", &[Pass])]);
    let mut later = gate.inventory.checks[0].clone();
    later.evaluates = Some(Evaluates::Forecast);
    gate.inventory.checks[0].serious = Some(crate::gate::inventory::Serious::RequiredNumber);
    gate.inventory.checks.push(later);
    assert_eq!(gate.verdict(), Truth::Undefined);
    gate.inventory.checks.reverse();
    assert_eq!(gate.verdict(), Truth::Undefined);
}

#[test]
fn an_altered_forecast_makes_a_gate_say_so_and_changes_no_verdict() {
    let mut gate = world(&[("a", &[Pass])]);
    let before = gate.verdict();
    let said = run();
    gate.book = registered(&said);
    gate.runs[0] = altered(said, 0);
    let report = gate.report();
    assert!(report.is_altered() && report.release.verdict == before);
    assert_eq!(report.settled.refused.len(), 2, "the record is another one");
}
