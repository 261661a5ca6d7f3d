//! Faults of one control on its own: what its kind asks for, and what its set lists.

use super::{Lint, LintFault, a_control, case_faults, fault, nearest, repeated};
use crate::control::set::{Control, Entry, Expectation, Kind};
use crate::id::RuleId;
use crate::verdict::Verdict;

pub(super) fn check(set: &Lint<'_>, control: &Control, faults: &mut Vec<LintFault>) {
    let entry = &control.entry;
    if entry.why.trim().is_empty() && control.kind != Kind::RealOutput {
        let mend = "say which fault of real graders it catches and why its verdict is right";
        faults.push(fault(control, "empty-why", "why", "`why` is empty", mend));
    }
    expectation(control, faults);
    also(control, faults);
    keys_of_the_kind(control, faults);
    rules_are_listed(set, control, faults);
    transforms(set, control, faults);
    faults.extend(case_faults(&entry.case, &control.at, Some(&entry.id)));
}

/// What a kind asks of the expectation: the fault's code, whether it is met, and the mend.
struct Asks {
    code: &'static str,
    met: fn(&Expectation) -> bool,
    mend: &'static str,
}

/// `None` where every expectation makes sense.
fn asks(kind: Kind) -> Option<Asks> {
    let (code, met, mend): (_, fn(&Expectation) -> bool, _) = match kind {
        Kind::KnownBad => (
            "known-bad-without-failing-rule",
            |expect| expect.verdict == Verdict::Fail && expect.rule.is_some(),
            "write expect = { verdict = \"fail\", rule = \"...\" }: the rule that must catch it",
        ),
        Kind::KnownGood | Kind::HardPositive => (
            "good-control-not-passing",
            |expect| expect.verdict == Verdict::Pass,
            "write expect = { verdict = \"pass\" }, or move it to the file of its kind",
        ),
        Kind::NearMiss => ("near-miss-off-the-line", pass_or_failing_rule, PASS_OR_FAIL),
        Kind::Adversarial | Kind::Invariance => (
            "verdict-without-rule",
            pass_or_rule,
            "add rule = \"...\": the rule that must give the verdict",
        ),
        Kind::MustAbstain => (
            "must-abstain-not-unproven",
            |expect| expect.verdict == Verdict::Unproven && expect.rule.is_some(),
            "write expect = { verdict = \"unproven\", rule = \"...\" }: the rule that nobody can decide",
        ),
        Kind::Regression | Kind::RealOutput => return None,
    };
    Some(Asks { code, met, mend })
}

const PASS_OR_FAIL: &str = "write expect = { verdict = \"pass\" } on one side, { verdict = \"fail\", rule = \"...\" } on the other";

fn pass_or_failing_rule(expect: &Expectation) -> bool {
    match expect.verdict {
        Verdict::Pass => true,
        Verdict::Fail => expect.rule.is_some(),
        _ => false,
    }
}

fn pass_or_rule(expect: &Expectation) -> bool {
    expect.verdict == Verdict::Pass || expect.rule.is_some()
}

fn expectation(control: &Control, faults: &mut Vec<LintFault>) {
    let expect = &control.entry.expect;
    if let Some(asks) = asks(control.kind)
        && !(asks.met)(expect)
    {
        let by = match &expect.rule {
            Some(rule) => format!("by `{rule}`"),
            None => "by no rule".to_owned(),
        };
        let message = format!("{} that expects `{}` {by}", a_control(control.kind), expect.verdict);
        faults.push(fault(control, asks.code, "expect", message, asks.mend));
    }
}

fn also(control: &Control, faults: &mut Vec<LintFault>) {
    let Entry { expect, also, .. } = &control.entry;
    if also.is_empty() {
        return;
    }
    let mut push =
        |code, message: String, mend| faults.push(fault(control, code, "also", message, mend));
    if expect.verdict == Verdict::Pass {
        let message = "`also` beside an expected `pass`: no rule may fail with it".to_owned();
        push("also-without-fail", message, "take `also` out, or expect a `fail`");
    }
    if let Some(rule) = expect.rule.as_ref().filter(|rule| also.contains(rule)) {
        let message = format!("`also` repeats `{rule}`, the rule of `expect`");
        push("also-repeats-rule", message, "list only the other rules that may fail");
    }
    for rule in repeated(also) {
        push("also-repeats-rule", format!("`also` lists `{rule}` twice"), "list each rule once");
    }
}

/// A key that only one kind has: its name, whether it is there, whether that kind must have it, the
/// fault's code where another kind has it, and what it is for.
struct KindKey {
    key: &'static str,
    kind: Kind,
    present: fn(&Entry) -> bool,
    missing: Option<(&'static str, &'static str)>,
    foreign: &'static str,
}

