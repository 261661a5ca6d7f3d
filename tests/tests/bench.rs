//! `accredit bench`: what a trial costs, in figures that can be told apart: those that are the same
//! everywhere, and those of this machine.

use accredit_tests::bench::{Bench, Run};
use accredit_tests::guest::{Answer, Guest};
use accredit_tests::shipped;
use serde_json::Value;

const CASE: &str = "task = \"3 x 6?\"\noutput = \"It is 18.\"\nreference = \"18\"\n";

/// Benches a grader on the case.
fn run(grader: &[u8], more: &[&str]) -> Run {
    let bench = Bench::new();
    bench.write("g.wasm", grader);
    bench.write("case.toml", CASE);
    let before = bench.files();
    let run = bench.run(&[&["bench", "g.wasm", "--case", "case.toml"], more].concat());
    assert!(bench.files() == before, "files were written: {run:#?}");
    run
}

fn lenient() -> Vec<u8> {
    std::fs::read(shipped("lenient-answer")).expect("reads")
}

/// The figures of a spread, smallest first.
fn figures(spread: &Value) -> Vec<u64> {
    let keys = ["min", "p50", "p90", "p99", "max"];
    keys.iter()
        .map(|key| spread[key].as_u64().unwrap_or_else(|| panic!("{key}: {spread}")))
        .collect()
}

#[test]
fn a_trial_is_measured() {
    let shown = run(&lenient(), &["--trials", "25", "--format", "json"]).exits(0).json();
    assert_eq!((&shown["asked"], &shown["trials"]), (&25.into(), &25.into()));
    assert!(shown["warm_up"].as_u64().is_some_and(|trials| trials > 0), "{shown:#}");
    assert_eq!(shown["verdicts"], serde_json::json!({ "pass": 25 }));
    assert_eq!((&shown["unanswered"], &shown["why_unanswered"]), (&0.into(), &Value::Null));
    // The same work in every trial.
    let fuel = figures(&shown["fuel"]);
    assert!(fuel[0] > 0 && fuel.iter().all(|it| *it == fuel[0]), "{fuel:?}");
    assert_eq!(shown["fuel_is_constant"], true);
    assert!(figures(&shown["memory_bytes"])[0] >= 65_536, "{shown:#}");
    let wall = figures(&shown["wall_ns"]);
    assert!(wall[0] > 0 && wall.is_sorted(), "{wall:?}");
    assert!(shown["trials_per_second"].as_f64().is_some_and(|rate| rate > 0.0), "{shown:#}");
    assert!(shown["note"].as_str().is_some_and(|note| note.contains("part of no record")));
}

#[test]
fn fuel_is_that_of_a_run_of_the_case() {
    let bench = Bench::new();
    bench.write("case.toml", CASE);
    let grader = shipped("lenient-answer").display().to_string();
    let of_run =
        bench.run(&["run", &grader, "--case", "case.toml", "--format", "json"]).exits(0).json();
    let of_bench = run(&lenient(), &["--trials", "1", "--format", "json"]).exits(0).json();
    assert_eq!(of_run["fuel"], of_bench["fuel"]["max"]);
    assert_eq!(of_run["memory_bytes"], of_bench["memory_bytes"]["max"]);
}

#[test]
fn a_reader_is_told_what_the_times_are_worth() {
    let run = run(&lenient(), &["--trials", "10"]).exits(0);
    run.shows(&["lenient-answer", "the case comes to pass in 10 trials", "p50", "p99", "constant"]);
    run.shows(&["trials/s on one thread", "times are of this machine", "part of no record"]);
    assert_eq!(run.stderr, "");
}

#[test]
fn a_grader_that_gives_no_answer_is_not_measured() {
    for (answer, why) in [
        (Answer::Trap, "unreachable"),
        (Answer::Refuse("not \u{1b}[31mmine".into()), "not \\u{1b}[31mmine"),
    ] {
        let guest = Guest { answer, ..Guest::default() }.build();
        let run = run(&guest, &["--trials", "5"]).exits(3);
        run.shows(&["the case comes to unproven in 5 trials", "no answer in 5 trials", why]);
    }
}

#[test]
fn bad_input_is_refused() {
    let bench = Bench::new();
    bench.write("case.toml", "outpt = 1\n");
    bench.write("g.wasm", lenient());
    bench.refuses(&["bench", "g.wasm", "--case", "case.toml"], &["case.toml:1", "`outpt`"]);
    bench.refuses(&["bench", "case.toml", "--case", "case.toml"], &["case.toml"]);
    bench.refuses(&["bench", "g.wasm", "--case", "case.toml", "--trials", "0"], &["--trials"]);
}
