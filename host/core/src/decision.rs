//! What a run has earned: every requirement of every tier, measured against the policy.

mod agreement;
mod bites;
pub(crate) mod held_out;
mod rates;
mod rest;
mod summary;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assess::{self, Assessment};
use crate::measure::{Measures, measure};
use crate::policy::{Bars, RequirementId, Waiver};
use crate::run::event::HeldOutResult;
use crate::run::fold::Run;
use crate::run::part;
use crate::score::{Table, baseline_table, table};
use crate::stats::interval::{Count, Interval};
use crate::verdict::Tier;

/// The decision on one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// The highest tier whose requirements, and those of every tier below, are met or waived.
    pub eligible_tier: Tier,
    /// How many waivers that tier, with those below it, stands on.
    pub under_waivers: u64,
    /// Every waiver of the policy, with its reason.
    pub waivers: Vec<Waiver>,
    /// Where the policy asks for less than the built-in one.
    pub looser: Vec<String>,
    /// The confidence of every deciding bound.
    pub confidence: f64,
    /// What the tier still needs before it is held.
    pub awaiting: Vec<String>,
    /// Every requirement of every tier, the highest tier first.
    pub requirements: Vec<Requirement>,
}

/// One requirement of one tier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Requirement {
    /// Which requirement.
    pub id: RequirementId,
    /// The tier that asks for it.
    pub tier: Tier,
    /// What was measured; absent where nothing measured it.
    pub measured: Option<Measured>,
    /// What is asked.
    pub required: Required,
    /// Met, not met, or (null) not evaluated. Not evaluated is never met.
    pub met: Option<bool>,
    /// Whether the policy does without it. `met` stays as it was measured.
    pub waived: bool,
    /// What would meet it, where it is not met.
    pub mend: Option<String>,
}

impl Requirement {
    /// Whether the tier may be held as far as this requirement goes.
    #[must_use]
    pub fn is_satisfied(&self) -> bool {
        self.met == Some(true) || self.waived
    }
}

/// A measured value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measured {
    /// A rate over families. The exact one-sided lower bound decides; Wilson's 95 % interval is beside it.
    Rate(RateFigure),
    /// Several rates, each of which must hold.
    Rates(Vec<NamedRate>),
    /// So many occurrences among so many.
    Occurrences {
        /// What was found.
        found: u64,
        /// Among how many.
        among: u64,
        /// Which, where they can be named.
        which: Vec<String>,
    },
    /// A fact in words.
    Fact(String),
}

/// A rate with its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RateFigure {
    /// The exact one-sided lower bound; it decides.
    pub lower_bound: Option<f64>,
    /// Right, of all.
    pub families: Count,
    /// Their share.
    pub rate: Option<f64>,
    /// Wilson's two-sided interval at 95 %, for display.
    pub wilson: Option<Interval>,
}

impl RateFigure {
    /// The figure of a count, its bound at this confidence.
    #[must_use]
    pub fn new(families: Count, confidence: f64) -> Self {
        Self {
            lower_bound: crate::stats::interval::exact_lower(families, confidence),
            families,
            rate: families.rate(),
            wilson: crate::stats::interval::wilson(families, 0.95),
        }
    }
}

/// A rate with the name of what it is a rate of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NamedRate {
    /// Of what.
    pub of: String,
    /// The rate.
    pub figure: RateFigure,
}

/// What a requirement asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Required {
    /// An exact lower bound of at least this.
    LowerBound(f64),
    /// An exact lower bound of at least this on each, over at least so many units.
    LowerBoundOverAtLeast {
        /// The bound.
        bound: f64,
        /// The units.
        units: u64,
    },
    /// At most so many occurrences, among at least so many.
    AtMost {
        /// Occurrences allowed.
        found: u64,
        /// Among at least.
        among: u64,
    },
    /// A fact.
    Fact(String),
}

/// What every requirement is judged from.
struct Evidence<'a> {
    run: &'a Run,
    table: &'a Table,
    measures: &'a Measures,
    /// What each baseline's verdicts come to, in the order of the run's baselines.
    baselines: &'a [Measures],
    /// What people's labels say, where real outputs were run.
    assessment: Option<&'a Assessment>,
    confidence: f64,
    /// The same of the held-out controls, where the run has any.
    held_out: Option<&'a Evidence<'a>>,
}

/// A part of a run with what it comes to.
pub(crate) struct Judged<'a> {
    pub(crate) run: Cow<'a, Run>,
    pub(crate) table: Table,
    pub(crate) measures: Measures,
    /// What each of its baselines comes to.
    pub(crate) baselines: Vec<Measures>,
    /// What people's labels say of it, where real outputs were run.
    pub(crate) assessment: Option<Assessment>,
}

