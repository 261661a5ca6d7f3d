//! What a grading in bulk came to.

use accredit_core::verdict::Verdict;

use super::counted;
use crate::grade::Graded;

/// How many cases came to each verdict, and what was not judged and why, in one line.
#[must_use]
pub fn graded(graded: &Graded) -> String {
    let totals = &graded.totals;
    let of = |verdict: &Verdict| totals.verdicts.get(verdict).copied().unwrap_or_default();
    let verdicts = Verdict::ALL.iter().map(|verdict| (of(verdict), verdict.name()));
    let ends = [(totals.faults, "fault"), (totals.refused, "refused")];
    let said = |some: &[(u64, &str)]| {
        let some = some.iter().filter(|(count, _)| *count > 0);
        some.map(|(count, what)| format!("{count} {what}")).collect::<Vec<_>>().join(", ")
    };
    let mut text = counted(totals.cases, "case");
    let verdicts = said(&verdicts.collect::<Vec<_>>());
    if !verdicts.is_empty() {
        text.push_str(&format!(": {verdicts}"));
    }
    let ends = said(&ends);
    if !ends.is_empty() {
        text.push_str(&format!(" ({ends})"));
    }
    if totals.bad > 0 {
        text.push_str(&format!(
            "; {} that {} no case",
            counted(totals.bad, "line"),
            is(totals.bad)
        ));
    }
    if graded.kept > 0 {
        text.push_str(&format!("; {} kept of an earlier run", graded.kept));
    }
    text.push('\n');
    text
}

fn is(count: u64) -> &'static str {
    if count == 1 { "is" } else { "are" }
}
