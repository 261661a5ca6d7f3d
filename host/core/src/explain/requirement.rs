//! One requirement: what it means, why it is there, how it is measured, what a policy asks, how to meet it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{RateExplanation, explain};
use crate::policy::{Policy, RequirementId};
use crate::verdict::{GraderKind, Tier};

mod texts;

/// A requirement, explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequirementExplanation {
    /// Which requirement.
    pub id: RequirementId,
    /// What it means, in a sentence.
    pub means: String,
    /// Why it is there.
    pub why: String,
    /// How it is measured, and when it counts as not evaluated.
    pub measured: String,
    /// How to meet it, one step after the other.
    pub to_meet: Vec<String>,
    /// Whether a policy may do without it.
    pub waivable: bool,
    /// What the policy asks: one entry for each kind of grader and tier.
    pub asked: Vec<Asked>,
}

/// What one tier asks of one kind of grader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Asked {
    /// The kind of grader.
    pub grader: GraderKind,
    /// The tier.
    pub tier: Tier,
    /// What is asked, in words; none where this tier asks nothing of the sort.
    pub asks: Vec<String>,
    /// Why it is waived, where it is.
    pub waived: Option<String>,
}

/// One line of the list of requirements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequirementLine {
    /// Which requirement.
    pub id: RequirementId,
    /// What it means, in a sentence.
    pub means: String,
}

/// Every requirement, in the order of reports.
#[must_use]
pub fn requirements() -> Vec<RequirementLine> {
    let line = |id| RequirementLine { id, means: texts::of(id).means.to_owned() };
    RequirementId::ALL.into_iter().map(line).collect()
}

/// Explains one requirement under a policy.
#[must_use]
pub fn requirement(id: RequirementId, policy: &Policy) -> RequirementExplanation {
    let text = texts::of(id);
    let asked = explain(policy).tiers.into_iter().map(|tier| {
        let rates = tier.rates.iter().filter(|rate| rate.id == id);
        let others = tier.others.iter().filter(|(other, _)| *other == id);
        Asked {
            grader: tier.grader,
            tier: tier.tier,
            asks: others
                .map(|(_, text)| text.clone())
                .chain(rates.map(|rate| in_words(rate, policy.confidence)))
                .collect(),
            waived: policy.waiver(tier.tier, id).map(|waiver| waiver.reason.clone()),
        }
    });
    RequirementExplanation {
        id,
        means: text.means.to_owned(),
        why: text.why.to_owned(),
        measured: text.measured.to_owned(),
        to_meet: text.to_meet.iter().map(|step| (*step).to_owned()).collect(),
        waivable: id.is_waivable(),
        asked: asked.collect(),
    }
}

/// A bar in words, with the fewest families that prove it.
fn in_words(rate: &RateExplanation, confidence: f64) -> String {
    let bar = format!("a lower bound of at least {} at confidence {confidence}", rate.bar);
    let fewest: Vec<_> = rate
        .families
        .iter()
        .zip(["with none wrong", "with one", "with two"])
        .filter_map(|(families, wrong)| families.map(|families| format!("{families} {wrong}")))
        .collect();
    match fewest.as_slice() {
        [] => format!("{bar}: no number of families proves it"),
        _ => format!("{bar}; families that prove it: {}", fewest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Waiver;

    #[test]
    fn every_requirement_is_explained_in_whole_sentences() {
        let policy = Policy::default();
        for id in RequirementId::ALL {
            let told = requirement(id, &policy);
            for text in [&told.means, &told.why, &told.measured] {
                assert!(text.ends_with('.') && text.len() > 30, "{id}: {text}");
            }
            assert!(!told.to_meet.is_empty(), "{id}");
            assert!(told.to_meet.iter().all(|step| step.ends_with('.')), "{id}");
            assert_eq!(told.asked.len(), 4, "{id}");
            let asked = told.asked.iter().any(|asked| !asked.asks.is_empty());
            assert!(asked, "{id}: no tier of the built-in policy asks for it");
        }
        assert_eq!(requirements().len(), RequirementId::ALL.len());
    }

    #[test]
    fn what_is_asked_is_the_policy_s() {
        let mut policy = Policy::default();
        policy.code.gating.known_bad = Some(0.5);
        policy.waivers = vec![Waiver {
            tier: Tier::Gating,
            requirement: RequirementId::KnownBad,
            reason: "a pilot".into(),
        }];
        let told = requirement(RequirementId::KnownBad, &policy);
        let gating = &told.asked[1];
        assert_eq!((gating.grader, gating.tier), (GraderKind::Code, Tier::Gating));
        assert_eq!(
            gating.asks,
            [
                "a lower bound of at least 0.5 at confidence 0.95; families that prove it: 5 with none wrong, 8 with one, 11 with two"
            ]
        );
        assert_eq!(gating.waived.as_deref(), Some("a pilot"));
        assert_eq!(told.asked[0].waived, None);
        policy.code.gating.known_bad = Some(1.0);
        let told = requirement(RequirementId::KnownBad, &policy);
        assert!(told.asked[1].asks[0].ends_with("no number of families proves it"));
    }
}
