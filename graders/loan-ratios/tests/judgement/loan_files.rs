//! Which loan files are usable, and what several of them come to.

use super::{AT_THE_LIMITS, RIGHT, check, loan_file, verdicts};
use accredit_sdk::{Case, Evidence, Verdict};
use loan_ratios::GRADER;

const UNKNOWN: &str = "PUUUP";

fn file(debt: &str, income: &str, amount: &str, value: &str) -> String {
    format!(
        r#"{{"monthly_debt": {debt}, "annual_income": {income}, "loan_amount": {amount}, "property_value": {value}}}"#
    )
}

#[test]
fn usable_files() {
    let plain = file("2150", "60000", "160000", "200000");
    let files = [
        plain.clone(),
        file("2150.00", "6e4", "1.6E+5", "2000000e-1"),
        format!("\n\t{plain}\r\n"),
        plain.replace("monthly_debt", r"monthly\u005fdebt"),
        plain.replace(
            '{',
            r#"{"dti": 1, "ltv": 2, "flag": true, "dti": 3, "x": {"monthly_debt": 7}, "#,
        ),
        plain.replace('{', r#"{"Monthly_Debt": 9, "annual_income ": null, "#),
    ];
    for content in &files {
        check(RIGHT, content, "PPPPP");
    }
}

#[test]
fn files_that_are_not_usable() {
    let plain = file("2150", "60000", "160000", "200000");
    let files = [
        String::new(),
        "null".into(),
        format!("[{plain}]"),
        format!("```json\n{plain}\n```"),
        format!("{plain}{plain}"),
        format!("{plain} // checked"),
        format!("\u{feff}{plain}"),
        plain.replace("200000}", "200000,}"),
        plain.replace("monthly_debt", "Monthly_Debt"),
        plain.replace('{', r#"{"monthly_debt": 2150, "#),
        plain.replace('}', r#", "property\u005fvalue": 200000}"#),
        plain.replace('}', r#", "note": NaN}"#),
        file("\"2150\"", "60000", "160000", "200000"),
        file("2150", "60,000", "160000", "200000"),
        file("2150", "null", "160000", "200000"),
        file("2150", "60000", "true", "200000"),
        file("2150", "60000", "160000", "[200000]"),
        file("-0.01", "60000", "160000", "200000"),
        file("-1e-99999999999999999999", "60000", "160000", "200000"),
        file("2150", "0", "160000", "200000"),
        file("2150", "-0.0e5", "160000", "200000"),
        file("2150", "-60000", "160000", "200000"),
        file("2150", "60000", "-160000", "200000"),
        file("2150", "60000", "160000", "0.000"),
        file("2150", "60000", "160000", "-1"),
        r#"{"monthly_debt": 2150, "annual_income": 60000}"#.into(),
        format!(r#"{{"loan": {plain}}}"#),
    ];
    for content in &files {
        check(RIGHT, content, UNKNOWN);
        // Beside a usable file they are as good as absent, before it and after it.
        let (bad, good) = (loan_file(content), loan_file(AT_THE_LIMITS));
        assert_eq!(verdicts(RIGHT, vec![bad.clone(), good.clone()]), "PPPPP", "{content}");
        assert_eq!(verdicts(RIGHT, vec![good, bad]), "PPPPP", "{content}");
    }
}

#[test]
fn zero_debt_and_zero_amount_are_usable() {
    let nothing = r#"{"dti": 0, "ltv": 0, "flag": false}"#;
    for zero in ["0", "-0", "0.00", "0e9", "-0.0e-99999999999999999999999999"] {
        check(nothing, &file(zero, "60000", zero, "200000"), "PPPPP");
        check(RIGHT, &file(zero, "60000", zero, "200000"), "PFFPP");
    }
    check(r#"{"dti": -0.1, "ltv": 0.1, "flag": false}"#, &file("0", "1", "0", "1"), "PPPPP");
    check(r#"{"dti": -0.11, "ltv": 0.11, "flag": false}"#, &file("0", "1", "0", "1"), "PFFPP");
}

#[test]
fn tiny_income_and_value_are_above_zero() {
    let tiny = file("0", "1e-99999999999999999999", "0", "1e-400");
    check(r#"{"dti": 0, "ltv": 0, "flag": false}"#, &tiny, "PPPPP");
}

#[test]
fn the_kind_is_exact_and_the_media_type_is_not_looked_at() {
    for kind in ["Loan-File", "loan_file", "loan-file ", "loan-files", "", "loan", "application"] {
        let other = Evidence { kind: kind.into(), ..loan_file(AT_THE_LIMITS) };
        assert_eq!(verdicts(RIGHT, vec![other]), UNKNOWN, "{kind}");
    }
    for media in ["application/json", "text/plain", "image/png", ""] {
        let other = Evidence { media_type: media.into(), ..loan_file(AT_THE_LIMITS) };
        assert_eq!(verdicts(RIGHT, vec![other]), "PPPPP", "{media}");
    }
    assert_eq!(verdicts(RIGHT, vec![]), UNKNOWN);
}

#[test]
fn equal_files_count_as_one() {
    let again = [
        file("2150", "60000", "160000", "200000"),
        file("21.5e2", "60000.000", "16e4", "2E5"),
        file("2150", "60000", "160000", "200000").replace('{', r#"{"dti": 99, "name": "x", "#),
        r#"{"property_value":200000,"loan_amount":160000,"annual_income":60000,"monthly_debt":2150}"#.into(),
    ];
    let mut evidence = vec![loan_file(AT_THE_LIMITS)];
    evidence.extend(again.iter().map(|content| loan_file(content)));
    assert_eq!(verdicts(RIGHT, evidence), "PPPPP");
    let zeros = [file("0", "1", "-0", "1"), file("-0.0", "1.0", "0e7", "1")];
    let evidence = zeros.iter().map(|content| loan_file(content)).collect();
    assert_eq!(verdicts(r#"{"dti": 0, "ltv": 0, "flag": false}"#, evidence), "PPPPP");
}

#[test]
fn files_that_disagree_leave_all_three_unproven() {
    let others = [
        file("2150", "60000", "160000", "200001"),
        file("2150.0000000000000000000000000001", "60000", "160000", "200000"),
        file("4300", "120000", "160000", "200000"),
        file("2150", "60000", "160000", "1e999999999999999999999"),
        file("0", "60000", "160000", "200000"),
    ];
    for other in &others {
        let (one, two) = (loan_file(AT_THE_LIMITS), loan_file(other));
        assert_eq!(verdicts(RIGHT, vec![one.clone(), two.clone()]), UNKNOWN, "{other}");
        assert_eq!(verdicts(RIGHT, vec![two, one.clone(), one]), UNKNOWN, "{other}");
    }
}

#[test]
fn unproven_still_judges_the_output_against_itself() {
    assert_eq!(verdicts(r#"{"dti": 50, "ltv": 10, "flag": false}"#, vec![]), "PUUUF");
    assert_eq!(verdicts(r#"{"dti": 50, "ltv": 10, "flag": true}"#, vec![]), "PUUUP");
}

#[test]
fn figures_elsewhere_are_never_used() {
    let figures = AT_THE_LIMITS.to_string();
    let case = Case {
        task: figures.clone(),
        output: RIGHT.into(),
        reference: Some(RIGHT.into()),
        context: figures.clone(),
        evidence: vec![Evidence { kind: "credit-report".into(), ..loan_file(&figures) }],
        ..Case::default()
    };
    let found = (GRADER.grade)(&case).expect("no case is refused");
    assert!(found[1..4].iter().all(|finding| finding.verdict == Verdict::Unproven));
    let inside = figures.replace('{', r#"{"monthly_debt_was": 1, "dti": 12, "ltv": 13, "#);
    check(r#"{"dti": 12, "ltv": 13, "flag": false}"#, &inside, "PFFPP");
}

#[test]
fn figures_in_the_output_are_no_loan_file() {
    let with_figures =
        r#"{"dti": 43, "ltv": 80, "flag": false, "annual_income": 1, "monthly_debt": 1}"#;
    check(with_figures, AT_THE_LIMITS, "PPPPP");
}
