//! A wrong verdict in use is kept in the grader's ledger, and is open until its control was seen to tell the
//! component that failed from one that does not.

use std::fs;

use accredit_tests::bench::Run;
use accredit_tests::story::Story;
use accredit_tests::{fixture, shipped};
use serde_json::Value;

/// lenient-answer passes it: the reference occurs in it.
const CASE: &str =
    r#"{"task": "3 x 6?", "output": "It is not 18.\nAnswer: 17\n", "reference": "18"}"#;

/// How a case is added, and the failure entered; its file, and the grader's name are to be added.
const ADD: [&str; 11] = [
    "controls",
    "add",
    "controls",
    "--expect",
    "fail",
    "--rule",
    "matches-reference",
    "--register",
    ".",
    "--why",
    "17 was taken for 18",
];

/// How the careless grader is called in the register.
const NAME: [&str; 2] = ["--name", "lenient-answer"];

/// A register, and a case that was judged wrong.
struct Made(Story);

impl Made {
    /// With the careless grader and the small set; absent where there is no ssh-keygen.
    fn careless() -> Option<Self> {
        let made = Self(Story::new()?);
        made.component("lenient-answer");
        made.0.bench.copy(&fixture("small"), "controls");
        // What it is wrong about already is no matter here.
        for file in ["real-output.jsonl", "regression.toml"] {
            fs::remove_file(made.0.bench.path(&format!("controls/{file}"))).expect("removed");
        }
        made.write("case.json", CASE);
        made.0.register("grader", "greta").met();
        Some(made)
    }

    fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        self.0.bench.write(file, text);
    }

    fn read(&self, file: &str) -> String {
        self.0.bench.read(file)
    }

    fn component(&self, grader: &str) {
        self.write("graders/g.wasm", fs::read(shipped(grader)).expect("reads"));
    }

    /// Runs accredit with somebody's key, if it is somebody.
    fn run(&self, args: &[&str], key: &str) -> Run {
        let path = self.0.key(key);
        let key: &[&str] = if key.is_empty() { &[] } else { &["--key", &path] };
        self.0.run(&[args, key].concat()).0
    }

    /// Adds the case in `case.json`, and enters it in the register.
    fn add(&self, more: &[&str], key: &str) -> Run {
        self.run(&[&ADD[..], &["--from", "case.json"], more].concat(), key)
    }

    fn failures(&self, more: &[&str]) -> Run {
        self.run(&[&["failures"], more].concat(), "")
    }

    /// The failures of the first grader, as state, how often seen and the control.
    fn states(&self) -> Vec<(String, u64, String)> {
        let shown = self.failures(&["--format", "json"]).json();
        let failures = shown["graders"][0]["failures"].as_array().expect("a list").clone();
        let text = |it: &Value| it.as_str().expect("a text").to_owned();
        let one = |it: Value| {
            (text(&it["state"]), it["seen"].as_u64().unwrap_or(0), text(&it["control"]))
        };
        failures.into_iter().map(one).collect()
    }

    /// The kinds of the entries of a ledger.
    fn kinds(&self, name: &str) -> Vec<String> {
        let lines = self.read(&format!(".accredit/ledger/{name}.jsonl"));
        let kind = |line: &str| {
            let line: Value = serde_json::from_str(line).expect("JSON");
            line["payload"]["kind"].as_str().expect("a text").to_owned()
        };
        lines.lines().map(kind).collect()
    }
}

