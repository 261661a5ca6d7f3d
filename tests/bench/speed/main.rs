//! What accredit costs, measured: one line a figure on stdout, for `cargo xtask bench` to hold against
//! the targets. `speed FIGURE... KEY=VALUE...`; a figure's name is the name of its line.
//!
//! A line is the figure's name and then `key=value,value,...` for each of its series, all separated by
//! tabs; a series has one value a round. What is not measured prints `skipped=WHY`.

mod check;
mod clock;
mod grade;
mod memory;
mod options;
mod process;
mod python;
mod start;
mod text;
mod trials;

use std::process::ExitCode;

use options::Options;

/// What a measurement returns: nothing, or why it could not be made.
type Outcome = Result<(), String>;

/// A figure: its name, and what measures it and prints its line.
type Figure = (&'static str, fn(&str, &Options) -> Outcome);

const FIGURES: &[Figure] = &[
    ("trial-200", |name, options| trials::fresh(name, options, 200)),
    ("trial-10k", |name, options| trials::fresh(name, options, 10_000)),
    ("trial-1m", |name, options| trials::fresh(name, options, 1_000_000)),
    ("two-jobs", trials::two_jobs),
    ("check-50k", check::whole_run),
    ("grade", grade::in_bulk),
    ("start", start::first_verdict),
    ("python-guest", python::guest),
    ("python-process", python::process_a_grade),
    ("python-worker", python::persistent_worker),
    ("flat-memory", memory::million_trials),
];

fn main() -> ExitCode {
    let options =
        match Options::parse(std::env::args().skip(1), FIGURES.iter().map(|(name, _)| *name)) {
            Ok(options) => options,
            Err(problem) => return fail("speed", &problem),
        };
    for (name, measure) in FIGURES {
        if !options.figures.iter().any(|chosen| chosen == name) {
            continue;
        }
        if let Err(problem) = measure(name, &options) {
            return fail(name, &problem);
        }
    }
    ExitCode::SUCCESS
}

fn fail(what: &str, problem: &str) -> ExitCode {
    eprintln!("{what}: {problem}");
    ExitCode::FAILURE
}
