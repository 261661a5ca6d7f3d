//! From a grader's ledger to the facts that its authority is computed from.
//!
//! Signatures are checked where they decide something: on registrations that tell of a promoted component or
//! its controls, on the promotion that stands and on the last one of another component, on what lifts a
//! revocation, and on the newest verification that a verifier signed. Everything else lowers authority whoever
//! tells of it, or does not touch it, and is taken as it stands.

mod promotions;
mod verified;

use std::collections::{BTreeMap, BTreeSet};

use accredit_core::authority::{Act, Fact};
use accredit_core::id::Digest;
use accredit_core::keys::{NotASigner, Signature, Signer, Signers};
use accredit_core::ledger::{Chain, Entry, Moment, Payload};
use accredit_core::statement::TrustVersions;

use super::Objects;
use crate::failure::Failure;

use promotions::Promotions;

/// What authority is asked about.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The component as it lies there today.
    pub component: Digest,
    /// Who may say that a component was verified, by principal.
    pub verifiers: &'a [String],
}

/// The facts of a grader's two books, in the order of their times. Of the book of verifications, what decides
/// is among them: the newest verification of the component that a verifier signed, and the latest entry.
///
/// # Errors
/// With exit code 5, naming the entry, when an object that an entry names is gone or is not what the entry
/// says, or when a signature that decides does not hold.
pub fn facts(
    main: &Chain,
    verified: &Chain,
    signers: &Signers,
    objects: Objects<'_>,
    about: About<'_>,
) -> Result<Vec<Fact>, Failure> {
    let promotions = Promotions::read(main, objects)?;
    let deciding = promotions.deciding(about.component);
    let concerned = Concerned::of(&promotions, &deciding, about.component);
    let mut revocations = BTreeMap::new();
    let mut facts = Vec::with_capacity(usize::try_from(main.len()).unwrap_or_default() + 2);
    for entry in main.entries() {
        let (act, checked) = match entry.payload() {
            Payload::Promoted(_) => match promotions.first(entry.seq()) {
                Some(promotion) => {
                    let checked = if deciding.contains(&entry.seq()) {
                        promotion.signers(main, signers, objects)?
                    } else {
                        Vec::new()
                    };
                    (Act::Promoted { statement: Box::new(promotion.statement.clone()) }, checked)
                }
                // The same statement again is no new promotion: it would outlive what came in between.
                None => (Act::Other, Vec::new()),
            },
            Payload::Registered(it) if concerned.registration(it.component, it.controls) => {
                (act(entry, signers, &revocations), checked(entry, signers)?)
            }
            Payload::Noted(it) if it.lifts.is_some() => {
                (act(entry, signers, &revocations), checked(entry, signers)?)
            }
            Payload::Revoked(_) => {
                revocations.insert(entry.payload_digest(), entry.seq());
                (act(entry, signers, &revocations), Vec::new())
            }
            _ => (act(entry, signers, &revocations), Vec::new()),
        };
        facts.push(fact(entry, act, checked));
    }
    verified::merge(&mut facts, main, verified, signers, about)?;
    Ok(facts)
}

/// What an entry comes to, beside its signatures.
fn act(entry: Entry<'_>, signers: &Signers, revocations: &BTreeMap<Digest, u64>) -> Act {
    match entry.payload() {
        Payload::Registered(it) => Act::Registered {
            component: it.component,
            controls: it.controls,
            wrote: it.wrote.clone(),
            authors: it
                .authors
                .iter()
                .map(|name| signers.people().person(name).to_owned())
                .collect(),
        },
        Payload::Verified(it) => Act::Verified {
            component: it.component,
            ledger: it.ledger,
            semantics: it.semantics,
            regression: it.regression,
            held: it.held,
            at: it.at.seconds(),
        },
        Payload::FailedVerification(it) => Act::FailedVerification {
            component: it.component,
            broke: it.why.iter().map(|invariant| invariant.name().to_owned()).collect(),
        },
        Payload::Revoked(it) => {
            Act::Revoked { component: it.component, reason: it.reason.raw().to_owned() }
        }
        Payload::Superseded(it) => Act::Superseded { component: it.component, by: it.by },
        Payload::Looked(it) => {
            Act::Looked { rubric: it.rubric.clone(), held_out: it.held_out, run: it.run }
        }
        Payload::Noted(it) => match it.lifts.and_then(|lifted| revocations.get(&lifted)) {
            Some(revocation) => Act::Lifted { revocation: *revocation },
            None => Act::Other,
        },
        Payload::Promoted(_) | Payload::Decided(_) => Act::Other,
    }
}

