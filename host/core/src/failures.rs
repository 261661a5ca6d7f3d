//! Failures found in use: what a ledger keeps of them, and how each stands today.
//!
//! A wrong verdict in use becomes a regression control, and is closed only when it is *guarded*: the control was
//! run on a component that failed and caught it, and on one that does not fail and passed it. Nothing of this is
//! stored as a state: it follows from the ledger, from today's controls, and from what today's component does.

mod judged;
mod kept;
#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::control::set::{Expectation, Place};
use crate::id::{ControlId, Digest, GraderName};
use crate::ledger::Moment;
use crate::run::event::CaseTexts;
use crate::untrusted::Untrusted;
use crate::verdict::{Tier, Verdict};

pub use judged::{Judged, bears_out, judged};
pub use kept::{
    Checked, Missing, WhyMissing, contents, failures, guards, keeps, missing, withdrawn,
};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// Failures found in use, by grader.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Failures {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// When this was.
    pub now: Moment,
    /// The graders.
    pub graders: Vec<GraderFailures>,
}

/// One grader's failures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraderFailures {
    /// Its name.
    pub grader: GraderName,
    /// The component that lies there today, which the controls were run on.
    pub component: Digest,
    /// Why they were not run on it, where they were not: what is not run is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_run: Option<String>,
    /// The failures: missing ones first, then open, fixed, guarded; of these the recurring ones first.
    pub failures: Vec<Failure>,
    /// What it had and lost, where it lost authority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Lost>,
}

/// How a failure stands.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Its control is no longer in the set, or expects something else: nothing shows that it does not happen again.
    Missing,
    /// Today's component still gets it wrong, or was not run.
    Open,
    /// Today's component gets it right, and nothing shows yet that the control tells it from one that does not.
    Fixed,
    /// The control caught a component that failed, passed one that does not, and is right today.
    Guarded,
    /// Somebody signed that it was none.
    Withdrawn,
}

impl State {
    /// Every state, in the order in which failures are told.
    pub const ALL: [Self; 5] =
        [Self::Missing, Self::Open, Self::Fixed, Self::Guarded, Self::Withdrawn];

    /// The name used in output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Open => "open",
            Self::Fixed => "fixed",
            Self::Guarded => "guarded",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// One failure, however often it was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// Its control, by the name it has today, or had last.
    pub control: ControlId,
    /// The digest of its case's content.
    pub content: Digest,
    /// How it stands.
    pub state: State,
    /// Why it is missing, where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_missing: Option<WhyMissing>,
    /// How often it was seen.
    pub seen: u64,
    /// When it was first entered.
    pub first: Moment,
    /// When it was last entered.
    pub last: Moment,
    /// The components that it was seen with, the last one first.
    pub components: Vec<Digest>,
    /// What the case must get, as it was found.
    pub expected: Expectation,
    /// What the component said when it was last entered; absent where it said nothing.
    pub got: Option<Verdict>,
    /// What today's component says; absent where it was not run or says nothing.
    pub says: Option<Verdict>,
    /// What the user saw, in the user's words.
    pub saw: Untrusted,
    /// Which requirement of the product it broke; empty where nobody said.
    pub requirement: Untrusted,
    /// Why it came to it; empty where nobody said.
    pub cause: Untrusted,
    /// Where its control stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Place>,
    /// What its control expects today.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expects: Option<Expectation>,
    /// The case's texts, cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<CaseTexts>,
    /// The last run that told an old component from a new one by its control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Guard>,
}

/// A run that told an old component from a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Guard {
    /// The component that the control catches.
    pub catches: Digest,
    /// The one that it passes.
    pub passes: Digest,
    /// The record of the run in which it caught the one.
    pub caught: Digest,
    /// The record of the run in which it passed the other.
    pub passed: Digest,
    /// The ledger's entry.
    pub entry: u64,
}

/// Authority that was lost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lost {
    /// The tier it was promoted to.
    pub promoted_to: Tier,
    /// The entry that promoted it.
    pub by_entry: Option<u64>,
    /// When that was.
    pub promoted_at: Option<Moment>,
    /// Why it holds it no more.
    pub reasons: Vec<String>,
    /// The gate results since then that rested on it, by name.
    pub rested: Vec<String>,
    /// Gate results that are kept in the register and that this version cannot read: any of them may have.
    pub unread: u64,
}

impl GraderFailures {
    /// How many are in this state.
    #[must_use]
    pub fn count(&self, state: State) -> u64 {
        self.failures.iter().filter(|it| it.state == state).count() as u64
    }
}

impl Failures {
    /// Whether any failure of any grader is in this state.
    #[must_use]
    pub fn any(&self, state: State) -> bool {
        self.graders.iter().any(|grader| grader.count(state) > 0)
    }
}
