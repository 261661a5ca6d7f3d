//! Input that cannot be used: exit code 2, one message that says what, where and what to do, nothing
//! decided and nothing written.

use accredit_tests::bench::{Bench, CHECK};
use accredit_tests::guest::{Answer, Guest, binary};
use accredit_tests::{repository, shipped};

#[test]
fn the_sound_bench_is_sound() {
    let bench = Bench::sound();
    bench.run(&CHECK).exits(1).shows(&["REFUSED", "left in left"]);
    assert!(bench.path("left/report.json").is_file());
}

#[test]
fn files_that_are_no_grader() {
    let module = binary("(module)");
    let other = binary(
        r#"(component (component $c) (instance $i (instantiate $c))
                (export "acme:other/thing@1.0.0" (instance $i)))"#,
    );
    let noise: Vec<u8> =
        (0u32..4096).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let good = std::fs::read(shipped("lenient-answer")).expect("reads");
    let table: &[(&[u8], &[&str])] = &[
        (b"", &["empty (0 bytes)", "build the grader again"]),
        (
            b"fn main() {}",
            &["not a WebAssembly component", "a text file", "path of the .wasm file"],
        ),
        (b"(component)", &["WebAssembly text", "wasm-tools parse"]),
        (&noise, &["not a WebAssembly component", "path of the .wasm file"]),
        (&good[..good.len() / 2], &["not valid", "damaged", "build it again"]),
        (&module, &["a core WebAssembly module, not a component", "wasm32-wasip2"]),
        (&other, &["not a grader", "acme:other/thing@1.0.0", "world `code-grader`"]),
    ];
    for (bytes, expected) in table {
        let bench = Bench::sound();
        bench.write("g.wasm", bytes);
        for args in [&CHECK[..], &["run", "g.wasm", "--case", "case.toml"]] {
            bench.write("case.toml", "output = \"18\"\n");
            bench.refuses(args, expected).complains(&["g.wasm: "]);
        }
    }
}

#[test]
fn graders_of_another_contract() {
    let http = (
        "package wasi:http@0.2.6; interface outgoing-handler { handle: func(it: u32) -> u32; }",
        r#"(import "wasi:http/outgoing-handler@0.2.6" "handle" (func $imported (param i32) (result i32)))"#,
    );
    let table = [
        (
            Guest::with_contract("accredit:grader@0.1.0", "accredit:grader@0.2.0"),
            &["built against contract", "0.2.0", "this host speaks 0.1.x", "rebuild"][..],
        ),
        (
            Guest { import: Some(http), ..Guest::default() },
            &["does not grant", "wasi:http/outgoing-handler@0.2.6", "pass it as evidence"],
        ),
        (
            Guest::with_contract("    unresolved,\n", "    unresolved,\n    maybe,\n"),
            &["enum `verdict` has an extra case `maybe`", "unchanged wit/grader.wit"],
        ),
        (
            Guest::with_contract(
                "    rationale: string,\n",
                "    rationale: string,\n    mood: string,\n",
            ),
            &["record `finding` has an extra field `mood`", "unchanged wit/grader.wit"],
        ),
        (Guest { name: "No Name".into(), ..Guest::default() }, &["manifest is not valid", "name"]),
        (Guest { rules: Vec::new(), ..Guest::default() }, &["manifest is not valid", "rule"]),
    ];
    for (guest, expected) in table {
        let bench = Bench::sound();
        bench.write("g.wasm", guest.build());
        bench.refuses(&CHECK, expected).complains(&["g.wasm: "]);
    }
}

#[test]
fn graders_that_are_not_there() {
    let table = [
        ("nowhere.wasm", &["nowhere.wasm: cannot be read", "Check the path"][..]),
        ("set", &["set: is no regular file", "give a .wasm file"]),
        ("p.toml/g.wasm", &["p.toml/g.wasm: cannot be read", "Check the path"]),
        ("/dev/zero", &["/dev/zero: is no regular file"]),
    ];
    for (path, expected) in table {
        let bench = Bench::sound();
        bench.refuses(&["check", path, "--controls", "set", "--out", "left"], expected);
    }
}

#[test]
fn graders_and_sets_that_do_not_belong_together() {
    let bench = Bench::sound();
    let loans = repository().join("controls/loan-ratios").display().to_string();
    let args = ["check", "g.wasm", "--controls", &loans, "--out", "left"];
    bench.refuses(
        &args,
        &[
            "the set is for the rubric `loan-ratios`, the grader for `final-answer`",
            "check the grader against the set of its own rubric",
            "set.toml",
        ],
    );
    let rules = ["states-anwser", "one-answer", "matches-reference"].map(Into::into).into();
    let misspelt = Guest { rules, answer: Answer::Trap, ..Guest::default() };
    bench.write("g.wasm", misspelt.build());
    bench.refuses(&CHECK,
        &[
            "the rule `states-answer` is in set.toml",
            "the grader has `states-anwser`: if the same rule is meant, write it alike on both sides",
            "2 faults",
        ],
    );
}

