//! Verification: every promise is checked, each can break and is named when it does, parts come to the whole, and
//! what was acknowledged stays when a verification is killed.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use accredit::store::{Register, Writing};
use accredit_core::id::GraderName;
use accredit_core::ledger::{Book, FailureNote, Moment, Noted, Payload, V1};
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::Verdict;
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

/// The verification fails with this line and exit code, and says this.
#[track_caller]
fn fails(story: &Story, more: &[&str], code: i32, line: &str, says: &str) {
    let (run, last) = verify(story, more);
    let shown = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
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
    let shown = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
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
    let _ = story.run(&["verify", "nobody"]).refused(2, "`nobody` is not registered here");
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
    let shown = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("FAIL ledger-intact: ledger of `lenient-answer`"), "{shown}");
    assert!(shown.contains("final-answer · promoted to gating"), "{shown}");
    assert!(shown.contains("ok reproducible-record: the same record, byte for byte"), "{shown}");
    // Parts tell the same.
    for part in 1..=2 {
        let (part, file) = (format!("hash:{part}/2"), format!("p{part}.json"));
        let _ = story.run(&["verify", "--partition", &part, "--out", &file]);
    }
    let merged = story.run(&["merge", "p1.json", "p2.json"]).0.exits(5);
    assert_eq!(merged.stdout, run.stdout);
}

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
    let older = |bytes: Vec<u8>| {
        String::from_utf8(bytes).expect("text").replace("version 1", "version 0x").into_bytes()
    };
    let _ = older;
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
    writing.append(payload, vec![], now.expect("a moment")).expect("an entry");
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

/// A regression control by the set's words: `expects` is right where the grader says so.
fn regression(output: &str, expects: &str) -> String {
    format!(
        "[[control]]\nid = \"in-use-1\"\nfamily = \"in-use-1\"\nwhy = \"found in use\"\n{expects}\n\n[control.case]\ntask = \"What is 2 + 2? End with a line FINAL: <answer>.\"\noutput = \"{output}\"\nreference = \"4\"\n"
    )
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
    assert!(run.stdout.contains("the regression control is right"), "{run:#?}");
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
    assert!(run.stdout.contains("1 of 1 regression controls are wrong: in-use-1"), "{run:#?}");
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
    let shown = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("found in use, and in no regression control: in-use-9"), "{shown}");
}

/// What the two books of the grader hold, each whole.
fn entries(story: &Story) -> (u64, u64) {
    let register = Register::open(&story.bench.path("")).expect("a register");
    let of = |book| {
        let file = register.ledger(&name(GRADER), book).expect("a ledger");
        file.read().expect("a sound ledger").chain.len()
    };
    (of(Book::Main), of(Book::Verified))
}

#[test]
fn a_verification_that_is_killed_loses_nothing_and_leaves_nothing_unreadable() {
    let Some(story) = Story::promoted() else { return };
    let (key, part) = (story.key("robot"), part());
    let began = Instant::now();
    let _ = passes(&story, &["--key", &key]);
    let whole = u64::try_from(began.elapsed().as_micros()).expect("short");
    let (mut main, mut verified) = entries(&story);
    let mut seed = 7_u64;
    for kill in 0..25_u64 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut command = story.bench.command(&["verify", "--partition", &part, "--key", &key]);
        command.env("ACCREDIT_ROOT_DIGEST", &story.root);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null());
        let mut child = command.spawn().expect("starts");
        let until = Instant::now() + Duration::from_micros((seed >> 33) % (whole + whole / 4));
        while Instant::now() < until && child.try_wait().expect("waits").is_none() {
            std::thread::yield_now();
        }
        child.kill().expect("it is killed, or has ended");
        let said = child.wait_with_output().expect("it ends").stdout;
        let told = u64::from(String::from_utf8_lossy(&said).contains("appended to its ledger"));
        let now = entries(&story);
        assert!(now.0 == main && now.1 >= verified + told, "kill {kill}: {now:?} after {verified}");
        (main, verified) = now;
    }
    let run = passes(&story, &["--key", &key]);
    assert!(run.stdout.contains("PASS"));
    assert_eq!(entries(&story), (main, verified + 1));
    let _ = story.run(&["ledger", "check"]).met();
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

/// Scratch that the tests above share is theirs alone.
#[test]
fn a_file_to_write_into_is_looked_at_before_anything_is_run() {
    let Some(story) = Story::promoted() else { return };
    let folder: PathBuf = story.bench.path("controls");
    let out = folder.display().to_string();
    let run = story.run(&["verify", "--out", &out]).0.exits(3);
    assert_eq!(run.stdout, "");
}
