//! `accredit controls add`: a wrong verdict becomes a control that no interruption loses.

use std::fs;
use std::io::Read as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use accredit_tests::bench::Bench;
use accredit_tests::shipped;

/// lenient-answer passes it: the reference occurs in it.
const CASE: &str =
    r#"{"task": "3 x 6?", "output": "It is not 18.\nAnswer: 17\n", "reference": "18"}"#;

/// How the case is added.
const ADD: [&str; 9] = [
    "controls",
    "add",
    "set",
    "--from",
    "case.json",
    "--expect",
    "fail",
    "--rule",
    "matches-reference",
];

#[test]
fn every_fault_is_told_and_nothing_is_written() {
    let bench = Bench::sound();
    bench.write("case.json", CASE);
    let mut args = ADD.to_vec();
    args.extend(["--why", " ", "--also", "matches-refernce", "--id", "rg-year"]);
    bench.refuses(
        &args,
        &[
            "`why` is empty",
            "names the rule `matches-refernce`",
            "did you mean `matches-reference`?",
            "the id `rg-year` is taken",
            "Nothing was written",
        ],
    );
    // The case is a control already, with another expectation.
    let mut args = ADD.to_vec();
    args.extend(["--why", "because"]);
    let _ = bench.run(&args).exits(0);
    let mut contrary =
        ["controls", "add", "set", "--from", "case.json", "--expect", "pass"].to_vec();
    contrary.extend(["--why", "because"]);
    bench.refuses(&contrary, &["already, and that expects fail by `matches-reference`, not pass"]);
    bench.refuses(
        &["controls", "add", "nowhere", "--from", "case.json", "--expect", "pass", "--why", "x"],
        &["nowhere"],
    );
    let usage = bench.run(&[&args[..], &["--register", "."]].concat()).exits(2);
    usage.complains(&["--name"]);
}

#[test]
fn a_grader_is_shown_the_case() {
    let bench = Bench::sound();
    bench.write("case.json", CASE);
    let mut args = ADD.to_vec();
    args.extend(["--why", "because", "--grader", "g.wasm"]);
    bench
        .run(&args)
        .exits(0)
        .shows(&["added found-", "says pass: that is wrong, and the control catches it"]);
    bench.write("g.wasm", fs::read(shipped("final-answer")).expect("reads"));
    bench.run(&args).exits(0).shows(&["nothing is added", "says fail: that is right"]);
}

/// Numbers that look random and are always the same (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// Writes a case of its own, and returns how it is added.
fn own_case(bench: &Bench, name: &str) -> Vec<String> {
    let file = format!("{name}.json");
    bench.write(&file, format!("{{\"output\": \"the case {name}\"}}"));
    let args =
        ["controls", "add", "set", "--from", &file, "--expect", "fail", "--why", "x", "--id", name];
    args.map(str::to_owned).to_vec()
}

/// The ids of the regression controls, by the set's own reader.
fn controls(bench: &Bench) -> Vec<String> {
    let (set, _) = accredit::read::control_set(&bench.path("set")).expect("a sound set");
    set.controls.iter().map(|control| control.entry.id.to_string()).collect()
}

#[test]
fn an_interrupted_add_leaves_the_set_readable_and_loses_nothing_it_acknowledged() {
    let bench = Bench::sound();
    let before = bench.read("set/regression.toml");
    let began = Instant::now();
    let _ = bench.run(&own_case(&bench, "whole")).exits(0);
    let took = u64::try_from(began.elapsed().as_micros()).expect("no ages");
    let (mut numbers, mut acknowledged) = (Numbers(11), vec!["whole".to_owned()]);
    for kill in 0..100 {
        let name = format!("kill-{kill}");
        let mut command = bench.command(&own_case(&bench, &name));
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("starts");
        let (began, wait) = (Instant::now(), Duration::from_micros(numbers.below(took * 3 / 2)));
        while began.elapsed() < wait {
            std::hint::spin_loop();
        }
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
        let mut said = String::new();
        child.stdout.take().expect("piped").read_to_string(&mut said).expect("reads");
        if said.starts_with("added ") {
            acknowledged.push(name);
        }
        let found = controls(&bench);
        let lost: Vec<_> = acknowledged.iter().filter(|it| !found.contains(it)).collect();
        assert!(lost.is_empty(), "kill {kill}: {lost:?}");
        assert!(bench.read("set/regression.toml").starts_with(&before));
    }
    assert!((5..=95).contains(&acknowledged.len()), "{}", acknowledged.len());
    // Whatever the last one left is taken away by the next.
    let _ = bench.run(&own_case(&bench, "the-end")).exits(0);
    let left: Vec<_> =
        bench.files().into_keys().filter(|it| it.contains(".accredit-add")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn commands_that_add_at_once_lose_nothing() {
    let bench = Bench::sound();
    let names: Vec<_> = (0..12).map(|number| format!("at-once-{number}")).collect();
    let start = |name: &String| {
        let mut command = bench.command(&own_case(&bench, name));
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
    };
    let children: Vec<_> = names.iter().map(start).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    let found = controls(&bench);
    assert!(names.iter().all(|name| found.contains(name)), "{found:?}");
}
