//! Looks at the answers of probes that are not to be ended but to find nothing.
//!
//! Each gets three trials: two with one seed, one with another.

use accredit_engine::{Limits, Trial};

use super::{Figure, Look};
use crate::check::CLOCK_UNIX_S;

/// Nanoseconds of a day.
const DAY: u64 = 86_400_000_000_000;

/// The numbers that a probe said: words of sixteen digits of four bits, from '0' on.
pub(super) fn said(trial: &Trial) -> Vec<u64> {
    let word = |word: &str| {
        let digits = word.bytes().map(|byte| byte.checked_sub(b'0').filter(|digit| *digit < 16));
        let number = digits
            .into_iter()
            .try_fold(0, |number, digit| digit.map(|digit| (number << 4) | u64::from(digit)));
        number.filter(|_| word.len() == 16)
    };
    trial.captured.raw().split(' ').filter_map(word).collect()
}

/// Whether every trial said these numbers and nothing else.
fn all_said(trials: &[Trial], numbers: &[u64]) -> bool {
    !trials.is_empty() && trials.iter().all(|trial| said(trial) == numbers)
}

fn first(trials: &[Trial]) -> u64 {
    trials.iter().flat_map(said).next().unwrap_or(u64::MAX)
}

/// What it wrote was cut at the limit.
pub(super) fn output(trials: &[Trial], limits: &Limits) -> Look {
    let kept = trials.iter().map(|trial| trial.captured.raw().len()).max().unwrap_or_default();
    let cut = trials.iter().all(|trial| trial.captured_truncated);
    Look {
        holds: cut && kept <= limits.captured_bytes,
        figure: Figure::new(kept as u64, "bytes kept", Some(limits.captured_bytes as u64)),
    }
}

/// A day went by for it, and next to no time here.
pub(super) fn sleep(trials: &[Trial], limits: &Limits) -> Look {
    let slept = trials.iter().all(|trial| matches!(said(trial)[..], [passed] if passed >= DAY));
    let wall = trials.iter().map(|trial| trial.wall).max().unwrap_or_default();
    Look {
        holds: slept && wall < limits.wall,
        figure: Figure::new(first(trials) / DAY, "day on its clock", None),
    }
}

/// Its clocks stand at the case's time, in every trial.
pub(super) fn clock(trials: &[Trial], _: &Limits) -> Look {
    let at_case = |trial: &Trial| match said(trial)[..] {
        [seconds, nanos] => seconds == CLOCK_UNIX_S && nanos / 1_000_000_000 == CLOCK_UNIX_S,
        _ => false,
    };
    let same = trials.windows(2).all(|pair| said(&pair[0]) == said(&pair[1]));
    Look {
        holds: same && trials.iter().all(at_case),
        figure: Figure::new(first(trials), "s since 1970, the case's time", None),
    }
}

/// The same numbers from the same seed, others from another.
pub(super) fn randomness(trials: &[Trial], _: &Limits) -> Look {
    let numbers: Vec<_> = trials.iter().map(said).collect();
    let holds = match &numbers[..] {
        [one, again, other] => {
            one == again && one.len() == 3 && one.iter().zip(other).all(|(a, b)| a != b)
        }
        _ => false,
    };
    let sources = numbers.first().map(Vec::len).unwrap_or_default();
    Look { holds, figure: Figure::new(sources as u64, "sources, by the seed alone", None) }
}

/// It saw none of this process's environment.
pub(super) fn environment(trials: &[Trial], _: &Limits) -> Look {
    nothing_of(trials, std::env::vars_os().count(), "variables")
}

/// It saw none of this process's arguments.
pub(super) fn arguments(trials: &[Trial], _: &Limits) -> Look {
    nothing_of(trials, std::env::args_os().count(), "arguments")
}

fn nothing_of(trials: &[Trial], ours: usize, what: &str) -> Look {
    Look {
        holds: all_said(trials, &[0]),
        figure: Figure::new(first(trials), format!("of the host's {ours} {what}"), None),
    }
}

/// There was no folder, and the call was counted.
pub(super) fn files(trials: &[Trial], _: &Limits) -> Look {
    let counted = |trial: &Trial| inert_calls(trial) == 1;
    Look {
        holds: all_said(trials, &[0]) && trials.iter().all(counted),
        figure: Figure::new(first(trials), "folders", None),
    }
}

/// Each call was denied (the probe says so by its verdict) and counted.
pub(super) fn sockets(trials: &[Trial], _: &Limits) -> Look {
    let counted = trials.first().map(inert_calls).unwrap_or_default();
    Look {
        holds: counted == 3 && trials.iter().all(|trial| inert_calls(trial) == counted),
        figure: Figure::new(counted, "calls denied", None),
    }
}

fn inert_calls(trial: &Trial) -> u64 {
    trial.inert.values().sum()
}

/// Every trial went the same way: none found a mark of an earlier one (the probe says so by its verdict).
pub(super) fn state(trials: &[Trial], _: &Limits) -> Look {
    let same = trials.windows(2).all(|pair| pair[0].fuel == pair[1].fuel);
    Look {
        holds: same && trials.len() > 1,
        figure: Figure::new(trials.len() as u64, "trials, all alike", None),
    }
}
