//! What core's lint finds, at the line of the key it is about.

use super::*;

/// A control on lines 1 to 6: these keys on line 4, and this expectation on line 5.
fn control(id: &str, keys: &str, expect: &str) -> String {
    format!(
        "[[control]]\nid = \"{id}\"\nfamily = \"f\"\n{keys}; why = \"w\"\nexpect = {{ {expect} }}\n\
         case.output = \"{id}\"\n"
    )
    .replace("; why", "\nwhy")
    .replace("\n\n", "\n")
}

const PASS: &str = "verdict = \"pass\"";
const FAIL: &str = "verdict = \"fail\", rule = \"one\"";
const UNPROVEN: &str = "verdict = \"unproven\", rule = \"one\"";

/// The kind, the keys, the expectation, and the fault.
const OF_ONE_CONTROL: [(&str, &str, &str, &str); 21] = [
    (
        "known-bad",
        "",
        PASS,
        "5 x known-bad-without-failing-rule: a known-bad control that expects `pass` by no rule",
    ),
    (
        "known-bad",
        "",
        "verdict = \"fail\"",
        "5 x known-bad-without-failing-rule: a known-bad control that expects `fail` by no rule",
    ),
    (
        "hard-positive",
        "",
        FAIL,
        "5 x good-control-not-passing: a hard-positive control that expects `fail` by `one`",
    ),
    ("must-abstain", "", "verdict = \"unproven\"", "5 x must-abstain-not-unproven: "),
    ("must-abstain", "", PASS, "5 x must-abstain-not-unproven: "),
    (
        "adversarial",
        "",
        FAIL,
        "1 x adversarial-without-tactic: an adversarial control without `tactic`",
    ),
    ("adversarial", "tactic = \"t\"", "verdict = \"fail\"", "6 x verdict-without-rule: "),
    ("near-miss", "", PASS, "1 x near-miss-without-pair: a near-miss control without `pair`"),
    (
        "near-miss",
        "pair = \"p\"",
        PASS,
        "4 x half-pair: half a pair: no other control has pair = \"p\" / add the half",
    ),
    (
        "known-good",
        "pair = \"p\"",
        PASS,
        "4 x pair-outside-near-miss: `pair` in a known-good control: only near-miss",
    ),
    (
        "known-good",
        "tactic = \"t\"",
        PASS,
        "4 x key-of-another-kind: `tactic` in a known-good control: only adversarial",
    ),
    (
        "known-good",
        "base = \"kb-1\"",
        PASS,
        "4 x key-of-another-kind: `base` in a known-good control",
    ),
    (
        "invariance",
        "base = \"y\"\nvariation = \"reworded\"",
        PASS,
        "4 x variant-without-base: a variant without its base: there is no control `y`",
    ),
    (
        "invariance",
        "base = \"kb-1\"\nvariation = \"reworded\"",
        PASS,
        "4 x base-of-another-kind: the base `kb-1` at known-bad.toml:2 is a known-bad",
    ),
    (
        "invariance",
        "base = \"x\"\nvariation = \"reworded\"",
        PASS,
        "4 x base-is-a-variant: the base `x` at invariance.toml:1 is a variant itself",
    ),
    (
        "invariance",
        "variation = \"reworded\"",
        PASS,
        "4 x variation-without-base: `variation` without `base` / add base",
    ),
    (
        "known-good",
        "skip_transforms = [\"unicode-nfd\"]",
        PASS,
        "4 x undeclared-transform: `skip_transforms` names `unicode-nfd`, which set.toml does not",
    ),
    (
        "known-bad",
        "also = [\"tow\"]",
        FAIL,
        "4 x rule-not-listed: `also` names the rule `tow`, which set.toml does not list / did you mean `two`?",
    ),
    ("known-bad", "also = [\"one\"]", FAIL, "4 x also-repeats-rule: `also` repeats `one`"),
    ("regression", "also = [\"one\"]", PASS, "4 x also-without-fail: "),
    (
        "must-abstain",
        "also = [\"three\"]",
        UNPROVEN,
        "4 x rule-not-listed: `also` names the rule `three`, which set.toml does not list / use one of `one`, `two`",
    ),
];

#[test]
fn faults_of_one_control() {
    for (kind, keys, expect, expected) in OF_ONE_CONTROL {
        let name = format!("{kind}.toml");
        let text = control("x", keys, expect);
        let folder = set_of(&[]);
        let all = if kind == "known-bad" { format!("{text}{KNOWN_BAD}") } else { text };
        fs::write(folder.path().join(&name), all).expect("writes");
        let faults = shown(folder.path());
        assert_eq!(faults.len(), 1, "{kind} {keys} {expect}: {faults:#?}");
        assert!(faults[0].starts_with(&format!("{name}:{expected}")), "{}\n{expected}", faults[0]);
    }
}

#[test]
fn faults_between_controls() {
    let base = control("x", "", PASS);
    let variant = control("y", "base = \"x\"\nvariation = \"reworded\"", FAIL);
    check(
        "invariance.toml",
        &format!("{base}{}", variant.replace("\"f\"", "\"g\"")),
        &[
            "invariance.toml:9 y variant-of-another-family: of another family than its base `x` at invariance.toml:1, `f`",
            "invariance.toml:13 y variant-expects-otherwise: expects something else than its base `x` at invariance.toml:1",
        ],
    );
    check(
        "invariance.toml",
        &format!("{base}{}", control("y", "base = \"x\"", PASS)),
        &[
            "invariance.toml:10 y base-without-variation: `base` without `variation` / add variation",
        ],
    );
    let half = |id: &str, expect: &str| control(id, "pair = \"p\"", expect);
    let (one, other) = (half("x", PASS), half("y", PASS).replace("\"f\"", "\"g\""));
    check(
        "near-miss.toml",
        &format!("{one}{other}"),
        &[
            "near-miss.toml:10 y pair-of-two-families: the halves of the pair `p` are of two families: `x` at near-miss.toml:1",
            "near-miss.toml:13 y pair-on-one-side: both halves of the pair `p` are on one side: `x` at near-miss.toml:1 expects",
        ],
    );
    check(
        "near-miss.toml",
        &format!("{one}{}{}", half("y", FAIL), half("z", FAIL)),
        &["near-miss.toml:18 z pair-of-many: the pair `p` has 3 controls / a pair has two"],
    );
    check(
        "known-good.toml",
        &control("x", "", PASS).replace("output = \"x\"", "output = \"2\""),
        &[
            "known-good.toml:6 x duplicate-case: the same case as `kb-2` at known-bad.toml:9, with another expectation",
        ],
    );
}
