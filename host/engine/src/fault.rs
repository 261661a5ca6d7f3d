//! Every way a trial can fail, named: from what wasmtime reports to a core [`Fault`].

use accredit_core::findings::{Fault, FaultKind};
use accredit_core::untrusted::Untrusted;
use wasmtime::{Error, OutOfMemory, PoolConcurrencyLimitError, Trap, WasmBacktrace};

use crate::limits::Limits;
use crate::sandbox::Stop;

/// How far a trial had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Instantiating, start functions included.
    Start,
    /// Calling `grade` or `describe`.
    Call,
}

/// An answer over a size limit.
pub(crate) fn too_large(detail: String) -> Fault {
    fault(FaultKind::OutputTooLarge, detail)
}

fn fault(kind: FaultKind, detail: impl Into<String>) -> Fault {
    Fault { kind, detail: Untrusted::new(detail), machine_dependent: false }
}

fn machine_fault(kind: FaultKind, detail: impl Into<String>) -> Fault {
    Fault { machine_dependent: true, ..fault(kind, detail) }
}

/// What an error of wasmtime, or a stop of our own, comes to.
pub(crate) fn of_error(error: &Error, phase: Phase, limits: &Limits) -> Fault {
    if let Some(stop) = error.downcast_ref::<Stop>() {
        return of_stop(stop);
    }
    if let Some(trap) = error.downcast_ref::<Trap>() {
        return of_trap(*trap, limits);
    }
    let text = error.root_cause().to_string();
    if error.is::<OutOfMemory>() || error.is::<PoolConcurrencyLimitError>() {
        return machine_fault(
            FaultKind::Memory,
            format!("the host had no room for the trial: {text}"),
        );
    }
    // wasmtime's type for this is private; a test pins the text.
    if text.contains("fuel allocated for hostcalls has been exhausted") {
        return too_large(format!(
            "more than {} bytes, and the size of the case, passed to the host in one call",
            limits.hostcall_bytes
        ));
    }
    // As is this one's.
    if text.contains("store handle limit exceeded") {
        let limit = limits.handles;
        return fault(FaultKind::Memory, format!("more than {limit} handles held at one time"));
    }
    match phase {
        // The error came while the guest ran, its start functions too: it misused a handle or an import.
        _ if error.is::<WasmBacktrace>() => fault(FaultKind::Trap, text),
        // Whatever else depends on the component was seen when it was loaded.
        Phase::Start => {
            machine_fault(FaultKind::Memory, format!("the trial could not be started: {text}"))
        }
        // The guest had returned, or its allocator had: what it gave is no value of the contract.
        Phase::Call => fault(FaultKind::Malformed, text),
    }
}

fn of_stop(stop: &Stop) -> Fault {
    let text = stop.to_string();
    match stop {
        Stop::Exit(_) | Stop::Misuse(_) => fault(FaultKind::Trap, text),
        Stop::Memory(_) => fault(FaultKind::Memory, text),
        Stop::HostMemory(_) => machine_fault(FaultKind::Memory, text),
        Stop::TooMuch(_) => fault(FaultKind::OutputTooLarge, text),
    }
}

fn of_trap(trap: Trap, limits: &Limits) -> Fault {
    let name = trap.to_string();
    let name = name.strip_prefix("wasm trap: ").unwrap_or(&name);
    match trap {
        Trap::OutOfFuel => fault(
            FaultKind::Deadline,
            format!("out of fuel: the budget of {} units was used up", limits.fuel),
        ),
        Trap::Interrupt => {
            let wall = limits.wall;
            machine_fault(
                FaultKind::Deadline,
                format!("the wall clock's limit of {wall:?} passed before the fuel ran out"),
            )
        }
        Trap::StackOverflow => machine_fault(FaultKind::Trap, name),
        Trap::InvalidChar
        | Trap::StringOutOfBounds
        | Trap::ListOutOfBounds
        | Trap::InvalidDiscriminant
        | Trap::UnalignedPointer => fault(FaultKind::Malformed, name),
        _ => fault(FaultKind::Trap, name),
    }
}
