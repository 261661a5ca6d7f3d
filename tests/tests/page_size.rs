//! The page of many wrong controls stays small enough to be opened and sent, whatever they say.

use accredit_tests::bench::Bench;
use accredit_tests::fixture;
use accredit_tests::guest::{Answer, Guest};

/// How many controls are judged wrong.
const CONTROLS: usize = 2000;

/// What the page may come to, in bytes.
const LIMIT: usize = 5_000_000;

/// A set of so many known-bad controls, with these words in every text.
fn set(bench: &Bench, words: &str) {
    bench.copy(&fixture("small"), "set");
    let rules = ["states-answer", "one-answer", "matches-reference"];
    let lines = (0..CONTROLS).map(|number| {
        let control = serde_json::json!({
            "id": format!("kb-{number}"),
            "family": format!("family-{number}"),
            "why": format!("It is wrong. {words}"),
            "expect": { "verdict": "fail", "rule": rules[number % rules.len()] },
            "case": {
                "task": format!("Task {number}: {words}"),
                "output": format!("Output {number}: {words}"),
                "reference": format!("Reference {number}: {words}"),
            },
        });
        format!("{control}\n")
    });
    bench.write("set/known-bad.jsonl", lines.collect::<String>());
}

#[test]
fn two_thousand_wrong_controls_with_long_texts_take_less_than_5_mb() {
    // Some shorter than a fold, some longer, and some that grow when they are escaped.
    for (words, times) in [("plain words ", 26), ("plain words ", 170), ("\"<&>\u{202e}' ", 200)] {
        let words = words.repeat(times);
        let bench = Bench::new();
        set(&bench, &words);
        let guest = Guest { answer: Answer::Pass(words.clone(), None), ..Guest::default() };
        bench.write("g.wasm", guest.build());
        let args = ["check", "g.wasm", "--controls", "set", "--repeats", "1", "--format", "html"];
        let page = bench.run(&args).exits(1).stdout;
        assert!(page.len() < LIMIT, "{} bytes", page.len());
        assert!(page.matches("<article ").count() >= CONTROLS, "some are missing");
    }
}
