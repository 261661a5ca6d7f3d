//! The host's rules on findings, as a table.

use proptest::prelude::*;

use super::*;
use crate::case::{Claim, Evidence};
use crate::manifest::{RawManifest, RawRule};
use crate::verdict::RuleTier;

fn manifest() -> Manifest {
    let rule = |id: &str, scope, needs: &[&str]| RawRule {
        id: id.into(),
        text: String::new(),
        tier: RuleTier::Essential,
        scope,
        needs: needs.iter().map(|need| (*need).to_owned()).collect(),
    };
    RawManifest {
        name: "g".into(),
        version: "1".into(),
        rubric: "r".into(),
        rules: vec![
            rule("whole", Scope::Output, &[]),
            rule("cited", Scope::Output, &["page"]),
            rule("claims", Scope::EachClaim, &[]),
        ],
        extra: String::new(),
    }
    .check()
    .expect("a sound manifest")
}

fn case() -> Case {
    Case {
        evidence: vec![Evidence {
            id: "e1".into(),
            kind: "page".into(),
            content: "the quick brown fox".into(),
            ..Evidence::default()
        }],
        claims: ["c1", "c2"].map(|id| Claim { id: id.into(), ..Claim::default() }).into(),
        ..Case::default()
    }
}

fn finding(rule: &str, claim: Option<&str>, verdict: Verdict) -> Finding {
    Finding {
        rule: Untrusted::new(rule),
        claim: claim.map(Untrusted::new),
        verdict,
        rationale: Untrusted::default(),
        citations: vec![],
        score: None,
        extra: Untrusted::default(),
    }
}

fn all() -> Vec<Finding> {
    vec![
        finding("whole", None, Verdict::Pass),
        finding("cited", None, Verdict::Pass),
        finding("claims", Some("c1"), Verdict::Pass),
        finding("claims", Some("c2"), Verdict::Fail),
    ]
}

fn cite(mut finding: Finding, evidence: &str, quote: &str) -> Finding {
    finding.citations =
        vec![Citation { evidence: Untrusted::new(evidence), quote: Untrusted::new(quote) }];
    finding
}

#[test]
fn complete_findings_stand() {
    let enforced = enforce(&manifest(), &case(), Outcome::Graded(all()));
    assert_eq!(enforced.imposed, []);
    assert_eq!(enforced.violations, []);
    assert_eq!(enforced.outcome, Outcome::Graded(all()));
}

#[test]
fn silence_is_unproven() {
    let mut findings = all();
    findings.remove(3);
    findings.remove(0);
    let enforced = enforce(&manifest(), &case(), Outcome::Graded(findings));
    let silent: Vec<_> = enforced.imposed.iter().map(|i| (i.rule.as_str(), i.because)).collect();
    assert_eq!(silent, [("whole", Because::Silence), ("claims", Because::Silence)]);
}

#[test]
fn each_violation_is_named_and_its_rule_unproven() {
    let mut scored = finding("whole", None, Verdict::Pass);
    scored.score = Some(f64::NAN);
    let mut extra = finding("whole", None, Verdict::Pass);
    extra.extra = Untrusted::new("[1]");
    let table = [
        (finding("other", None, Verdict::Pass), ViolationKind::UndeclaredRule),
        (finding("whole", Some("c1"), Verdict::Pass), ViolationKind::UnknownClaim),
        (finding("claims", None, Verdict::Pass), ViolationKind::UnknownClaim),
        (finding("claims", Some("c3"), Verdict::Pass), ViolationKind::UnknownClaim),
        (cite(finding("whole", None, Verdict::Pass), "e2", ""), ViolationKind::UnknownEvidence),
        (cite(finding("whole", None, Verdict::Pass), "e1", "slow"), ViolationKind::QuoteNotFound),
        (scored, ViolationKind::ScoreOutOfRange),
        (extra, ViolationKind::BadExtra),
    ];
    for (finding, kind) in table {
        let enforced = enforce(&manifest(), &case(), Outcome::Graded(vec![finding]));
        assert_eq!(enforced.violations.iter().map(|v| v.kind).collect::<Vec<_>>(), [kind]);
        assert_eq!(enforced.outcome, Outcome::Graded(vec![]), "{kind:?}");
        assert_eq!(enforced.imposed.len(), 4, "every rule and claim is unproven: {kind:?}");
    }
}

#[test]
fn two_verdicts_leave_neither() {
    let mut findings = all();
    findings.push(finding("whole", None, Verdict::Fail));
    let enforced = enforce(&manifest(), &case(), Outcome::Graded(findings));
    assert_eq!(enforced.violations[0].kind, ViolationKind::TwoVerdicts);
    assert_eq!(enforced.imposed[0].because, Because::Violation);
    let Outcome::Graded(left) = enforced.outcome else { panic!("graded") };
    assert!(left.iter().all(|finding| finding.rule.raw() != "whole"));
}

#[test]
fn absent_needs_are_unproven_whatever_the_grader_says() {
    let mut case = case();
    case.evidence.clear();
    let enforced = enforce(&manifest(), &case, Outcome::Graded(all()));
    assert_eq!(enforced.imposed.len(), 1);
    assert_eq!(enforced.imposed[0].because, Because::NeedsAbsent);
}

#[test]
fn a_fault_leaves_every_rule_unproven() {
    let fault = Outcome::Fault(Fault {
        kind: FaultKind::Trap,
        detail: Untrusted::new("unreachable"),
        machine_dependent: false,
    });
    let enforced = enforce(&manifest(), &case(), fault.clone());
    assert_eq!(enforced.outcome, fault);
    assert_eq!(enforced.imposed.len(), 4);
    assert!(enforced.imposed.iter().all(|i| i.because == Because::Fault));
}

proptest! {
    #[test]
    fn a_score_is_the_same_number_when_it_was_recorded_and_read(score in 0.0f64..=1.0) {
        let said = Finding { score: Some(score), ..finding("whole", None, Verdict::Pass) };
        let written = serde_json::to_string(&said).expect("plain data");
        let read: Finding = serde_json::from_str(&written).expect("it was just written");
        prop_assert_eq!(read.score.map(f64::to_bits), Some(score.to_bits()), "{}", written);
    }
}
