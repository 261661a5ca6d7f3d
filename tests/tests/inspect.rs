//! `accredit inspect`: what a component is, whoever made it, and all that stands in its way.

use accredit_tests::bench::Bench;
use accredit_tests::guest::{Answer, Guest, binary};
use accredit_tests::shipped;
use serde_json::{Value, json};

/// A component that asks for the network.
fn networked() -> Vec<u8> {
    let package = "package wasi:http@0.2.6; interface outgoing-handler { handle: func(request: u32) -> u32; }";
    let import = r#"(import "wasi:http/outgoing-handler@0.2.6" "handle" (func $imported (param i32) (result i32)))"#;
    Guest { import: Some((package, import)), ..Guest::default() }.build()
}

#[test]
fn a_shipped_grader_is_shown_whole() {
    let path = shipped("lenient-answer").display().to_string();
    let bytes = std::fs::read(&path).expect("reads");
    let digest = blake3::hash(&bytes).to_hex().to_string();
    let bench = Bench::new();
    let run = bench.run(&["inspect", &path]).exits(0);
    run.shows(&[
        "a grader that this host takes",
        &format!("blake3:{digest}"),
        "accredit:grader/grader@0.1.0",
    ]);
    run.shows(&[
        "states-answer  essential, on the output",
        "needs @reference",
        "granted  accredit:grader/diagnostics",
    ]);
    run.shows(&[
        "authors ",
        "needs before it runs",
        "fits the pool",
        "limits in force",
        "fuel  ",
        "semantics blake3:",
    ]);
    assert_eq!(run.stderr, "");

    let shown = bench.run(&["inspect", &path, "--format", "json"]).exits(0).json();
    assert_eq!((&shown["loads"], &shown["obstacles"]), (&"yes".into(), &json!([])));
    assert_eq!(shown["digest"], format!("blake3:{digest}"));
    assert_eq!((&shown["short"], &shown["size"]), (&digest[..12].into(), &bytes.len().into()));
    assert_eq!(
        (&shown["kind"], &shown["manifest"]["rubric"]),
        (&"code".into(), &"final-answer".into())
    );
    let rules = shown["manifest"]["rules"].as_array().expect("rules");
    assert!(
        rules.iter().all(|rule| rule["id"].is_string() && rule["text"].is_string()),
        "{rules:#?}"
    );
    assert!(shown["minimums"]["memory_bytes"].as_u64().is_some_and(|bytes| bytes >= 65_536));
    assert_eq!(shown["exports"], json!([]), "a grader's exports are its contract");
}

#[test]
fn the_cache_is_told() {
    let bench = Bench::with_cold_cache();
    bench.write("g.wasm", Guest::default().build());
    for expected in
        ["cache     it was compiled, and kept for next time", "cache     it was there, compiled"]
    {
        bench.run(&["inspect", "g.wasm"]).exits(0).shows(&[expected]);
    }
}

#[test]
fn limits_are_those_of_the_options() {
    let bench = Bench::new();
    bench.write("g.wasm", Guest::default().build());
    let shown = |more: &[&str]| {
        bench.run(&[&["inspect", "g.wasm", "--format", "json"], more].concat()).exits(0).json()
    };
    let fuel = |shown: &Value| shown["limits"][0]["amount"].clone();
    let (shipped, other) = (shown(&[]), shown(&["--fuel", "77777"]));
    assert_eq!((fuel(&shipped), fuel(&other)), (1_000_000_000.into(), 77_777.into()));
    assert_ne!(shipped["semantics"], other["semantics"]);
}

#[test]
fn what_does_not_load_is_shown_with_what_is_in_its_way() {
    let store = "(component (instance $i) (export \"acme:things/store@1.0.0\" (instance $i)))";
    let duplicate = || Guest { rules: vec!["a".into(), "a".into()], ..Guest::default() }.build();
    let table: [(&str, Vec<u8>, &[&str]); 6] = [
        (
            "networked",
            networked(),
            &["refused  wasi:http/outgoing-handler@0.2.6", "pass it as evidence"],
        ),
        ("no grader", binary(store), &["does not export", "exports\n    acme:things/store@1.0.0"]),
        (
            "two rules",
            duplicate(),
            &["two rules share the id `a`", "contract  accredit:grader/grader@0.1.0"],
        ),
        ("core module", binary("(module)"), &["core WebAssembly module", "wasm32-wasip2"]),
        ("text", b"hello".to_vec(), &["a text file", "size      5 bytes"]),
        ("cut", Guest::default().build()[..900].to_vec(), &["not valid", "size      900 bytes"]),
    ];
    for (what, bytes, shown) in table {
        let bench = Bench::new();
        bench.write("g.wasm", &bytes);
        let run = bench.run(&["inspect", "g.wasm"]).exits(2);
        run.shows(&[
            "not a grader that this host takes",
            &format!("blake3:{}", blake3::hash(&bytes).to_hex()),
        ]);
        run.shows(shown);
        let json = bench.run(&["inspect", "g.wasm", "--format", "json"]).exits(2).json();
        assert_eq!(
            (&json["loads"], json["obstacles"].as_array().map(Vec::len)),
            (&"no".into(), Some(1)),
            "{what}"
        );
        assert_eq!(json["manifest"], Value::Null, "{what}");
    }
}

#[test]
fn a_grader_need_not_be_run_to_be_looked_at() {
    let bench = Bench::new();
    bench
        .write("g.wasm", Guest { rules: vec!["a".into(), "a".into()], ..Guest::default() }.build());
    let run = bench.run(&["inspect", "g.wasm", "--no-run"]).exits(0);
    run.shows(&[
        "not run: its bytes show nothing against it",
        "contract  accredit:grader/grader@0.1.0",
    ]);
    assert!(!run.stdout.contains("rules"), "{run:#?}");
    bench.write("g.wasm", networked());
    bench.run(&["inspect", "g.wasm", "--no-run"]).exits(2).shows(&["refused  wasi:http"]);
}

#[test]
fn a_graders_words_do_not_act_on_the_terminal() {
    let words = "\u{1b}[31mred\u{202e}\u{7}\nsecond";
    let guest = Guest {
        author: words.into(),
        version: words.into(),
        answer: Answer::Trap,
        ..Guest::default()
    };
    let bench = Bench::new();
    bench.write("g.wasm", guest.build());
    let run = bench.run(&["inspect", "g.wasm"]).exits(0);
    run.shows(&["authors       \\u{1b}[31mred\\u{202e}\\u{7}\\nsecond"]);
    run.shows(&["made-up \\u{1b}[31mred"]);
    let json = bench.run(&["inspect", "g.wasm", "--format", "json"]).exits(0);
    for text in [&run.stdout, &json.stdout] {
        assert!(!text.chars().any(|c| c != '\n' && (c.is_control() || c == '\u{202e}')), "{text}");
    }
    assert_eq!(json.json()["manifest"]["version"], words);
}

#[test]
fn what_cannot_be_read_is_bad_input() {
    let bench = Bench::new();
    bench.refuses(&["inspect", "nowhere.wasm"], &["nowhere.wasm", "cannot be read"]);
    bench.write("folder/file", "x");
    bench.refuses(&["inspect", "folder"], &["folder", "no regular file"]);
}
