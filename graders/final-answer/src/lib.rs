//! Grades what an output finally commits to against a short reference answer. README.md says how each
//! hard case is read and publishes the word lists; `judge` is the judgement without the contract.

mod commitment;
mod judge;
mod language;
mod markers;
mod numbers;
mod page;
mod reference;
mod same;
mod status;
mod unmarked;

use accredit_sdk::{Case, Finding, Refusal, Rule, Scope, Tier, Verdict};

pub use judge::judge;
pub use status::{Judgement, Ruling, Status};

/// No rule declares that it needs a reference: with several unequal answers, or none, the verdict does
/// not depend on one.
const RULES: &[Rule] = &[
    Rule {
        id: "states-answer",
        text: "The output settles on a final answer instead of refusing, asking or breaking off.",
        tier: Tier::Essential,
        scope: Scope::Output,
        needs: &[],
    },
    Rule {
        id: "one-answer",
        text: "The output hedges between unequal final answers: a choice, odds, a list, or rival markers.",
        tier: Tier::MustNot,
        scope: Scope::Output,
        needs: &[],
    },
    Rule {
        id: "matches-reference",
        text: "The final answer is the reference: the same value in an agreeing unit, or the same text.",
        tier: Tier::Essential,
        scope: Scope::Output,
        needs: &[],
    },
];

fn grade(case: &Case) -> Result<Vec<Finding>, Refusal> {
    let judgement = judge(&case.output, case.reference.as_deref());
    let rulings = [judgement.states, judgement.one, judgement.matches];
    let finding =
        |(rule, ruling): (&Rule, Ruling)| Finding::new(rule.id, verdict(ruling.status), ruling.why);
    Ok(RULES.iter().zip(rulings).map(finding).collect())
}

fn verdict(status: Status) -> Verdict {
    match status {
        Status::Pass => Verdict::Pass,
        Status::Fail => Verdict::Fail,
        Status::NotApplicable => Verdict::NotApplicable,
        Status::Unproven => Verdict::Unproven,
    }
}

accredit_sdk::grader! {
    name: "final-answer",
    version: env!("CARGO_PKG_VERSION"),
    rubric: "final-answer",
    authors: "accredit grader authors",
    rules: RULES,
    grade: grade,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::lists::DENIALS;
    use crate::language::refusals::{IDIOMS, REFUSALS};
    use crate::numbers::unit_table::{AMBIGUOUS, RATES, SCALES, UNITS};

    #[test]
    fn the_contract_carries_the_judgement() {
        let case =
            Case { output: "Answer: 41".into(), reference: Some("42".into()), ..Case::default() };
        let findings = grade(&case).expect("every case can be judged");
        let verdicts: Vec<_> =
            findings.iter().map(|finding| (finding.rule.as_str(), finding.verdict)).collect();
        assert_eq!(
            verdicts,
            [
                ("states-answer", Verdict::Pass),
                ("one-answer", Verdict::Pass),
                ("matches-reference", Verdict::Fail),
            ]
        );
    }

    #[test]
    fn rationales_stay_short() {
        for output in ["word ".repeat(5000), format!("Answer: {}", "7 or ".repeat(5000))] {
            let judgement = judge(&output, Some("42"));
            for ruling in [judgement.states, judgement.one, judgement.matches] {
                assert!(ruling.why.chars().count() <= 250, "{}", ruling.why);
            }
        }
    }

    /// The rubric asks that these lists be published.
    #[test]
    fn the_readme_publishes_the_lists() {
        let readme = include_str!("../README.md");
        let words = UNITS.iter().flat_map(|entry| entry.words.iter().chain(entry.symbols)).copied();
        let ambiguous = AMBIGUOUS.iter().map(|(word, _)| *word);
        let rates = RATES.iter().map(|(symbol, ..)| *symbol);
        let scales = SCALES.iter().copied();
        let listed = REFUSALS.iter().chain(IDIOMS).chain(DENIALS).copied();
        for entry in words.chain(ambiguous).chain(rates).chain(scales).chain(listed) {
            assert!(readme.contains(entry), "README.md does not publish `{entry}`");
        }
    }
}
