//! The head of a ledger: the last entry that was acknowledged.

use serde::{Deserialize, Serialize};

use super::damage::{HeadFault, plain};
use crate::id::Digest;

/// An entry, by its number and its line's digest. Number 0 is the genesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Last {
    /// The entry's number, from 1; 0 where there is none.
    pub seq: u64,
    /// The digest of its line, without the line's end; of the genesis where there is none.
    pub digest: Digest,
}

/// What the head file says: `{"seq":n,"digest":"blake3:..."}` and the end of the line. It is written after the
/// entry's line is safe, and before a command says done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The last entry's number; 0 where there is none.
    pub seq: u64,
    /// The digest of its line.
    pub digest: Digest,
    /// While a ledger is being replaced by one that was linked anew: what the head was before. Either of the
    /// two ledgers may be there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Last>,
}

impl Head {
    /// The head of a ledger whose last entry this is.
    #[must_use]
    pub fn of(last: Last) -> Self {
        Self { seq: last.seq, digest: last.digest, replaces: None }
    }

    /// Reads a head file.
    ///
    /// # Errors
    /// When its bytes are not exactly those that [`Head::to_line`] gives for some head.
    pub fn parse(bytes: &[u8]) -> Result<Self, HeadFault> {
        let head: Self = serde_json::from_slice(bytes)
            .map_err(|error| HeadFault::Unreadable(plain(&error.to_string())))?;
        // Other ways to write the same would let a changed byte pass.
        if head.to_line().as_bytes() == bytes {
            Ok(head)
        } else {
            Err(HeadFault::Unreadable("it is not written as accredit writes it".to_owned()))
        }
    }

    /// The file's text.
    #[must_use]
    pub fn to_line(&self) -> String {
        // Two numbers and two digests: nothing that JSON could refuse.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }

    /// The last entry.
    #[must_use]
    pub fn last(&self) -> Last {
        Last { seq: self.seq, digest: self.digest }
    }
}
