//! Two versions of a system compared by a gate, for a terminal.

use accredit_core::gate::compare::{GateComparison, GateSide};
use accredit_core::id::CaseId;
use accredit_core::stats::decimal::Way;

use super::wrap::wrapped;
use crate::render::escape::{terminal_line, terminal_text};
use crate::render::figure::{count, fraction, share};
use crate::terminal::STRONG;

/// A comparison, what is established first.
#[must_use]
pub fn gate_comparison(of: &GateComparison) -> String {
    let (before, after) = (count(of.a.right), count(of.b.right));
    let head = format!(
        "{STRONG}{before} -> {after} cases right{STRONG:#} · {}: {}",
        of.standing.text(),
        of.why
    );
    let mut text = wrapped("", "  ", &head);
    let mut line = |said: &str| text.push_str(&wrapped("  ", "    ", said));
    line(&format!("before: {}", side(&of.a)));
    line(&format!("now: {}", side(&of.b)));
    for (title, cases) in [
        ("right before alone", &of.lost),
        ("right now alone", &of.gained),
        ("unsettled: runs of one version disagree", &of.unsettled),
        ("missing in one of them, in no pair", &of.missing),
    ] {
        if !cases.is_empty() {
            line(&format!("{title}: {} ({})", cases.len(), ids(cases)));
        }
    }
    for it in &of.differs {
        let (before, now) = (terminal_text(&it.a), terminal_text(&it.b));
        line(&format!("the {} differs: {before} before, {now} now", it.what));
    }
    text
}

fn side(side: &GateSide) -> String {
    let summary = &side.summary;
    let corrected = match (&side.corrected.value, &side.corrected.absent) {
        (Some(it), _) => {
            let ends = fraction(it.interval.low, 3, Way::Down);
            let high = fraction(it.interval.high, 3, Way::Up);
            format!(
                "corrected for the grader's errors {} ({ends} to {high})",
                share(Some(it.corrected))
            )
        }
        (None, Some(why)) => format!("corrected rate absent: {why}"),
        (None, None) => String::new(),
    };
    format!(
        "{} · pass rate {} of {} judged, {} not evaluated · {corrected}",
        terminal_line(&side.named),
        share(summary.pass_rate),
        summary.verdicted,
        summary.not_evaluated
    )
}

fn ids(cases: &[CaseId]) -> String {
    let all: Vec<_> = cases.iter().take(20).map(ToString::to_string).collect();
    let more = if cases.len() > 20 { ", …" } else { "" };
    format!("{}{more}", all.join(", "))
}
