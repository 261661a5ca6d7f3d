//! What a rule comes to, how much it weighs, and how much a grader's word may count.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One rule's verdict. There is no sixth value: anything else is an error where it is read.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The rule was checked and holds.
    Pass,
    /// The rule was checked and is broken.
    Fail,
    /// The rule has nothing to say about this case.
    NotApplicable,
    /// The rule applies, but what was given does not show whether it holds.
    Unproven,
    /// The rule can only be settled by something that has not happened yet.
    Unresolved,
}

impl Verdict {
    /// Every verdict, in the order in which tables show them.
    pub const ALL: [Self; 5] =
        [Self::Pass, Self::Fail, Self::NotApplicable, Self::Unproven, Self::Unresolved];

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::NotApplicable => "not-applicable",
            Self::Unproven => "unproven",
            Self::Unresolved => "unresolved",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How much a rule weighs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum RuleTier {
    /// A failure is never averaged away.
    Essential,
    /// A failure fails the case.
    Important,
    /// Shown; never decides a case.
    Optional,
    /// The rule names something that must not be there. A failure is never averaged away.
    MustNot,
}

impl RuleTier {
    /// Whether a failed rule of this tier fails the case.
    #[must_use]
    pub fn decides(self) -> bool {
        self != Self::Optional
    }
}

/// How many findings a rule owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// One finding for the output as a whole.
    Output,
    /// One finding for each claim of the case.
    EachClaim,
}

/// The authority a grader may hold, lowest first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Its findings are shown and block nothing. Every grader starts here.
    Advisory,
    /// Its rates are known well enough to describe a system with.
    Characterization,
    /// It may block a release.
    Gating,
}

impl Tier {
    /// Every tier, lowest first.
    pub const ALL: [Self; 3] = [Self::Advisory, Self::Characterization, Self::Gating];

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Advisory => "advisory",
            Self::Characterization => "characterization",
            Self::Gating => "gating",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text named no tier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown tier `{0}`: use advisory, characterization or gating")]
pub struct UnknownTier(String);

impl FromStr for Tier {
    type Err = UnknownTier;
    fn from_str(text: &str) -> Result<Self, UnknownTier> {
        Self::ALL
            .into_iter()
            .find(|tier| tier.name() == text)
            .ok_or_else(|| UnknownTier(text.to_owned()))
    }
}

/// What kind of grader this is: derived from what it imports, never from what it says of itself.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum GraderKind {
    /// Code alone.
    Code,
    /// It asks a model, or the policy says that one is compiled in.
    Judge,
}

impl GraderKind {
    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Judge => "judge",
        }
    }
}

impl fmt::Display for GraderKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sixth_verdict_is_an_error() {
        for verdict in Verdict::ALL {
            let text = format!("\"{verdict}\"");
            assert_eq!(serde_json::from_str::<Verdict>(&text).ok(), Some(verdict));
        }
        for other in ["\"PASS\"", "\"ok\"", "\"\"", "true", "1", "null"] {
            assert!(serde_json::from_str::<Verdict>(other).is_err(), "{other}");
        }
    }

    #[test]
    fn tiers_are_ordered() {
        assert!(Tier::Advisory < Tier::Characterization && Tier::Characterization < Tier::Gating);
        assert!("Gating".parse::<Tier>().is_err());
    }
}
