//! The names that `wit/grader.wit` gives to the records, for the bindings to find. All but the
//! manifest are the SDK's own types, so nothing is converted on the way in or out.

pub use crate::case::{Artifact, Case as GradingCase, Claim, Evidence, Message};
pub use crate::finding::{Citation, Finding, Refusal, RefusalKind, Verdict};
pub use crate::rubric::{Scope, Tier};

/// A rule as it crosses the boundary: the same as [`crate::Rule`], owned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// See [`crate::Rule::id`].
    pub id: String,
    /// See [`crate::Rule::text`].
    pub text: String,
    /// See [`crate::Rule::tier`].
    pub tier: Tier,
    /// See [`crate::Rule::scope`].
    pub scope: Scope,
    /// See [`crate::Rule::needs`].
    pub needs: Vec<String>,
}

/// What a grader says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// See [`crate::Grader::name`].
    pub name: String,
    /// See [`crate::Grader::version`].
    pub version: String,
    /// See [`crate::Grader::rubric`].
    pub rubric: String,
    /// See [`crate::Grader::rules`].
    pub rules: Vec<Rule>,
    /// A JSON object as text, or `""` for none.
    pub extra: String,
}

impl From<&crate::Rule> for Rule {
    fn from(rule: &crate::Rule) -> Self {
        Self {
            id: rule.id.into(),
            text: rule.text.into(),
            tier: rule.tier,
            scope: rule.scope,
            needs: rule.needs.iter().map(|&need| need.into()).collect(),
        }
    }
}

impl From<&crate::Grader> for Manifest {
    fn from(grader: &crate::Grader) -> Self {
        Self {
            name: grader.name.into(),
            version: grader.version.into(),
            rubric: grader.rubric.into(),
            rules: grader.rules.iter().map(Rule::from).collect(),
            extra: String::new(),
        }
    }
}
