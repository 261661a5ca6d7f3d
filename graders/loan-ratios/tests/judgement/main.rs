//! The rubric, sentence by sentence, on both sides of each, through the grader's public constant.

mod arithmetic;
mod fence;
mod form;
mod hostile;
mod loan_files;

use accredit_sdk::{Case, Evidence, Finding, Verdict};
use loan_ratios::GRADER;

/// An income of 60000 and a property of 200000, with a debt of 2150 a month: dti is 43, ltv 80.
const AT_THE_LIMITS: &str = r#"{"monthly_debt": 2150, "annual_income": 60000,
    "loan_amount": 160000, "property_value": 200000}"#;

/// An output that passes every rule against [`AT_THE_LIMITS`].
const RIGHT: &str = r#"{"dti": 43, "ltv": 80, "flag": false}"#;

fn loan_file(content: &str) -> Evidence {
    Evidence { kind: "loan-file".into(), content: content.into(), ..Evidence::default() }
}

/// The findings on an output, after checking what the contract asks of any finding.
fn findings(output: &str, mut evidence: Vec<Evidence>) -> Vec<Finding> {
    for (place, file) in evidence.iter_mut().enumerate() {
        file.id = format!("evidence-{place}");
    }
    let case = Case { output: output.into(), evidence, ..Case::default() };
    let findings = (GRADER.grade)(&case).expect("no case is refused");
    let rules: Vec<&str> = findings.iter().map(|finding| finding.rule.as_str()).collect();
    let declared: Vec<&str> = GRADER.rules.iter().map(|rule| rule.id).collect();
    assert_eq!(rules, declared);
    for finding in &findings {
        assert!(!finding.rationale.is_empty() && finding.rationale.len() < 500);
        for citation in &finding.citations {
            let cited = case.evidence.iter().find(|evidence| evidence.id == citation.evidence);
            assert!(cited.expect("a cited evidence").content.contains(&citation.quote));
        }
    }
    findings
}

/// The verdicts in the rubric's order: `P`ass, `F`ail, `N`ot applicable, `U`nproven.
fn verdicts(output: &str, evidence: Vec<Evidence>) -> String {
    let letter = |finding: &Finding| match finding.verdict {
        Verdict::Pass => 'P',
        Verdict::Fail => 'F',
        Verdict::NotApplicable => 'N',
        Verdict::Unproven => 'U',
        Verdict::Unresolved => 'R',
    };
    findings(output, evidence).iter().map(letter).collect()
}

/// Judges an output against one loan file.
fn check(output: &str, file: &str, expected: &str) {
    let found = verdicts(output, vec![loan_file(file)]);
    let shown: String = output.chars().take(200).collect();
    assert_eq!(found, expected, "output {shown}\nfile {file:.200}");
}

#[test]
fn the_manifest_is_the_rubrics_table() {
    use accredit_sdk::{Scope, Tier};
    let table: Vec<(&str, Tier)> = GRADER.rules.iter().map(|rule| (rule.id, rule.tier)).collect();
    let expected = [
        ("well-formed", Tier::Essential),
        ("dti-correct", Tier::Essential),
        ("ltv-correct", Tier::Essential),
        ("flag-correct", Tier::Essential),
        ("agrees-with-itself", Tier::MustNot),
    ];
    assert_eq!(table, expected);
    assert_eq!((GRADER.name, GRADER.rubric), ("loan-ratios", "loan-ratios"));
    for rule in GRADER.rules {
        assert_eq!(rule.scope, Scope::Output);
        // A missing loan file must not keep a malformed output from being not-applicable.
        assert!(rule.needs.is_empty());
    }
}

#[test]
fn rationales_and_citations_say_what_was_compared() {
    let found =
        findings(r#"{"dti": 45.5, "ltv": 80, "flag": true}"#, vec![loan_file(AT_THE_LIMITS)]);
    let lines: Vec<&str> = found.iter().map(|finding| finding.rationale.as_str()).collect();
    let expected = [
        "one JSON object, alone, with dti, ltv and flag once each",
        "stated dti 45.5, recomputed 43: more than 0.1 apart",
        "stated ltv 80, recomputed 80: within 0.1",
        "flag is true and should be false: recomputed dti 43 (limit 43), ltv 80 (limit 80)",
        "flag true fits the stated dti 45.5 and ltv 80, give or take 0.1",
    ];
    assert_eq!(lines, expected);
    let quotes: Vec<&str> = found[1].citations.iter().map(|cited| cited.quote.as_str()).collect();
    assert_eq!(quotes, [r#""monthly_debt": 2150"#, r#""annual_income": 60000"#]);
    assert_eq!(found[3].citations.len(), 4);
}

#[test]
fn rationales_cut_what_is_not_theirs_to_show() {
    let long = format!(r#"{{"dti": 43.{}, "ltv": 80, "flag": false}}"#, "0".repeat(5_000));
    let found = findings(&long, vec![loan_file(AT_THE_LIMITS)]);
    assert!(found[1].rationale.starts_with("stated dti 43.00"));
    assert!(found[1].rationale.contains("0…, recomputed 43"));
    let found = findings(&"é\u{1}\n".repeat(500), vec![]);
    assert!(
        found[0].rationale.starts_with("not one strict JSON object: at byte 0, expected an object")
    );
}
