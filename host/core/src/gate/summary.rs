//! Counts of cases, and the one rate that may be made of them, stamped with the policy that defined "pass".

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::combine::CaseResult;
use super::standing::Standing;
use crate::id::Digest;
use crate::stats::interval::Count;

/// The version of the format of summaries that are kept.
pub const FORMAT: u32 = 1;

/// Cases, by how they stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// All cases that were selected.
    pub cases: u64,
    /// Judged, and every check that applies passed.
    pub passed: u64,
    /// Judged, and some check failed.
    pub failed: u64,
    /// Passed or failed: what the rate is over.
    pub verdicted: u64,
    /// Judged, and not shown either way.
    pub unproven: u64,
    /// Waiting for something that has not happened yet.
    pub unresolved: u64,
    /// Nothing to say about them.
    pub not_applicable: u64,
    /// Selected, and their evidence is not all there.
    pub missing: u64,
    /// Unproven, unresolved or missing: neither passed nor failed.
    pub not_evaluated: u64,
    /// passed of verdicted; absent where nothing was.
    pub pass_rate: Option<f64>,
}

impl Summary {
    /// The summary of some cases.
    pub fn of<'a>(cases: impl IntoIterator<Item = &'a CaseResult>) -> Self {
        Self::count(cases.into_iter().map(|case| case.standing))
    }

    /// The same of how they stand.
    pub fn count(standings: impl IntoIterator<Item = Standing>) -> Self {
        let mut summary = Self::default();
        for standing in standings {
            summary.cases += 1;
            *match standing {
                Standing::Passed => &mut summary.passed,
                Standing::Failed => &mut summary.failed,
                Standing::Unproven => &mut summary.unproven,
                Standing::Unresolved => &mut summary.unresolved,
                Standing::NotApplicable => &mut summary.not_applicable,
                Standing::Missing => &mut summary.missing,
            } += 1;
        }
        summary.verdicted = summary.passed + summary.failed;
        summary.not_evaluated = summary.unproven + summary.unresolved + summary.missing;
        summary.pass_rate = summary.verdicts().rate();
        summary
    }

    /// Passed of verdicted.
    #[must_use]
    pub fn verdicts(&self) -> Count {
        Count::new(self.passed, self.verdicted)
    }
}

/// A summary that is kept, with the policy that defined "pass".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// The digest of the policy under which it was made.
    pub policy: Digest,
    /// The digest of the inventory.
    pub inventory: Digest,
    /// The summary.
    pub summary: Summary,
}

impl Kept {
    /// Why it does not hold under the policy in force, in words; absent where it does.
    #[must_use]
    pub fn stale(&self, policy: Digest) -> Option<String> {
        (self.policy != policy).then(|| {
            let (then, now) = (self.policy.short(), policy.short());
            format!(
                "stale: made under policy {then}, and policy {now} is in force: run the gate again"
            )
        })
    }
}
