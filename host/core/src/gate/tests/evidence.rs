//! The grades of the evidence, as a gate gives them.

use super::make::*;
use crate::gate::evidence_grade::{
    Came, Counters, Custody, EvidenceGrades, Execution, Grade, History, Judge, Op, RunGrade, Write,
    content_digest,
};
use crate::gate::inventory::Inventory;
use crate::gate::record::ExpectedCheck;
use crate::gate::report::GateReport;
use crate::id::Digest;
use crate::verdict::Verdict::{self, Fail, NotApplicable, Pass, Unproven};
use crate::verdict::{GraderKind, RuleTier, Tier};

const BEFORE: &str = "2026-10-31T00:00:00Z";
const AFTER: &str = "2026-11-01T00:00:01Z";

/// A gate of one case, the inventory of which was written before the run.
fn declared(said: Verdict) -> World {
    let mut gate = world(&[("a", &[said])]);
    gate.inventory.written_at = Some(at(BEFORE));
    gate
}

fn line(gate: &World) -> RunGrade {
    gate.report().evidence.runs[0].clone()
}

/// What was observed of a run: one write by somebody.
fn written(gate: &mut World, chain: &[&str]) {
    let content = Some(content_digest(&gate.runs[0]));
    let chain = chain.iter().map(|link| (*link).to_owned()).collect();
    gate.runs[0].verification = Some(History {
        custody: Some(Custody { session: "s".into(), events: 1 }),
        writes: vec![Write { order: 1, chain, content }],
        ..History::default()
    });
}

#[test]
fn a_gating_grader_that_the_inventory_named_before_the_run_is_a_declared_judge() {
    let graded = line(&declared(Pass));
    assert_eq!(
        (graded.grade, graded.kind),
        (Grade::ConstructedCheck, Some(Grade::ConstructedCheck))
    );
    let graded = line(&declared(Fail));
    assert_eq!((graded.grade, graded.failed_declared_evidence), (Grade::Unverified, true));
    // What was not named before earns nothing, and is recorded.
    for written_at in [None, Some(at(AFTER))] {
        let mut gate = declared(Pass);
        gate.inventory.written_at = written_at;
        let graded = line(&gate);
        assert_eq!(graded.grade, Grade::Unverified);
        assert!(graded.operations.iter().any(|it| it.op == Op::Undeclared));
        // The run's own record may tell that it was expected.
        let at = |at| ExpectedCheck { grader: id("g"), rules: vec![], written_at: Some(at) };
        gate.runs[0].expected = vec![at(self::at(AFTER))];
        assert_eq!(line(&gate).grade, Grade::Unverified);
        gate.runs[0].expected = vec![at(self::at(BEFORE))];
        assert_eq!(line(&gate).grade, Grade::ConstructedCheck);
    }
}

#[test]
fn a_check_that_came_to_nothing_never_ran() {
    assert_eq!(line(&declared(Unproven)).grade, Grade::Unverified);
    for change in [
        (|gate: &mut World| gate.judgements.clear()) as fn(&mut World),
        |gate| gate.runs[0].steps[0].answer = None,
        |gate| gate.runs[0].steps.clear(),
        |gate| gate.graders.clear(),
    ] {
        let mut gate = declared(Pass);
        change(&mut gate);
        let graded = line(&gate);
        assert_eq!(graded.grade, Grade::Unverified);
        assert!(graded.operations.iter().any(|it| it.op == Op::NeverRan), "{graded:#?}");
    }
    // One that had nothing to say was not asked.
    let graded = line(&declared(NotApplicable));
    assert!(graded.operations.iter().all(|it| it.op == Op::NoJudge), "{graded:#?}");
}

#[test]
fn one_declared_check_that_never_ran_leaves_the_run_unverified() {
    let mut gate = declared(Pass);
    gate.inventory.checks.push(check("nobody"));
    assert_eq!(
        (line(&gate).grade, line(&gate).kind),
        (Grade::Unverified, Some(Grade::ConstructedCheck))
    );
}

