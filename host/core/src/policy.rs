//! The policy: what each tier of authority requires, and which requirements are waived.

mod gate;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::control::set::Kind;
use crate::id::GraderName;
use crate::stats::workload::Costs;
use crate::verdict::{GraderKind, Tier};

pub use gate::GatePolicy;

/// The thresholds of every tier, for code graders and for judges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// Its version, from 1: a signed policy of a lower version than one known before is refused.
    #[serde(default = "first")]
    pub version: u64,
    /// The confidence of every deciding bound, one-sided.
    pub confidence: f64,
    /// How many days a verification stays fresh once a grader gates.
    pub verified_within_days: u32,
    /// How many days a promotion lasts at most; then it must be earned again.
    #[serde(default = "promotion_days")]
    pub promotion_days: u32,
    /// How often the results of one held-out set may be opened, whatever grader it is about. The error that
    /// `confidence` allows is shared out among the looks.
    #[serde(default = "looks")]
    pub looks: u32,
    /// Who may say so.
    #[serde(default)]
    pub sign_off: SignOff,
    /// What a code grader must meet.
    pub code: TierBars,
    /// What a judge must meet.
    pub judge: TierBars,
    /// Graders that hold a model of their own, compiled in, so that nothing they import tells that they are judges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<GraderName>,
    /// Where graders are to be used, and what their errors cost there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_use: Option<InUse>,
    /// What a release must come to at the gate.
    #[serde(default, skip_serializing_if = "GatePolicy::is_default")]
    pub gate: GatePolicy,
    /// Requirements that this policy does without, and why.
    #[serde(default)]
    pub waivers: Vec<Waiver>,
}

/// What policies come to that were recorded before these were stated.
fn first() -> u64 {
    1
}

fn promotion_days() -> u32 {
    Policy::default().promotion_days
}

fn looks() -> u32 {
    Policy::default().looks
}

/// Who signs what, by principal (a name in `allowed_signers`). Admins stand in the root of trust.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignOff {
    /// How many persons must sign a promotion to gating, at least 1.
    pub gating: u32,
    /// How many persons must sign a promotion to characterization, at least 1.
    pub characterization: u32,
    /// Who may sign promotions.
    #[serde(default)]
    pub promoters: Vec<String>,
    /// Who may say that a component was verified.
    #[serde(default)]
    pub verifiers: Vec<String>,
}

impl Default for SignOff {
    fn default() -> Self {
        Self { gating: 1, characterization: 1, promoters: Vec::new(), verifiers: Vec::new() }
    }
}

/// Where graders are to be used. It changes no requirement: it says what a grader's rates would mean.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InUse {
    /// The share of outputs that should fail, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_rate: Option<f64>,
    /// Outputs judged in a month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume_per_month: Option<f64>,
    /// What an output costs that should fail and does not, in `unit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_of_miss: Option<f64>,
    /// What an output costs that should pass and does not, in `unit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_of_false_block: Option<f64>,
    /// The unit of both costs, in words: `EUR`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

impl InUse {
    /// Both costs, where both are stated.
    #[must_use]
    pub fn costs(&self) -> Option<Costs> {
        Some(Costs { missed: self.cost_of_miss?, false_alarm: self.cost_of_false_block? })
    }
}

/// The bars of the two tiers that have any.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TierBars {
    /// characterization.
    pub characterization: Bars,
    /// gating.
    pub gating: Bars,
}

