//! A bounded buffer that puts what many workers finish back in order, with a sink at its end.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many bytes may wait in the buffer before workers stop for the sink.
const WAITING_BYTES: usize = 32 << 20;

/// What can wait in memory for its turn.
pub trait Weight {
    /// The bytes that it holds there.
    fn bytes(&self) -> usize;
}

/// What finished work is handed to, one at a time, with its index.
pub(crate) type Sink<'s, T> = dyn FnMut(usize, T) -> ControlFlow<()> + Send + 's;

/// The buffer. Whoever puts in what the sink waits for empties it: a thread of its own would cost as much as it
/// takes over.
pub(crate) struct Queue<'q, 's, T> {
    ahead: usize,
    shared: Mutex<Buffer<T>>,
    /// The sink went on.
    taken: Condvar,
    /// Held by whoever empties the buffer, and by nobody else at that time.
    sink: Mutex<&'q mut Sink<'s, T>>,
}

struct Buffer<T> {
    /// What is done, from `wanted` on.
    done: VecDeque<Option<T>>,
    /// The index that the sink gets next.
    wanted: usize,
    /// Bytes in what is done.
    bytes: usize,
    /// Whether a worker is handing over to the sink.
    emptied: bool,
    /// How many workers wait for room.
    waiting: usize,
    stopped: bool,
}

impl<T: Weight> Buffer<T> {
    /// Whether a worker should not begin with this index yet. Never so for the one that the sink waits for.
    fn is_full(&self, start: usize, ahead: usize) -> bool {
        start >= self.wanted + ahead || (self.bytes > WAITING_BYTES && start > self.wanted)
    }

    fn add(&mut self, index: usize, done: T) {
        let place = index - self.wanted;
        if self.done.len() <= place {
            self.done.resize_with(place + 1, || None);
        }
        self.bytes += done.bytes();
        self.done[place] = Some(done);
    }

    /// What is done next, and the index of the first of it.
    fn take(&mut self) -> (usize, Vec<T>) {
        let first = self.wanted;
        let ready = self.done.iter().take_while(|done| done.is_some()).count();
        let ready: Vec<T> = self.done.drain(..ready).flatten().collect();
        self.wanted += ready.len();
        self.bytes -= ready.iter().map(Weight::bytes).sum::<usize>();
        (first, ready)
    }
}

impl<'q, 's, T: Weight> Queue<'q, 's, T> {
    /// A queue in which so many may wait.
    pub(crate) fn new(ahead: usize, sink: &'q mut Sink<'s, T>) -> Self {
        let buffer = Buffer {
            done: VecDeque::new(),
            wanted: 0,
            bytes: 0,
            emptied: false,
            waiting: 0,
            stopped: false,
        };
        Self { ahead, shared: Mutex::new(buffer), taken: Condvar::new(), sink: Mutex::new(sink) }
    }

    pub(crate) fn into_sink(self) -> &'q mut Sink<'s, T> {
        self.sink.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, Buffer<T>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until work on this index may begin; false when none should any more.
    pub(crate) fn has_room(&self, start: usize) -> bool {
        let mut buffer = self.lock();
        while !buffer.stopped && buffer.is_full(start, self.ahead) {
            buffer.waiting += 1;
            buffer = self.taken.wait(buffer).unwrap_or_else(PoisonError::into_inner);
            buffer.waiting -= 1;
        }
        !buffer.stopped
    }

    /// Takes what a worker has done, and hands on what is next, unless another worker is about it: that one
    /// looks again before it leaves.
    pub(crate) fn put(&self, finished: &mut Vec<(usize, T)>) {
        let mut buffer = self.lock();
        finished.drain(..).for_each(|(index, done)| buffer.add(index, done));
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

    fn hand_over(&self, first: usize, ready: Vec<T>) -> ControlFlow<()> {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        ready.into_iter().enumerate().try_for_each(|(at, done)| sink(first + at, done))
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.taken.notify_all();
    }
}

/// Ends the work when it goes out of scope: after a panic nobody waits for what will not come.
pub(crate) struct StopOnDrop<'a, 'q, 's, T: Weight>(pub(crate) &'a Queue<'q, 's, T>);

impl<T: Weight> Drop for StopOnDrop<'_, '_, '_, T> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
