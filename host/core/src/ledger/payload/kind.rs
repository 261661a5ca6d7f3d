//! The kinds of entry, and why a text is none of them.

use std::fmt;

/// The kinds of entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PayloadKind {
    /// [`Registered`](super::Registered).
    Registered,
    /// [`Looked`](super::Looked).
    Looked,
    /// [`Promoted`](super::Promoted).
    Promoted,
    /// [`Verified`](super::Verified).
    Verified,
    /// [`FailedVerification`](super::FailedVerification).
    FailedVerification,
    /// [`Revoked`](super::Revoked).
    Revoked,
    /// [`Superseded`](super::Superseded).
    Superseded,
    /// [`Noted`](super::Noted).
    Noted,
    /// [`Decided`](super::Decided).
    Decided,
}

impl PayloadKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::Registered,
        Self::Looked,
        Self::Promoted,
        Self::Verified,
        Self::FailedVerification,
        Self::Revoked,
        Self::Superseded,
        Self::Noted,
        Self::Decided,
    ];

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Registered => "registered",
            Self::Looked => "looked",
            Self::Promoted => "promoted",
            Self::Verified => "verified",
            Self::FailedVerification => "failed-verification",
            Self::Revoked => "revoked",
            Self::Superseded => "superseded",
            Self::Noted => "noted",
            Self::Decided => "decided",
        }
    }

    /// The namespace of a signature over such a payload: `<kind>.v1@accredit`.
    #[must_use]
    pub fn namespace(self) -> String {
        format!("{}.v1@accredit", self.name())
    }
}

impl fmt::Display for PayloadKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a text is no payload.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PayloadFault {
    /// It is of a kind that this version does not know.
    #[error(
        "`{0}` is a kind of entry that this version of accredit does not know: use a newer one"
    )]
    Kind(String),
    /// It is of a version that this one does not know.
    #[error(
        "version {version} of a `{kind}` entry is not known to this version of accredit, which reads version 1: use a newer one"
    )]
    Version {
        /// The kind.
        kind: PayloadKind,
        /// The version.
        version: u64,
    },
    /// Its fields are not those of its kind.
    #[error("its payload is not as it must be: {0}")]
    Fields(String),
}
