//! Whether memory stays flat over a million trials in one process.

use crate::clock::{self, Clock};
use crate::options::Options;
use crate::process::resident_bytes;
use crate::trials::{load, trial};
use crate::{Outcome, text};

const WARM_UP: u32 = 50_000;
const TRIALS: u32 = 1_000_000;

/// How much a million trials grow the process after a warm-up.
pub(crate) fn million_trials(name: &str, options: &Options) -> Outcome {
    let grader = load(&options.guest, 1)?;
    let case = text::case(200);
    (0..WARM_UP).for_each(|_| trial(&grader, &case));
    let before = resident_bytes("self", "VmRSS")?;
    let ns = Clock::Thread.ns_a_call(TRIALS, || trial(&grader, &case));
    let after = resident_bytes("self", "VmRSS")?;
    let growth = (after - before) / 1e6;
    clock::print(name, &[("growth-mb", &[growth]), ("rss-mb", &[after / 1e6]), ("ns", &[ns])]);
    Ok(())
}
