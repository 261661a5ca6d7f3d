//! Judges stated debt-to-income and loan-to-value ratios, and the flag that follows from them.
//!
//! This file is the glue to the contract. The judgement itself is [`judge::judge`], which knows
//! nothing of cases or findings.

mod convolution;
pub mod decimal;
mod excerpt;
pub mod exponent;
pub mod json;
pub mod judge;
pub mod loan;
pub mod members;
pub mod natural;
pub mod ratio;
pub mod stated;

use accredit_sdk::{Case, Evidence, Finding, Refusal, Rule, Scope, Tier, Verdict};
use judge::{Opinion, Outcome};

/// None of the rules has `needs`: an output that is not well-formed makes the others not
/// applicable whether or not a loan file is there, and the host must not decide that first.
const RULES: &[Rule] = &[
    rule(
        "well-formed",
        Tier::Essential,
        "The whole output is one strict JSON object, bare or in one ``` fence, that has the numbers \
         `dti` and `ltv` and the boolean `flag`, none of them twice.",
    ),
    rule(
        "dti-correct",
        Tier::Essential,
        "`dti` is at most 0.1 away from the per cent of income that a year's debt payments take, \
         recomputed exactly from the loan file.",
    ),
    rule(
        "ltv-correct",
        Tier::Essential,
        "`ltv` is at most 0.1 away from the loan amount in per cent of the property's value, \
         recomputed exactly from the loan file.",
    ),
    rule(
        "flag-correct",
        Tier::Essential,
        "`flag` is true if the recomputed dti is above 43 or the recomputed ltv above 80, and false \
         if neither is.",
    ),
    rule(
        "agrees-with-itself",
        Tier::MustNot,
        "The output's flag contradicts its own ratios, even with 0.1 of room either way.",
    ),
];

const fn rule(id: &'static str, tier: Tier, text: &'static str) -> Rule {
    Rule { id, text, tier, scope: Scope::Output, needs: &[] }
}

fn grade(case: &Case) -> Result<Vec<Finding>, Refusal> {
    let files: Vec<&Evidence> = case.evidence_of_kind(loan::KIND).collect();
    let opinions = judge::judge(&case.output, files.iter().map(|file| file.content.as_str()));
    Ok(opinions.into_iter().map(|opinion| finding(opinion, &files)).collect())
}

fn finding(opinion: Opinion<'_>, files: &[&Evidence]) -> Finding {
    let verdict = match opinion.outcome {
        Outcome::Pass => Verdict::Pass,
        Outcome::Fail => Verdict::Fail,
        Outcome::NotApplicable => Verdict::NotApplicable,
        Outcome::Unproven => Verdict::Unproven,
    };
    let mut finding = Finding::new(opinion.rule, verdict, opinion.why);
    if let Some((place, quotes)) = opinion.quotes
        && let Some(file) = files.get(place)
    {
        for quote in quotes {
            finding = finding.cite(file.id.as_str(), quote);
        }
    }
    finding
}

accredit_sdk::grader! {
    name: "loan-ratios",
    version: env!("CARGO_PKG_VERSION"),
    rubric: "loan-ratios",
    authors: "accredit grader authors",
    rules: RULES,
    grade: grade,
}
