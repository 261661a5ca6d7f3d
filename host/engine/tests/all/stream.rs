//! Streams of work: everything once and in order, whatever the jobs; stopped when asked; never far ahead.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use accredit_engine::{Grader, Weight, stream};

use crate::guest::{Guest, case, input, rationale};

/// What a piece came to.
struct Done(Vec<String>);

impl Weight for Done {
    fn bytes(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }
}

fn grader() -> Grader {
    Guest::default().load().expect("loads")
}

/// Numbers from 0, as many as asked for, and never above `count`.
fn numbers(count: usize, next: &mut usize, size: usize) -> Option<Vec<usize>> {
    let piece: Vec<_> = (*next..count.min(*next + size)).collect();
    *next += piece.len();
    (!piece.is_empty()).then_some(piece)
}

fn graded(grader: &Grader, piece: Vec<usize>) -> Done {
    Done(
        piece
            .into_iter()
            .map(|at| {
                let case = case("x");
                format!("{at} {}", rationale(&grader.trial(&input(&case))))
            })
            .collect(),
    )
}

#[test]
fn everything_comes_once_and_in_order() {
    for (count, jobs) in [(0, 2), (1, 2), (500, 1), (500, 2), (500, 99)] {
        let grader = grader();
        let (mut next, mut seen) = (0, Vec::new());
        stream(
            &grader,
            jobs,
            &mut |size| numbers(count, &mut next, size),
            &|piece| graded(&grader, piece),
            &mut |done: Done| {
                seen.extend(done.0);
                ControlFlow::Continue(())
            },
        );
        let expected: Vec<_> = (0..count).map(|at| format!("{at} x")).collect();
        assert_eq!(seen, expected, "{count} with {jobs} jobs");
    }
}

#[test]
fn the_sink_can_end_it_and_little_is_taken_ahead_of_it() {
    for jobs in [1, 2] {
        let grader = grader();
        let taken = AtomicUsize::new(0);
        let (mut next, mut pieces) = (0, 0);
        stream(
            &grader,
            jobs,
            &mut |size| {
                taken.fetch_add(1, Ordering::Relaxed);
                numbers(1_000_000, &mut next, size)
            },
            &|piece| graded(&grader, piece),
            &mut |_: Done| {
                pieces += 1;
                if pieces == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!(pieces, 10);
        assert!(taken.into_inner() <= 10 + jobs * 17, "{jobs} jobs");
    }
}

#[test]
fn a_panic_of_the_caller_does_not_hang() {
    for (jobs, place) in [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)] {
        let grader = grader();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let mut next = 0;
            stream(
                &grader,
                jobs,
                &mut |size| {
                    assert!(place != 0 || next < 5);
                    numbers(1_000, &mut next, size)
                },
                &|piece: Vec<usize>| {
                    assert!(place != 1 || piece[0] < 5);
                    graded(&grader, piece)
                },
                &mut |_: Done| {
                    assert!(place != 2);
                    ControlFlow::Continue(())
                },
            );
        }));
        assert!(panicked.is_err(), "{place} with {jobs} jobs");
    }
}
