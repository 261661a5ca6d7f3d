//! Each promise broken, and named.

use std::fs;

use accredit::store::Writing;
use accredit_core::ledger::{FailureNote, Moment, Noted, Payload, V1};
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::Verdict;
use accredit_tests::story::Story;
use serde_json::Value;

use super::{GRADER, fails, name, passes, shown, verify};

/// Changes a file while something is done.
fn while_changed(story: &Story, file: &str, change: impl Fn(Vec<u8>) -> Vec<u8>, then: impl Fn()) {
    let path = story.bench.path(file);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    fs::write(&path, change(bytes.clone())).expect("writes");
    then();
    fs::write(&path, bytes).expect("writes");
}

/// The object of this digest, by its path.
fn object(digest: &Value) -> String {
    let hex = digest.as_str().expect("a digest").trim_start_matches("blake3:");
    format!(".accredit/objects/{}/{}", &hex[..2], &hex[2..])
}

/// The payload of an entry of the grader's ledger.
fn payload(story: &Story, entry: usize) -> Value {
    let text = story.bench.read(".accredit/ledger/final-answer.jsonl");
    let line: Value =
        serde_json::from_str(text.lines().nth(entry - 1).expect("it is there")).expect("JSON");
    line["payload"].clone()
}

#[test]
fn what_is_not_whole_breaks_ledger_intact() {
    let Some(story) = Story::promoted() else { return };
    const BROKE: &str = "FAIL: ledger-intact";
    let flip = |mut bytes: Vec<u8>| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        bytes
    };
    let promoted = payload(&story, 3);
    assert_eq!(promoted["kind"], "promoted");
    while_changed(&story, ".accredit/ledger/final-answer.jsonl", flip, || {
        fails(&story, &[], 5, BROKE, "ledger of `final-answer`");
    });
    // Bytes that nobody acknowledged.
    let torn = |bytes: Vec<u8>| [bytes.as_slice(), b"{\"seq\":4,"].concat();
    while_changed(&story, ".accredit/ledger/final-answer.jsonl", torn, || {
        fails(&story, &[], 5, BROKE, "is not acknowledged");
    });
    while_changed(&story, &object(&promoted["signatures"][0]), flip, || {
        fails(&story, &[], 5, BROKE, "its bytes are not those that it is named by");
    });
    let report = {
        let statement: Value =
            serde_json::from_str(&story.bench.read(&object(&promoted["statement"]))).expect("JSON");
        object(&statement["predicate"]["evidence"]["report"])
    };
    let kept = story.bench.read(&report);
    fs::remove_file(story.bench.path(&report)).expect("removes");
    fails(&story, &[], 5, BROKE, "report, as signed, blake3:");
    story.bench.write(&report, kept);
    // The register's trust: its first part tells what, the others that nothing can be told.
    while_changed(
        &story,
        ".accredit/root.toml",
        |bytes| [bytes.as_slice(), b"#"].concat(),
        || {
            fails(&story, &[], 5, BROKE, "whose word counts in this register is not known");
            let run = story.run(&["verify", "--partition", "hash:1/1"]).0.exits(5);
            assert_eq!(run.stdout.lines().last(), Some(BROKE), "{run:#?}");
            assert!(run.stdout.contains("root.toml"), "{run:#?}");
        },
    );
    let _ = passes(&story, &[]);
}

#[test]
fn authority_that_changed_bytes_took_away_is_stale() {
    let Some(story) = Story::promoted() else { return };
    let more = |bytes: Vec<u8>| [bytes.as_slice(), b"#"].concat();
    let wasm = |bytes: Vec<u8>| [bytes.as_slice(), &[0, 2, 1, b'x']].concat();
    while_changed(&story, "graders/g.wasm", wasm, || {
        fails(&story, &[], 4, "FAIL: authority-follows-digest", "is not the one that was promoted");
    });
    while_changed(&story, "controls/known-bad.toml", more, || {
        fails(&story, &[], 4, "FAIL: authority-follows-digest", "the controls changed");
    });
    while_changed(&story, "accredit.toml", more, || {
        let line = "FAIL: authority-follows-digest, no-authority-without-sign-off";
        fails(&story, &[], 4, line, "the policy changed");
    });
    let moved = (story.bench.path("controls"), story.bench.path("elsewhere"));
    fs::rename(&moved.0, &moved.1).expect("moves");
    fails(&story, &[], 4, "FAIL: authority-follows-digest", "cannot be read as they lie there");
    fs::rename(&moved.1, &moved.0).expect("moves");
    let _ = passes(&story, &[]);
}

#[test]
fn without_a_pinned_root_nobody_signed_who_may() {
    let Some(mut story) = Story::promoted() else { return };
    story.root.clear();
    let line = "FAIL: no-authority-without-sign-off";
    fails(&story, &[], 4, line, "the root of trust is not pinned");
}

/// Appends an entry to the grader's ledger, as whoever can write the repository could.
fn append(story: &Story, payload: &str) {
    let mut writing = Writing::open(&story.bench.path("")).expect("the register opens");
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("now");
    let now = Moment::from_seconds(i64::try_from(seconds.as_secs()).expect("this era"));
    writing.append(payload, &[], now.expect("a moment")).expect("an entry");
}

