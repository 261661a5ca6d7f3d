//! Many trials: worker threads started once, results handed over strictly in order.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::grader::Grader;
use crate::queue::{Queue, Sink, StopOnDrop, Weight};
use crate::trial::{Trial, TrialInput};

/// How far workers may be ahead of the sink, for each job: what they finished waits in memory.
const AHEAD: usize = 256;

/// How many quick trials a worker does before it hands them over.
const MOST_AT_ONCE: usize = 16;

/// How long a worker may hold back what is done.
const HOLD: Duration = Duration::from_millis(2);

/// Native stack of a worker beside what WebAssembly may use: the host's own frames, the guest's calls into
/// it, and the sink.
const HOST_STACK: usize = 2 << 20;

impl Weight for Trial {
    fn bytes(&self) -> usize {
        self.text_bytes()
    }
}

/// Gives a grader `count` trials, the inputs made by index, and hands them to `sink` in the order of their
/// indexes until it breaks.
///
/// At most `jobs` run at one time, and never more than the engine was set up for. With one job no thread is
/// started. With more, `input` is called on worker threads in no particular order, and the sink on whichever
/// of them finished the trial that it waited for.
pub fn run<'a>(
    grader: &Grader,
    count: usize,
    input: &(dyn Fn(usize) -> TrialInput<'a> + Sync),
    jobs: usize,
    sink: &mut Sink<'_, Trial>,
) {
    let jobs = jobs.min(grader.jobs()).min(count);
    let alone = |sink: &mut Sink<'_, Trial>| {
        (0..count)
            .take_while(|index| sink(*index, grader.trial(&input(*index))).is_continue())
            .for_each(drop);
    };
    if jobs <= 1 {
        return alone(sink);
    }
    let queue = Queue::new(jobs * AHEAD, sink);
    let next = AtomicUsize::new(0);
    let claim = |size: usize| {
        let start = next.fetch_add(size, Ordering::Relaxed);
        let is_claimed = start < count && queue.has_room(start);
        is_claimed.then(|| start..count.min(start + size))
    };
    if threads(grader, jobs, &|| work(grader, input, &queue, &claim)) == 0 {
        // No thread to be had: this one does the work.
        alone(queue.into_sink());
    }
}

/// Runs this on so many threads that can give trials, to its end, and says how many there were to be had.
pub(crate) fn threads(grader: &Grader, jobs: usize, work: &(dyn Fn() + Sync)) -> usize {
    thread::scope(|scope| {
        let start = |_: &usize| {
            let builder = thread::Builder::new().stack_size(grader.stack_bytes() + HOST_STACK);
            builder.spawn_scoped(scope, work).is_ok()
        };
        (0..jobs).filter(start).count()
    })
}

fn work<'a>(
    grader: &Grader,
    input: &(dyn Fn(usize) -> TrialInput<'a> + Sync),
    queue: &Queue<'_, '_, Trial>,
    claim: &dyn Fn(usize) -> Option<Range<usize>>,
) {
    // If `input` or the sink panics, nobody waits for what will not come.
    let stop = StopOnDrop(queue);
    let mut size = 1;
    while let Some(range) = claim(size) {
        let (mut done, mut held) = (Vec::with_capacity(range.len()), Duration::ZERO);
        size = MOST_AT_ONCE;
        for index in range {
            let trial = grader.trial(&input(index));
            held += trial.wall;
            done.push((index, trial));
            if held > HOLD {
                // Slow trials are handed over, and claimed, one by one.
                size = 1;
                held = Duration::ZERO;
                queue.put(&mut done);
                if queue.is_stopped() {
                    break;
                }
            }
        }
        queue.put(&mut done);
    }
    std::mem::forget(stop);
}
