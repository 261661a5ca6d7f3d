//! What a policy asks, in numbers: how many controls each bar takes, and how likely a good grader is to
//! clear it. What a single requirement means is in [`requirement`].

pub mod requirement;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::control::set::Kind;
use crate::id::GraderName;
use crate::policy::{Bars, InUse, Policy, RequirementId, Waiver};
use crate::stats::sample_size::{chance_of_meeting, units_needed};
use crate::verdict::{GraderKind, Tier};

/// The true rates that the table of chances is made for.
pub const TRUE_RATES: [f64; 10] = [0.90, 0.91, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99];

/// A policy, explained.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// The confidence of every deciding bound.
    pub confidence: f64,
    /// How many days a verification stays fresh.
    pub verified_within_days: u32,
    /// The true rates of every `chances` below.
    pub true_rates: Vec<f64>,
    /// What each tier asks of each kind of grader.
    pub tiers: Vec<TierExplanation>,
    /// What is waived, and why.
    pub waivers: Vec<Waiver>,
    /// Where graders are to be used, if the policy says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_use: Option<InUse>,
    /// What a release must come to at the gate.
    pub gate: GateExplanation,
}

/// Sizes of gates, in judged steps, that are explained.
pub const GATE_STEPS: [u64; 4] = [1, 10, 100, 1000];

/// What a release must come to at the gate, and what it takes that a judge's fail blocks by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateExplanation {
    /// The largest chance of a false block that need not be excluded.
    pub max_false_block: f64,
    /// The share of judged cases that must pass.
    pub pass_rate: f64,
    /// Graders that are judges by the policy's word.
    pub judges: Vec<GraderName>,
    /// For a gate of so many judged steps: good outputs that its one judge must have passed, every one, so that a
    /// false block is as unlikely as asked; absent where 100,000 do not suffice.
    pub good_outputs: Vec<(u64, Option<u64>)>,
}

/// What one tier asks of one kind of grader.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TierExplanation {
    /// The kind of grader.
    pub grader: GraderKind,
    /// The tier.
    pub tier: Tier,
    /// The bars on rates.
    pub rates: Vec<RateExplanation>,
    /// Everything else that is asked, in words.
    pub others: Vec<(RequirementId, String)>,
}

/// One bar on a rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RateExplanation {
    /// The requirement.
    pub id: RequirementId,
    /// The bar that the exact lower bound must reach.
    pub bar: f64,
    /// Families needed with no miss, one miss and two; absent where none suffice.
    pub families: Vec<Option<u64>>,
    /// The chance of clearing the bar with the families needed for no miss, at each true rate.
    pub chances: Vec<Option<f64>>,
    /// The same with the families needed for two misses.
    pub chances_with_two_misses: Vec<Option<f64>>,
}

/// Explains a policy.
#[must_use]
pub fn explain(policy: &Policy) -> Explanation {
    let mut tiers = Vec::new();
    for grader in [GraderKind::Code, GraderKind::Judge] {
        for tier in Tier::ALL {
            if let Some(bars) = policy.bars(grader, tier) {
                tiers.push(TierExplanation {
                    grader,
                    tier,
                    rates: rates(bars, policy.confidence),
                    others: others(bars),
                });
            }
        }
    }
    Explanation {
        confidence: policy.confidence,
        verified_within_days: policy.verified_within_days,
        true_rates: TRUE_RATES.to_vec(),
        tiers,
        waivers: policy.waivers.clone(),
        in_use: policy.in_use.clone(),
        gate: gate(policy),
    }
}

/// A judge of pass rate p blocks a good release of n steps with chance 1 - p^n, so its lower bound must reach
/// (1 - max_false_block)^(1/n).
fn gate(policy: &Policy) -> GateExplanation {
    let asked = &policy.gate;
    let outputs = |steps: u64| {
        let bar = (1.0 - asked.max_false_block).powf(1.0 / steps as f64);
        (steps, units_needed(0, bar, policy.confidence))
    };
    GateExplanation {
        max_false_block: asked.max_false_block,
        pass_rate: asked.pass_rate,
        judges: policy.judges.clone(),
        good_outputs: GATE_STEPS.into_iter().map(outputs).collect(),
    }
}

