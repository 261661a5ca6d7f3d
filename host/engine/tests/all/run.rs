//! Many trials: in order, the same whatever the jobs, and stopped when asked.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use accredit_engine::{Trial, run};

use crate::guest::{Guest, case, grades, input};

/// Outcomes, fuel and output of a run; what machines share.
fn digest(trials: &[Trial]) -> String {
    trials
        .iter()
        .map(|t| {
            format!(
                "{:?} {} {:?} {} {:?}\n",
                t.outcome, t.fuel, t.inert, t.memory_bytes, t.captured
            )
        })
        .collect()
}

fn collect(guest: &Guest, count: usize, jobs: usize) -> Vec<Trial> {
    let grader = guest.load().expect("loads");
    let cases: Vec<_> = (0..count).map(|at| case(&"x".repeat(at % 50))).collect();
    let mut trials = Vec::new();
    run(&grader, count, &|at| input(&cases[at]), jobs, &mut |at, trial| {
        assert_eq!(at, trials.len());
        trials.push(trial);
        ControlFlow::Continue(())
    });
    trials
}

#[test]
fn the_jobs_change_nothing() {
    // Work that depends on the case, and a trap for every tenth.
    let guest = grades(
        "(local $n i32)
         (local.set $n (i32.mul (i32.load offset=20 (local.get $case)) (i32.const 500)))
         (if (i32.eqz (i32.rem_u (i32.load offset=20 (local.get $case)) (i32.const 10))) (then unreachable))
         (loop $work (br_if $work (i32.gt_s (local.tee $n (i32.sub (local.get $n) (i32.const 1))) (i32.const 0))))",
    );
    let one = collect(&guest, 500, 1);
    assert_eq!(one.len(), 500);
    assert_eq!(digest(&one), digest(&collect(&guest, 500, 2)));
    assert_eq!(digest(&one), digest(&collect(&guest, 500, 99)));
}

#[test]
fn nothing_to_do_is_done() {
    assert!(collect(&Guest::default(), 0, 2).is_empty());
    assert_eq!(collect(&Guest::default(), 1, 2).len(), 1);
}

#[test]
fn the_sink_can_end_it() {
    let grader = Guest::default().load().expect("loads");
    let case = case("x");
    for jobs in [1, 2] {
        let (mut seen, asked) = (0, AtomicUsize::new(0));
        run(
            &grader,
            100_000,
            &|_| {
                asked.fetch_add(1, Ordering::Relaxed);
                input(&case)
            },
            jobs,
            &mut |_, _| {
                seen += 1;
                if seen == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!(seen, 10);
        // Ten were taken, and what may be ahead of the sink is bounded: 256 trials and what workers hold.
        assert!(asked.into_inner() <= 10 + 256 + jobs * 16);
    }
}

#[test]
fn a_panic_of_the_caller_does_not_hang() {
    let grader = Guest::default().load().expect("loads");
    let case = case("x");
    for jobs in [1, 2] {
        let sink = catch_unwind(AssertUnwindSafe(|| {
            run(&grader, 1_000, &|_| input(&case), jobs, &mut |at, _| {
                assert!(at < 5);
                ControlFlow::Continue(())
            });
        }));
        assert!(sink.is_err());
        let source = catch_unwind(AssertUnwindSafe(|| {
            let input = |at| {
                assert!(at < 5);
                input(&case)
            };
            run(&grader, 1_000, &input, jobs, &mut |_, _| ControlFlow::Continue(()));
        }));
        assert!(source.is_err());
    }
}

#[test]
fn an_engine_can_go_before_its_graders() {
    let grader = Guest::default().load().expect("loads");
    let copy = grader.clone();
    drop(grader);
    let case = case("x");
    assert_eq!(crate::guest::rationale(&copy.trial(&input(&case))), "x");
}
