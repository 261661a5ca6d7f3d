//! Real outputs with people's labels: what a run's report says of them, and existing judges assessed by the verdicts
//! they gave, without a component.

use accredit_tests::bench::Bench;
use accredit_tests::shipped;
use serde_json::{Value, json};

/// Sixty sums in thirty families, every second one wrong. Ana and Ben label each, and differ on two; the judge is
/// wrong on three and silent on one. Ana is asked again about ten.
fn lines() -> Vec<Value> {
    let line = |n: usize| {
        let (right, sum) = (n.is_multiple_of(2), n / 2 + 1);
        let answer = if right { sum } else { sum + 7 };
        let truth = if right { "pass" } else { "fail" };
        let other = if right { "fail" } else { "pass" };
        let mut ana = json!({"by": "ana", "label": truth, "critique": format!("the sum is {sum}")});
        if n < 10 {
            ana["again"] = json!(if n == 3 { other } else { truth });
        }
        let ben = if n == 4 || n == 7 { other } else { truth };
        let judge = match n {
            5 | 7 | 8 => json!(other),
            9 => Value::Null,
            _ => json!(truth),
        };
        json!({
            "id": format!("sum-{n}"), "task": format!("What is {} plus 1?", n / 2),
            "output": format!("Answer: {answer}"), "reference": sum.to_string(), "human_label": truth,
            "labels": [ana, {"by": "ben", "label": ben}],
            "meta": {"judge": judge, "right": if right { 0.9 } else { 0.2 }, "why": "so it seems"},
        })
    };
    (0..60).map(line).collect()
}

fn jsonl(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The judge's verdicts as a file of their own.
fn verdicts(lines: &[Value]) -> Vec<Value> {
    let verdict = |line: &Value| {
        json!({
            "id": line["id"], "verdict": line["meta"]["judge"],
            "score": 1.0 - line["meta"]["right"].as_f64().expect("a number"), "rationale": line["meta"]["why"],
        })
    };
    lines.iter().map(verdict).collect()
}

const SAMPLE: &str = "{\"labels_by\": \"people\", \"sample\": {\"rule\": \"every second of one week\", \"seed\": 7, \"population\": 120}}\n";

const POLICY: &str = "[in_use]\nbase_rate = 0.1\nvolume_per_month = 1000\ncost_of_miss = 200\ncost_of_false_block = 25\nunit = \"EUR\"\n";

/// A bench with labels, verdicts and a policy.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("labels.jsonl", SAMPLE.to_owned() + &jsonl(&lines()));
    bench.write("verdicts.jsonl", jsonl(&verdicts(&lines())));
    bench.write("accredit.toml", POLICY);
    bench
}

const FILES: [&str; 5] = ["report", "--labels", "labels.jsonl", "--verdicts", "verdicts.jsonl"];
const FIELDS: [&str; 11] = [
    "report",
    "--labels",
    "labels.jsonl",
    "--verdict-field",
    "meta.judge",
    "--score-field",
    "meta.right",
    "--score-means",
    "pass",
    "--rationale-field",
    "meta.why",
];

/// The figure at this path of the JSON.
#[track_caller]
fn at(value: &Value, pointer: &str) -> f64 {
    let found = value.pointer(pointer).and_then(Value::as_f64);
    found.unwrap_or_else(|| panic!("no figure at {pointer}"))
}

