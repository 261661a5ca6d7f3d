//! The real outputs of a run, as its record tells them.

use super::{Assessment, Output, Terms, assess};
use crate::control::set::Kind;
use crate::findings::{Finding, Outcome};
use crate::manifest::Rule;
use crate::run::event::{ControlFacts, TrialFinished};
use crate::run::fold::{Run, case_verdict};
use crate::score::{Row, Table};
use crate::untrusted::Untrusted;
use crate::verdict::{Tier, Verdict};

/// The assessment of a run's real outputs, by the policy's bars for gating; none where it has no such outputs.
#[must_use]
pub fn of_run(run: &Run, table: &Table) -> Option<Assessment> {
    let started = &run.started;
    let rules = &started.grader.manifest.rules;
    let outputs: Vec<_> = started
        .controls
        .iter()
        .enumerate()
        .filter(|(_, facts)| facts.kind == Kind::RealOutput)
        .filter_map(|(place, facts)| {
            let trial = run.results[place].all().next()?;
            output(facts, rules, &table[place], &trial)
        })
        .collect();
    let bars = started.policy.bars(started.kind(), Tier::Gating)?;
    let terms = Terms::new(&started.policy, bars, &started.samples);
    (!outputs.is_empty()).then(|| assess(&outputs, &terms))
}

fn output(
    facts: &ControlFacts,
    rules: &[Rule],
    rows: &[Row],
    trial: &TrialFinished,
) -> Option<Output> {
    let verdict_of = |row: &Row| row.answered.then(|| case_verdict(rules, &row.verdicts));
    let verdict = verdict_of(rows.first()?);
    Some(Output {
        id: facts.id.clone(),
        family: facts.family.clone(),
        label: facts.label.clone()?,
        verdict,
        steady: rows.iter().all(|row| verdict_of(row) == verdict),
        score: score(rules, trial),
        rationale: rationale(trial, verdict),
        texts: None,
    })
}

fn findings(trial: &TrialFinished) -> &[Finding] {
    match &trial.outcome {
        Outcome::Graded(findings) => findings,
        Outcome::Refused(_) | Outcome::Fault(_) => &[],
    }
}

/// The probability that the case fails: the highest of the rules that decide, which is the least it can be.
fn score(rules: &[Rule], trial: &TrialFinished) -> Option<f64> {
    let decides = |finding: &&Finding| {
        rules.iter().any(|rule| rule.id.as_str() == finding.rule.raw() && rule.tier.decides())
    };
    let scores = findings(trial).iter().filter(decides).filter_map(|finding| finding.score);
    scores.max_by(f64::total_cmp)
}

/// What the grader said of the rule that decided.
fn rationale(trial: &TrialFinished, verdict: Option<Verdict>) -> Untrusted {
    let found = findings(trial);
    let said = found.iter().find(|finding| Some(finding.verdict) == verdict).or(found.first());
    match &trial.outcome {
        Outcome::Graded(_) => said.map(|finding| finding.rationale.clone()).unwrap_or_default(),
        Outcome::Refused(refusal) => refusal.message.clone(),
        Outcome::Fault(fault) => fault.detail.clone(),
    }
}
