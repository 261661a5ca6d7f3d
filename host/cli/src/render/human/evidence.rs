//! Grades of evidence, for a terminal: the worst verified first, and why it is not more.

use accredit_core::gate::evidence_grade::{Counters, EvidenceGrades};

use super::counted;
use super::wrap::wrapped;
use crate::render::escape::terminal_text;
use crate::render::evidence::{grade, line, operation, why};
use crate::terminal::{ERROR, FAINT, GOOD, STRONG, WARNING};

/// A line a run, for a list among others.
pub(super) fn lines(grades: &EvidenceGrades) -> Vec<String> {
    grades.runs.iter().map(|run| terminal_text(&line(run))).collect()
}

/// The grades of some records; with every operation, or only with what lowered them.
#[must_use]
pub fn evidence(grades: &EvidenceGrades, all: bool) -> String {
    let counters = &grades.counters;
    let mut text = wrapped("", "  ", &head(grades));
    for run in &grades.lost {
        let line = format!("{ERROR}lost{ERROR:#}: run {run} was graded before, and has no record");
        text.push_str(&wrapped("  ", "    ", &line));
    }
    text.push_str(&format!(
        "\n{STRONG}evidence, worst verified first{STRONG:#} ({})\n",
        grades.runs.len()
    ));
    for run in &grades.runs {
        let head = format!("{} · {}/{}", grade(run), run.case, run.run);
        text.push_str(&wrapped("  ", "    ", &head));
        if all {
            for it in &run.operations {
                text.push_str(&wrapped("    - ", "      ", &terminal_text(&operation(it))));
            }
        } else if let Some(why) = why(run) {
            text.push_str(&wrapped("    ", "    ", &terminal_text(&why)));
        }
    }
    text.push_str(&format!("\n{STRONG}counted{STRONG:#}\n"));
    let counts = counters
        .named()
        .into_iter()
        .filter(|(name, count)| *count > 0 || Counters::INVARIANTS.contains(name));
    for (name, count) in counts {
        text.push_str(&format!("  {name} {count}\n"));
    }
    let note = "A grade belongs to the content that was judged. It says how strong the checks were that were declared beforehand, and not that the result is right.";
    text.push('\n');
    text + &wrapped("", "", &format!("{FAINT}{note}{FAINT:#}"))
}

fn head(grades: &EvidenceGrades) -> String {
    let counters = &grades.counters;
    if grades.failed_declared_evidence() {
        let judges = counted(counters.failed_declared, "declared judge");
        return format!("{ERROR}FAILED{ERROR:#} · {judges} ran and failed");
    }
    if !grades.all_verified() {
        let runs = counted(grades.runs.len() as u64, "run");
        return format!(
            "{WARNING}UNVERIFIED{WARNING:#} · of {runs}, {} without declared evidence that holds",
            counters.unverified
        );
    }
    match grades.runs.first() {
        Some(worst) => {
            format!("{GOOD}VERIFIED{GOOD:#} · every run is at least {}", worst.effective.name())
        }
        None => "nothing to grade".to_owned(),
    }
}
