//! Verdicts on real work, end to end: a release goes, is blocked, or is unproven, and every exit code.

mod decide;
mod formats;

use std::fs;

use accredit_tests::bench::Run;
use accredit_tests::story::Story;
use serde_json::{Value, json};

/// Three cases, the last of two runs, each with a reference and one step; all answers are right.
const CASES: [(&str, &str, &str); 4] = [
    ("one", "one-1", "Answer: 42"),
    ("two", "two-1", "Answer: 42"),
    ("three", "three-1", "Answer: 42"),
    ("three", "three-2", "Answer: 42"),
];

fn record(case: &str, run: &str, answer: &str) -> Value {
    json!({
        "format": 1, "id": run, "case": case,
        "run": run.rsplit('-').next().and_then(|n| n.parse::<u32>().ok()).expect("a number"),
        "purpose": "acceptance",
        "ran": {"code_version": "abc123", "model": "m-1", "prompt_version": "7"},
        "steps": [{
            "id": "ask", "task": "What is six times seven?", "answer": answer, "reference": "42",
            "cost": 0.01, "latency_ms": 900
        }]
    })
}

fn put(story: &Story, run: &Value) {
    let name = format!("runs/{}.json", run["id"].as_str().expect("an id"));
    story.bench.write(&name, serde_json::to_string_pretty(run).expect("JSON"));
}

/// A repository with a promoted grader, run records and their inventory.
fn prepared() -> Option<Story> {
    let story = Story::promoted()?;
    select(&story);
    Some(story)
}

/// Puts the inventory and the records there.
fn select(story: &Story) {
    let mut inventory = "format = 1\ncost_unit = \"USD\"\n[selection]\nrule = \"all of the suite\"\n[[checks]]\ngrader = \"final-answer\"\n".to_owned();
    for case in ["one", "two", "three"] {
        let runs: Vec<_> =
            CASES.iter().filter(|it| it.0 == case).map(|it| format!("\"{}\"", it.1)).collect();
        let runs = runs.join(", ");
        inventory += &format!(
            "[[cases]]\ncase = \"{case}\"\npurpose = \"acceptance\"\nruns = [{runs}]\nsteps = [\"ask\"]\n"
        );
    }
    story.bench.write("runs/inventory.toml", inventory);
    for (case, run, answer) in CASES {
        put(story, &record(case, run, answer));
    }
}

fn gate(story: &Story, more: &[&str]) -> Run {
    story.run(&[&["gate", "--runs", "runs", "--register", "."], more].concat()).0
}

fn report(story: &Story, code: i32) -> Value {
    gate(story, &["--format", "json"]).exits(code).json()
}

#[test]
fn a_good_release_goes_and_the_report_says_by_which_policy() {
    let Some(story) = prepared() else { return };
    let run = gate(&story, &[]).exits(0);
    run.shows(&[
        "PASS: true",
        "3 cases: 3 passed, 0 failed",
        "policy version 1",
        "chance that this gate blocks a good release",
        "final-answer · gating",
        "decides on 4 steps",
    ]);
    let found = report(&story, 0);
    assert_eq!(found["release"]["verdict"], "true");
    let policy = found["policy"]["digest"].as_str().expect("a digest");
    assert!(policy.starts_with("blake3:"));
    assert_eq!(found["summary"]["pass_rate"], 1.0);
    assert_eq!(found["false_block"]["graders"][0]["decisions"], 4);
    assert!(found["graders"][0]["pass"]["of"].as_u64() > Some(20), "{}", found["graders"][0]);
    assert_eq!(found["versions"][0]["latency_ms"], 900.0);
}

#[test]
fn one_wrong_answer_in_one_run_blocks_and_is_named() {
    let Some(story) = prepared() else { return };
    put(&story, &record("three", "three-2", "Answer: 41"));
    let run = gate(&story, &[]).exits(1);
    run.shows(&[
        "BLOCKED: false",
        "three · three-2/ask · final-answer (code gating)",
        "matches-reference",
    ]);
    let found = report(&story, 1);
    assert_eq!(found["summary"]["failed"], 1);
    assert_eq!(found["trials"]["sometimes_fail"], json!(["three"]));
    assert_eq!(found["blocking"][0]["serious"], "essential");
}

