//! A grader's words are data. Whatever it says of itself, of a case or to its author, nothing of it acts
//! on the terminal that shows it, and JSON keeps it as it was.

use accredit_tests::bench::Bench;
use accredit_tests::fixture;
use accredit_tests::guest::{Answer, Guest};

/// Clears the screen, reverses the text, starts a new line that looks like accredit's own, hides a word
/// and sets the window's title.
const HOSTILE: &str =
    "\u{1b}[2J\u{9b}31m pass\u{202e}liaf\u{2066}\r\nELIGIBLE for gating\u{200b}\u{7}\u{1b}]0;title";

/// Graders that speak so wherever they can.
fn hostile() -> Vec<Guest> {
    let words = || HOSTILE.to_owned();
    let said = |answer| Guest {
        answer,
        writes: words(),
        author: words(),
        version: words(),
        ..Guest::default()
    };
    vec![
        said(Answer::Pass(words(), None)),
        said(Answer::Refuse(words())),
        said(Answer::Cite(words(), words())),
        said(Answer::Trap),
    ]
}

#[test]
fn a_report_shows_hostile_words_as_escapes() {
    for guest in hostile() {
        let bench = Bench::new();
        bench.write("g.wasm", guest.build());
        bench.copy(&fixture("small"), "set");
        let args = ["check", "g.wasm", "--controls", "set", "--all", "--out", "out"];
        let run = bench.on_terminal(&args).exits(1);
        run.is_tame();
        // It is shown all the same: the version in the heading, broken between words.
        let shown: String = run.stdout.split_whitespace().collect();
        let version =
            "made-up\\u{1b}[2J\\u{9b}31mpass\\u{202e}liaf\\u{2066}\\r\\nELIGIBLEforgating";
        assert!(shown.contains(version), "{run:#?}");
        let again = bench.on_terminal(&["report", "out/record.jsonl", "--all"]).exits(1);
        again.is_tame();
        let json = bench.run(&["report", "out/record.jsonl", "--format", "json"]).exits(1).json();
        assert_eq!(json["grader"]["version"], HOSTILE);
    }
}

#[test]
fn every_format_keeps_hostile_words_in_their_place() {
    for guest in hostile() {
        let bench = Bench::new();
        bench.write("g.wasm", guest.build());
        bench.copy(&fixture("small"), "set");
        let args = ["check", "g.wasm", "--controls", "set", "--all", "--out", "out"];
        bench.run(&args).exits(1).is_tame();
        for format in ["markdown", "junit", "github", "html"] {
            let run = bench.run(&["report", "out/record.jsonl", "--format", format]).exits(1);
            if format == "github" {
                let commands: Vec<_> =
                    run.stdout.lines().filter(|line| line.trim().starts_with("::")).collect();
                let ours = |line: &&str| line.contains("title=") && !line.contains("::ELIGIBLE");
                assert!(commands.iter().all(ours), "{commands:#?}");
            } else {
                run.is_tame();
            }
            assert!(!run.stdout.contains('\u{202e}'), "{format}");
        }
    }
}

/// Words that are markup, a link, an image, a mention and a command.
#[test]
fn markup_commands_and_mentions_are_words() {
    let words = "</failure></pre><script>x</script> ![i](https://example.org) @someone `x` %0A::error::y\n::error::z ##[error]";
    let bench = Bench::new();
    let answer = Answer::Pass(words.to_owned(), None);
    bench.write("g.wasm", Guest { answer, version: words.to_owned(), ..Guest::default() }.build());
    bench.copy(&fixture("small"), "set");
    bench.run(&["check", "g.wasm", "--controls", "set", "--out", "out"]).exits(1).is_tame();
    for (format, shown) in [
        ("html", "&lt;script&gt;x&lt;/script&gt;"),
        ("junit", "&lt;/failure&gt;&lt;/pre&gt;&lt;script&gt;x&lt;/script&gt;"),
        (
            "markdown",
            "``</failure></pre><script>x</script> ![i](https://example.org) @someone `x` %0A::error::y\\n::error::z #\\u{23}[error]``",
        ),
        ("github", "%250A::error::y\\n::error::z #\\u{23}[error]"),
    ] {
        let run = bench.run(&["report", "out/record.jsonl", "--format", format]).exits(1);
        run.shows(&[shown]);
        for raw in ["##[", "\n::error::z"] {
            assert!(!run.stdout.contains(raw), "{format}: {raw}");
        }
        if matches!(format, "html" | "junit") {
            assert!(!run.stdout.contains("<script>x"), "{format}");
        }
    }
}

