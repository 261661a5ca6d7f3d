//! What a grader's ledgers name is there, byte for byte.

use std::collections::BTreeMap;

use accredit_core::id::Digest;
use accredit_core::ledger::{Chain, FailureNote, Payload};
use accredit_core::statement::Statement;

use crate::authority::Books;
use crate::failure::Failure;
use crate::store::Objects;

/// What is missing or damaged of the objects that the two ledgers name, and how many there are.
pub(super) fn faults(books: &Books, objects: &Objects) -> Result<(Vec<String>, usize), Failure> {
    let mut named: BTreeMap<Digest, String> = BTreeMap::new();
    for chain in [&books.main, &books.verified] {
        of_chain(chain, objects, &mut named)?;
    }
    let mut faults = Vec::new();
    for (digest, what) in &named {
        match objects.find(*digest) {
            Ok(Some(_)) => {}
            Ok(None) => faults.push(format!("{what} {digest} is not among the objects")),
            Err(Failure::Integrity(fault)) => faults.push(format!("{what}: {fault}")),
            Err(failure) => return Err(failure),
        }
    }
    Ok((faults, named.len()))
}

fn of_chain(
    chain: &Chain,
    objects: &Objects,
    named: &mut BTreeMap<Digest, String>,
) -> Result<(), Failure> {
    for entry in chain.entries() {
        let mut name = |digest: Digest, what: &str| {
            let told = format!("entry {} ({}): its {what}", entry.seq(), entry.payload().kind());
            named.entry(digest).or_insert(told);
        };
        match entry.payload() {
            Payload::Registered(it) => {
                name(it.component, "component");
                name(it.controls, "control set");
            }
            Payload::Promoted(it) => {
                name(it.statement, "statement");
                it.signatures.iter().for_each(|digest| name(*digest, "signature"));
                if let Some(statement) = statement(objects, it.statement)? {
                    of_statement(&statement, &mut name);
                }
            }
            Payload::Verified(it) => {
                name(it.record, "record");
                name(it.report, "report");
            }
            Payload::FailedVerification(it) => {
                if let Some(record) = it.record {
                    name(record, "record");
                }
            }
            Payload::Noted(it) => {
                if let Some(FailureNote::Guarded { caught, passed, .. }) = &it.failure {
                    name(*caught, "record");
                    name(*passed, "record");
                }
            }
            Payload::Decided(it) => name(it.report, "report of the gate, as read,"),
            Payload::Looked(_) | Payload::Revoked(_) | Payload::Superseded(_) => {}
        }
    }
    Ok(())
}

/// What a statement rests on, but for what tells of held-out controls: that is kept elsewhere.
fn of_statement(statement: &Statement, name: &mut impl FnMut(Digest, &str)) {
    let evidence = &statement.predicate.evidence;
    name(evidence.controls, "control set, as signed,");
    name(evidence.policy, "policy, as signed,");
    if let Some(regression) = evidence.regression {
        name(regression, "regression controls, as signed,");
    }
    if evidence.held_out.is_none() {
        name(evidence.record, "record, as signed,");
        name(evidence.report, "report, as signed,");
    }
}

/// A statement that the ledger names, if it is there. Whether it can be read was seen before.
pub(super) fn statement(objects: &Objects, digest: Digest) -> Result<Option<Statement>, Failure> {
    match objects.find(digest) {
        Ok(bytes) => Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok())),
        // It is told with the other objects.
        Err(Failure::Integrity(_)) => Ok(None),
        Err(failure) => Err(failure),
    }
}
