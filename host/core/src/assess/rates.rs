//! Catch rate and pass rate on real outputs: over outputs, with bounds that know of families, and over families
//! of which every output is right.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::known::Known;
use super::output::Output;
use crate::id::FamilyId;
use crate::stats::effective::{ClusteredRate, clustered_rate};
use crate::stats::interval::{Count, exact_lower};
use crate::verdict::Verdict;

/// The rate of one side: outputs that should fail, or outputs that should pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SideRate {
    /// Outputs right the first time; exact bounds on the effective number of outputs.
    pub outputs: Known<ClusteredRate>,
    /// Families of which every output is right every time: the count that decides a promotion.
    pub families: FamilyRate,
    /// Outputs that got the opposite verdict.
    pub wrong: u64,
    /// Outputs that got a verdict that is neither pass nor fail.
    pub undecided: u64,
    /// Outputs that got none.
    pub without_verdict: u64,
    /// The outputs that are hard: marked so before any grader ran, or people themselves differ.
    pub hard: Known<ClusteredRate>,
    /// All others.
    pub ordinary: Known<ClusteredRate>,
    /// The same rate if every tie stood on this side and counted against the grader; absent without ties.
    pub with_ties: Known<ClusteredRate>,
}

/// Families right.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FamilyRate {
    /// Right, of all.
    pub count: Count,
    /// The exact one-sided lower bound; absent over nothing.
    pub lower_bound: Option<f64>,
}

/// Catch and pass.
pub(super) fn sides(outputs: &[Output], confidence: f64) -> (SideRate, SideRate) {
    let side = |truth| side(outputs, truth, confidence);
    (side(Verdict::Fail), side(Verdict::Pass))
}

fn side(outputs: &[Output], truth: Verdict, confidence: f64) -> SideRate {
    let of: Vec<&Output> = outputs.iter().filter(|output| output.truth() == Some(truth)).collect();
    let count = |holds: &dyn Fn(&Output) -> bool| {
        of.iter().filter(|output| !output.is_right() && holds(output)).count() as u64
    };
    let decided = |verdict| matches!(verdict, Some(Verdict::Pass | Verdict::Fail));
    let rate = |chosen: &mut dyn Iterator<Item = (&FamilyId, bool)>| -> Known<ClusteredRate> {
        clustered_rate(&by_family(chosen), confidence).into()
    };
    let ties = || outputs.iter().filter(|output| output.is_tie());
    SideRate {
        outputs: rate(&mut of.iter().copied().map(mark)),
        families: family_rate(&of, confidence),
        wrong: count(&|output| decided(output.verdict)),
        undecided: count(&|output| output.verdict.is_some() && !decided(output.verdict)),
        without_verdict: count(&|output| output.verdict.is_none()),
        hard: rate(&mut of.iter().copied().filter(|output| output.is_hard()).map(mark)),
        ordinary: rate(&mut of.iter().copied().filter(|output| !output.is_hard()).map(mark)),
        with_ties: match ties().next() {
            None => Known::absent("people settled on every output"),
            Some(_) => rate(
                &mut of.iter().copied().map(mark).chain(ties().map(|tie| (&tie.family, false))),
            ),
        },
    }
}

fn mark(output: &Output) -> (&FamilyId, bool) {
    (&output.family, output.is_right())
}

/// Right of all, family by family.
pub(super) fn by_family<'a>(marks: impl Iterator<Item = (&'a FamilyId, bool)>) -> Vec<Count> {
    let mut families: BTreeMap<&FamilyId, (u64, u64)> = BTreeMap::new();
    for (family, right) in marks {
        let (of_right, of) = families.entry(family).or_default();
        *of_right += u64::from(right);
        *of += 1;
    }
    families.into_values().map(|(right, of)| Count::new(right, of)).collect()
}

fn family_rate(of: &[&Output], confidence: f64) -> FamilyRate {
    let marks = of.iter().map(|output| (&output.family, output.is_right() && output.steady));
    let families = by_family(marks);
    let right = families.iter().filter(|count| count.missed() == 0).count();
    let count = Count::new(right as u64, families.len() as u64);
    FamilyRate { count, lower_bound: exact_lower(count, confidence) }
}
