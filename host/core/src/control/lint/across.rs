//! Faults between controls: repeated ids and cases, pairs, and variants with their bases.

use std::collections::BTreeMap;

use super::{Lint, LintFault, a_control, fault, nearest};
use crate::control::family::{self, Merged};
use crate::control::set::{Control, Kind, Place};
use crate::id::ControlId;
use crate::verdict::Verdict;

pub(super) fn check(set: &Lint<'_>, faults: &mut Vec<LintFault>) {
    ids(set, faults);
    cases(set, faults);
    families(set, faults);
    pairs(set, faults);
    variants(set, faults);
}

fn ids(set: &Lint<'_>, faults: &mut Vec<LintFault>) {
    let read = set.controls.iter().map(|control| (&control.entry.id, &control.at));
    let unread = set.unread.iter().filter_map(|control| Some((control.id.as_ref()?, &control.at)));
    let mut all: Vec<(&ControlId, &Place)> = read.chain(unread).collect();
    all.sort_by_key(|(_, at)| *at);
    let mut taken = BTreeMap::new();
    for (id, at) in all {
        if let Some(first) = taken.get(id) {
            let message = format!("the id `{id}` is taken by the control at {first}");
            let mend = "give each control of the set its own id";
            faults.push(
                LintFault::error("duplicate-id", at.clone(), message, mend).about("id").of(id),
            );
        } else {
            taken.insert(id, at);
        }
    }
}

/// Two of the same case measure no more than one. Among real outputs repeats happen by themselves, so
/// there they are only pointed out.
fn cases(set: &Lint<'_>, faults: &mut Vec<LintFault>) {
    let mut first: BTreeMap<_, &Control> = BTreeMap::new();
    for control in set.controls {
        let content = control.entry.case.content_digest();
        let Some(other) = first.get(&content) else {
            first.insert(content, control);
            continue;
        };
        let contrary = if other.entry.expect == control.entry.expect {
            ""
        } else {
            ", with another expectation"
        };
        let message = format!("the same case as `{}` at {}{contrary}", other.entry.id, other.at);
        let mend = "change the case so that it shows something else, or take one of the two out";
        let fault = fault(control, "duplicate-case", "case", message, mend);
        let real = [control.kind, other.kind].contains(&Kind::RealOutput);
        faults.push(if real { fault.warning() } else { fault });
    }
}

/// Cases that are the same but for spacing and capitals are one family, whatever they say: see [`family`].
fn families(set: &Lint<'_>, faults: &mut Vec<LintFault>) {
    for Merged { at, into } in family::twins(set.controls) {
        let (control, other) = (&set.controls[at], &set.controls[into]);
        if other.entry.case.content_digest() == control.entry.case.content_digest() {
            continue;
        }
        let (id, place, name) = (&other.entry.id, &other.at, &other.entry.family);
        let message = format!(
            "the same case as `{id}` at {place} but for spacing or capitals: it counts in the family `{name}`"
        );
        let mend = format!("give it the family `{name}`, or a case of its own");
        faults.push(fault(control, "one-case-two-families", "family", message, mend).warning());
    }
}

fn pairs(set: &Lint<'_>, faults: &mut Vec<LintFault>) {
    let mut pairs: BTreeMap<&ControlId, Vec<&Control>> = BTreeMap::new();
    for control in set.controls.iter().filter(|control| control.kind == Kind::NearMiss) {
        if let Some(pair) = &control.entry.pair {
            pairs.entry(pair).or_default().push(control);
        }
    }
    let names: Vec<&str> = pairs.keys().map(|pair| pair.as_str()).collect();
    for (pair, halves) in &pairs {
        match halves.as_slice() {
            [only] if !set.may_hide(|other| is_half_of(pair, other)) => {
                let message = format!("half a pair: no other control has pair = \"{pair}\"");
                let mend = match nearest(pair.as_str(), names.iter().copied()) {
                    Some(near) => format!(
                        "did you mean `{near}`? Else add the half on the other side of the line"
                    ),
                    None => "add the half on the other side of the line".to_owned(),
                };
                faults.push(fault(only, "half-pair", "pair", message, mend));
            }
            [one, other] => two_halves(pair, one, other, faults),
            [_, _, more @ ..] => faults.extend(more.iter().map(|control| {
                let message = format!("the pair `{pair}` has {} controls", halves.len());
                fault(
                    control,
                    "pair-of-many",
                    "pair",
                    message,
                    "a pair has two: make this one another pair",
                )
            })),
            _ => {}
        }
    }
}

