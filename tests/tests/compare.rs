//! Two records are compared case by case: what changed is told with the words of both graders, a dropped
//! case is an error, and nothing that repeats could have done by themselves is called established.

use std::sync::LazyLock;

use accredit_tests::bench::{Bench, Run};
use accredit_tests::guest::{Answer, Guest};
use accredit_tests::{fixture, repository, shipped};
use serde_json::Value;

/// `check` of a shipped grader; whatever it decides, it leaves a record in this folder.
fn check(bench: &Bench, grader: &str, controls: &str, out: &str, more: &[&str]) {
    let component = shipped(grader).display().to_string();
    let args = ["check", &component, "--controls", controls, "--out", out, "--require", "advisory"];
    let _ = bench.run(&[&args, more].concat()).exits(0);
}

/// The small set, judged by both graders of its rubric.
static SMALL: LazyLock<Bench> = LazyLock::new(|| {
    let bench = Bench::new();
    bench.copy(&fixture("small"), "set");
    check(&bench, "lenient-answer", "set", "lenient", &[]);
    check(&bench, "final-answer", "set", "careful", &[]);
    bench
});

/// A bench with a set of its own, and what `SMALL` holds of lenient-answer.
fn lenient() -> Bench {
    let bench = Bench::new();
    bench.copy(&SMALL.path("set"), "set");
    bench.copy(&SMALL.path("lenient"), "a");
    bench
}

fn compare(bench: &Bench, a: &str, b: &str, more: &[&str]) -> Run {
    bench.run(&[&["compare", a, b], more].concat())
}

#[test]
fn two_graders_over_the_shipped_set() {
    let bench = Bench::new();
    let controls = repository().join("controls/final-answer").display().to_string();
    check(&bench, "lenient-answer", &controls, "lenient", &[]);
    check(&bench, "final-answer", &controls, "careful", &[]);
    let run = compare(&bench, "lenient", "careful", &[]).exits(0);
    run.shows(&["B IS BETTER, established for all cases", "McNemar p below .001", "(--all)"]);
    let run = compare(&bench, "careful", "lenient", &[]).exits(1);
    run.shows(&["B IS WORSE", "established for: all cases, known-bad, known-good", "right in A"]);
    assert_eq!(run.stderr, "");
    let found = compare(&bench, "careful", "lenient", &["--format", "json"]).exits(1).json();
    assert_eq!(found["standing"], "worse");
    let report: Value = serde_json::from_str(&bench.read("lenient/report.json")).expect("JSON");
    assert_eq!(found["b"]["record"], report["digests"]["record"]);
    agrees_with_the_reports(&bench, &found);
    established_as_the_tests_say(&found);
}

/// A comment on a pull request says what the terminal says, and quotes nothing outside a code span.
#[test]
fn a_comparison_is_a_comment() {
    let bench = lenient();
    bench.copy(&SMALL.path("careful"), "b");
    let comment = compare(&bench, "a", "b", &["--format", "markdown"]).exits(0).stdout;
    for part in [
        "### 24 cases of the rubric `final-answer`",
        "| all cases |",
        "| known-bad |",
        "B less A",
        "<details><summary>",
        "should be fail by `",
        "A said: `",
    ] {
        assert!(comment.contains(part), "{part} is missing: {comment}");
    }
    let all = compare(&bench, "a", "b", &["--format", "markdown", "--all"]).exits(0).stdout;
    assert!(all.len() >= comment.len());
    let said = Guest {
        answer: Answer::Pass("@someone ![](https://example.org) `x`".into(), None),
        ..Guest::default()
    };
    bench.write("guest.wasm", said.build());
    let guest = ["check", "guest.wasm", "--controls", "set", "--out", "c", "--require", "advisory"];
    let _ = bench.run(&guest).exits(0);
    let comment = compare(&bench, "a", "c", &["--format", "markdown", "--all"]).exits(0).stdout;
    let outside: String = comment.lines().filter(|line| !line.contains('`')).collect();
    assert!(!outside.contains("@someone") && comment.contains("`` @someone"), "{comment}");
}

