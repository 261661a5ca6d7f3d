//! The grades of the runs of a gate: its own graders are judges beside those that the records tell of.

use std::collections::BTreeMap;

use super::audit;
use super::derive::{ByHost, Observed, derive};
use super::history::Came;
use super::{EvidenceGrades, Grade};
use crate::gate::combine::{Asking, CaseResult, Evidence};
use crate::gate::inventory::{Check, Inventory, Selected};
use crate::gate::judged::GateGrader;
use crate::gate::kind::Place;
use crate::gate::record::SutRun;
use crate::gate::standing::Standing;
use crate::id::{GraderName, JudgeName};
use crate::verdict::GraderKind;

/// The grades of all runs that were selected and whose records are there. `written` is the inventory as it was written:
/// what profiles add later was not declared with it.
pub(in crate::gate) fn of_gate(
    evidence: Evidence<'_>,
    written: &Inventory,
    cases: &[CaseResult],
) -> EvidenceGrades {
    let asking = Asking::new(evidence);
    let mut lines = Vec::new();
    for selected in &evidence.inventory.cases {
        for run in selected.runs.iter().filter_map(|id| asking.run(id)) {
            let by_host = by_host(&asking, written, selected, run);
            lines.push(derive(Observed { run, by_host: &by_host }));
        }
    }
    EvidenceGrades::new(lines, &audit::ended(cases))
}

/// What is gathered of one grader over the steps of a run.
#[derive(Default)]
struct Gathered<'a> {
    grader: Option<&'a GateGrader>,
    checks: Vec<&'a Check>,
    standings: Vec<Standing>,
}

fn by_host(
    asking: &Asking<'_>,
    written: &Inventory,
    selected: &Selected,
    run: &SutRun,
) -> Vec<ByHost> {
    let mut all: BTreeMap<GraderName, Gathered<'_>> = BTreeMap::new();
    let own = run.steps_by_id();
    let whole = selected.steps.iter().all(|id| own.contains_key(id));
    for id in &selected.steps {
        let on_step = asking.inventory.checks_of(selected).filter(|check| check.covers(id));
        let checks: Vec<&Check> = on_step.collect();
        for check in &checks {
            let gathered = all.entry(check.grader.clone()).or_default();
            gathered.checks.push(check);
            if !own.contains_key(id) {
                gathered.standings.push(Standing::Missing);
            }
        }
        let Some(step) = own.get(id).copied() else { continue };
        let place = Place { run, step, whole };
        for (name, asked) in asking.on_step(&checks, place) {
            let gathered = all.entry(name).or_default();
            gathered.grader = gathered.grader.or(asked.grader);
            gathered.standings.extend(asked.missing.iter().map(|_| Standing::Missing));
            // Without gating authority none decides: what it says is recorded all the same.
            let decides = asked.said.iter().filter(|said| said.decides());
            gathered.standings.extend(decides.map(|said| said.standing));
        }
    }
    let judged = all.iter().filter_map(|(name, it)| it.judge(name, written, selected, run));
    judged.collect()
}

impl Gathered<'_> {
    /// The judge that this grader is of the run; absent where it was asked nothing that decides.
    fn judge(
        &self,
        name: &GraderName,
        written: &Inventory,
        selected: &Selected,
        run: &SutRun,
    ) -> Option<ByHost> {
        let came = came(&self.standings)?;
        let stated = self.checks.iter().map(|check| self.stated(check)).min()?;
        Some(ByHost {
            name: JudgeName::from(name),
            kind: self.at_most(stated),
            stated,
            declared: is_declared(name, written, selected, run),
            // One that is not there was to decide, for all that is known.
            may_decide: self.grader.is_none_or(GateGrader::may_block),
            chain: self.grader.map(|it| it.chain.clone()).unwrap_or_default(),
            came,
        })
    }

    fn reads(&self) -> bool {
        self.grader.is_some_and(|grader| grader.kind == GraderKind::Judge)
    }

    /// What the inventory calls a pass of this check.
    fn stated(&self, check: &Check) -> Grade {
        let unsaid = if self.reads() { Grade::ReviewOnly } else { Grade::ConstructedCheck };
        check.evidence.unwrap_or(unsaid)
    }

    /// What it may be worth at most. A judge reads: its pass is a review.
    fn at_most(&self, stated: Grade) -> Grade {
        if self.reads() { stated.min(Grade::ReviewOnly) } else { stated }
    }
}

/// What a grader came to over a run, by all that it decides there: absent where it had nothing to say of any of it.
fn came(standings: &[Standing]) -> Option<Came> {
    Standing::worst(standings.iter().copied()).and_then(|worst| match worst {
        Standing::NotApplicable => None,
        Standing::Passed => Some(Came::Pass),
        Standing::Unresolved | Standing::Unproven | Standing::Missing => Some(Came::None),
        Standing::Failed => Some(Came::Fail),
    })
}

/// Whether the inventory named this grader before the run began, or the record says that it was expected then.
fn is_declared(name: &GraderName, written: &Inventory, selected: &Selected, run: &SutRun) -> bool {
    let Some(began) = run.started_at else { return false };
    let named = written.checks_of(selected).any(|check| check.grader == *name);
    let in_time = named && written.written_at.is_some_and(|at| at <= began);
    let expected = run.expected.iter().filter(|expected| expected.grader == *name);
    in_time || expected.filter_map(|expected| expected.written_at).any(|at| at <= began)
}
