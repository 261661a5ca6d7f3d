//! The grades of several runs, the worst verified first, and what was counted over them.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::counters::{Counters, Ended};
use super::derive::{Observed, RunGrade, derive};
use crate::gate::record::SutRun;
use crate::id::{Digest, RunId};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The grades of the evidence of several runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceGrades {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// A grade a run, the worst effective grade first.
    pub runs: Vec<RunGrade>,
    /// Runs that were graded before and of which there is no record now: lost evidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<RunId>,
    /// What was counted.
    pub counters: Counters,
}

impl EvidenceGrades {
    /// The grades in their order, counted against the runs that came to an end.
    #[must_use]
    pub(in crate::gate) fn new(mut runs: Vec<RunGrade>, ended: &[Ended<'_>]) -> Self {
        runs.sort_by(|a, b| (a.effective, &a.run).cmp(&(b.effective, &b.run)));
        let counters = Counters::of(&runs, ended);
        Self { format: FORMAT, runs, lost: Vec::new(), counters }
    }

    /// Whether some judge that was declared ran and failed.
    #[must_use]
    pub fn failed_declared_evidence(&self) -> bool {
        self.runs.iter().any(|run| run.failed_declared_evidence)
    }

    /// Whether something is behind every run, and none was lost.
    #[must_use]
    pub fn all_verified(&self) -> bool {
        self.lost.is_empty() && self.runs.iter().all(|run| run.effective.is_verified())
    }
}

/// The grades of these records by what they tell of themselves, with no grader run.
///
/// Where `before` holds the grades of the same runs as they were: a run whose content is another now is worth
/// `unverified`, and one of which there is no record any more is lost.
#[must_use]
pub fn of_records(runs: &[SutRun], before: Option<&EvidenceGrades>) -> EvidenceGrades {
    let graded: BTreeMap<&RunId, Digest> =
        before.iter().flat_map(|it| &it.runs).map(|it| (&it.run, it.content)).collect();
    let line = |run: &SutRun| {
        let line = derive(Observed { run, by_host: &[] });
        match graded.get(&run.id) {
            Some(content) => line.against(*content),
            None => line,
        }
    };
    let ended: Vec<Ended<'_>> = runs.iter().map(ended).collect();
    let mut grades = EvidenceGrades::new(runs.iter().map(line).collect(), &ended);
    let there: BTreeSet<&RunId> = runs.iter().map(|run| &run.id).collect();
    grades.lost = graded.keys().copied().filter(|id| !there.contains(id)).cloned().collect();
    grades
}

/// A record by itself tells whether its run ended, and not how.
fn ended(run: &SutRun) -> Ended<'_> {
    let family = if run.ended_at.is_some() { "ended" } else { "end not recorded" };
    Ended { run: &run.id, record: run.original(), family }
}
