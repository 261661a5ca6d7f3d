//! The story that accredit tells: a careless grader is refused and told why, a careful one is eligible,
//! and nothing that was not measured counts as met.

use accredit_tests::bench::{Bench, Run};
use accredit_tests::{repository, shipped};
use serde_json::Value;

/// `check` of a shipped grader on the shipped set of its rubric, with more arguments.
fn check(bench: &Bench, grader: &str, rubric: &str, more: &[&str]) -> Run {
    let component = shipped(grader).display().to_string();
    let controls = repository().join("controls").join(rubric).display().to_string();
    let args = ["check", &component, "--controls", &controls];
    bench.run(&[&args, more].concat())
}

/// The policy of this repository: the built-in one with two waivers.
fn policy() -> String {
    repository().join("accredit.toml").display().to_string()
}

/// What identifies each entry of a list of misses.
fn entries(report: &Value, list: &str) -> Vec<(String, String, String)> {
    let text = |miss: &Value, key: &str| miss[key].as_str().unwrap_or("none").to_owned();
    let misses = report[list].as_array().expect("a list");
    misses.iter().map(|m| (text(m, "id"), text(m, "kind"), text(m, "rule"))).collect()
}

#[test]
fn a_careless_grader_is_refused_and_its_false_passes_are_named() {
    let bench = Bench::new();
    let args = ["--policy", &policy(), "--out", "out", "--all"];
    let run = check(&bench, "lenient-answer", "final-answer", &args).exits(1);
    run.shows(&["REFUSED: not eligible for gating, stays advisory", "left in out"]);
    let report: Value = serde_json::from_str(&bench.read("out/report.json")).expect("JSON");
    assert_eq!(report["decision"]["eligible_tier"], "advisory");
    let misses = entries(&report, "false_passes");
    run.shows(&[&format!("{} false passes", misses.len())]);
    for kind in ["known-bad", "near-miss", "adversarial"] {
        assert!(misses.iter().any(|(_, of, _)| of == kind), "no false pass of kind {kind}");
    }
    for (id, kind, rule) in &misses {
        run.shows(&[&format!("{id}  {kind} · {rule}")]);
    }
    for (id, kind, rule) in entries(&report, "false_fails") {
        run.shows(&[&format!("{id}  {kind} · {rule}")]);
    }
    // The text that the rule was beaten by is quoted, so that an author sees why.
    run.shows(&["it said: the reference occurs in the output"]);
}

#[test]
fn without_all_a_long_list_is_cut_and_says_so() {
    let bench = Bench::new();
    let run = check(&bench, "lenient-answer", "final-answer", &[]).exits(1);
    run.shows(&["more known-bad (--all)"]);
}

/// The careful graders and their rubrics.
const CAREFUL: [(&str, &str); 2] =
    [("final-answer", "final-answer"), ("loan-ratios", "loan-ratios")];

#[test]
fn a_careful_grader_is_eligible_under_waivers_that_every_report_shows() {
    for (grader, rubric) in CAREFUL {
        let bench = Bench::new();
        let args = ["--policy", &policy(), "--out", "out"];
        let run = check(&bench, grader, rubric, &args).exits(0);
        run.shows(&[
            "ELIGIBLE for gating, awaiting sign-off, under 2 waivers",
            "waived held-out for gating: this repository ships graders and controls together",
            "waived real-output for gating: this repository ships no outputs labelled by people",
        ]);
        let report: Value = serde_json::from_str(&bench.read("out/report.json")).expect("JSON");
        let decision = &report["decision"];
        assert_eq!(decision["eligible_tier"], "gating", "{grader}");
        let waived: Vec<_> = list(&decision["waivers"]).map(|it| &it["requirement"]).collect();
        assert_eq!(waived, ["held-out", "real-output"], "{grader}");
        assert!(list(&decision["waivers"]).all(|waiver| waiver["reason"] != ""), "{grader}");
        for requirement in list(&decision["requirements"]) {
            let waived = ["held-out", "real-output"].contains(&text(requirement, "id"));
            assert_eq!(requirement["waived"], waived && requirement["tier"] == "gating");
            assert_eq!(requirement["met"] == true, !waived, "{grader}: {requirement}");
        }
    }
}

#[test]
fn without_waivers_what_was_not_measured_is_not_met() {
    for (grader, rubric) in CAREFUL {
        let bench = Bench::new();
        let run = check(&bench, grader, rubric, &["--format", "json"]).exits(3);
        let report = run.json();
        assert_eq!(report["decision"]["eligible_tier"], "characterization", "{grader}");
        let open: Vec<_> = list(&report["decision"]["requirements"])
            .filter(|requirement| requirement["met"] != true)
            .map(|requirement| (text(requirement, "id"), &requirement["met"]))
            .collect();
        assert_eq!(open, [("real-output", &Value::Null), ("held-out", &Value::Null)], "{grader}");
        let run = check(&bench, grader, rubric, &[]).exits(3);
        run.shows(&[
            "REFUSED: not eligible for gating, stays characterization",
            "not evaluated real-output (gating): give real outputs labelled by people",
            "not evaluated held-out (gating)",
        ]);
    }
}

