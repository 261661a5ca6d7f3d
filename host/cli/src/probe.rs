//! `accredit probe`: graders that try what no grader may do, and whether each limit held.
//!
//! The probes are small components, embedded as they were built from probes/*.wat (tests/probes.rs compares
//! them), and two that are made on the spot because they are large. Every figure is measured in this run: a
//! probe holds only if what stopped it is the very limit that is meant to, and if the host afterwards still
//! judges an honest grader right.

mod bomb;
mod list;
mod look;
mod trying;

use std::time::Duration;

use accredit_core::findings::FaultKind;
use accredit_core::untrusted::Untrusted;
use accredit_engine::{Limits, LoadError, Trial};
use serde::Serialize;

pub use list::{ALL, SOUND};
pub use trying::{Prober, Report, judges_right};

/// Something that is tried, and what must stop it.
#[derive(Debug)]
pub struct Probe {
    /// Its name: lower case, hyphens.
    pub name: &'static str,
    /// What it tries, in words.
    pub tried: &'static str,
    /// What must stop it, in words.
    pub stop: &'static str,
    component: Component,
    /// The limits it is tried under, from those in force; most take them as they are.
    under: fn(&Limits) -> Limits,
    must: Must,
}

/// Where a probe's component comes from.
#[derive(Debug)]
enum Component {
    /// Built from the file of its name in probes/.
    Embedded(&'static [u8]),
    /// Too large to be kept.
    Made(fn() -> Vec<u8>),
}

/// What must come of a probe.
#[derive(Debug)]
enum Must {
    /// The trial ends in a fault of this kind, whose detail says this.
    End { kind: FaultKind, says: &'static str, machine: MachineDependent, figure: Of },
    /// Every trial ends with a pass, and a look at them finds that nothing got through.
    Answer(fn(&[Trial], &Limits) -> Look),
    /// The component is not loaded; the figure of that refusal, if it is the right one.
    NotLoad(fn(&Refused<'_>) -> Option<Figure>),
}

/// Whether the fault may be met elsewhere on another machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MachineDependent {
    Yes,
    No,
}

/// The figure of a trial that was ended.
#[derive(Debug, Clone, Copy)]
enum Of {
    /// Fuel, and its limit.
    Fuel,
    /// Bytes of linear memory, and their limit.
    Memory,
    /// The last number that the probe said it had, or was about to hand over, and the limit on it.
    Said(&'static str, fn(&Limits) -> Option<u64>),
    /// Bytes that were kept of what it wrote.
    Captured,
    /// Milliseconds of the wall clock, and their limit.
    Wall,
    /// None: it ended itself.
    Nothing,
}

/// A component that was not loaded.
struct Refused<'a> {
    error: &'a LoadError,
    /// Bytes of the component.
    size: usize,
    wall: Duration,
    limits: &'a Limits,
}

/// What a look at a probe's answers found.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Look {
    holds: bool,
    figure: Figure,
}

/// A measured amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Figure {
    /// How much.
    pub amount: u64,
    /// Of what.
    pub unit: String,
    /// The limit it met, where a number is the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

/// What came of one probe.
#[derive(Debug, Clone, Serialize)]
pub struct Tried {
    /// The probe's name.
    pub probe: &'static str,
    /// What it tried.
    pub tried: &'static str,
    /// What must stop it.
    pub must_stop_it: &'static str,
    /// What was seen to stop it: the same words where the limit held.
    pub stopped_by: String,
    /// What the host said, in full.
    pub detail: Untrusted,
    /// How far it came, where that is a number.
    pub figure: Option<Figure>,
    /// Nanoseconds that it took here: of the trial, or of the refusal to load it.
    pub wall_ns: u64,
    /// Whether the host still judged an honest grader right.
    pub host_is_up: bool,
    /// Whether the limit held, and the host is up.
    pub holds: bool,
}

impl Probe {
    /// Its component, where it is embedded and not made on the spot.
    #[must_use]
    pub fn embedded(&self) -> Option<&'static [u8]> {
        match self.component {
            Component::Embedded(bytes) => Some(bytes),
            Component::Made(_) => None,
        }
    }
}

impl Figure {
    fn new(amount: u64, unit: impl Into<String>, limit: Option<u64>) -> Self {
        Self { amount, unit: unit.into(), limit }
    }

    /// Time that was taken, and its limit.
    fn millis(taken: Duration, limit: Duration) -> Self {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self::new(millis(taken), "ms", Some(millis(limit)))
    }
}

#[cfg(test)]
mod tests;
