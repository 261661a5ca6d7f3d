//! The ledger: what was registered, looked at, promoted, verified, revoked; one chain of entries a grader.
//!
//! A ledger is JSON Lines. Each line names the digest of the line before it, so that no entry can be changed,
//! taken out or put in without a break that shows; a *head* names the last line that was acknowledged, so that
//! entries cannot be cut off unseen. Signatures cover the payload's bytes as they stand in the line, and not
//! the link: after a merge, entries are linked anew and their signatures still hold.
//!
//! ```text
//! {"seq":1,"at":"2026-11-30T22:00:00Z","prev":"blake3:...","payload":{"kind":"registered",...},"signatures":["..."]}
//! ```
//!
//! Nothing here reads a file or checks a signature. An entry is never edited: a correction is one more entry.

mod chain;
mod damage;
mod head;
mod invariant;
mod line;
mod merge;
mod moment;
mod payload;
mod read;

use crate::id::{Digest, GraderName};

pub use chain::{Chain, Entry, Next, Refused};
pub use damage::{Damage, EntryFault, HeadFault};
pub use head::{Head, Last};
pub use invariant::Invariant;
pub use merge::{NotExtended, NotRelated, Rebased};
pub use moment::{InvalidMoment, Moment};
pub use payload::{
    Choice, Decided, FailedVerification, FailureNote, Looked, Noted, Payload, PayloadFault,
    PayloadKind, Promoted, Registered, Revoked, Superseded, V1, Verified, Work,
};
pub use read::{Reading, Replacement, Tail};

/// A grader has two ledgers: routine entries are kept apart from those that decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Book {
    /// Everything but routine verification.
    Main,
    /// `verified` entries, and nothing else.
    Verified,
}

impl Book {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Main, Self::Verified];

    /// Whether entries of this kind stand in this book.
    #[must_use]
    pub fn holds(self, kind: PayloadKind) -> bool {
        (self == Self::Verified) == (kind == PayloadKind::Verified)
    }

    /// What the first entry of a grader's book is linked to: the BLAKE3 digest of `accredit ledger ` and the
    /// grader's name, and for the book of verifications ` verified` behind it. So one book does not pass for
    /// the other, nor one grader's for another's.
    #[must_use]
    pub fn genesis(self, grader: &GraderName) -> Digest {
        let suffix = match self {
            Self::Main => "",
            Self::Verified => " verified",
        };
        Digest::of(format!("accredit ledger {grader}{suffix}").as_bytes())
    }
}

#[cfg(test)]
mod tests;
