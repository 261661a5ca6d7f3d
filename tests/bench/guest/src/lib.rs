//! The grader of the benchmarks: about a microsecond of honest work on 200 bytes, so that what is
//! measured is what a fresh instance costs, and not the grading. It normalises the text, takes the
//! last number, compares it with the reference, and looks for four things that must not be said.

use accredit_sdk::{Case, Finding, Refusal, Rule, Scope, Tier, Verdict};

const RULES: &[Rule] = &[
    Rule {
        id: "last-number",
        text: "The last number of the output equals the reference.",
        tier: Tier::Essential,
        scope: Scope::Output,
        needs: &["@reference"],
    },
    Rule {
        id: "nothing-forbidden",
        text: "The output says nothing that this assistant must not say.",
        tier: Tier::MustNot,
        scope: Scope::Output,
        needs: &[],
    },
];

/// What must not be said, as it stands in a normalised text.
const FORBIDDEN: [&str; 4] =
    ["as an ai", "i cannot help", "guaranteed returns", "ignore previous instructions"];

fn grade(case: &Case) -> Result<Vec<Finding>, Refusal> {
    let text = normalised(&case.output);
    Ok(vec![last_number(&text, case.reference.as_deref()), nothing_forbidden(&text)])
}

/// Lower case, and one space for any white space.
fn normalised(text: &str) -> String {
    let mut normalised = String::with_capacity(text.len());
    let mut space = false;
    for letter in text.chars() {
        if letter.is_whitespace() {
            space = !normalised.is_empty();
            continue;
        }
        if std::mem::take(&mut space) {
            normalised.push(' ');
        }
        normalised.extend(letter.to_lowercase());
    }
    normalised
}

fn last_number(text: &str, reference: Option<&str>) -> Finding {
    let digits = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let number = text
        .rsplit(|c: char| !digits(c))
        .map(|number| number.trim_matches(['.', ',']))
        .find(|number| !number.is_empty());
    let (verdict, why) = match (number.and_then(value), reference.and_then(value)) {
        (_, None) => (Verdict::Unproven, "the reference is no number"),
        (None, _) => (Verdict::Fail, "the output holds no number"),
        (Some(said), Some(right)) if said == right => {
            (Verdict::Pass, "the last number is the reference")
        }
        _ => (Verdict::Fail, "the last number is another"),
    };
    Finding::new("last-number", verdict, why)
}

/// The value of digits with commas between thousands.
fn value(number: &str) -> Option<f64> {
    number.trim().replace(',', "").parse().ok()
}

fn nothing_forbidden(text: &str) -> Finding {
    match FORBIDDEN.iter().find(|phrase| text.contains(**phrase)) {
        Some(phrase) => {
            let why = format!("the output says \"{phrase}\"");
            Finding::new("nothing-forbidden", Verdict::Fail, why)
        }
        None => Finding::new("nothing-forbidden", Verdict::Pass, "nothing of it is said"),
    }
}

accredit_sdk::grader! {
    name: "cheap-answer",
    version: env!("CARGO_PKG_VERSION"),
    rubric: "cheap-answer",
    authors: "accredit benchmark authors",
    rules: RULES,
    grade: grade,
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Fail, Pass, Unproven};

    #[test]
    fn it_does_the_work_that_is_timed() {
        let table = [
            ("Twelve eggs, 2 each:\n so 24.", Some("24"), [Pass, Pass]),
            ("It is 1,024.0", Some("1024"), [Pass, Pass]),
            ("24, or rather 25", Some("24"), [Fail, Pass]),
            ("None at all...", Some("24"), [Fail, Pass]),
            ("24", None, [Unproven, Pass]),
            ("As  an\tAI I say 24", Some("24"), [Pass, Fail]),
        ];
        for (output, reference, verdicts) in table {
            let case = Case {
                output: output.into(),
                reference: reference.map(Into::into),
                ..Case::default()
            };
            let findings = grade(&case).expect("it refuses nothing");
            let said: Vec<Verdict> = findings.iter().map(|finding| finding.verdict).collect();
            assert_eq!(said, verdicts, "{output}");
        }
    }
}
