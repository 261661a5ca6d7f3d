//! Was a control judged right? One trial at a time, on verdicts alone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::control::set::Kind;
use crate::control::transform::Transform;
use crate::findings::Outcome;
use crate::id::RuleId;
use crate::manifest::Rule;
use crate::run::event::{BaselineFinished, ControlFacts};
use crate::run::fold::{Run, Tried, case_verdict, rule_verdicts};
use crate::verdict::Verdict;

/// The rules' verdicts in one trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The transform the case was shown under.
    pub variant: Option<Transform>,
    /// The repeat, from 0.
    pub repeat: u32,
    /// Each rule's verdict, in the manifest's order.
    pub verdicts: Vec<Verdict>,
    /// Whether the grader answered: neither refused nor at fault.
    pub answered: bool,
    /// Whether a fault left it unanswered that another machine might not have seen.
    pub machine_dependent: bool,
}

/// The places of the controls of which some trial was not judged right, but for those whose right verdict
/// nobody knows.
pub fn wrong(run: &Run) -> impl Iterator<Item = usize> {
    let rules = &run.started.grader.manifest.rules;
    let known = |facts: &ControlFacts| {
        facts.kind != Kind::RealOutput || facts.expect.verdict != Verdict::Unresolved
    };
    let controls = run.started.controls.iter().zip(&run.results).enumerate();
    controls
        .filter(move |(_, (facts, trials))| {
            let is_wrong = |trial| mark(facts, rules, &row(rules, trial)) != Mark::Right;
            known(facts) && trials.all().any(is_wrong)
        })
        .map(|(place, _)| place)
}

/// The rows of each control, in the order of the run's controls.
pub type Table = Vec<Vec<Row>>;

/// The table of a run.
#[must_use]
pub fn table(run: &Run) -> Table {
    let rules = &run.started.grader.manifest.rules;
    run.results
        .iter()
        .map(|control| control.all().map(|trial| row(rules, trial)).collect())
        .collect()
}

fn row(rules: &[Rule], trial: Tried<'_>) -> Row {
    Row {
        variant: trial.variant,
        repeat: trial.repeat,
        verdicts: rule_verdicts(rules, &trial),
        answered: matches!(trial.outcome, Outcome::Graded(_)),
        machine_dependent: matches!(&trial.outcome, Outcome::Fault(fault) if fault.machine_dependent),
    }
}

/// The table of a baseline, which sees each case once, as written. A baseline knows no rules, so it gets
/// the benefit of the doubt: where the rule that must catch a control fails, its other fails are forgiven.
#[must_use]
pub fn baseline_table(
    baseline: &BaselineFinished,
    controls: &[ControlFacts],
    rules: &[Rule],
) -> Table {
    let row = |(verdicts, facts): (&Vec<Verdict>, &ControlFacts)| {
        let verdicts = forgiven(verdicts.clone(), facts, rules);
        vec![Row { variant: None, repeat: 0, verdicts, answered: true, machine_dependent: false }]
    };
    baseline.verdicts.iter().zip(controls).map(row).collect()
}

fn forgiven(mut verdicts: Vec<Verdict>, facts: &ControlFacts, rules: &[Rule]) -> Vec<Verdict> {
    let place = rules.iter().position(|rule| facts.expect.rule.as_ref() == Some(&rule.id));
    let caught = place.is_some_and(|place| verdicts.get(place) == Some(&Verdict::Fail));
    if facts.expect.verdict == Verdict::Fail && caught {
        for (at, verdict) in verdicts.iter_mut().enumerate() {
            if Some(at) != place {
                *verdict = Verdict::Pass;
            }
        }
    }
    verdicts
}

/// The same table with every `fail` of one rule turned to `pass`: what the grader would be without it.
#[must_use]
pub fn without_rule(table: &Table, rule: usize) -> Table {
    let mut changed = table.clone();
    for row in changed.iter_mut().flatten() {
        if row.verdicts.get(rule) == Some(&Verdict::Fail) {
            row.verdicts[rule] = Verdict::Pass;
        }
    }
    changed
}

