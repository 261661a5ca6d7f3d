//! One way to write cases: an output, its reference, and a letter for each of the three verdicts.

use final_answer::{Status, judge};

/// `P`, `F`, `N` (not applicable) or `U` (unproven), in the rubric's order of rules.
pub(crate) fn letters(output: &str, reference: Option<&str>) -> String {
    let judgement = judge(output, reference);
    let letter = |status: Status| match status {
        Status::Pass => 'P',
        Status::Fail => 'F',
        Status::NotApplicable => 'N',
        Status::Unproven => 'U',
    };
    [judgement.states.status, judgement.one.status, judgement.matches.status]
        .into_iter()
        .map(letter)
        .collect()
}

/// An output, its reference (empty for none), and letters.
pub(crate) type Row = (&'static str, &'static str, &'static str);

/// Checks rows of output, reference and letters, and names every row that differs.
#[track_caller]
pub(crate) fn check(rows: &[(&str, &str, &str)]) {
    let mut faults = Vec::new();
    for (output, reference, expected) in rows {
        let reference = (!reference.is_empty()).then_some(*reference);
        let found = letters(output, reference);
        if found != *expected {
            let judgement = judge(output, reference);
            faults.push(format!(
                "{output:?} against {reference:?}: {found}, not {expected}\n    {}\n    {}\n    {}",
                judgement.states.why, judgement.one.why, judgement.matches.why
            ));
        }
    }
    assert!(
        faults.is_empty(),
        "{} of {} rows differ\n{}",
        faults.len(),
        rows.len(),
        faults.join("\n")
    );
}
