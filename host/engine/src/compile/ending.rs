//! Why a child ended without an answer.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use rustix::process::Signal;

use crate::error::LoadError;
use crate::limits::Limits;
use crate::shown::shown;

/// What a child's end, and what it wrote to its standard error, come to.
pub(super) fn of(status: ExitStatus, stderr: &str, limits: &Limits) -> LoadError {
    let memory = LoadError::CompileMemory { limit: limits.compile_memory_bytes };
    let is = |signal: Signal| status.signal() == Some(signal.as_raw());
    if is(Signal::XCPU) {
        return LoadError::CompileTime { limit: limits.compile_wall };
    }
    // Rust's allocator says this and aborts.
    if is(Signal::ABORT) && stderr.contains("memory allocation of") {
        return memory;
    }
    // A stack that cannot grow for want of address space. Rust code has no other way to get here, and a
    // stack that is too deep says so.
    if is(Signal::SEGV) {
        return memory;
    }
    let cause = match stderr.trim() {
        "" => "it wrote nothing".to_owned(),
        said => format!("it wrote: {}", shown(said)),
    };
    let hint = if is(Signal::KILL) { " (the system may be out of memory)" } else { "" };
    LoadError::Compiler { what: format!("ended early, by {status}{hint}; {cause}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOCATION: &str = "memory allocation of 512 bytes failed\n";
    const STACK: &str = "thread 'main' has overflowed its stack\n";

    #[test]
    fn ends_are_told_apart() {
        let signal = |signal: Signal| signal.as_raw();
        let table = [
            (signal(Signal::XCPU), "", "more than 10 s"),
            (signal(Signal::ABORT), ALLOCATION, "more than 512 MiB of memory"),
            (signal(Signal::SEGV), "", "more than 512 MiB of memory"),
            (signal(Signal::ABORT), STACK, "by signal: 6 (SIGABRT); it wrote: thread 'main'"),
            (signal(Signal::KILL), "", "system may be out of memory"),
            (2 << 8, "error: \u{1b}what", "exit status: 2; it wrote: error: \\u{1b}what"),
            (0, "", "exit status: 0; it wrote nothing"),
        ];
        for (raw, stderr, expected) in table {
            let text = of(ExitStatus::from_raw(raw), stderr, &Limits::default()).to_string();
            assert!(text.contains(expected), "{text}");
        }
    }
}
