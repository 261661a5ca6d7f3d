//! The grades of evidence, end to end: from records alone, in a gate, and in what a gate keeps.

use std::fs;

use accredit_tests::bench::{Bench, Run};
use accredit_tests::story::Story;
use accredit_tests::{fixture, repository};
use serde_json::{Value, json};

const COUNTERS: [&str; 14] = [
    "ungraded_terminal",
    "unverified",
    "degraded",
    "producer_mint_rejected",
    "emit_skipped_no_session",
    "oracle_transcript_unavailable",
    "oracle_resolved_ran",
    "unbindable_content_identity",
    "same_chain_indeterminate",
    "author_chain_unbound",
    "failed_declared",
    "proof_kernel_exempt",
    "tied_uncap",
    "unbound_terminalization_families",
];

/// The run records of the worked example, as `runs/` of a folder.
fn example() -> Bench {
    let bench = Bench::new();
    bench.copy(&fixture("evidence-grades"), "runs");
    bench
}

fn grade(bench: &Bench, more: &[&str]) -> Run {
    bench.run(&[&["grade-evidence"], more].concat())
}

fn record(bench: &Bench, name: &str) -> Value {
    serde_json::from_str(&bench.read(name)).expect("JSON")
}

/// The page with another block between the marks of this name.
fn replaced(page: &str, (open, name): (&str, &str), block: &str) -> String {
    let (open, close) = (format!("<!-- {open}: {name} -->\n"), format!("<!-- end: {name} -->"));
    let start = page.find(&open).expect("a mark") + open.len();
    let end = page.find(&close).expect("an end mark");
    format!("{}{block}{}", &page[..start], &page[end..])
}

/// The page shows a record and what the binary says of all of them. `ACCREDIT_BLESS=1` writes it again.
#[test]
fn the_worked_example_of_the_page_is_what_the_binary_says() {
    let bench = example();
    let path = repository().join("host/core/docs/evidence-grades.md");
    let page = fs::read_to_string(&path).expect("the page");
    let record = bench.read("runs/never-ran.json");
    let shown = grade(&bench, &["runs"]).exits(1).stdout;
    let made = replaced(&page, ("file", "never-ran.json"), &format!("```json\n{record}```\n"));
    let made = replaced(&made, ("made", "graded"), &format!("```\n{shown}```\n"));
    if std::env::var_os("ACCREDIT_BLESS").is_some() {
        fs::write(&path, &made).expect("writes");
    }
    let page = fs::read_to_string(&path).expect("the page");
    assert!(page == made, "docs/evidence-grades.md is out of date: run it with ACCREDIT_BLESS=1");
}

#[test]
fn each_run_of_the_example_gets_its_grade_and_the_worst_is_first() {
    let bench = example();
    let found = grade(&bench, &["runs", "--format", "json"]).exits(1).json();
    let runs = found["runs"].as_array().expect("a list");
    let line = |run: &Value| {
        let text = |key: &str| run[key].as_str().expect("a text").to_owned();
        let failed = run["failed_declared_evidence"].as_bool().expect("a flag");
        (text("run"), text("effective"), failed)
    };
    let told = |run: &str, grade: &str, failed| (run.to_owned(), grade.to_owned(), failed);
    let wanted = [
        told("limit-2", "unverified", false),
        told("limit-3", "unverified", false),
        told("limit-8", "unverified", false),
        told("limit-7", "review_only", false),
        told("limit-4", "constructed_check", false),
        told("limit-5", "interop", true),
        told("limit-1", "known_answer", false),
        told("limit-6", "proof", false),
    ];
    assert_eq!(runs.iter().map(line).collect::<Vec<_>>(), wanted);
    assert_eq!(
        (&runs[2]["grade"], &runs[2]["kind"]),
        (&json!("known_answer"), &json!("known_answer"))
    );
    let counters = found["counters"].as_object().expect("counters");
    assert!(counters.keys().all(|name| COUNTERS.contains(&name.as_str())));
    assert_eq!(counters.len(), COUNTERS.len(), "each is always there");
    assert_eq!(
        (&counters["producer_mint_rejected"], &counters["failed_declared"]),
        (&json!(1), &json!(1))
    );
    assert_eq!((&counters["proof_kernel_exempt"], &counters["degraded"]), (&json!(1), &json!(5)));
    assert_eq!((&counters["unverified"], &counters["ungraded_terminal"]), (&json!(3), &json!(0)));
    // Every operation, with its judge and why.
    grade(&bench, &["runs/own-tests.json", "--all"]).exits(0).shows(&[
        "own-tests: unverified -> known_answer: it was declared before the run",
        "own-tests: known_answer -> constructed_check: it is of the chain that wrote",
    ]);
}

