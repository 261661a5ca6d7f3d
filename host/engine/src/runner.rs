//! Many trials: worker threads started once, results handed over strictly in order.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::grader::Grader;
use crate::trial::{Trial, TrialInput};

/// How far workers may be ahead of the sink, for each job: what they finished waits in memory.
const AHEAD: usize = 256;

/// How many bytes of text may wait there before workers stop for the sink.
const WAITING_BYTES: usize = 32 << 20;

/// How many quick trials a worker does before it hands them over.
const MOST_AT_ONCE: usize = 16;

/// How long a worker may hold back what is done.
const HOLD: Duration = Duration::from_millis(2);

/// Native stack of a worker beside what WebAssembly may use: the host's own frames, the guest's calls into
/// it, and the sink.
const HOST_STACK: usize = 2 << 20;

/// What trials are handed to, one at a time, with their indexes.
type Sink<'s> = dyn FnMut(usize, Trial) -> ControlFlow<()> + Send + 's;

/// Gives a grader `count` trials, the inputs made by index, and hands them to `sink` in the order of their
/// indexes until it breaks.
///
/// At most `jobs` run at one time, and never more than the engine was set up for. With one job no thread is
/// started. With more, `input` is called on worker threads in no particular order, and the sink on whichever
/// of them finished the trial that it waited for: a thread of its own would cost as much as it takes over.
pub fn run<'a>(
    grader: &Grader,
    count: usize,
    input: &(dyn Fn(usize) -> TrialInput<'a> + Sync),
    jobs: usize,
    sink: &mut Sink<'_>,
) {
    let jobs = jobs.min(grader.jobs()).min(count);
    let alone = |sink: &mut Sink<'_>| {
        (0..count)
            .take_while(|index| sink(*index, grader.trial(&input(*index))).is_continue())
            .for_each(drop);
    };
    if jobs <= 1 {
        return alone(sink);
    }
    let queue = Queue::new(count, jobs * AHEAD, sink);
    let started = thread::scope(|scope| {
        let start = |_: &usize| {
            let builder = thread::Builder::new().stack_size(grader.stack_bytes() + HOST_STACK);
            builder.spawn_scoped(scope, || work(grader, input, &queue)).is_ok()
        };
        (0..jobs).filter(start).count()
    });
    if started == 0 {
        // No thread to be had: this one does the work.
        alone(queue.into_sink());
    }
}

fn work<'a>(
    grader: &Grader,
    input: &(dyn Fn(usize) -> TrialInput<'a> + Sync),
    queue: &Queue<'_, '_>,
) {
    // If `input` or the sink panics, nobody waits for what will not come.
    let stop = StopOnDrop(queue);
    let mut size = 1;
    while let Some(range) = queue.claim(size) {
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

/// A bounded buffer that puts trials back in order, with the sink at its end.
struct Queue<'q, 's> {
    next: AtomicUsize,
    count: usize,
    ahead: usize,
    shared: Mutex<Buffer>,
    /// The sink went on.
    taken: Condvar,
    /// Held by whoever empties the buffer, and by nobody else at that time.
    sink: Mutex<&'q mut Sink<'s>>,
}

#[derive(Default)]
struct Buffer {
    /// What is done, from `wanted` on.
    done: VecDeque<Option<Trial>>,
    /// The index that the sink gets next.
    wanted: usize,
    /// Bytes of text in what is done.
    bytes: usize,
    /// Whether a worker is handing trials to the sink.
    emptied: bool,
    /// How many workers wait for room.
    waiting: usize,
    stopped: bool,
}

impl Buffer {
    /// Whether a worker should not begin with this index yet. Never so for the one that the sink waits for.
    fn is_full(&self, start: usize, ahead: usize) -> bool {
        start >= self.wanted + ahead || (self.bytes > WAITING_BYTES && start > self.wanted)
    }

    fn add(&mut self, index: usize, trial: Trial) {
        let place = index - self.wanted;
        if self.done.len() <= place {
            self.done.resize_with(place + 1, || None);
        }
        self.bytes += trial.text_bytes();
        self.done[place] = Some(trial);
    }

    /// The next trials that are done, and the index of the first.
    fn take(&mut self) -> (usize, Vec<Trial>) {
        let first = self.wanted;
        let ready = self.done.iter().take_while(|trial| trial.is_some()).count();
        let ready: Vec<Trial> = self.done.drain(..ready).flatten().collect();
        self.wanted += ready.len();
        self.bytes -= ready.iter().map(Trial::text_bytes).sum::<usize>();
        (first, ready)
    }
}

impl<'q, 's> Queue<'q, 's> {
    fn new(count: usize, ahead: usize, sink: &'q mut Sink<'s>) -> Self {
        Self {
            next: AtomicUsize::new(0),
            count,
            ahead,
            shared: Mutex::default(),
            taken: Condvar::new(),
            sink: Mutex::new(sink),
        }
    }

    fn into_sink(self) -> &'q mut Sink<'s> {
        self.sink.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Buffer> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next indexes to work on; waits while the buffer is full.
    fn claim(&self, size: usize) -> Option<Range<usize>> {
        let start = self.next.fetch_add(size, Ordering::Relaxed);
        if start >= self.count {
            return None;
        }
        let mut buffer = self.lock();
        while !buffer.stopped && buffer.is_full(start, self.ahead) {
            buffer.waiting += 1;
            buffer = self.taken.wait(buffer).unwrap_or_else(PoisonError::into_inner);
            buffer.waiting -= 1;
        }
        (!buffer.stopped).then(|| start..self.count.min(start + size))
    }

    /// Takes what a worker has done, and hands on what is next, unless another worker is about it: that one
    /// looks again before it leaves.
    fn put(&self, trials: &mut Vec<(usize, Trial)>) {
        let mut buffer = self.lock();
        trials.drain(..).for_each(|(index, trial)| buffer.add(index, trial));
        if buffer.emptied {
            return;
        }
        buffer.emptied = true;
        while !buffer.stopped {
            let (first, ready) = buffer.take();
            if ready.is_empty() {
                break;
            }
            if buffer.waiting > 0 {
                self.taken.notify_all();
            }
            drop(buffer);
            let went_on = self.hand_over(first, ready);
            buffer = self.lock();
            buffer.stopped |= went_on.is_break();
        }
        buffer.emptied = false;
        if buffer.stopped {
            self.taken.notify_all();
        }
    }

    fn hand_over(&self, first: usize, ready: Vec<Trial>) -> ControlFlow<()> {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        ready.into_iter().enumerate().try_for_each(|(at, trial)| sink(first + at, trial))
    }

    fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.taken.notify_all();
    }
}

/// Ends the work when it goes out of scope.
struct StopOnDrop<'a, 'q, 's>(&'a Queue<'q, 's>);

impl Drop for StopOnDrop<'_, '_, '_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
