//! Probes measure: under a limit that is too lax to stop it, a probe does not hold, and says what was seen.

use std::collections::BTreeMap;
use std::time::Duration;

use accredit_core::findings::{Finding, Outcome};
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::Verdict;
use accredit_engine::{Compiler, Limits, Settings, Trial};

use super::look::{self, said};
use super::*;

/// Limits under which every probe holds, and those that use up their fuel are quick.
fn shipped() -> Limits {
    Limits { fuel: 20_000_000, ..Limits::default() }
}

fn prober(limits: Limits) -> Prober {
    let settings = Settings { limits, cache: None, compiler: Compiler::InProcess, jobs: 1 };
    Prober::new(settings).expect("the honest grader loads")
}

fn probe(name: &str) -> &'static Probe {
    ALL.iter().find(|probe| probe.name == name).unwrap_or_else(|| panic!("no probe {name}"))
}

/// Those that run: the compiler's own limits need a child process, and are tried by the end-to-end tests.
fn run_here() -> impl Iterator<Item = &'static Probe> {
    ALL.iter().filter(|probe| !probe.name.starts_with("compile-"))
}

#[test]
fn every_probe_holds_under_the_shipped_limits() {
    let prober = prober(shipped());
    for probe in run_here() {
        let tried = prober.run(probe).expect("runs");
        assert!(tried.holds && tried.host_is_up, "{tried:#?}");
        assert_eq!(tried.stopped_by, probe.stop);
    }
}

#[test]
fn a_probe_that_its_limit_does_not_stop_does_not_hold() {
    let lax = |name: &'static str, limits: Limits, seen: &'static str| (name, limits, seen);
    let base = shipped;
    let table = [
        // Fuel that never runs out: the wall clock comes first, and that depends on the machine.
        lax(
            "infinite-loop",
            Limits { fuel: u64::MAX / 2, wall: Duration::from_millis(20), ..base() },
            "a fault: deadline",
        ),
        lax("memory-growth", Limits { memory_bytes: 2 << 30, ..base() }, "nothing"),
        lax("memory-at-once", Limits { memory_bytes: 5 << 30, ..base() }, "nothing"),
        lax("table-growth", Limits { table_elements: 2_000_000, ..base() }, "nothing"),
        lax("handles", Limits { handles: 200_000, ..base() }, "nothing"),
        lax(
            "huge-string",
            Limits { hostcall_bytes: 64 << 20, ..base() },
            "a fault: output-too-large",
        ),
        lax(
            "huge-list",
            Limits { hostcall_bytes: 64 << 20, ..base() },
            "a fault: output-too-large",
        ),
        lax("many-findings", Limits { findings: 50_000, ..base() }, "nothing"),
        lax("long-text", Limits { finding_bytes: 4 << 20, ..base() }, "nothing"),
        lax("stderr-flood", Limits { captured_bytes: 2 << 20, ..base() }, "nothing"),
        lax("large-file", Limits { component_bytes: 100 << 20, ..base() }, "nothing"),
        // Too little fuel to meet the limit that is probed.
        lax("deep-recursion", Limits { fuel: 100_000, ..base() }, "a fault: deadline"),
    ];
    for (name, limits, seen) in table {
        let tried = prober(limits).run(probe(name)).expect("runs");
        assert!(!tried.holds && tried.host_is_up, "{tried:#?}");
        assert_eq!(tried.stopped_by, seen, "{tried:#?}");
        let report = Report::of(vec![tried]);
        assert_eq!((report.holds, report.broken()), (false, vec![name]));
    }
}

#[test]
fn nothing_tried_proves_nothing() {
    assert!(!Report::of(Vec::new()).holds);
}

/// A trial that passed, and said these numbers.
fn passed(numbers: &[u64]) -> Trial {
    let word = |number: &u64| {
        let digit = |shift: u32| char::from(b'0' + ((number >> shift) & 15) as u8);
        (0..16).rev().map(|place| digit(4 * place)).collect::<String>() + " "
    };
    Trial {
        outcome: Outcome::Graded(vec![Finding {
            rule: Untrusted::new("holds"),
            claim: None,
            verdict: Verdict::Pass,
            rationale: Untrusted::default(),
            citations: Vec::new(),
            score: None,
            extra: Untrusted::default(),
        }]),
        fuel: 1,
        wall: Duration::from_micros(1),
        memory_bytes: 0,
        inert: BTreeMap::new(),
        captured: Untrusted::new(numbers.iter().map(word).collect::<String>()),
        captured_truncated: false,
    }
}

fn called(times: u64, trial: Trial) -> Trial {
    Trial { inert: BTreeMap::from([("wasi:x/y.z".to_owned(), times)]), ..trial }
}

#[test]
fn numbers_survive_being_said() {
    let numbers = [0, 1, 9, 10, 255, u64::MAX, 86_400_000_000_000];
    assert_eq!(said(&passed(&numbers)), numbers);
}

#[test]
fn a_look_sees_what_got_through() {
    const CLOCK: u64 = crate::check::CLOCK_UNIX_S;
    const NANOS: u64 = CLOCK * 1_000_000_000 + 1_000;
    const DAY: u64 = 86_400_000_000_000;
    let three = |numbers: &[u64]| [passed(numbers), passed(numbers), passed(numbers)];
    let seeds =
        |one: &[u64], again: &[u64], other: &[u64]| [passed(one), passed(again), passed(other)];
    let marked = Trial { fuel: 2, ..passed(&[]) };
    type Looks = fn(&[Trial], &Limits) -> Look;
    let table: [(&str, Looks, [Trial; 3], bool); 16] = [
        ("slept", look::sleep, three(&[DAY]), true),
        ("woke too early", look::sleep, three(&[DAY - 1]), false),
        ("the case's time", look::clock, three(&[CLOCK, NANOS]), true),
        ("another time", look::clock, three(&[CLOCK + 1, NANOS]), false),
        ("a real monotonic clock", look::clock, three(&[CLOCK, 12_345]), false),
        (
            "a clock that moves",
            look::clock,
            seeds(&[CLOCK, NANOS], &[CLOCK, NANOS + 1], &[CLOCK, NANOS]),
            false,
        ),
        ("by the seed", look::randomness, seeds(&[1, 2, 3], &[1, 2, 3], &[4, 5, 6]), true),
        ("real randomness", look::randomness, seeds(&[1, 2, 3], &[7, 8, 9], &[4, 5, 6]), false),
        (
            "one source ignores the seed",
            look::randomness,
            seeds(&[1, 2, 3], &[1, 2, 3], &[4, 2, 6]),
            false,
        ),
        ("no variable", look::environment, three(&[0]), true),
        ("a variable", look::environment, three(&[1]), false),
        ("silence", look::arguments, three(&[]), false),
        ("no folder", look::files, [(); 3].map(|()| called(1, passed(&[0]))), true),
        ("not counted", look::files, three(&[0]), false),
        ("a call too few", look::sockets, [(); 3].map(|()| called(2, passed(&[]))), false),
        ("a mark was found", look::state, [passed(&[]), marked, passed(&[])], false),
    ];
    for (what, look, trials, holds) in table {
        assert_eq!(look(&trials, &Limits::default()).holds, holds, "{what}");
    }
}
