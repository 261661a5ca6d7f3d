//! JSON for programs. Strings are escaped by the JSON itself.

use accredit_core::control::lint::LintFault;
use accredit_core::report::Report;
use serde::Serialize;
use serde_json::json;

use super::OneCase;

/// A whole report.
#[must_use]
pub fn report(report: &Report) -> String {
    pretty(report)
}

/// Faults of a control set.
#[must_use]
pub fn lint(faults: &[LintFault]) -> String {
    pretty(&json!({ "faults": faults }))
}

/// One case's findings.
#[must_use]
pub fn one_case(one: &OneCase<'_>) -> String {
    pretty(&json!({
        "grader": { "name": one.manifest.name, "version": one.manifest.version },
        "verdict": one.verdict,
        "outcome": one.trial.outcome,
        "imposed": one.trial.imposed,
        "violations": one.trial.violations,
        "captured": one.trial.captured,
        "captured_truncated": one.trial.captured_truncated,
        "inert": one.trial.inert,
        "fuel": one.trial.fuel,
        "memory_bytes": one.memory_bytes,
        "wall_ns": u64::try_from(one.wall.as_nanos()).unwrap_or(u64::MAX),
    }))
}

/// Any model, indented, with a newline at its end.
#[must_use]
pub fn pretty(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value);
    text.unwrap_or_else(|error| unreachable!("models are plain data: {error}")) + "\n"
}
