//! Settlement, end to end: registered before anybody knows, settled after, and nothing that stood there changed.

use std::fs;
use std::process::Stdio;

use accredit_core::gate::record::SutRun;
use accredit_tests::bench::Bench;
use accredit_tests::settling::{
    DAY, book_of, came, explanation, five, forecast, from_now, put, register_at, settle,
    with_register,
};
use accredit_tests::story::Story;
use serde_json::{Value, json};

/// A forecast and an explanation that were registered two days ago and are due since yesterday.
fn due() -> Bench {
    let bench = with_register();
    put(&bench, &forecast("q-1", from_now(-DAY), Some(0.7)));
    put(&bench, &explanation("e-1", from_now(-DAY)));
    register_at(&bench, from_now(-2 * DAY));
    bench
}

fn record(bench: &Bench, run: &str) -> Value {
    serde_json::from_str(&bench.read(&format!("runs/{run}.json"))).expect("JSON")
}

fn show(bench: &Bench, code: i32) -> Value {
    settle(bench, &["show", "--runs", "runs", "--format", "json"]).exits(code).json()
}

#[test]
fn what_is_ahead_is_registered_once() {
    let bench = with_register();
    put(&bench, &forecast("q-1", from_now(DAY), Some(0.7)));
    put(&bench, &explanation("e-1", from_now(DAY)));
    assert_eq!(show(&bench, 3)["counts"]["not_registered"], 2);
    let run = settle(&bench, &["register", "--runs", "runs"]).exits(0);
    run.shows(&["registered: 2 · before: 0 · refused: 0", "q-1/ask f · forecast due"]);
    let before = bench.files();
    let again = settle(&bench, &["register", "--runs", "runs", "--format", "json"]).exits(0).json();
    assert_eq!((&again["registered"], &again["already"]), (&json!([]), &json!(2)));
    assert!(bench.files() == before, "the book is as it was");
    let shown = show(&bench, 0);
    assert_eq!((&shown["counts"]["unresolved"], &shown["counts"]["due"]), (&json!(2), &json!(0)));
    assert_eq!(shown["forecasts"][0]["state"], "unresolved");
    let early = came(&bench, "q-1", "true", &[]).exits(2);
    early.complains(&["is due at", "enter how it came out then"]);
    assert!(bench.files() == before);
}

#[test]
fn nothing_to_register_is_no_success() {
    let bench = with_register();
    let mut plain = forecast("q-1", from_now(DAY), None);
    plain["steps"][0]["claims"][0].as_object_mut().expect("a claim").remove("forecast");
    put(&bench, &plain);
    settle(&bench, &["register", "--runs", "runs"]).exits(3).complains(&["nothing was registered"]);
    assert_eq!(show(&bench, 3)["counts"]["forecasts"], 0);
}

#[test]
fn a_fingerprint_after_the_horizon_is_refused_and_makes_no_other_late() {
    let bench = with_register();
    put(&bench, &forecast("late", from_now(-DAY), None));
    put(&bench, &forecast("q-1", from_now(DAY), None));
    let run = settle(&bench, &["register", "--runs", "runs"]).exits(5);
    run.shows(&["registered: 1 · before: 0 · refused: 1"]);
    run.complains(&["run `late`", "what is known is no forecast"]);
    came(&bench, "late", "true", &[]).exits(5).complains(&["passed before it was registered"]);
    let shown = show(&bench, 5);
    assert_eq!((&shown["counts"]["refused"], &shown["counts"]["settled"]), (&json!(1), &json!(0)));
    assert_eq!(book_of(&bench).len(), 1);
}

#[test]
fn an_altered_wording_is_refused_wherever_it_is_met() {
    let bench = due();
    bench.bend("runs/q-1.json", "below 100 on Monday", "below 200 on Monday");
    let before = bench.files();
    let run = settle(&bench, &["register", "--runs", "runs"]).exits(5);
    run.complains(&["its wording changed"]);
    let run = came(&bench, "q-1", "true", &[]).exits(5);
    run.complains(&["is not what was registered at", "its wording changed"]);
    let run = settle(&bench, &["show", "--runs", "runs"]).exits(5);
    run.shows(&[
        "REFUSED",
        "refused: q-1/ask f: it is not what was registered: its wording changed",
    ]);
    assert!(bench.files() == before, "nothing was written");
    // Taken out, it is missed.
    let mut without = record(&bench, "q-1");
    without["steps"][0]["claims"] = json!([]);
    put(&bench, &without);
    assert_eq!(show(&bench, 5)["not_here"][0]["taken_out"], true);
}

