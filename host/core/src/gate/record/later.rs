//! What only time can tell: forecasts and explanations of a step, and the dated entries that say how they came out.
//!
//! Both say in advance when they are due, who or what is believed then, and what they are held against.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::StepId;
use crate::ledger::Moment;
use crate::untrusted::Untrusted;

/// A claim that is a forecast: its text is the statement that comes true, or does not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Forecast {
    /// From when on it is known whether the statement came true.
    pub horizon: Moment,
    /// Who or what is believed then: a published price, a count in a table.
    pub source_of_truth: String,
    /// What was known at the time without the system, and what that said.
    pub baseline: Baseline,
    /// Whether the system commits itself. False is a no-call: it states the question and declines.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub call: bool,
    /// The probability of the statement coming true, 0 to 1. A call of less than a half calls that it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub probability: Option<f64>,
}

impl Forecast {
    /// Whether it calls that the statement comes true, or that it does not; absent where it is a no-call.
    #[must_use]
    pub fn expects(&self) -> Option<bool> {
        let called = self.probability.is_none_or(|probability| probability > 0.5);
        self.call.then_some(called)
    }
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_yes(call: &bool) -> bool {
    *call
}

/// What a forecast is held against.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// In words: the last price, the consensus, how often it happened before.
    pub says: String,
    /// Whether it expects the forecast's statement to come true; absent where it takes no side, or where its probability
    /// tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expects: Option<bool>,
    /// The probability that it gives the forecast's statement, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub probability: Option<f64>,
}

impl Baseline {
    /// Whether it expects the statement to come true; absent where it takes no side.
    #[must_use]
    pub fn side(&self) -> Option<bool> {
        let even = |probability: &f64| *probability != 0.5;
        let told = self.probability.filter(even).map(|probability| probability > 0.5);
        self.expects.or(told)
    }
}

/// A claim that is an explanation of something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explanation {
    /// From when on it can be assessed again, knowing more.
    pub horizon: Moment,
    /// Who or what is believed then.
    pub source_of_truth: String,
    /// What it is held against.
    pub baseline: Rival,
    /// How it stood when it was given, by what was known then.
    pub assessment: Dimensions,
}

/// What an explanation is held against: the one that was at hand without the system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rival {
    /// In words: nothing but chance, what the news said.
    pub says: String,
}

/// The five things that an explanation is assessed by. Of each, `holds` speaks for the explanation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dimensions {
    /// The cause came before what it is to explain.
    pub chronology: Dimension,
    /// What it should have moved, moved more than what it should not.
    pub relative_move: Dimension,
    /// There is a way by which the one brings about the other.
    pub mechanism: Dimension,
    /// The other explanations were looked at, and explain less.
    pub competing: Dimension,
    /// Nothing that is known contradicts it.
    pub contradictions: Dimension,
}

impl Dimensions {
    /// The five, with their names.
    #[must_use]
    pub fn named(&self) -> [(&'static str, &Dimension); 5] {
        [
            ("chronology", &self.chronology),
            ("relative_move", &self.relative_move),
            ("mechanism", &self.mechanism),
            ("competing", &self.competing),
            ("contradictions", &self.contradictions),
        ]
    }
}

/// How an explanation stands in one of the five.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dimension {
    /// Whether it holds.
    pub stands: Stands,
    /// Why.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub remark: Untrusted,
}

/// Whether something holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stands {
    /// It does.
    Holds,
    /// It does not.
    Fails,
    /// It is not known.
    Unknown,
}

impl Stands {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Holds, Self::Fails, Self::Unknown];

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "fails",
            Self::Unknown => "unknown",
        }
    }
}

/// How a forecast or an explanation came out. `accredit settle` adds it, with the time of its clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LaterOutcome {
    /// When it was added.
    pub at: Moment,
    /// By whom.
    pub by: String,
    /// The step.
    pub step: StepId,
    /// The claim that is the forecast or the explanation.
    pub claim: String,
    /// Of a forecast: whether its statement came true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub came: Option<bool>,
    /// Of an explanation: how it stands by what is known now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub later: Option<Dimensions>,
    /// Where that was read.
    pub source: String,
}
