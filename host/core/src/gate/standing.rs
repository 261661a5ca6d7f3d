//! How a check, a step, a run or a case stands, and what that comes to: true, false or undefined.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::verdict::Verdict;

/// Whether something holds. What nobody measured is neither true nor false.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Truth {
    /// It was checked and does not hold.
    False,
    /// It is not known.
    Undefined,
    /// It was checked and holds.
    True,
}

impl Truth {
    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::False => "false",
            Self::Undefined => "undefined",
            Self::True => "true",
        }
    }
}

/// How something stands, the best first: the worst of the parts decides the whole.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Every check had nothing to say.
    NotApplicable,
    /// Every check that applies passed.
    Passed,
    /// Some check waits for something that has not happened yet.
    Unresolved,
    /// What was given does not show whether some check holds.
    Unproven,
    /// Evidence that was selected is not there.
    Missing,
    /// Some check failed.
    Failed,
}

impl Standing {
    /// The worst of several; absent over nothing.
    pub fn worst(all: impl IntoIterator<Item = Self>) -> Option<Self> {
        all.into_iter().max()
    }

    /// Whether it passed or failed.
    #[must_use]
    pub fn is_verdicted(self) -> bool {
        matches!(self, Self::Passed | Self::Failed)
    }

    /// What it comes to.
    #[must_use]
    pub fn truth(self) -> Truth {
        match self {
            Self::Passed => Truth::True,
            Self::Failed => Truth::False,
            Self::NotApplicable | Self::Unresolved | Self::Unproven | Self::Missing => {
                Truth::Undefined
            }
        }
    }

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NotApplicable => "not-applicable",
            Self::Passed => "passed",
            Self::Unresolved => "unresolved",
            Self::Unproven => "unproven",
            Self::Missing => "missing",
            Self::Failed => "failed",
        }
    }
}

impl From<Verdict> for Standing {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Passed,
            Verdict::Fail => Self::Failed,
            Verdict::NotApplicable => Self::NotApplicable,
            Verdict::Unproven => Self::Unproven,
            Verdict::Unresolved => Self::Unresolved,
        }
    }
}
