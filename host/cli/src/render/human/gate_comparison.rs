//! Two versions of a system compared by a gate, for a terminal.

use accredit_core::gate::compare::GateComparison;

use super::wrap::wrapped;
use crate::render::escape::{terminal_line, terminal_text};
use crate::render::gate_compared::{headline, lists, side};
use crate::terminal::STRONG;

/// A comparison, what is established first.
pub(super) fn gate_comparison(of: &GateComparison) -> String {
    let head = terminal_text(&headline(of));
    let mut text = wrapped("", "  ", &format!("{STRONG}{head}{STRONG:#}"));
    let mut line = |said: &str| text.push_str(&wrapped("  ", "    ", said));
    for (what, of) in [("before", &of.a), ("now", &of.b)] {
        line(&format!("{what}: {} · {}", terminal_line(&of.named), terminal_text(&side(of))));
    }
    lists(of).for_each(|list| line(&list));
    for it in &of.differs {
        let (before, now) = (terminal_text(&it.a), terminal_text(&it.b));
        line(&format!("the {} differs: {before} before, {now} now", terminal_text(&it.what)));
    }
    text
}
