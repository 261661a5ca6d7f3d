//! The chance that this gate blocks a good release, from what was measured of its graders and from its size.
//!
//! A grader that passes a good output with chance p blocks a good release of n judged steps with chance 1 - p^n, and
//! several graders with 1 - the product of these: at 1 % wrong fails, 100 cases of 3 runs come to 95 %. That takes
//! the verdicts as independent, which repeats on one case are not quite: it then overstates. What was measured is a
//! sample, so the chance that decides takes the exact lower bound of each pass rate: what cannot be excluded.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::judged::GateGrader;
use crate::id::GraderName;
use crate::stats::interval::{Count, exact_lower};

/// The chance of a false block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FalseBlock {
    /// At the measured pass rates; absent where some grader that decides was not measured, or none decides.
    pub measured: Option<f64>,
    /// At the exact lower bounds of the pass rates: what the measurements cannot exclude. It decides.
    pub at_most: Option<f64>,
    /// The most that the policy allows.
    pub allowed: f64,
    /// Whether a larger chance than allowed cannot be excluded, so that a judge's fail blocks pending a person.
    pub past: bool,
    /// Grader by grader.
    pub graders: Vec<GraderShare>,
}

/// What one grader adds to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraderShare {
    /// The grader.
    pub grader: GraderName,
    /// Steps that it decides something about.
    pub decisions: u64,
    /// Outputs that should pass, of which it passed so many.
    pub pass: Option<Count>,
    /// The chance that it alone blocks a good release, as measured.
    pub measured: Option<f64>,
    /// The same at the lower bound of its pass rate.
    pub at_most: Option<f64>,
}

/// The chance that a good release is blocked by graders which decide on so many steps each, at a one-sided
/// confidence.
#[must_use]
pub fn false_block(
    decisions: &BTreeMap<GraderName, u64>,
    graders: &[GateGrader],
    allowed: f64,
    confidence: f64,
) -> FalseBlock {
    let pass = |name: &GraderName| {
        graders.iter().find(|grader| grader.name() == name).and_then(|grader| grader.pass)
    };
    let share = |(grader, decisions): (&GraderName, &u64)| {
        let pass = pass(grader);
        let blocks = |rate: Option<f64>| rate.map(|rate| 1.0 - all_of(rate, *decisions));
        GraderShare {
            grader: grader.clone(),
            decisions: *decisions,
            pass,
            measured: blocks(pass.and_then(Count::rate)),
            at_most: blocks(pass.and_then(|pass| exact_lower(pass, confidence))),
        }
    };
    let graders: Vec<_> = decisions.iter().map(share).collect();
    let any = |chance: fn(&GraderShare) -> Option<f64>| {
        let none: Option<f64> = graders.iter().map(|it| chance(it).map(|it| 1.0 - it)).product();
        none.filter(|_| !graders.is_empty()).map(|none| 1.0 - none)
    };
    let at_most = any(|share| share.at_most);
    FalseBlock {
        measured: any(|share| share.measured),
        at_most,
        allowed,
        past: at_most.is_none_or(|chance| chance > allowed),
        graders,
    }
}

/// rate^n.
fn all_of(rate: f64, n: u64) -> f64 {
    i32::try_from(n).map_or(if rate < 1.0 { 0.0 } else { 1.0 }, |n| rate.powi(n))
}
