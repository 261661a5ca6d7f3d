//! Policies, labels, flags and outputs that cannot be used: exit code 2, what is wrong and what to do, and
//! nothing written. A reader that goes away changes nothing.

use std::process::Stdio;

use accredit_tests::bench::{Bench, CHECK};
use accredit_tests::fixture;

/// A waiver of this tier, requirement and reason.
fn waiver(tier: &str, requirement: &str, reason: &str) -> String {
    format!("[[waiver]]\ntier = \"{tier}\"\nrequirement = \"{requirement}\"\n{reason}\n")
}

/// A waiver's tier, its requirement, the rest of it, and what is said.
type BadWaiver = (&'static str, &'static str, &'static str, &'static [&'static str]);

const WAIVERS: &[BadWaiver] = &[
    ("gatin", "held-out", "reason = \"x\"", &["p.toml:2", "`gatin`", "gating"]),
    ("advisory", "held-out", "reason = \"x\"", &["p.toml:2", "advisory", "gating"]),
    ("gating", "held-on", "reason = \"x\"", &["p.toml:3", "did you mean `held-out`?"]),
    ("gating", "held-out", "", &["p.toml:1", "reason"]),
    ("gating", "held-out", "reason = \" \"", &["p.toml:4", "without a reason", "say why"]),
    (
        "gating",
        "held-out",
        "reason = \"x\"\nuntil = 1",
        &["p.toml:5", "until` is no key of a waiver"],
    ),
    (
        "gating",
        "baselines",
        "reason = \"x\"",
        &["p.toml:3", "`baselines` cannot be waived", "take this waiver out"],
    ),
    ("gating", "reproducible", "reason = \"x\"", &["p.toml:3", "`reproducible` cannot be waived"]),
];

/// A policy, and what is said of it.
const POLICIES: &[(&str, &[&str])] = &[
    ("confidnce = 0.9\n", &["p.toml:1", "`confidnce`", "did you mean `confidence`?"]),
    ("[code.gating]\nknown_bat = 0.9\n", &["p.toml:2", "known_bat", "did you mean", "known_bad"]),
    ("[code.gating]\nknown_bad = 1.5\n", &["p.toml:2", "known_bad", "a share from 0 to 1", "0.95"]),
    ("[code.gating]\nknown_bad = 95\n", &["p.toml:2", "known_bad", "a share from 0 to 1"]),
    ("[code.gating]\nknown_bad = nan\n", &["p.toml:2", "known_bad", "a share from 0 to 1"]),
    ("[code.gating]\nheld_out = \"no\"\n", &["p.toml:2", "held_out"]),
    ("[code.gatng]\nknown_bad = 0.9\n", &["p.toml:1", "gatng", "did you mean", "gating"]),
    ("confidence = 1\n", &["p.toml:1", "a confidence from 0.5 to below 1"]),
    ("confidence = \n", &["p.toml:1", "mend the syntax"]),
];

/// A policy with one fault, named and found by itself.
#[track_caller]
fn refuses_policy(policy: &str, expected: &[&str]) {
    let bench = Bench::sound();
    bench.write("p.toml", policy);
    bench.refuses(&CHECK, expected).complains(&["1 fault: mend it"]);
    bench.refuses(&["policy", "explain", "--policy", "p.toml"], expected);
    // The policy that would be used without being named is no better.
    bench.write("accredit.toml", policy);
    bench.refuses(&["policy", "explain"], &["accredit.toml"]);
}

#[test]
fn policies_with_faults() {
    for (tier, requirement, rest, expected) in WAIVERS {
        refuses_policy(&waiver(tier, requirement, rest), expected);
    }
    for (policy, expected) in POLICIES {
        refuses_policy(policy, expected);
    }
    let twice = waiver("gating", "noise", "reason = \"x\"").repeat(2);
    refuses_policy(
        &twice,
        &["p.toml", "`noise` is waived twice for gating", "keep one of the two"],
    );
}

#[test]
fn all_faults_of_a_policy_are_told_at_once() {
    let bench = Bench::sound();
    let waiver = waiver("gatin", "baselines", "");
    bench.write("p.toml", format!("confidence = 2\n[code.gating]\nfaults = -1\n{waiver}"));
    bench.refuses(&CHECK, &["confidence", "faults", "gatin", "baselines", "reason", "5 faults"]);
}

#[test]
fn labels_with_faults() {
    let good = r#"{"id":"r1","task":"t","output":"o","labels":["pass"]}"#;
    let table = [
        ("{\n", &["real.jsonl:1", "write one JSON object a line"][..]),
        (
            r#"{"id":"r1","task":"t","output":"o","labels":["good"]}"#,
            &["real.jsonl:1", "good", "pass"],
        ),
        (r#"{"id":"r 1","task":"t","output":"o"}"#, &["real.jsonl:1", "r 1"]),
        (r#"{"id":"r1","output":"o"}"#, &["real.jsonl:1", "task"]),
        (
            r#"{"id":"r1","task":"t","output":"o","label":"pass"}"#,
            &["real.jsonl:1", "`label`", "labels"],
        ),
        (r#"["r1"]"#, &["real.jsonl:1"]),
        (&format!("{good}\n{good}"), &["real.jsonl:2", "r1", "real.jsonl:1"]),
    ];
    let args = [&CHECK[..], &["--real-output", "real.jsonl"]].concat();
    for (lines, expected) in table {
        let bench = Bench::sound();
        bench.write("real.jsonl", lines);
        bench.refuses(&args, expected);
    }
    let bench = Bench::sound();
    bench.write("real.jsonl", format!("{{\n\n{good}\n[]\n{}", good.replace("pass", "good")));
    bench.refuses(&args, &["real.jsonl:1", "real.jsonl:4", "real.jsonl:5", "3 faults"]);
    bench.write("real.jsonl", good.replace("r1", "kb-blank"));
    bench.refuses(&args, &["two controls share the id `kb-blank`", "an id of its own"]);
    std::fs::remove_file(bench.path("real.jsonl")).expect("removes");
    bench.refuses(&args, &["real.jsonl", "cannot be read", "check the path"]);
}

#[test]
fn arguments_that_make_no_sense() {
    let table = [
        (&[&CHECK[..], &["--repeats", "0"]].concat(), &["--repeats", "1..=1000"][..]),
        (&[&CHECK[..], &["--repeats", "many"]].concat(), &["--repeats", "many"]),
        (&[&CHECK[..], &["--jobs", "0"]].concat(), &["--jobs", "1..=256"]),
        (&[&CHECK[..], &["--seed", "-1"]].concat(), &["-1"]),
        (
            &[&CHECK[..], &["--require", "gate"]].concat(),
            &["--require", "[possible values: advisory, characterization, gating]"],
        ),
        (&[&CHECK[..], &["--format", "yaml"]].concat(), &["--format", "yaml", "human, json"]),
        (&[&CHECK[..], &["--repeat", "2"]].concat(), &["--repeat", "'--repeats'"]),
        (&vec!["check", "g.wasm"], &["--controls <DIR>", "Usage:"]),
        (&vec!["check", "--controls", "set"], &["<GRADER>", "Usage:"]),
        (&vec!["run", "g.wasm"], &["--case <FILE>"]),
        (&vec!["chek"], &["chek", "'check'"]),
        (&vec!["controls", "schema", "cases"], &["cases", "case"]),
    ];
    let bench = Bench::sound();
    for (args, expected) in table {
        bench.refuses(args, expected).complains(&["--help"]);
    }
    // Help that nobody asked for is no success.
    let run = bench.run::<&str>(&[]).exits(2);
    run.complains(&["Usage: accredit <COMMAND>"]);
}

#[test]
fn an_out_that_cannot_be_a_folder() {
    let bench = Bench::sound();
    bench.write("left", "something of mine");
    bench.refuses(&CHECK, &["left", "Give --out a folder that can be made"]);
    bench.write("file", "");
    let out = [&CHECK[..6], &["--out", "file/below"]].concat();
    bench.refuses(&out, &["file/below", "Give --out a folder that can be made"]);
}

#[test]
fn a_closed_pipe_changes_neither_exit_code_nor_what_is_left() {
    let small = fixture("small").display().to_string();
    let table: [(&[&str], i32); 6] = [
        (&CHECK, 1),
        (&["check", "g.wasm", "--controls", "set", "--require", "advisory", "--format", "json"], 0),
        (&["run", "g.wasm", "--case", "case.toml"], 3),
        (&["controls", "lint", &small], 0),
        (&["controls", "schema"], 0),
        (&["policy", "explain"], 0),
    ];
    for (args, code) in table {
        let bench = Bench::sound();
        bench.write("case.toml", "output = \"18\"\n");
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = bench.command(args);
        command.stdout(writer).stderr(Stdio::piped());
        let output = command.spawn().and_then(std::process::Child::wait_with_output);
        let output = output.expect("accredit runs");
        assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert_eq!(bench.path("left/report.json").is_file(), args == CHECK);
    }
}

#[test]
fn a_result_that_could_not_be_written_is_no_success() {
    let bench = Bench::sound();
    for args in [
        &["policy", "explain"][..],
        &["check", "g.wasm", "--controls", "set", "--require", "advisory"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
        let mut command = bench.command(args);
        command.stdout(full).stderr(Stdio::piped());
        let output = command.spawn().and_then(std::process::Child::wait_with_output);
        let output = output.expect("accredit runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("standard output cannot be written"), "{said}");
        assert_ne!(output.status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn a_device_is_written_to_and_never_replaced() {
    use std::os::unix::fs::FileTypeExt as _;
    let is_device =
        || std::fs::metadata("/dev/full").expect("/dev/full").file_type().is_char_device();
    let bench = Bench::sound();
    let check = ["check", "g.wasm", "--controls", "set", "--format", "json", "-o", "/dev/full"];
    let run = bench.run(&check);
    assert!(run.code == 3 && is_device(), "{run:#?}");
    run.complains(&["/dev/full", "cannot be written"]);
    let _ = bench.run(&["check", "g.wasm", "--controls", "set", "--out", "left"]);
    let copy = ["report", "left/record.jsonl", "--authors-copy", "/dev/full"];
    let run = bench.run(&copy).exits(3);
    run.complains(&["no regular file"]);
    assert!(is_device(), "{run:#?}");
}
