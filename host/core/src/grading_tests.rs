//! Tests of verdict lines and of what they come to.

use super::*;
use crate::findings::FaultKind;
use crate::run::event::TrialFinished;
use crate::verdict::{RuleTier, Scope};

fn rule(id: &str) -> Rule {
    Rule {
        id: RuleId::new(id).expect("an id"),
        text: Untrusted::new("text"),
        tier: RuleTier::Essential,
        scope: Scope::Output,
        needs: Vec::new(),
    }
}

fn finding(rule: &str, verdict: Verdict) -> Finding {
    Finding {
        rule: Untrusted::new(rule),
        claim: None,
        verdict,
        rationale: Untrusted::new("why"),
        citations: Vec::new(),
        score: None,
        extra: Untrusted::default(),
    }
}

fn fault(machine_dependent: bool) -> Outcome {
    let detail = Untrusted::new("slow");
    Outcome::Fault(Fault { kind: FaultKind::Deadline, detail, machine_dependent })
}

fn judged(outcome: Outcome, findings: bool) -> Judged {
    let trial = TrialFinished {
        control: "case".parse().expect("an id"),
        variant: None,
        repeat: 0,
        outcome,
        imposed: Vec::new(),
        violations: Vec::new(),
        fuel: 1,
        inert: BTreeMap::new(),
        captured: Untrusted::new("said"),
        captured_truncated: false,
    };
    let of = (7, Untrusted::new("c \"7\""), Digest::of(b"x"));
    Judged::new(of, &[rule("a"), rule("b")], trial, findings)
}

#[test]
fn a_line_says_what_each_rule_came_to_and_holds_the_graders_words_only_when_asked() {
    let said = || Outcome::Graded(vec![finding("a", Verdict::Pass), finding("b", Verdict::Fail)]);
    let bare = judged(said(), false);
    assert_eq!((bare.verdict, bare.outcome), (Verdict::Fail, Ended::Graded));
    assert_eq!(bare.rules.values().copied().collect::<Vec<_>>(), [Verdict::Pass, Verdict::Fail]);
    let text = serde_json::to_string(&bare).expect("plain data");
    assert!(text.starts_with("{\"line\":7,") && !text.contains("why") && !text.contains("said"));
    let full = judged(said(), true);
    assert_eq!((full.findings.len(), full.captured.raw()), (2, "said"));
    for judged in [bare, full, judged(fault(false), false)] {
        let line = Line::Judged(Box::new(judged));
        let text = serde_json::to_string(&line).expect("plain data");
        assert_eq!(serde_json::from_str::<Line>(&text).expect("reads"), line);
    }
}

#[test]
fn an_earlier_verdict_stands_for_the_same_line_id_and_content_alone() {
    let content = Digest::of(b"x");
    let text = |judged: Judged| serde_json::to_string(&judged).expect("plain data");
    let line = text(judged(Outcome::Graded(vec![finding("a", Verdict::Pass)]), true));
    let earlier: Earlier<'_> = serde_json::from_str(&line).expect("reads");
    assert!(earlier.stands(7, "c \"7\"", content));
    assert!(!earlier.stands(8, "c \"7\"", content));
    assert!(!earlier.stands(7, "c 7", content));
    assert!(!earlier.stands(7, "c \"7\"", Digest::of(b"y")));
    for machine in [false, true] {
        let line = text(judged(fault(machine), false));
        let earlier: Earlier<'_> = serde_json::from_str(&line).expect("reads");
        assert_eq!(earlier.stands(7, "c \"7\"", content), !machine);
    }
}

#[test]
fn every_case_is_in_one_verdict_and_only_pass_and_fail_are_judged() {
    let mut totals = Totals::default();
    assert!(!totals.is_all_judged(), "nothing is not all");
    totals.count(Verdict::Pass, Ended::Graded);
    totals.count(Verdict::Fail, Ended::Graded);
    assert!(totals.is_all_judged());
    let bad = Totals { bad: 1, ..totals.clone() };
    assert!(!bad.is_all_judged());
    totals.add(&bad);
    for (verdict, ended) in [
        (Verdict::Unproven, Ended::Fault),
        (Verdict::Unproven, Ended::Refused),
        (Verdict::NotApplicable, Ended::Graded),
        (Verdict::Unresolved, Ended::Graded),
    ] {
        totals.count(verdict, ended);
    }
    assert_eq!((totals.cases, totals.judged, totals.bad), (8, 4, 1));
    assert_eq!((totals.faults, totals.refused), (1, 1));
    assert_eq!(totals.verdicts.values().sum::<u64>(), totals.cases);
    let text = serde_json::to_string(&Closing { finished: totals.clone() }).expect("plain data");
    assert!(text.contains("\"pass\":2"), "{text}");
    assert_eq!(
        serde_json::from_str::<Line>(&text).expect("reads"),
        Line::Closing(Closing { finished: totals })
    );
}

#[test]
fn a_header_says_in_what_it_differs() {
    let digest = Digest::of(b"g");
    let manifest = Manifest {
        name: GraderName::new("g").expect("a name"),
        version: Untrusted::new("1"),
        rubric: "r".parse().expect("an id"),
        rules: vec![rule("a")],
        extra: Untrusted::default(),
    };
    let header =
        |seed| Header::new(&manifest, (digest, GraderKind::Code), (digest, digest), seed, false);
    assert!(header(0).differs(&header(0)).is_empty());
    let other = Header { semantics: Digest::of(b"s"), ..header(1) };
    assert_eq!(header(0).differs(&other), ["semantics", "seed"]);
}
