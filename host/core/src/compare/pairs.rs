//! Which case of A goes with which of B, and what each came to in either.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::control::set::Kind;
use crate::id::{ControlId, FamilyId, RubricId};
use crate::measure::decides;
use crate::run::event::ControlFacts;
use crate::run::fold::Run;
use crate::score::{Mark, Row, mark, table};
use crate::verdict::Verdict;

/// How many ids a message names.
const NAMED: usize = 20;

/// Why two records cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// They are of different rubrics.
    #[error("A judges by the rubric `{a}` and B by `{b}`: compare two records of one rubric")]
    Rubrics {
        /// A's.
        a: RubricId,
        /// B's.
        b: RubricId,
    },
    /// Cases do not pair; every one of them is told.
    #[error("{}", Unpaired { dropped, changed })]
    Unpaired {
        /// Cases of A that B lacks.
        dropped: Vec<ControlId>,
        /// Cases that are others under the same id.
        changed: Vec<ChangedControl>,
    },
}

/// A case that is another one under the same id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedControl {
    /// Its id.
    pub id: ControlId,
    /// What of it differs: its content, its kind, what it expects, the transforms it is shown under.
    pub what: Vec<&'static str>,
}

struct Unpaired<'a> {
    dropped: &'a [ControlId],
    changed: &'a [ChangedControl],
}

impl fmt::Display for Unpaired<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if !self.dropped.is_empty() {
            parts.push(format!(
                "cases of A that B lacks: {} ({}). A dropped case is lost evidence, not a smaller total: run B over them as well",
                self.dropped.len(),
                named(self.dropped.iter().map(ToString::to_string)),
            ));
        }
        if !self.changed.is_empty() {
            let told = |it: &ChangedControl| format!("{}: {}", it.id, it.what.join(" and "));
            parts.push(format!(
                "cases that are others under the same id: {} ({}). Run A again over the controls as they are now, or give a changed case an id of its own",
                self.changed.len(),
                named(self.changed.iter().map(told)),
            ));
        }
        f.write_str(&parts.join("\n"))
    }
}

/// The first of these names, and how many more there are.
fn named(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(NAMED);
    let shown: Vec<_> = names.take(NAMED).collect();
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    shown.join(", ") + &more
}

/// Everything that is compared.
pub(super) struct Paired<'a> {
    pub(super) a: &'a Run,
    pub(super) b: &'a Run,
    pub(super) cases: Vec<Case<'a>>,
    pub(super) added: Vec<ControlId>,
    pub(super) left_out: Vec<ControlId>,
    pub(super) repeats: u32,
}

/// One case in both records.
pub(super) struct Case<'a> {
    pub(super) facts: &'a ControlFacts,
    /// Its place in either run.
    pub(super) places: (usize, usize),
    /// The family it counts in: cases that are of one family in A or in B.
    pub(super) family: &'a FamilyId,
    /// The rows of either record that are compared, in the same order.
    pub(super) rows: (Vec<Row>, Vec<Row>),
    pub(super) a: Came,
    pub(super) b: Came,
}

/// What a case, or a family, came to in one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Came {
    /// Every trial is right.
    Right,
    /// Some shown case is wrong in every repeat.
    Wrong,
    /// Neither: it moved between repeats, or no trial of a shown case was the grader's own.
    Unsettled,
}

impl Came {
    /// Of a family, from its cases: wrong where one is, else unsettled where one is.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Wrong, _) | (_, Self::Wrong) => Self::Wrong,
            (Self::Unsettled, _) | (_, Self::Unsettled) => Self::Unsettled,
            (Self::Right, Self::Right) => Self::Right,
        }
    }
}

/// Pairs every case of A with that of the same id in B.
pub(super) fn pair<'a>(a: &'a Run, b: &'a Run) -> Result<Paired<'a>, CompareError> {
    let rubric = |run: &Run| run.started.grader.manifest.rubric.clone();
    if rubric(a) != rubric(b) {
        return Err(CompareError::Rubrics { a: rubric(a), b: rubric(b) });
    }
    let places = places(a, b)?;
    let known: BTreeSet<_> = a.started.controls.iter().map(|it| &it.id).collect();
    let added = b.started.controls.iter().filter(|it| !known.contains(&it.id));
    let added = added.map(|it| it.id.clone()).collect();
    let repeats = a.started.repeats.min(b.started.repeats);
    let families = families(a, b, &places);
    let (table_a, table_b) = (table(a), table(b));
    let (mut cases, mut left_out) = (Vec::new(), Vec::new());
    for (places, family) in places.into_iter().zip(families) {
        let facts = &a.started.controls[places.0];
        if !counts(facts, a) || !counts(facts, b) {
            left_out.push(facts.id.clone());
            continue;
        }
        let rows = common(&table_a[places.0], &table_b[places.1], repeats);
        cases.push(Case {
            facts,
            places,
            family,
            a: came(facts, a, &rows.0),
            b: came(facts, b, &rows.1),
            rows,
        });
    }
    Ok(Paired { a, b, cases, added, left_out, repeats })
}

