//! JSON for programs. Strings are escaped by the JSON itself.

use accredit_core::compare::Comparison;
use accredit_core::control::lint::LintFault;
use accredit_core::gate::GateReport;
use accredit_core::gate::compare::GateComparison;
use accredit_core::gate::evidence_grade::EvidenceGrades;
use accredit_core::grading::Line;
use accredit_core::ledger::{Chain, Entry};
use accredit_core::report::Report;
use accredit_core::verification::Verification;
use serde::Serialize;
use serde_json::{Value, json};

use super::OneCase;
use super::escape::is_hidden;

/// A whole report.
#[must_use]
pub fn report(report: &Report) -> String {
    pretty(report)
}

/// The JSON Schema of a comparison, published in `schemas/`.
#[must_use]
pub fn comparison_schema() -> Value {
    schemars::SchemaGenerator::default().into_root_schema_for::<Comparison>().to_value()
}

/// The JSON Schema of a verification, published in `schemas/`.
#[must_use]
pub fn verification_schema() -> Value {
    schemars::SchemaGenerator::default().into_root_schema_for::<Verification>().to_value()
}

/// The JSON Schema of grades of evidence, published in `schemas/`.
#[must_use]
pub fn evidence_schema() -> Value {
    schemars::SchemaGenerator::default().into_root_schema_for::<EvidenceGrades>().to_value()
}

/// The JSON Schema of a line of verdicts, published in `schemas/`.
#[must_use]
pub fn verdicts_schema() -> Value {
    schemars::SchemaGenerator::default().into_root_schema_for::<Line>().to_value()
}

/// Every entry of a ledger, with the digest that its payload is named by.
#[must_use]
pub fn ledger(chain: &Chain) -> String {
    let entry = |entry: Entry<'_>| {
        json!({
            "seq": entry.seq(),
            "at": entry.at(),
            "digest": entry.digest(),
            "payload_digest": entry.payload_digest(),
            "payload": entry.payload(),
            "signatures": entry.signatures(),
            "set_back": entry.set_back(),
        })
    };
    let entries: Vec<_> = chain.entries().map(entry).collect();
    pretty(&json!({ "grader": chain.grader(), "head": chain.head(), "entries": entries }))
}

/// What a gate found, and how it compares with another version.
#[must_use]
pub fn gate_against(report: &GateReport, comparison: &GateComparison) -> String {
    pretty(&json!({ "report": report, "comparison": comparison }))
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

/// Any model, indented, with a newline at its end. Characters that a terminal acts on, reorders by or does
/// not show are written as JSON escapes: they stand only within strings, so the value is the same.
#[must_use]
pub fn pretty(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value);
    let text = text.unwrap_or_else(|error| unreachable!("models are plain data: {error}"));
    let mut tame = tame(&text);
    tame.push('\n');
    tame
}

/// Any model on a line of its own, put behind what is there; tame as [`pretty`] is.
pub fn line(value: &impl Serialize, to: &mut Vec<u8>) {
    let start = to.len();
    let written = serde_json::to_writer(&mut *to, value);
    written.unwrap_or_else(|error| unreachable!("models are plain data: {error}"));
    // Most lines are plain ASCII, and tame as they are.
    if to[start..].iter().any(|byte| *byte >= 0x7f || *byte == b'#') {
        let text = tame(&String::from_utf8_lossy(&to[start..]));
        to.truncate(start);
        to.extend_from_slice(text.as_bytes());
    }
    to.push(b'\n');
}

/// JSON with everything hidden as escapes.
fn tame(text: &str) -> String {
    let mut tame = String::with_capacity(text.len() + 1);
    for char in text.chars() {
        if char != '\n' && is_hidden(char) {
            let mut units = [0; 2];
            for unit in char.encode_utf16(&mut units) {
                tame.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            tame.push(char);
        }
    }
    // In a log of GitHub Actions this begins a command, wherever in a line it stands.
    tame.replace("##[", "#\\u0023[")
}

#[cfg(test)]
mod tests {
    use super::{line, pretty};

    #[test]
    fn the_value_is_the_same_and_nothing_acts_on_a_terminal() {
        let value = "a\n\u{7f}\u{9b}\u{202e}\u{e0041}é ##[error]";
        let text = pretty(&[value]);
        assert_eq!(text, "[\n  \"a\\n\\u007f\\u009b\\u202e\\udb40\\udc41é #\\u0023[error]\"\n]\n");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).expect("JSON"), [value]);
    }

    #[test]
    fn a_line_is_tame_and_one_line() {
        let value = "a\n\u{7f}\u{202e}\u{e0041}é ##[error]";
        for value in [value, "plain", "# 1", ""] {
            let mut text = b"before\n".to_vec();
            line(&[value], &mut text);
            let text = String::from_utf8(text).expect("text");
            let json = text.strip_prefix("before\n").expect("is kept");
            assert_eq!(json.lines().count(), 1);
            assert!(json.ends_with('\n') && !json.contains("##[") && !json.contains('\u{202e}'));
            assert_eq!(serde_json::from_str::<Vec<String>>(json).expect("JSON"), [value]);
        }
    }
}
