//! Records and inventories as they are written, and what a grader is shown.

use super::make::*;
use crate::case::Evidence;
use crate::gate::case::build;
use crate::gate::inventory::{Inventory, InventoryFault};
use crate::gate::record::{Call, Correction, Effect, RecordFault, SutRun};
use crate::gate::{GateFault, GateReport};
use crate::manifest::Manifest;
use crate::untrusted::Untrusted;
use crate::verdict::Verdict::Pass;

#[test]
fn records_and_inventories_survive_their_text() {
    let gate = world(&[("a", &[Pass])]);
    let text = serde_json::to_string(&gate.runs[0]).expect("JSON");
    assert_eq!(serde_json::from_str::<SutRun>(&text).expect("a record"), gate.runs[0]);
    let text = serde_json::to_string(&gate.inventory).expect("JSON");
    assert_eq!(serde_json::from_str::<Inventory>(&text).expect("an inventory"), gate.inventory);
    let report = gate.report();
    let text = serde_json::to_string(&report).expect("JSON");
    assert_eq!(serde_json::from_str::<GateReport>(&text).expect("a report"), report);
}

#[test]
fn an_unknown_format_is_a_clear_error() {
    let mut gate = world(&[("a", &[Pass])]);
    gate.runs[0].format = 2;
    gate.inventory.format = 3;
    let faults = GateReport::new(gate.gate()).expect_err("faults");
    assert_eq!(faults.len(), 2, "all at once");
    assert_eq!(faults[0], GateFault::Inventory(InventoryFault::Format(3)));
    assert!(faults[1].to_string().contains("format 2, and this version reads format 1"));
}

#[test]
fn all_faults_are_told_at_once() {
    let mut gate = world(&[("a", &[Pass])]);
    gate.runs[0].run = 0;
    gate.runs[0].steps.push(step("s"));
    gate.runs[0].steps[0].cost = Some(f64::NAN);
    gate.runs.push(sut_run("a", 1, &["s"]));
    gate.graders.push(gate.graders[0].clone());
    gate.inventory.selection.rule.clear();
    gate.inventory.cases[0].runs.push(id("a-1"));
    let faults = GateReport::new(gate.gate()).expect_err("faults");
    assert_eq!(faults.len(), 7, "{faults:?}");
}

#[test]
fn the_original_stays_and_additions_are_dated() {
    let first = sut_run("a", 1, &["s"]);
    let mut later = first.clone();
    let correction = |when: &str| Correction {
        at: at(when),
        by: "ops".into(),
        step: Some(id("s")),
        what: "the price was of the day before".into(),
    };
    later.corrections.push(correction("2026-11-02T00:00:00Z"));
    assert_eq!(later.continues(&first), Ok(()));
    assert_eq!(later.original(), first.original());
    let gone = RecordFault::EntriesChanged(first.id.clone());
    assert_eq!(first.continues(&later), Err(gone));
    let mut changed = later.clone();
    changed.steps[0].answer = Some("a better answer".into());
    let fault = RecordFault::OriginalChanged(first.id.clone());
    assert_eq!(changed.continues(&first), Err(fault));
    later.corrections.push(correction("2026-11-01T00:00:00Z"));
    assert_eq!(later.faults(), [RecordFault::OutOfOrder(first.id.clone())]);
    assert_eq!(first.faults(), []);
}

#[test]
fn a_run_that_was_not_selected_is_told_and_counts_nowhere() {
    let mut gate = world(&[("a", &[Pass])]);
    let before = gate.report();
    gate.runs.push(sut_run("b", 1, &["s"]));
    let after = gate.report();
    assert_eq!(after.not_selected, [id("b-1")]);
    assert_eq!((before.summary, before.release), (after.summary, after.release));
}

fn needing(need: &str) -> Manifest {
    let mut manifest = world(&[]).graders.remove(0).manifest;
    manifest.rules[0].needs = vec![Untrusted::new(need)];
    manifest
}

#[test]
fn a_grader_sees_the_step_blinded_and_calls_only_where_it_needs_them() {
    let mut run = sut_run("secret-case", 1, &["s"]);
    let step = &mut run.steps[0];
    step.documents = Some(vec![Evidence {
        id: "d1".into(),
        kind: "filing".into(),
        as_of: Some("2026-01-01T00:00:00Z".into()),
        ..Evidence::default()
    }]);
    let arguments = serde_json::json!({"to": "x"});
    let result = serde_json::Value::Null;
    step.calls = Some(vec![Call { order: 2, tool: "pay".into(), arguments, result }]);
    step.effects = Some(vec![Effect {
        order: 1,
        target: "account".into(),
        before: serde_json::json!(10),
        after: serde_json::json!(3),
    }]);
    let plain = build(&run, &run.steps[0], &needing("filing")).expect("a case");
    assert_eq!((plain.id.as_str(), plain.output.as_str()), ("case", "an answer"));
    assert_eq!(plain.evidence.len(), 1);
    let shown = serde_json::to_string(&plain).expect("JSON");
    assert!(!shown.contains("secret-case") && !shown.contains("acceptance"), "{shown}");
    let mut manifest = needing("call");
    manifest.rules[0].needs.push(Untrusted::new("effect"));
    let with = build(&run, &run.steps[0], &manifest).expect("a case");
    let ids: Vec<_> = with.evidence.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["d1", "effect-1", "call-2"], "in the order in which they happened");
    assert!(with.evidence[1].content.contains("\"before\":10"));
    run.steps[0].answer = None;
    assert_eq!(build(&run, &run.steps[0], &manifest), None);
}

#[test]
fn a_policy_without_a_gate_reads_as_before() {
    let policy = crate::policy::Policy::default();
    let text = serde_json::to_string(&policy).expect("JSON");
    assert!(!text.contains("max_false_block"), "older digests stay");
    assert_eq!(serde_json::from_str::<crate::policy::Policy>(&text).expect("a policy"), policy);
    let mut looser = policy.clone();
    looser.gate.pass_rate = 0.9;
    looser.gate.max_false_block = 0.5;
    let told = looser.looser_than_default();
    assert_eq!(
        told,
        ["gate.max_false_block 0.5 instead of 0.05", "gate.pass_rate 0.9 instead of 1"]
    );
}
