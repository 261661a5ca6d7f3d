//! What a guest can see and do: the same in every run, and nothing of the machine it runs on.

use crate::guest::{Guest, case, fault, grades, input, rationale};
use accredit_core::findings::{FaultKind, Outcome};
use accredit_core::verdict::Verdict;
use accredit_engine::{Access, Limits};

const EMIT: &str =
    r#"(import "accredit:grader/diagnostics@0.1.0" "emit" (func $emit (param i64 i64 i32)))"#;

/// Emits the i64 on the stack as eight raw bytes.
fn emits(value: &str) -> String {
    format!("(call $emit {value} (i64.const 0) (i32.const 8))")
}

/// An ASCII number from eight captured bytes would be text: keep bytes low by shifting to seven bits a byte.
const SPREAD: &str = r#"
    (func $say (param $n i64)
        (local $shift i64)
        (loop $digits
            (call $emit
                (i64.add (i64.const 48) (i64.and (i64.shr_u (local.get $n) (i64.sub (i64.const 60) (local.get $shift))) (i64.const 15)))
                (i64.const 0) (i32.const 1))
            (local.set $shift (i64.add (local.get $shift) (i64.const 4)))
            (br_if $digits (i64.lt_u (local.get $shift) (i64.const 64))))
        (call $emit (i64.const 32) (i64.const 0) (i32.const 1)))"#;

/// The numbers that `$say` wrote.
fn said(captured: &str) -> Vec<u64> {
    captured
        .split_whitespace()
        .map(|word| word.bytes().fold(0, |n, digit| (n << 4) | u64::from(digit - b'0')))
        .collect()
}

#[test]
fn a_grader_grades() {
    let grader = Guest::default().load().expect("loads");
    assert_eq!(grader.manifest().name.as_str(), "g");
    assert_eq!(grader.manifest().rubric.as_str(), "rb");
    assert_eq!(grader.manifest().rules.len(), 1);
    let case = case("forty-two, é");
    let trial = grader.trial(&input(&case));
    assert_eq!(rationale(&trial), "forty-two, é");
    let Outcome::Graded(findings) = &trial.outcome else { panic!() };
    assert_eq!((findings[0].rule.raw(), findings[0].verdict), ("r", Verdict::Pass));
    assert!(trial.fuel > 0 && trial.fuel < 10_000, "{}", trial.fuel);
    assert_eq!(trial.memory_bytes, 65_536);
    assert!(trial.captured.is_empty() && trial.inert.is_empty());
}

#[test]
fn nothing_is_kept_from_one_trial_to_the_next() {
    let grader = grades(
        "(global.set $calls (i32.add (global.get $calls) (i32.const 1)))
         (i32.store8 (i32.const 1300) (i32.sub (global.get $calls) (i32.const 1)))
         (i32.store8 (i32.const 4000) (i32.add (i32.load8_u (i32.const 4000)) (i32.const 1)))
         (if (i32.ne (i32.load8_u (i32.const 4000)) (i32.const 1)) (then unreachable))",
    )
    .items("(global $calls (mut i32) (i32.const 0))")
    .load()
    .expect("loads");
    let case = case("x");
    let trials: Vec<_> = (0..40).map(|_| grader.trial(&input(&case))).collect();
    assert!(
        trials
            .iter()
            .all(|trial| trial.outcome == trials[0].outcome && trial.fuel == trials[0].fuel)
    );
    assert_eq!(rationale(&trials[0]), "x");
}

#[test]
fn a_refusal_is_an_outcome() {
    let guest = Guest {
        grade: "(i32.store8 (i32.const 1200) (i32.const 1)) (i32.store8 (i32.const 1204) (i32.const 0))
                (i32.store (i32.const 1208) (i32.const 2048)) (i32.store (i32.const 1212) (i32.const 6))
                (i32.const 1200)"
            .into(),
        ..Guest::default()
    };
    let Outcome::Refused(refusal) = guest.trial().outcome else { panic!("not refused") };
    assert_eq!(refusal.message.raw(), "g1rbrt");
}

