//! One real output: what people said of it and what the grader said.

use std::collections::BTreeMap;

use crate::control::label::{Basis, Label};
use crate::id::{ControlId, FamilyId};
use crate::untrusted::Untrusted;
use crate::verdict::Verdict;

/// One real output.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// Its id.
    pub id: ControlId,
    /// Its family.
    pub family: FamilyId,
    /// What people (or code) said of it.
    pub label: Label,
    /// The grader's verdict, the first time it was asked; none where it gave none.
    pub verdict: Option<Verdict>,
    /// Whether it gave the same verdict every time it was asked.
    pub steady: bool,
    /// The probability, 0 to 1, that the output should fail, where the grader gives one.
    pub score: Option<f64>,
    /// Why, in the grader's words.
    pub rationale: Untrusted,
    /// What was asked and what the system answered, where they are at hand: a record holds no texts.
    pub texts: Option<(Untrusted, Untrusted)>,
}

impl Output {
    /// What it should get; none where people settled on nothing.
    #[must_use]
    pub fn truth(&self) -> Option<Verdict> {
        self.label.truth().verdict
    }

    /// Whether the verdict is the one it should get. No verdict is never right.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.verdict.is_some() && self.verdict == self.truth()
    }

    /// Whether people labelled it and did not settle.
    #[must_use]
    pub fn is_tie(&self) -> bool {
        self.label.truth().basis == Basis::Tie
    }

    /// Whether it is hard: marked so before any grader ran, or people themselves differ on it.
    #[must_use]
    pub fn is_hard(&self) -> bool {
        self.label.hard || self.label.is_disputed()
    }
}

/// The families of some outputs, numbered in the order of their names.
pub(super) struct Families {
    /// The number of each output's family.
    pub(super) of: Vec<usize>,
    /// How many there are.
    pub(super) count: usize,
}

pub(super) fn families(outputs: &[Output]) -> Families {
    let mut numbers: BTreeMap<&FamilyId, usize> =
        outputs.iter().map(|output| (&output.family, 0)).collect();
    for (number, place) in numbers.values_mut().enumerate() {
        *place = number;
    }
    Families {
        of: outputs.iter().map(|output| numbers[&output.family]).collect(),
        count: numbers.len(),
    }
}