impl<'a> Judged<'a> {
    fn new(run: Cow<'a, Run>) -> Self {
        let table = table(&run);
        let rules = &run.started.grader.manifest.rules;
        let controls = &run.started.controls;
        let measures = measure(controls, rules, &table);
        let of = |baseline| measure(controls, rules, &baseline_table(baseline, controls, rules));
        let baselines = run.baselines.iter().map(of).collect();
        let assessment = assess::of_run(&run, &table);
        Self { table, measures, baselines, assessment, run }
    }

    /// The open controls of a run, and the held-out ones where it has any.
    pub(crate) fn parts(run: &'a Run) -> (Self, Option<Self>) {
        let held_out = part::held_out(run).map(|run| Self::new(Cow::Owned(run)));
        (Self::new(part::open(run)), held_out)
    }

    fn evidence<'e>(&'e self, held_out: Option<&'e Evidence<'e>>, confidence: f64) -> Evidence<'e> {
        Evidence {
            run: &self.run,
            table: &self.table,
            measures: &self.measures,
            baselines: &self.baselines,
            assessment: self.assessment.as_ref(),
            confidence,
            held_out,
        }
    }
}

/// Whether the held-out controls met what each tier asks: all that an author learns of them.
#[must_use]
pub fn held_out_results(decision: &Decision) -> Vec<HeldOutResult> {
    let of = |requirement: &&Requirement| requirement.id == RequirementId::HeldOut;
    let result = |it: &Requirement| HeldOutResult { tier: it.tier, met: it.met };
    decision.requirements.iter().filter(of).map(result).collect()
}

/// Decides a run by the policy it was run under.
#[must_use]
pub fn decide(run: &Run) -> Decision {
    let (open, held_out) = Judged::parts(run);
    decide_parts(&open, held_out.as_ref())
}

/// The same of a run that is already in parts.
pub(crate) fn decide_parts(open: &Judged<'_>, held_out: Option<&Judged<'_>>) -> Decision {
    let policy = &open.run.started.policy;
    let held_out = held_out.map(|part| part.evidence(None, policy.held_out_confidence()));
    let evidence = open.evidence(held_out.as_ref(), policy.confidence);
    let (run, confidence) = (evidence.run, evidence.confidence);
    let mut eligible_tier = Tier::Advisory;
    let mut requirements = Vec::new();
    let mut in_order = true;
    for tier in Tier::ALL {
        let Some(bars) = run.started.policy.bars(run.started.kind(), tier) else {
            continue;
        };
        let of_tier = tier_requirements(&evidence, tier, bars);
        in_order &= of_tier.iter().all(Requirement::is_satisfied);
        if in_order {
            eligible_tier = tier;
        }
        requirements.splice(0..0, of_tier);
    }
    Decision {
        eligible_tier,
        under_waivers: under_waivers(&requirements, eligible_tier),
        waivers: run.started.policy.waivers.clone(),
        looser: run.started.policy.looser_than_default(),
        confidence,
        awaiting: awaiting(eligible_tier),
        requirements,
    }
}

/// Every requirement of one tier, in the order of [`RequirementId::ALL`].
fn tier_requirements(evidence: &Evidence<'_>, tier: Tier, bars: &Bars) -> Vec<Requirement> {
    let mut requirements = rates::requirements(evidence, tier, bars);
    requirements.extend(rest::requirements(evidence, tier, bars));
    let rates_met = requirements.iter().all(|r| !rates::is_rate(r.id) || r.is_satisfied());
    requirements.extend(bites::requirements(evidence, tier, bars, rates_met));
    requirements.sort_by_key(|requirement| requirement.id);
    requirements
}

impl Evidence<'_> {
    /// A requirement under the policy's waivers.
    fn requirement(
        &self,
        (tier, id): (Tier, RequirementId),
        measured: Option<Measured>,
        required: Required,
        met: Option<bool>,
        mend: impl FnOnce() -> String,
    ) -> Requirement {
        let waived = id.is_waivable() && self.run.started.policy.waiver(tier, id).is_some();
        if self.run.started.only.is_some() && id != RequirementId::Reproducible {
            // Figures over a part of the controls say nothing of the whole set.
            let mend = Some("run all of the controls".to_owned());
            return Requirement { id, tier, measured: None, required, met: None, waived, mend };
        }
        let mend = (met != Some(true)).then(mend);
        Requirement { id, tier, measured, required, met, waived, mend }
    }
}

/// How many requirements of the eligible tier, and of those below it, are waived.
fn under_waivers(requirements: &[Requirement], eligible: Tier) -> u64 {
    requirements.iter().filter(|r| r.tier <= eligible && r.waived && r.met != Some(true)).count()
        as u64
}

/// What an eligible tier still needs before it is held.
fn awaiting(eligible: Tier) -> Vec<String> {
    match eligible {
        Tier::Advisory => Vec::new(),
        Tier::Characterization | Tier::Gating => {
            vec!["sign-off by a person who wrote neither the grader nor the controls".to_owned()]
        }
    }
}

#[cfg(test)]
#[path = "decision_tests.rs"]
pub(crate) mod tests;