#[test]
fn the_clock_is_virtual_and_sleeping_for_a_day_takes_no_time() {
    let imports = format!(
        r#"{EMIT}
        (import "wasi:clocks/monotonic-clock@0.2.6" "now" (func $now (result i64)))
        (import "wasi:clocks/monotonic-clock@0.2.6" "subscribe-duration" (func $wait (param i64) (result i32)))
        (import "wasi:io/poll@0.2.6" "[method]pollable.block" (func $block (param i32)))
        (import "wasi:io/poll@0.2.6" "[method]pollable.ready" (func $ready (param i32) (result i32)))
        (import "wasi:io/poll@0.2.6" "[resource-drop]pollable" (func $drop (param i32)))
        (import "wasi:io/poll@0.2.6" "poll" (func $poll (param i32 i32 i32)))
        (import "wasi:clocks/wall-clock@0.2.6" "now" (func $wall (param i32)))"#
    );
    let day: u64 = 86_400_000_000_000;
    let guest = grades(&format!(
        "(local $p i32)
         (call $say (call $now))
         (local.set $p (call $wait (i64.const {day})))
         (if (call $ready (local.get $p)) (then unreachable))
         (call $block (local.get $p))
         (if (i32.eqz (call $ready (local.get $p))) (then unreachable))
         (call $say (call $now))
         (call $drop (local.get $p))
         (i32.store (i32.const 5000) (call $wait (i64.const {day})))
         (i32.store (i32.const 5004) (call $wait (i64.const 0)))
         (call $poll (i32.const 5000) (i32.const 2) (i32.const 5100))
         (call $say (i64.load32_u (i32.const 5104)))
         (call $wall (i32.const 5200))
         (call $say (i64.load (i32.const 5200)))"
    ))
    .imports(&imports)
    .items(SPREAD);
    let trial = guest.trial();
    assert!(trial.wall.as_secs() < 5);
    let said = said(trial.captured.raw());
    assert_eq!(said[0], crate::guest::CLOCK * 1_000_000_000 + 1_000);
    assert_eq!(said[1], said[0] + day + 1_000);
    assert_eq!(said[2], 1, "only the pollable that is due is ready");
    assert_eq!(said[3], crate::guest::CLOCK + 86_400);
    let again = guest.trial();
    assert_eq!((trial.captured, trial.fuel), (again.captured, again.fuel));
}

#[test]
fn randomness_follows_the_seed() {
    let guest = grades("(call $say (call $random)) (call $say (call $random)) (call $seed (i32.const 5000)) (call $say (i64.load (i32.const 5000)))")
        .imports(EMIT)
        .imports(
            r#"(import "wasi:random/random@0.2.6" "get-random-u64" (func $random (result i64)))
               (import "wasi:random/insecure-seed@0.2.6" "insecure-seed" (func $seed (param i32)))"#,
        )
        .items(SPREAD);
    let grader = guest.load().expect("loads");
    let case = case("");
    let with = |seed| {
        let trial =
            grader.trial(&accredit_engine::TrialInput { case: &case, seed, clock_unix_s: 0 });
        said(trial.captured.raw())
    };
    let one = with([1; 32]);
    assert_eq!(one, with([1; 32]));
    assert_ne!(one, with([2; 32]));
    assert!(one[0] != one[1] && one[1] != one[2]);
}

#[test]
fn output_is_captured_in_order_and_bounded() {
    let imports = r#"
        (import "wasi:cli/stdout@0.2.6" "get-stdout" (func $stdout (result i32)))
        (import "wasi:cli/stderr@0.2.6" "get-stderr" (func $stderr (result i32)))
        (import "wasi:io/streams@0.2.6" "[method]output-stream.blocking-write-and-flush" (func $write (param i32 i32 i32 i32)))
        (import "wasi:io/streams@0.2.6" "[method]output-stream.write-zeroes" (func $zeroes (param i32 i64 i32)))"#;
    let guest = grades(
        "(call $write (call $stdout) (i32.const 2048) (i32.const 2) (i32.const 5000))
         (call $emit (i64.const 0x21) (i64.const 0) (i32.const 1))
         (call $write (call $stderr) (i32.const 2050) (i32.const 4) (i32.const 5000))
         (call $zeroes (call $stderr) (i64.const 1) (i32.const 5000))
         (call $emit (i64.const 0x4847464544434241) (i64.const 0x504f4e4d4c4b4a49) (i32.const 200))",
    )
    .imports(imports)
    .imports(EMIT);
    let trial = guest.trial();
    assert_eq!(trial.captured.raw(), "g1!rbrt\0ABCDEFGHIJKLMNOP");
    assert!(!trial.captured_truncated);
    let trial = guest.trial_with(Limits { captured_bytes: 3, ..Limits::default() });
    assert_eq!(trial.captured.raw(), "g1!");
    assert!(trial.captured_truncated);
    assert_eq!(rationale(&trial), "an answer");
}

#[test]
fn what_was_said_before_a_trap_is_kept() {
    let guest = grades(&format!("{} unreachable", emits("(i64.const 0x216f6e)"))).imports(EMIT);
    let trial = guest.trial();
    assert_eq!(fault(&trial).kind, FaultKind::Trap);
    assert_eq!(trial.captured.raw().trim_end_matches('\0'), "no!");
}

