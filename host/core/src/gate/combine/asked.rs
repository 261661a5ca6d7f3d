//! What the inventory asks of the graders on one step, and what they said of it.

use std::collections::BTreeMap;

use super::Evidence;
use crate::gate::inventory::{Check, Inventory, Selected};
use crate::gate::judged::{GateGrader, Judgement, Said, Why, verdicts};
use crate::gate::kind::Place;
use crate::gate::record::SutRun;
use crate::gate::standing::Standing;
use crate::id::{GraderName, RuleId, RunId, StepId};

/// The evidence, so that it can be looked up.
pub(in crate::gate) struct Asking<'a> {
    pub(in crate::gate) inventory: &'a Inventory,
    runs: BTreeMap<&'a RunId, &'a SutRun>,
    graders: BTreeMap<&'a GraderName, &'a GateGrader>,
    judgements: BTreeMap<(&'a GraderName, &'a RunId, &'a StepId), Vec<&'a Judgement>>,
}

/// What is asked of one grader on one step.
#[derive(Default)]
pub(in crate::gate) struct Asked<'a> {
    /// The grader, where there is one.
    pub(in crate::gate) grader: Option<&'a GateGrader>,
    /// Its verdicts, one for each rule and claim.
    pub(in crate::gate) said: Vec<Said>,
    /// What is not there: a rule, or the grader's whole word.
    pub(in crate::gate) missing: Vec<(Option<RuleId>, Why)>,
}

impl<'a> Asking<'a> {
    pub(in crate::gate) fn new(evidence: Evidence<'a>) -> Self {
        let mut judgements: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for it in evidence.judgements {
            judgements.entry((&it.grader, &it.run, &it.step)).or_default().push(it);
        }
        Self {
            inventory: evidence.inventory,
            runs: evidence.runs.iter().map(|run| (&run.id, run)).collect(),
            graders: evidence.graders.iter().map(|it| (it.name(), it)).collect(),
            judgements,
        }
    }

    pub(in crate::gate) fn run(&self, id: &RunId) -> Option<&'a SutRun> {
        self.runs.get(id).copied()
    }

    /// Where a run's record is not what was selected.
    pub(in crate::gate) fn against(&self, selected: &Selected, run: &SutRun) -> Vec<Why> {
        let mut why = Vec::new();
        if run.case != selected.case || run.purpose != selected.purpose {
            why.push(Why::RunMismatch);
        }
        let covers = |check: &&Check| selected.steps.iter().any(|step| check.covers(step));
        let named = |expected: &crate::gate::record::ExpectedCheck| {
            let of_grader = || {
                let checks = self.inventory.checks_of(selected).filter(covers);
                checks.filter(|check| check.grader == expected.grader)
            };
            match expected.rules.as_slice() {
                [] => of_grader().any(|check| check.rules.is_empty()),
                rules => rules.iter().all(|rule| of_grader().any(|check| check.asks(rule))),
            }
        };
        if !run.expected.iter().all(named) {
            why.push(Why::NotInInventory);
        }
        let declared = |expected: &crate::gate::record::ExpectedCheck| {
            let grader = self.graders.get(&expected.grader);
            let has =
                |rule: &RuleId| grader.is_none_or(|it| it.manifest.rule(rule.as_str()).is_some());
            expected.rules.iter().all(has)
        };
        if !run.expected.iter().all(declared) {
            why.push(Why::RuleMissing);
        }
        why
    }

    /// What the checks come to on one step, by grader. Two checks that ask the same count once, as the more serious.
    pub(in crate::gate) fn on_step(
        &self,
        checks: &[&Check],
        at: Place<'_>,
    ) -> BTreeMap<GraderName, Asked<'a>> {
        let mut asked: BTreeMap<GraderName, Asked<'a>> = BTreeMap::new();
        for check in checks {
            let into = asked.entry(check.grader.clone()).or_default();
            let Some(grader) = self.graders.get(&check.grader).copied() else {
                into.missing.push((None, Why::GraderMissing));
                continue;
            };
            into.grader = Some(grader);
            let unknown =
                check.rules.iter().filter(|rule| grader.manifest.rule(rule.as_str()).is_none());
            into.missing.extend(unknown.map(|rule| (Some(rule.clone()), Why::RuleMissing)));
            let by = self.judgements.get(&(&check.grader, &at.run.id, &at.step.id));
            let by = by.map_or(&[][..], Vec::as_slice);
            if by.is_empty() && at.step.answer.is_some() {
                into.missing.push((None, Why::CheckMissing));
            } else {
                into.said.extend(verdicts(&grader.manifest, at, check, by));
            }
        }
        asked.values_mut().for_each(once);
        asked
    }
}

/// Keeps one verdict a rule and claim: the worst of them, as serious as the most serious.
fn once(asked: &mut Asked<'_>) {
    asked.missing.sort();
    asked.missing.dedup();
    let mut kept: BTreeMap<_, Said> = BTreeMap::new();
    for said in std::mem::take(&mut asked.said) {
        let key = (said.rule.clone(), said.claim.clone());
        let said = match kept.remove(&key) {
            None => said,
            Some(other) => {
                let serious = said.serious.max(other.serious);
                let order = |it: &Said| (it.standing, it.evaluates);
                let worse = if order(&other) >= order(&said) { other } else { said };
                Said { serious, ..worse }
            }
        };
        kept.insert(key, said);
    }
    asked.said = kept.into_values().collect();
    debug_assert!(asked.said.iter().all(|said| said.standing != Standing::Missing));
}
