//! Every control that was judged wrong, so that an author sees at a glance which one beat the grader.

use accredit_core::report::{Miss, Report};
use accredit_core::untrusted::Untrusted;

use super::wrap::wrapped;
use crate::render::Context;
use crate::render::escape::{terminal_cut, terminal_line, terminal_text};
use crate::render::words::{Wrong, others, place, shown_of, verdicts, wrong};
use crate::terminal::{FAINT, STRONG};

/// How many of a list are shown of each kind of control, unless all are asked for.
const FIRST: usize = 8;

/// How much of each text of a control is shown, and how much where all is asked for.
const TEXT: [usize; 2] = [160, 2000];

/// The lists, each only where it has entries.
pub(super) fn misses(report: &Report, context: &Context<'_>) -> String {
    wrong(report).map(|wrong| list(&wrong, report, context)).collect()
}

fn list(wrong: &Wrong<'_>, report: &Report, context: &Context<'_>) -> String {
    let heading = wrong.heading();
    let mut text = format!("{STRONG}{heading}{STRONG:#} {FAINT}({}){FAINT:#}\n", wrong.meaning);
    for of_kind in wrong.misses.chunk_by(|a, b| a.kind == b.kind) {
        let shown = shown_of(of_kind.len(), FIRST, context.all);
        for miss in &of_kind[..shown] {
            text.push_str(&entry(miss, report, context));
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

/// One control: what it is, what it got, what was said, why it is there, and what it says behind a margin.
pub(super) fn entry(miss: &Miss, report: &Report, context: &Context<'_>) -> String {
    let head = format!("{STRONG}{}{STRONG:#}  {}: {}", miss.id, place(miss), verdicts(miss));
    let mut text = wrapped("  ", "      ", &head);
    let under = |text: &str| wrapped("      ", "      ", text);
    if let Some((file, line)) = context.places.of(&miss.id) {
        let at = terminal_text(&format!("{}:{line}", file.display()));
        text.push_str(&under(&format!("{FAINT}{at}{FAINT:#}")));
    }
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
    text + &texts(miss, report, context.all)
}

/// The texts of the control, as far as the record holds them.
fn texts(miss: &Miss, report: &Report, all: bool) -> String {
    let Some(of) = report.texts.get(&miss.id) else { return String::new() };
    let quote = |(what, words): (&str, &Untrusted)| {
        let shown = terminal_cut(words, TEXT[usize::from(all)]);
        wrapped("      | ", "      |   ", &format!("{what}: {shown}"))
    };
    let mut quoted = vec![("task", &of.task), ("output", &of.output)];
    quoted.extend(of.reference.as_ref().map(|reference| ("reference", reference)));
    if all {
        quoted.extend(of.evidence.iter().map(|(_, content)| ("evidence", content)));
    }
    quoted.into_iter().filter(|(_, words)| !words.is_empty()).map(quote).collect()
}
