//! What a run measured: counts of independent units, kind by kind.
//!
//! The unit is the family. A family is right only if every control of it, every repeat and every variant
//! is. Single trials are counted beside, for display.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::control::set::Kind;
use crate::control::transform::Transform;
use crate::id::{ControlId, FamilyId, RuleId};
use crate::manifest::Rule;
use crate::run::event::ControlFacts;
use crate::score::{Mark, Row, Table, mark};
use crate::stats::interval::Count;
use crate::verdict::Verdict;

/// Everything a run's verdicts come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Measures {
    /// One entry for each kind that has controls; real outputs stand apart.
    pub kinds: BTreeMap<Kind, KindMeasure>,
    /// Real outputs that should fail and that should pass.
    pub real: RealMeasure,
    /// One entry for each declared rule, in the manifest's order.
    pub rules: Vec<RuleMeasure>,
    /// Adversarial families by tactic.
    pub tactics: BTreeMap<FamilyId, Count>,
    /// Families by what sort of case they are.
    pub segments: BTreeMap<(String, String), SegmentMeasure>,
    /// Near-miss pairs, by name.
    pub pairs: BTreeMap<ControlId, PairMeasure>,
    /// Whether verdicts moved when the meaning did not.
    pub stability: Stability,
}

/// One segment's counts, over controls of every kind but `must-abstain` and `regression`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SegmentMeasure {
    /// Families that must fail, and did by the expected rule.
    pub catch: Count,
    /// Families that must pass, and did.
    pub pass: Count,
}

/// One near-miss pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PairMeasure {
    /// Its controls that were judged right in every trial.
    pub right: Vec<ControlId>,
    /// Its controls that were not.
    pub wrong: Vec<ControlId>,
}

/// One kind's counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KindMeasure {
    /// Controls of the kind.
    pub controls: u64,
    /// Families right, of all families: what decides.
    pub families: Count,
    /// Controls right at the first repeat as written: for display.
    pub single: Count,
}

/// Real outputs with a settled label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RealMeasure {
    /// Outputs that should fail.
    pub catch: KindMeasure,
    /// Outputs that should pass.
    pub pass: KindMeasure,
    /// The same two, over outputs that people labelled, as their file states: what decides.
    pub people_catch: KindMeasure,
    /// See `people_catch`.
    pub people_pass: KindMeasure,
    /// Outputs whose annotators settled on nothing; in no rate.
    pub unsettled: u64,
}

/// One rule's counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleMeasure {
    /// The rule.
    pub rule: RuleId,
    /// Known-bad families that name it, and that it failed.
    pub catch: Count,
    /// Families that it must not fail, and did not: known-good, and the known-bad of other rules.
    pub pass: Count,
    /// Controls it failed and must not.
    pub stray_fails: Vec<ControlId>,
}

/// Whether verdicts moved when the meaning did not, or when nothing did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stability {
    /// Invariance families: a base with at least one variant.
    pub bases: u64,
    /// Those that did not hold still: a trial unanswered, or other verdicts than the base's.
    pub moved_bases: Vec<FamilyId>,
    /// Known-good and known-bad controls that were shown under a transform as well, of all of them.
    pub transformed: Count,
    /// Transforms under which a verdict moved.
    pub moved: Vec<(ControlId, Transform)>,
    /// Families of every kind that were repeated.
    pub repeated: u64,
    /// Those whose repeats differ.
    pub differing: Vec<FamilyId>,
}

/// Measures a table against what the controls expect.
#[must_use]
pub fn measure(controls: &[ControlFacts], rules: &[Rule], table: &Table) -> Measures {
    let all: Vec<_> = controls.iter().zip(table).filter(|(_, rows)| !rows.is_empty()).collect();
    let counts = |facts: &ControlFacts| decides(facts, rules);
    let of_kind = |kind: Kind| {
        all.iter().copied().filter(move |(facts, _)| facts.kind == kind && counts(facts))
    };
    let mut kinds = BTreeMap::new();
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::RealOutput) {
        let measure = kind_measure(of_kind(kind), rules);
        if measure.controls > 0 {
            kinds.insert(kind, measure);
        }
    }
    let mut tactics: BTreeMap<FamilyId, Vec<_>> = BTreeMap::new();
    for (facts, rows) in of_kind(Kind::Adversarial) {
        if let Some(tactic) = &facts.tactic {
            tactics.entry(tactic.clone()).or_default().push((facts, rows));
        }
    }
    Measures {
        kinds,
        real: real_measure(&all, rules),
        rules: rules
            .iter()
            .enumerate()
            .map(|(place, rule)| rule_measure(&all, place, rule))
            .collect(),
        tactics: tactics
            .into_iter()
            .map(|(tactic, controls)| (tactic, kind_measure(controls.into_iter(), rules).families))
            .collect(),
        segments: segments(&all, rules),
        pairs: pairs(&all, rules),
        stability: stability(&all),
    }
}

