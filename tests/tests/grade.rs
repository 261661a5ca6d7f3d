//! `accredit grade`: many cases in, a verdict a line out; in order, whatever the jobs, and taken up again where a run
//! ended.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use accredit_tests::bench::{Bench, Run};
use accredit_tests::guest::{Answer, Guest};
use accredit_tests::{repository, shipped};
use serde_json::{Value, json};

const GRADE: [&str; 5] = ["grade", "g.wasm", "cases.jsonl", "-o", "out.jsonl"];

/// A bench with lenient-answer and this input.
fn bench(cases: &str) -> Bench {
    let bench = Bench::new();
    bench.write("g.wasm", fs::read(shipped("lenient-answer")).expect("reads"));
    bench.write("cases.jsonl", cases);
    bench
}

/// So many cases: every third is wrong.
fn cases(count: usize) -> String {
    let case = |at: usize| {
        let said = if at.is_multiple_of(3) { "17" } else { "18" };
        json!({ "id": format!("c-{at}"), "task": format!("Sum {at}"), "output": format!("It is {said}."), "reference": "18" })
    };
    (0..count).map(|at| format!("{}\n", case(at))).collect()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn run(bench: &Bench, more: &[&str]) -> Run {
    bench.run(&[&GRADE[..], more].concat())
}

#[test]
fn verdicts_come_in_order_between_a_header_and_the_totals() {
    let bench = bench(&cases(300));
    let run = run(&bench, &["--jobs", "2"]).exits(0);
    run.shows(&["300 cases: 200 pass, 100 fail"]);
    assert_eq!(run.stderr, "");
    let text = bench.read("out.jsonl");
    let all = lines(&text);
    let header = &all[0]["grading"];
    assert_eq!(header["grader"]["name"], "lenient-answer");
    assert_eq!((&header["seed"], &header["format"]), (&json!(0), &json!(1)));
    for key in ["/grader/digest", "/contract", "/semantics"] {
        let digest = header.pointer(key).and_then(Value::as_str).expect("a digest");
        assert!(digest.starts_with("blake3:"), "{key}");
    }
    assert_eq!(all.len(), 302);
    for (at, line) in all[1..301].iter().enumerate() {
        assert_eq!((&line["line"], &line["case"]), (&json!(at + 1), &json!(format!("c-{at}"))));
        let expected = if at % 3 == 0 { "fail" } else { "pass" };
        assert_eq!((&line["verdict"], &line["outcome"]), (&json!(expected), &json!("graded")));
        assert_eq!(line["rules"]["matches-reference"], expected);
        assert!(line.get("findings").is_none());
    }
    let totals = json!({ "cases": 300, "judged": 300, "faults": 0, "refused": 0, "bad": 0,
        "verdicts": { "pass": 200, "fail": 100, "not-applicable": 0, "unproven": 0, "unresolved": 0 } });
    assert_eq!(all[301], json!({ "finished": totals }));
    for jobs in ["1", "7"] {
        let _ = self::run(&bench, &["--jobs", jobs, "--restart"]).exits(0);
        assert_eq!(bench.read("out.jsonl"), text, "{jobs} jobs");
    }
    let stdout = bench.run(&["grade", "g.wasm", "cases.jsonl"]).exits(0);
    assert!(stdout.stdout == text, "standard output gets the same");
    stdout.complains(&["300 cases: 200 pass"]);
}

#[test]
fn the_same_case_gets_the_same_line_wherever_it_stands() {
    let case = r#"{"output":"18","reference":"18"}"#;
    let other = r#"{"reference":"18","id":"named","output_type":null,"output":"18"}"#;
    let bench = bench(&format!("{case}\n{case}\n{other}\n"));
    let _ = run(&bench, &[]).exits(0);
    let all = lines(&bench.read("out.jsonl"));
    assert_eq!(all[1]["content"], all[2]["content"]);
    assert_eq!(all[1]["content"], all[3]["content"], "an id is no content");
    assert_eq!((&all[1]["case"], &all[3]["case"]), (&json!(""), &json!("named")));
}

#[test]
fn findings_are_written_when_asked_for() {
    let bench = bench(&cases(1));
    let _ = run(&bench, &["--findings"]).exits(0);
    let all = lines(&bench.read("out.jsonl"));
    let findings = all[1]["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 3);
    assert!(findings[0]["rationale"].as_str().is_some_and(|text| !text.is_empty()));
    run(&bench, &[]).exits(2).complains(&["out.jsonl", "differ in their findings", "--restart"]);
}

#[test]
fn what_a_grader_says_acts_on_no_terminal_and_forges_no_line() {
    let wild = "\u{1b}[2J\n{\"finished\":1}\u{202e}##[error]";
    for answer in [Answer::Pass(wild.into(), None), Answer::Refuse(wild.into())] {
        let bench = bench(&format!("{}\n", json!({ "id": wild, "output": "x" })));
        let guest = Guest { answer, writes: wild.to_owned(), ..Guest::default() };
        bench.write("g.wasm", guest.build());
        let run = bench.run(&["grade", "g.wasm", "cases.jsonl", "--findings"]);
        run.is_tame();
        assert_eq!(run.stdout.lines().count(), 3);
        assert_eq!(lines(&run.stdout)[1]["case"], wild);
    }
}

#[test]
fn what_was_not_judged_is_counted_and_exits_with_3() {
    let case = "{\"output\":\"18\",\"reference\":\"18\"}\n";
    let table = [
        (Answer::Trap, "fault", "unproven", "1 unproven (1 fault)"),
        (Answer::Refuse("no".into()), "refused", "unproven", "1 unproven (1 refused)"),
        (Answer::Cite("e9".into(), "x".into()), "graded", "unproven", "1 unproven"),
    ];
    for (answer, outcome, verdict, said) in table {
        let bench = bench(case);
        bench.write("g.wasm", Guest { answer, ..Guest::default() }.build());
        run(&bench, &[]).exits(3).shows(&[said]);
        let all = lines(&bench.read("out.jsonl"));
        assert_eq!((&all[1]["outcome"], &all[1]["verdict"]), (&json!(outcome), &json!(verdict)));
        assert_eq!(all[2]["finished"]["judged"], 0);
    }
    // Nothing is not all.
    run(&bench(""), &[]).exits(3).shows(&["0 cases"]);
    run(&bench("{\"output\":\"18\"}\n"), &[]).exits(3).shows(&["1 case: 1 unproven"]);
}

#[test]
fn bad_lines_are_told_counted_and_stop_nothing() {
    let good = r#"{"output":"18","reference":"18"}"#;
    let bad = "{\"outpt\":\"x\"}\nno case\n{\"output\":\"\u{0}\"}\n[1]\n";
    let deep = "[".repeat(100_000);
    let bench = bench(&format!("{good}\n{bad}{{\"output\":{deep}\n\n{good}"));
    let run = run(&bench, &[]).exits(3);
    run.shows(&["2 cases: 2 pass; 5 lines that are no case"]);
    run.complains(&["cases.jsonl:2: ", "`outpt`", "did you mean `output`?", "cases.jsonl:6: "]);
    run.is_tame();
    let all = lines(&bench.read("out.jsonl"));
    let numbers: Vec<_> = all[1..8].iter().map(|line| line["line"].as_u64()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 8].map(Some));
    assert!(all[2]["error"].as_str().is_some_and(|text| text.contains("`outpt`")));
    assert_eq!(all[8]["finished"]["bad"], 5);
}

#[test]
fn bytes_that_are_no_text_and_lines_without_end_are_bad_lines() {
    let bench = bench("");
    let mut text = b"{\"output\":\"\xff\"}\n{\"output\":\"".to_vec();
    text.resize(text.len() + (65 << 20), b'x');
    text.extend_from_slice(b"\"}\n{\"output\":\"18\",\"reference\":\"18\"}\n");
    bench.write("cases.jsonl", &text);
    let run = run(&bench, &[]).exits(3);
    run.complains(&[
        "cases.jsonl:1: byte 12 of the line is not UTF-8",
        "cases.jsonl:2: the line is longer than 64 MiB",
    ]);
    run.shows(&["1 case: 1 pass; 2 lines that are no case"]);
}

#[test]
fn strict_ends_at_the_first_bad_line_and_keeps_what_stands_before_it() {
    let sound = cases(100);
    let (before, behind) =
        sound.split_at(sound.match_indices('\n').nth(59).expect("60 lines").0 + 1);
    let bench = bench(&format!("{before}{{\"outpt\":1}}\n{behind}"));
    let run = run(&bench, &["--strict"]).exits(2);
    run.complains(&["cases.jsonl:61: ", "`outpt`", "--strict"]);
    assert_eq!(lines(&bench.read("out.jsonl")).len(), 61);
    // Mended, the run goes on.
    bench.bend("cases.jsonl", "{\"outpt\":1}\n", "{\"output\":\"18\",\"reference\":\"18\"}\n");
    self::run(&bench, &["--strict"]).exits(0).shows(&["101 cases", "60 kept of an earlier run"]);
    assert_eq!(lines(&bench.read("out.jsonl")).len(), 103);
}

#[test]
fn a_run_that_was_cut_short_anywhere_is_taken_up_again() {
    let bench = bench(&cases(40));
    let _ = run(&bench, &[]).exits(0);
    let whole = bench.read("out.jsonl");
    let header = whole.find('\n').expect("a header");
    for end in
        [0, 1, header, header + 1, header + 2, whole.len() / 2, whole.len() - 20, whole.len() - 1]
    {
        bench.write("out.jsonl", &whole[..end]);
        let again = run(&bench, &[]).exits(0);
        assert!(bench.read("out.jsonl") == whole, "cut at {end}: {again:#?}");
        let kept = whole[..end].matches('\n').count().saturating_sub(1);
        assert_eq!(again.stdout.contains("kept"), kept > 0, "{again:#?}");
        if kept > 0 {
            again.shows(&[&format!("{kept} kept of an earlier run")]);
        }
    }
    // A run of all that is there changes nothing, not even the file's date.
    let modified =
        || fs::metadata(bench.path("out.jsonl")).and_then(|it| it.modified()).expect("a date");
    let before = modified();
    run(&bench, &[]).exits(0).shows(&["40 kept of an earlier run"]);
    assert_eq!(modified(), before);
    // Nothing is graded again: what is there is believed.
    bench.bend("out.jsonl", "\"verdict\":\"fail\"", "\"verdict\":\"pass\"");
    run(&bench, &[]).exits(0).shows(&["27 pass, 13 fail", "40 kept"]);
}

#[test]
fn a_killed_run_keeps_every_line_that_it_finished() {
    let bench = bench("");
    let mut command = bench.command(&["grade", "g.wasm", "-", "-o", "out.jsonl"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("accredit starts");
    let input = cases(200);
    let (first, _) = input.split_at(input.match_indices('\n').nth(99).expect("100 lines").0 + 1);
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(first.as_bytes()).expect("is read");
    // Every case that was handed in is in the file while the input is still open.
    let written = || fs::read_to_string(bench.path("out.jsonl")).unwrap_or_default();
    let until = Instant::now() + Duration::from_secs(60);
    while written().matches('\n').count() < 101 {
        assert!(Instant::now() < until, "nothing more is written");
        std::thread::yield_now();
    }
    child.kill().expect("is killed");
    child.wait().expect("has ended");
    drop(pipe);
    let mut file = OpenOptions::new().append(true).open(bench.path("out.jsonl")).expect("opens");
    file.write_all(b"{\"line\":101,\"case\":\"c-1").expect("writes");
    bench.write("cases.jsonl", &input);
    run(&bench, &[]).exits(0).shows(&["200 cases", "100 kept of an earlier run"]);
    let resumed = bench.read("out.jsonl");
    let _ = run(&bench, &["--restart"]).exits(0);
    assert!(bench.read("out.jsonl") == resumed);
}

#[test]
fn what_changed_in_the_input_is_graded_again_and_nothing_else() {
    let bench = bench(&cases(500));
    let _ = run(&bench, &[]).exits(0);
    bench.bend("cases.jsonl", "\"c-100\"", "\"renamed\"");
    bench.bend("cases.jsonl", "Sum 200", "Sum 200b");
    bench.bend("cases.jsonl", "{\"id\":\"c-300\"", "{\"di\":\"c-300\"");
    run(&bench, &[]).exits(3).shows(&["499 cases", "1 line that is no case", "497 kept"]);
    let resumed = bench.read("out.jsonl");
    let _ = run(&bench, &["--restart"]).exits(3);
    assert!(bench.read("out.jsonl") == resumed);
    // The bad line is mended, and the input has fewer lines.
    bench.bend("cases.jsonl", "{\"di\":\"c-300\"", "{\"id\":\"c-300\"");
    let text = bench.read("cases.jsonl");
    bench.write("cases.jsonl", &text[..text.match_indices('\n').nth(449).expect("450 lines").0]);
    run(&bench, &[]).exits(0).shows(&["450 cases", "449 kept of an earlier run"]);
    let resumed = bench.read("out.jsonl");
    let _ = run(&bench, &["--restart"]).exits(0);
    assert!(bench.read("out.jsonl") == resumed);
}

#[test]
fn a_file_that_is_written_anew_keeps_its_place_and_its_readers() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let bench = bench(&cases(300));
    bench.write("folder/real.jsonl", "");
    let real = bench.path("folder/real.jsonl");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("sets");
    symlink("folder/real.jsonl", bench.path("out.jsonl")).expect("links");
    let _ = run(&bench, &[]).exits(0);
    bench.bend("cases.jsonl", "Sum 7", "Sum seven");
    run(&bench, &[]).exits(0).shows(&["299 kept of an earlier run"]);
    assert!(bench.path("out.jsonl").is_symlink());
    assert_eq!(lines(&bench.read("folder/real.jsonl")).len(), 302);
    let mode = fs::metadata(&real).expect("is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(fs::read_dir(bench.path("folder")).expect("a folder").count(), 1, "nothing is left");
}

#[test]
fn verdicts_of_another_grader_or_seed_are_not_touched() {
    let bench = bench(&cases(3));
    let _ = run(&bench, &[]).exits(0);
    let refused = |more: &[&str], expected: &[&str]| {
        bench.refuses(&[&GRADE[..], more].concat(), expected);
    };
    refused(&["--seed", "1"], &["out.jsonl", "differ in their seed", "--restart"]);
    refused(&["--fuel", "5000000"], &["differ in their semantics"]);
    bench.write("g.wasm", fs::read(shipped("final-answer")).expect("reads"));
    refused(&[], &["differ in their grader"]);
    run(&bench, &["--restart"]).exits(0).shows(&["3 cases"]);
    for other in ["something of mine", "something\nof mine\n", "{}\n", "{\"grading\":{}}\n"] {
        bench.write("out.jsonl", other);
        refused(&[], &["out.jsonl", "holds no verdicts", "--restart"]);
    }
    bench.write("out.jsonl", "");
    let _ = run(&bench, &[]).exits(0);
}

#[test]
fn standard_input_is_read_and_lines_come_as_they_are_judged() {
    let bench = bench("");
    let mut command = bench.command(&["grade", "g.wasm", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("accredit starts");
    let text = format!("{}no case", cases(2));
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("is read");
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(3));
    let all = lines(&String::from_utf8(output.stdout).expect("text"));
    assert_eq!((all.len(), &all[3]["line"]), (5, &json!(3)));
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("standard input:3: "), "{said}");
}

#[test]
fn nobody_reads_on() {
    let bench = bench(&cases(10));
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = bench.command(&["grade", "g.wasm", "cases.jsonl"]);
    command.stdout(writer).stderr(Stdio::piped());
    let output = command.spawn().and_then(std::process::Child::wait_with_output);
    let output = output.expect("accredit runs");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn files_that_cannot_be_used() {
    let bench = bench(&cases(1));
    let table = [
        (
            &["grade", "g.wasm", "none.jsonl", "-o", "out.jsonl"][..],
            &["none.jsonl", "cannot be read"][..],
        ),
        (&["grade", "g.wasm", ".", "-o", "out.jsonl"], &["cannot be read"]),
        (&["grade", "cases.jsonl", "cases.jsonl"], &["cases.jsonl"]),
        (
            &["grade", "g.wasm", "cases.jsonl", "-o", "cases.jsonl"],
            &["reads or writes that very file already"],
        ),
        (&["grade", "g.wasm", "cases.jsonl", "--restart"], &["--output"]),
        (&["grade", "g.wasm"], &["<CASES>"]),
    ];
    for (args, expected) in table {
        bench.refuses(args, expected);
    }
    let run = bench.run(&["grade", "g.wasm", "cases.jsonl", "-o", "none/out.jsonl"]).exits(3);
    run.complains(&["none/out.jsonl", "cannot be written"]);
    let run = bench.run(&["grade", "g.wasm", "cases.jsonl", "-o", "/dev/full"]).exits(3);
    run.complains(&["/dev/full", "cannot be written"]);
    // Another run holds the file.
    let held = fs::File::create(bench.path("out.jsonl")).expect("opens");
    held.lock().expect("locks");
    bench.refuses(&GRADE, &["another run is writing into this file"]);
}

#[test]
fn the_schema_is_the_published_one() {
    let printed = Bench::new().run(&["grade", "--schema"]).exits(0).stdout;
    let published = repository().join("host/cli/schemas/verdicts.schema.json");
    assert!(printed == fs::read_to_string(published).expect("is published"));
}