/// A file of the set, a text in it, what stands there instead, and what is said.
type Bent = (&'static str, &'static str, &'static str, &'static [&'static str]);

const BENT_SETS: &[Bent] = &[
    (
        "known-bad.toml",
        "family = \"blank\"",
        "famly = \"blank\"",
        &["set/known-bad.toml:5", "kb-blank", "`famly`", "did you mean `family`?"],
    ),
    (
        "near-miss.toml",
        "pair = \"digit\"",
        "pair = \"digits\"",
        &["set/near-miss.toml", "nm-digit-pass", "digits", "pair"],
    ),
    (
        "known-good.toml",
        "id = \"kg-marked\"",
        "id = \"kb-blank\"",
        &["kb-blank", "set/known-good.toml:4", "known-bad.toml:3"],
    ),
    (
        "known-bad.toml",
        "rule = \"one-answer\"",
        "rule = \"one-anwser\"",
        &["set/known-bad.toml", "kb-two-answers", "one-anwser", "did you mean `one-answer`?"],
    ),
    (
        "adversarial.toml",
        "tactic = \"answer-dump\"\n",
        "",
        &["set/adversarial.toml", "ad-dump", "tactic"],
    ),
    (
        "invariance.toml",
        "base = \"iv-base\"",
        "base = \"iv-bass\"",
        &["set/invariance.toml", "iv-reworded", "iv-bass"],
    ),
    ("known-bad.toml", "[[control]]", "[[control]", &["set/known-bad.toml:3", "syntax"]),
    (
        "real-output.jsonl",
        "\"human_label\":\"pass\"",
        "\"human_label\":\"good\"",
        &["set/real-output.jsonl:2", "ro-1", "human_label", "pass"],
    ),
    (
        "set.toml",
        "rubric = \"final-answer\"",
        "rubrik = \"final-answer\"",
        &["set/set.toml", "rubrik", "did you mean `rubric`?"],
    ),
];

#[test]
fn control_sets_with_faults() {
    for (file, from, to, expected) in BENT_SETS {
        let bench = Bench::sound();
        bench.bend(&format!("set/{file}"), from, to);
        for args in [&CHECK[..], &["controls", "lint", "set"]] {
            bench.refuses(args, expected).complains(&["mend", "and read again"]);
        }
    }
}

#[test]
fn files_that_do_not_belong_in_a_control_set() {
    let bench = Bench::sound();
    bench.write("set/known-bed.toml", "");
    bench.refuses(&CHECK, &["set/known-bed.toml", "known-bad.toml"]);
    let bench = Bench::sound();
    bench.write("set/notes.txt", "");
    bench.refuses(&CHECK, &["set/notes.txt"]);
    let bench = Bench::sound();
    std::fs::remove_file(bench.path("set/set.toml")).expect("removes");
    bench.refuses(&CHECK, &["set/set.toml", "is missing", "add it"]);
    let bench = Bench::sound();
    for path in ["none", "g.wasm"] {
        bench.refuses(&["controls", "lint", path], &[path, "cannot be read"]);
    }
}

#[test]
fn all_faults_of_a_set_are_told_at_once() {
    let bench = Bench::sound();
    bench.write("set/known-bed.toml", "");
    for (file, from, to) in [
        ("known-bad.toml", "family = \"blank\"", "famly = \"blank\""),
        ("known-good.toml", "verdict = \"pass\"", "verdict = \"good\""),
        ("near-miss.toml", "pair = \"sign\"", "pair = \"sing\""),
        ("set.toml", "\"white-space\"", "\"whitespace\""),
    ] {
        bench.bend(&format!("set/{file}"), from, to);
    }
    let run = bench.refuses(
        &CHECK,
        &[
            "known-bed.toml",
            "`famly`",
            "`good`",
            "`sing`",
            "`sign`",
            "`whitespace`",
            "6 faults: mend them",
        ],
    );
    let lint = bench.run(&["controls", "lint", "set"]).exits(2);
    assert_eq!(lint.stderr, run.stderr);
    let faults = bench.run(&["controls", "lint", "set", "--format", "json"]).exits(2).json();
    assert_eq!(faults["faults"].as_array().map(Vec::len), Some(6), "{faults:#}");
}