#[test]
fn an_outcome_is_a_dated_entry_and_the_original_stays() {
    let bench = due();
    let before = bench.read("runs/q-1.json");
    let original: SutRun = serde_json::from_str(&before).expect("a record");
    let run = came(&bench, "q-1", "false", &[]).exits(0);
    run.shows(&[
        "entered: q-1/ask f",
        "the statement came false",
        "true .700 miss",
        "false .400 hit",
    ]);
    let after = bench.read("runs/q-1.json");
    let kept: SutRun = serde_json::from_str(&after).expect("a record");
    assert_eq!(kept.continues(&original), Ok(()));
    assert_eq!(kept.original(), original.original());
    assert_eq!((kept.outcomes.len(), kept.outcomes[0].came), (1, Some(false)));
    // Not a byte of it is written in another way: not even a number.
    let entry = after.find(",\n  \"outcomes\"").expect("is added at the end");
    assert_eq!(before.trim_end_matches("\n}"), &after[..entry]);
    assert!(before.contains("\"cost\": 0.1"));
    // The same once more changes nothing.
    let files = bench.files();
    came(&bench, "q-1", "false", &[]).exits(0).shows(&["stands there already"]);
    assert!(bench.files() == files);
}

#[test]
fn a_correction_is_one_more_entry_and_the_earlier_stays() {
    let bench = due();
    let early = came(&bench, "q-1", "true", &["--correct", "misread"]).exits(2);
    early.complains(&["there is nothing to correct"]);
    let _ = came(&bench, "q-1", "true", &[]).exits(0);
    let run = came(&bench, "q-1", "false", &[]).exits(2);
    run.complains(&["was entered at", "--correct WHY"]);
    let _ = came(&bench, "q-1", "false", &["--correct", "the page was of Sunday"]).exits(0);
    let kept = record(&bench, "q-1");
    let all: Vec<_> =
        kept["outcomes"].as_array().expect("a list").iter().map(|it| &it["came"]).collect();
    assert_eq!(all, [&json!(true), &json!(false)]);
    let what = kept["corrections"][0]["what"].as_str().expect("a text");
    assert!(what.contains("claim `f`") && what.contains("the page was of Sunday"), "{what}");
    let shown = show(&bench, 3);
    assert_eq!(shown["forecasts"][0]["forecast"]["came"], false, "the last counts");
    assert_eq!(shown["forecasts"][0]["outcomes"].as_array().map(Vec::len), Some(2));
}

#[test]
fn an_explanation_keeps_both_assessments() {
    let bench = due();
    let args =
        ["outcome", "e-1", "ask", "e", "--runs", "runs", "--by", "desk", "--source", "the report"];
    let later = ["--chronology", "fails: the queue grew before", "--relative-move", "holds"];
    let run = settle(&bench, &[&args[..], &later].concat()).exits(2);
    run.complains(&["in all five dimensions", "`unknown` where nobody knows"]);
    settle(&bench, &[&args[..], &["--came", "true"]].concat())
        .exits(2)
        .complains(&["which is an explanation"]);
    let rest = ["--mechanism", "holds", "--competing", "fails", "--contradictions", "unknown"];
    let _ = settle(&bench, &[&args[..], &later, &rest].concat()).exits(0);
    let shown = show(&bench, 3);
    let of = &shown["explanations"][0]["explanation"];
    assert_eq!(of["contemporaneous"], five("holds"));
    assert_eq!(
        of["later"]["chronology"],
        json!({"stands": "fails", "remark": "the queue grew before"})
    );
    let run = settle(&bench, &["show", "--runs", "runs"]).exits(3);
    run.shows(&[
        "then later",
        "chronology holds fails: the queue grew",
        "relative move holds holds",
    ]);
}