#[test]
fn a_signer_who_turns_out_to_be_an_author_certified_themselves() {
    let Some(story) = Story::promoted() else { return };
    let mut registered = payload(&story, 1);
    registered["authors"] = serde_json::json!(["paula"]);
    append(&story, &registered.to_string());
    let (run, last) = verify(&story, &[]);
    assert_eq!(run.code, 1, "{run:#?}");
    assert!(last.contains("no-self-certification"), "{last}");
    assert!(run.stdout.contains("paula wrote the grader"), "{run:#?}");
}

#[test]
fn what_was_revoked_claims_nothing() {
    let Some(story) = Story::promoted() else { return };
    let component = payload(&story, 3)["component"].clone();
    let revoked = serde_json::json!({
        "kind": "revoked", "v": 1, "grader": GRADER, "component": component,
        "at": "2026-11-30T22:00:00Z", "reason": "found wanting",
    });
    append(&story, &revoked.to_string());
    let run = passes(&story, &["--key", &story.key("robot")]);
    assert!(run.stdout.contains("final-answer · claims nothing"), "{run:#?}");
    assert!(run.stdout.contains("found wanting"), "{run:#?}");
    assert!(!run.stdout.contains("appended"), "{run:#?}");
}

#[test]
fn a_run_that_does_not_repeat_takes_authority_until_one_does() {
    let Some(story) = Story::promoted() else { return };
    let key = story.key("robot");
    let other = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).expect("text");
        assert!(text.contains("seed = 0"), "{text}");
        text.replace("seed = 0", "seed = 7").into_bytes()
    };
    while_changed(&story, ".accredit/graders/final-answer.toml", other, || {
        fails(
            &story,
            &["--key", &key],
            1,
            "FAIL: reproducible-record",
            "appended to its ledger: failed-verification",
        );
        // The second night says it again, and the ledger once.
        let line = "FAIL: reproducible-record, verification-is-fresh";
        fails(&story, &["--key", &key], 4, line, "its ledger says so already (entry 4)");
    });
    assert_eq!(payload(&story, 4)["why"], serde_json::json!(["reproducible-record"]));
    let held = story.status();
    assert_eq!((&held["tier"], &held["exit"]), (&"advisory".into(), &4.into()), "{held}");
    fails(&story, &[], 4, "FAIL: verification-is-fresh", "it failed verification (entry 4)");
    let _ = passes(&story, &["--key", &key]);
    assert_eq!(story.tier(), "gating");
}

#[test]
fn a_failure_found_in_use_is_run_and_decides_alone() {
    let Some(story) = Story::promoted() else { return };
    let key = story.key("robot");
    let passing = fs::read_to_string(story.bench.path("controls/known-good.toml")).expect("reads");
    let first = format!("[[control]]{}", passing.split("[[control]]").nth(1).expect("a control"));
    let own = |text: &str| {
        let id = text.lines().find(|line| line.starts_with("id = ")).expect("an id");
        let renamed = text.replacen(id, "id = \"in-use-1\"", 1);
        // Another case than the one that is in the set already.
        renamed.replacen("task = \"", "task = \"Once more: ", 1)
    };
    let right = own(&first);
    story.bench.write("controls/regression.toml", &right);
    let stale = "FAIL: verification-is-fresh";
    fails(&story, &[], 4, stale, "the regression controls changed since it was last run");
    let run = passes(&story, &["--key", &key]);
    assert!(shown(&run).contains("the control of the failure found in use is right"), "{run:#?}");
    assert_eq!(story.tier(), "gating", "it was run, and is right: no signature is asked for");
    // One that the grader gets wrong.
    let expect = right.lines().find(|line| line.starts_with("expect = ")).expect("an expectation");
    let rules = fs::read_to_string(story.bench.path("controls/set.toml")).expect("reads");
    let rule = rules.lines().find(|line| line.starts_with("rules = ")).expect("rules");
    let rule = rule.split('"').nth(1).expect("a rule");
    let wrong =
        right.replacen(expect, &format!("expect = {{ verdict = \"fail\", rule = \"{rule}\" }}"), 1);
    story.bench.write("controls/regression.toml", wrong);
    let (run, last) = verify(&story, &["--key", &key]);
    assert!(last.contains("serious-failure-never-averaged"), "{run:#?}");
    let told = shown(&run);
    assert!(
        told.contains("1 of 1 controls of failures found in use are wrong: in-use-1"),
        "{told}"
    );
    assert_eq!(story.tier(), "advisory");
    // And one that is gone again.
    let content = "blake3:".to_owned() + &"1".repeat(64);
    fs::remove_file(story.bench.path("controls/regression.toml")).expect("removes");
    let noted = Payload::Noted(Noted {
        v: V1,
        grader: name(GRADER),
        at: Moment::from_seconds(1_796_076_000).expect("a moment"),
        text: Untrusted::new("it passed what it should not"),
        corrects: None,
        lifts: None,
        failure: Some(FailureNote::Found {
            control: "in-use-9".parse().expect("an id"),
            content: content.parse().expect("a digest"),
            component: serde_json::from_value(payload(&story, 3)["component"].clone())
                .expect("a digest"),
            expected: Verdict::Fail,
            rule: None,
            got: Some(Verdict::Pass),
            requirement: Untrusted::default(),
            cause: Untrusted::default(),
        }),
    });
    append(&story, &noted.to_json());
    let (run, last) = verify(&story, &[]);
    assert!(last.contains("absence-is-never-green"), "{run:#?}");
    let shown = super::shown(&run);
    assert!(
        shown.contains(
            "found in use, and guarded by no control: in-use-9 (no control has its case)"
        ),
        "{shown}"
    );
}
