//! What every rendering says alike of the grade of some evidence.

use accredit_core::gate::evidence_grade::{Operation, RunGrade};

/// A grade as it counts now, the true kind beside it where that is another, and the flag of failed evidence. Every
/// surface that shows a grade shows it by these words.
#[must_use]
pub fn grade(line: &RunGrade) -> String {
    let effective = line.effective.name();
    let kind = line.kind.filter(|kind| *kind != line.effective);
    let kind = kind.map(|kind| format!(" (kind {})", kind.name())).unwrap_or_default();
    let failed = if line.failed_declared_evidence { " · failed declared evidence" } else { "" };
    format!("{effective}{kind}{failed}")
}

/// Why it is not more: whatever lowered it, and whose word that was.
#[must_use]
pub fn why(line: &RunGrade) -> Option<String> {
    let mut reasons: Vec<String> = Vec::new();
    for operation in line.told() {
        let reason = match &operation.judge {
            Some(judge) => format!("{judge}: {}", operation.why),
            None => operation.why.clone(),
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// A line of a list: the grade, the run, and why it is not more. What a kept report holds stands in it: escape it.
#[must_use]
pub fn line(line: &RunGrade) -> String {
    let head = format!("{} · {}/{}", grade(line), line.case, line.run);
    match why(line) {
        Some(why) => format!("{head}: {why}"),
        None => head,
    }
}

/// One operation: what moved, whose word it is, and why.
#[must_use]
pub fn operation(operation: &Operation) -> String {
    let judge = operation.judge.as_ref().map(|judge| format!("{judge}: ")).unwrap_or_default();
    let moved = match operation.from == operation.to {
        true => String::new(),
        false => format!("{} -> {}: ", operation.from.name(), operation.to.name()),
    };
    format!("{judge}{moved}{}", operation.why)
}
