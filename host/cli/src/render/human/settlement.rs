//! Forecasts beside their baselines, explanations then and later, for a terminal.

use accredit_core::gate::record::{Dimensions, Stands};
use accredit_core::gate::settlement::{
    About, Counts, ExplanationLine, Line, NotHere, Registration, SettlementReport, State,
};
use accredit_core::ledger::Moment;

use super::counted;
use super::layout::{lines, narrow, table};
use super::wrap::wrapped;
use crate::render::escape::{terminal_cut, terminal_line, terminal_text};
use crate::render::figure::{count, interval, share};
use crate::render::settlement_words::{against, called, came, standing};
use crate::settle::{Entered, Registering};
use crate::terminal::{ERROR, FAINT, GOOD, STRONG, WARNING};

/// How much of a statement stands in a table.
const WORDING: usize = 90;

/// How much of what a baseline says, or of a remark.
const SAID: usize = 60;

/// What was registered. What was refused is told as an error.
#[must_use]
pub fn registering(done: &Registering) -> String {
    let mut text = format!(
        "registered: {} · before: {} · refused: {}\n",
        done.registered.len(),
        done.already,
        done.refused.len()
    );
    for it in &done.registered {
        let Registration { run, step, claim, about, horizon, fingerprint, .. } = it;
        let line = format!(
            "{run}/{step} {} · {} due {horizon} · {}",
            terminal_text(claim),
            about.name(),
            fingerprint.short()
        );
        text.push_str(&wrapped("  ", "    ", &line));
    }
    text
}

/// How one came out.
#[must_use]
pub fn entered(entered: &Entered) -> String {
    let line = &entered.line;
    let verb = if entered.new { "entered" } else { "stands there already" };
    let what = match &line.forecast {
        Some(it) => format!(
            "the statement came {} · {} · baseline {}",
            it.came.map_or("—".to_owned(), |came| came.to_string()),
            called(line),
            against(line)
        ),
        None => "assessed anew".to_owned(),
    };
    let file = terminal_text(&entered.file);
    let told = format!("{verb}: {} · {what} · {file}", place(line));
    wrapped("", "  ", &told)
}

/// The whole table.
#[must_use]
pub fn settlement(report: &SettlementReport) -> String {
    let mut text = head(report);
    text.push_str(&forecasts(report));
    text.push_str(&explanations(report));
    text.push_str(&remarks(report));
    text.push('\n');
    text + &wrapped("", "", &format!("{FAINT}{}{FAINT:#}", report.reach))
}

fn head(report: &SettlementReport) -> String {
    let Counts { forecasts, explanations, no_calls, settled, unresolved, due, .. } = report.counts;
    let Counts { not_registered, refused, .. } = report.counts;
    let state = match (report.is_refused(), report.is_up_to_date()) {
        (true, _) => format!("{ERROR}REFUSED{ERROR:#}"),
        (false, true) => format!("{GOOD}UP TO DATE{GOOD:#}"),
        (false, false) => format!("{WARNING}UNRESOLVED{WARNING:#}"),
    };
    let mut text = wrapped(
        "",
        "  ",
        &format!(
            "{state} · {} ({}), {}: {settled} settled, {unresolved} unresolved ({due} due, {not_registered} not registered), {refused} refused · {}",
            counted(forecasts, "forecast"),
            counted(no_calls, "no-call"),
            counted(explanations, "explanation"),
            report.now
        ),
    );
    let mut line = |said: &str| text.push_str(&wrapped("  ", "    ", said));
    line(&format!(
        "calls right: {} · baselines right: {} · on the same statements {} and {}",
        count(report.calls),
        count(report.baselines),
        count(report.both.calls),
        count(report.both.baselines)
    ));
    text
}

fn forecasts(report: &SettlementReport) -> String {
    if report.forecasts.is_empty() {
        return String::new();
    }
    let mut table = table(&["forecast", "due", "call", "came", "baseline"]);
    narrow(&mut table, &[(0, 24)]);
    let mut statements = String::new();
    for line in &report.forecasts {
        let cells = [place(line), day(line.horizon), called(line), came(line), against(line)];
        table.add_row(cells);
        let statement = format!(
            "{} {} · version {} · beside: {}",
            place(line),
            terminal_cut(&line.wording, WORDING),
            line.version.short(),
            terminal_cut(&line.baseline.says, SAID)
        );
        statements.push_str(&wrapped("  ", "    ", &statement));
    }
    let title = format!("\n{STRONG}Forecasts beside their baselines{STRONG:#}\n");
    format!("{title}{}{statements}", lines(&table)) + &calibration(report)
}

