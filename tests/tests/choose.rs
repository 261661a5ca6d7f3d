//! Authors run some of the controls: by a pattern, or those that were wrong. Such a run shows what it shows,
//! and promotes nothing.

use std::collections::BTreeSet;

use accredit_tests::bench::{Bench, CHECK, Run};
use accredit_tests::{repository, shipped};
use serde_json::Value;

/// `check` of everything on a sound bench, with more arguments.
fn check(bench: &Bench, more: &[&str]) -> Run {
    bench.run(&[&CHECK, more].concat())
}

fn report(bench: &Bench) -> Value {
    serde_json::from_str(&bench.read("left/report.json")).expect("JSON")
}

/// The controls of a record, by id.
fn controls(record: &str) -> BTreeSet<String> {
    let started = record.lines().find(|line| line.starts_with("{\"run-started\":"));
    let started: Value = serde_json::from_str(started.expect("a start")).expect("JSON");
    let controls = started["run-started"]["controls"].as_array().expect("a list").clone();
    let ids = controls.iter().map(|it| it["id"].as_str().expect("an id").to_owned());
    ids.collect::<BTreeSet<_>>()
}

#[test]
fn patterns_choose() {
    let table: [(&[&str], &[&str]); 7] = [
        (&["digit"], &["kb-digits-inside", "nm-digit-pass", "nm-digit-fail"]),
        (&["hp-*"], &["hp-detour", "hp-terse"]),
        (&["kind=regression"], &["rg-year"]),
        (&["rule=one-answer"], &["kb-two-answers", "ad-dump"]),
        (&["tactic=answer-dump", "kg-marked"], &["kg-marked", "ad-dump"]),
        (&["iv-reworded"], &["iv-base", "iv-reworded"]),
        (&["kind=real-*"], &["ro-1", "ro-2", "ro-3"]),
    ];
    for (patterns, ids) in table {
        let bench = Bench::sound();
        let args: Vec<_> = patterns.iter().flat_map(|it| ["--controls-filter", it]).collect();
        let run = check(&bench, &args);
        assert!(run.code == 1 || run.code == 3, "{run:#?}");
        let expected = ids.iter().map(|id| (*id).to_owned()).collect();
        assert_eq!(controls(&bench.read("left/record.jsonl")), expected, "{patterns:?}");
        let report = report(&bench);
        assert_eq!(report["only"]["filters"], serde_json::json!(patterns));
        assert_eq!(report["only"]["of"], 25, "{patterns:?}");
        run.shows(&[
            &format!("PART: {} of 25 controls were run", ids.len()),
            &format!("chosen: {}", patterns.join(", ")),
        ]);
    }
}

#[test]
fn a_pattern_that_chooses_nothing_says_what_there_is() {
    let bench = Bench::sound();
    for (pattern, told) in [
        ("kind=known-bda", &["none of the 25 controls", "Did you mean `known-bad`?"][..]),
        ("kb-blnk", &["Did you mean `kb-blank`?"]),
        ("tactic=zzzz", &["There is tactic: ", "answer-dump"]),
        ("knd=known-bad", &["no control has such a key", "kind=, rule=, tactic= or family="]),
        ("", &["an empty pattern"]),
    ] {
        let args = [&CHECK[..], &["--controls-filter", "kb-*", "--controls-filter", pattern]];
        bench.refuses(&args.concat(), told);
    }
    let held_out = ["--controls-filter", "kb-*", "--held-out", "set"];
    bench.refuses(&[&CHECK[..], &held_out].concat(), &["cannot be used with", "--held-out"]);
}

#[test]
fn a_part_promotes_nothing_however_right_it_is() {
    let (grader, set) = (shipped("final-answer"), repository().join("controls/final-answer"));
    let policy = repository().join("accredit.toml");
    let path = |path: &std::path::Path| path.display().to_string();
    let bench = Bench::new();
    let (grader, set, policy) = (path(&grader), path(&set), path(&policy));
    let args = ["check", &grader, "--controls", &set, "--policy", &policy, "--out", "left"];
    for tier in ["characterization", "gating"] {
        let all = ["--controls-filter", "*", "--require", tier];
        let run = bench.run(&[&args[..], &all].concat()).exits(3);
        run.shows(&[
            "PART: 333 of 333 controls were run",
            "promotes nothing",
            "all of them are right",
        ]);
        assert!(!run.stdout.contains("ELIGIBLE"), "{run:#?}");
    }
    let report = report(&bench);
    let decision = &report["decision"];
    assert_eq!(decision["eligible_tier"], "advisory");
    for requirement in decision["requirements"].as_array().expect("a list") {
        assert_eq!(requirement["met"], Value::Null, "{requirement}");
    }
    let whole = decision["requirements"].as_array().expect("a list");
    let whole = whole.iter().find(|it| it["id"] == "reproducible").expect("there");
    assert_eq!(whole["measured"]["fact"], "a part of the controls was run");
    // The record says so, whoever derives the report.
    let again = bench.run(&["report", "left/record.jsonl", "--format", "json"]).exits(3);
    assert_eq!(again.stdout, bench.read("left/report.json"));
}