/// The place of each case of A in A and in B.
fn places(a: &Run, b: &Run) -> Result<Vec<(usize, usize)>, CompareError> {
    let in_b: BTreeMap<_, _> =
        b.started.controls.iter().enumerate().map(|(place, facts)| (&facts.id, place)).collect();
    let (mut places, mut dropped, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    for (place, facts) in a.started.controls.iter().enumerate() {
        let Some(other) = in_b.get(&facts.id) else {
            dropped.push(facts.id.clone());
            continue;
        };
        places.push((place, *other));
        let what = changes(facts, &b.started.controls[*other]);
        if !what.is_empty() {
            changed.push(ChangedControl { id: facts.id.clone(), what });
        }
    }
    match dropped.is_empty() && changed.is_empty() {
        true => Ok(places),
        false => Err(CompareError::Unpaired { dropped, changed }),
    }
}

/// What makes the case another one.
fn changes(a: &ControlFacts, b: &ControlFacts) -> Vec<&'static str> {
    let differs = [
        ("its content", a.content != b.content),
        ("its kind", a.kind != b.kind),
        ("what it expects", a.expect != b.expect || a.also != b.also),
        // Shown in fewer ways, it is easier to get right.
        ("a transform is missing", a.variants.iter().any(|it| !b.variants.contains(it))),
    ];
    differs.into_iter().filter(|(_, differs)| *differs).map(|(what, _)| what).collect()
}

/// Whether the case can be right at all in this run: as in a run's own rates.
fn counts(facts: &ControlFacts, run: &Run) -> bool {
    let settled = facts.kind != Kind::RealOutput || facts.expect.verdict != Verdict::Unresolved;
    settled && decides(facts, &run.started.grader.manifest.rules)
}

/// The family each case counts in: a family of A and one of B that share a case are one. A control that was
/// added can draw two families together; they stay one piece of evidence either way.
fn families<'a>(a: &'a Run, b: &'a Run, places: &[(usize, usize)]) -> Vec<&'a FamilyId> {
    let of = |place: &(usize, usize)| {
        (&a.started.controls[place.0].family, &b.started.controls[place.1].family)
    };
    let mut of_a: BTreeMap<&FamilyId, &FamilyId> = BTreeMap::new();
    // Each pass can only draw families together; it ends when none was.
    loop {
        let mut of_b: BTreeMap<&FamilyId, &FamilyId> = BTreeMap::new();
        let mut moved = false;
        for (in_a, in_b) in places.iter().map(of) {
            let own = *of_a.entry(in_a).or_insert(in_a);
            let joined = *of_b.entry(in_b).or_insert(own);
            let lowest = own.min(joined);
            moved |= own != lowest || joined != lowest;
            of_a.insert(in_a, lowest);
            of_b.insert(in_b, lowest);
        }
        if !moved {
            return places.iter().map(|place| of_a[of(place).0]).collect();
        }
    }
}

/// The rows that both records have: the same transform and repeat, up to the fewer repeats.
fn common(a: &[Row], b: &[Row], repeats: u32) -> (Vec<Row>, Vec<Row>) {
    let key = |row: &Row| (row.variant, row.repeat);
    let of_b: BTreeMap<_, _> = b.iter().map(|row| (key(row), row)).collect();
    a.iter()
        .filter(|row| row.repeat < repeats)
        .filter_map(|row| Some((row.clone(), (*of_b.get(&key(row))?).clone())))
        .unzip()
}

fn came(facts: &ControlFacts, run: &Run, rows: &[Row]) -> Came {
    let rules = &run.started.grader.manifest.rules;
    let mut shown: BTreeMap<_, Vec<bool>> = BTreeMap::new();
    for row in rows {
        let of_shown = shown.entry(row.variant).or_default();
        if !row.machine_dependent {
            of_shown.push(mark(facts, rules, row) == Mark::Right);
        }
    }
    let of_one = |trials: &Vec<bool>| {
        let any = |wanted| trials.contains(&wanted);
        match (any(true), any(false)) {
            (true, false) => Came::Right,
            (false, true) => Came::Wrong,
            (true, true) | (false, false) => Came::Unsettled,
        }
    };
    shown.values().map(of_one).reduce(Came::and).unwrap_or(Came::Unsettled)
}
