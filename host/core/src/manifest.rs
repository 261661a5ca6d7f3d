//! What a grader says of itself, and what the host refuses to believe of it.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{GraderName, InvalidId, RubricId, RuleId};
use crate::untrusted::Untrusted;
use crate::verdict::{RuleTier, Scope};

/// The most rules of one grader. Each owes a verdict in every trial, and one a claim where it judges each.
pub const MOST_RULES: usize = 1_000;

/// A grader's description of itself, checked. Only [`RawManifest::check`] makes one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// The grader's name.
    pub name: GraderName,
    /// Its version, as its author writes versions.
    pub version: Untrusted,
    /// The rubric it checks.
    pub rubric: RubricId,
    /// The rules, in the grader's order.
    pub rules: Vec<Rule>,
    /// A JSON object as text, or empty.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub extra: Untrusted,
}

/// One rule of the rubric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rule {
    /// The rule's id.
    pub id: RuleId,
    /// The rule in words.
    pub text: Untrusted,
    /// How much it weighs.
    pub tier: RuleTier,
    /// How many findings it owes.
    pub scope: Scope,
    /// What a case must hold for the rule to be decidable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<Untrusted>,
}

impl Manifest {
    /// The rule of this id, if the manifest declares it.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.id.as_str() == id)
    }
}

/// A manifest as a grader returned it, nothing checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawManifest {
    /// The name as returned.
    pub name: String,
    /// The version as returned.
    pub version: String,
    /// The rubric as returned.
    pub rubric: String,
    /// The rules as returned.
    pub rules: Vec<RawRule>,
    /// `extra` as returned.
    pub extra: String,
}

/// A rule as a grader returned it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawRule {
    /// The id as returned.
    pub id: String,
    /// The text as returned.
    pub text: String,
    /// The tier.
    pub tier: RuleTier,
    /// The scope.
    pub scope: Scope,
    /// The needs as returned.
    pub needs: Vec<String>,
}

/// One thing wrong with a manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestFault {
    /// A name, rubric or rule id has other characters than an id may have.
    #[error("{0}")]
    Id(#[from] InvalidId),
    /// Two rules share an id.
    #[error("two rules share the id `{0}`: give each its own")]
    DuplicateRule(RuleId),
    /// There is nothing to judge by.
    #[error("the manifest declares no rule: a grader needs at least one")]
    NoRules,
    /// More than any rubric has.
    #[error(
        "the manifest declares {0} rules, more than the limit of {MOST_RULES}: split the rubric"
    )]
    TooManyRules(usize),
    /// `extra` is neither empty nor a JSON object.
    #[error("`extra` is not a JSON object: return \"\" or an object")]
    Extra,
}

impl RawManifest {
    /// Checks everything at once.
    ///
    /// # Errors
    /// Every fault found, never an empty list.
    pub fn check(self) -> Result<Manifest, Vec<ManifestFault>> {
        if self.rules.len() > MOST_RULES {
            return Err(vec![ManifestFault::TooManyRules(self.rules.len())]);
        }
        let mut faults = Vec::new();
        let name = GraderName::new(self.name).map_err(|e| faults.push(e.into())).ok();
        let rubric = RubricId::new(self.rubric).map_err(|e| faults.push(e.into())).ok();
        let mut seen = BTreeSet::new();
        let mut rules = Vec::with_capacity(self.rules.len());
        for raw in self.rules {
            match RuleId::new(raw.id) {
                Ok(id) if !seen.insert(id.clone()) => faults.push(ManifestFault::DuplicateRule(id)),
                Ok(id) => rules.push(Rule {
                    id,
                    text: Untrusted::new(raw.text),
                    tier: raw.tier,
                    scope: raw.scope,
                    needs: raw.needs.into_iter().map(Untrusted::new).collect(),
                }),
                Err(error) => faults.push(error.into()),
            }
        }
        if rules.is_empty() && faults.is_empty() {
            faults.push(ManifestFault::NoRules);
        }
        if !is_object_or_empty(&self.extra) {
            faults.push(ManifestFault::Extra);
        }
        match (name, rubric) {
            (Some(name), Some(rubric)) if faults.is_empty() => Ok(Manifest {
                name,
                version: Untrusted::new(self.version),
                rubric,
                rules,
                extra: Untrusted::new(self.extra),
            }),
            _ => Err(faults),
        }
    }
}

/// Whether this is an acceptable `extra`: empty, or a JSON object of bounded depth.
#[must_use]
pub fn is_object_or_empty(extra: &str) -> bool {
    extra.is_empty()
        || serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(extra).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(name: &str, ids: &[&str]) -> RawManifest {
        RawManifest {
            name: name.into(),
            version: "1".into(),
            rubric: "r".into(),
            rules: ids
                .iter()
                .map(|id| RawRule {
                    id: (*id).into(),
                    text: String::new(),
                    tier: RuleTier::Essential,
                    scope: Scope::Output,
                    needs: vec![],
                })
                .collect(),
            extra: String::new(),
        }
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let faults = raw("../etc", &["", "a", "a", "B"]).check().expect_err("four faults");
        assert_eq!(faults.len(), 4, "{faults:?}");
        assert_eq!(raw("g", &[]).check(), Err(vec![ManifestFault::NoRules]));
        let many = raw("g", &["a"; MOST_RULES + 1]).check();
        assert_eq!(many, Err(vec![ManifestFault::TooManyRules(MOST_RULES + 1)]));
        assert!(raw("g", &["a", "b"]).check().is_ok());
    }

    #[test]
    fn deep_extra_is_refused_not_followed() {
        let mut manifest = raw("g", &["a"]);
        manifest.extra = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(manifest.check(), Err(vec![ManifestFault::Extra]));
    }
}
