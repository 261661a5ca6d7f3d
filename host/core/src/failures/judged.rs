//! What a run comes to, control by control.

use std::collections::BTreeMap;

use crate::control::set::Expectation;
use crate::id::{ControlId, Digest};
use crate::run::fold::{Run, case_verdict};
use crate::score::{Mark, Row, mark, table, verdict_of};
use crate::verdict::Verdict;

/// What a component did with one control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judged {
    /// Whether every trial of it was judged right. Without a trial nothing was.
    pub right: bool,
    /// What the component said where it was first wrong, else in its first trial; absent where it gave no answer.
    pub said: Option<Verdict>,
    /// Whether some trial ended in a fault that another machine might not have seen.
    pub machine_dependent: bool,
}

impl Judged {
    /// Whether the control caught the component: it is wrong, and that is the component's doing.
    #[must_use]
    pub fn is_caught(self) -> bool {
        !self.right && !self.machine_dependent
    }
}

/// What became of each control of a run. What was not run to its end is not right.
#[must_use]
pub fn judged(run: &Run) -> BTreeMap<ControlId, Judged> {
    let rules = &run.started.grader.manifest.rules;
    let controls = run.started.controls.iter().zip(table(run));
    controls
        .map(|(facts, rows)| {
            let is_wrong = |row: &&Row| mark(facts, rules, row) != Mark::Right;
            let told = rows.iter().find(is_wrong).or(rows.first());
            let said = |row: &Row| match &facts.expect.rule {
                Some(rule) => verdict_of(rules, rule, &row.verdicts),
                None => case_verdict(rules, &row.verdicts),
            };
            let judged = Judged {
                right: run.complete && !rows.is_empty() && !rows.iter().any(|row| is_wrong(&row)),
                said: told.filter(|row| row.answered).map(said),
                machine_dependent: rows.iter().any(|row| row.machine_dependent),
            };
            (facts.id.clone(), judged)
        })
        .collect()
}

/// What a run says of the control with this case, if it is a run of this component and has such a control: what
/// the control expected, and what became of it.
#[must_use]
pub fn bears_out(run: &Run, content: Digest, component: Digest) -> Option<(&Expectation, Judged)> {
    if run.started.grader.digest != component {
        return None;
    }
    let facts = run.started.controls.iter().find(|facts| facts.content == content)?;
    judged(run).get(&facts.id).map(|judged| (&facts.expect, *judged))
}