fn is_right((facts, rows): Judged<'_>, rules: &[Rule]) -> bool {
    rows.iter().all(|row| mark(facts, rules, row) == Mark::Right)
}

fn segments(all: &[Judged<'_>], rules: &[Rule]) -> BTreeMap<(String, String), SegmentMeasure> {
    let mut of: BTreeMap<(String, String), Vec<Judged<'_>>> = BTreeMap::new();
    let counted = |kind| !matches!(kind, Kind::MustAbstain | Kind::Regression);
    for judged in all.iter().filter(|(facts, _)| counted(facts.kind) && decides(facts, rules)) {
        for (name, value) in &judged.0.segment {
            of.entry((name.clone(), value.clone())).or_default().push(*judged);
        }
    }
    let side = |judged: &[Judged<'_>], verdict| {
        let of_side = judged.iter().filter(|(facts, _)| facts.expect.verdict == verdict);
        families(of_side.map(|it| (&it.0.family, is_right(*it, rules))))
    };
    let measure = |judged: Vec<Judged<'_>>| SegmentMeasure {
        catch: side(&judged, Verdict::Fail),
        pass: side(&judged, Verdict::Pass),
    };
    of.into_iter().map(|(segment, judged)| (segment, measure(judged))).collect()
}

fn pairs(all: &[Judged<'_>], rules: &[Rule]) -> BTreeMap<ControlId, PairMeasure> {
    let mut pairs: BTreeMap<ControlId, PairMeasure> = BTreeMap::new();
    for judged in all {
        let Some(pair) = &judged.0.pair else { continue };
        let empty = || PairMeasure { right: Vec::new(), wrong: Vec::new() };
        let measure = pairs.entry(pair.clone()).or_insert_with(empty);
        let side = if is_right(*judged, rules) { &mut measure.right } else { &mut measure.wrong };
        side.push(judged.0.id.clone());
    }
    pairs
}

/// Whether a control's expectation decides a case: one on an optional rule is counted for that rule alone,
/// since a grader can block nothing by it.
pub(crate) fn decides(facts: &ControlFacts, rules: &[Rule]) -> bool {
    let rule = facts.expect.rule.as_ref();
    rule.and_then(|id| rules.iter().find(|rule| rule.id == *id))
        .is_none_or(|rule| rule.tier.decides())
}

type Judged<'a> = (&'a ControlFacts, &'a Vec<Row>);

/// Counts families by whether all of what belongs to them holds.
fn families<'a>(marks: impl Iterator<Item = (&'a FamilyId, bool)>) -> Count {
    let mut right: HashMap<&FamilyId, bool> = HashMap::new();
    for (family, holds) in marks {
        *right.entry(family).or_insert(true) &= holds;
    }
    Count::new(right.values().filter(|right| **right).count() as u64, right.len() as u64)
}

fn kind_measure<'a>(controls: impl Iterator<Item = Judged<'a>>, rules: &[Rule]) -> KindMeasure {
    let controls: Vec<_> = controls.collect();
    let right = |facts: &ControlFacts, row: &Row| mark(facts, rules, row) == Mark::Right;
    let single = controls.iter().filter(|(facts, rows)| right(facts, &rows[0])).count();
    KindMeasure {
        controls: controls.len() as u64,
        families: families(
            controls
                .iter()
                .map(|(facts, rows)| (&facts.family, rows.iter().all(|row| right(facts, row)))),
        ),
        single: Count::new(single as u64, controls.len() as u64),
    }
}

