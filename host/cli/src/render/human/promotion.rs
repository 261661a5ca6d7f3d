//! A promotion that was checked again, for a terminal.

use super::wrap::wrapped;
use crate::cmd::PromotionOutcome;
use crate::render::escape::terminal_text;
use crate::terminal::{ERROR, GOOD, STRONG, WARNING};

/// Every check, a line each.
#[must_use]
pub(crate) fn promotion(outcome: &PromotionOutcome) -> String {
    let head = format!(
        "{STRONG}{}{STRONG:#} · promoted to {} by entry {} · statement {}",
        outcome.grader,
        outcome.promoted_to,
        outcome.entry,
        outcome.statement.short()
    );
    let mut text = wrapped("", "  ", &head);
    for line in &outcome.checks {
        let mark = match line.holds {
            Some(true) => format!("{GOOD}ok{GOOD:#}"),
            Some(false) => format!("{ERROR}NO{ERROR:#}"),
            None => format!("{WARNING}--{WARNING:#}"),
        };
        let said = format!("{mark} {}: {}", line.what, terminal_text(&line.detail));
        text.push_str(&wrapped("  ", "     ", &said));
    }
    text
}
