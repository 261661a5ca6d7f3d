//! What persons said of results of the gate: entries of the ledgers of the graders that decide there.

use std::collections::BTreeMap;

use accredit_core::authority::authors;
use accredit_core::gate::GateReport;
use accredit_core::gate::persons::Heard;
use accredit_core::id::GraderName;
use accredit_core::ledger::{Entry, Moment, Payload};

use crate::authority::Registry;
use crate::failure::Failure;
use crate::registered::Files;
use crate::trust::facts;

/// Every word that the ledgers of a register hold, each with whose signature is on it.
///
/// # Errors
/// With exit code 5, when a signature is wrong.
pub fn heard(registry: &Registry) -> Result<Vec<Heard>, Failure> {
    let mut heard = Vec::new();
    for name in registry.names() {
        for entry in registry.books(name)?.main.entries() {
            heard.extend(one(registry, entry)?);
        }
    }
    Ok(heard)
}

fn one(registry: &Registry, entry: Entry<'_>) -> Result<Option<Heard>, Failure> {
    let Payload::Decided(said) = entry.payload() else { return Ok(None) };
    let signers = facts::checked(entry, &registry.trust.signers)?;
    let by: Vec<_> = signers.into_iter().map(|it| (it.principal, it.person)).collect();
    let why_not = by.is_empty().then(|| why_not(registry, entry));
    Ok(Some(Heard { said: said.clone(), by, why_not }))
}

/// Why no signature on an entry counts.
fn why_not(registry: &Registry, entry: Entry<'_>) -> String {
    let signatures = facts::signatures(entry, &registry.trust.signers);
    let why = signatures.into_iter().find_map(Result::err);
    why.map_or_else(|| "nobody signed it".to_owned(), |fault| fault.to_string())
}

/// The last moment at which anybody said anything.
#[must_use]
pub fn latest(heard: &[Heard]) -> Option<Moment> {
    heard.iter().map(|it| it.said.at).max()
}

/// Of each grader of a gate the persons who wrote it or its controls.
///
/// # Errors
/// When a ledger or a grader's files cannot be read.
pub fn authors_of(
    registry: &Registry,
    report: &GateReport,
) -> Result<BTreeMap<GraderName, Vec<String>>, Failure> {
    let of = |name: &GraderName| -> Result<Vec<String>, Failure> {
        let file = registry.file(name)?;
        let digests = Files::in_repository(registry.register.repository(), &file)?.digests();
        let facts = registry.facts(name, digests.component)?;
        Ok(authors(&facts, &registry.today(name, &digests, &file), &registry.rules()))
    };
    report.graders.iter().map(|it| Ok((it.name.clone(), of(&it.name)?))).collect()
}
