//! The ranks of evidence.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// How strong evidence is, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// A value that this version does not know: below all.
    Unknown,
    /// Nobody who was declared has looked.
    Unverified,
    /// Somebody has read it.
    ReviewOnly,
    /// A check that was made for it passes.
    ConstructedCheck,
    /// Another implementation agrees.
    Interop,
    /// It gives an answer that was known beforehand.
    KnownAnswer,
    /// It is proved.
    Proof,
}

impl<'de> Deserialize<'de> for Grade {
    /// A value that is not known is not an error: it ranks below all.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::named(&String::deserialize(deserializer)?))
    }
}

impl Grade {
    /// Every grade that can be earned, the weakest first.
    pub const KNOWN: [Self; 6] = [
        Self::Unverified,
        Self::ReviewOnly,
        Self::ConstructedCheck,
        Self::Interop,
        Self::KnownAnswer,
        Self::Proof,
    ];

    /// The grade of this name; [`Self::Unknown`] where this version knows none.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self::KNOWN.into_iter().find(|grade| grade.name() == name).unwrap_or(Self::Unknown)
    }

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Unverified => "unverified",
            Self::ReviewOnly => "review_only",
            Self::ConstructedCheck => "constructed_check",
            Self::Interop => "interop",
            Self::KnownAnswer => "known_answer",
            Self::Proof => "proof",
        }
    }

    /// Whether something is behind it.
    #[must_use]
    pub fn is_verified(self) -> bool {
        self > Self::Unverified
    }

    /// What a judge of the same chain of authorship is worth at most.
    #[must_use]
    pub(super) fn capped(self) -> Self {
        self.min(Self::ConstructedCheck)
    }

    /// One tier lower; what is unverified stays so.
    #[must_use]
    pub(super) fn demoted(self) -> Self {
        let below = Self::KNOWN.into_iter().rev().find(|grade| *grade < self);
        below.unwrap_or(self)
    }
}