#[test]
fn lost_evidence_is_unproven_never_green_and_no_failure_of_the_product() {
    let Some(story) = prepared() else { return };
    fs::remove_file(story.bench.path("runs/two-1.json")).expect("removes");
    gate(&story, &[]).exits(3).shows(&["UNPROVEN: undefined", "two: missing", "1 missing"]);
    let found = report(&story, 3);
    assert_eq!(found["release"]["verdict"], "undefined");
    let summary = &found["summary"];
    assert_eq!(
        (&summary["cases"], &summary["failed"], &summary["missing"]),
        (&json!(3), &json!(0), &json!(1))
    );
    // An answer that was not observed, and a check of a grader that is not there.
    let mut silent = record("two", "two-1", "");
    silent["steps"][0].as_object_mut().expect("a step").remove("answer");
    put(&story, &silent);
    assert_eq!(report(&story, 3)["summary"]["unproven"], 1);
    put(&story, &record("two", "two-1", "Answer: 42"));
    let inventory = story.bench.read("runs/inventory.toml");
    let more = inventory.replace("[[checks]]", "[[checks]]\ngrader = \"nobody\"\n[[checks]]");
    story.bench.write("runs/inventory.toml", more);
    let found = report(&story, 3);
    assert_eq!(found["not_evaluated"][0]["why"], "grader-missing");
    // A failure is told before what is missing.
    put(&story, &record("one", "one-1", "Answer: 41"));
    let _ = report(&story, 1);
}

#[test]
fn a_grader_that_went_stale_stops_blocking_and_the_gate_says_so() {
    let Some(story) = prepared() else { return };
    put(&story, &record("one", "one-1", "Answer: 41"));
    let _ = report(&story, 1);
    let path = story.bench.path("controls/known-bad.toml");
    let bytes = fs::read(&path).expect("reads");
    fs::write(&path, [bytes.as_slice(), b"#"].concat()).expect("writes");
    gate(&story, &[])
        .exits(4)
        .shows(&["stale: final-answer blocks no more", "the controls changed"]);
    let found = report(&story, 4);
    assert_eq!(found["release"]["verdict"], "undefined", "no gating grader is left");
    assert_eq!(
        (&found["blocking"], found["advisory"].as_array().map(Vec::len)),
        (&json!([]), Some(1))
    );
    let _ = gate(&story, &["--allow-stale"]).exits(3);
}

#[test]
fn a_grader_without_gating_authority_blocks_nothing() {
    let Some(story) = prepared() else { return };
    put(&story, &record("one", "one-1", "Answer: 41"));
    // Without the root pinned, nothing gates.
    let found = story.bench.run(&["gate", "--runs", "runs", "--format", "json"]).exits(4).json();
    assert_eq!(found["release"]["verdict"], "undefined");
    assert_eq!(found["graders"][0]["tier"], "characterization");
}

#[test]
fn a_report_that_was_kept_is_stale_under_another_policy() {
    let Some(story) = prepared() else { return };
    let _ = gate(&story, &["--format", "json", "--output", "gate.json"]).exits(0);
    let show = || story.run(&["gate", "--show", "gate.json"]).0;
    show().exits(0).shows(&["PASS: true"]);
    let policy = story.bench.read("accredit.toml");
    story.bench.write("accredit.toml", policy + "\n[gate]\npass_rate = 0.5\n");
    show().exits(4).shows(&["stale: made under policy"]);
    story.bench.write("other.json", "{}");
    story.run(&["gate", "--show", "other.json"]).refused(2, "is no report of a gate");
}

#[test]
fn records_are_permanent() {
    let Some(story) = prepared() else { return };
    story.bench.copy(&story.bench.path("runs"), "before");
    let mut later = record("one", "one-1", "Answer: 42");
    later["corrections"] =
        json!([{"at": "2026-11-30T22:00:00Z", "by": "ops", "what": "the clock was wrong"}]);
    put(&story, &later);
    let _ = gate(&story, &["--earlier", "before"]).exits(0);
    put(&story, &record("one", "one-1", "Answer: 42."));
    let run = gate(&story, &["--earlier", "before"]).exits(5);
    run.complains(&["run record `one-1` is not the original"]);
}

#[test]
fn every_fault_of_every_file_is_told_at_once() {
    let Some(story) = prepared() else { return };
    story.bench.bend("runs/inventory.toml", "purpose = \"acceptance\"", "purpose = \"acceptence\"");
    story.bench.bend("runs/one-1.json", "\"42\"", "42");
    let run = gate(&story, &[]).exits(2);
    run.complains(&[
        "runs/inventory.toml:",
        "did you mean `acceptance`?",
        "runs/one-1.json:",
        "reference",
    ]);
}

