//! Two ledgers of one grader: whether one goes on from the other, and both in one chain after a merge.

use std::collections::HashMap;

use super::chain::{Chain, Entry, Refused};
use crate::id::{Digest, GraderName};

/// Why a ledger does not extend another.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotExtended {
    /// They are ledgers of different graders, or different books of one.
    #[error("{0}")]
    Unrelated(#[from] NotRelated),
    /// Entries of the reference are missing.
    #[error(
        "it ends with entry {found}, and the reference with entry {reference}: entries were taken away. A ledger only grows"
    )]
    Shorter {
        /// The ledger's last entry.
        found: u64,
        /// The reference's last entry.
        reference: u64,
    },
    /// An entry is not that of the reference.
    #[error(
        "entry {entry} is not that of the reference. A ledger only grows; after a merge, link your entries behind the reference's with `accredit ledger rebase`"
    )]
    Differs {
        /// The first entry that differs.
        entry: u64,
    },
}

/// Ledgers that have nothing to do with each other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "one is a ledger of `{one}`, the other of `{other}`, or they are different books of one grader"
)]
pub struct NotRelated {
    one: GraderName,
    other: GraderName,
}

/// Both sides of a merge in one chain.
#[derive(Debug, Clone, PartialEq)]
pub struct Rebased {
    /// The base's entries as they were, then ours.
    pub chain: Chain,
    /// How many of ours were linked anew.
    pub relinked: u64,
    /// How many of ours the base had as well.
    pub dropped: u64,
}

impl Chain {
    /// Whether this ledger is the reference with nothing or more entries behind it. Returns how many more.
    ///
    /// # Errors
    /// Names the first entry that differs or is missing.
    pub fn extends(&self, reference: &Self) -> Result<u64, NotExtended> {
        related(self, reference)?;
        let common = common(self, reference);
        let (found, reference) = (self.len(), reference.len());
        if common == reference {
            Ok(found - reference)
        } else if common == found {
            Err(NotExtended::Shorter { found, reference })
        } else {
            Err(NotExtended::Differs { entry: common + 1 })
        }
    }

    /// Links our entries behind the base's after a merge. Payloads, signatures and times stay as they are; an
    /// entry that both sides have made (the same time, payload and signatures) is kept once.
    ///
    /// # Errors
    /// When they are not ledgers of one grader and book.
    pub fn rebase(base: &Self, ours: &Self) -> Result<Rebased, NotRelated> {
        related(base, ours)?;
        let common = common(base, ours);
        let since = |chain: &Self| usize::try_from(common).unwrap_or(chain.held.len());
        let mut theirs: HashMap<Digest, u64> = HashMap::new();
        for entry in base.entries().skip(since(base)) {
            *theirs.entry(content(entry)).or_default() += 1;
        }
        let mut rebased = Rebased { chain: base.clone(), relinked: 0, dropped: 0 };
        for entry in ours.entries().skip(since(ours)) {
            match theirs.get_mut(&content(entry)) {
                Some(left @ 1..) => {
                    *left -= 1;
                    rebased.dropped += 1;
                }
                _ => {
                    relink(&mut rebased.chain, entry).map_err(|_| not_related(base, ours))?;
                    rebased.relinked += 1;
                }
            }
        }
        Ok(rebased)
    }
}

fn relink(chain: &mut Chain, entry: Entry<'_>) -> Result<(), Refused> {
    chain.append(entry.payload_text(), &entry.signatures(), entry.at()).map(|_| ())
}

/// What stays of an entry when it is linked anew.
fn content(entry: Entry<'_>) -> Digest {
    let at = entry.at().seconds().to_le_bytes();
    let signatures = entry.signatures();
    let signatures = signatures.iter().map(String::as_bytes);
    let parts = [at.as_slice(), entry.payload_text().as_bytes()];
    Digest::of_parts(parts.into_iter().chain(signatures))
}

/// How many entries they begin with together.
fn common(one: &Chain, other: &Chain) -> u64 {
    let same = |(one, other): &(Entry<'_>, Entry<'_>)| one.digest() == other.digest();
    one.entries().zip(other.entries()).take_while(same).count() as u64
}

fn related(one: &Chain, other: &Chain) -> Result<(), NotRelated> {
    if one.genesis() == other.genesis() { Ok(()) } else { Err(not_related(one, other)) }
}

fn not_related(one: &Chain, other: &Chain) -> NotRelated {
    NotRelated { one: one.grader.clone(), other: other.grader.clone() }
}
