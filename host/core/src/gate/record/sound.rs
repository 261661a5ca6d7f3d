//! What makes a run record unsound: every fault of it at once.

use std::collections::BTreeSet;

use thiserror::Error;

use super::{FORMAT, SutRun, open};
use crate::id::{RunId, StepId};

/// The most judges that a run may declare.
const JUDGES: usize = 1000;

/// Why a record cannot be read as one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RecordFault {
    /// Another format.
    #[error(
        "run record `{run}` is of format {format}, and this version reads format {FORMAT}: read it with the version that wrote it"
    )]
    Format {
        /// The run.
        run: RunId,
        /// The format.
        format: u32,
    },
    /// Runs are counted from 1.
    #[error("run record `{0}` says that it is run 0: runs of a case are counted from 1")]
    RunZero(RunId),
    /// Two parts share an id.
    #[error("run record `{run}` has two {what} of the id `{id}`: give each its own")]
    Twice {
        /// The run.
        run: RunId,
        /// Of what.
        what: &'static str,
        /// The id.
        id: String,
    },
    /// Executions and writes are numbered, each by itself.
    #[error(
        "run record `{run}` has an event of the number {order} that is no place of its own: number executions and writes together, each once, from 1"
    )]
    EventOrder {
        /// The run.
        run: RunId,
        /// The number.
        order: u32,
    },
    /// Nobody declares so many judges of one run.
    #[error(
        "run record `{run}` declares {count} judges, and {JUDGES} are the most: leave out those that did not run for it"
    )]
    ManyJudges {
        /// The run.
        run: RunId,
        /// How many.
        count: usize,
    },
    /// A later entry is about a step that is not there.
    #[error("run record `{run}` tells later of step `{step}`, which it has not got")]
    NoStep {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
    },
    /// Costs are numbers from 0 to 1e12.
    #[error("step `{step}` of run record `{run}` has a cost that is no number from 0 to 1e12")]
    Cost {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
    },
    /// A forecast or an explanation that cannot be settled.
    #[error("claim `{claim}` of step `{step}` of run record `{run}` {why}")]
    OpenClaim {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The claim.
        claim: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// An outcome that settles nothing.
    #[error("run record `{run}` tells how claim `{claim}` of step `{step}` came out, {why}")]
    Outcome {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The claim.
        claim: String,
        /// What is wrong with the entry.
        why: &'static str,
    },
    /// Entries are added behind those that are there.
    #[error("run record `{0}` has later entries that are not in the order of their dates")]
    OutOfOrder(RunId),
    /// The original was changed.
    #[error(
        "run record `{0}` is not the original: put it back, and add a dated correction instead"
    )]
    OriginalChanged(RunId),
    /// A later entry was changed or taken out.
    #[error("run record `{0}` lost or changed a dated entry: entries are only added")]
    EntriesChanged(RunId),
}

impl SutRun {
    /// Everything that is wrong with the record.
    #[must_use]
    pub fn faults(&self) -> Vec<RecordFault> {
        if self.format != FORMAT {
            return vec![RecordFault::Format { run: self.id.clone(), format: self.format }];
        }
        let mut faults = Vec::new();
        if self.run == 0 {
            faults.push(RecordFault::RunZero(self.id.clone()));
        }
        self.twice("steps", self.steps.iter().map(|step| step.id.as_str()), &mut faults);
        for step in &self.steps {
            let claims = step.claims.iter().flatten().map(|claim| claim.id.as_str());
            self.twice("claims", claims, &mut faults);
            let documents = step.documents.iter().flatten().map(|it| it.id.as_str());
            self.twice("documents", documents, &mut faults);
            let artifacts = step.artifacts.iter().flatten().map(|it| it.name.as_str());
            self.twice("artifacts", artifacts, &mut faults);
            if step.cost.is_some_and(|cost| !(0.0..=1e12).contains(&cost)) {
                faults.push(RecordFault::Cost { run: self.id.clone(), step: step.id.clone() });
            }
        }
        self.events(&mut faults);
        faults.extend(open::faults(self));
        self.later(&mut faults);
        faults
    }

    fn twice<'a>(
        &self,
        what: &'static str,
        ids: impl Iterator<Item = &'a str>,
        faults: &mut Vec<RecordFault>,
    ) {
        let mut seen = BTreeSet::new();
        let again = ids.filter(|id| !seen.insert(*id));
        faults.extend(again.map(|id| RecordFault::Twice {
            run: self.id.clone(),
            what,
            id: id.escape_debug().take(80).collect(),
        }));
    }

    fn events(&self, faults: &mut Vec<RecordFault>) {
        let Some(history) = &self.verification else { return };
        self.twice("judges", history.judges.iter().map(|judge| judge.name.as_str()), faults);
        if history.judges.len() > JUDGES {
            let (run, count) = (self.id.clone(), history.judges.len());
            faults.push(RecordFault::ManyJudges { run, count });
        }
        let mut seen = BTreeSet::from([0]);
        let wrong: BTreeSet<u32> = history.orders().filter(|order| !seen.insert(*order)).collect();
        let fault = |order| RecordFault::EventOrder { run: self.id.clone(), order };
        faults.extend(wrong.into_iter().map(fault));
    }

    fn later(&self, faults: &mut Vec<RecordFault>) {
        let own = self.steps_by_id();
        for step in self.corrections.iter().filter_map(|it| it.step.as_ref()) {
            if !own.contains_key(step) {
                faults.push(RecordFault::NoStep { run: self.id.clone(), step: step.clone() });
            }
        }
        if !self.corrections.is_sorted_by_key(|it| it.at)
            || !self.outcomes.is_sorted_by_key(|it| it.at)
        {
            faults.push(RecordFault::OutOfOrder(self.id.clone()));
        }
    }
}
