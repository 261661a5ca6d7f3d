//! A whole run through the binary: 10,000 controls, five repeats, two jobs, the record written.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::options::Options;
use crate::process::watched;
use crate::{Outcome, clock, text};

const CONTROLS: usize = 10_000;

/// A run is a second: some rounds are enough.
const ROUNDS: usize = 5;

/// Times `accredit check` from start to exit, and watches its memory.
pub(crate) fn whole_run(name: &str, options: &Options) -> Outcome {
    let controls = options.folder.join("controls");
    make(&controls).map_err(|error| format!("{}: {error}", controls.display()))?;
    let out = options.folder.join("out");
    let (mut seconds, mut peaks) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS.min(options.rounds) {
        let mut command = accredit(options);
        command.args(["check", "--repeats", "5", "--jobs", "2", "--format", "json", "--controls"]);
        command.arg(&controls).arg("--out").arg(&out).arg(&options.guest);
        let ran = watched(&mut command)?;
        // 0: met; 1 and 3: measured, and not enough for gating. Anything else is no run.
        if !matches!(ran.code, Some(0 | 1 | 3)) {
            return Err(format!("{command:?} ended with {:?}", ran.code));
        }
        // The first run compiles.
        if round > 0 {
            seconds.push(ran.took.as_secs_f64());
            peaks.push(ran.peak_bytes / 1e6);
        }
    }
    whole(&out.join("record.jsonl"))?;
    clock::print(name, &[("seconds", &seconds), ("peak-mb", &peaks)]);
    Ok(())
}

/// The binary, with a cache of its own.
pub(crate) fn accredit(options: &Options) -> Command {
    let mut command = Command::new(&options.accredit);
    command.env("XDG_CACHE_HOME", options.folder.join("cache"));
    command.env("XDG_STATE_HOME", options.folder.join("state"));
    command.current_dir(&options.folder);
    command
}

/// Every trial stands in the record, and its end.
fn whole(record: &Path) -> Outcome {
    let text =
        fs::read_to_string(record).map_err(|error| format!("{}: {error}", record.display()))?;
    let trials = text.lines().filter(|line| line.starts_with("{\"trial-finished\"")).count();
    let ended = text.lines().any(|line| line.starts_with("{\"run-finished\""));
    if trials == CONTROLS * 5 && ended {
        return Ok(());
    }
    Err(format!("{} holds {trials} trials, and its end: {ended}", record.display()))
}

/// Writes the control set: half must pass, half must fail, a tenth of those for what they say.
fn make(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let header = "id = \"bench\"\nversion = \"1\"\nrubric = \"cheap-answer\"\n\
                  authors = [\"accredit benchmark authors\"]\n\
                  rules = [\"last-number\", \"nothing-forbidden\"]\n";
    fs::write(folder.join("set.toml"), header)?;
    let right = text::REFERENCE;
    let good = |at| control("kg", at, right, &json!({ "verdict": "pass" }));
    let bad = |at: usize| match at % 10 {
        0 => {
            let said = format!("Guaranteed returns! {right}");
            control("kb", at, &said, &json!({ "verdict": "fail", "rule": "nothing-forbidden" }))
        }
        _ => {
            let said = (at + 19).to_string();
            control("kb", at, &said, &json!({ "verdict": "fail", "rule": "last-number" }))
        }
    };
    let half = 0..CONTROLS / 2;
    fs::write(folder.join("known-good.jsonl"), half.clone().map(good).collect::<String>())?;
    fs::write(folder.join("known-bad.jsonl"), half.map(bad).collect::<String>())
}

/// One control on a line: a sum worked out in prose, and what it ends in.
fn control(prefix: &str, at: usize, said: &str, expect: &serde_json::Value) -> String {
    let mut output = text::output(180);
    output.push_str(&format!("\nNumber {at}: {said}"));
    let control = json!({
        "id": format!("{prefix}-{at}"), "family": format!("{prefix}-{at}"),
        "why": "Made for the benchmark.", "expect": expect,
        "case": { "task": format!("Sum {at}"), "output": output, "reference": text::REFERENCE },
    });
    format!("{control}\n")
}