/// How one trial of one control came out.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// The expected verdict, by the expected rule.
    Right,
    /// It should fail (or be left open) and passed.
    FalsePass,
    /// It should pass (or be left open) and failed.
    FalseFail,
    /// It should fail and did, but not by the rule that must catch it, or by another as well that nothing
    /// is wrong with: a grader that fails every rule on any suspicion has not found what is wrong.
    WrongRule,
    /// Neither: unproven, unresolved, not applicable, refused or at fault where a verdict was due.
    Undecided,
}

/// Marks one trial of a control.
#[must_use]
pub fn mark(facts: &ControlFacts, rules: &[Rule], row: &Row) -> Mark {
    if !row.answered {
        return Mark::Undecided;
    }
    let whole = case_verdict(rules, &row.verdicts);
    let expect = &facts.expect;
    let named = expect.rule.as_ref().map(|rule| verdict_of(rules, rule, &row.verdicts));
    match expect.verdict {
        Verdict::Fail => {
            let strays = strays(facts, rules, row).next().is_some();
            mark_must_fail(named.unwrap_or(whole), whole, strays)
        }
        Verdict::Pass if facts.kind == Kind::RealOutput => mark_must_pass(whole, &[whole]),
        Verdict::Pass => {
            mark_must_pass(named.unwrap_or_else(|| settled(&row.verdicts)), &row.verdicts)
        }
        other => mark_left_open(other, named.unwrap_or(whole)),
    }
}

/// `pass` where no rule is left open.
fn settled(verdicts: &[Verdict]) -> Verdict {
    let open = |verdict: &&Verdict| matches!(verdict, Verdict::Unproven | Verdict::Unresolved);
    verdicts.iter().find(open).copied().unwrap_or(Verdict::Pass)
}

/// The verdict of a named rule; a rule the manifest lacks is unproven.
pub(crate) fn verdict_of(rules: &[Rule], rule: &RuleId, verdicts: &[Verdict]) -> Verdict {
    let place = rules.iter().position(|declared| declared.id == *rule);
    place.and_then(|place| verdicts.get(place)).copied().unwrap_or(Verdict::Unproven)
}

/// The rules that fail and are neither the one expected nor one that may fail with it. A label on the case
/// as a whole names no rule.
pub fn strays<'a>(
    facts: &'a ControlFacts,
    rules: &'a [Rule],
    row: &'a Row,
) -> impl Iterator<Item = &'a RuleId> {
    let expected = facts.expect.rule.as_ref();
    let may_fail = move |rule: &Rule| {
        expected.is_none_or(|expected| rule.id == *expected) || facts.also.contains(&rule.id)
    };
    let failed = rules.iter().zip(&row.verdicts).filter(|(_, got)| **got == Verdict::Fail);
    failed.map(|(rule, _)| rule).filter(move |rule| !may_fail(rule)).map(|rule| &rule.id)
}

fn mark_must_fail(expected: Verdict, whole: Verdict, strays: bool) -> Mark {
    match expected {
        Verdict::Fail if strays => Mark::WrongRule,
        Verdict::Fail => Mark::Right,
        _ if whole == Verdict::Fail => Mark::WrongRule,
        Verdict::Pass | Verdict::NotApplicable => Mark::FalsePass,
        Verdict::Unproven | Verdict::Unresolved => Mark::Undecided,
    }
}

/// The named rule passes, none fails; without a named rule none is open either, and one passes.
fn mark_must_pass(named: Verdict, all: &[Verdict]) -> Mark {
    let any = |wanted| all.contains(&wanted);
    if any(Verdict::Fail) {
        Mark::FalseFail
    } else if named == Verdict::Pass && any(Verdict::Pass) {
        Mark::Right
    } else {
        Mark::Undecided
    }
}

