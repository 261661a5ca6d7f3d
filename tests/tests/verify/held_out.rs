//! Controls that are held out: run again, or taken from the signed statement, and told to nobody.

use std::fs;

use accredit_tests::halves::halves;
use accredit_tests::story::Story;

use super::{passes, shown, verify};

/// Bars that half of the shipped set can meet, with what is held out judged by them as well.
const HALF: &str = "
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

/// A grader that was promoted on an open half and a half that is held out, in `held`.
fn held_out() -> Option<Story> {
    let story = Story::new()?;
    let bench = &story.bench;
    halves(bench);
    fs::remove_dir_all(bench.path("controls")).expect("removes");
    fs::rename(bench.path("open"), bench.path("controls")).expect("moves");
    let policy = bench.read("accredit.toml");
    let own = policy.split("[[waiver]]").next().expect("a beginning");
    bench.write("accredit.toml", own.replace("version = 1", "version = 2") + HALF);
    let _ = story.sign("accredit.toml", "ada").met();
    let _ = story.register("grader", "greta").met();
    let _ = story.register("controls", "carl").met();
    let args = ["check", "graders/g.wasm", "--controls", "controls", "--out", "left"];
    let _ = story.run(&[&args[..], &["--held-out", "held", "--register", "."]].concat()).met();
    let statement = story.propose("gating");
    let _ = story.sign(&statement, "paula").met();
    let _ = story.enter(&statement).met();
    Some(story)
}

#[test]
fn held_out_controls_are_run_again_or_the_signed_word_is_taken_and_said() {
    let Some(story) = held_out() else { return };
    let bench = &story.bench;
    let key = story.key("robot");
    let taken = shown(&passes(&story, &["--key", &key]));
    assert!(taken.contains("is taken from the signed statement"), "{taken}");
    let again = ["--held-out", "final-answer=held"];
    let run = shown(&passes(&story, &again));
    assert!(!run.contains("is taken from the signed statement"), "{run}");
    assert!(run.contains("reproducible-record: the same record, byte for byte"), "{run}");
    // It is no further look, and what authors can read tells nothing of it.
    let ledger = bench.read(".accredit/ledger/final-answer.jsonl");
    let recorded = passes(&story, &[&again[..], &["--key", &key]].concat());
    assert_eq!(bench.read(".accredit/ledger/final-answer.jsonl"), ledger);
    for (file, bytes) in bench.files() {
        let text = String::from_utf8_lossy(&bytes);
        let told = file.starts_with(".accredit/") && text.contains("secret-");
        assert!(!told, "{file} tells of held-out controls");
    }
    assert!(!recorded.stdout.contains("secret-"));
    // Other controls than those that were promised are not run, and what is wrong with them is not told.
    bench.bend("held/known-bad.toml", "output = \"", "output = \"x");
    let (run, last) = verify(&story, &again);
    assert!(last.contains("absence-is-never-green") && run.code != 0, "{run:#?}");
    assert!(!run.stdout.contains("secret-"), "{run:#?}");
}
