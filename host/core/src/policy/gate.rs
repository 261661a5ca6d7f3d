//! What a policy asks at the gate: `[gate]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a release must come to, and how often the gate itself may be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GatePolicy {
    /// The largest chance, 0 to 1, that this gate blocks a good release. Where what was measured of the graders
    /// cannot exclude a larger one, a judge's fail blocks pending a person.
    pub max_false_block: f64,
    /// The share of judged cases that must pass, 0 to 1. It never makes up for a serious failure or for a case that
    /// was not judged.
    pub pass_rate: f64,
}

impl Default for GatePolicy {
    fn default() -> Self {
        Self { max_false_block: 0.05, pass_rate: 1.0 }
    }
}

impl GatePolicy {
    /// Whether it is the built-in one. Such a policy is written without it, so that older digests stay.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Where it asks for less than another, in words.
    #[must_use]
    pub fn looser_than(&self, usual: &Self) -> Vec<String> {
        let mut looser = Vec::new();
        if self.max_false_block > usual.max_false_block {
            let (own, usual) = (self.max_false_block, usual.max_false_block);
            looser.push(format!("gate.max_false_block {own} instead of {usual}"));
        }
        if self.pass_rate < usual.pass_rate {
            looser
                .push(format!("gate.pass_rate {} instead of {}", self.pass_rate, usual.pass_rate));
        }
        looser
    }
}
