//! Python as a peer (a process a grade, a persistent worker), and as a guest that is big.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

use serde_json::json;

use crate::clock::{self, Against, Clock};
use crate::options::Options;
use crate::trials::{load, trial};
use crate::{Outcome, text};

/// The grader in Python, beside this program's sources.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/python/cheap_answer.py");

/// A component of many megabytes: every trial in a fresh instance all the same.
pub(crate) fn guest(name: &str, options: &Options) -> Outcome {
    let Some(path) = &options.python_guest else {
        clock::skipped(name, "no Python guest there: cargo xtask bench --python-guest makes one");
        return Ok(());
    };
    let bytes = std::fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let grader = load(path, 1)?;
    let (case, native_case) = (text::case(200), text::native_case(200));
    let against = Against::measure(
        options.rounds,
        Clock::Thread,
        || crate::trials::native(&native_case),
        || trial(&grader, &case),
    );
    let megabytes = [bytes.len() as f64 / 1e6];
    clock::print(
        name,
        &[("ratio", &against.ratio), ("ns", &against.ns), ("component-mb", &megabytes)],
    );
    Ok(())
}

/// A fresh process for each grade, as isolated as Python gets without accredit.
pub(crate) fn process_a_grade(name: &str, options: &Options) -> Outcome {
    let Some(python) = interpreter() else {
        clock::skipped(name, "python3 is not there");
        return Ok(());
    };
    let (grader, case, line) = (load(&options.guest, 1)?, text::case(200), line());
    let process = || {
        let (mut to, mut from, mut child) = start(&python);
        ask(&mut to, &mut from, &line);
        drop(to);
        let _ = child.wait();
    };
    against(name, options, || trial(&grader, &case), process);
    Ok(())
}

/// One Python process that judges case after case, without isolation between them.
pub(crate) fn persistent_worker(name: &str, options: &Options) -> Outcome {
    let Some(python) = interpreter() else {
        clock::skipped(name, "python3 is not there");
        return Ok(());
    };
    let (grader, case, line) = (load(&options.guest, 1)?, text::case(200), line());
    let (mut to, mut from, mut child) = start(&python);
    against(name, options, || trial(&grader, &case), || ask(&mut to, &mut from, &line));
    drop(to);
    let _ = child.wait();
    Ok(())
}

fn against(name: &str, options: &Options, ours: impl FnMut(), theirs: impl FnMut()) {
    let against = Against::measure(options.rounds, Clock::Wall, ours, theirs);
    let Against { base_ns, ns, ratio } = &against;
    clock::print(name, &[("ratio", ratio), ("ns", ns), ("accredit-ns", base_ns)]);
}

fn line() -> String {
    let case = text::case(200);
    let mut line = json!({ "output": case.output, "reference": case.reference }).to_string();
    line.push('\n');
    line
}

/// The interpreter itself, not a script that looks for one.
fn interpreter() -> Option<PathBuf> {
    let found = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let path = String::from_utf8(found.ok()?.stdout).ok()?;
    Some(PathBuf::from(path.trim())).filter(|path| path.is_file())
}

fn start(python: &PathBuf) -> (ChildStdin, BufReader<ChildStdout>, std::process::Child) {
    let mut child = Command::new(python)
        .args(["-I", "-S", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 was there just now");
    let to = child.stdin.take().expect("it is piped");
    let from = BufReader::new(child.stdout.take().expect("it is piped"));
    (to, from, child)
}

fn ask(to: &mut ChildStdin, from: &mut BufReader<ChildStdout>, line: &str) {
    to.write_all(line.as_bytes()).expect("the worker reads");
    let mut answer = String::new();
    from.read_line(&mut answer).expect("the worker answers");
    assert!(answer.contains("\"last-number\", \"pass\""), "no answer: {answer}");
}
