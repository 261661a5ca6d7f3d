//! The promises that a nightly verification pins, by name.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A promise that `accredit verify` re-checks. A failed verification names those that broke.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Invariant {
    /// What was not evaluated is never met.
    AbsenceIsNeverGreen,
    /// A serious failure is not averaged away.
    SeriousFailureNeverAveraged,
    /// Authority belongs to exact bytes.
    AuthorityFollowsDigest,
    /// Nobody gates without a person's signature.
    NoAuthorityWithoutSignOff,
    /// Nobody signs for their own work.
    NoSelfCertification,
    /// Every ledger is whole.
    LedgerIntact,
    /// The controls tell a grader from a baseline.
    ControlsBite,
    /// Every limit of the sandbox holds.
    SandboxHolds,
    /// The same run gives the same record.
    ReproducibleRecord,
    /// Every run that a kept gate tells of has a grade of its evidence, and nobody made one up.
    EvidenceIsGraded,
    /// Evidence is not older than the policy allows.
    VerificationIsFresh,
}

impl Invariant {
    /// Every invariant, in the order in which they are told.
    pub const ALL: [Self; 11] = [
        Self::AbsenceIsNeverGreen,
        Self::SeriousFailureNeverAveraged,
        Self::AuthorityFollowsDigest,
        Self::NoAuthorityWithoutSignOff,
        Self::NoSelfCertification,
        Self::LedgerIntact,
        Self::ControlsBite,
        Self::SandboxHolds,
        Self::ReproducibleRecord,
        Self::EvidenceIsGraded,
        Self::VerificationIsFresh,
    ];

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AbsenceIsNeverGreen => "absence-is-never-green",
            Self::SeriousFailureNeverAveraged => "serious-failure-never-averaged",
            Self::AuthorityFollowsDigest => "authority-follows-digest",
            Self::NoAuthorityWithoutSignOff => "no-authority-without-sign-off",
            Self::NoSelfCertification => "no-self-certification",
            Self::LedgerIntact => "ledger-intact",
            Self::ControlsBite => "controls-bite",
            Self::SandboxHolds => "sandbox-holds",
            Self::ReproducibleRecord => "reproducible-record",
            Self::EvidenceIsGraded => "evidence-is-graded",
            Self::VerificationIsFresh => "verification-is-fresh",
        }
    }
}

impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Invariant;

    #[test]
    fn names_are_those_of_the_files() {
        for invariant in Invariant::ALL {
            let text = serde_json::to_string(&invariant).expect("an enum");
            assert_eq!(text, format!("\"{invariant}\""));
        }
    }
}
