//! What the set as a whole does not cover: rules that nothing must fail by, kinds without controls.

use super::{Lint, LintFault, fault, in_header};
use crate::control::set::{Control, Kind, Place};
use crate::verdict::Verdict;

pub(super) fn check(set: &Lint<'_>, faults: &mut Vec<LintFault>) {
    rules(set, faults);
    kinds(set, faults);
    bases(set, faults);
}

fn rules(set: &Lint<'_>, faults: &mut Vec<LintFault>) {
    let mut rules: Vec<_> = set.rules.unwrap_or_default().iter().collect();
    rules.sort();
    rules.dedup();
    for rule in rules {
        let caught = |control: &Control| {
            control.kind == Kind::KnownBad
                && control.entry.expect.verdict == Verdict::Fail
                && control.entry.expect.rule.as_ref() == Some(rule)
        };
        let hidden = set.may_hide(|other| {
            other.kind == Kind::KnownBad && other.rule.as_ref().is_none_or(|it| it == rule)
        });
        if !hidden && !set.controls.iter().any(caught) {
            let message = format!("no known-bad control must fail by the rule `{rule}`");
            let mend = format!(
                "add one to known-bad.toml with expect = {{ verdict = \"fail\", rule = \"{rule}\" }}"
            );
            let fault = LintFault::error("rule-without-known-bad", in_header(), message, mend);
            faults.push(fault.about("rules"));
        }
    }
}

/// The kinds that every set should have. A missing known-bad is a fault of each rule already, and real
/// outputs mostly come from elsewhere, with a run.
const WANTED: [Kind; 5] =
    [Kind::KnownGood, Kind::HardPositive, Kind::NearMiss, Kind::Adversarial, Kind::Invariance];

fn kinds(set: &Lint<'_>, faults: &mut Vec<LintFault>) {
    for kind in WANTED {
        let there = set.controls.iter().any(|control| control.kind == kind);
        if !there && !set.may_hide(|other| other.kind == kind) {
            let at = Place { file: format!("{kind}.toml"), line: 0 };
            let message = format!("the set has no {kind} control");
            let mend =
                "add some: a requirement on this kind stays not evaluated, and that is never met";
            faults.push(LintFault::error("kind-without-controls", at, message, mend).warning());
        }
    }
}

fn bases(set: &Lint<'_>, faults: &mut Vec<LintFault>) {
    if set.may_hide(|other| other.kind == Kind::Invariance) {
        return;
    }
    let invariance = || set.controls.iter().filter(|control| control.kind == Kind::Invariance);
    let alone = |control: &&Control| {
        let entry = &control.entry;
        let varied = || invariance().any(|other| other.entry.base.as_ref() == Some(&entry.id));
        entry.base.is_none() && entry.variation.is_none() && !varied()
    };
    faults.extend(invariance().filter(alone).map(|control| {
        let mend = "add a control with base = its id, or take it out: alone it shows no invariance";
        fault(control, "base-without-variants", "", "a base that no control varies", mend).warning()
    }));
}