#[test]
fn what_is_wrong_in_a_part_is_wrong() {
    let bench = Bench::sound();
    let _ = check(&bench, &["--controls-filter", "kb-digits-inside"]).exits(1);
    let _ = check(&bench, &["--controls-filter", "kb-blank"]).exits(3);
}

#[test]
fn a_trial_of_a_part_is_the_trial_of_the_whole() {
    let bench = Bench::sound();
    let _ = check(&bench, &[]).exits(1);
    let whole = bench.read("left/record.jsonl");
    let _ = check(&bench, &["--controls-filter", "rg-year"]).exits(1);
    let part = bench.read("left/record.jsonl");
    let of = |record: &str| {
        let of_it = |line: &&str| line.starts_with("{\"trial-finished\":{\"control\":\"rg-year\"");
        let mut trials: Vec<_> = record.lines().filter(of_it).map(str::to_owned).collect();
        trials.sort();
        trials
    };
    assert_eq!(of(&whole).len(), 3);
    assert_eq!(of(&whole), of(&part));
}

#[test]
fn what_was_wrong_is_run_again_as_it_is_now() {
    let bench = Bench::sound();
    let _ = check(&bench, &[]).exits(1);
    let wrong = bench.read("left/report.json");
    let wrong: Value = serde_json::from_str(&wrong).expect("JSON");
    let mut ids: BTreeSet<_> = ["false_passes", "false_fails", "wrong_rule", "undecided"]
        .iter()
        .flat_map(|list| wrong[list].as_array().expect("a list"))
        .map(|miss| miss["id"].as_str().expect("an id").to_owned())
        .collect();
    bench.copy(&bench.path("left"), "before");
    // One of them is mended, one is gone, and the grader is another.
    bench.bend("set/known-bad.toml", "Answer: 180", "Answer: 181");
    bench.bend("set/regression.toml", "id = \"rg-year\"", "id = \"rg-other\"");
    bench.write("g.wasm", std::fs::read(shipped("final-answer")).expect("reads"));
    let run = check(&bench, &["--rerun-failed", "before", "--require", "gating"]);
    run.complains(&["wrong in before/record.jsonl and no longer among the controls: rg-year"]);
    let again = controls(&bench.read("left/record.jsonl"));
    ids.retain(|id| id != "rg-year");
    assert_eq!(again, ids);
    let report = report(&bench);
    assert_eq!(report["only"]["failed_in"], wrong["digests"]["record"]);
    run.shows(&["PART: ", "wrong in record "]);
    // With a pattern as well, those of them that match.
    let both = ["--rerun-failed", "before/record.jsonl", "--controls-filter", "kind=adversarial"];
    let _ = check(&bench, &both);
    let adversarial = controls(&bench.read("left/record.jsonl"));
    assert!(!adversarial.is_empty() && adversarial.iter().all(|id| id.starts_with("ad-")));
}

#[test]
fn nothing_to_run_again_is_not_evaluated() {
    let bench = Bench::sound();
    let _ = check(&bench, &["--controls-filter", "kb-blank"]).exits(3);
    bench.copy(&bench.path("left"), "before");
    let run = check(&bench, &["--rerun-failed", "before"]).exits(3);
    run.complains(&["no control was wrong in it", "nothing to run again"]);
    assert_eq!(run.stdout, "");
    let _ = check(&bench, &[]).exits(1);
    bench.copy(&bench.path("left"), "before");
    let none = ["--rerun-failed", "before", "--controls-filter", "kb-blank"];
    let run = check(&bench, &none).exits(3);
    run.complains(&["none is chosen", "nothing to run again"]);
}

#[test]
fn a_record_of_another_rubric_or_none() {
    let bench = Bench::sound();
    let loans = repository().join("controls/loan-ratios").display().to_string();
    let grader = shipped("loan-ratios").display().to_string();
    let args = ["check", &grader, "--controls", &loans, "--out", "loans", "--require", "advisory"];
    let _ = bench.run(&args).exits(0);
    for (record, told) in [
        (
            "loans",
            &["a record for the rubric `loan-ratios`", "controls are for `final-answer`"][..],
        ),
        ("nowhere.jsonl", &["nowhere.jsonl", "cannot be read"]),
        ("set/set.toml", &["set/set.toml", "no run record"]),
    ] {
        bench.refuses(&[&CHECK[..], &["--rerun-failed", record]].concat(), told);
    }
}
