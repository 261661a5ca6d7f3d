//! `cargo xtask demo`: the main job, shown on the three reference graders and checked.
//!
//! Builds the host and the graders. A grader is run as it stands in graders/dist when that is what
//! its sources build; otherwise the one just built is used, left in target/demo/graders, so that the
//! demo shows the sources at hand and changes no file of the repository. Where the target for graders
//! cannot be had, graders/dist is used as it is. Either way the demo says which. It fails when what
//! comes out is not what was announced.

mod authority;
mod gate;
mod outcome;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::guests::{Builder, dist};
use crate::{Outcome, cargo, no_arguments, workspace_root};
use outcome::{Expected, Seen};

/// Where everything of the demo is left, below the root.
const FOLDER: &str = "target/demo";

/// One grader of the demo.
struct Exhibit {
    grader: &'static str,
    controls: &'static str,
    about: &'static str,
    expected: Expected,
}

const EXHIBITS: &[Exhibit] = &[
    Exhibit {
        grader: "lenient-answer",
        controls: "controls/final-answer",
        about: "passes whatever holds the reference somewhere",
        expected: Expected::Refused,
    },
    Exhibit {
        grader: "final-answer",
        controls: "controls/final-answer",
        about: "the same rubric, graded as it is written",
        expected: Expected::Eligible,
    },
    Exhibit {
        grader: "loan-ratios",
        controls: "controls/loan-ratios",
        about: "recomputes the ratios of a loan file, exactly",
        expected: Expected::Eligible,
    },
];

/// Runs the command; it takes no arguments.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments(arguments)?;
    let root = workspace_root();
    heading("Building the host");
    cargo::build_host(&root)?;
    let accredit = cargo::host_binary()?;
    heading("Building the graders");
    let components = components(&root)?;
    let started = Instant::now();
    let mut problems = Vec::new();
    for (exhibit, component) in EXHIBITS.iter().zip(&components) {
        match show(&root, &accredit, exhibit, component) {
            Ok(said) => println!("\nAs expected: {said}."),
            Err(problem) => {
                println!("\nNOT AS EXPECTED: {problem}");
                problems.push(format!("{}: {problem}", exhibit.grader));
            }
        }
    }
    heading("Authority: earned, signed, computed, and lost when anything changes");
    match authority::show(&root, &accredit, &components[1]) {
        Ok(Some((said, story))) => {
            println!("\nAs expected: {said}.");
            heading("The gate: verdicts on real work that never round absence up");
            match gate::show(&root, &story) {
                Ok(said) => println!("\nAs expected: {said}."),
                Err(problem) => problems.push(format!("gate: {problem}")),
            }
        }
        Ok(None) => {}
        Err(problem) => problems.push(format!("authority: {problem}")),
    }
    if !problems.is_empty() {
        return Err(format!("not what was expected\n{}", problems.join("\n")));
    }
    println!("\n{}", closing(&short(&root, &accredit), started.elapsed().as_secs_f64()));
    Ok(())
}

fn heading(text: &str) {
    println!("\n== {text} ==");
}

/// The component of each exhibit, in their order.
fn components(root: &Path) -> Result<Vec<PathBuf>, String> {
    let builder = match Builder::new(root) {
        Ok(builder) => builder,
        Err(why) => {
            println!("They cannot be built here: {why}\nUsing graders/dist as it is.");
            return EXHIBITS.iter().map(|exhibit| shipped(root, exhibit.grader)).collect();
        }
    };
    EXHIBITS.iter().map(|exhibit| built(root, &builder, exhibit.grader)).collect()
}

/// The component in graders/dist.
fn shipped(root: &Path, grader: &str) -> Result<PathBuf, String> {
    let file = dist(root, grader);
    if file.is_file() {
        return Ok(file);
    }
    Err(format!("graders/dist/{grader}.wasm is missing, and it cannot be built here"))
}

/// The component that the sources build: the one in graders/dist if it is the same.
fn built(root: &Path, builder: &Builder, grader: &str) -> Result<PathBuf, String> {
    let component = builder.build(grader)?;
    let file = dist(root, grader);
    let state = match fs::read(&file) {
        Ok(kept) if kept == component => {
            println!("{grader}: its sources build graders/dist/{grader}.wasm, byte for byte");
            return Ok(file);
        }
        Ok(_) => "holds another one than its sources build",
        Err(_) => "lacks it",
    };
    let folder = root.join(FOLDER).join("graders");
    let file = folder.join(format!("{grader}.wasm"));
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&file, component));
    written.map_err(|e| format!("{}: {e}", file.display()))?;
    println!(
        "{grader}: graders/dist {state} (`cargo xtask guests {grader}` mends that). \
         Using the one just built"
    );
    Ok(file)
}

/// Runs one grader through its controls, before the reader's eyes, and checks what came out.
fn show(
    root: &Path,
    accredit: &Path,
    exhibit: &Exhibit,
    component: &Path,
) -> Result<String, String> {
    let Exhibit { grader, controls, about, expected } = exhibit;
    heading(&format!("{grader}: {about}. Expected: {}", expected.announced()));
    let folder = format!("{FOLDER}/{grader}");
    // What an earlier demo left must not stand in for what this one should leave.
    let _ = fs::remove_dir_all(root.join(&folder));
    let (binary, component) = (short(root, accredit), short(root, component));
    println!(
        "$ {binary} check {component} --controls {controls} --policy accredit.toml --out {folder}\n"
    );
    let mut check = Command::new(accredit);
    check.current_dir(root).args(["check", &component, "--controls", controls]).args([
        "--policy",
        "accredit.toml",
        "--out",
        &folder,
    ]);
    let status = check.status().map_err(|e| format!("cannot run {binary}: {e}"))?;
    let seen = Seen {
        exit: status.code(),
        report: text(&root.join(&folder).join("report.json"))?,
        derived: derived(root, accredit, &format!("{folder}/record.jsonl"))?,
    };
    outcome::judge(*expected, &seen)
}

/// The report as it is derived again from the run record, with no grader at hand.
fn derived(root: &Path, accredit: &Path, record: &str) -> Result<String, String> {
    let report = Command::new(accredit)
        .current_dir(root)
        .args(["report", record, "--format", "json"])
        .output()
        .map_err(|e| format!("cannot run accredit report: {e}"))?;
    String::from_utf8(report.stdout).map_err(|e| format!("accredit report: {e}"))
}

fn text(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))
}

/// A path as one would type it at the root.
fn short(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// What was shown, where it lies, and what to try.
fn closing(accredit: &str, seconds: f64) -> String {
    format!(
        "\
== Shown, in {seconds:.1} s ==
A grader that is too lenient was refused, and the controls that it passed wrongly are named.
Two graders earned eligibility for gating on exact lower bounds; each waiver stands beside the tier.
Every report was derived again from its run record, byte for byte, without running a grader.
One of them was registered, promoted by a signature, and lost its authority with one byte of anything.
It gated a release: passed, unproven without one run's evidence, blocked by one wrong answer.

Reports and records: {FOLDER}/<grader>/report.json and record.jsonl

Try next:
  {accredit} report {FOLDER}/lenient-answer/record.jsonl --all
  {accredit} controls lint controls/loan-ratios
  {accredit} policy explain
  a grader of your own: README.md, \"Write a grader\""
    )
}
