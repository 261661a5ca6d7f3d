//! What the cases come to for a release. Serious failures and cases without a verdict are never averaged away.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::combine::Failed;
use super::standing::Truth;
use super::summary::Summary;
use crate::policy::GatePolicy;
use crate::stats::interval::Count;

/// What a release comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Release {
    /// True: it may go. False: it is blocked. Undefined: the evidence does not tell.
    pub verdict: Truth,
    /// Why, in words.
    pub why: String,
    /// Whether a person may let it go all the same: only judges block it, at a gate where they may too easily be wrong.
    pub pending_person: bool,
}

/// The release, by the summary of the cases that can block and what failed in them. `gating` tells whether any grader
/// that the inventory names has gating authority.
#[must_use]
pub fn release(
    summary: &Summary,
    failures: &[Failed],
    policy: &GatePolicy,
    gating: bool,
) -> Release {
    let (verdict, mut why) = decide(summary, failures, policy, gating);
    if verdict == Truth::False && summary.not_evaluated > 0 {
        why.push_str(&format!(", not evaluated: {}", summary.not_evaluated));
    }
    let pending = verdict == Truth::False && failures.iter().all(|it| it.pending_person);
    Release { verdict, why, pending_person: pending }
}

fn decide(
    summary: &Summary,
    failures: &[Failed],
    policy: &GatePolicy,
    gating: bool,
) -> (Truth, String) {
    let Summary { passed, failed, not_evaluated, verdicted, cases, .. } = *summary;
    let serious = failures.iter().filter(|it| it.serious.is_some()).count();
    let rate = |right, of| Count::new(right, of).rate();
    if serious > 0 {
        let why = format!("{failed} of {cases} cases failed, serious failures: {serious}");
        return (Truth::False, why);
    }
    // As if whatever was not judged had passed.
    let best = rate(passed + not_evaluated, verdicted + not_evaluated);
    if failed > 0 && best.is_none_or(|best| best < policy.pass_rate) {
        let bar = policy.pass_rate;
        return (
            Truth::False,
            format!("{failed} of {cases} cases failed, and {bar} of them must pass"),
        );
    }
    if !gating {
        let why = "no grader that the inventory names has gating authority: nothing can be decided";
        return (Truth::Undefined, why.to_owned());
    }
    if not_evaluated > 0 {
        let why = format!("cases not evaluated: {not_evaluated} of {cases}");
        return (Truth::Undefined, why);
    }
    if passed == 0 {
        return (Truth::Undefined, "no case that can block has a verdict".to_owned());
    }
    (Truth::True, format!("{passed} of {verdicted} judged cases passed"))
}
