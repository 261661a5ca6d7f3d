//! What became of the controls: the expected verdict against how it came out.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::control::set::Kind;
use crate::id::ControlId;
use crate::run::fold::Run;
use crate::score::{Mark, Table, mark};
use crate::verdict::Verdict;

/// What became of the controls of one kind that must get one verdict. Each control is in one column: `right`
/// where every trial of it was, else that of its first wrong trial, as in the lists of wrong controls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConfusionLine {
    /// The kind.
    pub kind: Kind,
    /// The verdict they must get.
    pub expected: Verdict,
    /// How many there are.
    pub controls: u64,
    /// How many were right in every trial.
    pub right: u64,
    /// Those.
    pub right_ids: Vec<ControlId>,
    /// Passed, and should not.
    pub false_pass: u64,
    /// Failed, and should not.
    pub false_fail: u64,
    /// Failed by another rule than the one that must catch it.
    pub wrong_rule: u64,
    /// Got no verdict where one was due.
    pub undecided: u64,
}

/// The lines, ordered by kind and verdict. Real outputs whose annotators settled on nothing are in none.
pub(super) fn confusion(run: &Run, table: &Table) -> Vec<ConfusionLine> {
    let rules = &run.started.grader.manifest.rules;
    let mut lines: BTreeMap<(Kind, Verdict), ConfusionLine> = BTreeMap::new();
    for (facts, rows) in run.started.controls.iter().zip(table) {
        let expected = facts.expect.verdict;
        if facts.kind == Kind::RealOutput && expected == Verdict::Unresolved || rows.is_empty() {
            continue;
        }
        let line = lines.entry((facts.kind, expected)).or_insert(ConfusionLine {
            kind: facts.kind,
            expected,
            controls: 0,
            right: 0,
            right_ids: Vec::new(),
            false_pass: 0,
            false_fail: 0,
            wrong_rule: 0,
            undecided: 0,
        });
        line.controls += 1;
        let marks = rows.iter().map(|row| mark(facts, rules, row));
        match marks.into_iter().find(|mark| *mark != Mark::Right).unwrap_or(Mark::Right) {
            Mark::Right => {
                line.right += 1;
                line.right_ids.push(facts.id.clone());
            }
            Mark::FalsePass => line.false_pass += 1,
            Mark::FalseFail => line.false_fail += 1,
            Mark::WrongRule => line.wrong_rule += 1,
            Mark::Undecided => line.undecided += 1,
        }
    }
    for line in lines.values_mut() {
        line.right_ids.sort();
    }
    lines.into_values().collect()
}