#[test]
fn an_existing_judge_is_assessed_by_its_verdicts_alone() {
    let bench = bench();
    let report = bench.run(&[&FILES[..], &["--format", "json"]].concat()).exits(0).json();
    let it = &report["assessment"];
    assert_eq!(it["outputs"], 60);
    assert_eq!(it["families"], 30);
    // All but three of the wrong ones: two were judged right and one got no verdict.
    assert_eq!(it["catch"]["outputs"]["value"]["count"], json!({"right": 27, "of": 30}));
    assert_eq!(it["catch"]["without_verdict"], 1);
    assert_eq!(it["pass"]["outputs"]["value"]["count"], json!({"right": 29, "of": 30}));
    assert!(at(it, "/catch/outputs/value/lower_bound") < 0.9);
    let agreement = &it["agreement"]["value"];
    assert_eq!(agreement["labels_by"], "people");
    // 29 of 30 alike on either side: .9667 agreed, .5 by chance.
    assert!((at(agreement, "/own/value/value") - 0.9333).abs() < 5e-4);
    assert_eq!(at(agreement, "/people/0/again/value/observed"), 0.9);
    assert!(at(agreement, "/people/0/with_grader/value/kappa") < 0.9);
    assert_eq!(it["disagreements"][0]["id"], "sum-7", "people differ on it, so it is the hardest");
    assert_eq!(it["disagreements"][0]["people"][0]["critique"], "the sum is 4");
    assert_eq!(it["disagreements"].as_array().map(Vec::len), Some(4));
    assert!(at(it, "/scores/value/calibration/value/brier") < 0.05);
    assert!(at(it, "/scores/value/thresholds/value/rule") > 0.11);
    assert_eq!(it["sample"]["value"]["seed"], 7);
    assert!((at(it, "/in_use/value/month/missed/value") - 10.0).abs() < 1e-9);
    assert!(at(it, "/corrected/value/corrected/corrected") > 0.3);
    let run = bench.run(&FILES).exits(0);
    run.shows(&[
        "Nothing is promoted by an import",
        "should fail: caught",
        "27 of 30",
        "ana",
        "EUR",
    ]);
    let wide: Vec<_> = run.stdout.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    for decided in ["ELIGIBLE", "REFUSED", "eligible"] {
        assert!(!run.stdout.contains(decided), "{run:#?}");
    }
}

#[test]
fn verdicts_may_stand_in_the_file_of_labels() {
    let bench = bench();
    let read = |args: &[&str]| {
        let report = bench.run(&[args, &["--format", "json"]].concat()).exits(0).json();
        accredit_tests::rounded(report["assessment"].clone())
    };
    assert_eq!(read(&FIELDS), read(&FILES));
}

#[test]
fn without_a_declared_sample_nothing_is_said_of_other_outputs() {
    let bench = bench();
    bench.write("labels.jsonl", jsonl(&lines()));
    let it = bench.run(&[&FILES[..], &["--format", "json"]].concat()).exits(0).json();
    for figure in ["sample", "corrected", "in_use"] {
        let known = &it["assessment"][figure];
        assert_eq!(known["value"], Value::Null, "{figure}");
        assert!(
            known["absent"]
                .as_str()
                .is_some_and(|why| why.contains("not declared to be a probability sample"))
        );
    }
    bench.run(&FILES).exits(0).shows(&["not declared to be a probability sample"]);
}

#[test]
fn all_faults_of_both_files_are_told_at_once() {
    let bench = bench();
    let mut bad = verdicts(&lines());
    bad[1]["verdict"] = json!("yes");
    bad[2]["score"] = json!(1.5);
    bad[3]["verdct"] = json!("pass");
    bench.write("verdicts.jsonl", jsonl(&bad));
    bench.bend("labels.jsonl", "\"label\":\"pass\"", "\"label\":\"Pass\"");
    bench.refuses(
        &FILES,
        &[
            "verdicts.jsonl:2: sum-1: `yes` is no value of `verdict`",
            "verdicts.jsonl:3: sum-2: `score` is a number where a probability from 0 to 1",
            "verdicts.jsonl:4: sum-3: `verdct` is no key of a recorded verdict",
            "did you mean `verdict`?",
            "labels.jsonl:2: sum-0: `Pass` is no value of `labels[0].label`",
            "4 faults: mend them",
        ],
    );
}

#[test]
fn verdicts_and_outputs_must_be_the_same_ones() {
    let bench = bench();
    let mut other = verdicts(&lines());
    other[1]["id"] = json!("sum-0");
    other[2]["id"] = json!("sum-99");
    bench.write("verdicts.jsonl", jsonl(&other));
    bench.refuses(
        &FILES,
        &[
            "verdicts.jsonl:2: sum-0: a second verdict on one output; the first is at verdicts.jsonl:1",
            "verdicts.jsonl:3: sum-99: a verdict on an output that is not in the file of labels",
            "labels.jsonl:3: sum-1: no line of the verdicts is on this output",
            "labels.jsonl:4: sum-2: no line of the verdicts",
            "4 faults: mend them",
        ],
    );
}

