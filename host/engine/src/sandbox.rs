//! All that a guest can call, and all that it can use. Nothing here blocks or reaches the system.

mod captured;
mod cli;
mod clocks;
mod diagnostics;
mod inert;
mod io;
mod meter;
mod random;

use wasmtime::{Engine, Result, StoreContextMut, Trap};

use captured::Captured;
pub(crate) use inert::{calls as inert_calls, link as link_inert};
use io::Pollables;
use meter::Meter;
use random::Random;

use crate::limits::Limits;

/// What guests link against.
pub(crate) type Linker = wasmtime::component::Linker<State>;
/// A host function's view of the store.
type Ctx<'a> = StoreContextMut<'a, State>;

/// The version under which WASI is linked. The linker lets every other 0.2.x resolve to it.
const WASI: &str = "0.2.6";

/// Fuel for any call of a host function, before what it is charged for each byte.
const CALL: u64 = 100;

/// What a trial has and has done.
pub(crate) struct State {
    pub(crate) meter: Meter,
    pub(crate) captured: Captured,
    clock: clocks::Clock,
    random: Random,
    pollables: Pollables,
    inert: Vec<u64>,
    hostcall_bytes: u64,
}

impl State {
    pub(crate) fn new(limits: &Limits, seed: [u8; 32], clock_unix_s: u64) -> Self {
        Self {
            meter: Meter::new(limits),
            captured: Captured::new(limits.captured_bytes),
            clock: clocks::Clock::at(clock_unix_s),
            random: Random::new(seed),
            pollables: Pollables::default(),
            inert: Vec::new(),
            hostcall_bytes: limits.hostcall_bytes as u64,
        }
    }
}

/// Why the sandbox itself ended a trial.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Stop {
    /// The guest ended itself.
    #[error("exit with {0} before answering")]
    Exit(String),
    /// A limit on memory, tables or instances.
    #[error("{0}")]
    Memory(String),
    /// The host itself had no memory to give. Another machine might have.
    #[error("the host had no memory to give: {0}")]
    HostMemory(String),
    /// A limit on what passes to the host or is asked of it.
    #[error("{0}")]
    TooMuch(String),
    /// A call that no honest guest makes.
    #[error("{0}")]
    Misuse(String),
}

/// Everything that is the same for all graders.
pub(crate) fn base_linker(engine: &Engine) -> Result<Linker> {
    let mut linker = Linker::new(engine);
    diagnostics::link(&mut linker)?;
    io::link(&mut linker)?;
    cli::link(&mut linker)?;
    clocks::link(&mut linker)?;
    random::link(&mut linker)?;
    Ok(linker)
}

/// The linked name of an interface of WASI.
fn wasi(interface: &str) -> String {
    format!("wasi:{interface}@{WASI}")
}

/// Charges a host call and the bytes it moves, so that calls into the host cannot cost time and no fuel.
fn charge(store: &mut Ctx<'_>, bytes: u64) -> Result<()> {
    let cost = CALL.saturating_add(bytes);
    match store.get_fuel()?.checked_sub(cost) {
        Some(left) => store.set_fuel(left),
        None => {
            store.set_fuel(0)?;
            Err(Trap::OutOfFuel.into())
        }
    }
}

/// Charges for bytes that are asked of the host, and refuses more than may pass in one call.
fn charge_asked(store: &mut Ctx<'_>, bytes: u64) -> Result<usize> {
    let limit = store.data().hostcall_bytes;
    if bytes > limit {
        return Err(Stop::TooMuch(format!(
            "{bytes} bytes asked of the host in one call, more than the limit of {limit}"
        ))
        .into());
    }
    charge(store, bytes)?;
    Ok(usize::try_from(bytes)?)
}