fn calibration(report: &SettlementReport) -> String {
    let mut text = String::new();
    let mut line = |said: &str| text.push_str(&wrapped("  ", "    ", said));
    match (&report.calibration.value, &report.calibration.absent) {
        (Some(it), _) => line(&format!(
            "stated probabilities: Brier {} (the share alone: {}) · calibration error {} · {} came true",
            share(Some(it.brier)),
            share(Some(it.brier_of_share)),
            share(Some(it.expected_error)),
            count(it.came_true)
        )),
        (None, why) => {
            line(&format!("calibration absent: {}", why.as_deref().unwrap_or_default()));
        }
    }
    let Some(curve) = &report.calibration.value else { return text };
    match (&report.beside.value, &report.beside.absent) {
        (Some(it), _) => line(&format!(
            "Brier over the {} of which both state one: {}, of the baselines {}",
            counted(it.forecasts, "forecast"),
            share(Some(it.brier)),
            share(Some(it.baseline_brier))
        )),
        (None, why) => {
            line(&format!(
                "no Brier beside the baseline's: {}",
                why.as_deref().unwrap_or_default()
            ));
        }
    }
    let mut table = table(&["probability", "mean", "came true", "share", "95 % interval"]);
    for bin in &curve.bins {
        table.add_row([
            format!("{:.1}–{:.1}", bin.from, bin.to),
            share(Some(bin.stated)),
            count(bin.came_true),
            share(bin.came_true.rate()),
            interval(Some(&bin.interval)),
        ]);
    }
    text + &lines(&table)
}

fn explanations(report: &SettlementReport) -> String {
    if report.explanations.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{STRONG}Explanations, then and later{STRONG:#}\n");
    for line in &report.explanations {
        let head = format!(
            "{}: {} · due {} · {} · version {} · beside: {}",
            place(line),
            terminal_cut(&line.wording, WORDING),
            day(line.horizon),
            standing(line),
            line.version.short(),
            terminal_cut(&line.baseline.says, SAID)
        );
        text.push_str(&wrapped("  ", "    ", &head));
        text.push_str(&line.explanation.as_ref().map(dimensions).unwrap_or_default());
    }
    text
}

fn dimensions(of: &ExplanationLine) -> String {
    let mut table = table(&["", "then", "later"]);
    narrow(&mut table, &[(1, 28), (2, 28)]);
    let later: Vec<_> = of.later.iter().flat_map(Dimensions::named).collect();
    for (at, (name, then)) in of.contemporaneous.named().into_iter().enumerate() {
        let stands = |stands: Stands, remark| match terminal_cut(remark, SAID) {
            remark if remark.is_empty() => stands.name().to_owned(),
            remark => format!("{}: {remark}", stands.name()),
        };
        let later = later.get(at).map(|(_, it)| stands(it.stands, &it.remark));
        table.add_row([
            name.replace('_', " "),
            stands(then.stands, &then.remark),
            later.unwrap_or_else(|| "unresolved".to_owned()),
        ]);
    }
    lines(&table)
}

/// What a table has no room for.
fn remarks(report: &SettlementReport) -> String {
    let mut text = String::new();
    let mut line = |said: &str| text.push_str(&wrapped("  ", "    ", said));
    for it in report.lines() {
        if let Some(why) = &it.refused {
            let why = terminal_text(&why.text());
            line(&format!("{ERROR}refused{ERROR:#}: {}: {why}", place(it)));
        }
        match (it.state, it.registered_at, it.is_due) {
            (State::Unresolved, None, _) => line(&format!(
                "{WARNING}not registered{WARNING:#}: {}: run `accredit settle register` before it is due",
                place(it)
            )),
            (State::Unresolved, _, true) => line(&format!(
                "{WARNING}due{WARNING:#}: {}: `accredit settle outcome` enters how it came out",
                place(it)
            )),
            _ => {}
        }
        for entry in it.outcomes.iter().filter(|entry| !entry.counts && it.refused.is_none()) {
            line(&format!(
                "{WARNING}counts for nothing{WARNING:#}: the entry of {} on {}, which the book does not hold: only `accredit settle outcome` enters one",
                entry.at,
                place(it)
            ));
        }
        let counting = it.outcomes.iter().filter(|entry| entry.counts).count() as u64;
        if counting > 1 {
            line(&format!("{}: {}, the last counts", place(it), counted(counting, "entry")));
        }
    }
    for NotHere { run, step, claim, horizon, taken_out } in &report.not_here {
        let (run, claim) = (format!("{run}/{step}"), terminal_line(claim));
        line(&match taken_out {
            true => format!(
                "{ERROR}refused{ERROR:#}: {run} {claim}: it was registered, and its record has it no more"
            ),
            false => format!(
                "{WARNING}not here{WARNING:#}: {run} {claim}, registered and due {}: give the folder of its record as well",
                day(*horizon)
            ),
        });
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

fn place(line: &Line) -> String {
    format!("{}/{} {}", line.run, line.step, terminal_line(&line.claim))
}

/// The day of a moment: the whole of it stands in the JSON.
fn day(moment: Moment) -> String {
    moment.to_string().chars().take(10).collect()
}

/// The lines of a gate: what came out, and what was refused.
pub(super) fn beside_gate(settled: &accredit_core::gate::settlement::Settled) -> Vec<String> {
    let mut lines = Vec::new();
    for it in &settled.came {
        lines.push(match it.about {
            About::Forecast => format!(
                "{} came {}: call {}, baseline {}",
                place(it),
                came(it),
                called(it),
                against(it)
            ),
            About::Explanation => {
                format!("{} was assessed anew", place(it))
            }
        });
    }
    for it in &settled.refused {
        let why = it.refused.as_ref().map(|it| terminal_text(&it.text())).unwrap_or_default();
        lines.push(format!("{} cannot be settled: {why}", place(it)));
    }
    for NotHere { run, step, claim, .. } in &settled.taken_out {
        let claim = terminal_line(claim);
        lines.push(format!("{run}/{step} {claim} was registered, and its record has it no more"));
    }
    lines
}
