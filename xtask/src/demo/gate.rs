//! The gate, told in the repository of the story of authority: a release goes, is unproven without one run's evidence,
//! and is blocked by one wrong answer. Beside it how strong evidence is: a declared judge that never ran is none.

use std::fs;
use std::path::Path;

use super::authority::Story;

/// The run whose evidence is taken away, and which is then told otherwise.
const RUN: &str = "runs/boxes-to-ship-2.json";

/// Tells it, and checks every step.
pub(super) fn show(root: &Path, story: &Story<'_>) -> Result<String, String> {
    let runs = root.join("tests/fixtures/runs");
    let fail = |e: std::io::Error| format!("{}: {e}", runs.display());
    fs::create_dir_all(story.path("runs")).map_err(fail)?;
    for file in fs::read_dir(&runs).map_err(fail)? {
        let file = file.map_err(fail)?;
        fs::copy(file.path(), story.path("runs").join(file.file_name())).map_err(fail)?;
    }
    let gate = ["gate", "--runs", "runs"];
    let says = |args: &[&str], exit: i32, words: &str| {
        let told = story.run(&[&gate[..], args].concat(), exit)?;
        match told.contains(words) {
            true => Ok(()),
            false => Err(format!("the gate does not say: {words}")),
        }
    };
    says(&[], 0, "PASS: true")?;

    let path = story.path(RUN);
    let fail = |e: std::io::Error| format!("{}: {e}", path.display());
    let record = fs::read_to_string(&path).map_err(fail)?;
    println!("\nThe evidence of one run is gone:");
    fs::remove_file(&path).map_err(fail)?;
    says(&[], 3, "UNPROVEN: undefined")?;

    println!("\nIt is back, and its answer is wrong:");
    fs::write(&path, record.replace("Answer: 14", "Answer: 26")).map_err(fail)?;
    says(&["--format", "html", "-o", "../gate.html"], 1, "")?;
    says(&[], 1, "BLOCKED: false")?;
    fs::write(&path, record).map_err(fail)?;
    evidence(root, story)?;
    Ok("it went, was unproven without one run, and was blocked by one wrong answer; a declared judge that \
        never ran leaves its run unverified; target/demo/authority/gate.html is the page of the last"
        .to_owned())
}

/// Two runs with the same answer: all judges of the one ran, and one of the other's never did.
fn evidence(root: &Path, story: &Story<'_>) -> Result<(), String> {
    println!("\nThe evidence behind two runs; of one a declared judge never ran:");
    let fixtures = root.join("tests/fixtures/evidence-grades");
    let folder = story.path("evidence");
    let fail = |e: std::io::Error| format!("{}: {e}", folder.display());
    fs::create_dir_all(&folder).map_err(fail)?;
    for name in ["passed.json", "never-ran.json"] {
        fs::copy(fixtures.join(name), folder.join(name)).map_err(fail)?;
    }
    let told = story.run(&["grade-evidence", "evidence"], 3)?;
    let whole: Vec<_> = told.split_whitespace().collect();
    let whole = whole.join(" ");
    let says = ["unverified (kind known_answer)", "it was declared, and never came to a result"];
    match says.iter().find(|words| !whole.contains(**words)) {
        None => Ok(()),
        Some(words) => Err(format!("grade-evidence does not say: {words}")),
    }
}