/// What one tier asks of one kind of grader. An absent bar is not required at that tier.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Bars {
    /// Catch rate on known-bad families, exact lower bound.
    pub known_bad: Option<f64>,
    /// Pass rate on known-good families, exact lower bound.
    pub known_good: Option<f64>,
    /// Pass rate on hard-positive families, exact lower bound.
    pub hard_positive: Option<f64>,
    /// Share of near-miss pairs right on both sides, exact lower bound.
    pub near_miss: Option<f64>,
    /// Share of adversarial families right, exact lower bound.
    pub adversarial: Option<f64>,
    /// Catch rate of each essential rule on its own known-bad families, exact lower bound.
    pub each_essential_rule: Option<f64>,
    /// Invariance bases needed at least; none (code) or few (judge) of them may move.
    pub invariance_bases: Option<u64>,
    /// The largest share of bases and families that may move or differ between repeats, exact upper
    /// bound; 0 asks for none at all.
    pub instability: Option<f64>,
    /// Faults of the grader allowed.
    pub faults: Option<u64>,
    /// Real outputs needed at least, of those people fail and of those they pass.
    pub real_outputs: Option<u64>,
    /// Catch and pass rate on real outputs, exact lower bound on both.
    pub real_output: Option<f64>,
    /// People's own agreement on the real outputs, Cohen's kappa, at least.
    pub people_kappa: Option<f64>,
    /// How far the judge's agreement with people may lie below people's own.
    pub kappa_margin: Option<f64>,
    /// Whether the bounds must hold on held-out controls.
    pub held_out: bool,
    /// Whether the controls' authors must be other people than the grader's.
    pub independent_authors: bool,
    /// Whether every rule must be needed: a grader that stays eligible without a rule has not shown
    /// that the rule works.
    pub rules_needed: bool,
}

/// One requirement set aside, in the open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    /// The tier it is waived for.
    pub tier: Tier,
    /// The requirement.
    pub requirement: RequirementId,
    /// Why. Every surface shows it beside the tier.
    pub reason: String,
}

/// The requirements a decision can list.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum RequirementId {
    /// Catch rate on known-bad families.
    KnownBad,
    /// Pass rate on known-good families.
    KnownGood,
    /// Pass rate on hard positives.
    HardPositive,
    /// Near-miss pairs.
    NearMiss,
    /// Adversarial families.
    Adversarial,
    /// Each essential rule's own catch rate.
    EachEssentialRule,
    /// No verdict moves when the meaning does not.
    Invariance,
    /// No verdict differs between repeats.
    Noise,
    /// Failures found in use stay fixed.
    Regression,
    /// The grader answers, and as the contract says.
    Faults,
    /// Every rule is needed to reach the tier.
    RulesNeeded,
    /// No baseline would reach the tier.
    Baselines,
    /// The run ended, and another machine would repeat it.
    Reproducible,
    /// Real outputs that people labelled.
    RealOutput,
    /// The judge agrees with people about as well as they do.
    RealOutputAgreement,
    /// The bounds hold on controls the author has not seen.
    HeldOut,
    /// The controls' authors are not the grader's.
    IndependentAuthors,
}

impl RequirementId {
    /// Every requirement, in the order in which reports list them.
    pub const ALL: [Self; 17] = [
        Self::KnownBad,
        Self::KnownGood,
        Self::HardPositive,
        Self::NearMiss,
        Self::Adversarial,
        Self::EachEssentialRule,
        Self::Invariance,
        Self::Noise,
        Self::Regression,
        Self::Faults,
        Self::RulesNeeded,
        Self::Baselines,
        Self::Reproducible,
        Self::RealOutput,
        Self::RealOutputAgreement,
        Self::HeldOut,
        Self::IndependentAuthors,
    ];

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::KnownBad => "known-bad",
            Self::KnownGood => "known-good",
            Self::HardPositive => "hard-positive",
            Self::NearMiss => "near-miss",
            Self::Adversarial => "adversarial",
            Self::EachEssentialRule => "each-essential-rule",
            Self::Invariance => "invariance",
            Self::Noise => "noise",
            Self::Regression => "regression",
            Self::Faults => "faults",
            Self::RulesNeeded => "rules-needed",
            Self::Baselines => "baselines",
            Self::Reproducible => "reproducible",
            Self::RealOutput => "real-output",
            Self::RealOutputAgreement => "real-output-agreement",
            Self::HeldOut => "held-out",
            Self::IndependentAuthors => "independent-authors",
        }
    }

    /// The requirement of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.name() == name)
    }

    /// Whether a policy may do without it. The last two guard the evidence itself: without them no
    /// other figure means anything.
    #[must_use]
    pub fn is_waivable(self) -> bool {
        !matches!(self, Self::Baselines | Self::Reproducible)
    }
}