#[test]
fn the_table_stands_forecasts_beside_their_baselines_and_counts_what_is_open() {
    let bench = with_register();
    let settled = [("a", Some(0.9), "true"), ("b", Some(0.2), "false"), ("c", None, "false")];
    for (run, probability, _) in settled {
        put(&bench, &forecast(run, from_now(-DAY), probability));
    }
    let mut declined = forecast("d", from_now(-DAY), None);
    declined["steps"][0]["claims"][0]["forecast"]["call"] = json!(false);
    put(&bench, &declined);
    put(&bench, &forecast("open", from_now(-DAY), Some(0.6)));
    register_at(&bench, from_now(-2 * DAY));
    for (run, _, outcome) in settled.iter().chain(&[("d", None, "true")]) {
        let _ = came(&bench, run, outcome, &[]).exits(0);
    }
    let shown = show(&bench, 3);
    let counts = &shown["counts"];
    assert_eq!(
        (&counts["settled"], &counts["unresolved"], &counts["due"]),
        (&json!(4), &json!(1), &json!(1))
    );
    assert_eq!(counts["no_calls"], 1);
    // a: called and came; b: called against and did not come; c: called and did not come.
    assert_eq!(shown["calls"], json!({"right": 2, "of": 3}));
    // The baseline expects false at .4: right on b and c, wrong on a and on the no-call.
    assert_eq!(shown["baselines"], json!({"right": 2, "of": 4}));
    assert_eq!(shown["both"]["baselines"], json!({"right": 2, "of": 3}));
    // Only a and b state a probability: (0.1² + 0.2²) / 2.
    let brier = shown["calibration"]["value"]["brier"].as_f64().expect("a number");
    assert!((brier - 0.025).abs() < 1e-12, "{brier}");
    assert_eq!(shown["calibration"]["value"]["came_true"], json!({"right": 1, "of": 2}));
    assert_eq!(shown["beside"]["value"]["forecasts"], 2);
    let run = settle(&bench, &["show", "--runs", "runs"]).exits(3);
    run.shows(&[
        "UNRESOLVED · 5 forecasts (1 no-call)",
        "calls right: 2 of 3 · baselines right: 2 of 4",
        "no-call",
        "due: open/ask f: `accredit settle outcome` enters how it came out",
        "false .200 hit false false .400 hit",
        "Brier .025",
    ]);
    let wide: Vec<_> = run.stdout.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn calibration_is_absent_where_no_probability_was_stated() {
    let bench = with_register();
    put(&bench, &forecast("a", from_now(-DAY), None));
    register_at(&bench, from_now(-2 * DAY));
    let _ = came(&bench, "a", "true", &[]).exits(0);
    let shown = show(&bench, 0);
    assert_eq!(shown["calibration"]["value"], Value::Null);
    settle(&bench, &["show", "--runs", "runs"])
        .exits(0)
        .shows(&["UP TO DATE", "calibration absent: no settled forecast states a probability"]);
}

#[test]
fn a_line_of_a_file_of_records_is_settled_and_the_others_stay() {
    let bench = with_register();
    let lines = ["a", "b", "c"].map(|run| forecast(run, from_now(-DAY), None).to_string());
    let text = format!("\u{feff}{}\r\n\r\n{}\n{}", lines[0], lines[1], lines[2]);
    bench.write("runs/all.jsonl", &text);
    register_at(&bench, from_now(-2 * DAY));
    let _ = came(&bench, "b", "true", &[]).exits(0);
    let after = bench.read("runs/all.jsonl");
    let (old, new): (Vec<_>, Vec<_>) = (text.split('\n').collect(), after.split('\n').collect());
    assert_eq!((old.len(), old[0], old[1], old[3]), (new.len(), new[0], new[1], new[3]));
    let settled: Value = serde_json::from_str(new[2]).expect("JSON");
    assert_eq!(settled["outcomes"][0]["came"], true);
    assert_eq!(show(&bench, 3)["counts"]["settled"], 1);
}

#[test]
fn what_a_stopped_command_left_is_put_right_by_the_next() {
    let bench = due();
    let before = bench.read("runs/q-1.json");
    let _ = came(&bench, "q-1", "true", &[]).exits(0);
    let whole = bench.read("runs/q-1.json");
    // As if it had been stopped when the book had the entry, and the record not yet.
    bench.write("runs/q-1.json", &before);
    settle(&bench, &["show", "--runs", "runs"])
        .exits(5)
        .shows(&["its record lost or changed an entry"]);
    let run = came(&bench, "q-1", "true", &[]).exits(0);
    run.complains(&["lacked the entry of"]);
    run.shows(&["stands there already"]);
    assert_eq!(bench.read("runs/q-1.json"), whole);
    assert_eq!(show(&bench, 3)["counts"]["settled"], 1);
}

#[test]
fn an_entry_that_was_written_by_hand_counts_for_nothing() {
    let bench = due();
    let mut by_hand = record(&bench, "q-1");
    by_hand["outcomes"] = json!([{"at": from_now(-10), "by": "me", "step": "ask", "claim": "f", "came": true, "source": "mine"}]);
    put(&bench, &by_hand);
    let run = settle(&bench, &["show", "--runs", "runs"]).exits(3);
    run.shows(&["counts for nothing", "which the book does not hold"]);
    assert_eq!(show(&bench, 3)["counts"]["settled"], 0);
}

#[test]
fn a_damaged_book_is_refused_by_whatever_reads_it() {
    let bench = due();
    let whole = bench.read(".accredit/settlements.jsonl");
    for broken in
        [whole.replacen("\"at\":\"2", "\"at\":\"1", 1), whole[..whole.len() - 1].to_owned()]
    {
        bench.write(".accredit/settlements.jsonl", &broken);
        for args in [&["register", "--runs", "runs"][..], &["show", "--runs", "runs"]] {
            settle(&bench, args).exits(5).complains(&["settlements.jsonl: entry"]);
        }
        came(&bench, "q-1", "true", &[]).exits(5).complains(&["settlements.jsonl: entry"]);
        assert_eq!(bench.read(".accredit/settlements.jsonl"), broken, "and left as it is");
    }
}

#[test]
fn all_faults_are_told_and_unsound_input_is_refused() {
    let bench = with_register();
    let mut unsound = forecast("q-1", from_now(DAY), Some(1.5));
    unsound["steps"][0]["claims"][0]["forecast"]["baseline"]["probability"] = json!("half");
    put(&bench, &unsound);
    let mut other = forecast("q-2", from_now(-400 * DAY), Some(1.5));
    other["steps"][0]["claims"][0]["forecast"]["source_of_truth"] = json!("");
    put(&bench, &other);
    let run = bench.refuses(
        &["settle", "register", "--runs", "runs"],
        &["runs/q-1.json:", "a number from 0 to 1"],
    );
    run.complains(&[
        "runs/q-2.json:",
        "names no source of truth",
        "not after the end of its run",
        "no number from 0 to 1",
    ]);
    put(&bench, &forecast("q-1", from_now(DAY), None));
    put(&bench, &forecast("q-2", from_now(DAY), None));
    let of = |run: &str, claim: &str| {
        let args = [
            "settle", "outcome", run, "ask", claim, "--runs", "runs", "--came", "true", "--by",
            "x", "--source", "y",
        ];
        bench.run(&args).exits(2).stderr
    };
    assert!(of("q-9", "f").contains("no run `q-9` is recorded"));
    assert!(of("q-1", "g").contains("It has: `ask f`"));
    assert!(of("q-1", "f").contains("run `accredit settle register` before that"));
}

#[test]
fn two_at_once_lose_nothing() {
    let bench = with_register();
    let runs: Vec<String> = (0..6).map(|n| format!("r-{n}")).collect();
    let lines: Vec<_> =
        runs.iter().map(|run| forecast(run, from_now(-DAY), None).to_string()).collect();
    bench.write("runs/all.jsonl", lines.join("\n"));
    register_at(&bench, from_now(-2 * DAY));
    let started: Vec<_> = runs
        .iter()
        .map(|run| {
            let args = [
                "settle", "outcome", run, "ask", "f", "--runs", "runs", "--came", "true", "--by",
                "x", "--source", "y",
            ];
            let mut command = bench.command(&args);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
        })
        .collect();
    for mut child in started {
        assert!(child.wait().expect("ends").success());
    }
    assert_eq!(show(&bench, 0)["counts"]["settled"], 6);
    assert_eq!(book_of(&bench).len(), 12);
    let left = fs::read_dir(bench.path("runs")).expect("a folder").count();
    assert_eq!(left, 1, "no file is left beside");
}

#[test]
fn ci_requires_that_the_book_goes_on_from_the_base() {
    let bench = due();
    bench.copy(&bench.path(".accredit"), "base/.accredit");
    let entry = accredit_tests::register::Made::with(1);
    bench.copy(&entry.at("ledger"), ".accredit/ledger");
    bench.copy(&entry.at("ledger"), "base/.accredit/ledger");
    let check = || bench.run(&["ledger", "check", "--extends", "base"]);
    check().exits(0).shows(&["book of settlements: whole, 2 entries; the same as in base"]);
    let _ = came(&bench, "q-1", "true", &[]).exits(0);
    check().exits(0).shows(&["book of settlements: whole, 3 entries; extends base by 1"]);
    // A miss that is registered anew is another book, and so is one that was taken away.
    register_at(&bench, from_now(-3 * DAY));
    check().exits(5).complains(&["book of settlements, against base: it does not go on"]);
    fs::remove_file(bench.path(".accredit/settlements.jsonl")).expect("removes");
    check().exits(5).complains(&["book of settlements, against base: it does not go on"]);
}

/// What came of a forecast stands beside a gate, and changes nothing but that; what was altered makes it exit with 5.
#[test]
fn a_gate_tells_what_was_settled_and_refuses_what_was_altered() {
    let Some(story) = Story::promoted() else { return };
    let bench = &story.bench;
    let mut record = forecast("q-1", from_now(-DAY), Some(0.7));
    record["steps"][0]["answer"] = json!("Answer: 42");
    record["steps"][0]["reference"] = json!("42");
    put(bench, &record);
    bench.write("runs/inventory.toml", "format = 1\n[selection]\nrule = \"all\"\n[[checks]]\ngrader = \"final-answer\"\n[[cases]]\ncase = \"queue\"\npurpose = \"acceptance\"\nruns = [\"q-1\"]\nsteps = [\"ask\"]\n");
    register_at(bench, from_now(-2 * DAY));
    let gate =
        |code| story.run(&["gate", "--runs", "runs", "--format", "json"]).0.exits(code).json();
    let before = gate(0);
    assert_eq!(before["settled"]["unresolved"], 1);
    let _ = came(bench, "q-1", "false", &[]).exits(0);
    let after = gate(0);
    assert_eq!(after["settled"]["came"][0]["forecast"]["hit"], false);
    assert_eq!(after["settled"]["came"][0]["baseline"]["probability"], 0.4);
    for same in ["release", "summary", "cases", "blocking", "not_evaluated"] {
        assert_eq!(before[same], after[same], "{same}");
    }
    let shown = story.run(&["gate", "--runs", "runs"]).0.exits(0);
    shown.shows(&[
        "q-1/ask f came false: call true .700 miss, baseline false .400 hit",
        "which decide nothing: 1 settled, 0 unresolved, 0 refused",
    ]);
    bench.bend("runs/q-1.json", "below 100 on Monday", "below 200 on Monday");
    let shown = story.run(&["gate", "--runs", "runs"]).0.exits(5);
    shown.shows(&[
        "PASS: true",
        "altered: a record is not what was registered of it",
        "its wording changed",
    ]);
    for format in ["markdown", "junit", "github", "html"] {
        let shown = story.run(&["gate", "--runs", "runs", "--format", format]).0.exits(5).stdout;
        assert!(shown.contains("a record is not what was registered of it"), "{format}: {shown}");
    }
    let book = bench.read(".accredit/settlements.jsonl");
    bench.write(".accredit/settlements.jsonl", &book[..book.len() - 1]);
    story
        .run(&["gate", "--runs", "runs"])
        .refused(5, "settlements.jsonl: entry 2, its last, is cut short");
}

#[test]
fn the_book_says_which_entry_was_the_last_and_no_order_of_a_record() {
    let bench = due();
    let _ = came(&bench, "q-1", "true", &[]).exits(0);
    let _ = came(&bench, "q-1", "false", &["--correct", "read the page of Sunday"]).exits(0);
    let honest = record(&bench, "q-1");
    let of = |record: &Value| record["outcomes"].as_array().expect("outcomes").clone();
    assert!(of(&honest)[0]["at"].as_str() < of(&honest)[1]["at"].as_str(), "each in its second");
    assert_eq!(show(&bench, 3)["calls"], json!({"right": 0, "of": 1}));
    // The first one once more, behind the miss, and with the miss's own date.
    let mut again = honest.clone();
    let mut first = of(&honest)[0].clone();
    first["at"] = of(&honest)[1]["at"].clone();
    again["outcomes"].as_array_mut().expect("outcomes").push(first);
    put(&bench, &again);
    assert_eq!(show(&bench, 3)["calls"], json!({"right": 0, "of": 1}), "it counts for nothing");
    let mut twice = honest.clone();
    let last = of(&honest)[1].clone();
    twice["outcomes"].as_array_mut().expect("outcomes").push(last);
    put(&bench, &twice);
    assert_eq!(show(&bench, 5)["counts"]["refused"], 1);
}

#[test]
fn a_book_that_is_ahead_of_the_clock_settles_nothing() {
    let bench = with_register();
    put(&bench, &forecast("q-1", from_now(9 * DAY), Some(0.7)));
    register_at(&bench, from_now(2 * DAY));
    let shown = show(&bench, 5);
    assert_eq!(shown["counts"]["refused"], 1, "{shown}");
    let again = settle(&bench, &["register", "--runs", "runs"]).exits(0);
    again.shows(&["registered: 0 · before: 1 · refused: 0"]);
}