#[test]
fn graders_without_gating_authority_contribute_records_and_no_grade() {
    let mut gate = declared(Pass);
    gate.graders[0].tier = Tier::Characterization;
    let graded = line(&gate);
    assert_eq!(graded.grade, Grade::Unverified);
    assert!(graded.operations.iter().any(|it| it.op == Op::NoAuthority));
    // Beside one that has it, a failure of the other changes nothing.
    let mut gate = declared(Pass);
    gate.add("h", RuleTier::Essential, Tier::Advisory, Fail);
    let graded = line(&gate);
    assert_eq!((graded.grade, graded.failed_declared_evidence), (Grade::ConstructedCheck, false));
}

#[test]
fn a_check_says_what_its_pass_is_worth_and_authors_cap_it() {
    let mut gate = declared(Pass);
    gate.inventory.checks[0].evidence = Some(Grade::KnownAnswer);
    let graded = line(&gate);
    assert_eq!((graded.grade, graded.kind), (Grade::ConstructedCheck, Some(Grade::KnownAnswer)));
    assert_eq!(gate.report().evidence.counters.same_chain_indeterminate, 1);
    gate.graders[0].chain = vec!["greta".into()];
    assert_eq!(line(&gate).grade, Grade::ConstructedCheck, "who wrote the answer is not known");
    written(&mut gate, &["agent-7", "wanda"]);
    assert_eq!(line(&gate).grade, Grade::KnownAnswer);
    written(&mut gate, &["agent-7", "Greta"]);
    assert_eq!(line(&gate).grade, Grade::ConstructedCheck);
    // A judge reads, whatever the inventory calls it.
    written(&mut gate, &["wanda"]);
    gate.graders[0].kind = GraderKind::Judge;
    let graded = line(&gate);
    assert_eq!((graded.grade, graded.kind), (Grade::ReviewOnly, Some(Grade::ReviewOnly)));
    assert!(graded.operations.iter().any(|it| it.op == Op::KindCapped));
    // Of several checks by one grader the weakest is what its word is worth.
    gate.graders[0].kind = GraderKind::Code;
    gate.inventory.cases[0].checks.push(check("g"));
    assert_eq!(line(&gate).grade, Grade::ConstructedCheck);
}

#[test]
fn judges_of_the_record_stand_beside_those_of_the_gate() {
    let mut gate = declared(Pass);
    written(&mut gate, &["wanda"]);
    let content = Some(content_digest(&gate.runs[0]));
    let history = gate.runs[0].verification.as_mut().expect("a history");
    history.judges.push(Judge {
        name: id("h"),
        kind: Grade::Proof,
        declared_at: Some(at(BEFORE)),
        chain: vec!["tom".into()],
        kernel: false,
    });
    assert_eq!(line(&gate).grade, Grade::Unverified, "it was declared and never ran");
    let history = gate.runs[0].verification.as_mut().expect("a history");
    history.custody.as_mut().expect("custody").events = 2;
    history.executions.push(Execution {
        order: 2,
        judge: id("h"),
        session: Some("s".into()),
        result: Came::Pass,
        transcript: Some(Digest::of(b"transcript")),
        content,
    });
    assert_eq!(line(&gate).grade, Grade::Proof);
    gate.judgements[0] = judgement("g", "a-1", "s", &[("r", None, Fail)]);
    let graded = line(&gate);
    assert_eq!((graded.grade, graded.failed_declared_evidence), (Grade::Proof, true));
}

#[test]
fn what_a_profile_adds_was_not_declared() {
    let mut gate = declared(Pass);
    let written = gate.inventory.clone();
    gate.add("h", RuleTier::Important, Tier::Gating, Fail);
    let added = std::mem::replace(&mut gate.inventory, written);
    gate.profiles = vec![crate::gate::profile::Profile {
        format: crate::gate::profile::FORMAT,
        name: "trader".into(),
        adds: added.checks[1..].to_vec(),
        weights: vec![],
    }];
    let graded = line(&gate);
    assert_eq!((graded.grade, graded.failed_declared_evidence), (Grade::ConstructedCheck, false));
}