impl fmt::Display for RequirementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Default for Policy {
    fn default() -> Self {
        let characterization =
            Bars { known_bad: Some(0.80), known_good: Some(0.80), ..Bars::default() };
        let code = Bars {
            known_bad: Some(0.95),
            known_good: Some(0.90),
            hard_positive: Some(0.80),
            near_miss: Some(0.80),
            adversarial: Some(0.80),
            invariance_bases: Some(10),
            instability: Some(0.0),
            faults: Some(0),
            real_outputs: Some(100),
            real_output: Some(0.80),
            held_out: true,
            independent_authors: true,
            rules_needed: true,
            ..Bars::default()
        };
        let judge = Bars {
            known_bad: Some(0.90),
            each_essential_rule: Some(0.80),
            instability: Some(0.05),
            people_kappa: Some(0.6),
            kappa_margin: Some(0.10),
            ..code.clone()
        };
        Self {
            version: 1,
            confidence: 0.95,
            verified_within_days: 7,
            promotion_days: 180,
            looks: 3,
            sign_off: SignOff::default(),
            code: TierBars { characterization: characterization.clone(), gating: code },
            judge: TierBars { characterization, gating: judge },
            judges: Vec::new(),
            in_use: None,
            gate: GatePolicy::default(),
            waivers: Vec::new(),
        }
    }
}

impl Policy {
    /// What kind of grader it is: a judge where its imports say so, or this policy does.
    #[must_use]
    pub fn kind_of(&self, name: &GraderName, by_imports: GraderKind) -> GraderKind {
        if self.judges.contains(name) { GraderKind::Judge } else { by_imports }
    }

    /// The bars of a tier for a kind of grader; advisory has none.
    #[must_use]
    pub fn bars(&self, kind: GraderKind, tier: Tier) -> Option<&Bars> {
        let bars = match kind {
            GraderKind::Code => &self.code,
            GraderKind::Judge => &self.judge,
        };
        match tier {
            Tier::Advisory => None,
            Tier::Characterization => Some(&bars.characterization),
            Tier::Gating => Some(&bars.gating),
        }
    }

    /// The confidence of each bound on held-out controls: what `confidence` leaves to error is shared out among
    /// the looks that the policy allows (Bonferroni).
    #[must_use]
    pub fn held_out_confidence(&self) -> f64 {
        1.0 - (1.0 - self.confidence) / f64::from(self.looks.max(1))
    }

    /// Whether a policy may ask for this confidence.
    #[must_use]
    pub fn is_confidence(value: f64) -> bool {
        (0.5..1.0).contains(&value)
    }

    /// The waiver of this requirement at this tier, if there is one.
    #[must_use]
    pub fn waiver(&self, tier: Tier, requirement: RequirementId) -> Option<&Waiver> {
        self.waivers.iter().find(|waiver| waiver.tier == tier && waiver.requirement == requirement)
    }
}

impl Policy {
    /// Every point at which this policy asks for less than the built-in one, in words. Reports show them
    /// beside the waivers: a lower bar without a word would be a waiver in the dark.
    #[must_use]
    pub fn looser_than_default(&self) -> Vec<String> {
        let default = Self::default();
        let mut looser = Vec::new();
        if self.confidence < default.confidence {
            looser
                .push(format!("confidence {} instead of {}", self.confidence, default.confidence));
        }
        if self.verified_within_days > default.verified_within_days {
            let (days, usual) = (self.verified_within_days, default.verified_within_days);
            looser.push(format!("verified_within_days {days} instead of {usual}"));
        }
        if self.promotion_days > default.promotion_days {
            let (days, usual) = (self.promotion_days, default.promotion_days);
            looser.push(format!("promotion_days {days} instead of {usual}"));
        }
        looser.extend(self.gate.looser_than(&default.gate));
        for kind in [GraderKind::Code, GraderKind::Judge] {
            for tier in Tier::ALL {
                if let (Some(bars), Some(usual)) = (self.bars(kind, tier), default.bars(kind, tier))
                {
                    looser.extend(
                        bars.looser_than(usual).map(|what| format!("{kind}.{tier}.{what}")),
                    );
                }
            }
        }
        looser
    }
}