#[test]
fn the_exit_code_tells_failed_and_unverified_apart() {
    let bench = example();
    for (file, code, head) in [
        ("passed", 0, "VERIFIED · every run is at least known_answer"),
        ("kernel", 0, "VERIFIED · every run is at least proof"),
        ("minted", 0, "VERIFIED · every run is at least review_only"),
        ("another-failed", 1, "FAILED · 1 declared judge ran and failed"),
        ("never-ran", 3, "UNVERIFIED · of 1 run, 1 without declared evidence that holds"),
        ("edited-after-the-check", 3, "UNVERIFIED"),
        ("changed-since", 3, "UNVERIFIED"),
    ] {
        grade(&bench, &[&format!("runs/{file}.json")]).exits(code).shows(&[head]);
    }
    let both = ["runs/another-failed.json", "runs/never-ran.json"];
    let _ = grade(&bench, &both).exits(1);
    grade(&bench, &["runs/another-failed.json", "runs/another-failed.json"])
        .exits(2)
        .complains(&["run `limit-5` is recorded twice"]);
    bench.write("nothing/readme.txt", "no record");
    grade(&bench, &["nothing"]).exits(2).complains(&["there is no run record to grade"]);
    let _ = grade(&bench, &["elsewhere.json"]).exits(2);
}

#[test]
fn a_record_that_tells_of_nothing_is_unverified() {
    let bench = example();
    let mut bare = record(&bench, "runs/passed.json");
    bare.as_object_mut().expect("a record").remove("verification");
    bench.write("bare.json", bare.to_string());
    grade(&bench, &["bare.json"]).exits(3).shows(&["no judge was declared before the run"]);
}

#[test]
fn content_that_changed_since_it_was_graded_is_unverified() {
    let bench = example();
    let kept =
        grade(&bench, &["runs/passed.json", "runs/kernel.json", "--format", "json"]).exits(0);
    bench.write("kept.json", &kept.stdout);
    let again = ["runs/passed.json", "runs/kernel.json", "--against", "kept.json"];
    let _ = grade(&bench, &again).exits(0);
    // Changed, written down as a write, and judged anew: the earlier grade is not of this content.
    let mut changed = record(&bench, "runs/passed.json");
    changed["steps"][0]["answer"] = json!("Answer: 42.0");
    bench.write("runs/passed.json", changed.to_string());
    let now = grade(&bench, &["runs/passed.json", "--format", "json"]).exits(3).json();
    let content = now["runs"][0]["content_now"].clone();
    changed["verification"]["writes"][0]["content"] = content.clone();
    changed["verification"]["executions"][0]["content"] = content;
    bench.write("runs/passed.json", changed.to_string());
    let _ = grade(&bench, &["runs/passed.json"]).exits(0);
    let run = grade(&bench, &again).exits(3);
    run.shows(&["unverified (kind known_answer)", "what is there now is not what was graded"]);
    // One that is gone is lost evidence.
    let gone = grade(&bench, &["runs/kernel.json", "--against", "kept.json"]).exits(3);
    gone.shows(&["lost: run limit-1 was graded before"]);
    bench.write("other.json", "{}");
    grade(&bench, &["runs/kernel.json", "--against", "other.json"])
        .exits(2)
        .complains(&["other.json: holds no grades"]);
}

