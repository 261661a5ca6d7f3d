//! Trials in this process, against the same function called natively.

use std::fs;
use std::hint::black_box;
use std::ops::ControlFlow;

use accredit_core::case::Case;
use accredit_core::findings::Outcome;
use accredit_engine::{Engine, Grader, Limits, Settings, TrialInput};

use crate::clock::{self, Against, Clock};
use crate::options::Options;
use crate::{Outcome as Measured, text};

/// The component under full limits, for so many jobs.
pub(crate) fn load(path: &std::path::Path, jobs: usize) -> Result<Grader, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let settings = Settings { limits: Limits::default(), jobs, ..Settings::default() };
    let engine = Engine::new(&settings).map_err(|error| error.to_string())?;
    engine.load(&bytes).map_err(|error| error.to_string())
}

/// One trial of this case; a grader that does not answer measures nothing.
pub(crate) fn trial(grader: &Grader, case: &Case) {
    let trial = grader.trial(&input(case));
    assert!(matches!(trial.outcome, Outcome::Graded(_)), "no answer: {trial:?}");
    black_box(trial);
}

pub(crate) fn input(case: &Case) -> TrialInput<'_> {
    TrialInput { case, seed: [7; 32], clock_unix_s: 946_684_800 }
}

/// The same function, called natively.
pub(crate) fn native(case: &accredit_sdk::Case) {
    let _ = black_box((cheap_answer::GRADER.grade)(black_box(case)));
}

/// A fresh instance under full limits for each trial, on outputs of so many bytes.
pub(crate) fn fresh(name: &str, options: &Options, bytes: usize) -> Measured {
    let grader = load(&options.guest, 1)?;
    let (case, native_case) = (text::case(bytes), text::native_case(bytes));
    let against = Against::measure(
        options.rounds,
        Clock::Thread,
        || native(&native_case),
        || trial(&grader, &case),
    );
    let Against { base_ns, ns, ratio } = &against;
    clock::print(name, &[("ratio", ratio), ("ns", ns), ("native-ns", base_ns)]);
    Ok(())
}

/// Trials a second with two jobs against one.
pub(crate) fn two_jobs(name: &str, options: &Options) -> Measured {
    let grader = load(&options.guest, 2)?;
    let case = text::case(200);
    let run = |jobs: usize| {
        let mut sink = |_, trial| {
            black_box(trial);
            ControlFlow::Continue(())
        };
        accredit_engine::run(&grader, 20_000, &|_| input(&case), jobs, &mut sink);
    };
    run(2);
    let mut series = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..options.rounds {
        let before = Clock::Wall.ns_a_call(1, || run(1));
        let two = Clock::Wall.ns_a_call(1, || run(2));
        let after = Clock::Wall.ns_a_call(1, || run(1));
        let one = f64::midpoint(before, after);
        let figures = [one / two, two / 20_000.0, one / 20_000.0];
        series.iter_mut().zip(figures).for_each(|(series, figure)| series.push(figure));
    }
    let [ratio, ns, one_ns] = &series;
    clock::print(name, &[("ratio", ratio), ("ns", ns), ("one-job-ns", one_ns)]);
    Ok(())
}
