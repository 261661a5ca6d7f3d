//! Every way a trial can end badly is a fault of the right kind, with the limit or the trap named.

use std::time::Duration;

use crate::guest::{Guest, fault, grades, rationale};
use accredit_core::findings::{FaultKind, Outcome};
use accredit_engine::Limits;

fn small() -> Limits {
    Limits { fuel: 1_000_000, memory_bytes: 4 << 20, ..Limits::default() }
}

/// What `grade` does, and the fault it must end in.
fn check(guest: &Guest, limits: Limits, kind: FaultKind, detail: &str, machine_dependent: bool) {
    let trial = guest.trial_with(limits);
    let fault = fault(&trial);
    assert_eq!(fault.kind, kind, "{fault:?}");
    assert!(fault.detail.raw().contains(detail), "{fault:?}");
    assert_eq!(fault.machine_dependent, machine_dependent, "{fault:?}");
}

#[test]
fn traps_are_named() {
    for (body, name) in [
        ("unreachable", "wasm `unreachable` instruction executed"),
        ("(drop (i32.div_u (i32.const 1) (i32.const 0)))", "integer divide by zero"),
        ("(drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))", "integer overflow"),
        ("(drop (i32.load (i32.const -4)))", "out of bounds memory access"),
        ("(drop (i32.trunc_f32_s (f32.const nan)))", "invalid conversion to integer"),
    ] {
        check(&grades(body), small(), FaultKind::Trap, name, false);
    }
}

#[test]
fn a_loop_runs_out_of_fuel() {
    let guest = grades("(loop $again (br $again))");
    check(&guest, small(), FaultKind::Deadline, "the budget of 1000000 units", false);
    let trial = guest.trial_with(small());
    assert_eq!(trial.fuel, 1_000_000);
}

#[test]
fn growing_memory_costs_fuel() {
    let grow = grades("(drop (memory.grow (i32.const 10)))").trial();
    let plain = grades("(drop (i32.add (i32.const 10) (i32.const 1)))").trial();
    assert!(grow.fuel >= plain.fuel + 2_000, "{} {}", grow.fuel, plain.fuel);
}

#[test]
fn the_wall_clock_stands_behind_the_fuel() {
    let limits = Limits { fuel: u64::MAX / 2, wall: Duration::from_millis(1), ..Limits::default() };
    check(
        &grades("(loop $again (br $again))"),
        limits,
        FaultKind::Deadline,
        "wall clock's limit of 1ms",
        true,
    );
}

#[test]
fn a_memory_bomb_is_a_memory_fault() {
    let bomb = grades("(loop $again (drop (memory.grow (i32.const 1))) (br $again))");
    check(&bomb, small(), FaultKind::Memory, "more than the limit of 4194304", false);
    let at_once = grades("(drop (memory.grow (i32.const 65535)))");
    check(
        &at_once,
        Limits::default(),
        FaultKind::Memory,
        "bytes of linear memory would grow to",
        false,
    );
    let trial = grades("(drop (memory.grow (i32.const 3)))").trial();
    assert_eq!(trial.memory_bytes, 4 * 65_536);
}

#[test]
fn a_table_cannot_grow_without_end() {
    let guest =
        grades("(loop $again (drop (table.grow (ref.null func) (i32.const 100))) (br $again))")
            .items("(table 10 funcref)");
    check(&guest, small(), FaultKind::Memory, "table elements would grow to", false);
}

#[test]
fn endless_recursion_depends_on_the_machine() {
    let guest = grades("(call $deep)").items("(func $deep (call $deep) (call $deep))");
    check(&guest, Limits::default(), FaultKind::Trap, "call stack exhausted", true);
}

#[test]
fn an_exit_is_no_answer() {
    let exit = r#"(import "wasi:cli/exit@0.2.6" "exit" (func $exit (param i32)))"#;
    let guest = grades("(call $exit (i32.const 1))").imports(exit);
    check(&guest, small(), FaultKind::Trap, "exit with failure before answering", false);
    let guest = grades("(call $exit (i32.const 0))").imports(exit);
    check(&guest, small(), FaultKind::Trap, "exit with success before answering", false);
}