fn fact(entry: Entry<'_>, act: Act, signers: Vec<Signer>) -> Fact {
    Fact { seq: entry.seq(), at: entry.at().seconds(), signers, act }
}

/// Which registrations tell of something that is promoted, or of today's component.
struct Concerned {
    components: BTreeSet<Digest>,
    controls: BTreeSet<Digest>,
}

impl Concerned {
    fn of(promotions: &Promotions, deciding: &BTreeSet<u64>, today: Digest) -> Self {
        let mut concerned = Self { components: BTreeSet::from([today]), controls: BTreeSet::new() };
        for promotion in deciding.iter().filter_map(|seq| promotions.first(*seq)) {
            concerned.components.extend(promotion.statement.component());
            concerned.controls.insert(promotion.statement.predicate.evidence.controls);
        }
        concerned
    }

    fn registration(&self, component: Digest, controls: Digest) -> bool {
        self.components.contains(&component) || self.controls.contains(&controls)
    }
}

/// The moments at which a key must have been valid: the entry's, what it was set back from, and the one that
/// its signer states.
fn moments(entry: Entry<'_>) -> Vec<Moment> {
    let stated = match entry.payload() {
        Payload::Verified(it) => Some(it.at),
        Payload::Revoked(it) => Some(it.at),
        Payload::Noted(it) => Some(it.at),
        Payload::Decided(it) => Some(it.at),
        _ => None,
    };
    [Some(entry.at()), entry.set_back(), stated].into_iter().flatten().collect()
}

/// For each signature on an entry, who made it, or why it counts for nobody.
#[must_use]
pub fn signatures(entry: Entry<'_>, signers: &Signers) -> Vec<Result<Vec<Signer>, NotASigner>> {
    let (namespace, moments) = (entry.payload().kind().namespace(), moments(entry));
    let one = |armoured: &String| {
        let signature = Signature::parse(armoured.as_bytes())?;
        signers.check(&signature, &namespace, entry.payload_text().as_bytes(), &moments)
    };
    entry.signatures().iter().map(one).collect()
}

/// Everyone whose signature on an entry counts.
///
/// # Errors
/// With exit code 5, when one is wrong.
pub fn checked(entry: Entry<'_>, signers: &Signers) -> Result<Vec<Signer>, Failure> {
    let mut counted = BTreeSet::new();
    for result in signatures(entry, signers) {
        match result {
            Ok(signers) => counted.extend(signers),
            Err(fault) if fault.is_wrong() => return Err(damaged(entry, &fault)),
            Err(_) => {}
        }
    }
    Ok(counted.into_iter().collect())
}

/// An entry that must not be relied upon.
fn damaged(entry: Entry<'_>, what: &dyn std::fmt::Display) -> Failure {
    let (seq, grader) = (entry.seq(), entry.payload().grader());
    let kind = entry.payload().kind();
    Failure::Integrity(format!(
        "the ledger of `{grader}`, entry {seq} ({kind}): {what}. Put the register back from version control"
    ))
}

/// The highest versions of policy and signers that the statements of these ledgers name.
///
/// # Errors
/// As [`facts`].
pub fn named_versions<'c>(
    chains: impl IntoIterator<Item = &'c Chain>,
    objects: Objects<'_>,
) -> Result<TrustVersions, Failure> {
    let mut named = TrustVersions { policy: 0, signers: 0 };
    for chain in chains {
        for versions in Promotions::read(chain, objects)?.versions() {
            named.policy = named.policy.max(versions.policy);
            named.signers = named.signers.max(versions.signers);
        }
    }
    Ok(named)
}