#[test]
fn a_wrong_verdict_is_kept_fixed_and_guarded() {
    let Some(made) = Made::careless() else { return };
    let words = ["--requirement", "sums are right", "--cause", "any mention counts"];
    let added = made.add(&[&NAME[..], &words].concat(), "").exits(1);
    added.shows(&[
        "at controls/regression.toml:5: must be fail by matches-reference",
        "says pass: wrong. 0 of 1 regression control it was shown are right",
        "failed verification: entry 3",
        "it is advisory now",
    ]);
    let file = made.read("controls/regression.toml");
    let wanted = "output = \"\"\"\nIt is not 18.\nAnswer: 17\n\"\"\"\nreference = \"18\"\n";
    assert!(file.contains(wanted), "{file}");
    assert!(
        file.contains("# requirement: sums are right\n# cause: any mention counts\n[[control]]")
    );
    let open = made.failures(&[]).exits(1);
    open.shows(&[
        "lenient-answer · component b32356870c25 · 1 open",
        "seen once",
        "controls/regression.toml:5",
        "the user saw: 17 was taken for 18",
        "requirement: sums are right",
        "cause: any mention counts",
        "must be fail by matches-reference; b32356870c25 said pass; today's says pass",
        "answered: It is not 18.\\nAnswer: 17\\n",
    ]);
    // There is nothing to guard as long as it is wrong.
    let _ = made.failures(&["--guard"]).exits(1);
    assert_eq!(made.kinds("lenient-answer"), ["registered", "noted", "failed-verification"]);
    made.component("final-answer");
    made.failures(&[]).exits(3).shows(&["1 fixed", "not guarded yet"]);
    let guarded = made.failures(&["--guard"]).exits(0);
    guarded.shows(&["1 guarded", "guarded: catches b32356870c25, passes ad23018b40c7 (entry 4)"]);
    guarded.complains(&["is guarded: it catches b32356870c25 (entry 4)"]);
    // Both runs are on record: the entry names them, and they are in the store.
    let ledger = made.read(".accredit/ledger/lenient-answer.jsonl");
    let entry: Value = serde_json::from_str(ledger.lines().nth(3).expect("a line")).expect("JSON");
    let note = &entry["payload"]["failure"]["guarded"];
    let object = |key: &str| {
        let hex = note[key].as_str().expect("a digest").trim_start_matches("blake3:");
        format!(".accredit/objects/{}/{}", &hex[..2], &hex[2..])
    };
    for record in ["caught", "passed"] {
        let lines = made.read(&object(record));
        let digest = format!("blake3:{}", blake3::hash(lines.as_bytes()).to_hex());
        assert_eq!(note[record], digest.as_str());
    }
    let gc = made.run(&["store", "gc"], "").exits(0);
    assert_eq!(gc.stderr, "", "{gc:#?}");
    // A guard whose record is gone guards nothing.
    let kept = made.read(&object("caught"));
    fs::remove_file(made.0.bench.path(&object("caught"))).expect("removed");
    let unproven = made.failures(&[]).exits(3);
    unproven.shows(&["1 fixed"]);
    unproven.complains(&["entry 4: the records that it names are not in the store"]);
    made.write(&object("caught"), kept);
    // Once is enough.
    let _ = made.failures(&["--guard"]).exits(0);
    assert_eq!(made.kinds("lenient-answer").len(), 4);
    // The careless one again: it is open again, whatever guards it.
    made.component("lenient-answer");
    made.failures(&[]).exits(1).shows(&["1 open"]);
}

#[test]
fn the_same_case_counts_once_more_and_recurring_failures_lead() {
    let Some(made) = Made::careless() else { return };
    let _ = made.add(&NAME, "").exits(1);
    let other = CASE.replace("3 x 6?", "What is 3 x 6?").replace("17", "16");
    made.write("other.json", &other);
    let more = ["--from", "other.json", "--id", "sixteen"];
    let add = || made.run(&[&ADD[..], &NAME, &more].concat(), "");
    let _ = add().exits(1);
    let spaced = other.replace("Answer: 16", "  answer:\\t16").replace("It is", "IT IS");
    made.write("other.json", spaced);
    let before = made.read("controls/regression.toml");
    add().exits(1).shows(&[
        "the same case is the control sixteen already, at controls/regression.toml:",
        "seen 2 times by now",
    ]);
    assert_eq!(made.read("controls/regression.toml"), before);
    let states = made.states();
    assert_eq!(states[0], ("open".to_owned(), 2, "sixteen".to_owned()));
    assert_eq!((states[1].0.as_str(), states[1].1), ("open", 1));
    made.failures(&[]).exits(1).shows(&["2 open", "seen 2 times"]);
    // What was guarded is guarded no more once it is seen again.
    made.component("final-answer");
    made.failures(&["--guard"]).exits(0).shows(&["2 guarded"]);
    // Today's component is not registered: the one in use is the one that is.
    add().exits(1).shows(&["component b32356870c25 says pass", "seen 3 times by now"]);
    made.failures(&[]).exits(3).shows(&["1 fixed, 1 guarded"]);
    made.failures(&["--guard"]).exits(0).shows(&["2 guarded"]);
}

#[test]
fn a_control_that_was_taken_out_is_missing_and_only_a_signature_withdraws_it() {
    let Some(made) = Made::careless() else { return };
    let _ = made.add(&NAME, "").exits(1);
    let file = made.read("controls/regression.toml");
    made.write("controls/regression.toml", file.replace("17", "17.5"));
    made.failures(&[]).exits(5).shows(&["1 missing", "its control is gone"]);
    made.run(&["status"], "").exits(0).shows(&["1 failure found in use: the control is gone"]);
    made.write("controls/regression.toml", file.replace("\"fail\"", "\"pass\""));
    made.failures(&[])
        .exits(5)
        .shows(&["its control expects `pass` by `matches-reference`, and `fail` by `matches-reference` was found to be right"]);
    fs::remove_file(made.0.bench.path("controls/regression.toml")).expect("removed");
    made.failures(&[]).exits(5).shows(&["1 missing"]);
    let note =
        ["ledger", "note", "lenient-answer", "--text", "the case was misread", "--corrects", "2"];
    made.run(&note, "").exits(2).complains(&["whoever withdraws a failure signs for it"]);
    made.run(&note, "greta").exits(2).complains(&["allowed_signers"]);
    let _ = made.failures(&[]).exits(5);
    made.run(&note, "ada").exits(0).shows(&["noted: entry 4"]);
    made.failures(&[]).exits(0).shows(&["1 withdrawn"]);
}

