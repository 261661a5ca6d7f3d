//! The child's side: bounds itself, reads a component, compiles it, answers, ends.

use std::ffi::OsString;
use std::io::{self, Read, Write};

use super::compile_here;
use super::wire::{self, Job, Reply, Task};
use crate::engine::compiling_engine;
use crate::error::LoadError;
use crate::inspect::inspect;
use crate::limits::Limits;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, getrlimit, set_parent_process_death_signal, setrlimit,
};

/// Why a child did not even answer.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// The arguments are not those that a parent gives.
    #[error(
        "this is the compiler's side of a load, which accredit starts itself: there is nothing to run by hand"
    )]
    Arguments,
    /// The parent has ended meanwhile.
    #[error("the process that asked for this has ended")]
    Orphan,
    /// It could not be bounded, and so does nothing.
    #[error("{limit} could not be set: {error}")]
    Unbounded {
        /// Which bound.
        limit: &'static str,
        /// Why not.
        error: io::Error,
    },
    /// The component did not arrive, or the answer did not.
    #[error("the pipe to the parent broke: {0}")]
    Pipe(#[from] io::Error),
}

/// The whole life of a compiling child: for the `main` of the program that [`super::Compiler::Child`] names,
/// before it starts any thread. `args` are what follows the arguments named there.
///
/// It bounds the process it runs in, for good: address space, processor time, no core file, no file to open
/// or to write. It ends when its parent does.
///
/// # Errors
/// When it was not started by a parent, could not bound itself, or the parent is gone.
pub fn compile_child(
    args: impl IntoIterator<Item = OsString>,
    mut input: impl Read,
    mut output: impl Write,
) -> Result<(), ChildError> {
    let job = Job::of_args(args).ok_or(ChildError::Arguments)?;
    live_no_longer_than(job.parent)?;
    bound(&job.limits)?;
    let mut bytes = Vec::new();
    input.by_ref().take(job.length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != job.length {
        return Err(ChildError::Orphan);
    }
    wire::write(answer(&job, &bytes), &mut output)?;
    Ok(())
}

/// Asks the kernel to end this process with the thread that started it, and makes sure that it is not too
/// late to ask.
fn live_no_longer_than(parent: u32) -> Result<(), ChildError> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| ChildError::Unbounded {
        limit: "the parent's death",
        error: error.into(),
    })?;
    let now = getppid().map(Pid::as_raw_nonzero);
    match now {
        Some(now) if u32::try_from(now.get()) == Ok(parent) => Ok(()),
        _ => Err(ChildError::Orphan),
    }
}

fn bound(limits: &Limits) -> Result<(), ChildError> {
    // The parent's wall clock comes first, unless the parent is stopped: one thread's time on a processor
    // is never longer than that. The first limit ends it by a signal that says so.
    let seconds = limits.compile_wall.as_secs().saturating_add(1);
    let memory = limits.compile_memory_bytes;
    let bounds = [
        ("the limit on address space", Resource::As, memory, memory),
        ("the limit on processor time", Resource::Cpu, seconds, seconds.saturating_add(1)),
        ("the limit on core files", Resource::Core, 0, 0),
        ("the limit on file sizes", Resource::Fsize, 0, 0),
        // Standard input, output and error are open; nothing else will be.
        ("the limit on open files", Resource::Nofile, 3, 3),
    ];
    for (limit, resource, current, maximum) in bounds {
        // A tighter bound from outside stays.
        let outer = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        let (current, maximum) = (Some(current.min(outer)), Some(maximum.min(outer)));
        setrlimit(resource, Rlimit { current, maximum })
            .map_err(|error| ChildError::Unbounded { limit, error: error.into() })?;
    }
    Ok(())
}

fn answer(job: &Job, bytes: &[u8]) -> Result<Reply, LoadError> {
    match job.task {
        Task::Inspect => inspect(bytes, &job.limits).map(|_| Reply::Done(Vec::new())),
        Task::Compile => {
            let engine = compiling_engine(&job.limits)?;
            compile_here(&engine, &job.limits, bytes).map(|(_, code)| Reply::Done(code))
        }
    }
}
