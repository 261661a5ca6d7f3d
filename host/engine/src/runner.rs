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
const AHEAD: usize = 1_024;

/// How many bytes of text may wait there before workers stop for the sink.
const WAITING_BYTES: usize = 32 << 20;

/// How many quick trials a worker does before it hands them over: waking the sink costs as much as some.
const MOST_AT_ONCE: usize = 64;

/// How long a worker may hold back what is done.
const HOLD: Duration = Duration::from_millis(2);

/// Native stack of a worker beside what WebAssembly may use: the host's own frames, and the guest's calls
/// into it.
const HOST_STACK: usize = 2 << 20;

/// Gives a grader `count` trials, the inputs made by index, and hands them to `sink` in the order of their
/// indexes, on the calling thread, until it breaks.
///
/// At most `jobs` run at one time, and never more than the engine was set up for. With one job no thread
/// is started. `input` is called on worker threads, in no particular order.
pub fn run<'a>(
    grader: &Grader,
    count: usize,
    input: &(dyn Fn(usize) -> TrialInput<'a> + Sync),
    jobs: usize,
    sink: &mut dyn FnMut(usize, Trial) -> ControlFlow<()>,
) {
    let jobs = jobs.min(grader.jobs()).min(count);
    if jobs <= 1 {
        for index in 0..count {
            if sink(index, grader.trial(&input(index))).is_break() {
                return;
            }
        }
        return;
    }
    let queue = Queue::new(count, jobs * AHEAD);
    thread::scope(|scope| {
        // Whatever ends this scope, a panic of the sink too, lets the workers go.
        let _stop = StopOnDrop(&queue);
        let mut started = 0;
        for _ in 0..jobs {
            let builder = thread::Builder::new().stack_size(grader.stack_bytes() + HOST_STACK);
            started +=
                usize::from(builder.spawn_scoped(scope, || work(grader, input, &queue)).is_ok());
        }
        if started == 0 {
            // No thread to be had: this one does the work.
            (0..count)
                .take_while(|index| sink(*index, grader.trial(&input(*index))).is_continue())
                .for_each(drop);
            return;
        }
        let mut index = 0;
        while index < count {
            let ready = queue.take();
            if ready.is_empty() {
                return;
            }
            for trial in ready {
                if sink(index, trial).is_break() {
                    return;
                }
                index += 1;
            }
        }
    });
}

fn work<'a>(grader: &Grader, input: &(dyn Fn(usize) -> TrialInput<'a> + Sync), queue: &Queue) {
    // If `input` panics, the sink must not wait for its trial.
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

/// A bounded buffer that puts trials back in order.
struct Queue {
    next: AtomicUsize,
    count: usize,
    ahead: usize,
    shared: Mutex<Buffer>,
    /// Something arrived for the sink.
    arrived: Condvar,
    /// The sink went on.
    taken: Condvar,
}

#[derive(Default)]
struct Buffer {
    /// What is done, from `wanted` on.
    done: VecDeque<Option<Trial>>,
    /// The index that the sink waits for, or will next.
    wanted: usize,
    /// Bytes of text in what is done.
    bytes: usize,
    /// Whether the sink waits for `wanted`.
    sink_waits: bool,
    /// How many workers wait for room.
    workers_wait: usize,
    stopped: bool,
}

impl Buffer {
    /// Whether a worker should not begin with this index yet. Never so for the one that the sink waits for.
    fn is_full(&self, start: usize, ahead: usize) -> bool {
        start >= self.wanted + ahead || (self.bytes > WAITING_BYTES && start > self.wanted)
    }
}

impl Queue {
    fn new(count: usize, ahead: usize) -> Self {
        Self {
            next: AtomicUsize::new(0),
            count,
            ahead,
            shared: Mutex::default(),
            arrived: Condvar::new(),
            taken: Condvar::new(),
        }
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
            buffer.workers_wait += 1;
            buffer = self.taken.wait(buffer).unwrap_or_else(PoisonError::into_inner);
            buffer.workers_wait -= 1;
        }
        (!buffer.stopped).then(|| start..self.count.min(start + size))
    }

    fn put(&self, trials: &mut Vec<(usize, Trial)>) {
        let mut buffer = self.lock();
        for (index, trial) in trials.drain(..) {
            let place = index - buffer.wanted;
            if buffer.done.len() <= place {
                buffer.done.resize_with(place + 1, || None);
            }
            buffer.bytes += trial.text_bytes();
            buffer.done[place] = Some(trial);
        }
        if buffer.sink_waits && matches!(buffer.done.front(), Some(Some(_))) {
            self.arrived.notify_one();
        }
    }

    /// The next trials that are done, at least one; empty when a worker gave up.
    fn take(&self) -> Vec<Trial> {
        let mut buffer = self.lock();
        loop {
            let ready = buffer.done.iter().take_while(|trial| trial.is_some()).count();
            if ready > 0 || buffer.stopped {
                let ready: Vec<Trial> = buffer.done.drain(..ready).flatten().collect();
                buffer.wanted += ready.len();
                buffer.bytes -= ready.iter().map(Trial::text_bytes).sum::<usize>();
                if buffer.workers_wait > 0 {
                    self.taken.notify_all();
                }
                return ready;
            }
            buffer.sink_waits = true;
            buffer = self.arrived.wait(buffer).unwrap_or_else(PoisonError::into_inner);
            buffer.sink_waits = false;
        }
    }

    fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.arrived.notify_all();
        self.taken.notify_all();
    }
}

/// Ends the work when it goes out of scope.
struct StopOnDrop<'a>(&'a Queue);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