#[test]
fn what_users_and_cases_say_acts_on_nothing() {
    let Some(made) = Made::careless() else { return };
    let nasty = "\u{1b}[31m::error::x\n##[error]\u{202e}y\u{200b}";
    let output = format!("18 {nasty}");
    let case = serde_json::json!({"task": nasty, "output": output, "reference": "18"});
    made.write("case.json", case.to_string());
    let words = ["--requirement", nasty, "--cause", nasty, "--also", "one-answer"];
    let mut args = [&ADD[..], &NAME, &words, &["--from", "case.json"]].concat();
    args[10] = nasty;
    made.run(&args, "").exits(1).is_tame();
    let shown = made.failures(&[]).exits(1);
    shown.is_tame();
    shown.shows(&["\\u{1b}[31m"]);
    let file = made.read("controls/regression.toml");
    let hidden =
        |char: char| (char.is_control() && char != '\n') || "\u{202e}\u{200b}".contains(char);
    assert!(!file.contains(hidden), "{file:?}");
    made.run(&["controls", "lint", "controls"], "").exits(0).is_tame();
}

#[test]
fn a_revocation_takes_authority_and_an_administrator_gives_it_back() {
    let Some(made) = Story::promoted().map(Made) else { return };
    assert_eq!(made.0.tier(), "gating");
    let revoke = ["revoke", "final-answer", "--reason", "it was seen to waver"];
    let revoked = made.run(&revoke, "greta").exits(0);
    revoked.shows(&["is revoked by greta: entry 4", "advisory: it was revoked"]);
    assert_eq!((made.0.status()["exit"].as_i64(), made.0.tier().as_str()), (Some(4), "advisory"));
    let lost = made.failures(&[]).exits(0);
    lost.shows(&[
        "authority lost: was gating",
        "entry 3",
        "no gate result that rested on it is kept",
    ]);
    made.write(".accredit/gates/one.json", "{}");
    made.failures(&[]).exits(0).shows(&["1 gate result kept in the register, which this version"]);
    let lift = |entry| [&revoke[..], &["--lift", entry]].concat();
    let table = [
        ("3", "ada", "is no revocation but a `promoted` entry"),
        ("9", "ada", "has no such entry: give its number, from 1 to 4"),
        ("4", "paula", "paula may not lift a revocation"),
        ("4", "robot", "allowed_signers"),
    ];
    for (entry, who, told) in table {
        made.run(&lift(entry), who).exits(2).complains(&[told]);
    }
    assert_eq!(made.0.tier(), "advisory");
    let lifted = made.run(&lift("4"), "ada").exits(0);
    lifted.shows(&["is lifted by ada: entry 5", "now gating"]);
    assert_eq!(made.0.tier(), "gating");
    let unknown = format!("blake3:{}", "0".repeat(64));
    let none = made.run(&[&revoke[..], &["--component", &unknown]].concat(), "ada").exits(2);
    none.complains(&["is no component that the ledger"]);
    assert_eq!(made.kinds("final-answer").len(), 5);
}

#[test]
fn a_right_control_takes_no_authority_and_a_wrong_one_takes_it() {
    let Some(made) = Story::promoted().map(Made) else { return };
    let before = made.0.status();
    let name = ["--name", "final-answer"];
    made.write("case.json", CASE);
    // Whoever is no verifier signs nothing here, and nothing is written then.
    let _ = made.add(&name, "paula").exits(2);
    assert!(!made.0.bench.path("controls/regression.toml").exists());
    assert_eq!(made.kinds("final-answer").len(), 3);
    let added = made.add(&name, "robot").exits(0);
    added.shows(&["says fail: right", "verified with it: entry 1", "it is gating now"]);
    let after = made.0.status();
    // A run of one control makes the evidence no younger.
    for key in ["tier", "verified_at", "ends_at", "since", "by_entry"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    let line = made.read(".accredit/ledger/final-answer.verified.jsonl");
    let verified: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(verified["payload"]["at"], before["verified_at"]);
    // Without a key it is stale until somebody signs for it, as seen once more.
    made.write("case.json", CASE.replace("17", "19"));
    let unsigned = made.add(&name, "").exits(0);
    unsigned
        .shows(&["it is advisory now: the regression controls changed", "Give a verifier's key"]);
    assert_eq!(made.0.tier(), "advisory");
    made.add(&name, "robot").exits(0).shows(&["nothing is added", "it is gating now"]);
    assert_eq!(made.0.tier(), "gating");
    // One that it gets wrong: `18` is right here.
    made.write("case.json", CASE.replace("17", "18"));
    let wrong = made.add(&name, "robot").exits(1);
    wrong.shows(&[
        "says pass: wrong. 2 of 3",
        "failed verification: entry 8",
        "it is advisory now",
    ]);
    let lost = made.0.status();
    assert_eq!((&lost["tier"], &lost["exit"]), (&"advisory".into(), &4.into()));
    assert!(lost["reasons"].to_string().contains("serious-failure-never-averaged"), "{lost}");
    made.failures(&[]).exits(1).shows(&["1 open, 2 fixed", "authority lost: was gating"]);
    // Nothing in the store is caught by the fixed ones: nothing shows that they would notice anything.
    let guarded = made.failures(&["--guard"]).exits(1);
    guarded.complains(&["catches none of the other components in the store (0)"]);
}
