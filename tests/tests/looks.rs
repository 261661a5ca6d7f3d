//! Looks at held-out controls: told to a ledger before they are taken, counted, and limited.

use accredit_tests::halves::halves;
use accredit_tests::story::Story;
use serde_json::Value;

/// Bars that half a set can meet at the confidence of one look in three, and who signs.
const POLICY: &str = "version = 2

[sign_off]
promoters = [\"paula\"]
verifiers = [\"robot\"]

[code.gating]
known_bad = 0.8
known_good = 0.8
near_miss = 0.7
invariance_bases = 5
hard_positive = 0.75
adversarial = 0.75

[[waiver]]
tier = \"gating\"
requirement = \"real-output\"
reason = \"no outputs labelled by people here\"
";

/// A story whose controls are in two halves, registered by both authors.
fn story() -> Option<Story> {
    let story = Story::new()?;
    halves(&story.bench);
    story.bench.write("accredit.toml", POLICY);
    let _ = story.sign("accredit.toml", "ada").met();
    for (wrote, name) in [("grader", "greta"), ("controls", "carl")] {
        let key = story.key(name);
        let args = ["register", "graders/g.wasm", "--controls", "open", "--wrote", wrote];
        let _ = story.run(&[&args[..], &["--key", &key, "--repeats", "2"]].concat()).met();
    }
    Some(story)
}

fn check(story: &Story, more: &[&str]) -> accredit_tests::story::Told {
    let args = ["check", "graders/g.wasm", "--controls", "open", "--held-out", "held"];
    story.run(&[&args[..], &["--repeats", "2", "--out", "left"], more].concat())
}

fn entries(story: &Story) -> usize {
    story.bench.read(".accredit/ledger/final-answer.jsonl").matches("\"kind\":\"looked\"").count()
}

#[test]
fn a_look_is_told_first_and_what_it_saw_stays_with_whoever_looked() {
    let Some(story) = story() else { return };
    // Nobody was told: nothing is promoted.
    let _ = check(&story, &[]).met();
    story.run(&["promote", "left", "--to", "gating"]).refused(2, "no ledger was told before");
    let _ = check(&story, &["--register", "."]).met();
    assert_eq!(entries(&story), 1);
    let report: Value = serde_json::from_str(&story.bench.read("left/report.json")).expect("JSON");
    assert_eq!(report["held_out"]["looks"].as_array().map(Vec::len), Some(1), "{report}");
    for format in ["human", "markdown", "html"] {
        let shown = story.run(&["report", "left", "--format", format]).met().stdout;
        let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(line.contains("held-out results were opened 1 of 3 times"), "{format}");
    }
    let statement = story.propose("gating");
    let _ = story.sign(&statement, "paula").met();
    let _ = story.enter(&statement).met();
    let status = story.status();
    assert_eq!((&status["tier"], &status["looks"][0]["looks"]), (&"gating".into(), &1.into()));
    // Nothing of the held-out half is where the author can read it.
    for (name, bytes) in story.bench.files() {
        let shown =
            name.starts_with(".accredit/") && String::from_utf8_lossy(&bytes).contains("secret-");
        assert!(!shown, "{name} tells of held-out controls");
    }
    let told = story.run(&["verify-promotion", "final-answer"]).met().stdout;
    assert!(told.contains("give --record"), "{told}");
    let told = story.run(&["verify-promotion", "final-answer", "--record", "left"]).met().stdout;
    assert!(!told.contains("give --record") && !told.contains("NO "), "{told}");
}

#[test]
fn the_policy_allows_so_many_looks_and_a_run_again_is_none() {
    let Some(story) = story() else { return };
    for (looks, seed) in [(1, "0"), (1, "0"), (2, "1"), (3, "2"), (3, "0")] {
        let _ = check(&story, &["--register", ".", "--seed", seed]).met();
        assert_eq!(entries(&story), looks, "seed {seed}");
    }
    let before = story.bench.read("left/record.jsonl");
    check(&story, &["--register", ".", "--seed", "3"]).refused(2, "opened 3 times");
    assert_eq!((entries(&story), story.bench.read("left/record.jsonl")), (3, before));
    let shown = story.run(&["status"]).0.stdout;
    assert!(shown.contains("opened 3 of 3 times"), "{shown}");
}