impl Bars {
    /// Where these bars ask for less than others.
    fn looser_than(&self, usual: &Self) -> impl Iterator<Item = String> {
        let at_least = [
            ("known_bad", self.known_bad, usual.known_bad),
            ("known_good", self.known_good, usual.known_good),
            ("hard_positive", self.hard_positive, usual.hard_positive),
            ("near_miss", self.near_miss, usual.near_miss),
            ("adversarial", self.adversarial, usual.adversarial),
            ("each_essential_rule", self.each_essential_rule, usual.each_essential_rule),
            ("real_output", self.real_output, usual.real_output),
            ("people_kappa", self.people_kappa, usual.people_kappa),
            (
                "invariance_bases",
                self.invariance_bases.map(as_bar),
                usual.invariance_bases.map(as_bar),
            ),
            ("real_outputs", self.real_outputs.map(as_bar), usual.real_outputs.map(as_bar)),
        ];
        let at_most = [
            ("instability", self.instability, usual.instability),
            ("kappa_margin", self.kappa_margin, usual.kappa_margin),
            ("faults", self.faults.map(as_bar), usual.faults.map(as_bar)),
        ];
        let switches = [
            ("held_out", self.held_out, usual.held_out),
            ("independent_authors", self.independent_authors, usual.independent_authors),
            ("rules_needed", self.rules_needed, usual.rules_needed),
        ];
        let less = at_least.into_iter().filter(|(_, own, usual)| own < usual);
        let more = at_most.into_iter().filter(|(_, own, usual)| own > usual);
        let bars = less.chain(more).map(|(name, own, usual)| {
            let word = |bar: Option<f64>| bar.map_or("none".to_owned(), |bar| bar.to_string());
            format!("{name} {} instead of {}", word(own), word(usual))
        });
        let off = switches.into_iter().filter(|(_, own, usual)| *usual && !*own);
        bars.chain(off.map(|(name, ..)| format!("{name} not asked for")))
    }

    /// The bar on a kind's rate at this tier.
    #[must_use]
    pub fn rate(&self, kind: Kind) -> Option<f64> {
        match kind {
            Kind::KnownBad => self.known_bad,
            Kind::KnownGood => self.known_good,
            Kind::HardPositive => self.hard_positive,
            Kind::NearMiss => self.near_miss,
            Kind::Adversarial => self.adversarial,
            Kind::RealOutput => self.real_output,
            Kind::Invariance | Kind::MustAbstain | Kind::Regression => None,
        }
    }
}

/// Counts in a policy are small.
#[expect(clippy::cast_precision_loss, reason = "counts in a policy stay far below 2^53")]
fn as_bar(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_looser_than_itself_and_every_step_down_shows() {
        assert_eq!(Policy::default().looser_than_default(), Vec::<String>::new());
        let mut policy = Policy { confidence: 0.5, ..Policy::default() };
        policy.code.gating.known_bad = Some(0.5);
        policy.code.gating.hard_positive = Some(0.99);
        policy.code.gating.faults = Some(3);
        policy.code.gating.held_out = false;
        policy.judge.gating.invariance_bases = None;
        assert_eq!(
            policy.looser_than_default(),
            [
                "confidence 0.5 instead of 0.95",
                "code.gating.known_bad 0.5 instead of 0.95",
                "code.gating.faults 3 instead of 0",
                "code.gating.held_out not asked for",
                "judge.gating.invariance_bases none instead of 10",
            ]
        );
    }
}
