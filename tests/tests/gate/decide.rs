//! A person's word on a release that only a judge blocks, where the gate may too easily be wrong.

use std::fs;
use std::process::Command;

use accredit_tests::story::Story;
use serde_json::Value;

use super::{gate, put, record, report, select};

/// What a judge is asked beside what a code grader is, and this repository cannot show.
const AGREEMENT: &str = "
[[waiver]]
tier = \"gating\"
requirement = \"real-output-agreement\"
reason = \"no outputs labelled by people here\"
";

/// A repository whose policy says that the grader holds a model of its own: it is a judge. One answer is wrong.
fn judged() -> Option<Story> {
    let story = Story::under(|policy| {
        let judges = "version = 1\njudges = [\"final-answer\"]";
        policy.replacen("version = 1", judges, 1) + AGREEMENT
    })?;
    story.promote();
    select(&story);
    put(&story, &record("three", "three-2", "Answer: 41"));
    Some(story)
}

/// Where the words of persons stand, among all else that was entered.
const LEDGER: &str = ".accredit/ledger/final-answer.jsonl";

/// How many words of persons there are.
fn words(story: &Story) -> usize {
    story.bench.read(LEDGER).matches("\"kind\":\"decided\"").count()
}

/// The report of the gate as it is now, in a file.
fn kept(story: &Story) -> String {
    let _ = gate(story, &["--format", "json", "--output", "read.json"]);
    "read.json".to_owned()
}

fn decide(story: &Story, report: &str, choice: &str, by: &str) -> accredit_tests::story::Told {
    let because = ["--because", "read it: 41 is what the customer asked to see"];
    let key = story.key(by);
    let decide = ["decide", report, "--runs", "runs", choice];
    story.run(&[&decide[..], &because, &["--key", &key]].concat())
}

#[test]
fn a_judges_fail_blocks_pending_a_person_who_lets_it_go_or_holds_it() {
    let Some(story) = judged() else { return };
    let run = gate(&story, &[]).exits(1);
    run.shows(&["BLOCKED: false, pending a person", "(judge gating)", "accredit decide REPORT"]);
    let found = report(&story, 1);
    assert_eq!(found["blocking"][0]["pending_person"], true);
    let kept = kept(&story);

    // Who wrote the grader, and who may not promote, cannot; and nothing is left of the attempt.
    decide(&story, &kept, "--release", "greta")
        .refused(2, "may not sign for `decided.v1@accredit`");
    assert_eq!(words(&story), 0);

    decide(&story, &kept, "--release", "paula").met().shows(&["paula lets it go"]);
    let run = gate(&story, &[]).exits(0);
    run.shows(&["PASS: true, let go by a person", "let go by paula at", "41 is what the customer"]);
    let found = report(&story, 0);
    assert_eq!(
        (&found["decided"]["by"], &found["decided"]["choice"]),
        (&"paula".into(), &"release".into())
    );
    assert_eq!(found["summary"]["failed"], 1, "it failed, and stays counted");
    assert_eq!(found["let_go"].as_array().map(Vec::len), Some(1));

    // Another answer is another gate: the word is of no use there.
    put(&story, &record("three", "three-2", "Answer: 43"));
    let found = report(&story, 1);
    assert_eq!(found["decided"], Value::Null);
    put(&story, &record("three", "three-2", "Answer: 41"));

    // A later word holds it.
    decide(&story, &self::kept(&story), "--hold", "pete").met();
    gate(&story, &[]).exits(1).shows(&["BLOCKED: false", "held by pete"]);
}

