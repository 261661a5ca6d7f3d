//! Faults between controls, and of what the set does not cover.

use super::*;

const BETWEEN: &[(&[&str], Change)] = &[
    (&["duplicate-id kg"], |_, all| {
        let mut other = control(Kind::KnownGood, "kg", "");
        other.entry.case.output = "another".into();
        other.at.line = 99;
        all.push(other);
    }),
    (&["duplicate-case kg"], |_, all| {
        by_name(all, "kg").case.output = "kb-1".into();
    }),
    (&["duplicate-case iv-variant"], |_, all| {
        by_name(all, "iv-variant").case.output = "iv-base".into();
    }),
    (&["half-pair nm-1", "half-pair nm-2"], |_, all| {
        by_name(all, "nm-2").pair = Some(id("q"));
    }),
    (&["half-pair nm-1", "near-miss-without-pair nm-2"], |_, all| by_name(all, "nm-2").pair = None),
    (&["pair-of-many nm-3"], |_, all| {
        all.push(control(Kind::NearMiss, "nm-3", "one"));
    }),
    (&["pair-on-one-side nm-2"], |_, all| {
        by_name(all, "nm-2").expect = by_name(all, "nm-1").expect.clone();
    }),
    (&["pair-of-two-families nm-2"], |_, all| {
        by_name(all, "nm-2").family = family("g");
    }),
    (&["base-without-variants iv-base", "variant-without-base iv-variant"], |_, all| {
        by_name(all, "iv-variant").base = Some(id("iv-bass"));
    }),
    (&["base-without-variants iv-base", "base-of-another-kind iv-variant"], |_, all| {
        by_name(all, "iv-variant").base = Some(id("kg"));
    }),
    (&["base-without-variants iv-base", "base-is-a-variant iv-variant"], |_, all| {
        by_name(all, "iv-variant").base = Some(id("iv-variant"));
    }),
    (&["variant-expects-otherwise iv-variant"], |_, all| {
        by_name(all, "iv-variant").expect = by_name(all, "kb-1").expect.clone();
    }),
    (&["variant-of-another-family iv-variant"], |_, all| {
        by_name(all, "iv-variant").family = family("g");
    }),
    (&["base-without-variation iv-variant"], |_, all| {
        by_name(all, "iv-variant").variation = None;
    }),
    (&["base-without-variants iv-base", "variation-without-base iv-variant"], |_, all| {
        by_name(all, "iv-variant").base = None;
    }),
    (&["rule-without-known-bad"], |_, all| {
        all.remove(0);
    }),
    (&["kind-without-controls"], |_, all| {
        all.remove(3);
    }),
];

#[test]
fn faults_between_controls() {
    check(BETWEEN);
}
