//! What is wrong with a ledger, and what to do about it.

use super::payload::{PayloadFault, PayloadKind};
use crate::id::GraderName;

/// A ledger that must not be relied upon. The first fault is told: what follows it follows from it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// An entry is not what it was, or never was one. Entry n stands in line n.
    #[error("entry {entry} (line {entry}): {fault}")]
    Entry {
        /// Its number, from 1: also that of its line.
        entry: u64,
        /// What is wrong.
        fault: EntryFault,
    },
    /// The head is missing or does not fit the entries.
    #[error("the head: {0}")]
    Head(HeadFault),
}

impl Damage {
    /// The entry that is damaged, where the fault is one entry's.
    #[must_use]
    pub fn entry(&self) -> Option<u64> {
        match self {
            Self::Entry { entry, .. } => Some(*entry),
            Self::Head(_) => None,
        }
    }
}

/// What is wrong with an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryFault {
    /// Not an entry at all.
    #[error("it cannot be read: {0}. Restore the ledger and its head from version control")]
    Unreadable(String),
    /// A merge was not completed.
    #[error(
        "it is the mark of a merge conflict. Link both sides into one chain with `accredit ledger rebase`"
    )]
    Conflict,
    /// Line ends were converted.
    #[error(
        "its line ends in CR LF: something converted the line ends. Write `.accredit/** -text` into .gitattributes and check the file out again"
    )]
    CarriageReturn,
    /// The file was cut.
    #[error(
        "the file ends within it, and the head says that {acknowledged} entries were acknowledged. Restore the ledger from version control"
    )]
    Cut {
        /// The last acknowledged entry.
        acknowledged: u64,
    },
    /// Numbers run from 1 without a gap.
    #[error("it is numbered {found}. Restore the ledger and its head from version control")]
    Number {
        /// The number found.
        found: u64,
    },
    /// Its bytes are not those that the next entry or the head was linked to.
    #[error(
        "it was changed: what follows was linked to other bytes. Restore the ledger and its head from version control"
    )]
    Changed,
    /// Nothing around it was linked to it or by it.
    #[error(
        "its link does not lead to the entry before it. Restore the ledger and its head from version control"
    )]
    Link,
    /// The first entry is not linked to the genesis.
    #[error(
        "it does not begin a ledger of `{0}`: it was changed, or this is another grader's ledger or another book. Restore the ledger and its head from version control"
    )]
    Genesis(GraderName),
    /// The payload.
    #[error("{0}")]
    Payload(PayloadFault),
    /// It speaks of another grader.
    #[error("it speaks of `{found}` in the ledger of `{expected}`. It does not belong here")]
    Grader {
        /// The grader it speaks of.
        found: GraderName,
        /// Whose ledger it is.
        expected: GraderName,
    },
    /// Routine verification in the main ledger, or something else among it.
    #[error(
        "`{0}` entries do not belong in this file: `verified` ones are kept apart from all others"
    )]
    Book(PayloadKind),
}

/// What is wrong with the head.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeadFault {
    /// There are entries, and no head.
    #[error(
        "the ledger has entries and its .head file is missing. Restore both from version control; without it nobody can tell whether entries were cut off"
    )]
    Missing,
    /// It cannot be read.
    #[error("it cannot be read: {0}. Restore the ledger and its head from version control")]
    Unreadable(String),
    /// Entries are missing.
    #[error(
        "it acknowledges entry {acknowledged}, and the ledger ends with entry {found}: entries were cut off. Restore the ledger from version control"
    )]
    Beyond {
        /// The last acknowledged entry.
        acknowledged: u64,
        /// The last entry there is.
        found: u64,
    },
    /// The entry it acknowledges is there with other bytes, and the entry after it is linked to those.
    #[error(
        "it acknowledges entry {acknowledged} by another digest than the entry has. Restore the ledger and its head from version control"
    )]
    Differs {
        /// The last acknowledged entry.
        acknowledged: u64,
    },
    /// A ledger was being replaced, and what is there is neither the old one nor the new one.
    #[error(
        "the ledger was being linked anew, and it is neither what it was nor what it was to become. Restore the ledger and its head from version control"
    )]
    Replacing,
}

/// At most so many characters of a file are told.
const TOLD: usize = 200;

/// Text out of a ledger as it can stand in a message: control characters and the like escaped, and not long.
pub(super) fn plain(text: &str) -> String {
    let mut told = String::new();
    for character in text.chars().take(TOLD) {
        match character {
            '"' | '\'' => told.push(character),
            _ => told.extend(character.escape_debug()),
        }
    }
    if text.chars().nth(TOLD).is_some() {
        told.push_str("...");
    }
    told
}
