//! The controls that were judged wrong, so that an author sees at a glance which one beat the grader.

use accredit_core::id::RuleId;
use accredit_core::report::{Miss, Report};

use super::counted;
use crate::render::escape::{terminal_line, terminal_text};
use crate::terminal::{FAINT, STRONG};

/// How many of a list are shown of each kind of control, unless all are asked for.
const FIRST: usize = 8;

/// The four lists, each only where it has entries.
pub(super) fn misses(report: &Report, all: bool) -> String {
    let lists: [(&str, &str, &[Miss]); 4] = [
        ("false pass", "should not pass, and did", &report.false_passes),
        ("false fail", "should not fail, and did", &report.false_fails),
        (
            "caught by the wrong rule",
            "failed, but not by the rule that must catch it",
            &report.wrong_rule,
        ),
        ("undecided", "no verdict where one was due", &report.undecided),
    ];
    lists.into_iter().map(|(what, meaning, misses)| list(what, meaning, misses, all)).collect()
}

fn list(what: &str, meaning: &str, misses: &[Miss], all: bool) -> String {
    if misses.is_empty() {
        return String::new();
    }
    let heading = match what {
        "false pass" | "false fail" => counted(misses.len() as u64, what),
        other => format!("{} {other}", misses.len()),
    };
    let mut text = format!("{STRONG}{heading}{STRONG:#} {FAINT}({meaning}){FAINT:#}\n");
    for of_kind in misses.chunk_by(|a, b| a.kind == b.kind) {
        let shown = if all { of_kind.len() } else { FIRST.min(of_kind.len()) };
        for miss in &of_kind[..shown] {
            text.push_str(&entry(miss));
        }
        if of_kind.len() > shown {
            let more = of_kind.len() - shown;
            text.push_str(&format!(
                "  {FAINT}… and {more} more {} (--all){FAINT:#}\n",
                of_kind[0].kind
            ));
        }
    }
    text + "\n"
}

fn entry(miss: &Miss) -> String {
    let rule = miss.rule.as_ref().map(|rule| format!(" · {rule}")).unwrap_or_default();
    let tactic = miss.tactic.as_ref().map(|tactic| format!(" · {tactic}")).unwrap_or_default();
    let hard = if miss.hard { " · hard" } else { "" };
    let under: Vec<_> = miss.only_under.iter().map(|transform| transform.name()).collect();
    let under =
        if under.is_empty() { String::new() } else { format!(", only under {}", under.join(", ")) };
    let mut text = format!(
        "  {STRONG}{}{STRONG:#}  {}{rule}{tactic}{hard}: {}, should be {} ({} of {} trials{under})\n",
        miss.id, miss.kind, miss.got, miss.expected, miss.wrong_trials, miss.trials
    );
    let others: Vec<_> = miss
        .failed
        .iter()
        .filter(|rule| miss.rule.as_ref() != Some(rule))
        .map(RuleId::as_str)
        .collect();
    if !others.is_empty() {
        text.push_str(&format!("      it was failed by: {}\n", others.join(", ")));
    }
    if !miss.rationale.is_empty() {
        text.push_str(&format!("      it said: {}\n", terminal_line(&miss.rationale)));
    }
    if !miss.why.is_empty() {
        text.push_str(&format!("      {FAINT}{}{FAINT:#}\n", terminal_text(miss.why.trim())));
    }
    text
}