#[test]
fn every_fault_of_a_verification_is_told_at_once() {
    let bench = example();
    let mut bad = record(&bench, "runs/never-ran.json");
    let verification = &mut bad["verification"];
    verification["grade"] = json!("proof");
    verification["executions"][0]["result"] = json!("past");
    verification["executions"][0]["content"] = json!("sha256:00");
    verification["writes"][0]["order"] = json!(-1);
    bench.write("bad.json", serde_json::to_string_pretty(&bad).expect("JSON"));
    grade(&bench, &["bad.json"]).exits(2).complains(&[
        "`verification.grade` is no key of a verification",
        "did you mean `pass`?",
        "`verification.executions[0].content` is no digest",
        "`verification.writes[0].order`",
    ]);
    let mut twice = record(&bench, "runs/never-ran.json");
    twice["verification"]["writes"][0]["order"] = json!(2);
    bench.write("twice.json", twice.to_string());
    grade(&bench, &["twice.json"]).exits(2).complains(&["an event of the number 2"]);
    // A kind of a later version is no fault, and worth nothing.
    let mut later = record(&bench, "runs/passed.json");
    later["verification"]["judges"][0]["kind"] = json!("oracle_of_the_future");
    bench.write("later.json", later.to_string());
    grade(&bench, &["later.json"]).exits(3).shows(&["this version does not know its kind"]);
}

#[test]
fn the_schema_that_is_printed_is_the_published_one() {
    let path = repository().join("host/cli/schemas/evidence-grades.schema.json");
    let published = fs::read_to_string(path).expect("a published schema");
    let published: Value = serde_json::from_str(&published).expect("JSON");
    let printed = grade(&Bench::new(), &["--schema"]).exits(0).json();
    assert_eq!(printed, published);
}

/// A repository with a promoted grader, and two runs that were declared to be checked by it before they began.
fn gated() -> Option<Story> {
    let story = Story::promoted()?;
    story.bench.write(
        "runs/inventory.toml",
        "format = 1\nwritten_at = \"2026-11-30T09:00:00Z\"\n[selection]\nrule = \"all\"\n[[checks]]\ngrader = \"final-answer\"\nevidence = \"known_answer\"\n[[cases]]\ncase = \"refund-limit\"\npurpose = \"acceptance\"\nruns = [\"limit-1\", \"limit-2\"]\nsteps = [\"ask\"]\n",
    );
    story.bench.copy(&fixture("evidence-grades"), "example");
    for name in ["passed", "never-ran"] {
        story
            .bench
            .write(&format!("runs/{name}.json"), story.bench.read(&format!("example/{name}.json")));
    }
    Some(story)
}

fn gate(story: &Story, more: &[&str]) -> Run {
    story.run(&[&["gate", "--runs", "runs", "--register", "."], more].concat()).0
}

#[test]
fn a_gate_shows_a_declared_judge_that_never_ran_though_everything_passed() {
    let Some(story) = gated() else { return };
    let run = gate(&story, &[]).exits(0);
    run.shows(&[
        "PASS: true",
        "evidence, worst verified first (2)",
        "unverified (kind known_answer) · refund-limit/limit-2: second-implementation: it was",
        "known_answer · refund-limit/limit-1",
    ]);
    let found = gate(&story, &["--format", "json"]).exits(0).json();
    let evidence = &found["evidence"];
    assert_eq!(evidence["runs"][0]["run"], "limit-2");
    // Greta signed as the grader's author, and wrote none of it: her grader ties with the table.
    assert_eq!(
        (&evidence["runs"][1]["ties"], &evidence["runs"][1]["effective"]),
        (&json!(2), &json!("known_answer"))
    );
    assert_eq!(evidence["counters"]["same_chain_indeterminate"], 0);
    // Her own work is capped.
    let mut own = record(&story.bench, "runs/passed.json");
    own["verification"]["writes"][0]["chain"] = json!(["agent-7", "greta"]);
    own["verification"]["judges"][0]["chain"] = json!(["greta"]);
    story.bench.write("runs/passed.json", own.to_string());
    let found = gate(&story, &["--format", "json"]).exits(0).json();
    let line = &found["evidence"]["runs"][1];
    assert_eq!(
        (&line["effective"], &line["kind"]),
        (&json!("constructed_check"), &json!("known_answer"))
    );
    // A failure of a declared grader is a flag beside the grade, on every surface.
    own["steps"][0]["answer"] = json!("Answer: 41");
    story.bench.write("runs/passed.json", own.to_string());
    for format in ["human", "markdown", "junit", "github", "html"] {
        let text = gate(&story, &["--format", format]).exits(1).stdout;
        let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for says in
            ["failed declared evidence", "second-implementation: it was declared, and never"]
        {
            assert!(said.contains(says), "{format}: {says:?} is not in {text}");
        }
    }
}

