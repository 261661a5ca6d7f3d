//! A run record is all an auditor needs: the report follows from it alone, its digest can be computed
//! without accredit, and a record that was changed or cut is noticed.

use std::sync::LazyLock;

use accredit_tests::bench::{Bench, Run};
use accredit_tests::{fixture, shipped};
use serde_json::Value;

/// What one `check` left behind.
struct Left {
    record: String,
    report: String,
}

/// Runs `check` on the small set.
fn check(bench: &Bench, out: &str, more: &[&str]) -> Left {
    let (grader, controls) = (shipped("lenient-answer"), fixture("small"));
    let (grader, controls) = (grader.display().to_string(), controls.display().to_string());
    let args = ["check", &grader, "--controls", &controls, "--out", out];
    bench.run(&[&args, more].concat()).exits(1).shows(&["REFUSED"]);
    Left {
        record: bench.read(&format!("{out}/record.jsonl")),
        report: bench.read(&format!("{out}/report.json")),
    }
}

/// One run that the tests read and bend.
static LEFT: LazyLock<Left> = LazyLock::new(|| check(&Bench::new(), "out", &[]));

fn digest(report: &str) -> String {
    let report: Value = serde_json::from_str(report).expect("JSON");
    report["digests"]["record"].as_str().expect("a digest").to_owned()
}

/// `accredit report` on a record with this text.
fn report(record: &str, more: &[&str]) -> Run {
    let bench = Bench::new();
    bench.write("record.jsonl", record);
    bench.run(&[&["report", "record.jsonl"], more].concat())
}

fn is_event(line: &&str) -> bool {
    !line.starts_with("{\"aside\":")
}

#[test]
fn the_report_follows_from_the_record_alone() {
    let again = report(&LEFT.record, &["--format", "json"]).exits(1);
    assert!(again.stdout == LEFT.report, "the report differs");
    assert_eq!(again.stderr, "");
    // The tier asked for changes the exit code and nothing else.
    let again = report(&LEFT.record, &["--format", "json", "--require", "advisory"]).exits(0);
    assert!(again.stdout == LEFT.report, "the report differs");
    report(&LEFT.record, &[]).exits(1).shows(&[
        "REFUSED: not eligible for gating, stays advisory",
        "policy: that of the run, from its record",
    ]);
}

#[test]
fn the_digest_can_be_computed_without_accredit() {
    let mut hasher = blake3::Hasher::new();
    for line in LEFT.record.lines().filter(is_event) {
        hasher.update(line.as_bytes());
        hasher.update(b"\n");
    }
    let computed = format!("blake3:{}", hasher.finalize().to_hex());
    assert_eq!(computed, digest(&LEFT.report));
    let seal = LEFT.record.lines().last().expect("a last line");
    assert_eq!(seal, format!("{{\"aside\":{{\"seal\":{{\"digest\":\"{computed}\"}}}}}}"));
    let events: Vec<_> = LEFT.record.lines().filter(is_event).collect();
    assert!(events[0].starts_with("{\"run-started\":"), "{}", events[0]);
    let last = events.last().expect("an event");
    assert!(last.starts_with("{\"run-finished\":"), "{last}");
}

#[test]
fn the_digest_depends_on_nothing_but_what_was_run() {
    let cold = Bench::with_cold_cache();
    let runs = [
        ("one job, nothing cached", check(&cold, "first", &["--jobs", "1"])),
        ("one job, cached", check(&cold, "second", &["--jobs", "1"])),
        ("two jobs, cached", check(&cold, "deep/down/third", &["--jobs", "2"])),
    ];
    for (how, left) in &runs {
        assert_eq!(digest(&left.report), digest(&LEFT.report), "{how}");
        assert!(left.report == LEFT.report, "{how}: the report differs");
        let events = |record: &str| record.lines().filter(is_event).collect::<String>();
        assert!(events(&left.record) == events(&LEFT.record), "{how}: the events differ");
    }
    assert!(cold.files().keys().any(|file| file.starts_with("home/cache/")), "nothing was cached");
    let uncached = Bench::new();
    let (grader, controls) = (shipped("lenient-answer"), fixture("small"));
    let mut command = uncached.command(&["check", "--format", "json"]);
    command.arg(grader).arg("--controls").arg(controls).env("ACCREDIT_CACHE", "off");
    assert!(Run::of(command).exits(1).stdout == LEFT.report, "without a cache the report differs");
}