fn real_measure(all: &[Judged<'_>], rules: &[Rule]) -> RealMeasure {
    let labelled = |verdict: Verdict, peoples: bool| {
        let chosen = all.iter().copied().filter(move |(facts, _)| {
            facts.kind == Kind::RealOutput
                && facts.expect.verdict == verdict
                && facts.label.as_ref().is_some_and(|label| !peoples || label.is_peoples())
        });
        kind_measure(chosen, rules)
    };
    RealMeasure {
        catch: labelled(Verdict::Fail, false),
        pass: labelled(Verdict::Pass, false),
        people_catch: labelled(Verdict::Fail, true),
        people_pass: labelled(Verdict::Pass, true),
        unsettled: labelled(Verdict::Unresolved, false).controls,
    }
}

fn rule_measure(all: &[Judged<'_>], place: usize, rule: &Rule) -> RuleMeasure {
    let fails = |row: &Row| row.answered && row.verdicts.get(place) == Some(&Verdict::Fail);
    let names = |facts: &ControlFacts| facts.expect.rule.as_ref() == Some(&rule.id);
    let known_bad = |facts: &ControlFacts| facts.kind == Kind::KnownBad;
    let own = all.iter().filter(|(facts, _)| known_bad(facts) && names(facts));
    let catch = families(own.map(|(facts, rows)| (&facts.family, rows.iter().all(fails))));
    let others: Vec<_> = all
        .iter()
        .filter(|(facts, _)| {
            facts.kind == Kind::KnownGood
                || (known_bad(facts) && !names(facts) && !facts.also.contains(&rule.id))
        })
        .collect();
    RuleMeasure {
        rule: rule.id.clone(),
        catch,
        pass: families(others.iter().map(|(facts, rows)| (&facts.family, !rows.iter().any(fails)))),
        stray_fails: others
            .iter()
            .filter(|(_, rows)| rows.iter().any(fails))
            .map(|(facts, _)| facts.id.clone())
            .collect(),
    }
}

fn stability(all: &[Judged<'_>]) -> Stability {
    let (bases, moved_bases) = moved_bases(all);
    let shown = all.iter().filter(|(facts, _)| !facts.variants.is_empty());
    let transformable = all.iter().filter(|(facts, _)| facts.kind.is_transformed()).count() as u64;
    // A record may claim variants of controls that have none.
    let of_those = shown.clone().filter(|(facts, _)| facts.kind.is_transformed()).count();
    let (repeated, differing) = differing_families(all);
    Stability {
        bases,
        moved_bases,
        transformed: Count::new(of_those as u64, transformable),
        moved: shown.flat_map(|(facts, rows)| moved_variants(facts, rows)).collect(),
        repeated,
        differing,
    }
}

/// The invariance families that vary at all, and those that did not hold still: some trial of them was not
/// answered, or got other verdicts than the base did.
fn moved_bases(all: &[Judged<'_>]) -> (u64, Vec<FamilyId>) {
    let invariance = || all.iter().filter(|(facts, _)| facts.kind == Kind::Invariance);
    let mut bases: BTreeMap<&FamilyId, &[Verdict]> = BTreeMap::new();
    for (facts, rows) in invariance().filter(|(facts, _)| facts.base.is_none()) {
        bases.insert(&facts.family, &rows[0].verdicts);
    }
    let varied: BTreeSet<_> = invariance()
        .filter(|(facts, _)| facts.base.is_some())
        .map(|(facts, _)| &facts.family)
        .collect();
    bases.retain(|family, _| varied.contains(family));
    let moved: BTreeSet<_> = invariance()
        .filter(|(facts, rows)| {
            let still = |row: &Row, base: &[Verdict]| row.answered && row.verdicts == base;
            bases.get(&facts.family).is_some_and(|base| !rows.iter().all(|row| still(row, base)))
        })
        .map(|(facts, _)| facts.family.clone())
        .collect();
    (bases.len() as u64, moved.into_iter().collect())
}

/// The transforms under which a control's verdicts differ from those as written, at the same repeat.
fn moved_variants(facts: &ControlFacts, rows: &[Row]) -> Vec<(ControlId, Transform)> {
    let written = |repeat| rows.iter().find(|row| row.variant.is_none() && row.repeat == repeat);
    let moved: BTreeSet<_> = rows
        .iter()
        .filter(|row| written(row.repeat).is_some_and(|base| base.verdicts != row.verdicts))
        .filter_map(|row| row.variant)
        .collect();
    moved.into_iter().map(|variant| (facts.id.clone(), variant)).collect()
}

/// The families that were repeated, and those in which repeats of one shown case differ.
fn differing_families(all: &[Judged<'_>]) -> (u64, Vec<FamilyId>) {
    let repeated: BTreeSet<_> = all
        .iter()
        .filter(|(_, rows)| rows.iter().any(|row| row.repeat > 0))
        .map(|(facts, _)| &facts.family)
        .collect();
    let differs = |rows: &[Row]| {
        let sound = || rows.iter().filter(|row| !row.machine_dependent);
        let first = |variant| sound().find(move |row| row.variant == variant);
        sound().any(|row| {
            first(row.variant).is_some_and(|first| {
                (&first.verdicts, first.answered) != (&row.verdicts, row.answered)
            })
        })
    };
    let differing: BTreeSet<_> = all
        .iter()
        .filter(|(_, rows)| differs(rows))
        .map(|(facts, _)| facts.family.clone())
        .collect();
    (repeated.len() as u64, differing.into_iter().collect())
}
