//! Verification: every promise is checked, each can break and is named when it does, parts come to the whole, and
//! what was acknowledged stays when a verification is killed.

mod broken;
mod held_out;
mod killed;

use std::fs;

use accredit_core::id::GraderName;
use accredit_core::verification::Part;
use accredit_tests::bench::Run;
use accredit_tests::shipped;
use accredit_tests::story::Story;
use serde_json::Value;

const GRADER: &str = "final-answer";

fn name(text: &str) -> GraderName {
    text.parse().expect("an id")
}

/// A part that holds the grader and not the checks of the register as a whole: its probes take their time.
fn part() -> String {
    let parts = (2..9).map(|of| Part { part: of, of });
    let part = parts.into_iter().find(|part| part.holds(&name(GRADER))).expect("a part");
    part.to_string()
}

/// Verifies the grader alone, and what the last line of standard output says.
fn verify(story: &Story, more: &[&str]) -> (Run, String) {
    let part = part();
    let run = story.run(&[&["verify", "--partition", &part], more].concat()).0;
    let last = run.stdout.lines().last().unwrap_or_default().to_owned();
    let verdicts =
        run.stdout.lines().filter(|it| it.starts_with("PASS") || it.starts_with("FAIL:"));
    assert_eq!(verdicts.count(), 1, "one line that says so: {run:#?}");
    (run, last)
}

