//! Forecasts and explanations that came out later: a dated entry against a baseline that was fixed in advance.
//!
//! The original verdict stays `unresolved`; what was settled informs, and never gates.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::record::SutRun;
use crate::id::{CaseId, RuleId, RunId, StepId};
use crate::ledger::Moment;
use crate::untrusted::Untrusted;
use crate::verdict::Verdict;

/// How something came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settled {
    /// The case.
    pub case: CaseId,
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: StepId,
    /// The rule.
    pub rule: RuleId,
    /// The claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Untrusted>,
    /// When it was settled.
    pub at: Moment,
    /// Pass or fail; absent where the entry does not count.
    pub came: Option<Verdict>,
    /// Why the entry does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// What later entries of these runs settle, the last entry on each thing counting.
#[must_use]
pub fn settled(runs: &[SutRun]) -> Vec<Settled> {
    let mut settled: Vec<Settled> = Vec::new();
    for run in runs {
        for entry in &run.outcomes {
            let refused = refused(run, entry.at, entry.baseline_fixed_at, &entry.baseline);
            let new = Settled {
                case: run.case.clone(),
                run: run.id.clone(),
                step: entry.step.clone(),
                rule: entry.rule.clone(),
                claim: entry.claim.as_ref().map(Untrusted::new),
                at: entry.at,
                came: refused.is_none().then_some(entry.came),
                refused,
            };
            let same = |old: &Settled| {
                (&old.run, &old.step, &old.rule, &old.claim)
                    == (&new.run, &new.step, &new.rule, &new.claim)
            };
            match settled.iter_mut().find(|old| same(old)) {
                Some(old) if new.came.is_some() || old.came.is_none() => *old = new,
                Some(_) => {}
                None => settled.push(new),
            }
        }
    }
    settled.sort_by(|a, b| (&a.case, &a.run, &a.step).cmp(&(&b.case, &b.run, &b.step)));
    settled
}

fn refused(run: &SutRun, at: Moment, fixed: Moment, baseline: &str) -> Option<String> {
    let Some(ended) = run.ended_at else {
        return Some(
            "the record does not say when the run ended, so nothing is known to be later"
                .to_owned(),
        );
    };
    if baseline.trim().is_empty() {
        return Some("it names no baseline".to_owned());
    }
    if fixed > ended {
        return Some(format!("its baseline was fixed at {fixed}, after the run ended"));
    }
    (at <= ended).then(|| "it is dated before the run ended".to_owned())
}
