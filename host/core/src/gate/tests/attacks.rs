//! Ways to bend a gate that were tried, and what became of them.

use super::make::*;
use crate::gate::inventory::Serious;
use crate::gate::judged::Why;
use crate::gate::record::ExpectedCheck;
use crate::gate::report::GateReport;
use crate::gate::standing::Truth;
use crate::verdict::Verdict::{Fail, Pass};

fn told(gate: &World) -> String {
    let faults = GateReport::new(gate.gate()).expect_err("a fault");
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_check_of_steps_that_no_case_has_is_a_fault_of_the_inventory_and_of_a_profile() {
    let mut gate = world(&[("a", &[Pass])]);
    let mut nothing = check("ghost");
    nothing.steps = vec![id("nope")];
    gate.inventory.checks.push(nothing.clone());
    assert!(told(&gate).contains("by `ghost` of every case names step `nope`"));
    gate.inventory.checks.pop();
    gate.profiles.push(crate::gate::profile::Profile {
        format: crate::gate::profile::FORMAT,
        name: "p".into(),
        adds: vec![nothing],
        weights: vec![],
    });
    assert!(told(&gate).contains("names step `nope`"));
}

#[test]
fn what_a_record_expects_is_checked_on_the_case_and_by_rules_that_there_are() {
    let expects = |grader: &str, rules: &[&str]| ExpectedCheck {
        grader: id(grader),
        rules: rules.iter().map(|rule| id(rule)).collect(),
        written_at: None,
    };
    let mut gate = world(&[("a", &[Pass]), ("b", &[Pass])]);
    gate.inventory.cases[1].steps.push(id("s2"));
    gate.runs[1].steps.push(step("s2"));
    gate.judgements.push(judgement("g", "b-1", "s2", &[("r", None, Pass)]));
    assert_eq!(gate.verdict(), Truth::True);
    // The check by `h` is there, and covers no step of case `a`.
    gate.add("h", crate::verdict::RuleTier::Important, crate::verdict::Tier::Gating, Pass);
    gate.inventory.checks.last_mut().expect("a check").steps = vec![id("s2")];
    gate.runs[0].expected = vec![expects("h", &[])];
    let report = gate.report();
    assert_eq!(
        (report.release.verdict, report.not_evaluated[0].why),
        (Truth::Undefined, Why::NotInInventory)
    );
    // A check of all rules asks no rule that the grader has not got.
    gate.runs[0].expected = vec![expects("g", &["nosuch"])];
    let report = gate.report();
    assert_eq!(
        (report.release.verdict, report.not_evaluated[0].why),
        (Truth::Undefined, Why::RuleMissing)
    );
}

#[test]
fn one_run_told_twice_is_a_fault() {
    let mut gate = world(&[("a", &[Pass, Pass])]);
    gate.runs[1].run = 1;
    assert!(told(&gate).contains("both say that they are run 1 of case `a`"));
}

#[test]
fn how_serious_a_failure_is_belongs_to_what_is_decided() {
    let gate = world(&[("a", &[Fail])]);
    let mut stricter = gate.clone();
    stricter.profiles.push(crate::gate::profile::Profile {
        format: crate::gate::profile::FORMAT,
        name: "p".into(),
        adds: vec![crate::gate::inventory::Check {
            serious: Some(Serious::Entitlement),
            ..check("g")
        }],
        weights: vec![],
    });
    assert_ne!(gate.report().decides, stricter.report().decides);
}

#[test]
fn a_report_that_was_altered_contradicts_itself() {
    let report = world(&[("a", &[Fail]), ("b", &[Pass])]).report();
    assert_eq!(report.contradiction(), None);
    let mut green = report.clone();
    green.release.verdict = Truth::True;
    assert!(green.contradiction().is_some());
    green.blocking.clear();
    assert!(green.contradiction().is_some(), "the case failed all the same");
    let mut counts = report.clone();
    counts.summary.passed = 2;
    assert!(counts.contradiction().is_some());
    let mut measured = report;
    measured.statuses.measured = 7;
    assert!(measured.contradiction().is_some());
}

#[test]
fn sums_that_do_not_fit_are_no_panic() {
    let mut gate = world(&[("a", &[Pass])]);
    gate.inventory.cases[0].steps.push(id("s2"));
    gate.runs[0].steps.push(step("s2"));
    gate.judgements.push(judgement("g", "a-1", "s2", &[("r", None, Pass)]));
    gate.runs[0].steps.iter_mut().for_each(|step| step.latency_ms = Some(u64::MAX));
    assert_eq!(gate.report().cases[0].runs[0].latency_ms, Some(u64::MAX));
    gate.runs[0].steps[0].cost = Some(1e300);
    assert!(told(&gate).contains("no number from 0 to 1e12"));
}
