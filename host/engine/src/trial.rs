//! One trial: a fresh store and instance, one call, and whatever came of it as data.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use accredit_core::case::Case;
use accredit_core::findings::{Fault, Finding, Outcome};
use accredit_core::untrusted::Untrusted;
use wasmtime::component::{Instance, InstancePre};
use wasmtime::{Engine, Store};

use crate::engine::ticks;
use crate::fault::{self, Phase};
use crate::limits::Limits;
use crate::sandbox::State;

/// What a trial is given.
#[derive(Debug, Clone, Copy)]
pub struct TrialInput<'a> {
    /// The case, already blinded.
    pub case: &'a Case,
    /// The seed of everything random that the guest sees.
    pub seed: [u8; 32],
    /// What the guest's clock says when it starts: seconds since 1970-01-01 UTC.
    pub clock_unix_s: u64,
}

/// What came of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// What the grader answered, or how it failed to.
    pub outcome: Outcome,
    /// Units of fuel used. The same on every machine.
    pub fuel: u64,
    /// Time it took here. Never part of a record's digest.
    pub wall: Duration,
    /// Bytes of linear memory at the end; memories only grow, so this is the most it used.
    pub memory_bytes: u64,
    /// Calls of inert functions, by name such as `wasi:sockets/network.instance-network`.
    pub inert: BTreeMap<String, u64>,
    /// What it wrote to stdout, stderr and diagnostics, in order.
    pub captured: Untrusted,
    /// Whether more was written than is kept.
    pub captured_truncated: bool,
}

impl Trial {
    /// Bytes of the text it holds.
    pub(crate) fn text_bytes(&self) -> usize {
        let said = match &self.outcome {
            Outcome::Graded(findings) => findings.iter().map(finding_bytes).sum(),
            Outcome::Refused(refusal) => refusal.message.raw().len(),
            Outcome::Fault(fault) => fault.detail.raw().len(),
        };
        said + self.captured.raw().len()
    }
}

fn finding_bytes(finding: &Finding) -> usize {
    let quotes = finding.citations.iter().map(|citation| citation.quote.raw().len());
    finding.rationale.raw().len() + finding.extra.raw().len() + quotes.sum::<usize>()
}

/// How to start one attempt.
pub(crate) struct Start<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) pre: &'a InstancePre<State>,
    pub(crate) limits: &'a Limits,
    pub(crate) seed: [u8; 32],
    pub(crate) clock_unix_s: u64,
    /// Bytes of the case that goes in.
    pub(crate) case_bytes: usize,
}

/// What one attempt came to.
pub(crate) struct Attempt<R> {
    /// The answer, or the fault and how far it had come.
    pub(crate) result: Result<R, (Phase, Fault)>,
    pub(crate) fuel: u64,
    pub(crate) wall: Duration,
    pub(crate) state: State,
}

/// Makes a fresh instance, and calls it. The store is dropped in every case: after a trap nothing of it
/// may be used again.
pub(crate) fn attempt<R>(
    start: &Start<'_>,
    call: impl FnOnce(&mut Store<State>, &Instance) -> wasmtime::Result<R>,
) -> Attempt<R> {
    let began = Instant::now();
    let limits = start.limits;
    let mut store = Store::new(start.engine, State::new(limits, start.seed, start.clock_unix_s));
    store.limiter(|state| &mut state.meter);
    store.set_epoch_deadline(ticks(limits.wall));
    store.set_hostcall_fuel(limits.hostcall_bytes.saturating_add(start.case_bytes));
    store.set_max_component_handles(limits.handles);
    let result = store.set_fuel(limits.fuel).and_then(|()| start.pre.instantiate(&mut store));
    let result = result
        .map_err(|error| (Phase::Start, error))
        .and_then(|instance| call(&mut store, &instance).map_err(|error| (Phase::Call, error)));
    let result = result.map_err(|(phase, error)| (phase, fault::of_error(&error, phase, limits)));
    let fuel = limits.fuel.saturating_sub(store.get_fuel().unwrap_or(0));
    Attempt { result, fuel, state: store.into_data(), wall: began.elapsed() }
}
