//! Grades that were kept, held against the cases that they belong to and against their own operations.
//!
//! Nothing here believes a stated figure: counts are made again, and grades are made again from the operations.

use std::collections::{BTreeMap, BTreeSet};

use super::Grade;
use super::counters::{Counters, Ended};
use super::derive::RunGrade;
use super::graded::{EvidenceGrades, FORMAT};
use super::operation::{On, Op, Operation};
use crate::gate::combine::CaseResult;
use crate::id::JudgeName;

const BROKEN: &str = "an operation begins where the one before did not end";

/// The runs of these cases that came to an end: a record of them is there.
pub(super) fn ended(cases: &[CaseResult]) -> Vec<Ended<'_>> {
    let runs = cases.iter().flat_map(|case| &case.runs);
    let ended = runs.filter_map(|run| {
        Some(Ended { run: &run.run, record: run.record?, family: run.standing.name() })
    });
    ended.collect()
}

impl EvidenceGrades {
    /// Everything that is wrong with grades that were kept beside these cases: invariants that do not hold, counts that
    /// are not those of the lines, and lines that their own operations do not lead to.
    #[must_use]
    pub fn faults(&self, cases: &[CaseResult]) -> Vec<String> {
        if self.format != FORMAT {
            return vec![format!("its grades are of format {}", self.format)];
        }
        let ended = ended(cases);
        let counted = Counters::of(&self.runs, &ended);
        let mut faults: Vec<String> = counted
            .broken()
            .into_iter()
            .map(|(name, count)| format!("{name} is {count} and must be 0"))
            .collect();
        if counted != self.counters {
            faults.push("its counters are not those of its grades".to_owned());
        }
        let there: BTreeSet<_> = ended.iter().map(|it| it.run).collect();
        let mut seen = BTreeSet::new();
        for line in &self.runs {
            if !seen.insert(&line.run) {
                faults.push(format!("run {} has two grades", line.run));
            }
            if !there.contains(&line.run) {
                faults.push(format!("run {} has a grade, and no case has its record", line.run));
            }
            faults.extend(line.fault().map(|fault| format!("run {}: {fault}", line.run)));
        }
        let order = |line: &RunGrade| (line.effective, line.run.clone());
        if !self.runs.is_sorted_by_key(order) {
            faults.push("its grades are not in their order, the worst first".to_owned());
        }
        faults
    }
}

impl RunGrade {
    /// Where its operations do not lead to what it says.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let mut replay = Replay::default();
        let fault = self.operations.iter().find_map(|operation| replay.take(operation));
        let graded = replay.graded.unwrap_or(replay.run);
        let unsaid = replay
            .words
            .iter()
            .any(|(judge, word)| word.is_verified() && !replay.folded.contains(judge));
        let wrong = [
            (unsaid, "a judge's word was left out"),
            (graded != self.grade, "its operations lead to another grade"),
            (replay.run != self.effective, "its operations lead to another effective grade"),
            (
                replay.failed != self.failed_declared_evidence,
                "its flag of failed evidence is not that of its operations",
            ),
            (
                self.content != self.content_now && self.effective.is_verified(),
                "the content that was graded is not what is there",
            ),
        ];
        fault.or_else(|| wrong.into_iter().find(|(is, _)| *is).map(|(_, fault)| fault))
    }
}

/// Where the operations have led so far.
struct Replay<'a> {
    words: BTreeMap<(&'a JudgeName, bool), Grade>,
    folded: BTreeSet<(&'a JudgeName, bool)>,
    run: Grade,
    graded: Option<Grade>,
    failed: bool,
}

impl Default for Replay<'_> {
    fn default() -> Self {
        let (words, folded) = (BTreeMap::new(), BTreeSet::new());
        Self { words, folded, run: Grade::Unverified, graded: None, failed: false }
    }
}

impl<'a> Replay<'a> {
    /// Takes one operation; or says why that cannot follow.
    fn take(&mut self, it: &'a Operation) -> Option<&'static str> {
        if it.why != it.op.why() {
            return Some("an operation gives a reason that is not its own");
        }
        let judge = it.judge.as_ref().map(|judge| (judge, it.by_gate));
        match (it.op.on(), judge) {
            (On::Event, _) => None,
            (On::Word, None) => Some("an operation on a judge's word names no judge"),
            (On::Word, Some(judge)) => {
                let word = self.words.entry(judge).or_insert(Grade::Unverified);
                if *word != it.from {
                    return Some(BROKEN);
                }
                *word = it.to;
                self.failed |= it.op == Op::Failed;
                None
            }
            (On::Run, judge) => self.on_run(it, judge),
        }
    }

    fn on_run(
        &mut self,
        it: &'a Operation,
        judge: Option<(&'a JudgeName, bool)>,
    ) -> Option<&'static str> {
        if self.run != it.from {
            return Some(BROKEN);
        }
        if it.op == Op::Folded {
            let word = judge.and_then(|judge| self.words.get(&judge).copied());
            if it.to != it.from.max(word.unwrap_or(Grade::Unverified)) {
                return Some("a maximum is none");
            }
            self.folded.extend(judge);
        } else if it.to > it.from {
            return Some("an operation raises that may not");
        }
        if it.op == Op::ContentChanged {
            self.graded = self.graded.or(Some(it.from));
        }
        self.run = it.to;
        None
    }
}
