//! The grader of the benchmarks as an Extism plugin: a JSON case in, its findings out.

use extism_pdk::{FnResult, Json, plugin_fn};
use serde::{Deserialize, Serialize};

/// What the grader reads of a case.
#[derive(Deserialize)]
struct Case {
    output: String,
    reference: Option<String>,
}

/// A finding as this grader makes it.
#[derive(Serialize)]
struct Finding {
    rule: String,
    verdict: String,
    rationale: String,
}

/// Judges one case.
#[plugin_fn]
pub fn grade(Json(case): Json<Case>) -> FnResult<Json<Vec<Finding>>> {
    let case = accredit_sdk::Case {
        output: case.output,
        reference: case.reference,
        ..accredit_sdk::Case::default()
    };
    let findings = (cheap_answer::GRADER.grade)(&case).unwrap_or_default();
    let finding = |finding: accredit_sdk::Finding| Finding {
        rule: finding.rule,
        verdict: format!("{:?}", finding.verdict),
        rationale: finding.rationale,
    };
    Ok(Json(findings.into_iter().map(finding).collect()))
}