/// The one report that is kept.
fn kept(story: &Story) -> std::path::PathBuf {
    let mut kept = fs::read_dir(story.bench.path(".accredit/gates")).expect("a folder");
    kept.next().expect("a report").expect("an entry").path()
}

fn verified(story: &Story, code: i32) -> Value {
    let run = story.run(&["verify", "--format", "json"]).0.exits(code);
    let found = run.json();
    let checks = found["checks"].as_array().expect("checks").clone();
    checks.into_iter().find(|it| it["invariant"] == "evidence-is-graded").expect("the check")
}

#[test]
fn verify_makes_the_grades_of_every_kept_report_again() {
    let Some(story) = gated() else { return };
    let now = verified(&story, 0);
    assert_eq!(
        (&now["held"], &now["detail"]),
        (&json!(true), &json!("no report of a gate is kept"))
    );
    let _ = gate(&story, &["--keep"]).exits(0);
    let now = verified(&story, 0);
    let detail = now["detail"].as_str().expect("a detail");
    assert_eq!(
        detail,
        "1 report of a gate, 2 runs graded: ungraded_terminal 0, unbound_terminalization_families 0"
    );
    let path = kept(&story);
    let name = path.file_name().and_then(|it| it.to_str()).expect("a name").to_owned();
    let sound = fs::read_to_string(&path).expect("reads");
    let tampered = |change: &dyn Fn(&mut Value), code: i32, said: &str| {
        let mut report: Value = serde_json::from_str(&sound).expect("JSON");
        change(&mut report);
        let forged = report.to_string();
        // Under the name that its own digest gives it.
        let (moment, _) = name.rsplit_once('-').expect("a moment");
        let digest = blake3::hash(forged.as_bytes()).to_hex();
        let other = path.with_file_name(format!("{moment}-{}.json", &digest[..12]));
        fs::write(&other, &forged).expect("writes");
        let check = verified(&story, code);
        fs::remove_file(&other).expect("removes");
        let detail = check["detail"].as_str().expect("a detail").to_owned();
        assert!(check["held"] == false && detail.contains(said), "{check}");
    };
    fs::write(&path, format!("{sound} ")).expect("writes");
    let check = verified(&story, 5);
    assert!(check["detail"].as_str().expect("a detail").contains("kept by this name"), "{check}");
    fs::remove_file(&path).expect("removes");
    // The line of a run that ended is gone, and the counters go on saying 0.
    let drop_line = |report: &mut Value| {
        drop(report["evidence"]["runs"].as_array_mut().expect("runs").remove(0));
    };
    tampered(&drop_line, 5, "ungraded_terminal is 1 and must be 0");
    // The same with counters that admit it: the invariant is broken, and nothing is forged.
    let admitted = |report: &mut Value| {
        let evidence = &mut report["evidence"];
        evidence["runs"] = json!([]);
        for name in COUNTERS {
            evidence["counters"][name] = json!(0);
        }
        evidence["counters"]["ungraded_terminal"] = json!(2);
        evidence["counters"]["unbound_terminalization_families"] = json!(1);
    };
    tampered(&admitted, 1, "unbound_terminalization_families is 1 and must be 0");
    let raised = |report: &mut Value| report["evidence"]["runs"][0]["effective"] = json!("proof");
    tampered(&raised, 5, "limit-2: its operations lead to another effective grade");
    tampered(&|report| *report = json!({}), 5, "is no report of a gate");
    fs::write(&path, &sound).expect("writes");
    let run = story.run(&["verify"]).0.exits(0);
    run.shows(&["PASS"]);
}
