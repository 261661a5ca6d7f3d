//! The inventory of a gate: which cases, runs, steps and checks were selected, by which rule, before anything ran.
//!
//! It is what keeps a total from shrinking: whatever it names and the evidence lacks is lost evidence.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::evidence_grade::Grade;
use super::kind::Evaluates;
use super::record::Purpose;
use crate::id::{CaseId, Digest, GraderName, RuleId, RunId, StepId};
use crate::ledger::Moment;
use crate::verdict::RuleTier;

/// The version of the format of inventories.
pub const FORMAT: u32 = 1;

/// What was selected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inventory {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// How the cases were chosen.
    pub selection: Selection,
    /// When it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_at: Option<Moment>,
    /// The unit of costs in the run records: `USD`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cost_unit: String,
    /// Checks of every step of every case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// The cases.
    pub cases: Vec<Selected>,
}

/// How cases were chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// In words: of which cases, by which rule.
    pub rule: String,
    /// The seed of a random choice; absent where nothing was left to chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How many there were to choose from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
}

impl Selection {
    /// Whether it is a probability sample: a rule and a seed, so that anyone can draw it again.
    #[must_use]
    pub fn is_probability_sample(&self) -> bool {
        self.seed.is_some() && !self.rule.trim().is_empty()
    }
}

/// One case that was selected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Selected {
    /// The case.
    pub case: CaseId,
    /// What it is run for.
    pub purpose: Purpose,
    /// Its runs.
    pub runs: Vec<RunId>,
    /// The steps that each run must have.
    pub steps: Vec<StepId>,
    /// Checks of each of its steps, beside those of every case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
}

/// A check: some rules of a grader.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The grader.
    pub grader: GraderName,
    /// Its rules; none for all that it declares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleId>,
    /// Only these steps; none for every step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepId>,
    /// What a failure would be, where it is more serious than the rule's own tier says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serious: Option<Serious>,
    /// What a pass is worth as evidence. Where nothing is said: `constructed_check` by code, `review_only` by a judge,
    /// which is never worth more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Grade>,
    /// What it evaluates, which decides when its verdicts may settle; absent: what a claim is, else a factual claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluates: Option<Evaluates>,
}

impl Check {
    /// Whether this check is on a step.
    #[must_use]
    pub fn covers(&self, step: &StepId) -> bool {
        self.steps.is_empty() || self.steps.contains(step)
    }

    /// Whether this check asks for a rule.
    #[must_use]
    pub fn asks(&self, rule: &RuleId) -> bool {
        self.rules.is_empty() || self.rules.contains(rule)
    }
}

/// A failure that is never averaged away.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Serious {
    /// An essential rule.
    Essential,
    /// Something was there that must not be.
    MustNot,
    /// Somebody was shown what they may not see, or did what they may not do.
    Entitlement,
    /// A number that was asked for is wrong.
    RequiredNumber,
    /// An important claim that nothing supports.
    ImportantClaim,
}

impl Serious {
    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Essential => "essential",
            Self::MustNot => "must-not",
            Self::Entitlement => "entitlement",
            Self::RequiredNumber => "required-number",
            Self::ImportantClaim => "important-claim",
        }
    }

    /// What a failure of a rule of this tier is by itself.
    #[must_use]
    pub fn of_tier(tier: RuleTier) -> Option<Self> {
        match tier {
            RuleTier::Essential => Some(Self::Essential),
            RuleTier::MustNot => Some(Self::MustNot),
            RuleTier::Important | RuleTier::Optional => None,
        }
    }
}

/// Why an inventory cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InventoryFault {
    /// Another format.
    #[error(
        "the inventory is of format {0}, and this version reads format {FORMAT}: read it with the version that wrote it"
    )]
    Format(u32),
    /// No rule.
    #[error(
        "the inventory does not say by which rule its cases were chosen: say so in `selection.rule`"
    )]
    NoRule,
    /// Nothing was selected.
    #[error("the inventory selects no case: a gate over nothing says nothing")]
    NoCases,
    /// A case without runs or steps.
    #[error("case `{case}` of the inventory has no {what}: name at least one")]
    Empty {
        /// The case.
        case: CaseId,
        /// What it lacks.
        what: &'static str,
    },
    /// Two of one id.
    #[error("the inventory names {what} `{id}` twice: each belongs there once")]
    Twice {
        /// Of what.
        what: &'static str,
        /// The id.
        id: String,
    },
    /// A check of steps that no case has.
    #[error(
        "a check by `{grader}` of every case names step `{step}`, which no case has: it would check nothing"
    )]
    NoCase {
        /// The grader.
        grader: GraderName,
        /// The step.
        step: StepId,
    },
    /// A check of a step that the case does not have.
    #[error("a check of case `{case}` names step `{step}`, which the case does not have")]
    NoStep {
        /// The case.
        case: CaseId,
        /// The step.
        step: StepId,
    },
}

impl Inventory {
    /// The digest of what it says.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let json = serde_json::to_vec(self);
        Digest::of(&json.unwrap_or_else(|_| unreachable!("an inventory is plain data")))
    }

    /// The checks of one case: those of every case, and its own.
    pub fn checks_of<'a>(&'a self, selected: &'a Selected) -> impl Iterator<Item = &'a Check> {
        self.checks.iter().chain(&selected.checks)
    }

    /// Everything that is wrong with it.
    #[must_use]
    pub fn faults(&self) -> Vec<InventoryFault> {
        if self.format != FORMAT {
            return vec![InventoryFault::Format(self.format)];
        }
        let mut faults = Vec::new();
        if self.selection.rule.trim().is_empty() {
            faults.push(InventoryFault::NoRule);
        }
        if self.cases.is_empty() {
            faults.push(InventoryFault::NoCases);
        }
        twice("case", self.cases.iter().map(|it| it.case.as_str()), &mut faults);
        let runs = self.cases.iter().flat_map(|it| it.runs.iter().map(RunId::as_str));
        twice("run", runs, &mut faults);
        let steps: BTreeSet<&StepId> = self.cases.iter().flat_map(|it| &it.steps).collect();
        for check in &self.checks {
            faults.extend(check.steps.iter().filter(|step| !steps.contains(step)).map(|step| {
                InventoryFault::NoCase { grader: check.grader.clone(), step: step.clone() }
            }));
        }
        for selected in &self.cases {
            let empty = [("runs", selected.runs.is_empty()), ("steps", selected.steps.is_empty())];
            faults.extend(
                empty
                    .into_iter()
                    .filter(|(_, is)| *is)
                    .map(|(what, _)| InventoryFault::Empty { case: selected.case.clone(), what }),
            );
            twice("step", selected.steps.iter().map(StepId::as_str), &mut faults);
            let named = selected.checks.iter().flat_map(|check| &check.steps);
            faults.extend(named.filter(|step| !selected.steps.contains(step)).map(|step| {
                InventoryFault::NoStep { case: selected.case.clone(), step: step.clone() }
            }));
        }
        faults
    }
}

fn twice<'a>(
    what: &'static str,
    ids: impl Iterator<Item = &'a str>,
    faults: &mut Vec<InventoryFault>,
) {
    let mut seen = BTreeSet::new();
    let again = ids.filter(|id| !seen.insert(*id));
    faults.extend(again.map(|id| InventoryFault::Twice { what, id: id.to_owned() }));
}
