//! Whether a set measures this grader at all.

use super::{LintFault, SET_FILE, in_header, nearest};
use crate::control::set::SetHeader;
use crate::id::RuleId;
use crate::manifest::Manifest;

/// Every way in which the set and the grader's manifest speak of different things: another rubric, or a
/// rule that only one of them lists. Whether their authors are independent is for the policy to say.
#[must_use]
pub fn against(header: &SetHeader, manifest: &Manifest) -> Vec<LintFault> {
    let mut faults = Vec::new();
    let mut push = |code, key, message, mend| {
        faults.push(LintFault::error(code, in_header(), message, mend).about(key));
    };
    if header.rubric != manifest.rubric {
        let message = format!(
            "the set is for the rubric `{}`, the grader for `{}`",
            header.rubric, manifest.rubric
        );
        let mend = "check the grader against the set of its own rubric, or make the two names one"
            .to_owned();
        push("another-rubric", "rubric", message, mend);
        // The rules of two rubrics are not worth comparing.
        return faults;
    }
    for (code, message, mend) in one_sided_rules(header, manifest) {
        push(code, "rules", message, mend);
    }
    faults
}

/// Rules of one side only: the fault's code, the message and the mend.
fn one_sided_rules(header: &SetHeader, manifest: &Manifest) -> Vec<(&'static str, String, String)> {
    let listed: Vec<&RuleId> = header.rules.iter().collect();
    let declared: Vec<&RuleId> = manifest.rules.iter().map(|rule| &rule.id).collect();
    let (in_set, in_grader) = (only_in(&listed, &declared), only_in(&declared, &listed));
    let mut found = Vec::new();
    for rule in &in_set {
        let message = format!("the rule `{rule}` is in {SET_FILE}, not in the grader's manifest");
        let else_do = "let the grader judge it, or take it and its controls out of the set";
        let mend = mend(near(rule, &in_grader), "the grader", else_do);
        found.push(("rule-not-judged", message, mend));
    }
    for rule in &in_grader {
        let message = format!("the rule `{rule}` is in the grader's manifest, not in {SET_FILE}");
        let else_do = "list it in `rules` and write a known-bad control for it";
        let mend = mend(near(rule, &in_set), "the set", else_do);
        found.push(("rule-not-controlled", message, mend));
    }
    found
}

fn only_in<'a>(these: &[&'a RuleId], those: &[&RuleId]) -> Vec<&'a RuleId> {
    these.iter().filter(|rule| !those.contains(rule)).copied().collect()
}

fn near<'a>(rule: &RuleId, others: &[&'a RuleId]) -> Option<&'a str> {
    nearest(rule.as_str(), others.iter().map(|other| other.as_str()))
}

fn mend(near: Option<&str>, side: &str, else_do: &str) -> String {
    match near {
        Some(near) => {
            format!("{side} has `{near}`: if the same rule is meant, write it alike on both sides")
        }
        None => else_do.to_owned(),
    }
}
