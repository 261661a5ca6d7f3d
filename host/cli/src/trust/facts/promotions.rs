//! The promotions of a ledger, with the statements that were signed.

use std::collections::{BTreeMap, BTreeSet};

use accredit_core::id::Digest;
use accredit_core::keys::{PROMOTION, Signature, Signer, Signers};
use accredit_core::ledger::{Chain, Entry, Payload, Promoted};
use accredit_core::statement::{Statement, TrustVersions};

use super::{damaged, moments};
use crate::failure::Failure;
use crate::trust::Objects;

/// How many promotions are looked at for one that counts.
const TRIED: usize = 64;

/// No promotion is signed by more people.
const MOST: usize = 64;

/// The promotions of a ledger, each statement once.
pub(super) struct Promotions {
    /// By the number of the first entry that names the statement.
    first: BTreeMap<u64, Promotion>,
}

/// A statement, and every entry that puts it into the ledger.
pub(super) struct Promotion {
    pub(super) statement: Statement,
    bytes: Vec<u8>,
    entries: Vec<u64>,
}

impl Promotions {
    /// Reads every statement, and checks that it is what its entry says.
    pub(super) fn read(main: &Chain, objects: Objects<'_>) -> Result<Self, Failure> {
        let mut by_statement: BTreeMap<Digest, u64> = BTreeMap::new();
        let mut first: BTreeMap<u64, Promotion> = BTreeMap::new();
        for entry in main.entries() {
            let Payload::Promoted(promoted) = entry.payload() else { continue };
            let seq = *by_statement.entry(promoted.statement).or_insert(entry.seq());
            match first.get_mut(&seq) {
                Some(known) => {
                    agrees(entry, promoted, &known.statement)?;
                    known.entries.push(entry.seq());
                }
                None => {
                    let (statement, bytes) = statement(entry, promoted, objects)?;
                    agrees(entry, promoted, &statement)?;
                    first.insert(seq, Promotion { statement, bytes, entries: vec![seq] });
                }
            }
        }
        Ok(Self { first })
    }

    /// The promotion whose statement this entry was the first to name.
    pub(super) fn first(&self, seq: u64) -> Option<&Promotion> {
        self.first.get(&seq)
    }

    /// The versions that the statements name.
    pub(super) fn versions(&self) -> impl Iterator<Item = TrustVersions> {
        self.first.values().map(|promotion| promotion.statement.predicate.trust)
    }

    /// The entries whose signatures decide: the last promotions of this component, and the last of any. One that
    /// counts is looked for behind those that do not, so that these take nothing away; not without end.
    pub(super) fn deciding(&self, component: Digest) -> BTreeSet<u64> {
        let last = |of: fn(&Statement, Digest) -> bool| {
            let of = move |it: &(&u64, &Promotion)| of(&it.1.statement, component);
            self.first.iter().rev().filter(of).map(|(seq, _)| *seq).take(TRIED)
        };
        let ours = last(|statement, component| statement.component() == Some(component));
        let any = last(|statement, _| statement.component().is_some());
        ours.chain(any).collect()
    }
}

impl Promotion {
    /// Everyone who signed the statement, by any entry that puts it into the ledger, at that entry's time.
    pub(super) fn signers(
        &self,
        main: &Chain,
        signers: &Signers,
        objects: Objects<'_>,
    ) -> Result<Vec<Signer>, Failure> {
        let mut counted = BTreeSet::new();
        for entry in self.entries.iter().filter_map(|seq| main.entry(*seq)) {
            let Payload::Promoted(promoted) = entry.payload() else { continue };
            // Entered before it was made: the entry's time, which nobody signs, is wrong.
            if entry.at() < self.statement.predicate.made_at {
                continue;
            }
            if promoted.signatures.len() > MOST {
                return Err(damaged(entry, &"it names more than 64 signatures"));
            }
            for digest in &promoted.signatures {
                let armoured = named(entry, "signature", *digest, objects)?;
                let signature =
                    Signature::parse(&armoured).map_err(|fault| damaged(entry, &fault))?;
                // The key must have been valid when the statement was made, too.
                let mut moments = moments(entry);
                moments.push(self.statement.predicate.made_at);
                match signers.check(&signature, PROMOTION, &self.bytes, &moments) {
                    Ok(signers) => counted.extend(signers),
                    Err(fault) if fault.is_wrong() => return Err(damaged(entry, &fault)),
                    Err(_) => {}
                }
            }
        }
        Ok(counted.into_iter().collect())
    }
}

/// An object that an entry names.
fn named(
    entry: Entry<'_>,
    what: &str,
    digest: Digest,
    objects: Objects<'_>,
) -> Result<Vec<u8>, Failure> {
    let bytes = objects(digest)?;
    let bytes = bytes
        .ok_or_else(|| damaged(entry, &format!("its {what} {digest} is not among the objects")))?;
    if Digest::of(&bytes) == digest {
        Ok(bytes)
    } else {
        Err(damaged(entry, &format!("its {what} {digest} is not what its digest says")))
    }
}

fn statement(
    entry: Entry<'_>,
    promoted: &Promoted,
    objects: Objects<'_>,
) -> Result<(Statement, Vec<u8>), Failure> {
    let bytes = named(entry, "statement", promoted.statement, objects)?;
    let statement = serde_json::from_slice(&bytes)
        .map_err(|error| damaged(entry, &format!("its statement cannot be read: {error}")))?;
    Ok((statement, bytes))
}

/// Whether a statement is what its entry says.
fn agrees(entry: Entry<'_>, promoted: &Promoted, statement: &Statement) -> Result<(), Failure> {
    let predicate = &statement.predicate;
    // Of a statement that is of no kind known here, nothing is granted anyway.
    let component = statement.component().is_none_or(|component| component == promoted.component);
    if component && predicate.grader == promoted.grader && predicate.tier == promoted.tier {
        return Ok(());
    }
    Err(damaged(entry, &"its statement is about another grader, component or tier than the entry"))
}
