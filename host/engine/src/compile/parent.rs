//! The parent's side: starts a child, waits for its answer no longer than it may, and sees to its end.

use std::ffi::OsString;
use std::io::{self, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{self, Builder, Scope, ScopedJoinHandle};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::ending;
use super::wire::{self, Job, Reply, Task};
use crate::error::LoadError;
use crate::limits::Limits;

/// Bytes kept of what a child writes to its standard error.
const SAID: u64 = 16 << 10;

/// Gives a component to a child of its own, and returns the child's answer.
pub(super) fn ask(
    program: &Path,
    args: &[OsString],
    task: Task,
    bytes: &[u8],
    limits: &Limits,
) -> Result<Reply, LoadError> {
    let job = Job {
        task,
        parent: std::process::id(),
        length: bytes.len() as u64,
        limits: limits.clone(),
    };
    let child = Command::new(program)
        .args(args)
        .args(job.args())
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own: what is typed at a terminal does not reach it, and nothing it starts is left.
        .process_group(0)
        .spawn()
        .map_err(|error| not_started(program, &error))?;
    thread::scope(|scope| {
        // Ends the child before the scope waits for the threads at its pipes, whatever happens in between.
        let mut running = Running(Some(child));
        converse(scope, &mut running, bytes, limits)
            .unwrap_or_else(|error| Err(not_started(program, &error)))
    })
}

fn not_started(program: &Path, error: &io::Error) -> LoadError {
    LoadError::CompilerNotStarted { program: program.to_owned(), why: error.to_string() }
}

/// One thread a pipe, so that none waits for another; this one keeps the time.
fn converse<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    running: &mut Running,
    bytes: &'env [u8],
    limits: &'env Limits,
) -> io::Result<Result<Reply, LoadError>> {
    let Some(child) = running.0.as_mut() else { return Err(io::ErrorKind::NotFound.into()) };
    let id = Pid::from_child(child);
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (Some(mut stdin), Some(mut stdout), Some(stderr)) = pipes else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let (sender, answer) = channel();
    let stderr = start(scope, move || said(stderr))?;
    start(scope, move || {
        let heard = wire::read(&mut stdout, limits);
        if matches!(&heard, Err(error) if error.kind() == io::ErrorKind::UnexpectedEof) {
            // Its end says why. It stays to be waited for.
            let _ = waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        }
        let _ = sender.send(heard);
    })?;
    // A child that has ended reads no more, and its answer, or its end, is heard elsewhere.
    start(scope, move || drop(stdin.write_all(bytes)))?;
    let heard = answer.recv_timeout(limits.compile_wall);
    let status = running.end()?;
    let said = stderr.join().unwrap_or_default();
    Ok(match heard {
        Err(RecvTimeoutError::Timeout) => {
            Err(LoadError::CompileTime { limit: limits.compile_wall })
        }
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
            Err(LoadError::Compiler { what: "answered with something that is no artefact".into() })
        }
        _ => Err(ending::of(status, &said, limits)),
    })
}

fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().name("accredit-compile".to_owned()).spawn_scoped(scope, work)
}

/// The first of what comes; the rest is read and dropped, so that the child never waits.
fn said(mut stderr: impl Read) -> String {
    let mut text = Vec::new();
    let _ = stderr.by_ref().take(SAID).read_to_end(&mut text);
    let _ = io::copy(&mut stderr, &mut io::sink());
    String::from_utf8_lossy(&text).into_owned()
}

/// A child that is ended, and waited for, when this goes out of scope.
struct Running(Option<Child>);

impl Running {
    /// Ends it, if it has not ended by itself.
    fn end(&mut self) -> io::Result<ExitStatus> {
        let Some(mut child) = self.0.take() else { return Err(io::ErrorKind::NotFound.into()) };
        // Not waited for yet, so its id and its group's are still its own.
        let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
        child.wait()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.end();
    }
}