fn is_half_of(pair: &ControlId, other: &super::Unread) -> bool {
    other.kind == Kind::NearMiss && other.pair.as_ref().is_none_or(|it| it == pair)
}

fn two_halves(pair: &ControlId, one: &Control, other: &Control, faults: &mut Vec<LintFault>) {
    let passes = |control: &Control| control.entry.expect.verdict == Verdict::Pass;
    if passes(one) == passes(other) {
        let message = format!(
            "both halves of the pair `{pair}` are on one side: `{}` at {} expects `{}` too",
            one.entry.id, one.at, one.entry.expect.verdict
        );
        let mend = "let one half expect a pass and the other a fail with its rule";
        faults.push(fault(other, "pair-on-one-side", "expect", message, mend));
    }
    if one.entry.family != other.entry.family {
        let message = format!(
            "the halves of the pair `{pair}` are of two families: `{}` at {} is of `{}`",
            one.entry.id, one.at, one.entry.family
        );
        let mend = "a pair is one unit: give both halves the same family";
        faults.push(fault(other, "pair-of-two-families", "family", message, mend));
    }
}

fn variants(set: &Lint<'_>, faults: &mut Vec<LintFault>) {
    let by_id: BTreeMap<_, _> =
        set.controls.iter().map(|control| (&control.entry.id, control)).collect();
    let invariance = || set.controls.iter().filter(|control| control.kind == Kind::Invariance);
    for variant in invariance() {
        let Some(base) = &variant.entry.base else {
            continue;
        };
        match by_id.get(base) {
            Some(control) => variant_of(variant, control, faults),
            None if set.may_hide(|other| other.id.as_ref().is_none_or(|id| id == base)) => {}
            None => {
                let bases = invariance().filter(|control| control.entry.base.is_none());
                let mend =
                    match nearest(base.as_str(), bases.map(|control| control.entry.id.as_str())) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => {
                            "add the base to the same file, or name one that is there".to_owned()
                        }
                    };
                let message = format!("a variant without its base: there is no control `{base}`");
                faults.push(fault(variant, "variant-without-base", "base", message, mend));
            }
        }
    }
}

fn variant_of(variant: &Control, base: &Control, faults: &mut Vec<LintFault>) {
    let (id, at, kind) = (&base.entry.id, &base.at, base.kind);
    let (code, message, mend) = if kind != Kind::Invariance {
        let message = format!("the base `{id}` at {at} is {}", a_control(kind));
        let mend = "put the base in the same file as its variants";
        ("base-of-another-kind", message, mend)
    } else if base.entry.base.is_some() {
        let message = format!("the base `{id}` at {at} is a variant itself");
        let mend = "name the control that it varies as the base";
        ("base-is-a-variant", message, mend)
    } else {
        return like_its_base(variant, base, faults);
    };
    faults.push(fault(variant, code, "base", message, mend));
}

fn like_its_base(variant: &Control, base: &Control, faults: &mut Vec<LintFault>) {
    let (id, at, family) = (&base.entry.id, &base.at, &base.entry.family);
    let mut push = |code, key, message, mend| faults.push(fault(variant, code, key, message, mend));
    if base.entry.expect != variant.entry.expect {
        let message = format!("expects something else than its base `{id}` at {at}");
        let mend = "a variant keeps the verdict: expect the same";
        push("variant-expects-otherwise", "expect", message, mend);
    }
    if *family != variant.entry.family {
        let message = format!("of another family than its base `{id}` at {at}, `{family}`");
        let mend = "give base and variants the same family";
        push("variant-of-another-family", "family", message, mend);
    }
}
