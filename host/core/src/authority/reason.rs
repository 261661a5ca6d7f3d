//! Why a grader holds no more than it does.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Seconds;
use crate::id::Digest;
use crate::ledger::Work;
use crate::verdict::Tier;

/// One reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The ledger does not know the component.
    NotRegistered,
    /// Nobody promoted it.
    NotPromoted,
    /// The component that was promoted is another.
    ComponentChanged {
        /// Which.
        promoted: Digest,
    },
    /// Something that the evidence rested on is another than it was.
    Changed {
        /// `controls`, `policy`, `contract`, `root` or `ledger`.
        what: String,
        /// What it was.
        promoted: Option<Digest>,
        /// What it is.
        today: Option<Digest>,
    },
    /// The engine's semantics are new, and the component has not been verified under them.
    SemanticsChanged,
    /// Fewer people signed than the policy asks.
    TooFewSigners {
        /// The tier.
        tier: Tier,
        /// How many count.
        signed: u64,
        /// How many are asked.
        asked: u64,
    },
    /// Somebody signed for what they wrote.
    SignedByAuthor {
        /// Who.
        principal: String,
    },
    /// Nobody signed as the author of a part, and an unknown author may be the signer.
    AuthorUnknown {
        /// Of what.
        of: Work,
    },
    /// One person signed as the author of both the grader and its controls.
    AuthorsNotIndependent {
        /// Who.
        person: String,
    },
    /// The root of trust is pinned nowhere outside: whoever can write it says who may sign.
    RootNotPinned,
    /// A failure found in use is in no control any more.
    FailureMissing {
        /// How many are.
        failures: u64,
    },
    /// The regression controls are others than those it was last run against.
    RegressionNotRun,
    /// The policy is not signed under a root of trust: it grants nothing above characterization.
    PolicyUnsigned,
    /// The statement is of a kind that this version does not know, or leaves a tier out.
    StatementUnknown,
    /// The statement has run out.
    Expired {
        /// When.
        at: Seconds,
    },
    /// It was not verified lately.
    NotVerified {
        /// When it last was, or was promoted.
        last: Seconds,
        /// How long that lasts.
        within: Seconds,
    },
    /// It failed its last verification.
    FailedVerification {
        /// The entry.
        entry: u64,
        /// The invariants that broke.
        broke: Vec<String>,
    },
    /// Another component took its place.
    Superseded {
        /// The entry.
        entry: u64,
        /// By which.
        by: Digest,
    },
    /// Its authority was revoked.
    Revoked {
        /// The entry.
        entry: u64,
        /// Why.
        reason: String,
    },
    /// The clock is behind the ledger.
    ClockSetBack {
        /// The latest moment that the ledger knows.
        ledger: Seconds,
        /// Now.
        now: Seconds,
    },
}

impl Reason {
    /// Whether it says of a promotion that too few people, or the wrong ones, signed for it.
    #[must_use]
    pub fn is_of_sign_off(&self) -> bool {
        matches!(
            self,
            Self::StatementUnknown
                | Self::TooFewSigners { .. }
                | Self::SignedByAuthor { .. }
                | Self::AuthorUnknown { .. }
                | Self::AuthorsNotIndependent { .. }
                | Self::NotRegistered
        ) || matches!(self, Self::Changed { what, .. } if what == "ledger")
    }

    /// The reason in words, for "stale because ...".
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::NotRegistered => "the component is not registered".to_owned(),
            Self::NotPromoted => "the component was not promoted".to_owned(),
            Self::ComponentChanged { promoted } => {
                format!("the component changed: {} was promoted", promoted.short())
            }
            Self::Changed { what, promoted, today } => {
                let short = |digest: &Option<Digest>| digest.map_or("none".to_owned(), |it| it.short());
                format!("the {what} changed: {} then, {} now", short(promoted), short(today))
            }
            Self::SemanticsChanged => {
                "the engine's semantics changed: verify it again, no new signature is needed".to_owned()
            }
            Self::TooFewSigners { tier, signed, asked } => {
                format!("{tier} takes {asked} signatures that count, and has {signed}")
            }
            Self::SignedByAuthor { principal } => {
                format!("{principal} wrote the grader or its controls, and signed for it")
            }
            Self::AuthorUnknown { of: Work::Grader } => {
                "nobody signed as the author of the grader".to_owned()
            }
            Self::AuthorUnknown { of: Work::Controls } => {
                "nobody signed as the author of the controls".to_owned()
            }
            Self::AuthorsNotIndependent { person } => {
                format!("{person} signed as the author of both the grader and its controls")
            }
            Self::RootNotPinned => {
                "the root of trust is not pinned (--root-digest or ACCREDIT_ROOT_DIGEST): it grants nothing above characterization".to_owned()
            }
            Self::FailureMissing { failures: 1 } => {
                "a failure found in use is in no control any more: `accredit failures` names it".to_owned()
            }
            Self::FailureMissing { failures } => {
                format!("{failures} failures found in use are in no control any more: `accredit failures` names them")
            }
            Self::RegressionNotRun => {
                "the regression controls changed since it was last run against them: `accredit verify` runs them".to_owned()
            }
            Self::PolicyUnsigned => {
                "policy and signers are not both signed under a root of trust: nothing above characterization is granted".to_owned()
            }
            Self::StatementUnknown => "the statement is of no kind that this version knows".to_owned(),
            Self::Expired { .. } => "the promotion has run out".to_owned(),
            Self::NotVerified { within, .. } => {
                format!("it was not verified within {} days", within / 86_400)
            }
            Self::FailedVerification { entry, broke } => {
                format!("it failed verification (entry {entry}): {}", broke.join(", "))
            }
            Self::Superseded { entry, by } => {
                format!("component {} took its place (entry {entry})", by.short())
            }
            Self::Revoked { entry, reason } => format!("it was revoked (entry {entry}): {reason}"),
            Self::ClockSetBack { .. } => "the clock is behind the ledger's latest entry".to_owned(),
        }
    }
}
