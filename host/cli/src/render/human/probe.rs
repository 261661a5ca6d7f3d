//! Probes, a line each: what was tried, what stopped it, how far it came.

use super::{counted, lines, table};
use crate::probe::{Figure, Report, Tried};
use crate::render::escape::{terminal_line, terminal_text};
use crate::terminal::{ERROR, FAINT, GOOD};

/// The table, and what does not hold in full.
#[must_use]
pub fn probes(report: &Report) -> String {
    let mut table = table(&["", "probe", "tried", "stopped by", "figure", "ms"]);
    for tried in &report.probes {
        table.add_row(row(tried));
    }
    let mut text = lines(&table);
    for tried in report.probes.iter().filter(|tried| !tried.holds) {
        text.push_str(&fault(tried));
    }
    let count = counted(report.probes.len() as u64, "probe");
    if report.holds {
        text.push_str(&format!(
            "\n {GOOD}holds{GOOD:#}: {count}, and after each an honest grader was judged right\n {FAINT}times are of this \
             machine; everything else is the same on every one, but for the depth of the stack{FAINT:#}\n"
        ));
    }
    text
}

fn row(tried: &Tried) -> [String; 6] {
    [
        if tried.holds { "ok" } else { "BROKEN" }.to_owned(),
        tried.probe.to_owned(),
        tried.tried.to_owned(),
        tried.stopped_by.clone(),
        tried.figure.as_ref().map(figure).unwrap_or_default(),
        format!("{:.1}", tried.wall_ns as f64 / 1e6),
    ]
}

fn figure(figure: &Figure) -> String {
    let limit = figure.limit.map(|limit| format!(", limit {limit}")).unwrap_or_default();
    format!("{} {}{limit}", figure.amount, figure.unit)
}

fn fault(tried: &Tried) -> String {
    let mut text = format!(
        "\n {ERROR}does not hold{ERROR:#}: {}: {}. It must be stopped by: {}; it was stopped by: {}\n",
        tried.probe,
        tried.tried,
        tried.must_stop_it,
        terminal_text(&tried.stopped_by)
    );
    if !tried.detail.is_empty() {
        text.push_str(&format!("   {}\n", terminal_line(&tried.detail)));
    }
    if !tried.host_is_up {
        text.push_str("   and afterwards an honest grader was not judged right\n");
    }
    text
}