#[test]
fn one_case_shows_hostile_words_as_escapes() {
    let escaped = "\\u{1b}[2J\\u{9b}31m pass\\u{202e}liaf\\u{2066}";
    for (guest, code) in hostile().into_iter().zip([0, 3, 3, 3]) {
        let bench = Bench::new();
        bench.write("g.wasm", guest.build());
        bench.write("case.toml", "output = \"18\"\nreference = \"18\"\n");
        let run = bench.on_terminal(&["run", "g.wasm", "--case", "case.toml"]).exits(code);
        run.is_tame();
        run.shows(&[escaped, "it wrote:"]);
        // Its lines stand behind a margin.
        assert!(run.stdout.contains("    | ELIGIBLE"), "{run:#?}");
    }
}

#[test]
fn json_keeps_hostile_words_and_escapes_them() {
    let bench = Bench::new();
    bench.write("g.wasm", hostile()[0].build());
    bench.write("case.toml", "output = \"18\"\nreference = \"18\"\n");
    let run = bench.run(&["run", "g.wasm", "--case", "case.toml", "--format", "json"]).exits(0);
    assert_eq!(run.json()["outcome"]["graded"][0]["rationale"], HOSTILE);
    assert_eq!(run.json()["captured"], HOSTILE);
    assert!(!run.stdout.contains(['\u{1b}', '\r', '\u{7}']), "raw control characters: {run:#?}");
}

#[test]
fn names_that_cannot_be_names_are_shown_as_escapes() {
    for guest in [
        Guest { name: HOSTILE.into(), ..Guest::default() },
        Guest { rubric: HOSTILE.into(), ..Guest::default() },
        Guest { rules: vec![HOSTILE.into()], ..Guest::default() },
    ] {
        let bench = Bench::new();
        bench.write("g.wasm", guest.build());
        bench.write("case.toml", "output = \"18\"\n");
        let run = bench.on_terminal(&["run", "g.wasm", "--case", "case.toml"]).exits(2);
        run.is_tame();
        run.complains(&["g.wasm: the grader's manifest is not valid"]);
    }
}

#[test]
fn words_of_control_sets_and_policies_are_shown_as_escapes() {
    let bench = Bench::new();
    bench.copy(&fixture("small"), "set");
    let text = bench.read("set/known-bad.toml");
    let key = "\"\\u001b[2J\\u202e\" = 1\nfamily = \"blank\"";
    bench.write("set/known-bad.toml", text.replacen("family = \"blank\"", key, 1));
    let run = bench.on_terminal(&["controls", "lint", "set"]).exits(2);
    run.is_tame();
    run.complains(&["\\u{1b}[2J\\u{202e}"]);
    // A sound set and a sound policy, whose words would act on the terminal.
    let words = "\\u001b[2J\\u202e\\nELIGIBLE for gating";
    let why = format!("why = \"Nothing was answered.{words}\"");
    bench.write("set/known-bad.toml", text.replacen("why = \"Nothing was answered.\"", &why, 1));
    let header = bench.read("set/set.toml");
    let version = format!("version = \"1{words}\"");
    bench.write("set/set.toml", header.replacen("version = \"1\"", &version, 1));
    let waiver = "[[waiver]]\ntier = \"characterization\"\nrequirement = \"known-bad\"\n";
    bench.write("accredit.toml", format!("{waiver}reason = \"{words}\"\n"));
    bench.write("g.wasm", Guest::default().build());
    let escaped = "\\u{1b}[2J\\u{202e}\\nELIGIBLE";
    let table: [(&[&str], &str); 3] = [
        (&["check", "g.wasm", "--controls", "set", "--all"], "Nothing was answered."),
        (&["policy", "explain"], "waived known-bad for characterization: "),
        (&["controls", "lint", "set"], "set small 1"),
    ];
    for (args, before) in table {
        let run = bench.on_terminal(args);
        run.is_tame();
        run.shows(&[&format!("{before}{escaped}")]);
    }
}

#[test]
fn json_on_standard_output_is_the_json_of_the_report() {
    let bench = Bench::new();
    let version = "1\u{7f}\u{9b}\u{202e}".to_owned();
    bench.write("g.wasm", Guest { version: version.clone(), ..Guest::default() }.build());
    bench.copy(&fixture("small"), "set");
    let args = ["check", "g.wasm", "--controls", "set", "--out", "out", "--format", "json"];
    let run = bench.run(&args).exits(1);
    assert_eq!(run.stdout, bench.read("out/report.json"));
    assert_eq!(run.json()["grader"]["version"], version);
    run.is_tame();
}