#[test]
fn stdin_environment_and_terminals_are_empty() {
    let guest = grades(
        "(call $args (i32.const 5000)) (call $say (i64.load32_u (i32.const 5004)))
         (call $env (i32.const 5000)) (call $say (i64.load32_u (i32.const 5004)))
         (call $read (call $stdin) (i64.const 10) (i32.const 5000))
         (call $say (i64.load8_u (i32.const 5000))) (call $say (i64.load8_u (i32.const 5004)))
         (call $terminal (i32.const 5000)) (call $say (i64.load8_u (i32.const 5000)))",
    )
    .imports(EMIT)
    .imports(
        r#"(import "wasi:cli/environment@0.2.6" "get-arguments" (func $args (param i32)))
           (import "wasi:cli/environment@0.2.6" "get-environment" (func $env (param i32)))
           (import "wasi:cli/stdin@0.2.6" "get-stdin" (func $stdin (result i32)))
           (import "wasi:cli/terminal-stdout@0.2.6" "get-terminal-stdout" (func $terminal (param i32)))
           (import "wasi:io/streams@0.2.6" "[method]input-stream.blocking-read" (func $read (param i32 i64 i32)))"#,
    )
    .items(SPREAD);
    // No arguments, no environment, err(closed), no terminal.
    assert_eq!(said(guest.trial().captured.raw()), [0, 0, 1, 1, 0]);
}

#[test]
fn sockets_and_files_deny_and_are_counted() {
    let guest = grades(
        "(call $dirs (i32.const 5000)) (call $say (i64.load32_u (i32.const 5004)))
         (call $dirs (i32.const 5000))
         (call $resolve (call $network) (i32.const 2048) (i32.const 2) (i32.const 5000))
         (call $say (i64.load8_u (i32.const 5000))) (call $say (i64.load8_u (i32.const 5004)))",
    )
    .imports(EMIT)
    .imports(
        r#"(import "wasi:filesystem/preopens@0.2.6" "get-directories" (func $dirs (param i32)))
           (import "wasi:filesystem/types@0.2.6" "[method]descriptor.read-via-stream" (func $open (param i32 i64 i32)))
           (import "wasi:sockets/instance-network@0.2.6" "instance-network" (func $network (result i32)))
           (import "wasi:sockets/ip-name-lookup@0.2.6" "resolve-addresses" (func $resolve (param i32 i32 i32 i32)))"#,
    )
    .items(SPREAD);
    let grader = guest.load().expect("loads");
    let inert =
        grader.inspection().imports.iter().filter(|import| import.access == Access::Inert).count();
    assert!(inert >= 4, "{:?}", grader.inspection().imports);
    let case = case("");
    let trial = grader.trial(&input(&case));
    // No directories; err(access-denied), the second case.
    assert_eq!(said(trial.captured.raw()), [0, 1, 1]);
    let counted: Vec<_> = trial.inert.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert_eq!(
        counted,
        [
            ("wasi:filesystem/preopens.get-directories", 2),
            ("wasi:sockets/instance-network.instance-network", 1),
            ("wasi:sockets/ip-name-lookup.resolve-addresses", 1),
        ]
    );
}

#[test]
fn an_inert_call_that_cannot_say_no_traps_by_name() {
    let odd = r#"(import "wasi:sockets/odd@0.2.6" "count" (func $count (result i32)))"#;
    let trial = grades("(drop (call $count))").imports(odd).trial();
    assert_eq!(fault(&trial).kind, FaultKind::Trap);
    assert!(fault(&trial).detail.raw().contains("`wasi:sockets/odd.count`"), "{:?}", trial.outcome);
    assert_eq!(trial.inert.get("wasi:sockets/odd.count"), Some(&1));
}

#[test]
fn every_patch_release_of_wasi_0_2_resolves() {
    for version in ["0.2.0", "0.2.3", "0.2.99"] {
        let mut guest = grades("(drop (call $now)) (call $dirs (i32.const 5000))").imports(&format!(
            r#"(import "wasi:clocks/monotonic-clock@{version}" "now" (func $now (result i64)))
               (import "wasi:filesystem/preopens@{version}" "get-directories" (func $dirs (param i32)))"#
        ));
        guest.wasi = version;
        let trial = guest.trial();
        assert_eq!(rationale(&trial), "an answer", "{version}");
        assert_eq!(trial.inert.len(), 1, "{version}");
    }
}
