//! The smaller commands: lint, schemas, the policy explained, help.

use accredit_tests::bench::Bench;
use accredit_tests::{fixture, repository, rounded};
use serde_json::Value;

#[test]
fn the_shipped_control_sets_are_clean() {
    let bench = Bench::new();
    for set in ["final-answer", "loan-ratios"] {
        let folder = repository().join("controls").join(set).display().to_string();
        let run = bench.run(&["controls", "lint", &folder]).exits(0);
        assert!(run.stdout.starts_with(&format!("ok: set {set} ")), "{run:#?}");
        assert!(!run.stdout.contains("warning"), "{run:#?}");
        assert_eq!(run.stderr, "");
        let faults = bench.run(&["controls", "lint", &folder, "--format", "json"]).exits(0).json();
        assert_eq!(faults, serde_json::json!({ "faults": [] }));
    }
    let small = fixture("small").display().to_string();
    bench.run(&["controls", "lint", &small]).exits(0).shows(&["ok: set small 1: 25 controls"]);
}

#[test]
fn the_published_schemas_are_those_that_are_printed() {
    let bench = Bench::new();
    let files = ["control", "set", "real-output", "case", "run-record", "inventory", "profile"];
    for (file, schema) in files.map(|file| (file, file)) {
        let path = repository().join(format!("host/cli/schemas/{schema}.schema.json"));
        let published = std::fs::read_to_string(&path).expect("a published schema");
        let published: Value = serde_json::from_str(&published).expect("JSON");
        let printed = bench.run(&["controls", "schema", file]).exits(0).json();
        assert_eq!(printed, published, "{file}: publish it again");
    }
    let control = bench.run(&["controls", "schema"]).exits(0);
    assert_eq!(control.stdout, bench.run(&["controls", "schema", "control"]).exits(0).stdout);
}

#[test]
fn the_policy_is_explained_in_numbers() {
    let bench = Bench::new();
    let run = bench.run(&["policy", "explain"]).exits(0);
    run.shows(&["Policy: built-in defaults", "59 of 59", "122 of 124"]);
    insta::assert_snapshot!("policy_explain", run.stdout);
    let json = bench.run(&["policy", "explain", "--format", "json"]).exits(0).json();
    insta::assert_json_snapshot!("policy_explain_json", rounded(json));
}

#[test]
fn numbers_of_the_strictest_bar_are_those_of_the_literature() {
    let json = Bench::new().run(&["policy", "explain", "--format", "json"]).exits(0).json();
    let tiers = json["tiers"].as_array().expect("tiers");
    let gating = tiers.iter().find(|it| it["tier"] == "gating" && it["grader"] == "code");
    let rates = gating.expect("code gating")["rates"].as_array().expect("rates");
    let known_bad = rates.iter().find(|it| it["id"] == "known-bad").expect("known-bad");
    // With no, one and two misses: .95 at 95 %, exact.
    assert_eq!(known_bad["families"], serde_json::json!([59, 93, 124]));
    let true_rates = json["true_rates"].as_array().expect("rates");
    for (rate, expected) in [(0.97, 0.17), (0.99, 0.55)] {
        let at = true_rates.iter().position(|it| it.as_f64() == Some(rate)).expect("the rate");
        let chance = known_bad["chances"][at].as_f64().expect("a chance");
        // 0.97 to the 59th, 0.99 to the 59th.
        assert!((chance - f64::powi(rate, 59)).abs() < 1e-9, "{chance}");
        assert!((chance - expected).abs() < 0.01, "{chance}");
    }
}

#[test]
fn the_policy_of_this_repository_shows_its_waivers() {
    let policy = repository().join("accredit.toml").display().to_string();
    let bench = Bench::new();
    let run = bench.run(&["policy", "explain", "--policy", &policy]).exits(0);
    run.shows(&["waived held-out for gating: ", "waived real-output for gating: ", &policy]);
    let json = bench.run(&["policy", "explain", "--policy", &policy, "--format", "json"]).json();
    assert_eq!(json["waivers"].as_array().map(Vec::len), Some(2));
}

#[test]
fn every_requirement_of_a_report_is_explained() {
    let bench = Bench::new();
    let list = bench.run(&["explain", "--format", "json"]).exits(0).json();
    let names: Vec<_> = list.as_array().expect("a list").iter().map(|it| &it["id"]).collect();
    let set = fixture("small").display().to_string();
    let grader = accredit_tests::shipped("lenient-answer").display().to_string();
    let args = ["check", &grader, "--controls", &set, "--format", "json"];
    let report = bench.run(&args).exits(1).json();
    for requirement in report["decision"]["requirements"].as_array().expect("a list") {
        assert!(names.contains(&&requirement["id"]), "{requirement}");
    }
    for name in names {
        let name = name.as_str().expect("a name");
        let run = bench.run(&["explain", name]).exits(0);
        run.shows(&[
            &format!("{name}\n"),
            "Why",
            "How it is measured",
            "What the policy asks (built-in",
        ]);
        run.shows(&["code grader, gating: ", "judge grader, characterization: ", "How to meet it"]);
        let wide: Vec<_> = run.stdout.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{wide:#?}");
        let json = bench.run(&["explain", name, "--format", "json"]).exits(0).json();
        assert_eq!(json["id"], name);
    }
    bench.run(&["explain"]).exits(0).shows(&["known-bad ", "independent-authors ", "tells more"]);
}

#[test]
fn a_requirement_is_explained_by_the_policy_in_force() {
    let bench = Bench::new();
    let policy = repository().join("accredit.toml").display().to_string();
    let run = bench.run(&["explain", "held_out", "--policy", &policy]).exits(0);
    run.shows(&["waived", "this repository ships graders and controls together", &policy]);
    bench.write("accredit.toml", "[code.gating]\nknown_bad = 0.5\n");
    let run = bench.run(&["explain", "known-bad"]).exits(0);
    run.shows(&["a lower bound of at least 0.5", "5 with none wrong", "(accredit.toml)"]);
    bench.run(&["explain", "baselines"]).exits(0).shows(&["no policy may waive it"]);
}

#[test]
fn an_unknown_requirement_gets_a_suggestion() {
    let bench = Bench::new();
    bench.refuses(&["explain", "known-bda"], &["`known-bda`", "did you mean `known-bad`?"]);
    bench.refuses(&["explain", "zzz"], &["`zzz`", "`accredit explain` lists them all"]);
}

#[test]
fn help_lists_the_exit_codes_and_every_command() {
    let bench = Bench::new();
    let help = bench.run(&["--help"]).exits(0);
    assert_eq!(help.stderr, "");
    let text = help.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for code in [
        "0 met",
        "1 evaluated and not met",
        "2 usage or bad input",
        "3 not evaluated",
        "4 stale authority",
        "5 integrity",
    ] {
        assert!(text.contains(code), "{code} is not in {text}");
    }
    for command in ["run", "check", "report", "compare", "explain", "controls", "policy"] {
        assert!(help.stdout.contains(&format!("\n  {command} ")), "{command}");
        let of_command = bench.run(&[command, "--help"]).exits(0);
        of_command.shows(&["Usage: accredit "]);
    }
    bench.run(&["check", "--help"]).exits(0).shows(&["Exit 0", "--require <TIER>", "--out <DIR>"]);
    bench.run(&["--version"]).exits(0).shows(&["accredit "]);
}