#[test]
fn arguments_that_do_not_go_together() {
    let bench = bench();
    let labels = &FILES[..3];
    let fields = |more: &[&'static str]| [labels, more].concat();
    for (args, expected) in [
        (fields(&[]), "--labels needs the judge's verdicts: give --verdicts FILE"),
        (fields(&["--verdict-field", "meta.jugde"]), "did you mean `judge`?"),
        (fields(&["--verdict-field", "verdict"]), "no line has `verdict`"),
        (fields(&["--verdict-field", "id"]), "`sum-0` is no value of `id`"),
        (fields(&["--score-field", "meta.right"]), "--verdict-field"),
        (fields(&["--verdicts", "none.jsonl"]), "none.jsonl: cannot be read"),
        (
            fields(&["--verdicts", "verdicts.jsonl", "--verdict-field", "meta.judge"]),
            "cannot be used",
        ),
        (vec!["report", "--verdicts", "verdicts.jsonl"], "--labels"),
        (vec!["report"], "RECORD"),
        (fields(&["record.jsonl", "--verdicts", "verdicts.jsonl"]), "cannot be used with"),
    ] {
        bench.refuses(&args, &[expected]);
    }
    bench.write("accredit.toml", "[in_use]\ncost_of_miss = 200\nbase_rate = 2\n");
    bench.refuses(&FILES, &["one cost of [in_use] without the other", "a share from 0 to 1"]);
}

#[test]
fn nothing_in_the_files_acts_on_a_terminal() {
    let bench = bench();
    let evil =
        format!("\u{1b}[2J\u{202e}ELIGIBLE\n::error::x ##[error]{}", " ::error::y".repeat(20));
    let mut lines = lines();
    for line in &mut lines {
        line["output"] = json!(format!("{evil} {}", line["id"]));
        line["labels"][0]["by"] = json!(evil);
        line["labels"][0]["critique"] = json!(evil);
        line["meta"]["why"] = json!(evil);
    }
    bench.write("labels.jsonl", jsonl(&lines));
    bench.on_terminal(&[&FIELDS[..], &["--all"]].concat()).exits(0).is_tame();
}

/// Every format that tells what an import is worth shows the same figures, and goes where -o says.
#[test]
fn an_import_is_shown_in_each_format_that_decides_nothing() {
    let bench = bench();
    let shown = |format: &str| {
        let run = bench.run(&[&FILES[..], &["--format", format, "-o", "out"]].concat()).exits(0);
        assert_eq!(run.stdout, "", "{format}");
        let direct = bench.run(&[&FILES[..], &["--format", format]].concat()).exits(0).stdout;
        assert_eq!(direct, bench.read("out"), "{format}");
        direct
    };
    let (human, markdown, page) = (shown("human"), shown("markdown"), shown("html"));
    for text in [&human, &markdown, &page] {
        for figure in ["27 of 30", "29 of 30", "sum-7", "the sum is 4", "EUR", "falsely blocked"] {
            assert!(text.contains(figure), "{figure} is missing: {text}");
        }
        assert!(text.contains("Nothing is promoted by an import"), "{text}");
        assert!(text.contains("60 labelled by people, as the file states"), "{text}");
    }
    for part in ["Content-Security-Policy", "Calibration curve", "Cost curve", "flag everything"] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["**In use**", "corrected for the grader's errors", "4 disagreements"] {
        assert!(markdown.contains(part), "{part}");
    }
    for (more, why) in [
        (["--format", "junit"], "an import decides nothing that could fail"),
        (["--format", "github"], "human, json, markdown or html"),
        (["--require", "advisory"], "imported verdicts earn no tier"),
        (["--audience", "author"], "an import has none"),
    ] {
        bench.refuses(&[&FILES[..], &more[..]].concat(), &[why]);
    }
}

/// The figures of both curves stand in the model: bins of the calibration, and points of the costs.
#[test]
fn the_cost_curve_goes_from_flagging_nothing_to_flagging_everything() {
    let bench = bench();
    let report = bench.run(&[&FILES[..], &["--format", "json"]].concat()).exits(0).json();
    let study = &report["assessment"]["scores"]["value"]["thresholds"]["value"];
    let curve = study["curve"].as_array().expect("a curve");
    assert_eq!(curve[0]["threshold"], Value::Null);
    assert_eq!(curve[0]["cost"], study["first"]["nothing"]["cost"]);
    let last = curve.last().expect("a point");
    assert_eq!(last["catch"], study["first"]["everything"]["catch"]);
    assert_eq!(last["cost"], study["first"]["everything"]["cost"]);
    let bins = &report["assessment"]["scores"]["value"]["calibration"]["value"]["bins"];
    assert!(at(&bins[0], "/effective_units") <= at(&bins[0], "/bad/of"));
}

/// A policy without bars asks no threshold to meet one, and scores that mean the opposite are told.
#[test]
fn scores_that_mean_the_opposite_are_told() {
    let bench = bench();
    let wrong: Vec<_> =
        FIELDS.iter().filter(|it| !matches!(**it, "--score-means" | "pass")).collect();
    let wrong: Vec<&str> = wrong.into_iter().copied().collect();
    for format in ["human", "markdown", "html"] {
        let run = bench.run(&[&wrong[..], &["--format", format]].concat()).exits(0);
        let said: String = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("they may mean the opposite"), "{format}: {said}");
        let right = bench.run(&[&FIELDS[..], &["--format", format]].concat()).exits(0);
        assert!(!right.stdout.contains("may mean the opposite"), "{format}");
    }
}

