//! What a grader may do now: computed from its ledger and today's digests, never stored.
//!
//! Nothing grants authority but a promotion that people signed, and everything that the promotion rested on
//! takes it away when it changes. What is doubtful never grants: an unknown author, a clock that was set
//! back, a statement made for another ledger.

mod reason;
mod standing;
#[cfg(test)]
pub(crate) mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{Digest, GraderName, RubricId};
use crate::ledger::Work;
use crate::policy::Waiver;
use crate::statement::Statement;
use crate::verdict::Tier;

pub use crate::keys::Signer;
pub use reason::Reason;

/// Seconds since 1970-01-01T00:00:00Z.
pub type Seconds = i64;

/// One entry of a ledger, with the signatures on it that hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Its number, from 1.
    pub seq: u64,
    /// When it was made, as it says.
    pub at: Seconds,
    /// Who signed it.
    pub signers: Vec<Signer>,
    /// What happened.
    pub act: Act,
}

/// What happened, as far as authority is concerned.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// A component was registered. Its authors are those who signed, and whom the entry names.
    Registered {
        /// The component.
        component: Digest,
        /// The controls it is run against.
        controls: Digest,
        /// What those who are named, and those who signed, wrote of it.
        wrote: Vec<Work>,
        /// Who is named as having written it, by the persons of [`Signer`].
        authors: Vec<String>,
    },
    /// A component was promoted. The signers of the fact are those of the statement.
    Promoted {
        /// What was signed.
        statement: Box<Statement>,
    },
    /// A component repeated its record under these semantics.
    Verified {
        /// The component.
        component: Digest,
        /// The ledger that it is an entry of.
        ledger: Digest,
        /// The semantics.
        semantics: Digest,
        /// The regression controls among those it was run against.
        regression: Option<Digest>,
        /// The highest tier whose requirements held.
        held: Tier,
        /// When, as was signed.
        at: Seconds,
    },
    /// It did not.
    FailedVerification {
        /// The component.
        component: Digest,
        /// The invariants that broke.
        broke: Vec<String>,
    },
    /// Its authority was taken away.
    Revoked {
        /// The component.
        component: Digest,
        /// Why.
        reason: String,
    },
    /// A revocation was lifted.
    Lifted {
        /// The number of the revoking entry.
        revocation: u64,
    },
    /// Another component took its place.
    Superseded {
        /// The component.
        component: Digest,
        /// The one that took its place.
        by: Digest,
    },
    /// Held-out results were opened.
    Looked {
        /// Of which rubric.
        rubric: RubricId,
        /// The held-out set.
        held_out: Digest,
        /// The run: opening its results again is no further look.
        run: Digest,
    },
    /// Something that authority does not depend on.
    Other,
}

/// How things stand today.
#[derive(Debug, Clone, PartialEq)]
pub struct Today {
    /// The grader's name.
    pub grader: GraderName,
    /// The digest of its component, as it lies there.
    pub component: Digest,
    /// The digest of its controls, without the regression controls.
    pub controls: Digest,
    /// The digest of its regression controls.
    pub regression: Option<Digest>,
    /// The digest of the policy in force.
    pub policy: Digest,
    /// Whether that policy is signed under the root of trust.
    pub policy_signed: bool,
    /// Whether the root of trust is the one that was pinned outside.
    pub root_pinned: bool,
    /// The digest of the contract.
    pub contract: Digest,
    /// The engine's semantics.
    pub semantics: Digest,
    /// What tells the grader's ledger from every other: its first entry.
    pub ledger: Digest,
    /// The root of trust; absent where there is none.
    pub root: Option<Digest>,
    /// How many failures found in use no control of today's guards any more.
    pub failures_missing: u64,
    /// Now.
    pub now: Seconds,
}

/// What the policy asks of those who sign.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Persons who must sign a promotion to gating, at least.
    pub gating_quorum: u64,
    /// Persons who must sign a promotion to characterization, at least.
    pub characterization_quorum: u64,
    /// Who may promote, by principal.
    pub promoters: Vec<String>,
    /// Whether at gating the controls must be signed for by others than the grader.
    pub independent_authors: bool,
    /// Who may say that a component was verified.
    pub verifiers: Vec<String>,
    /// Who may lift a revocation.
    pub admins: Vec<String>,
    /// How old the last verification may be, in seconds.
    pub verified_within: Seconds,
}

/// What a grader may do now, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Authority {
    /// The tier it holds.
    pub tier: Tier,
    /// The tier it was promoted to, where it was; above `tier` where it has lost it.
    pub promoted_to: Option<Tier>,
    /// The entry that promoted it.
    pub by_entry: Option<u64>,
    /// Since when it holds the tier.
    pub since: Option<Seconds>,
    /// Why it holds no more.
    pub reasons: Vec<Reason>,
    /// What the tier stands on beside evidence.
    pub waivers: Vec<Waiver>,
    /// Who signed the promotion.
    pub signers: Vec<String>,
    /// When it was last verified, or else promoted.
    pub verified_at: Option<Seconds>,
    /// When the tier ends if nothing happens: its verification or its statement is too old then.
    pub ends_at: Option<Seconds>,
    /// How often held-out results were opened: rubric, held-out set, times.
    pub looks: Vec<(RubricId, Digest, u64)>,
}

impl Authority {
    /// Whether it had authority and lost it.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.promoted_to.is_some_and(|tier| tier > self.tier)
    }
}

/// Why the promotion in this entry does not count, whatever else holds; nothing where it does.
#[must_use]
pub fn why_not(facts: &[Fact], today: &Today, rules: &Rules, entry: u64) -> Vec<Reason> {
    standing::Standing::of(facts, today, rules).why_not(entry)
}

/// The persons who wrote today's component or its controls: those who signed that they did, and those who are named.
#[must_use]
pub fn authors(facts: &[Fact], today: &Today, rules: &Rules) -> Vec<String> {
    let authors = standing::Standing::of(facts, today, rules);
    let authors = authors.authors(today.component, today.controls);
    authors.into_iter().map(str::to_owned).collect()
}

/// The authority of a grader: what its ledger grants to the component that lies there today.
#[must_use]
pub fn authority(facts: &[Fact], today: &Today, rules: &Rules) -> Authority {
    standing::Standing::of(facts, today, rules).authority()
}
