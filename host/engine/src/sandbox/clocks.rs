//! `wasi:clocks`: a virtual clock that starts at the trial's pinned time and moves when it is read or slept on.

use wasmtime::Result;
use wasmtime::component::{ComponentType, Lower, Resource};

use super::io::Pollable;
use super::{Ctx, Linker, charge, wasi};

const SECOND: u64 = 1_000_000_000;
/// How far every reading moves the clock, so that waiting in a loop comes to an end: a microsecond.
const STEP: u64 = 1_000;

/// Nanoseconds since 1970-01-01 UTC, for both clocks.
pub(super) struct Clock {
    now: u64,
}

impl Clock {
    pub(super) fn at(unix_s: u64) -> Self {
        Self { now: unix_s.saturating_mul(SECOND) }
    }

    /// The time, without moving it.
    pub(super) fn peek(&self) -> u64 {
        self.now
    }

    fn read(&mut self) -> u64 {
        self.now = self.now.saturating_add(STEP);
        self.now
    }

    /// Sleeps: at once.
    pub(super) fn advance_to(&mut self, then: u64) {
        self.now = self.now.max(then);
    }
}

#[derive(ComponentType, Lower)]
#[component(record)]
struct Datetime {
    seconds: u64,
    nanoseconds: u32,
}

impl Datetime {
    fn of(nanoseconds: u64) -> Self {
        let rest = u32::try_from(nanoseconds % SECOND).unwrap_or(0);
        Self { seconds: nanoseconds / SECOND, nanoseconds: rest }
    }
}

pub(super) fn link(linker: &mut Linker) -> Result<()> {
    let mut wall = linker.instance(&wasi("clocks/wall-clock"))?;
    wall.func_wrap("now", |mut store: Ctx<'_>, (): ()| Ok((Datetime::of(read(&mut store)?),)))?;
    wall.func_wrap("resolution", |mut store: Ctx<'_>, (): ()| {
        charge(&mut store, 0)?;
        Ok((Datetime::of(STEP),))
    })?;
    let mut monotonic = linker.instance(&wasi("clocks/monotonic-clock"))?;
    monotonic.func_wrap("now", |mut store: Ctx<'_>, (): ()| Ok((read(&mut store)?,)))?;
    monotonic.func_wrap("resolution", |mut store: Ctx<'_>, (): ()| {
        charge(&mut store, 0)?;
        Ok((STEP,))
    })?;
    monotonic
        .func_wrap("subscribe-instant", |store: Ctx<'_>, (when,): (u64,)| subscribe(store, when))?;
    monotonic.func_wrap("subscribe-duration", |store: Ctx<'_>, (wait,): (u64,)| {
        let when = store.data().clock.peek().saturating_add(wait);
        subscribe(store, when)
    })
}

fn read(store: &mut Ctx<'_>) -> Result<u64> {
    charge(store, 0)?;
    Ok(store.data_mut().clock.read())
}

fn subscribe(mut store: Ctx<'_>, when: u64) -> Result<(Resource<Pollable>,)> {
    charge(&mut store, 0)?;
    Ok((store.data_mut().pollables.add(when),))
}
