//! Severity, what is shown, sets that were read in part, and a set against a grader.

use super::*;

#[test]
fn what_stops_a_run_and_what_does_not() {
    let (header, mut controls) = sound();
    by_name(&mut controls, "kg").tactic = Some(family("x"));
    controls.retain(|control| control.kind != Kind::HardPositive);
    let faults = lint(&header, &controls);
    let errors: Vec<_> = faults.iter().map(|fault| (fault.code, fault.is_error())).collect();
    assert_eq!(errors, [("kind-without-controls", false), ("key-of-another-kind", true)]);
    assert_eq!(
        faults[1].to_string(),
        "known-good.toml:3: kg: `tactic` in a known-good control: only adversarial controls have it\n    \
         take `tactic` out, or move the control to adversarial.toml"
    );
    assert_eq!(
        faults[0].to_string().lines().next(),
        Some("hard-positive.toml: warning: the set has no hard-positive control")
    );
}

#[test]
fn real_outputs_may_repeat_and_are_pointed_out() {
    let (header, mut controls) = sound();
    by_name(&mut controls, "ro").case.output = "kg".into();
    let faults = lint(&header, &controls);
    assert_eq!(codes(&faults), ["duplicate-case ro"]);
    assert!(!faults[0].is_error());
}

#[test]
fn nothing_is_called_missing_that_could_only_not_be_read() {
    let (header, mut controls) = sound();
    let lost = ["kb-1", "nm-2", "iv-base", "hp"];
    let unread: Vec<Unread> = controls
        .iter()
        .filter(|control| lost.contains(&control.entry.id.as_str()))
        .map(|control| Unread {
            kind: control.kind,
            at: control.at.clone(),
            id: Some(control.entry.id.clone()),
            pair: control.entry.pair.clone(),
            rule: control.entry.expect.rule.clone(),
        })
        .collect();
    controls.retain(|control| !lost.contains(&control.entry.id.as_str()));
    let whole = Lint {
        unread: &[],
        header: Some(&header),
        rules: Some(&header.rules),
        transforms: None,
        controls: &controls,
    };
    assert_eq!(whole.faults().len(), 4);
    assert_eq!(Lint { unread: &unread, ..whole }.faults(), []);
    let unknown = Unread {
        kind: Kind::KnownBad,
        at: unread[0].at.clone(),
        id: None,
        pair: None,
        rule: Some(rule("two")),
    };
    assert_eq!(
        codes(&Lint { unread: &[unknown], ..whole }.faults()).len(),
        3,
        "its id may be the base's"
    );
}

#[test]
fn a_set_against_a_grader() {
    let manifest = |rubric: &str, rules: &[&str]| {
        crate::manifest::RawManifest {
            name: "g".into(),
            version: "1".into(),
            rubric: rubric.into(),
            rules: rules
                .iter()
                .map(|id| crate::manifest::RawRule {
                    id: (*id).into(),
                    text: String::new(),
                    tier: crate::verdict::RuleTier::Essential,
                    scope: crate::verdict::Scope::Output,
                    needs: vec![],
                })
                .collect(),
            extra: String::new(),
        }
        .check()
        .expect("a manifest")
    };
    let table: [(&str, &[&str], &[&str]); 4] = [
        ("r", &["two", "one"], &[]),
        ("q", &["one", "two"], &["another-rubric"]),
        (
            "r",
            &["one", "tow", "new-rule"],
            &["rule-not-judged", "rule-not-controlled", "rule-not-controlled"],
        ),
        ("r", &["one"], &["rule-not-judged"]),
    ];
    for (rubric, rules, expected) in table {
        assert_eq!(codes(&against(&header(), &manifest(rubric, rules))), expected);
    }
    let near = &against(&header(), &manifest("r", &["one", "tow"]))[0];
    assert_eq!(near.message, "the rule `two` is in set.toml, not in the grader's manifest");
    assert_eq!(
        near.mend,
        "the grader has `tow`: if the same rule is meant, write it alike on both sides"
    );
}
