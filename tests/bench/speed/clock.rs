//! Timing in slices, and the lines that are printed of it.

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

/// How long a slice should take: long against the clock's own cost, short against what else the machine
/// does, so that two slices in a row see the same machine.
const SLICE_NS: f64 = 30e6;

/// What is read before and after a slice.
#[derive(Clone, Copy)]
pub(crate) enum Clock {
    /// What this thread computed. Other processes on the machine do not count; nor does waiting.
    Thread,
    /// What a person waits.
    Wall,
}

impl Clock {
    /// Nanoseconds that so many calls take.
    fn ns(self, calls: u32, call: &mut impl FnMut()) -> f64 {
        let (began, computed) = (Instant::now(), thread_ns());
        for _ in 0..calls {
            call();
        }
        match (self, computed, thread_ns()) {
            (Self::Thread, Some(before), Some(after)) => after - before,
            _ => nanos(began.elapsed()),
        }
    }

    /// How often `call` fits into a slice.
    fn calls_a_slice(self, call: &mut impl FnMut()) -> u32 {
        let mut calls = 1_u32;
        loop {
            let took = self.ns(calls, call);
            if took * 4.0 >= SLICE_NS {
                return ((SLICE_NS * f64::from(calls) / took) as u32).max(1);
            }
            calls *= 4;
        }
    }

    /// Nanoseconds a call, over so many calls.
    pub(crate) fn ns_a_call(self, calls: u32, mut call: impl FnMut()) -> f64 {
        self.ns(calls, &mut call) / f64::from(calls)
    }
}

/// What this thread has computed so far, in nanoseconds, where the kernel says it. It counts up to now
/// only when the scheduler looks at the thread, hence the offer to yield.
fn thread_ns() -> Option<f64> {
    std::thread::yield_now();
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// A duration in nanoseconds.
pub(crate) fn nanos(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e9
}

/// Two things timed against each other, round by round: the first before and after the second, so that a
/// machine that slows down slows both.
pub(crate) struct Against {
    /// Nanoseconds a call of the first.
    pub(crate) base_ns: Vec<f64>,
    /// Nanoseconds a call of the second.
    pub(crate) ns: Vec<f64>,
    /// How often the second takes as long as the first.
    pub(crate) ratio: Vec<f64>,
}

impl Against {
    /// Times `base` and `other` for so many rounds.
    pub(crate) fn measure(
        rounds: usize,
        clock: Clock,
        mut base: impl FnMut(),
        mut other: impl FnMut(),
    ) -> Self {
        let base_calls = clock.calls_a_slice(&mut base);
        let other_calls = clock.calls_a_slice(&mut other);
        let mut against = Self { base_ns: Vec::new(), ns: Vec::new(), ratio: Vec::new() };
        for _ in 0..rounds {
            let before = clock.ns_a_call(base_calls, &mut base);
            let ns = clock.ns_a_call(other_calls, &mut other);
            let after = clock.ns_a_call(base_calls, &mut base);
            let base_ns = f64::midpoint(before, after);
            against.base_ns.push(base_ns);
            against.ns.push(ns);
            against.ratio.push(ns / base_ns);
        }
        against
    }
}

/// Prints a figure's line.
pub(crate) fn print(name: &str, series: &[(&str, &[f64])]) {
    let mut line = name.to_owned();
    for (key, values) in series {
        let _ = write!(line, "\t{key}=");
        for (at, value) in values.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            let _ = write!(line, "{comma}{value:.3}");
        }
    }
    println!("{line}");
}

/// Prints why a figure was not measured.
pub(crate) fn skipped(name: &str, why: &str) {
    println!("{name}\tskipped={why}");
}