fn mark_left_open(expected: Verdict, got: Verdict) -> Mark {
    match got {
        got if got == expected => Mark::Right,
        Verdict::Pass => Mark::FalsePass,
        Verdict::Fail => Mark::FalseFail,
        Verdict::NotApplicable | Verdict::Unproven | Verdict::Unresolved => Mark::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use Verdict::{Fail, NotApplicable as Na, Pass, Unproven, Unresolved};

    fn marked(kind: Kind, expect: (Verdict, Option<&str>), verdicts: [Verdict; 2]) -> Mark {
        let mut control = example::control(kind, "c", "x");
        control.entry.expect = example::expect(expect.0, expect.1);
        let facts = ControlFacts::new(&control, vec![]);
        let row = Row {
            variant: None,
            repeat: 0,
            verdicts: verdicts.into(),
            answered: true,
            machine_dependent: false,
        };
        mark(&facts, &example::manifest(&["r1", "r2"]).rules, &row)
    }

    #[test]
    fn only_a_fail_by_the_expected_rule_is_a_catch() {
        for (verdicts, mark) in [
            ([Fail, Pass], Mark::Right),
            ([Fail, Fail], Mark::WrongRule),
            ([Pass, Fail], Mark::WrongRule),
            ([Unproven, Fail], Mark::WrongRule),
            ([Pass, Pass], Mark::FalsePass),
            ([Na, Pass], Mark::FalsePass),
            ([Unproven, Pass], Mark::Undecided),
            ([Unresolved, Pass], Mark::Undecided),
        ] {
            assert_eq!(marked(Kind::KnownBad, (Fail, Some("r1")), verdicts), mark, "{verdicts:?}");
        }
        assert_eq!(marked(Kind::KnownBad, (Fail, Some("r9")), [Pass, Pass]), Mark::Undecided);
    }

    #[test]
    fn a_rule_that_may_fail_with_it_is_named_in_also() {
        let mut control = example::control(Kind::KnownBad, "c", "x");
        control.entry.also = vec![RuleId::new("r2").expect("a valid id")];
        let facts = ControlFacts::new(&control, vec![]);
        let row = Row {
            variant: None,
            repeat: 0,
            verdicts: vec![Fail, Fail],
            answered: true,
            machine_dependent: false,
        };
        assert_eq!(mark(&facts, &example::manifest(&["r1", "r2"]).rules, &row), Mark::Right);
    }

    #[test]
    fn a_pass_needs_every_rule() {
        for (verdicts, whole, first) in [
            ([Pass, Pass], Mark::Right, Mark::Right),
            ([Pass, Na], Mark::Right, Mark::Right),
            ([Pass, Unproven], Mark::Undecided, Mark::Right),
            ([Na, Pass], Mark::Right, Mark::Undecided),
            ([Na, Na], Mark::Undecided, Mark::Undecided),
            ([Pass, Fail], Mark::FalseFail, Mark::FalseFail),
        ] {
            assert_eq!(marked(Kind::KnownGood, (Pass, None), verdicts), whole, "{verdicts:?}");
            assert_eq!(
                marked(Kind::KnownGood, (Pass, Some("r1")), verdicts),
                first,
                "{verdicts:?}"
            );
        }
    }

    #[test]
    fn abstaining_is_the_only_right_answer_to_the_undecidable() {
        for (verdict, mark) in [
            (Unproven, Mark::Right),
            (Pass, Mark::FalsePass),
            (Fail, Mark::FalseFail),
            (Na, Mark::Undecided),
            (Unresolved, Mark::Undecided),
        ] {
            assert_eq!(marked(Kind::MustAbstain, (Unproven, Some("r1")), [verdict, Pass]), mark);
        }
    }

    #[test]
    fn no_answer_is_never_right() {
        let mut control = example::control(Kind::MustAbstain, "c", "x");
        control.entry.expect = example::expect(Unproven, Some("r1"));
        let facts = ControlFacts::new(&control, vec![]);
        let row = Row {
            variant: None,
            repeat: 0,
            verdicts: vec![Unproven; 2],
            answered: false,
            machine_dependent: false,
        };
        assert_eq!(mark(&facts, &example::manifest(&["r1", "r2"]).rules, &row), Mark::Undecided);
    }

    #[test]
    fn without_a_rule_its_fails_pass_and_nothing_else_changes() {
        let row = Row {
            variant: None,
            repeat: 0,
            verdicts: vec![Fail, Fail, Unproven],
            answered: true,
            machine_dependent: false,
        };
        let changed = without_rule(&vec![vec![row]], 0);
        assert_eq!(changed[0][0].verdicts, [Pass, Fail, Unproven]);
    }
}
