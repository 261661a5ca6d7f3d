//! A table: one change to a sound set, and the faults that it must bring, no more and no fewer.

mod between;
mod each;
mod whole;

use super::*;
use crate::case::Case;
use crate::control::set::{Entry, Expectation, Variation};
use crate::id::{FamilyId, RubricId};
use crate::verdict::Verdict;

fn id(text: &str) -> ControlId {
    ControlId::new(text).expect("an id")
}

fn rule(text: &str) -> RuleId {
    RuleId::new(text).expect("an id")
}

fn family(text: &str) -> FamilyId {
    FamilyId::new(text).expect("an id")
}

fn header() -> SetHeader {
    SetHeader {
        id: RubricId::new("s").expect("an id"),
        version: "1".into(),
        rubric: RubricId::new("r").expect("an id"),
        authors: vec!["someone".into()],
        rules: vec![rule("one"), rule("two")],
        transforms: vec![Transform::WhiteSpace],
        held_out: None,
        salt: None,
    }
}

/// Expects a fail by this rule, or a pass where it is empty.
fn control(kind: Kind, name: &str, failing: &str) -> Control {
    let (verdict, rule) = match failing {
        "" => (Verdict::Pass, None),
        failing => (Verdict::Fail, Some(rule(failing))),
    };
    Control {
        kind,
        at: Place { file: format!("{kind}.toml"), line: 1 },
        label: None,
        held_out: false,
        entry: Entry {
            id: id(name),
            family: family("f"),
            why: "because".into(),
            expect: Expectation { verdict, rule },
            also: vec![],
            pair: (kind == Kind::NearMiss).then(|| id("p")),
            tactic: (kind == Kind::Adversarial).then(|| family("confident-tone")),
            base: None,
            variation: None,
            skip_transforms: vec![],
            segment: std::collections::BTreeMap::new(),
            case: Case { output: name.into(), ..Case::default() },
        },
    }
}

fn sound() -> (SetHeader, Vec<Control>) {
    let mut controls = vec![
        control(Kind::KnownBad, "kb-1", "one"),
        control(Kind::KnownBad, "kb-2", "two"),
        control(Kind::KnownGood, "kg", ""),
        control(Kind::HardPositive, "hp", ""),
        control(Kind::NearMiss, "nm-1", ""),
        control(Kind::NearMiss, "nm-2", "one"),
        control(Kind::Adversarial, "ad", "two"),
        control(Kind::Invariance, "iv-base", ""),
        control(Kind::Invariance, "iv-variant", ""),
        control(Kind::MustAbstain, "ma", "one"),
        control(Kind::RealOutput, "ro", ""),
    ];
    for (line, control) in controls.iter_mut().enumerate() {
        control.at.line = line + 1;
    }
    controls[8].entry.base = Some(id("iv-base"));
    controls[8].entry.variation = Some(Variation::Reworded);
    controls[9].entry.expect.verdict = Verdict::Unproven;
    controls[10].entry.why.clear();
    (header(), controls)
}

fn by_name<'a>(controls: &'a mut [Control], name: &str) -> &'a mut Entry {
    let found = controls.iter_mut().find(|control| control.entry.id.as_str() == name);
    &mut found.expect("a control of that name").entry
}

/// Each fault as `code control`, or `code` alone.
fn codes(faults: &[LintFault]) -> Vec<String> {
    let code = |fault: &LintFault| match &fault.control {
        Some(control) => format!("{} {control}", fault.code),
        None => fault.code.to_owned(),
    };
    faults.iter().map(code).collect()
}

type Change = fn(&mut SetHeader, &mut Vec<Control>);

fn check(table: &[(&[&str], Change)]) {
    for (expected, change) in table {
        let (mut header, mut controls) = sound();
        change(&mut header, &mut controls);
        let faults = lint(&header, &controls);
        assert_eq!(codes(&faults), *expected, "{faults:#?}");
        for fault in &faults {
            assert!(!fault.message.is_empty() && !fault.mend.is_empty(), "{fault:?}");
        }
    }
}