#[test]
fn another_seed_or_number_of_repeats_is_another_run() {
    for (more, trials) in [(["--seed", "1"], 99), (["--repeats", "2"], 66)] {
        let left = check(&Bench::new(), "out", &more);
        assert_ne!(digest(&left.report), digest(&LEFT.report), "{more:?}");
        let report: Value = serde_json::from_str(&left.report).expect("JSON");
        assert_eq!(report["run"]["trials"], trials, "{more:?}");
    }
}

/// The record with the first of this text changed in the line that begins so.
fn bent(begins: &str, from: &str, to: &str) -> String {
    let mut found = false;
    let lines = LEFT.record.lines().map(|line| {
        let this = !found && line.starts_with(begins) && line.contains(from);
        found |= this;
        if this { line.replacen(from, to, 1) + "\n" } else { format!("{line}\n") }
    });
    let record = lines.collect();
    assert!(found, "no line {begins} holds {from}");
    record
}

#[test]
fn one_changed_byte_is_noticed() {
    let table = [
        ("{\"trial-finished\":", "\"fuel\":", "\"fuel\":1"),
        ("{\"trial-finished\":", "not checked", "not_checked"),
        ("{\"trial-finished\":", "not blank", "now blank"),
        ("{\"run-started\":", "\"seed\":0", "\"seed\":7"),
        ("{\"run-started\":", "\"known_bad\":0.95", "\"known_bad\":0.15"),
        ("{\"run-started\":", "Nothing was answered", "nothing was answered"),
    ];
    let other_seal = |record: &str| {
        let last = record.rfind("\"}}}").expect("a seal") - 1;
        let digit = if record.as_bytes()[last] == b'0' { "1" } else { "0" };
        format!("{}{digit}{}", &record[..last], &record[last + 1..])
    };
    let bent = table.map(|(begins, from, to)| bent(begins, from, to));
    for record in bent.into_iter().chain([other_seal(&LEFT.record)]) {
        for more in [&[][..], &["--require", "advisory"], &["--incomplete"]] {
            let run = report(&record, more).exits(5);
            run.complains(&["record.jsonl", "changed after it was written", "run the check again"]);
            assert_eq!(run.stdout, "");
        }
    }
}

#[test]
fn a_dropped_or_repeated_line_is_noticed() {
    let trials = |line: &&str| line.starts_with("{\"trial-finished\":");
    let place = LEFT.record.lines().position(|line| trials(&line)).expect("a trial");
    let mut lines: Vec<_> = LEFT.record.lines().collect();
    let dropped = lines.remove(place);
    for record in [lines.join("\n") + "\n", LEFT.record.replace(dropped, lines[place])] {
        let run = report(&record, &["--require", "advisory"]);
        assert_eq!(run.code, 5, "{run:#?}");
        assert_eq!(run.stdout, "");
    }
}

/// One byte of an event changed to what fits nowhere, for many bytes.
#[test]
fn a_byte_that_breaks_a_sealed_record_is_an_integrity_failure() {
    for at in (0..LEFT.record.len()).step_by(997) {
        let mut bytes = LEFT.record.clone().into_bytes();
        if !bytes[at].is_ascii() {
            continue;
        }
        bytes[at] = if bytes[at] == b'~' { b'!' } else { b'~' };
        let begins = LEFT.record[..at].rfind('\n').map_or(0, |end| end + 1);
        if !is_event(&&LEFT.record[begins..]) {
            continue;
        }
        let bench = Bench::new();
        bench.write("record.jsonl", bytes);
        let run = bench.run(&["report", "record.jsonl", "--require", "advisory"]);
        assert_eq!(run.code, 5, "byte {at}: {run:#?}");
        assert_eq!(run.stdout, "", "byte {at}");
    }
}

/// The record up to this share of its lines, and up to the middle of the next.
fn cut(keep: usize, torn: bool) -> String {
    let lines: Vec<_> = LEFT.record.lines().collect();
    let mut record: String = lines[..keep].iter().map(|line| format!("{line}\n")).collect();
    if torn {
        record.push_str(&lines[keep][..lines[keep].len() / 2]);
    }
    record
}

