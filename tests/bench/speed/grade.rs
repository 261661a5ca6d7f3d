//! Grading in bulk through the binary: JSON Lines in and out, two jobs, held against the engine's bare trial.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufWriter, Write as _};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::json;

use crate::check::accredit;
use crate::clock::{self, Clock};
use crate::options::Options;
use crate::process::watched;
use crate::trials::{input, load};
use crate::{Outcome, text};

const CASES: u32 = 200_000;

/// Trials that a case is held against.
const TRIALS: u32 = 20_000;

/// A run is some seconds: some rounds are enough.
const ROUNDS: usize = 5;

/// Times `accredit grade` from start to exit, between bare trials of the same cases by as many jobs.
pub(crate) fn in_bulk(name: &str, options: &Options) -> Outcome {
    let cases = options.folder.join("cases.jsonl");
    make(&cases).map_err(|error| format!("{}: {error}", cases.display()))?;
    let verdicts = options.folder.join("verdicts.jsonl");
    let grader = load(&options.guest, 2)?;
    let case = text::case(200);
    let trials = || {
        let mut sink = |_, trial| {
            black_box(trial);
            ControlFlow::Continue(())
        };
        accredit_engine::run(&grader, TRIALS as usize, &|_| input(&case), 2, &mut sink);
    };
    let mut series = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    for round in 0..=ROUNDS.min(options.rounds) {
        let mut command = accredit(options);
        command.args(["grade", "--jobs", "2", "--restart"]).arg(&options.guest).arg(&cases);
        command.arg("-o").arg(&verdicts);
        let before = Clock::Wall.ns_a_call(1, trials) / f64::from(TRIALS);
        let ran = watched(&mut command)?;
        let after = Clock::Wall.ns_a_call(1, trials) / f64::from(TRIALS);
        if ran.code != Some(0) {
            return Err(format!("{command:?} ended with {:?}", ran.code));
        }
        // The first run compiles.
        if round > 0 {
            let ns = clock::nanos(ran.took) / f64::from(CASES);
            let ratio = ns / f64::midpoint(before, after);
            let figures = [ratio, ns, 1e9 / ns, ran.peak_bytes / 1e6];
            series.iter_mut().zip(figures).for_each(|(series, figure)| series.push(figure));
        }
    }
    whole(&verdicts)?;
    let [ratio, ns, a_second, peak] = &series;
    clock::print(
        name,
        &[("ratio", ratio), ("ns", ns), ("cases-a-second", a_second), ("peak-mb", peak)],
    );
    Ok(())
}

/// Every case stands in the verdicts, and their end.
fn whole(verdicts: &Path) -> Outcome {
    let text =
        fs::read_to_string(verdicts).map_err(|error| format!("{}: {error}", verdicts.display()))?;
    let judged = text.lines().filter(|line| line.contains("\"outcome\":\"graded\"")).count();
    let ended = text.lines().last().is_some_and(|line| line.starts_with("{\"finished\""));
    if judged == CASES as usize && ended {
        return Ok(());
    }
    Err(format!("{} holds {judged} verdicts, and its end: {ended}", verdicts.display()))
}

/// Small cases, each with an output of its own.
fn make(path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for at in 0..CASES {
        let output = format!("Number {at}. {}", text::output(180));
        let case = json!({
            "id": format!("case-{at}"), "task": format!("Sum {at}"), "output": output,
            "reference": text::REFERENCE,
        });
        writeln!(file, "{case}")?;
    }
    file.flush()
}