fn kept() -> GateReport {
    let mut gate = world(&[("a", &[Pass, Fail]), ("b", &[Unproven]), ("c", &[Pass])]);
    gate.inventory.written_at = Some(at(BEFORE));
    gate.runs.pop();
    gate.report()
}

#[test]
fn every_run_that_ended_has_a_grade_and_the_invariants_say_so() {
    let report = kept();
    assert_eq!(report.evidence.faults(&report.cases), Vec::<String>::new());
    assert_eq!(report.evidence.runs.len(), 3, "the fourth is not there");
    assert_eq!(report.evidence.counters.broken(), []);
    let worst: Vec<_> = report.evidence.runs.iter().map(|it| it.run.as_str()).collect();
    assert_eq!(worst, ["a-2", "b-1", "a-1"]);
}

#[test]
fn a_kept_list_that_disagrees_with_its_cases_or_with_itself_is_found() {
    let sound = kept();
    let broken = |change: fn(&mut EvidenceGrades, &mut GateReport), said: &[&str]| {
        let (mut report, mut evidence) = (sound.clone(), sound.evidence.clone());
        change(&mut evidence, &mut report);
        let faults = evidence.faults(&report.cases).join("; ");
        assert!(!faults.is_empty());
        for said in said {
            assert!(faults.contains(said), "{said:?} is not in {faults}");
        }
    };
    broken(
        |it, _| drop(it.runs.pop()),
        &["ungraded_terminal is 1", "unbound_terminalization_families is 1", "its counters"],
    );
    // The counts mended as well: the invariant is what tells.
    broken(
        |it, _| {
            it.runs.clear();
            it.counters = Counters::default();
        },
        &["ungraded_terminal is 3", "unbound_terminalization_families is 3"],
    );
    broken(
        |it, _| it.runs[0].record = Digest::of(b"another"),
        &["unbound_terminalization_families is 1 and must be 0"],
    );
    broken(
        |it, _| it.runs[2].effective = Grade::Proof,
        &["run a-1: its operations lead to another effective grade"],
    );
    broken(|it, _| it.counters.failed_declared = 0, &["its counters"]);
    broken(|it, _| it.runs[0].failed_declared_evidence = false, &["its flag"]);
    broken(|it, _| it.runs.reverse(), &["the worst first"]);
    broken(|it, _| it.runs.push(it.runs[2].clone()), &["run a-1 has two grades"]);
    broken(|_, report| drop(report.cases.remove(0)), &["and no case has its record"]);
    broken(|it, _| it.format = 9, &["of format 9"]);
}

#[test]
fn an_inventory_tells_of_evidence_by_name() {
    let mut inventory = declared(Pass).inventory;
    inventory.checks[0].evidence = Some(Grade::KnownAnswer);
    let text = serde_json::to_string(&inventory).expect("JSON");
    assert!(text.contains("\"evidence\":\"known_answer\""));
    assert_eq!(serde_json::from_str::<Inventory>(&text).expect("one"), inventory);
}

#[test]
fn a_record_says_nothing_of_a_grader_that_the_gate_runs_itself() {
    let mut gate = declared(Pass);
    written(&mut gate, &["wanda"]);
    let own = line(&gate);
    let content = Some(content_digest(&gate.runs[0]));
    let history = gate.runs[0].verification.as_mut().expect("a history");
    history.judges.push(Judge {
        name: id("g"),
        kind: Grade::Proof,
        declared_at: Some(at(BEFORE)),
        chain: vec!["tom".into()],
        kernel: true,
    });
    history.custody.as_mut().expect("custody").events = 2;
    history.executions.push(Execution {
        order: 2,
        judge: id("g"),
        session: Some("s".into()),
        result: Came::Pass,
        transcript: Some(Digest::of(b"transcript")),
        content,
    });
    let claimed = line(&gate);
    assert_eq!((claimed.grade, claimed.kind), (own.grade, own.kind), "{claimed:?}");
    gate.judgements[0] = judgement("g", "a-1", "s", &[("r", None, Fail)]);
    assert_eq!(line(&gate).grade, Grade::Unverified);
}
