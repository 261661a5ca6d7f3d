//! What a verification of a register found: each promise by name, kept or broken, for each grader and for the
//! register as a whole.
//!
//! The checks are pure functions of what a ledger says and of a run that was made again. Nothing in the model is of
//! one machine or one moment, so that parts which were made apart can be put together, byte for byte.

mod claim;
mod judge;
mod merge;
mod part;
mod rerun;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{Digest, GraderName};
use crate::ledger::{Invariant, Last};
use crate::verdict::Tier;

pub use claim::{Claim, Freshness};
pub use judge::{ALPHA, Deterioration, Paired};
pub use merge::{NotMerged, merge};
pub use part::{InvalidPart, Part};
pub use rerun::Rerun;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// What a verification of a register found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verification {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// `PASS`, or `FAIL: ` and the invariants that broke.
    pub summary: String,
    /// The part of the graders that was verified; absent where it is all of them.
    pub part: Option<Part>,
    /// The state of the register that was verified.
    pub register: RegisterState,
    /// The graders that were to be verified, in all parts together, by name.
    pub asked: BTreeSet<GraderName>,
    /// The checks of the register as a whole; in the first part and in no other.
    pub checks: Vec<Check>,
    /// The graders of this part, by name.
    pub graders: Vec<GraderVerification>,
}

/// The state of a register: what tells it from every other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterState {
    /// The root of trust; absent where there is none, or it cannot be relied upon.
    pub root: Option<Digest>,
    /// Whether it is the one that was pinned outside, or comes from it.
    pub root_pinned: bool,
    /// The policy's file and what it comes to.
    pub policy: Digest,
    /// Every grader that is registered, by name, with the ends of its ledgers.
    pub graders: Vec<Ends>,
}

/// The ends of a grader's two ledgers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ends {
    /// The grader.
    pub grader: GraderName,
    /// The end of its ledger; absent where one of the two is damaged.
    pub main: Option<LedgerEnd>,
    /// The end of its verifications.
    pub verified: Option<LedgerEnd>,
}

/// The last entry of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LedgerEnd {
    /// Its number; 0 where there is none.
    pub entry: u64,
    /// The digest of its line; of the genesis where there is none.
    pub digest: Digest,
}

impl From<Last> for LedgerEnd {
    fn from(last: Last) -> Self {
        Self { entry: last.seq, digest: last.digest }
    }
}

/// What was found of one grader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraderVerification {
    /// Its name.
    pub name: GraderName,
    /// The component that was run; absent where none was.
    pub component: Option<Digest>,
    /// The tier that its ledger claims for it: that of its standing promotion.
    pub claims: Option<Tier>,
    /// What else is to be known: why nothing is claimed, what was taken from the signed statement.
    pub notes: Vec<String>,
    /// The tier that this run reaches, on the controls it was run on.
    pub reaches: Option<Tier>,
    /// Trials of this run.
    pub trials: Option<u64>,
    /// The record that an author may have, by its digest.
    pub record: Option<Digest>,
    /// The report that an author may have, by its digest.
    pub report: Option<Digest>,
    /// The kind of entry that was appended to its ledger; absent where none was.
    pub appended: Option<Appended>,
    /// Every check.
    pub checks: Vec<Check>,
}

/// An entry that tells of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Appended {
    /// It held.
    Verified,
    /// It did not.
    FailedVerification,
}

impl Appended {
    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::FailedVerification => "failed-verification",
        }
    }
}

/// Whether one promise was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The promise.
    pub invariant: Invariant,
    /// Whether it was kept.
    pub held: bool,
    /// What kind of breach it is, where it was not.
    pub breach: Option<Breach>,
    /// What was seen.
    pub detail: String,
}

/// What kind of breach it is that a promise was not kept, the lightest first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Breach {
    /// It was evaluated, and is not met.
    NotMet,
    /// The ledger claims authority that there is not any more.
    Stale,
    /// A digest, chain, signature, version or clock is wrong.
    Integrity,
}

impl Check {
    /// A promise that was kept.
    #[must_use]
    pub fn held(invariant: Invariant, detail: impl Into<String>) -> Self {
        Self { invariant, held: true, breach: None, detail: detail.into() }
    }

    /// A promise that was broken.
    #[must_use]
    pub fn broke(invariant: Invariant, breach: Breach, detail: impl Into<String>) -> Self {
        Self { invariant, held: false, breach: Some(breach), detail: detail.into() }
    }

    /// Kept where nothing was found against it; else the gravest of what was found counts.
    fn of(invariant: Invariant, found: Vec<(Breach, String)>, held: impl Into<String>) -> Self {
        match found.iter().map(|(breach, _)| *breach).max() {
            None => Self::held(invariant, held),
            Some(breach) => {
                let details: Vec<_> = found.into_iter().map(|(_, detail)| detail).collect();
                Self::broke(invariant, breach, details.join("; "))
            }
        }
    }
}

