//! What the pairs establish.

use std::collections::BTreeMap;

use super::pairs::{Came, Case, Paired};
use super::{CONFIDENCE, KindLine, Line, Pairs, Standing};
use crate::control::set::Kind;
use crate::id::FamilyId;
use crate::stats::difference::{self, Difference};
use crate::stats::mcnemar::mcnemar;

/// A line for each kind that has cases; they share one alpha.
pub(super) fn kinds(paired: &Paired<'_>) -> Vec<KindLine> {
    let has = |kind: &Kind| paired.cases.iter().any(|case| case.facts.kind == *kind);
    let kinds: Vec<_> = Kind::ALL.into_iter().filter(has).collect();
    let shares = u32::try_from(kinds.len()).map_or(1.0, f64::from).max(1.0);
    let confidence = 1.0 - (1.0 - CONFIDENCE) / shares;
    let line = |kind| KindLine { kind, line: line(paired, Some(kind), confidence) };
    kinds.into_iter().map(line).collect()
}

/// The comparison of the cases of one kind, or of all of them.
pub(super) fn line(paired: &Paired<'_>, kind: Option<Kind>, confidence: f64) -> Line {
    let of_kind = |case: &&Case<'_>| kind.is_none_or(|kind| case.facts.kind == kind);
    let cases: Vec<_> = paired.cases.iter().filter(of_kind).collect();
    let right = |case: &Case<'_>| (case.a == Came::Right, case.b == Came::Right);
    let with = |wanted| cases.iter().filter(move |case| right(case) == wanted);
    let ids = |wanted| with(wanted).map(|case| case.facts.id.clone()).collect();
    let counted = count(cases.iter().map(|case| right(case)));
    let (families, unsettled) = families(&cases);
    let difference = difference::paired(b_less_a(families), confidence).ok();
    let noise = (paired.repeats > 1).then_some(unsettled.len() as u64);
    let (standing, why) = judge(families, noise, difference, confidence);
    Line {
        right_in_a: counted.both + counted.only_a,
        right_in_b: counted.both + counted.only_b,
        cases: counted,
        lost: ids((true, false)),
        gained: ids((false, true)),
        families,
        unsettled,
        mcnemar_p: mcnemar(families.only_b, families.only_a).ok().map(|test| test.exact_p),
        difference,
        confidence,
        standing,
        why,
    }
}

/// Pairs of whether A and B were right.
pub(crate) fn count(right: impl Iterator<Item = (bool, bool)>) -> Pairs {
    right.fold(Pairs::default(), |mut pairs, right| {
        *match right {
            (true, true) => &mut pairs.both,
            (true, false) => &mut pairs.only_a,
            (false, true) => &mut pairs.only_b,
            (false, false) => &mut pairs.neither,
        } += 1;
        pairs
    })
}

/// As the statistics count pairs: B first, so that a difference above 0 says that B is better.
pub(crate) fn b_less_a(pairs: Pairs) -> difference::Pairs {
    difference::Pairs {
        both: pairs.both,
        first_only: pairs.only_b,
        second_only: pairs.only_a,
        neither: pairs.neither,
    }
}

/// The families that are settled in both records, and those that are not.
fn families(cases: &[&Case<'_>]) -> (Pairs, Vec<FamilyId>) {
    let mut came: BTreeMap<&FamilyId, (Came, Came)> = BTreeMap::new();
    for case in cases {
        let of_family = came.entry(case.family).or_insert((Came::Right, Came::Right));
        *of_family = (of_family.0.and(case.a), of_family.1.and(case.b));
    }
    let is_settled = |came: &(Came, Came)| came.0 != Came::Unsettled && came.1 != Came::Unsettled;
    let settled = came.values().filter(|came| is_settled(came));
    let pairs = count(settled.map(|came| (came.0 == Came::Right, came.1 == Came::Right)));
    let unsettled = came.iter().filter(|(_, came)| !is_settled(came));
    (pairs, unsettled.map(|(family, _)| (*family).clone()).collect())
}

/// What is established by a table of settled families, and why. `noise` is the number that is not settled;
/// absent where no repeat could have shown any.
fn judge(
    pairs: Pairs,
    noise: Option<u64>,
    difference: Option<Difference>,
    confidence: f64,
) -> (Standing, String) {
    let Some(noise) = noise else {
        let why = "one repeat shows no noise: run both with --repeats 3";
        return (Standing::NotEvaluated, why.to_owned());
    };
    let Some(difference) = difference else {
        return (Standing::NotEvaluated, "no family is settled in both records".to_owned());
    };
    established(pairs, noise, difference, confidence, ("family", "families"))
}

/// The rule: McNemar's exact test and Newcombe's interval both see a difference, and its net is more than
/// the number that is not settled. `one` and `many` name what is counted.
pub(crate) fn established(
    pairs: Pairs,
    noise: u64,
    difference: Difference,
    confidence: f64,
    (one, many): (&str, &str),
) -> (Standing, String) {
    let net = pairs.only_a.abs_diff(pairs.only_b);
    if net == 0 {
        let why = match pairs.only_a {
            0 => format!("no settled {one} changed sides"),
            _ => format!("as many settled {many} changed sides one way as the other"),
        };
        return (Standing::NotEstablished, why);
    }
    let mut short = Vec::new();
    if !mcnemar(pairs.only_b, pairs.only_a).is_ok_and(|test| test.exact_p <= 1.0 - confidence) {
        short.push("McNemar's exact test leaves it to chance".to_owned());
    }
    if difference.low <= 0.0 && difference.high >= 0.0 {
        short.push("Newcombe's interval holds 0".to_owned());
    }
    if net <= noise {
        short.push(format!("{net} net are no more than the {noise} unsettled"));
    }
    if !short.is_empty() {
        return (Standing::NotEstablished, short.join("; "));
    }
    let worse = pairs.only_a > pairs.only_b;
    let standing = if worse { Standing::Worse } else { Standing::Better };
    let why = format!("both tests agree, and {net} net are more than the {noise} unsettled");
    (standing, why)
}
