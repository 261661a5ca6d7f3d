//! Looks: that held-out results are opened is told to a ledger before they are.

use std::path::Path;

use accredit_core::id::Digest;
use accredit_core::ledger::{Looked, Payload, V1};
use accredit_core::run::event::{Look, RunStarted};
use accredit_core::run::part::run_digest;

use crate::authority::Registry;
use crate::clock;
use crate::failure::Failure;
use crate::store::Writing;
use crate::terminal;

/// Enters the look into the ledger of the grader that is about to be run, and returns every look at these held-out
/// controls, this one last. To run the same again is no further look: it shows nothing new.
///
/// # Errors
/// When the policy allows no further look, or the register cannot be written.
pub fn look(
    register: &Path,
    root_digest: Option<Digest>,
    started: &RunStarted,
) -> Result<Vec<Look>, Failure> {
    let Some(facts) = &started.held_out else { return Ok(Vec::new()) };
    let mut writing = Writing::open(register)?;
    let registry = Registry::open(register, root_digest, clock::now()?)?;
    let (rubric, run) = (&started.set.rubric, run_digest(started));
    let (mut looks, runs) = registry.looks(rubric, facts.digest);
    if runs.contains(&run) {
        return Ok(looks);
    }
    let allowed = registry.policy.policy.looks;
    if looks.len() as u64 >= u64::from(allowed) {
        return Err(Failure::Usage(format!(
            "the results of this held-out set were opened {} times, and the policy allows {allowed}: what was looked at so often is held out no more. Make its controls part of the open set, and have a fresh held-out set written; its size must be fixed beforehand (`accredit explain held-out`)",
            looks.len()
        )));
    }
    let grader = started.grader.manifest.name.clone();
    let component = started.grader.digest;
    let looked = Looked {
        v: V1,
        grader: grader.clone(),
        component,
        rubric: rubric.clone(),
        held_out: facts.digest,
        run,
    };
    writing.append(&Payload::Looked(looked).to_json(), &[], registry.now)?;
    looks.push(Look { at: registry.now, grader, component });
    terminal::note(&format!(
        "look {} of {allowed} at this held-out set, entered into the ledger; the same run again is none",
        looks.len()
    ));
    Ok(looks)
}