#[test]
fn another_version_is_compared_case_by_case() {
    let Some(story) = prepared() else { return };
    let _ = gate(&story, &["--format", "json", "--output", "v1.json"]).exits(0);
    put(&story, &record("one", "one-1", "Answer: 41"));
    let run = gate(&story, &["--against", "v1.json"]).exits(1);
    run.shows(&["3 of 3 -> 2 of 3 cases right", "not evaluated: one run of a case shows no noise"]);
    let found = gate(&story, &["--against", "v1.json", "--format", "json"]).exits(1).json();
    assert_eq!(found["comparison"]["lost"], json!(["one"]));
    assert_eq!(found["report"]["summary"]["failed"], 1);
    let markdown = ["--against", "v1.json", "--format", "markdown"];
    gate(&story, &markdown).exits(1).shows(&["3 of 3 -> 2 of 3 cases right", "right before alone"]);
    let page = gate(&story, &["--against", "v1.json", "--format", "html"]).exits(1).stdout;
    assert!(page.contains("id=\"compared\"") && page.contains("3 of 3 -&gt; 2 of 3"), "{page}");
    for format in ["junit", "github"] {
        let run = gate(&story, &["--against", "v1.json", "--format", format]).exits(2);
        run.complains(&["leave --against out"]);
    }
}

#[test]
fn a_result_that_is_kept_is_named_where_its_grader_loses_authority() {
    let Some(story) = prepared() else { return };
    let _ = gate(&story, &["--keep"]);
    let kept = fs::read_dir(story.bench.path(".accredit/gates")).expect("a folder").count();
    assert_eq!(kept, 1);
    let wasm = story.bench.path("graders/g.wasm");
    let bytes = fs::read(&wasm).expect("reads");
    fs::write(&wasm, [bytes.as_slice(), &[0, 2, 1, b'x']].concat()).expect("writes");
    let told = story.run(&["failures", "--format", "json"]).0;
    let failures: Value = serde_json::from_str(&told.stdout).expect("JSON");
    let lost = &failures["graders"][0]["lost"];
    assert_eq!(lost["rested"].as_array().map(Vec::len), Some(1), "{failures}");
    assert_eq!(lost["unread"], 0, "{failures}");
    let shown = story.run(&["failures"]).0.stdout;
    assert!(shown.contains(lost["rested"][0].as_str().expect("a name")), "{shown}");
}

#[test]
fn nothing_that_a_gate_reads_is_overwritten() {
    let Some(story) = prepared() else { return };
    let _ = gate(&story, &["--format", "json", "--output", "kept.json"]).exits(0);
    story.bench.write("profile.toml", "format = 1\nname = \"p\"\n");
    let before = story.bench.files();
    for output in [
        "runs/one-1.json",
        "runs/new.json",
        "runs/inventory.toml",
        "accredit.toml",
        "graders/g.wasm",
        "profile.toml",
        "kept.json",
        ".accredit/root.toml",
        ".accredit/ledger/final-answer.jsonl",
    ] {
        let more = ["--profile", "profile.toml", "--against", "kept.json", "-o", output];
        let run = gate(&story, &more).exits(2);
        assert!(run.stderr.contains(output), "{run:#?}");
        assert!(story.bench.files() == before, "{output} was written");
    }
    story.run(&["gate", "--show", "kept.json", "-o", "kept.json"]).refused(2, "kept.json");
}

#[test]
fn a_report_of_a_promotion_that_is_gone_is_no_missing_measurement() {
    let Some(story) = prepared() else { return };
    let ledger = story.bench.read(".accredit/ledger/final-answer.jsonl");
    let statement = ledger.split("\"statement\":\"blake3:").nth(1).expect("a promotion");
    let object = |digest: &str| {
        let name = format!(".accredit/objects/{}/{}", &digest[..2], &digest[2..64]);
        let flat = format!(".accredit/objects/{}", &digest[..64]);
        if story.bench.path(&name).exists() { name } else { flat }
    };
    let statement: Value =
        serde_json::from_str(&story.bench.read(&object(statement))).expect("JSON");
    let report = statement["predicate"]["evidence"]["report"].as_str().expect("a digest");
    fs::remove_file(story.bench.path(&object(&report["blake3:".len()..]))).expect("removes");
    gate(&story, &[]).exits(5).complains(&["was promoted on is gone from the register"]);
}

#[test]
fn a_file_name_is_no_command_and_a_key_stands_once() {
    let Some(story) = prepared() else { return };
    story.bench.write("runs/\n::error title=x::.json", "{");
    let run = gate(&story, &[]).exits(2);
    assert!(!run.stderr.lines().any(|line| line.trim_start().starts_with("::")), "{run:#?}");
    fs::remove_file(story.bench.path("runs/\n::error title=x::.json")).expect("removes");
    let twice = record("one", "one-1", "Answer: 42").to_string();
    let twice = twice.replace("\"model\":\"m-1\"", "\"settings\":{\"a\":99,\"a\":1}");
    story.bench.write("runs/one-1.json", twice);
    gate(&story, &[]).exits(2).complains(&["holds the key", "twice"]);
}
