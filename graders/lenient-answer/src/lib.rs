//! A grader for the rubric `final-answer` that is **flawed on purpose**. It looks for the reference
//! anywhere in the output, as a much copied shortcut does, and so passes an output that merely
//! mentions it. It is there to be refused: controls that let it through are too weak.

use accredit_sdk::{Case, Finding, Refusal, Rule, Scope, Tier, Verdict};

/// The rubric's ids and tiers, so that the rubric's own controls judge this grader.
const RULES: &[Rule] = &[
    Rule {
        id: "states-answer",
        text: "The output commits to an answer. Checked only as: the output is not blank.",
        tier: Tier::Essential,
        scope: Scope::Output,
        needs: &[],
    },
    Rule {
        id: "one-answer",
        text: "The output offers several different answers. Not checked at all: it always passes.",
        tier: Tier::MustNot,
        scope: Scope::Output,
        needs: &[],
    },
    Rule {
        id: "matches-reference",
        text: "The answer equals the reference. Checked only as: the reference occurs in the output.",
        tier: Tier::Essential,
        scope: Scope::Output,
        needs: &["@reference"],
    },
];

fn grade(case: &Case) -> Result<Vec<Finding>, Refusal> {
    Ok(vec![states_answer(case), one_answer(), matches_reference(case)])
}

/// The first flaw: any text at all counts as an answer, a refusal included.
fn states_answer(case: &Case) -> Finding {
    let (verdict, why) = if case.output.trim().is_empty() {
        (Verdict::Fail, "the output is blank")
    } else {
        (Verdict::Pass, "the output is not blank")
    };
    Finding::new("states-answer", verdict, why)
}

/// The second flaw: a list of candidates is as good as an answer.
fn one_answer() -> Finding {
    Finding::new("one-answer", Verdict::Pass, "not checked")
}

/// The third flaw: "18" is found in "180", in a quoted question and in an answer taken back.
fn matches_reference(case: &Case) -> Finding {
    let reference = case.reference.as_deref().map(str::trim).unwrap_or_default();
    let (verdict, why) = if reference.is_empty() {
        (Verdict::Unproven, "the case has no reference")
    } else if case.output.contains(reference) {
        (Verdict::Pass, "the reference occurs in the output")
    } else {
        (Verdict::Fail, "the reference does not occur in the output")
    };
    Finding::new("matches-reference", verdict, why)
}

accredit_sdk::grader! {
    name: "lenient-answer",
    version: env!("CARGO_PKG_VERSION"),
    rubric: "final-answer",
    authors: "accredit grader authors",
    rules: RULES,
    grade: grade,
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Fail, Pass, Unproven};

    /// The verdicts on the three rules, in the order in which they are declared.
    fn verdicts(output: &str, reference: Option<&str>) -> Vec<Verdict> {
        let case =
            Case { output: output.into(), reference: reference.map(Into::into), ..Case::default() };
        let findings = grade(&case).expect("this grader refuses nothing");
        let judged: Vec<&str> = findings.iter().map(|finding| finding.rule.as_str()).collect();
        let declared: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        assert_eq!(judged, declared);
        findings.iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn it_passes_what_it_should_and_is_not_always_wrong() {
        assert_eq!(verdicts("The answer is 18.", Some("18")), [Pass, Pass, Pass]);
        assert_eq!(verdicts("The answer is 17.", Some("18")), [Pass, Pass, Fail]);
        assert_eq!(verdicts(" \n", Some("18")), [Fail, Pass, Fail]);
        assert_eq!(verdicts("The answer is 18.", None), [Pass, Pass, Unproven]);
        assert_eq!(verdicts("", Some("  ")), [Fail, Pass, Unproven]);
    }

    #[test]
    fn it_has_the_flaws_it_is_kept_for() {
        for output in [
            "She has 18 eggs, so the answer is 26.",
            "It is 180.",
            "I can't say whether it is 18.",
            "It is 16, 17 or 18.",
        ] {
            assert_eq!(verdicts(output, Some("18")), [Pass, Pass, Pass], "{output}");
        }
    }
}
