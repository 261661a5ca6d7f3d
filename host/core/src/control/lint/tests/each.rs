//! Faults of the header, of one control and of its case.

use super::*;
use crate::case::{Artifact, Claim, Evidence, Message};

#[test]
fn a_sound_set_has_no_fault() {
    check(&[(&[], |_, _| {})]);
}

#[test]
fn faults_of_the_header() {
    check(&[
        (&["empty-version"], |header, _| header.version = " ".into()),
        (&["empty-authors"], |header, _| header.authors.clear()),
        (&["empty-authors"], |header, _| {
            header.authors.push(String::new());
        }),
        (&["duplicate-author"], |header, _| {
            header.authors.push("someone".into());
        }),
        (&["no-rules"], |header, _| header.rules.clear()),
        (&["duplicate-rule"], |header, _| {
            header.rules.push(rule("one"));
        }),
        (&["duplicate-transform"], |header, _| {
            header.transforms.push(Transform::WhiteSpace);
        }),
        (&["rule-without-known-bad"], |header, _| {
            header.rules.push(rule("three"));
        }),
    ]);
}

const OF_ONE_CONTROL: &[(&[&str], Change)] = &[
    (&["empty-why kg"], |_, all| {
        by_name(all, "kg").why = "\n".into();
    }),
    (&["rule-not-listed nm-2"], |_, all| {
        by_name(all, "nm-2").expect.rule = Some(rule("three"));
    }),
    (&["rule-not-listed kb-1"], |_, all| {
        by_name(all, "kb-1").also = vec![rule("three")];
    }),
    (&["also-without-fail kg"], |_, all| {
        by_name(all, "kg").also = vec![rule("two")];
    }),
    (&["also-repeats-rule kb-1"], |_, all| {
        by_name(all, "kb-1").also = vec![rule("one")];
    }),
    (&["also-repeats-rule kb-1"], |_, all| {
        by_name(all, "kb-1").also = vec![rule("two"), rule("two"), rule("two")];
    }),
    (&["known-bad-without-failing-rule kb-3"], |_, all| {
        all.push(control(Kind::KnownBad, "kb-3", ""));
    }),
    (&["good-control-not-passing kg"], |_, all| {
        by_name(all, "kg").expect.verdict = Verdict::Fail;
    }),
    (&["good-control-not-passing hp"], |_, all| {
        by_name(all, "hp").expect.verdict = Verdict::Unproven;
    }),
    (&["near-miss-off-the-line nm-2"], |_, all| {
        by_name(all, "nm-2").expect.rule = None;
    }),
    (&["verdict-without-rule ad"], |_, all| {
        by_name(all, "ad").expect.rule = None;
    }),
    (&["must-abstain-not-unproven ma"], |_, all| {
        by_name(all, "ma").expect.verdict = Verdict::Fail;
    }),
    (&["must-abstain-not-unproven ma"], |_, all| {
        by_name(all, "ma").expect.rule = None;
    }),
    (&["adversarial-without-tactic ad"], |_, all| {
        by_name(all, "ad").tactic = None;
    }),
    (&["key-of-another-kind kg"], |_, all| {
        by_name(all, "kg").tactic = Some(family("x"));
    }),
    (&["key-of-another-kind kg"], |_, all| {
        by_name(all, "kg").base = Some(id("iv-base"));
    }),
    (&["key-of-another-kind kg"], |_, all| {
        by_name(all, "kg").variation = Some(Variation::Reworded);
    }),
    (&["pair-outside-near-miss kg"], |_, all| {
        by_name(all, "kg").pair = Some(id("p"));
    }),
    (&["undeclared-transform kg"], |_, all| {
        by_name(all, "kg").skip_transforms = vec![Transform::UnicodeNfd];
    }),
    (&["duplicate-transform kg"], |_, all| {
        by_name(all, "kg").skip_transforms = vec![Transform::WhiteSpace; 2];
    }),
    (&["idle-skip-transforms hp"], |_, all| {
        by_name(all, "hp").skip_transforms = vec![Transform::WhiteSpace];
    }),
];

#[test]
fn faults_of_one_control() {
    check(OF_ONE_CONTROL);
}

const OF_A_CASE: &[(&[&str], Change)] = &[
    (&["duplicate-evidence kg"], |_, all| {
        let evidence = Evidence { id: "a".into(), kind: "k".into(), ..Evidence::default() };
        by_name(all, "kg").case.evidence = vec![evidence; 3];
    }),
    (&["duplicate-claim kg"], |_, all| {
        by_name(all, "kg").case.claims = vec![Claim { id: "a".into(), ..Claim::default() }; 2];
    }),
    (&["duplicate-artifact kg"], |_, all| {
        by_name(all, "kg").case.artifacts =
            vec![Artifact { name: "a".into(), ..Artifact::default() }; 2];
    }),
    (&["empty-name kg"], |_, all| {
        by_name(all, "kg").case.claims = vec![Claim::default()];
    }),
    (&["unknown-role kg"], |_, all| {
        by_name(all, "kg").case.messages = vec![Message::default()];
    }),
    (&["not-a-json-object kg"], |_, all| {
        by_name(all, "kg").case.context = "[]".into();
    }),
    (&["not-a-json-object kg"], |_, all| {
        let claim = Claim { id: "a".into(), extra: "{".into(), ..Claim::default() };
        by_name(all, "kg").case.claims = vec![claim];
    }),
    (&[], |_, all| {
        by_name(all, "kg").case.context = r#"{"a": 1}"#.into();
    }),
];

#[test]
fn faults_of_a_case() {
    check(OF_A_CASE);
}