/// Standard output with its lines joined: they are broken for a terminal.
fn shown(run: &Run) -> String {
    run.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The verification fails with this line and exit code, and says this.
#[track_caller]
fn fails(story: &Story, more: &[&str], code: i32, line: &str, says: &str) {
    let (run, last) = verify(story, more);
    let shown = shown(&run);
    assert_eq!((run.code, last.as_str()), (code, line), "{run:#?}");
    assert!(shown.contains(says), "{says:?} is not in {shown}");
}

#[track_caller]
fn passes(story: &Story, more: &[&str]) -> Run {
    let (run, last) = verify(story, more);
    assert_eq!((run.code, last.as_str()), (0, "PASS"), "{run:#?}");
    run
}

/// Registers a second grader, which nobody promoted.
fn second(story: &Story) {
    story.bench.write("graders/l.wasm", fs::read(shipped("lenient-answer")).expect("reads"));
    let key = story.key("greta");
    let args = ["register", "graders/l.wasm", "--controls", "controls", "--wrote", "grader"];
    let _ = story.run(&[&args[..], &["--key", &key]].concat()).met();
}

#[test]
fn a_sound_register_passes_and_a_reader_writes_nothing() {
    let Some(story) = Story::promoted() else { return };
    second(&story);
    let before = story.bench.files();
    let run = story.run(&["verify"]).met();
    assert_eq!(run.stdout.lines().last(), Some("PASS"));
    let shown = shown(&run);
    for says in [
        "final-answer · promoted to gating",
        "reproducible-record: the same record, byte for byte",
        "of 18 requirements 16 are met, 2 waived",
        // Never promoted: run and told, and no reason to fail.
        "lenient-answer · claims nothing",
        "this run reaches advisory",
        "it was never promoted",
        "sandbox-holds: all 28 probes held",
    ] {
        assert!(shown.contains(says), "{says:?} is not in {shown}");
    }
    assert!(before == story.bench.files(), "nothing is written without a key");
}

#[test]
fn parts_on_other_machines_come_to_the_same_bytes() {
    let Some(story) = Story::promoted() else { return };
    second(&story);
    let whole = story.run(&["verify", "--format", "json", "--jobs", "4"]).met().stdout;
    let value: Value = serde_json::from_str(&whole).expect("JSON");
    assert_eq!(value["summary"], "PASS");
    assert_eq!(value["graders"].as_array().map(Vec::len), Some(2));
    let mut files = Vec::new();
    for part in 1..=3 {
        let (part, file) = (format!("hash:{part}/3"), format!("part-{part}.json"));
        let args = ["verify", "--partition", &part, "--out", &file, "--jobs", "1"];
        let _ = story.run(&args).met();
        files.push(file);
    }
    let merge = |files: &[&str], more: &[&str]| story.run(&[&["merge"], files, more].concat());
    let all: Vec<&str> = files.iter().map(String::as_str).collect();
    let merged = merge(&[all[2], all[0], all[1]], &["--format", "json", "--out", "w.json"]).met();
    assert!(merged.stdout == whole, "{}\n{}", merged.stdout, whole);
    assert!(story.bench.read("w.json") == whole);
    assert_eq!(merge(&all, &[]).met().stdout.lines().last(), Some("PASS"));
    let github = merge(&all, &["--format", "github"]).met();
    assert!(github.stdout.ends_with("\nPASS\n") && !github.stdout.contains("::error"));
    let junit = merge(&all, &["--format", "junit"]).met();
    assert!(junit.stdout.contains("failures=\"0\""), "{}", junit.stdout);
    merge(&all[..2], &[]).refused(2, "part 3 of 3 is missing");
    merge(&[all[0], all[1], all[1]], &[]).refused(2, "part-2.json: is part 2 of 3, and so is");
    merge(&["w.json"], &[]).refused(2, "w.json: is no part");
    merge(&["accredit.toml"], &[]).refused(2, "is no part of a verification");
    // One of another state: the register has one more entry.
    let _ = story.register("grader", "greta").met();
    let _ = story.run(&["verify", "--partition", "hash:2/3", "--out", "part-2.json"]);
    merge(&all, &[]).refused(2, "the ledger of `final-answer` differs");
    story.bench.bend("part-1.json", "\"summary\": \"PASS\"", "\"summary\": \"PASS!\"");
    merge(&all, &[]).refused(5, "part-1.json: it says");
}

#[test]
fn a_verifier_tells_the_ledger_and_keeps_what_it_saw() {
    let Some(story) = Story::promoted() else { return };
    second(&story);
    let key = story.key("robot");
    let run = passes(&story, &["--key", &key]);
    assert!(run.stdout.contains("appended to its ledger: verified"), "{}", run.stdout);
    let book = story.bench.read(".accredit/ledger/final-answer.verified.jsonl");
    let entry: Value = serde_json::from_str(&book).expect("one line of JSON");
    let payload = &entry["payload"];
    assert_eq!((&payload["kind"], &payload["held"]), (&"verified".into(), &"gating".into()));
    assert_eq!(entry["signatures"].as_array().map(Vec::len), Some(1));
    for what in ["record", "report"] {
        let hex =
            payload[what].as_str().expect("a digest").trim_start_matches("blake3:").to_owned();
        let object = format!(".accredit/objects/{}/{}", &hex[..2], &hex[2..]);
        assert_eq!(blake3::hash(&story.bench.files()[&object]).to_hex().as_str(), hex);
    }
    assert_eq!(story.tier(), "gating");
    // The next one finds that one in the ledger, and keeps nothing twice.
    let objects = |story: &Story| {
        let files = story.bench.files();
        files.keys().filter(|name| name.starts_with(".accredit/objects/")).count()
    };
    let before = objects(&story);
    let _ = passes(&story, &["--key", &key]);
    assert_eq!(objects(&story), before);
    assert!(passes(&story, &[]).stdout.contains("last verified 2"));
    // Who is no verifier finds that out before anything is run; so does who pins no root.
    let told = story.run(&["verify", "--key", &story.key("paula")]);
    told.refused(2, "may not sign for `verified.v1@accredit`");
    let unpinned = story.bench.run(&["verify", "--key", &key]).exits(2);
    assert!(unpinned.stderr.contains("give --root-digest"), "{unpinned:#?}");
    story.run(&["verify", "nobody"]).refused(2, "`nobody` is not registered here");
    assert_eq!(book.lines().count(), 1);
}

#[test]
fn damage_in_one_ledger_is_told_and_the_others_are_verified() {
    let Some(story) = Story::promoted() else { return };
    second(&story);
    let path = story.bench.path(".accredit/ledger/lenient-answer.jsonl");
    let text = fs::read_to_string(&path).expect("reads");
    fs::write(&path, text.replace("\"greta\"", "\"grete\"").replace("blake3:1", "blake3:2") + " ")
        .expect("writes");
    let run = story.run(&["verify"]).0.exits(5);
    assert_eq!(run.stdout.lines().last(), Some("FAIL: ledger-intact"), "{run:#?}");
    let shown = shown(&run);
    assert!(shown.contains("FAIL ledger-intact: ledger of `lenient-answer`"), "{shown}");
    assert!(shown.contains("final-answer · promoted to gating"), "{shown}");
    assert!(shown.contains("ok reproducible-record: the same record, byte for byte"), "{shown}");
}

#[test]
fn the_schema_is_the_published_one() {
    let Some(story) = Story::new() else { return };
    let printed = story.run(&["verify", "--schema"]).met().stdout;
    let published = accredit_tests::repository().join("host/cli/schemas/verification.schema.json");
    assert!(printed == fs::read_to_string(published).expect("is published"));
}

#[test]
fn a_register_without_graders_is_not_verified() {
    let Some(story) = Story::new() else { return };
    let run = story.run(&["verify"]).0.exits(1);
    assert_eq!(run.stdout.lines().last(), Some("FAIL: absence-is-never-green"), "{run:#?}");
}

#[test]
fn a_file_to_write_into_is_looked_at_before_anything_is_run() {
    let Some(story) = Story::promoted() else { return };
    let folder = story.bench.path("controls");
    let out = folder.display().to_string();
    let run = story.run(&["verify", "--out", &out]).0.exits(3);
    assert_eq!(run.stdout, "");
}
