//! A reader's profile: it adds checks and weighs rules in summaries. It takes nothing away.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::combine::Decided;
use super::inventory::{Check, Inventory};
use crate::id::{GraderName, RuleId};

/// The version of the format of profiles.
pub const FORMAT: u32 = 1;

/// What a kind of reader, or a customer, cares about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// Its name.
    pub name: String,
    /// Checks of every step, beside those of the inventory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adds: Vec<Check>,
    /// How much rules weigh in the weighted summary; 1 where nothing is said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<Weight>,
}

/// How much a rule weighs to a reader.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// The grader.
    pub grader: GraderName,
    /// The rule; absent for all rules of the grader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleId>,
    /// Above 0, and 1,000,000 at most: a profile weighs, and takes nothing away.
    pub weight: f64,
}

/// Why a profile cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ProfileFault {
    /// Another format.
    #[error(
        "profile `{name}` is of format {format}, and this version reads format {FORMAT}: read it with the version that wrote it"
    )]
    Format {
        /// The profile.
        name: String,
        /// The format.
        format: u32,
    },
    /// A weight that is none.
    #[error(
        "profile `{name}` weighs a rule of `{grader}` by {weight}: a weight is a number above 0, and 1000000 at most"
    )]
    Weight {
        /// The profile.
        name: String,
        /// The grader.
        grader: GraderName,
        /// The weight.
        weight: f64,
    },
}

/// A summary weighted for one reader. It decides nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Weighted {
    /// The profile.
    pub profile: String,
    /// The weighted share of decided rules that passed; absent where nothing was decided.
    pub pass_rate: Option<f64>,
    /// Decided rules.
    pub decided: u64,
}

impl Profile {
    /// Everything that is wrong with it.
    #[must_use]
    pub fn faults(&self) -> Vec<ProfileFault> {
        let name: String = self.name.chars().take(80).flat_map(char::escape_debug).collect();
        if self.format != FORMAT {
            return vec![ProfileFault::Format { name, format: self.format }];
        }
        let bad = self.weights.iter().filter(|it| !(it.weight > 0.0 && it.weight <= 1e6));
        bad.map(|it| ProfileFault::Weight {
            name: name.clone(),
            grader: it.grader.clone(),
            weight: it.weight,
        })
        .collect()
    }

    /// The inventory with the checks that this profile adds: whatever was asked is still asked.
    #[must_use]
    pub fn applied_to(&self, inventory: &Inventory) -> Inventory {
        let mut inventory = inventory.clone();
        let new = self.adds.iter().filter(|check| !inventory.checks.contains(check));
        let new: Vec<_> = new.cloned().collect();
        inventory.checks.extend(new);
        inventory
    }

    /// What was decided, as this reader weighs it.
    #[must_use]
    pub fn weigh(&self, decided: &[Decided]) -> Weighted {
        let mut weights: BTreeMap<(&GraderName, Option<&RuleId>), f64> = BTreeMap::new();
        for it in &self.weights {
            weights.insert((&it.grader, it.rule.as_ref()), it.weight);
        }
        let weight = |it: &Decided| {
            let own = weights.get(&(&it.grader, Some(&it.rule)));
            own.or_else(|| weights.get(&(&it.grader, None))).copied().unwrap_or(1.0)
        };
        let all: f64 = decided.iter().map(weight).sum();
        let passed: f64 = decided.iter().filter(|it| it.passed).map(weight).sum();
        Weighted {
            profile: self.name.clone(),
            pass_rate: (all > 0.0).then(|| passed / all),
            decided: decided.len() as u64,
        }
    }
}
