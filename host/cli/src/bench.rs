//! What a trial of one case costs on this machine: for authors who want their grader quick.
//!
//! Nothing of it is part of any record. Fuel and memory are the same everywhere; times are not.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use accredit_core::case::Case;
use accredit_core::control::plan::trial_seed;
use accredit_core::findings::Outcome;
use accredit_core::id::Digest;
use accredit_core::run::fold::{case_verdict, rule_verdicts};
use accredit_core::stats::percentile::Spread;
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::Verdict;
use accredit_engine::{Engine, Grader, Machine, Trial, TrialInput};
use serde::Serialize;

use crate::check::{CLOCK_UNIX_S, finished, no_control};
use crate::progress::Progress;

/// How many trials are run before any is counted: the first ones meet cold caches.
const WARM_UP: u32 = 20;
/// No trial is begun after this time, of the warm-up and of what is counted.
const MOST_WARM_UP: Duration = Duration::from_secs(2);
const MOST: Duration = Duration::from_secs(60);

/// What trials of one case cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bench {
    /// The grader's name.
    pub grader: String,
    /// Its version, as it says.
    pub version: Untrusted,
    /// The digest of its bytes.
    pub digest: Digest,
    /// What the case came to, and in how many trials.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// Trials in which the grader gave no answer: refusals and faults.
    pub unanswered: u64,
    /// The last of these, in words.
    pub why_unanswered: Option<Untrusted>,
    /// Trials that were asked for.
    pub asked: u32,
    /// Trials that were counted: fewer than were asked for where they took more than a minute.
    pub trials: u32,
    /// Trials before them, not counted.
    pub warm_up: u32,
    /// Units of fuel of a trial; the same on every machine.
    pub fuel: Spread,
    /// Whether every trial used the same fuel, whatever its seed.
    pub fuel_is_constant: bool,
    /// Bytes of linear memory of a trial.
    pub memory_bytes: Spread,
    /// Nanoseconds of a trial here, from a fresh instance to its answer.
    pub wall_ns: Spread,
    /// Trials a second here, one after the other on one thread, with everything around them.
    pub trials_per_second: f64,
    /// Where that was.
    pub machine: Here,
    /// What the times are worth.
    pub note: &'static str,
}

/// What the times are worth.
const NOTE: &str = "times are of this machine and its load now, and part of no record; fuel decides, and is the same \
     everywhere";

/// The machine that times were taken on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Here {
    /// Processor architecture and operating system.
    pub platform: String,
    /// Whether memory is recycled between trials of this grader.
    pub pooled: bool,
    /// Whether the kernel tells which pages a trial touched.
    pub pagemap_scan: bool,
}

/// What is measured.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    /// The case, blinded.
    pub case: &'a Case,
    /// How many trials to count; at least one.
    pub trials: u32,
    /// The run's seed: each trial has its own, as repeats of `check` have.
    pub seed: u64,
}

/// Runs the trials, on this thread.
#[must_use]
pub fn bench(engine: &Engine, grader: &Grader, plan: Plan<'_>) -> Bench {
    let content = plan.case.content_digest();
    let trial = |repeat: u32| {
        let seed = trial_seed(plan.seed, content, repeat);
        grader.trial(&TrialInput { case: plan.case, seed, clock_unix_s: CLOCK_UNIX_S })
    };
    let warm_up = repeat(WARM_UP, MOST_WARM_UP, |repeat| drop(trial(repeat)));
    let progress = Progress::new(u64::from(plan.trials), grader.manifest().name.as_str());
    let mut tally = Tally::default();
    let began = Instant::now();
    let trials = repeat(plan.trials, MOST, |repeat| {
        tally.take(grader, plan.case, trial(repeat));
        progress.step();
    });
    let elapsed = began.elapsed();
    progress.finish();
    let machine = here(engine.machine(), engine.is_pooled(&grader.inspection().minimums));
    tally.close(grader, &Counts { asked: plan.trials, trials, warm_up, elapsed }, machine)
}

/// Calls until it was called so often, or this much time has passed; at least once. How often it was.
fn repeat(times: u32, most: Duration, mut call: impl FnMut(u32)) -> u32 {
    let began = Instant::now();
    let mut called = 0;
    while called < times.max(1) && (called == 0 || began.elapsed() < most) {
        call(called);
        called += 1;
    }
    called
}

fn here(machine: Machine, pooled: bool) -> Here {
    Here {
        platform: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
        pooled,
        pagemap_scan: machine.pagemap_scan,
    }
}

/// What is kept of each trial.
#[derive(Default)]
struct Tally {
    fuel: Vec<u64>,
    memory: Vec<u64>,
    wall: Vec<u64>,
    verdicts: BTreeMap<&'static str, u64>,
    unanswered: u64,
    why: Option<Untrusted>,
}

/// How many trials there were, and in what time.
struct Counts {
    asked: u32,
    trials: u32,
    warm_up: u32,
    elapsed: Duration,
}

impl Tally {
    fn take(&mut self, grader: &Grader, case: &Case, trial: Trial) {
        self.fuel.push(trial.fuel);
        self.memory.push(trial.memory_bytes);
        self.wall.push(u64::try_from(trial.wall.as_nanos()).unwrap_or(u64::MAX));
        self.why = match &trial.outcome {
            Outcome::Graded(_) => self.why.take(),
            Outcome::Refused(refusal) => Some(refusal.message.clone()),
            Outcome::Fault(fault) => Some(fault.detail.clone()),
        };
        self.unanswered += u64::from(!matches!(trial.outcome, Outcome::Graded(_)));
        *self.verdicts.entry(verdict(grader, case, trial).name()).or_default() += 1;
    }

    fn close(self, grader: &Grader, counts: &Counts, machine: Here) -> Bench {
        let spread = |values: &[u64]| {
            Spread::of(values).unwrap_or_else(|| unreachable!("there was a trial"))
        };
        let fuel = spread(&self.fuel);
        Bench {
            grader: grader.manifest().name.to_string(),
            version: grader.manifest().version.clone(),
            digest: grader.digest(),
            verdicts: self.verdicts,
            unanswered: self.unanswered,
            why_unanswered: self.why,
            asked: counts.asked,
            trials: counts.trials,
            warm_up: counts.warm_up,
            fuel,
            fuel_is_constant: fuel.is_constant(),
            memory_bytes: spread(&self.memory),
            wall_ns: spread(&self.wall),
            trials_per_second: f64::from(counts.trials) / counts.elapsed.as_secs_f64(),
            machine,
            note: NOTE,
        }
    }
}

/// What the case comes to in this trial, under the contract's rules.
fn verdict(grader: &Grader, case: &Case, trial: Trial) -> Verdict {
    let manifest = grader.manifest();
    let finished = finished(manifest, case, no_control(), trial);
    case_verdict(&manifest.rules, &rule_verdicts(&manifest.rules, &finished))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_called_so_often_or_until_the_time_is_up_and_at_least_once() {
        for (times, most, called) in [
            (7, Duration::MAX, 7),
            (0, Duration::MAX, 1),
            (1_000_000, Duration::ZERO, 1),
            (1, Duration::ZERO, 1),
        ] {
            let mut seen = Vec::new();
            assert_eq!(repeat(times, most, |number| seen.push(number)), called);
            assert_eq!(seen, (0..called).collect::<Vec<_>>());
        }
    }
}
