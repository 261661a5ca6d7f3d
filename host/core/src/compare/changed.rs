//! Which verdicts changed, and what either grader said.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pairs::{Came, Case, Paired};
use crate::control::set::{Expectation, Kind};
use crate::control::transform::Transform;
use crate::findings::{Finding, Outcome};
use crate::id::{ControlId, RuleId};
use crate::manifest::Rule;
use crate::run::event::TrialFinished;
use crate::run::fold::Run;
use crate::score::{Mark, Row, mark};
use crate::untrusted::Untrusted;
use crate::verdict::Verdict;

/// A case that got another verdict from some rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    /// The case.
    pub id: ControlId,
    /// Its kind.
    pub kind: Kind,
    /// What it should get.
    pub expect: Expectation,
    /// Whether it was right before and is now, all trials of it together.
    pub moved: Move,
    /// How the trial that is shown came out in A.
    pub mark_a: Mark,
    /// How it came out in B.
    pub mark_b: Mark,
    /// The transform it was shown under, if any.
    pub variant: Option<Transform>,
    /// The repeat, from 0.
    pub repeat: u32,
    /// The rules whose verdict changed in that trial.
    pub rules: Vec<RuleChange>,
    /// Why the control is there.
    pub why: String,
}

/// Where a case is right.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Move {
    /// In A alone.
    Lost,
    /// In B alone.
    Gained,
    /// In both: the verdicts differ, and either is right.
    Both,
    /// In neither.
    Neither,
}

/// One rule's change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuleChange {
    /// The rule.
    pub rule: RuleId,
    /// What A said; absent where its grader does not declare the rule.
    pub a: Option<Said>,
    /// What B said, likewise.
    pub b: Option<Said>,
}

/// A verdict and the words beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Said {
    /// The verdict.
    pub verdict: Verdict,
    /// The finding's rationale, or the fault or refusal that stood in its place.
    pub rationale: Untrusted,
}

/// Every case whose verdicts differ: lost ones first, then by kind and id.
pub(super) fn changed(paired: &Paired<'_>) -> Vec<Changed> {
    let mut all: Vec<_> = paired.cases.iter().filter_map(|case| of_case(paired, case)).collect();
    all.sort_by(|a, b| (a.moved, a.kind, &a.id).cmp(&(b.moved, b.kind, &b.id)));
    all
}

/// The first trial of a case in which something differs, as written before varied, early before late.
fn of_case(paired: &Paired<'_>, case: &Case<'_>) -> Option<Changed> {
    let (rules_a, rules_b) = (rules(paired.a), rules(paired.b));
    let marks = |a: &Row, b: &Row| (mark(case.facts, rules_a, a), mark(case.facts, rules_b, b));
    let differs = |(a, b): &(&Row, &Row)| {
        let marks = marks(a, b);
        marks.0 != marks.1 || !changes(paired, case, a, b).is_empty()
    };
    let (a, b) = case.rows.0.iter().zip(&case.rows.1).find(differs)?;
    let (mark_a, mark_b) = marks(a, b);
    Some(Changed {
        id: case.facts.id.clone(),
        kind: case.facts.kind,
        expect: case.facts.expect.clone(),
        moved: moved(case),
        mark_a,
        mark_b,
        variant: a.variant,
        repeat: a.repeat,
        rules: changes(paired, case, a, b),
        why: case.facts.why.clone(),
    })
}

fn moved(case: &Case<'_>) -> Move {
    match (case.a == Came::Right, case.b == Came::Right) {
        (true, true) => Move::Both,
        (true, false) => Move::Lost,
        (false, true) => Move::Gained,
        (false, false) => Move::Neither,
    }
}

/// The rules that came out differently in this pair of trials.
fn changes(paired: &Paired<'_>, case: &Case<'_>, a: &Row, b: &Row) -> Vec<RuleChange> {
    let (rules_a, rules_b) = (rules(paired.a), rules(paired.b));
    let new = rules_b.iter().filter(|rule| !rules_a.iter().any(|known| known.id == rule.id));
    let verdict = |rules: &[Rule], row: &Row, id: &RuleId| {
        let place = rules.iter().position(|rule| rule.id == *id)?;
        row.verdicts.get(place).copied()
    };
    let change = |rule: &Rule| {
        let (was, is) = (verdict(rules_a, a, &rule.id), verdict(rules_b, b, &rule.id));
        let said = |run: &Run, place: usize, row: &Row, verdict: Option<Verdict>| {
            let mut trials = run.results[place].all();
            let trial = trials.find(|it| (it.variant, it.repeat) == (row.variant, row.repeat))?;
            Some(Said { verdict: verdict?, rationale: rationale(&trial, &rule.id, verdict?) })
        };
        ((was, a.answered) != (is, b.answered)).then(|| RuleChange {
            rule: rule.id.clone(),
            a: said(paired.a, case.places.0, a, was),
            b: said(paired.b, case.places.1, b, is),
        })
    };
    rules_a.iter().chain(new).filter_map(change).collect()
}

fn rules(run: &Run) -> &[Rule] {
    &run.started.grader.manifest.rules
}

/// What the grader said where it gave the rule this verdict, or what stood in the place of an answer.
fn rationale(trial: &TrialFinished, rule: &RuleId, verdict: Verdict) -> Untrusted {
    let speaks =
        |finding: &&Finding| finding.rule.raw() == rule.as_str() && finding.verdict == verdict;
    match &trial.outcome {
        Outcome::Refused(refusal) => refusal.message.clone(),
        Outcome::Fault(fault) => fault.detail.clone(),
        Outcome::Graded(findings) => {
            findings.iter().find(speaks).map(|it| it.rationale.clone()).unwrap_or_default()
        }
    }
}