#[test]
fn a_word_is_checked_by_anyone_and_none_is_taken_out_or_changed_unseen() {
    let Some(story) = judged() else { return };
    let kept = kept(&story);
    decide(&story, &kept, "--release", "paula").met();
    let ledger = story.bench.read(LEDGER);
    // With ssh-keygen alone, as anyone would: the payload as it stands in the line, and the signature beside it.
    let line = ledger.lines().last().expect("a line");
    let (_, rest) = line.split_once("\"payload\":").expect("a payload");
    let (payload, _) = rest.split_once(",\"signatures\":").expect("its end");
    let whole: Value = serde_json::from_str(line).expect("JSON");
    let signature = story.bench.path("word.sig");
    fs::write(&signature, whole["signatures"][0].as_str().expect("a signature")).expect("writes");
    story.bench.write("word", payload);
    let told = Command::new("ssh-keygen")
        .args(["-Y", "verify", "-n", "decided.v1@accredit", "-I", "paula", "-s"])
        .arg(&signature)
        .arg("-f")
        .arg(story.bench.path(".accredit/allowed_signers"))
        .stdin(fs::File::open(story.bench.path("word")).expect("opens"))
        .output()
        .expect("runs");
    assert!(told.status.success(), "{told:?}");
    // It names the report that was read, which is kept.
    let digest = blake3::hash(&fs::read(story.bench.path(&kept)).expect("reads"));
    assert_eq!(whole["payload"]["report"], format!("blake3:{}", digest.to_hex()));
    story.run(&["ledger", "show", "final-answer"]).met().shows(&["decided", "release of gate"]);

    decide(&story, &self::kept(&story), "--hold", "pete").met();
    let held = story.bench.read(LEDGER);
    for (changed, says) in [
        (ledger.clone(), "entries were cut off"),
        (held.replace("\"choice\":\"hold\"", "\"choice\":\"release\""), "ledger"),
    ] {
        assert_ne!(changed, held);
        story.bench.write(LEDGER, changed);
        gate(&story, &[]).exits(5).complains(&[says]);
    }
    story.bench.write(LEDGER, held);
    gate(&story, &[]).exits(1).shows(&["held by pete"]);
}

#[test]
fn a_word_is_on_the_report_that_the_gate_comes_to_and_on_no_other() {
    let Some(story) = judged() else { return };
    let kept = kept(&story);
    story.bench.bend(&kept, "What is six times seven?", "What is the answer?");
    decide(&story, &kept, "--release", "paula").refused(5, "otherwise are: texts");
    let kept = self::kept(&story);
    put(&story, &record("one", "one-1", "Answer: 40"));
    decide(&story, &kept, "--release", "paula")
        .refused(5, "is not what the gate over runs comes to");
    assert_eq!(words(&story), 0);
}

#[test]
fn no_word_is_taken_on_what_does_not_wait_for_a_person() {
    let Some(story) = super::prepared() else { return };
    // A code grader's failure.
    put(&story, &record("three", "three-2", "Answer: 41"));
    let blocked = kept(&story);
    decide(&story, &blocked, "--release", "paula").refused(1, "does not wait for a person");
    // Missing evidence.
    put(&story, &record("three", "three-2", "Answer: 42"));
    fs::remove_file(story.bench.path("runs/two-1.json")).expect("removes");
    let open = kept(&story);
    decide(&story, &open, "--release", "paula").refused(1, "nobody evaluated");
    // A release that passes is approved by the same word, and held by it.
    put(&story, &record("two", "two-1", "Answer: 42"));
    let passes = kept(&story);
    decide(&story, &passes, "--release", "paula").met();
    gate(&story, &[]).exits(0).shows(&["PASS: true", "approved by paula"]);
    decide(&story, &passes, "--hold", "pete").met();
    gate(&story, &[]).exits(1).shows(&["BLOCKED: false", "held by pete"]);
    decide(&story, &passes, "--release", "paula").met();
    // Under another policy nothing of it holds.
    let policy = story.bench.read("accredit.toml");
    story.bench.write("accredit.toml", policy + "\n[gate]\npass_rate = 0.5\n");
    decide(&story, &passes, "--release", "paula").refused(4, "stale: made under policy");
    let empty = [
        "decide",
        &passes,
        "--runs",
        "runs",
        "--release",
        "--because",
        " ",
        "--key",
        &story.key("paula"),
    ];
    story.run(&empty).refused(2, "--because is empty");
}
