//! Every control that was judged wrong, by how it was wrong.

use super::Miss;
use crate::control::set::Kind;
use crate::findings::{Finding, Outcome};
use crate::id::RuleId;
use crate::manifest::Rule;
use crate::run::event::{ControlFacts, TrialFinished};
use crate::run::fold::{Run, Tried, case_verdict};
use crate::score::{Mark, Row, Table, mark, strays};
use crate::untrusted::Untrusted;
use crate::verdict::Verdict;

/// The four ways of being wrong.
#[derive(Default)]
pub(super) struct Misses {
    pub(super) false_passes: Vec<Miss>,
    pub(super) false_fails: Vec<Miss>,
    pub(super) wrong_rule: Vec<Miss>,
    pub(super) undecided: Vec<Miss>,
}

impl Misses {
    /// All of them, in the order of the four lists.
    pub(super) fn all(self) -> Vec<Miss> {
        [self.false_passes, self.false_fails, self.wrong_rule, self.undecided].concat()
    }

    /// Those of one kind of control.
    pub(super) fn of_kind(&self, kind: Kind) -> Vec<Miss> {
        [&self.false_passes, &self.false_fails, &self.wrong_rule, &self.undecided]
            .into_iter()
            .flatten()
            .filter(|miss| miss.kind == kind)
            .cloned()
            .collect()
    }
}

/// Finds them, each list ordered by kind and id. A control is listed once, by its first wrong trial.
pub(super) fn find(run: &Run, table: &Table) -> Misses {
    let mut misses = Misses::default();
    let rules = &run.started.grader.manifest.rules;
    for (place, facts) in run.started.controls.iter().enumerate() {
        if facts.kind == Kind::RealOutput && facts.expect.verdict == Verdict::Unresolved {
            continue;
        }
        let rows = &table[place];
        let wrong = |row: &&Row| mark(facts, rules, row) != Mark::Right;
        let Some(first) = rows.iter().find(wrong) else {
            continue;
        };
        let trial =
            run.results[place].all().zip(rows).find(|(_, row)| wrong(row)).map(|(trial, _)| trial);
        let miss = describe(facts, rules, rows, first, trial);
        match mark(facts, rules, first) {
            Mark::FalsePass => misses.false_passes.push(miss),
            Mark::FalseFail => misses.false_fails.push(miss),
            Mark::WrongRule => misses.wrong_rule.push(miss),
            Mark::Undecided | Mark::Right => misses.undecided.push(miss),
        }
    }
    for list in [
        &mut misses.false_passes,
        &mut misses.false_fails,
        &mut misses.wrong_rule,
        &mut misses.undecided,
    ] {
        list.sort_by(|a, b| (a.kind, &a.id).cmp(&(b.kind, &b.id)));
    }
    misses
}

fn describe(
    facts: &ControlFacts,
    rules: &[Rule],
    rows: &[Row],
    first: &Row,
    trial: Option<Tried<'_>>,
) -> Miss {
    let is_wrong = |row: &&Row| mark(facts, rules, row) != Mark::Right;
    let as_written = rows.iter().any(|row| row.variant.is_none() && is_wrong(&row));
    let mut only_under: Vec<_> =
        rows.iter().filter(is_wrong).filter_map(|row| row.variant).collect();
    only_under.dedup();
    if as_written {
        only_under.clear();
    }
    let rule = blamed(facts, rules, first);
    let got = match &rule {
        Some(rule) => rules
            .iter()
            .position(|declared| declared.id == *rule)
            .and_then(|place| first.verdicts.get(place).copied())
            .unwrap_or(Verdict::Unproven),
        None => case_verdict(rules, &first.verdicts),
    };
    Miss {
        id: facts.id.clone(),
        kind: facts.kind,
        failed: failed(rules, first),
        stray: strays(facts, rules, first).cloned().collect(),
        family: facts.family.clone(),
        expected: facts.expect.verdict,
        got,
        wrong_trials: rows.iter().filter(is_wrong).count() as u64,
        trials: rows.len() as u64,
        only_under,
        tactic: facts.tactic.clone(),
        hard: facts.label.as_ref().is_some_and(|label| label.hard),
        why: facts.why.clone(),
        rationale: trial
            .map(|trial| said(&trial, facts, rules, first, rule.as_ref(), got))
            .unwrap_or_default(),
        rule,
    }
}

/// The rules that failed a trial.
fn failed(rules: &[Rule], row: &Row) -> Vec<RuleId> {
    let failed = rules.iter().zip(&row.verdicts).filter(|(_, verdict)| **verdict == Verdict::Fail);
    failed.map(|(rule, _)| rule.id.clone()).collect()
}

/// The rule to name: the one expected, unless it is another that failed a case which should pass.
fn blamed(facts: &ControlFacts, rules: &[Rule], row: &Row) -> Option<RuleId> {
    let with = |wanted: &dyn Fn(Verdict) -> bool| {
        rules
            .iter()
            .zip(&row.verdicts)
            .find(|(_, verdict)| wanted(**verdict))
            .map(|(rule, _)| rule.id.clone())
    };
    let failed = || with(&|verdict| verdict == Verdict::Fail);
    if facts.kind == Kind::RealOutput && facts.expect.rule.is_none() {
        // The label is on the output as a whole.
        return None;
    }
    match facts.expect.verdict {
        Verdict::Pass => failed().or_else(|| facts.expect.rule.clone()).or_else(|| {
            with(&|verdict| matches!(verdict, Verdict::Unproven | Verdict::Unresolved))
        }),
        _ => facts.expect.rule.clone(),
    }
}

/// What the grader said: of a rule that failed and nothing is wrong with, where the one that must fail did.
fn said(
    trial: &TrialFinished,
    facts: &ControlFacts,
    rules: &[Rule],
    row: &Row,
    rule: Option<&RuleId>,
    got: Verdict,
) -> Untrusted {
    let caught = facts.expect.verdict == Verdict::Fail && got == Verdict::Fail;
    let stray = strays(facts, rules, row).next().filter(|_| caught);
    rationale(trial, stray.or(rule), got)
}

/// What the grader said of the rule, or the fault or refusal that stood in its place. Without a rule: what
/// it said of the first rule with the verdict that the case got.
fn rationale(trial: &TrialFinished, rule: Option<&RuleId>, got: Verdict) -> Untrusted {
    let speaks = |finding: &&Finding| match rule {
        Some(rule) => finding.rule.raw() == rule.as_str(),
        None => finding.verdict == got && got != Verdict::Pass,
    };
    match &trial.outcome {
        Outcome::Refused(refusal) => refusal.message.clone(),
        Outcome::Fault(fault) => fault.detail.clone(),
        Outcome::Graded(findings) => findings
            .iter()
            .find(speaks)
            .map(|finding| finding.rationale.clone())
            .unwrap_or_default(),
    }
}