#[test]
fn answers_that_are_no_value_of_the_contract_are_malformed() {
    for (body, detail) in [
        // the rationale's bytes
        ("(i32.store8 (i32.const 2053) (i32.const 0xff)) (i32.const 1200)", "utf-8"),
        // the verdict
        ("(i32.store8 (i32.const 1300) (i32.const 9)) (i32.const 1200)", "discriminant"),
        // ok or error
        ("(i32.store8 (i32.const 1200) (i32.const 2)) (i32.const 1200)", "expected"),
        // the list of findings
        ("(i32.store (i32.const 1204) (i32.const 0x7ffffff0)) (i32.const 1200)", "out of bounds"),
        // the rationale
        ("(i32.store (i32.const 1304) (i32.const -1)) (i32.const 1200)", "out of bounds"),
        // the answer itself
        ("(i32.const 1201)", "aligned"),
        ("(i32.const 0x7ffffff0)", "out of bounds"),
    ] {
        let guest = Guest { grade: body.to_owned(), ..Guest::default() };
        check(&guest, small(), FaultKind::Malformed, detail, false);
    }
}

#[test]
fn an_allocator_that_lies_is_malformed() {
    let module = grades("").module();
    let honest = "(local.get $at))\n            (func";
    assert!(module.contains(honest));
    for (answer, detail) in
        [("(i32.const -16))", "realloc"), ("(i32.const 0x7fffff00))", "realloc")]
    {
        let bytes =
            grades("").wrap(&module.replace(honest, &format!("{answer}\n            (func")));
        let grader =
            crate::guest::engine(small()).load(&bytes).expect("describe needs no allocator");
        let case = crate::guest::case("x");
        let trial = grader.trial(&crate::guest::input(&case));
        assert_eq!(fault(&trial).kind, FaultKind::Malformed, "{trial:?}");
        assert!(fault(&trial).detail.raw().contains(detail), "{trial:?}");
    }
}

#[test]
fn too_much_to_say_is_too_large() {
    let many = |count: u32| {
        Guest {
        grade: format!(
            "(drop (memory.grow (i32.const 200)))
             (i32.store (i32.const 1204) (i32.const 65536)) (i32.store (i32.const 1208) (i32.const {count}))
             (i32.const 1200)"
        ),
        ..Guest::default()
    }
    };
    let limits = Limits { memory_bytes: 64 << 20, ..small() };
    check(
        &many(100_000),
        limits.clone(),
        FaultKind::OutputTooLarge,
        "more than 4194304 bytes, and the size of the case, passed",
        false,
    );
    let limits = Limits { findings: 2, ..limits };
    check(
        &many(3),
        limits.clone(),
        FaultKind::OutputTooLarge,
        "3 findings, more than the limit of 2",
        false,
    );
    assert!(
        matches!(many(2).trial_with(limits).outcome, Outcome::Graded(findings) if findings.len() == 2)
    );
    let limits = Limits { finding_bytes: 9, ..small() };
    check(&grades(""), limits, FaultKind::OutputTooLarge, "holds 10 bytes of text", false);
}

#[test]
fn a_large_case_can_be_quoted_back() {
    let big = "x".repeat(3 << 20);
    let limits = Limits { hostcall_bytes: 1 << 20, finding_bytes: 8 << 20, ..Limits::default() };
    let grader = grades("").load_with(limits).expect("loads");
    let case = crate::guest::case(&big);
    assert_eq!(rationale(&grader.trial(&crate::guest::input(&case))), big);
}

#[test]
fn misuse_of_the_sandbox_is_a_trap() {
    let poll = r#"(import "wasi:io/poll@0.2.6" "poll" (func $poll (param i32 i32 i32)))
                  (import "wasi:io/poll@0.2.6" "[method]pollable.block" (func $block (param i32)))"#;
    let guest = grades("(call $poll (i32.const 0) (i32.const 0) (i32.const 3000))").imports(poll);
    check(&guest, small(), FaultKind::Trap, "empty list", false);
    let guest = grades("(call $block (i32.const 77))").imports(poll);
    check(&guest, small(), FaultKind::Trap, "handle", false);
}

#[test]
fn calls_into_the_host_cost_fuel() {
    let emit =
        r#"(import "accredit:grader/diagnostics@0.1.0" "emit" (func $emit (param i64 i64 i32)))"#;
    let guest =
        grades("(loop $again (call $emit (i64.const 0) (i64.const 0) (i32.const 16)) (br $again))")
            .imports(emit);
    let trial = guest.trial_with(small());
    assert_eq!(fault(&trial).kind, FaultKind::Deadline);
    assert!(trial.captured_truncated);
    assert_eq!(trial.captured.raw().len(), 64 << 10);

    let random =
        r#"(import "wasi:random/random@0.2.6" "get-random-bytes" (func $bytes (param i64 i32)))"#;
    let guest = grades("(call $bytes (i64.const 0x7fffffffffff) (i32.const 3000))").imports(random);
    check(&guest, small(), FaultKind::OutputTooLarge, "asked of the host in one call", false);
}
