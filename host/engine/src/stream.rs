//! Trials without an end that is known: pieces of work are taken one after the other, done by many workers, and
//! handed over in the order in which they were taken.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::grader::Grader;
use crate::queue::{Queue, Sink, StopOnDrop, Weight};
use crate::runner::threads;

/// How many pieces workers may be ahead of the sink, for each job.
const AHEAD: usize = 16;

/// How many cases a piece of quick work has at most.
const MOST_AT_ONCE: usize = 64;

/// How long a piece should take at most: so long what is done waits, and the end of the work for the last piece.
const HOLD: Duration = Duration::from_millis(4);

/// Where pieces come from: each call gives the next one, of so many cases at most; the first `None` is the end.
pub type Source<'s, P> = dyn FnMut(usize) -> Option<P> + Send + 's;

/// Takes pieces from `source` until there are none, does `work` on each, and hands what it comes to over to `sink`
/// in the order of the pieces, until it breaks.
///
/// At most `jobs` pieces are worked on at one time, and never more than the engine was set up for; what is taken and
/// not handed over is bounded. With one job no thread is started. With more, all three are called on worker
/// threads, `source` and `sink` by one of them at a time. `work` may give this grader trials.
pub fn stream<P: Send, D: Weight + Send>(
    grader: &Grader,
    jobs: usize,
    source: &mut Source<'_, P>,
    work: &(dyn Fn(P) -> D + Sync),
    sink: &mut (dyn FnMut(D) -> ControlFlow<()> + Send),
) {
    let jobs = jobs.min(grader.jobs());
    let sink: &mut Sink<'_, D> = &mut |_, done| sink(done);
    let source = Mutex::new(Taking { next: 0, ended: false, source });
    if jobs > 1 {
        let queue = Queue::new(jobs * AHEAD, sink);
        if threads(grader, jobs, &|| worker(&source, work, &queue)) == 0 {
            alone(&source, work, queue.into_sink());
        }
    } else {
        alone(&source, work, sink);
    }
}

/// The source, and how much was taken from it.
struct Taking<'a, 's, P> {
    next: usize,
    ended: bool,
    source: &'a mut Source<'s, P>,
}

/// The next piece and its index, if there is one, and room for what it comes to.
fn take<P>(
    source: &Mutex<Taking<'_, '_, P>>,
    size: usize,
    has_room: impl FnOnce(usize) -> bool,
) -> Option<(usize, P)> {
    let mut taking = source.lock().unwrap_or_else(PoisonError::into_inner);
    if taking.ended || !has_room(taking.next) {
        return None;
    }
    let piece = (taking.source)(size);
    taking.ended = piece.is_none();
    let index = taking.next;
    taking.next += 1;
    Some((index, piece?))
}

fn alone<P, D>(source: &Mutex<Taking<'_, '_, P>>, work: &dyn Fn(P) -> D, sink: &mut Sink<'_, D>) {
    let mut size = 1;
    while let Some((index, piece)) = take(source, size, |_| true) {
        let began = Instant::now();
        let done = work(piece);
        size = next_size(size, began.elapsed());
        if sink(index, done).is_break() {
            break;
        }
    }
}

fn worker<P, D: Weight>(
    source: &Mutex<Taking<'_, '_, P>>,
    work: &(dyn Fn(P) -> D + Sync),
    queue: &Queue<'_, '_, D>,
) {
    // If one of the three panics, nobody waits for what will not come.
    let stop = StopOnDrop(queue);
    let mut size = 1;
    while let Some((index, piece)) = take(source, size, |next| queue.has_room(next)) {
        let began = Instant::now();
        let done = work(piece);
        size = next_size(size, began.elapsed());
        queue.put(&mut vec![(index, done)]);
    }
    std::mem::forget(stop);
}

/// How many cases the next piece should have, after one that took so long.
fn next_size(size: usize, took: Duration) -> usize {
    if took > HOLD * 8 {
        1
    } else if took > HOLD {
        (size / 2).max(1)
    } else {
        (size * 2).min(MOST_AT_ONCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_work_is_taken_case_by_case() {
        let mut size = 1;
        for _ in 0..10 {
            size = next_size(size, Duration::from_micros(10));
        }
        assert_eq!(size, MOST_AT_ONCE);
        assert_eq!(next_size(size, HOLD * 2), MOST_AT_ONCE / 2);
        assert_eq!(next_size(size, Duration::from_secs(1)), 1);
        assert_eq!(next_size(1, HOLD * 2), 1);
    }
}