#[test]
fn the_exit_code_says_whether_the_required_tier_is_within_reach() {
    let table = [
        ("lenient-answer", "final-answer", "advisory", 0, "ADVISORY: shown beside other results"),
        ("lenient-answer", "final-answer", "characterization", 1, "REFUSED: not eligible"),
        ("loan-ratios", "loan-ratios", "advisory", 0, "ELIGIBLE for characterization"),
        ("loan-ratios", "loan-ratios", "characterization", 0, "ELIGIBLE for characterization"),
        ("loan-ratios", "loan-ratios", "gating", 3, "REFUSED: not eligible for gating"),
    ];
    let bench = Bench::new();
    for (grader, rubric, tier, code, shown) in table {
        check(&bench, grader, rubric, &["--require", tier]).exits(code).shows(&[shown]);
        check(&bench, grader, rubric, &["--require", tier, "--format", "json"]).exits(code).json();
    }
}

#[test]
fn without_out_nothing_is_left() {
    let bench = Bench::new();
    check(&bench, "lenient-answer", "final-answer", &[]).exits(1).shows(&["REFUSED"]);
    assert!(bench.files().is_empty(), "{:?}", bench.files().keys());
}

#[test]
fn the_policy_of_the_folder_is_found() {
    let bench = Bench::new();
    bench.write("accredit.toml", std::fs::read(policy()).expect("reads"));
    let run = check(&bench, "loan-ratios", "loan-ratios", &[]).exits(0);
    run.shows(&["policy: accredit.toml", "under 2 waivers"]);
}

/// The documented keys of report.json, each with its type.
const KEYS: &[(&str, &str)] = &[
    ("/grader/name", "text"),
    ("/grader/version", "text"),
    ("/grader/digest", "digest"),
    ("/digests/controls", "digest"),
    ("/digests/policy", "digest"),
    ("/digests/contract", "digest"),
    ("/digests/record", "digest"),
    ("/decision/eligible_tier", "text"),
    ("/decision/waivers", "list"),
    ("/decision/requirements/0/id", "text"),
    ("/decision/requirements/0/measured", "object"),
    ("/decision/requirements/0/required", "object"),
    ("/decision/requirements/0/met", "truth"),
    ("/decision/requirements/0/waived", "truth"),
    ("/decision/requirements/0/mend", "text"),
    ("/false_passes/0/id", "text"),
    ("/false_passes/0/kind", "text"),
    ("/false_passes/0/rule", "text"),
    ("/false_fails/0/id", "text"),
    ("/false_fails/0/kind", "text"),
    ("/false_fails/0/rule", "text"),
    ("/kinds/0/kind", "text"),
    ("/kinds/0/figure/families/right", "number"),
    ("/kinds/0/figure/families/of", "number"),
    ("/kinds/0/figure/lower_bound", "number"),
    ("/rules/0/rule", "text"),
    ("/rules/0/catch/families/of", "number"),
    ("/rules/0/pass/families/of", "number"),
    ("/baselines/0/name", "text"),
    ("/baselines/0/kinds/known-bad/of", "number"),
    ("/faults/by_kind", "object"),
    ("/faults/refused", "number"),
    ("/noise/families", "number"),
    ("/noise/differing", "list"),
    ("/noise/upper_bound", "number"),
    ("/reach", "text"),
];

#[test]
fn the_json_report_has_the_documented_keys() {
    let run = check(&Bench::new(), "lenient-answer", "final-answer", &["--format", "json"]);
    let report = run.exits(1).json();
    for (pointer, expected) in KEYS {
        let value = report.pointer(pointer).unwrap_or_else(|| panic!("no {pointer}"));
        let kind = match value {
            Value::String(text) if is_digest(text) => "digest",
            Value::String(_) => "text",
            Value::Number(_) => "number",
            Value::Bool(_) => "truth",
            Value::Array(_) => "list",
            Value::Object(_) => "object",
            Value::Null => "null",
        };
        assert_eq!(kind, *expected, "{pointer}: {value}");
    }
}

fn is_digest(text: &str) -> bool {
    let hex = text.strip_prefix("blake3:").unwrap_or_default();
    hex.len() == 64 && hex.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("a list").iter()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().expect("a text")
}