/// What is checked of the register as a whole.
pub const OF_REGISTER: [Invariant; 4] = [
    Invariant::AbsenceIsNeverGreen,
    Invariant::LedgerIntact,
    Invariant::SandboxHolds,
    Invariant::EvidenceIsGraded,
];

/// What is checked of every grader.
pub const OF_GRADER: [Invariant; 1] = [Invariant::LedgerIntact];

/// What is checked of a grader whose ledger claims authority for it.
pub const OF_CLAIM: [Invariant; 9] = [
    Invariant::AbsenceIsNeverGreen,
    Invariant::SeriousFailureNeverAveraged,
    Invariant::AuthorityFollowsDigest,
    Invariant::NoAuthorityWithoutSignOff,
    Invariant::NoSelfCertification,
    Invariant::LedgerIntact,
    Invariant::ControlsBite,
    Invariant::ReproducibleRecord,
    Invariant::VerificationIsFresh,
];

impl GraderVerification {
    /// A grader of which nothing more can be told than that its ledger cannot be relied upon.
    #[must_use]
    pub fn damaged(name: GraderName, detail: impl Into<String>) -> Self {
        let check = Check::broke(Invariant::LedgerIntact, Breach::Integrity, detail);
        Self { checks: vec![check], ..Self::new(name) }
    }

    /// A grader of which nothing was checked yet.
    #[must_use]
    pub fn new(name: GraderName) -> Self {
        Self {
            name,
            component: None,
            claims: None,
            notes: Vec::new(),
            reaches: None,
            trials: None,
            record: None,
            report: None,
            appended: None,
            checks: Vec::new(),
        }
    }

    /// Whether every promise was kept.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.checks.iter().all(|check| check.held)
    }

    /// The invariants that broke.
    #[must_use]
    pub fn broke(&self) -> Vec<Invariant> {
        in_order(&self.checks)
    }

    /// The checks that must be there and are not: what was not looked at was not kept.
    fn missing(&self) -> Vec<Invariant> {
        let asked: &[Invariant] = if self.claims.is_some() { &OF_CLAIM } else { &OF_GRADER };
        // Of a ledger that cannot be relied upon nothing more can be told.
        let damaged =
            self.checks.iter().any(|it| it.invariant == Invariant::LedgerIntact && !it.held);
        if damaged { Vec::new() } else { missing(asked, &self.checks) }
    }
}

/// The invariants among these that no check tells of.
fn missing(asked: &[Invariant], checks: &[Check]) -> Vec<Invariant> {
    let told = |wanted: &Invariant| checks.iter().any(|check| check.invariant == *wanted);
    asked.iter().copied().filter(|wanted| !told(wanted)).collect()
}

/// The invariants that broke, each once, in the order in which they are told.
fn in_order<'a>(checks: impl IntoIterator<Item = &'a Check>) -> Vec<Invariant> {
    let broke: BTreeSet<_> =
        checks.into_iter().filter(|check| !check.held).map(|check| check.invariant).collect();
    Invariant::ALL.into_iter().filter(|invariant| broke.contains(invariant)).collect()
}

impl Verification {
    /// A verification: everything in its order, and the summary of it. What must be checked and was not is broken.
    #[must_use]
    pub fn new(
        part: Option<Part>,
        register: RegisterState,
        asked: BTreeSet<GraderName>,
        checks: Vec<Check>,
        graders: Vec<GraderVerification>,
    ) -> Self {
        let mut verification =
            Self { format: FORMAT, summary: String::new(), part, register, asked, checks, graders };
        if part.is_none_or(Part::is_first) {
            complete(&OF_REGISTER, &mut verification.checks);
        }
        for grader in &mut verification.graders {
            let missing = grader.missing();
            complete(&missing, &mut grader.checks);
        }
        verification.graders.sort_by(|a, b| a.name.cmp(&b.name));
        verification.summary = summary(&verification.broke());
        verification
    }

    /// Every check, of the register and of each grader.
    pub fn all_checks(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().chain(self.graders.iter().flat_map(|grader| &grader.checks))
    }

    /// The invariants that broke.
    #[must_use]
    pub fn broke(&self) -> Vec<Invariant> {
        in_order(self.all_checks())
    }

    /// The gravest breach, where there is any.
    #[must_use]
    pub fn breach(&self) -> Option<Breach> {
        self.all_checks().filter_map(|check| check.breach).max()
    }
}

/// `PASS`, or `FAIL: ` and what broke.
fn summary(broke: &[Invariant]) -> String {
    match broke {
        [] => "PASS".to_owned(),
        broke => {
            let names: Vec<_> = broke.iter().map(|it| it.name()).collect();
            format!("FAIL: {}", names.join(", "))
        }
    }
}

/// Puts checks in their order, those that nobody made as broken.
fn complete(asked: &[Invariant], checks: &mut Vec<Check>) {
    for invariant in missing(asked, checks) {
        checks.push(Check::broke(invariant, Breach::NotMet, "nobody looked"));
    }
    checks.sort_by_key(|check| check.invariant);
}
