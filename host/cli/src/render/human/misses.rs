//! Every control that was judged wrong, so that an author sees at a glance which one beat the grader.

use accredit_core::report::{Miss, Report};

use super::wrap::wrapped;
use crate::render::escape::{terminal_line, terminal_text};
use crate::render::words::{Wrong, others, place, verdicts, wrong};
use crate::terminal::{FAINT, STRONG};

/// How many of a list are shown of each kind of control, unless all are asked for.
const FIRST: usize = 8;

/// The four lists, each only where it has entries.
pub(super) fn misses(report: &Report, all: bool) -> String {
    wrong(report).map(|wrong| list(&wrong, all)).collect()
}

fn list(wrong: &Wrong<'_>, all: bool) -> String {
    let heading = wrong.heading();
    let mut text = format!("{STRONG}{heading}{STRONG:#} {FAINT}({}){FAINT:#}\n", wrong.meaning);
    for of_kind in wrong.misses.chunk_by(|a, b| a.kind == b.kind) {
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

/// One control: what it is, what it got, what was said, and why it is there.
pub(super) fn entry(miss: &Miss) -> String {
    let head = format!("{STRONG}{}{STRONG:#}  {}: {}", miss.id, place(miss), verdicts(miss));
    let mut text = wrapped("  ", "      ", &head);
    let under = |text: &str| wrapped("      ", "      ", text);
    let others = others(miss);
    if !others.is_empty() {
        text.push_str(&under(&format!("it was failed by: {others}")));
    }
    if !miss.rationale.is_empty() {
        text.push_str(&under(&format!("it said: {}", terminal_line(&miss.rationale))));
    }
    if !miss.why.is_empty() {
        text.push_str(&under(&format!("{FAINT}{}{FAINT:#}", terminal_text(miss.why.trim()))));
    }
    text
}