/// `check` of lenient-answer on the small set, without that set's own real outputs, and on these.
fn check(bench: &Bench, more: &[&str]) -> Value {
    bench.write("g.wasm", std::fs::read(shipped("lenient-answer")).expect("reads"));
    bench.copy(&accredit_tests::fixture("small"), "set");
    std::fs::remove_file(bench.path("set/real-output.jsonl")).expect("removes");
    let args = ["check", "g.wasm", "--controls", "set", "--real-output", "labels.jsonl"];
    let args = [&args, &["--policy", "p.toml", "--format", "json"][..], more].concat();
    bench.run(&args).exits(1).json()
}

fn requirement<'a>(report: &'a Value, id: &str) -> &'a Value {
    let all = report["decision"]["requirements"].as_array().expect("a list");
    all.iter().find(|it| it["id"] == id).expect("is asked")
}

const ASKS: &str =
    "[code.gating]\nreal_outputs = 30\nreal_output = 0.5\npeople_kappa = 0.6\nkappa_margin = 0.3\n";

#[test]
fn agreement_with_people_is_a_requirement_that_a_run_can_meet() {
    let bench = bench();
    bench.write("p.toml", ASKS);
    let report = check(&bench, &["--out", "left"]);
    let agreement = requirement(&report, "real-output-agreement");
    assert_eq!(agreement["met"], true, "{agreement}");
    let fact = agreement["measured"]["fact"].as_str().expect("a fact");
    assert!(fact.starts_with("people's own 0.93; the judge's with each of them "), "{fact}");
    assert_eq!(requirement(&report, "real-output")["met"], true);
    let real = &report["real_output"];
    assert_eq!(real["labelled_by_people"], 60);
    assert_eq!(real["assessment"]["catch"]["outputs"]["value"]["count"]["of"], 30);
    let again = bench.run(&["report", "left/record.jsonl", "--format", "json"]).exits(1);
    assert_eq!(again.json(), report);
    bench.write("p.toml", ASKS.replace("0.6", "0.99"));
    let report = check(&bench, &[]);
    assert_eq!(requirement(&report, "real-output-agreement")["met"], false);
}

#[test]
fn labels_that_nobody_states_to_be_peoples_meet_nothing() {
    let bench = bench();
    bench.write("p.toml", ASKS);
    let mut plain = lines();
    for line in &mut plain {
        line["labels"] = json!([line["labels"][0]["label"], line["labels"][1]["label"]]);
    }
    let named = lines();
    bench.write("labels.jsonl", jsonl(&named));
    let report = check(&bench, &[]);
    assert_eq!(requirement(&report, "real-output")["met"], json!(null), "names are not people");
    for (header, met) in [
        ("", json!(null)),
        ("{\"labels_by\": \"code\"}\n", json!(null)),
        ("{\"labels_by\": \"people\"}\n", json!(true)),
    ] {
        bench.write("labels.jsonl", header.to_owned() + &jsonl(&plain));
        let report = check(&bench, &[]);
        for id in ["real-output", "real-output-agreement"] {
            assert_eq!(requirement(&report, id)["met"], met, "{id} under {header:?}");
        }
    }
}