const KIND_KEYS: [KindKey; 4] = [
    KindKey {
        key: "pair",
        kind: Kind::NearMiss,
        present: |entry| entry.pair.is_some(),
        missing: Some(("near-miss-without-pair", "add pair = \"...\", the same for both halves")),
        foreign: "pair-outside-near-miss",
    },
    KindKey {
        key: "tactic",
        kind: Kind::Adversarial,
        present: |entry| entry.tactic.is_some(),
        missing: Some((
            "adversarial-without-tactic",
            "add tactic = \"...\", for example \"confident-tone\" or \"instruction-injection\"",
        )),
        foreign: "key-of-another-kind",
    },
    KindKey {
        key: "base",
        kind: Kind::Invariance,
        present: |entry| entry.base.is_some(),
        missing: None,
        foreign: "key-of-another-kind",
    },
    KindKey {
        key: "variation",
        kind: Kind::Invariance,
        present: |entry| entry.variation.is_some(),
        missing: None,
        foreign: "key-of-another-kind",
    },
];

fn keys_of_the_kind(control: &Control, faults: &mut Vec<LintFault>) {
    for KindKey { key, kind, present, missing, foreign } in KIND_KEYS {
        let (here, ours) = (present(&control.entry), kind == control.kind);
        if here && !ours {
            let message =
                format!("`{key}` in {}: only {kind} controls have it", a_control(control.kind));
            let mend = format!("take `{key}` out, or move the control to {kind}.toml");
            faults.push(fault(control, foreign, key, message, mend));
        }
        if let (Some((code, mend)), true, false) = (missing, ours, here) {
            let message = format!("{} without `{key}`", a_control(kind));
            faults.push(fault(control, code, key, message, mend));
        }
    }
    if control.kind == Kind::Invariance {
        base_and_variation(control, faults);
    }
}

fn base_and_variation(control: &Control, faults: &mut Vec<LintFault>) {
    match (&control.entry.base, &control.entry.variation) {
        (Some(_), None) => {
            let mend =
                "add variation = \"reworded\", \"reordered\", \"lengthened\" or \"anonymized\"";
            let message = "`base` without `variation`";
            faults.push(fault(control, "base-without-variation", "base", message, mend));
        }
        (None, Some(_)) => {
            let mend = "add base = \"...\", the id of the control it varies; a base itself has neither key";
            let message = "`variation` without `base`";
            faults.push(fault(control, "variation-without-base", "variation", message, mend));
        }
        _ => {}
    }
}

fn rules_are_listed(set: &Lint<'_>, control: &Control, faults: &mut Vec<LintFault>) {
    let Some(rules) = set.rules.filter(|rules| !rules.is_empty()) else {
        return;
    };
    let expected = control.entry.expect.rule.iter().map(|rule| ("expect.rule", rule));
    let others = control.entry.also.iter().map(|rule| ("also", rule));
    for (key, rule) in expected.chain(others).filter(|(_, rule)| !rules.contains(rule)) {
        let message =
            format!("`{key}` names the rule `{rule}`, which {} does not list", super::SET_FILE);
        faults.push(fault(control, "rule-not-listed", key, message, rule_mend(rule, rules)));
    }
}

fn rule_mend(rule: &RuleId, rules: &[RuleId]) -> String {
    match nearest(rule.as_str(), rules.iter().map(RuleId::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let rules: Vec<_> = rules.iter().map(|rule| format!("`{rule}`")).collect();
            format!("use one of {}, or list it in `rules`", rules.join(", "))
        }
    }
}

fn transforms(set: &Lint<'_>, control: &Control, faults: &mut Vec<LintFault>) {
    let skipped = &control.entry.skip_transforms;
    let key = "skip_transforms";
    if !skipped.is_empty() && !control.kind.is_transformed() {
        let message =
            format!("`{key}` has no effect: {} controls are not transformed", control.kind);
        let mend = format!("take `{key}` out");
        faults.push(fault(control, "idle-skip-transforms", key, message, mend).warning());
    }
    for name in repeated(skipped).map(|transform| transform.name()) {
        let message = format!("`{key}` lists `{name}` twice");
        faults.push(fault(
            control,
            "duplicate-transform",
            key,
            message,
            "list each transform once",
        ));
    }
    let Some(declared) = set.transforms else {
        return;
    };
    for name in skipped.iter().filter(|skip| !declared.contains(skip)).map(|skip| skip.name()) {
        let message = format!("`{key}` names `{name}`, which {} does not declare", super::SET_FILE);
        let mend =
            "take it out, or declare it in `transforms` if it keeps the other controls' meaning";
        faults.push(fault(control, "undeclared-transform", key, message, mend));
    }
}