/// What is right of each kind is what either report says of its families.
fn agrees_with_the_reports(bench: &Bench, found: &Value) {
    for (side, folder, alone) in [("a", "careful", "only_a"), ("b", "lenient", "only_b")] {
        let report = bench.read(&format!("{folder}/report.json"));
        let report: Value = serde_json::from_str(&report).expect("JSON");
        for line in list(&found["kinds"]) {
            let kinds = list(&report["kinds"]).find(|kind| kind["kind"] == line["kind"]);
            let families = &kinds.expect("the kind")["figure"]["families"];
            let pairs = &line["line"]["families"];
            let right = number(&pairs["both"]) + number(&pairs[alone]);
            assert_eq!(right, number(&families["right"]), "{side}: {line}");
        }
    }
}

/// The figures of the test, from first principles: every change is one way here, so p is 2 to the 1 - n.
fn established_as_the_tests_say(found: &Value) {
    let kinds: Vec<_> = list(&found["kinds"]).collect();
    for line in &kinds {
        let (kind, line) = (&line["kind"], &line["line"]);
        let pairs = &line["families"];
        assert_eq!((number(&pairs["only_b"]), list(&line["unsettled"]).count()), (0, 0), "{kind}");
        let lost = i32::try_from(number(&pairs["only_a"])).expect("few");
        let p = line["mcnemar_p"].as_f64().expect("a p");
        assert!((p - 2_f64.powi(1 - lost)).abs() < 1e-12, "{kind}: {p}");
        let share = 0.05 / f64::from(u32::try_from(kinds.len()).expect("few"));
        let high = line["difference"]["high"].as_f64().expect("an interval");
        let worse = p <= share && high < 0.0 && lost > 0;
        assert_eq!(line["standing"] == "worse", worse, "{kind}: {line}");
    }
    let worse = kinds.iter().filter(|it| it["line"]["standing"] == "worse").count();
    assert!(worse > 0 && worse < kinds.len(), "{worse}");
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("a list").iter()
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

#[test]
fn what_people_read() {
    let run = compare(&SMALL, "lenient", "careful", &["--all"]).exits(0);
    let wide: Vec<_> = run.stdout.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    let text = run.stdout.as_str();
    let version = |grader: &str| {
        let report = SMALL.read(&format!("{grader}/report.json"));
        let report: Value = serde_json::from_str(&report).expect("JSON");
        let short = |digest: &Value| digest.as_str().expect("a digest")[7..19].to_owned();
        [short(&report["grader"]["digest"]), short(&report["digests"]["record"])]
    };
    let mut named = text.to_owned();
    for (grader, name) in [("lenient", "A"), ("careful", "B")] {
        for (digest, what) in version(grader).iter().zip(["grader", "record"]) {
            assert!(named.contains(digest.as_str()), "{what} of {name}");
            named = named.replace(digest.as_str(), &format!("[{what} {name}]"));
        }
    }
    insta::assert_snapshot!("compare_human", named);
}

#[test]
fn nothing_changed_is_not_called_equal() {
    let run = compare(&SMALL, "lenient", "lenient/record.jsonl", &[]).exits(0);
    run.shows(&[
        "NOT ESTABLISHED: that is not to say that they are equal",
        "no settled family changed sides",
        "one and the same component",
    ]);
    let json = compare(&SMALL, "lenient", "lenient", &["--format", "json"]).exits(0).json();
    assert_eq!(json["standing"], "not-established");
    assert_eq!(json["overall"]["mcnemar_p"], Value::Null);
    assert_eq!(json["overall"]["difference"]["difference"], 0.0);
    assert_eq!(json["changed"], serde_json::json!([]));
}

#[test]
fn a_dropped_case_is_an_error_that_names_it() {
    let bench = lenient();
    let file = bench.read("set/known-bad.toml");
    let (kept, dropped) = file.split_once("[[control]]\nid = \"kb-digits-inside\"").expect("there");
    let (_, rest) = dropped.split_once("[[control]]").expect("another after it");
    bench.write("set/known-bad.toml", format!("{kept}[[control]]{rest}"));
    check(&bench, "lenient-answer", "set", "b", &[]);
    let run = compare(&bench, "a", "b", &[]).exits(2);
    run.complains(&["cases of A that B lacks: 1 (kb-digits-inside)", "run B over them as well"]);
    assert_eq!(run.stdout, "");
    // The other way round it was added, which is told and counted nowhere.
    let run = compare(&bench, "b", "a", &[]).exits(0);
    run.shows(&["1 case new in B, in no count: kb-digits-inside", "other controls: "]);
    let json = compare(&bench, "b", "a", &["--format", "json"]).exits(0).json();
    assert_eq!(json["added"], serde_json::json!(["kb-digits-inside"]));
    assert_eq!(number(&json["cases"]) + list(&json["left_out"]).count() as u64, 24);
}

#[test]
fn another_case_under_the_same_id_is_an_error() {
    let table = [
        ("output = \"Answer: 17\"", "output = \"Answer: 16\"", "kb-other-number: its content"),
        ("also = [\"matches-reference\"]", "also = [\"one-answer\"]", "kb-blank: what it expects"),
    ];
    for (from, to, told) in table {
        let bench = lenient();
        bench.bend("set/known-bad.toml", from, to);
        check(&bench, "lenient-answer", "set", "b", &[]);
        let run = compare(&bench, "a", "b", &[]).exits(2);
        run.complains(&["others under the same id: 1", told, "an id of its own"]);
        assert_eq!(run.stdout, "");
    }
    // Better words for why it is there make no other case.
    let bench = lenient();
    bench.bend("set/known-bad.toml", "Nothing was answered.", "There is no answer.");
    check(&bench, "lenient-answer", "set", "b", &[]);
    let _ = compare(&bench, "a", "b", &[]).exits(0);
}

#[test]
fn one_repeat_cannot_be_told_from_noise() {
    let bench = lenient();
    check(&bench, "final-answer", "set", "b", &["--repeats", "1"]);
    let run = compare(&bench, "a", "b", &[]).exits(3);
    run.shows(&["NOT EVALUATED: one repeat shows no noise", "other repeats: 3 in A, 1 in B"]);
}

#[test]
fn records_that_cannot_be_used() {
    let bench = lenient();
    let whole = bench.read("a/record.jsonl");
    bench.write("bent.jsonl", whole.replacen("\"seed\":0", "\"seed\":7", 1));
    bench.write("cut.jsonl", &whole[..whole.len() / 2]);
    let loans = repository().join("controls/loan-ratios").display().to_string();
    check(&bench, "loan-ratios", &loans, "loans", &[]);
    let table: [(&str, i32, &[&str]); 5] = [
        ("bent.jsonl", 5, &["bent.jsonl", "changed after it was written"]),
        ("cut.jsonl", 2, &["cut.jsonl", "truncated"]),
        ("nowhere", 2, &["nowhere", "cannot be read"]),
        ("set", 2, &["record.jsonl", "cannot be read"]),
        ("loans", 2, &["the rubric `final-answer`", "`loan-ratios`", "of one rubric"]),
    ];
    for (b, code, told) in table {
        let run = compare(&bench, "a", b, &[]).exits(code);
        run.complains(told);
        assert_eq!(run.stdout, "", "{b}");
    }
}

#[test]
fn words_of_graders_are_shown_as_escapes() {
    let hostile = "\u{1b}[2J\u{202e}\r\nELIGIBLE for gating ##[error]";
    let bench = lenient();
    let guest = Guest {
        answer: Answer::Pass(hostile.to_owned(), None),
        version: hostile.to_owned(),
        rubric: "final-answer".to_owned(),
        ..Guest::default()
    };
    bench.write("g.wasm", guest.build());
    let args = ["check", "g.wasm", "--controls", "set", "--out", "b", "--require", "advisory"];
    let _ = bench.run(&args).exits(0);
    let run = bench.on_terminal(&["compare", "a", "b", "--all"]);
    run.is_tame();
    run.shows(&["B said: \\u{1b}[2J\\u{202e}\\r\\nELIGIBLE"]);
    let run = bench.run(&["compare", "a", "b", "--format", "json"]);
    run.is_tame();
    assert_eq!(run.json()["b"]["version"], hostile);
}
