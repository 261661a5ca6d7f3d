//! How far along a result is; and, apart from that, whether a person approved it.
//!
//! What is planned is no result, what is implemented is not measured, and what is measured is not approved: none of
//! these is ever read as the next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::persons::{Choice, Decided};
use super::standing::{Standing, Truth};
use crate::ledger::Moment;
use crate::untrusted::Untrusted;

/// How far along a result is, the least first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It was selected, and nothing of it is there.
    Planned,
    /// It ran, and has no verdict.
    Implemented,
    /// It has a verdict.
    Measured,
}

impl Status {
    /// The status of something that stands so; `ran` tells whether a record of it is there.
    #[must_use]
    pub fn of(standing: Standing, ran: bool) -> Self {
        match standing {
            _ if !ran => Self::Planned,
            Standing::Passed | Standing::Failed | Standing::NotApplicable => Self::Measured,
            Standing::Unresolved | Standing::Unproven | Standing::Missing => Self::Implemented,
        }
    }

    /// The status of what consists of these: what is partly there is implemented, and measured only as a whole.
    pub fn of_all(parts: impl IntoIterator<Item = Self>) -> Self {
        let both = |one: Self, other: Self| if one == other { one } else { Self::Implemented };
        parts.into_iter().reduce(both).unwrap_or(Self::Planned)
    }

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Implemented => "implemented",
            Self::Measured => "measured",
        }
    }
}

/// Who approved a result, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Approval {
    /// Who.
    pub by: Untrusted,
    /// When.
    pub at: Moment,
}

impl Approval {
    /// The approval that a person's word gives to the results of a gate: where the release goes by it.
    #[must_use]
    pub fn of(decided: Option<&Decided>, verdict: Truth) -> Option<Self> {
        let decided = decided.filter(|it| it.choice == Choice::Release);
        let decided = decided.filter(|_| verdict == Truth::True)?;
        Some(Self { by: decided.by.clone(), at: decided.at })
    }
}

/// Results, by how far along they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Statuses {
    /// Selected, and nothing is there.
    pub planned: u64,
    /// Ran, without a verdict.
    pub implemented: u64,
    /// With a verdict.
    pub measured: u64,
    /// Approved by a person, of all of these.
    pub approved: u64,
}

impl Statuses {
    /// Counts results, each with whether it is approved.
    pub fn count(results: impl IntoIterator<Item = (Status, bool)>) -> Self {
        let mut counts = Self::default();
        for (status, approved) in results {
            *match status {
                Status::Planned => &mut counts.planned,
                Status::Implemented => &mut counts.implemented,
                Status::Measured => &mut counts.measured,
            } += 1;
            counts.approved += u64::from(approved);
        }
        counts
    }
}
