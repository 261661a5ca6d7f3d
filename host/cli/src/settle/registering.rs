//! Every forecast and explanation of some records into the book, once.

use accredit_core::gate::record::SutRun;
use accredit_core::gate::settlement::{Refusal, Registration, What};
use accredit_core::id::{RunId, StepId};
use accredit_core::untrusted::Untrusted;
use serde::Serialize;

use super::{book, keep};
use crate::clock;
use crate::failure::Failure;
use crate::store::Writing;

/// What was registered.
#[derive(Debug, Default, Serialize)]
pub struct Registering {
    /// Those that were registered now.
    pub registered: Vec<Registration>,
    /// How many were registered before.
    pub already: u64,
    /// Those that were refused.
    pub refused: Vec<NotTaken>,
}

/// A forecast or an explanation that was not registered.
#[derive(Debug, Serialize)]
pub struct NotTaken {
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: StepId,
    /// The claim.
    pub claim: Untrusted,
    /// Why.
    pub why: String,
}

/// Registers whatever is not registered yet. What is refused keeps nothing else from being registered: a forecast that
/// is late must not make others late.
///
/// # Errors
/// When the book is damaged or cannot be written, or when these records hold nothing to be registered.
pub fn register(register: &Writing, runs: &[SutRun]) -> Result<Registering, Failure> {
    let mut book = book(register)?;
    let now = clock::now()?;
    let mut done = Registering::default();
    for run in runs {
        let record = run.original();
        for (step, claim) in run.open_claims() {
            let found = Registration::in_record(run, record, (step, claim));
            let Some(registration) = found else { continue };
            match book.append(What::Registered(registration.clone()), now) {
                Ok(()) => done.registered.push(registration),
                Err(Refusal::Again(_)) => done.already += 1,
                Err(refusal) => done.refused.push(NotTaken {
                    run: run.id.clone(),
                    step: step.id.clone(),
                    claim: Untrusted::new(&claim.id),
                    why: refusal.to_string(),
                }),
            }
        }
    }
    if !done.registered.is_empty() {
        keep(register, &book)?;
    }
    let found = done.registered.len() as u64 + done.already + done.refused.len() as u64;
    if found == 0 {
        let told =
            "nothing was registered: no claim of these records is a forecast or an explanation";
        return Err(Failure::NothingToRun(told.to_owned()));
    }
    Ok(done)
}
