//! `accredit run`: an author sees what a grader says of one case, and a script sees it in the exit code.

use accredit_tests::bench::{Bench, Run};
use accredit_tests::guest::{Answer, Guest};
use accredit_tests::shipped;

/// Runs lenient-answer on a case file of this name.
fn run(name: &str, text: &str, more: &[&str]) -> Run {
    let bench = Bench::new();
    bench.write(name, text);
    let grader = shipped("lenient-answer").display().to_string();
    bench.run(&[&["run", &grader, "--case", name], more].concat())
}

const RIGHT: &str = "task = \"3 x 6?\"\noutput = \"It is 18.\"\nreference = \"18\"\n";
const WRONG: &str = r#"{"task": "3 x 6?", "output": "It is 17.", "reference": "18"}"#;
const OPEN: &str = "output = \"It is 18.\"\n";

#[test]
fn the_verdict_is_shown_and_is_the_exit_code() {
    let table = [
        (
            "right.toml",
            RIGHT,
            0,
            &["pass  lenient-answer", "matches-reference: the reference occurs"][..],
        ),
        (
            "wrong.json",
            WRONG,
            1,
            &["fail  lenient-answer", "states-answer: the output is not blank"],
        ),
        (
            "open.toml",
            OPEN,
            3,
            &["unproven  lenient-answer", "matches-reference: the case lacks what the rule needs"],
        ),
    ];
    for (name, text, code, shown) in table {
        let run = run(name, text, &[]).exits(code);
        run.shows(shown);
        run.shows(&["fuel", "KiB of memory"]);
        assert_eq!(run.stderr, "", "{name}");
    }
}

#[test]
fn json_holds_the_findings() {
    let table = [
        ("right.toml", RIGHT, 0, "pass", "pass"),
        ("wrong.json", WRONG, 1, "fail", "fail"),
        ("open.toml", OPEN, 3, "unproven", "unproven"),
    ];
    for (name, text, code, verdict, rule) in table {
        let shown = run(name, text, &["--format", "json"]).exits(code).json();
        assert_eq!(shown["grader"]["name"], "lenient-answer");
        assert_eq!(shown["verdict"], verdict, "{name}");
        let findings = shown["outcome"]["graded"].as_array().expect("findings");
        let rules: Vec<_> =
            findings.iter().map(|it| it["rule"].as_str().expect("a rule")).collect();
        if rule == "unproven" {
            // The host says it itself: the case lacks what the rule needs.
            assert_eq!(rules, ["states-answer", "one-answer"]);
            assert_eq!(shown["imposed"][0]["rule"], "matches-reference");
        } else {
            assert_eq!(rules, ["states-answer", "one-answer", "matches-reference"]);
            assert_eq!(findings[2]["verdict"], rule);
            assert!(shown["imposed"].as_array().expect("a list").is_empty());
        }
        assert!(shown["fuel"].as_u64().expect("a count") > 0);
        assert!(shown["memory_bytes"].as_u64().expect("a count") > 0);
    }
}

#[test]
fn a_bad_case_tells_all_its_faults_and_where() {
    let text = "task = 1\noutpt = \"x\"\n\n[[evidence]]\nid = \"e\"\nkind = \"k\"\n";
    let run = run("case.toml", text, &[]).exits(2);
    run.complains(&[
        "case.toml:1",
        "`task`",
        "case.toml:2",
        "`outpt`",
        "did you mean `output`?",
        "case.toml:4",
        "content",
        "3 faults: mend them",
    ]);
    assert_eq!(run.stdout, "");
    let table = [
        ("case.txt", "x", &["case.txt", "name it *.json or *.toml"][..]),
        ("case.json", "{\"output\": }", &["case.json:1", "mend the syntax"]),
        ("case.json", "{\"output\": \"a\", \"output\": \"b\"}", &["case.json:1", "output"]),
        ("case.toml", "output = \"x\"\ncontext = \"no object\"\n", &["case.toml:2", "context"]),
    ];
    for (name, text, expected) in table {
        let run = self::run(name, text, &[]).exits(2);
        run.complains(expected);
        assert_eq!(run.stdout, "", "{name}");
    }
}

#[test]
fn a_grader_that_gives_no_answer_is_no_pass() {
    let table = [
        (Answer::Trap, &["fault: trap", "the grader did not answer"][..]),
        (Answer::Refuse("not my kind of case".into()), &["refused: not my kind of case"]),
        (
            Answer::Cite("e9".into(), "nothing".into()),
            &["contract broken", "its finding broke the contract"],
        ),
        (Answer::Pass("sure".into(), Some(7.0)), &["contract broken"]),
    ];
    for (answer, shown) in table {
        let bench = Bench::new();
        let guest = Guest { answer, writes: "on my way\n".into(), ..Guest::default() };
        bench.write("g.wasm", guest.build());
        bench.write("case.toml", RIGHT);
        let run = bench.run(&["run", "g.wasm", "--case", "case.toml"]).exits(3);
        run.shows(shown);
        run.shows(&["unproven", "| on my way"]);
    }
}
