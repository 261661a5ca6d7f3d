//! From the start of a process to its verdict on one case.

use std::fs;
use std::process::Command;
use std::time::Instant;

use serde_json::json;

use crate::check::accredit;
use crate::options::Options;
use crate::process::quietly;
use crate::{Outcome, clock, text};

/// Times `accredit run`, component cached and its artefact verified, from its start to its exit, beside
/// a process that does nothing.
pub(crate) fn first_verdict(name: &str, options: &Options) -> Outcome {
    let case = text::case(200);
    let path = options.folder.join("case.json");
    let json = json!({ "task": case.task, "output": case.output, "reference": text::REFERENCE });
    fs::write(&path, json.to_string()).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut run = accredit(options);
    run.arg("run").arg(&options.guest).arg("--case").arg(&path);
    // The first compiles, and must judge.
    let code = quietly(&mut run)?.wait().map_err(|error| error.to_string())?.code();
    if code != Some(0) {
        return Err(format!("{run:?} ended with {code:?}"));
    }
    let (mut all, mut nothing) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds.max(5) * 4 {
        nothing.push(millis(&mut Command::new("true"))?);
        all.push(millis(&mut run)?);
    }
    clock::print(name, &[("ms", &all), ("empty-process-ms", &nothing)]);
    Ok(())
}

fn millis(command: &mut Command) -> Result<f64, String> {
    let began = Instant::now();
    quietly(command)?.wait().map_err(|error| error.to_string())?;
    Ok(began.elapsed().as_secs_f64() * 1e3)
}