#[test]
fn what_is_no_whole_record_says_so() {
    let lines = LEFT.record.lines().count();
    let table = [
        (cut(40, true), &["record is truncated: line 41 stops in the middle", "--incomplete"][..]),
        (cut(40, false), &["record is truncated: it holds", "of 99 trials", "Run the check again"]),
        // All trials are there, and the line that says so is not.
        (cut(lines - 3, false), &["record is truncated", "no end of the run"]),
        (cut(lines - 1, false), &["record is truncated", "seal"]),
        (cut(1, false), &["does not begin with `run-started`"]),
        (String::new(), &["does not begin with `run-started`"]),
        ("hello\n".to_owned(), &["line 1 is no event of a run record", "no run record"]),
        ("{\"a\":1}\n".to_owned(), &["line 1 is no event of a run record"]),
        (LEFT.report.clone(), &["line 1 is no event of a run record"]),
    ];
    for (record, expected) in table {
        let run = report(&record, &["--require", "advisory"]).exits(2);
        run.complains(expected);
        run.complains(&["record.jsonl"]);
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn a_record_that_is_not_there_says_so() {
    let bench = Bench::new();
    bench.write("folder/file", "");
    for path in ["nowhere.jsonl", "folder"] {
        let run = bench.run(&["report", path]).exits(2);
        run.complains(&[path, "cannot be read", "Check the path"]);
    }
}

#[test]
fn an_incomplete_record_shows_what_there_is_and_promotes_nothing() {
    for record in [cut(40, true), cut(40, false)] {
        let run = report(&record, &["--incomplete", "--require", "characterization"]).exits(1);
        run.shows(&["REFUSED", "reproducible", "not met"]);
        let run = report(&record, &["--incomplete", "--format", "json"]).exits(1);
        let report = run.json();
        assert_eq!(report["run"]["complete"], false);
        assert_eq!(report["decision"]["eligible_tier"], "advisory");
        let requirements = report["decision"]["requirements"].as_array().expect("a list");
        let whole: Vec<_> = requirements.iter().filter(|it| it["id"] == "reproducible").collect();
        assert!(!whole.is_empty() && whole.iter().all(|it| it["met"] == false), "{whole:#?}");
    }
}

#[test]
fn even_a_perfect_grader_is_not_promoted_by_half_a_run() {
    let (grader, controls) = (shipped("loan-ratios"), accredit_tests::repository());
    let (grader, controls) = (grader.display().to_string(), controls.join("controls/loan-ratios"));
    let controls = controls.display().to_string();
    let bench = Bench::new();
    let args = ["check", &grader, "--controls", &controls, "--out", "out"];
    bench.run(&[&args[..], &["--require", "characterization"]].concat()).exits(0).shows(&[]);
    let record = bench.read("out/record.jsonl");
    let end = record.find("{\"run-finished\":").expect("an end");
    let run = report(&record[..end], &["--incomplete", "--require", "characterization"]);
    // Every trial is in it, and every rate is met.
    run.exits(1).shows(&["REFUSED", "not met reproducible"]);
}

#[test]
fn another_policy_decides_and_is_named() {
    let bench = Bench::new();
    bench.write("record.jsonl", &LEFT.record);
    let low = "[code.characterization]\nknown_bad = 0.05\nknown_good = 0.05\n";
    bench.write("other.toml", low);
    let args = ["report", "record.jsonl", "--policy", "other.toml", "--format", "json"];
    let run = bench.run(&args);
    run.complains(&["decided by other.toml, not by the policy that the run was made under"]);
    let (other, own) = (run.json(), serde_json::from_str::<Value>(&LEFT.report).expect("JSON"));
    assert_ne!(other["digests"]["policy"], own["digests"]["policy"]);
    assert_eq!(other["digests"]["record"], own["digests"]["record"]);
    run.complains(&[own["digests"]["policy"].as_str().expect("a digest")]);
    let bar = |report: &Value| {
        let requirements = report["decision"]["requirements"].as_array().expect("a list").clone();
        let known_bad = requirements.into_iter().rfind(|it| it["id"] == "known-bad");
        let known_bad = known_bad.expect("a requirement");
        (known_bad["required"]["lower-bound"].clone(), known_bad["met"].clone())
    };
    assert_eq!(bar(&own), (0.8.into(), false.into()));
    assert_eq!(bar(&other), (0.05.into(), true.into()));
    let run = bench.run(&["report", "record.jsonl", "--policy", "other.toml"]);
    run.shows(&["policy: other.toml"]);
    let run = bench.run(&["report", "record.jsonl", "--policy", "none.toml"]).exits(2);
    run.complains(&["none.toml", "cannot be read"]);
}