fn rates(bars: &Bars, confidence: f64) -> Vec<RateExplanation> {
    [
        (RequirementId::KnownBad, bars.rate(Kind::KnownBad)),
        (RequirementId::KnownGood, bars.rate(Kind::KnownGood)),
        (RequirementId::HardPositive, bars.rate(Kind::HardPositive)),
        (RequirementId::NearMiss, bars.rate(Kind::NearMiss)),
        (RequirementId::Adversarial, bars.rate(Kind::Adversarial)),
        (RequirementId::EachEssentialRule, bars.each_essential_rule),
        (RequirementId::RealOutput, bars.real_output),
    ]
    .into_iter()
    .filter_map(|(id, bar)| Some(rate(id, bar?, confidence)))
    .collect()
}

fn rate(id: RequirementId, bar: f64, confidence: f64) -> RateExplanation {
    let families: Vec<_> = (0..3).map(|misses| units_needed(misses, bar, confidence)).collect();
    let chances = |of: Option<u64>| {
        let chance = |rate: &f64| of.and_then(|of| chance_of_meeting(*rate, of, bar, confidence));
        TRUE_RATES.iter().map(chance).collect()
    };
    RateExplanation {
        id,
        bar,
        chances: chances(families[0]),
        chances_with_two_misses: chances(families[2]),
        families,
    }
}

fn others(bars: &Bars) -> Vec<(RequirementId, String)> {
    let few = match bars.instability {
        Some(limit) if limit > 0.0 => format!("an exact upper bound of at most {limit}"),
        _ => "none".to_owned(),
    };
    let mut others = Vec::new();
    let mut add = |id, text: String| others.push((id, text));
    if let Some(bases) = bars.invariance_bases {
        add(
            RequirementId::Invariance,
            format!("moved verdicts: {few}, over at least {bases} bases"),
        );
    }
    if bars.instability.is_some() {
        add(RequirementId::Noise, format!("families whose repeats differ: {few}"));
    }
    if let Some(faults) = bars.faults {
        add(RequirementId::Faults, format!("trials at fault: at most {faults}"));
    }
    if bars.rules_needed {
        add(RequirementId::RulesNeeded, "without any one rule the tier is out of reach".to_owned());
    }
    add(RequirementId::Baselines, "no baseline meets the rates".to_owned());
    add(
        RequirementId::Reproducible,
        "a complete record, no fault that depends on the machine".to_owned(),
    );
    add(
        RequirementId::Regression,
        "every failure found in use stays fixed, where any is kept".to_owned(),
    );
    if let Some(units) = bars.real_outputs {
        let text =
            format!("at least {units} real outputs that people fail and {units} that they pass");
        add(RequirementId::RealOutput, text);
    }
    if let (Some(kappa), Some(margin)) = (bars.people_kappa, bars.kappa_margin) {
        let text =
            format!("people's own kappa at least {kappa}, the judge's at most {margin} below it");
        add(RequirementId::RealOutputAgreement, text);
    }
    if bars.held_out {
        add(
            RequirementId::HeldOut,
            "the bounds hold on controls the author has not seen".to_owned(),
        );
    }
    if bars.independent_authors {
        add(RequirementId::IndependentAuthors, "other people wrote the controls".to_owned());
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_policy_in_numbers() {
        let explanation = explain(&Policy::default());
        assert_eq!(explanation.tiers.len(), 4);
        let gating = &explanation.tiers[1];
        assert_eq!((gating.grader, gating.tier), (GraderKind::Code, Tier::Gating));
        let known_bad = &gating.rates[0];
        assert_eq!(known_bad.families, [Some(59), Some(93), Some(124)]);
        let at_97 = known_bad.chances[7].expect("a chance");
        assert!((at_97 - 0.1658).abs() < 5e-4, "{at_97}");
    }

    #[test]
    fn a_bar_of_one_can_never_be_proved() {
        let explanation = rate(RequirementId::KnownBad, 1.0, 0.95);
        assert_eq!(explanation.families, [None, None, None]);
        assert!(explanation.chances.iter().all(Option::is_none));
    }
}
