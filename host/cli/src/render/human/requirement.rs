//! A requirement, explained.

use accredit_core::explain::requirement::{Asked, RequirementExplanation, RequirementLine};

use super::wrap::wrapped;
use crate::render::escape::terminal_text;
use crate::terminal::{FAINT, STRONG, WARNING};

/// One requirement.
#[must_use]
pub fn requirement(told: &RequirementExplanation, source: &str) -> String {
    let mut text = format!("{STRONG}{}{STRONG:#}\n", told.id);
    text.push_str(&wrapped("  ", "  ", &told.means));
    for (head, words) in [("Why", &told.why), ("How it is measured", &told.measured)] {
        text.push_str(&format!("\n{STRONG}{head}{STRONG:#}\n"));
        text.push_str(&wrapped("  ", "  ", words));
    }
    let source = terminal_text(source);
    text.push_str(&format!(
        "\n{STRONG}What the policy asks{STRONG:#} {FAINT}({source}){FAINT:#}\n"
    ));
    for asked in &told.asked {
        text.push_str(&one(asked));
    }
    if !told.waivable {
        text.push_str("  no policy may waive it\n");
    }
    text.push_str(&format!("\n{STRONG}How to meet it{STRONG:#}\n"));
    for step in &told.to_meet {
        text.push_str(&wrapped("  - ", "    ", step));
    }
    text
}

fn one(asked: &Asked) -> String {
    let asks = if asked.asks.is_empty() { "not asked".to_owned() } else { asked.asks.join("; ") };
    let head = format!("  {} grader, {}: ", asked.grader, asked.tier);
    let mut text = wrapped(&head, "    ", &terminal_text(&asks));
    if let Some(reason) = &asked.waived {
        text.push_str(&format!("    {WARNING}waived{WARNING:#}:\n"));
        text.push_str(&wrapped("      ", "      ", &terminal_text(reason)));
    }
    text
}

/// All of them, a line each.
#[must_use]
pub fn requirements(list: &[RequirementLine]) -> String {
    let mut text = String::new();
    for line in list {
        let name = line.id.name();
        text.push_str(&wrapped(&format!("{name:<22} "), &" ".repeat(23), &line.means));
    }
    text + &format!("\n{FAINT}accredit explain REQUIREMENT tells more of one{FAINT:#}\n")
}
