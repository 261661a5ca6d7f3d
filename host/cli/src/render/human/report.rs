//! The promotion report, for a terminal.

use accredit_core::control::select::Only;
use accredit_core::decision::Requirement;
use accredit_core::report::Report;
use accredit_core::verdict::Tier;

use super::assessment;
use super::layout::{lines, narrow, table};
use super::misses::{self, entry};
use super::wrap::wrapped;
use crate::render::Context;
use crate::render::escape::{terminal_line, terminal_text};
use crate::render::figure::{count, measured, rate, required, upper};
use crate::render::words::{
    Outcome, asked, authors_copy, chosen, counted, headline, label_source, looks, open, outcome,
    plainly, state, tiers, waived,
};
use crate::terminal::{ERROR, FAINT, GOOD, STRONG, WARNING};

/// The whole report, no line wider than 80 columns.
#[must_use]
pub fn report(report: &Report, context: &Context<'_>) -> String {
    let mut text = heading(report, context);
    if let Some(copy) = authors_copy(report) {
        text.push_str(&(wrapped("", "  ", &format!("{WARNING}{copy}{WARNING:#}")) + "\n"));
    }
    text.push_str(&failures(report, context));
    match &report.only {
        Some(only) => text.push_str(&part(report, only, context)),
        None => text.push_str(&decision(report, context)),
    }
    text.push_str(&kinds(report));
    text.push_str(&rules(report));
    text.push_str(&real_output(report));
    text.push_str(&misses::misses(report, context));
    text.push_str(&faults(report));
    if report.only.is_none() {
        text.push_str(&baselines(report));
    }
    text.push_str(&footer(report, context));
    text
}

/// What the run earned, and every requirement.
fn decision(report: &Report, context: &Context<'_>) -> String {
    let mut text = verdict(report, context);
    for tier in tiers(report, context.require) {
        text.push_str(&requirements(report, tier));
    }
    text
}

/// A run of some of the controls decides nothing, and says so before anything else.
fn part(report: &Report, only: &Only, context: &Context<'_>) -> String {
    let line = format!("{WARNING}{}{WARNING:#}", headline(report, context.require));
    let chosen = format!("chosen: {}", terminal_text(&chosen(only).join(", ")));
    let right = if report.is_all_right() { "all of them are right\n" } else { "" };
    wrapped("", "  ", &line) + &wrapped("  ", "    ", &chosen) + right + &incomplete(report) + "\n"
}

fn heading(report: &Report, context: &Context<'_>) -> String {
    let (grader, set) = (&report.grader, &report.set);
    let authors: Vec<_> = grader.authors.iter().map(terminal_line).collect();
    let authors = if authors.is_empty() { "not stated".to_owned() } else { authors.join(", ") };
    let first = format!(
        "{STRONG}{} {}{STRONG:#} · {} grader for the rubric {} · {}",
        grader.name,
        terminal_line(&grader.version),
        grader.kind,
        grader.rubric,
        grader.digest.short(),
    );
    let (controls, real) = asked(report);
    let second = format!(
        "by {authors} · {controls} of set {} {}{real} · {} trials ({} a case, seed {})",
        set.id,
        terminal_text(&set.version),
        report.run.trials,
        report.run.repeats,
        report.run.seed,
    );
    let third = format!("policy: {}", terminal_text(context.policy));
    wrapped("", "  ", &first) + &faint("  ", &second) + &faint("  ", &third) + "\n"
}

/// A paragraph that stands back.
fn faint(margin: &str, text: &str) -> String {
    wrapped(margin, margin, &format!("{FAINT}{text}{FAINT:#}"))
}

/// Failures found in use that are back come before everything else.
fn failures(report: &Report, context: &Context<'_>) -> String {
    if report.failures.is_empty() {
        return String::new();
    }
    let count = counted(report.failures.len() as u64, "failure");
    let mut text = format!("{ERROR}{count} found in use, and back{ERROR:#}\n");
    text.extend(report.failures.iter().map(|miss| entry(miss, report, context)));
    text + "\n"
}

/// A record that was cut short says so before anything else.
fn incomplete(report: &Report) -> String {
    let run = &report.run;
    match run.complete {
        true => String::new(),
        false => {
            let what = format!(
                "{ERROR}INCOMPLETE{ERROR:#}: {} of {} trials; what follows is of these alone and promotes nothing",
                run.trials, run.planned
            );
            wrapped("", "  ", &what)
        }
    }
}

fn verdict(report: &Report, context: &Context<'_>) -> String {
    let decision = &report.decision;
    let mut text = incomplete(report);
    let style = match outcome(report, context.require) {
        Outcome::Eligible | Outcome::Advisory => GOOD,
        Outcome::Part | Outcome::Conditional => WARNING,
        Outcome::Refused => ERROR,
    };
    let line = format!("{style}{}{style:#}", headline(report, context.require));
    text.push_str(&wrapped("", "  ", &line));
    if let Some(plainly) = plainly(report, context.require) {
        text.push_str(&wrapped("", "", &plainly));
    }
    let mut point = |line: String| text.push_str(&wrapped("  ", "    ", &line));
    for waiver in &decision.waivers {
        let (id, tier, reason) = (waiver.requirement, waiver.tier, terminal_text(&waiver.reason));
        let waived = waived(report, waiver);
        point(format!("{WARNING}{waived}{WARNING:#} {id} for {tier}: {reason}"));
    }
    for looser in &decision.looser {
        point(format!("{WARNING}looser{WARNING:#} {}", terminal_text(looser)));
    }
    for requirement in open(report, context.require) {
        let Requirement { id, tier, .. } = requirement;
        let mend = terminal_text(requirement.mend.as_deref().unwrap_or_default());
        point(format!("{ERROR}{}{ERROR:#} {id} ({tier}): {mend}", state(requirement)));
    }
    text + "\n"
}

fn requirements(report: &Report, tier: Tier) -> String {
    let mut table = table(&[tier.name(), "", "measured (Wilson)", "required"]);
    narrow(&mut table, &[(1, 13), (3, 14)]);
    for requirement in report.decision.requirements.iter().filter(|r| r.tier == tier) {
        table.add_row([
            requirement.id.to_string(),
            state(requirement).to_owned(),
            terminal_text(&measured(requirement)),
            // A number stays with its sign.
            required(&requirement.required).replace("≥ ", "≥\u{a0}"),
        ]);
    }
    lines(&table) + "\n"
}

fn kinds(report: &Report) -> String {
    let mut table =
        table(&["kind", "controls", "families right (Wilson)", "controls right at first"]);
    for line in &report.kinds {
        let single = count(line.single);
        table.add_row([
            line.kind.to_string(),
            line.controls.to_string(),
            rate(&line.figure),
            single,
        ]);
    }
    lines(&table) + "\n"
}

fn rules(report: &Report) -> String {
    let mut table = table(&["rule", "", "families right (Wilson)"]);
    for line in &report.rules {
        table.add_row([line.rule.to_string(), "catches its known-bad".into(), rate(&line.catch)]);
        table.add_row([String::new(), "passes the rest".into(), rate(&line.pass)]);
    }
    let mut text = lines(&table);
    for line in report.rules.iter().filter(|line| !line.stray_fails.is_empty()) {
        let ids: Vec<_> = line.stray_fails.iter().map(ToString::to_string).collect();
        let stray = format!("{} also failed: {}", line.rule, ids.join(", "));
        text.push_str(&wrapped("  ", "    ", &stray));
    }
    text + "\n"
}

fn real_output(report: &Report) -> String {
    let Some(real) = &report.real_output else {
        let absent = report.in_use_absent.as_deref().map(|why| format!("in use: absent, {why}"));
        return absent.map_or_else(String::new, |text| wrapped("  ", "    ", &text) + "\n");
    };
    let mut text = assessment::rates(&real.assessment);
    for (source, outputs) in &real.label_sources {
        let (said, words) = label_source(source, *outputs);
        let said = said + &words.map(terminal_line).unwrap_or_default();
        text.push_str(&wrapped("  ", "    ", &said));
    }
    text.push('\n');
    text.push_str(&assessment::sections(&real.assessment));
    text
}

fn faults(report: &Report) -> String {
    let faults = &report.faults;
    let mut counts: Vec<_> = faults
        .by_kind
        .iter()
        .chain(&faults.violations)
        .map(|(what, count)| format!("{count} {what}"))
        .collect();
    if faults.refused > 0 {
        counts.push(format!("{} refused", faults.refused));
    }
    if counts.is_empty() {
        return String::new();
    }
    let mut text = wrapped("", "  ", &format!("{STRONG}Faults{STRONG:#}: {}", counts.join(", ")));
    for line in faults.first.iter().take(5) {
        let what = line.fault.map_or("contract", |fault| fault.name());
        let detail = terminal_line(&line.detail);
        let detail = format!("{} (repeat {}) {what}: {detail}", line.id, line.repeat);
        text.push_str(&wrapped("  ", "    ", &detail));
        if !line.captured.is_empty() {
            let wrote = format!("it wrote: {}", terminal_line(&line.captured));
            text.push_str(&wrapped("    ", "      ", &wrote));
        }
    }
    text + "\n"
}

fn baselines(report: &Report) -> String {
    let Some(first) = report.baselines.first() else {
        return String::new();
    };
    let names: Vec<_> = report.baselines.iter().map(|line| terminal_text(&line.name)).collect();
    let head: Vec<_> = ["baselines"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut table = table(&head);
    for kind in first.kinds.keys() {
        let right = report.baselines.iter().map(|line| line.kinds.get(kind));
        let right = right.map(|right| right.map_or("—".to_owned(), |right| count(*right)));
        table.add_row([kind.clone()].into_iter().chain(right));
    }
    lines(&table) + "\n"
}

fn footer(report: &Report, context: &Context<'_>) -> String {
    let (noise, digests) = (&report.noise, &report.digests);
    let lines = [
        format!(
            "noise: {} of {} repeated families differ (upper bound {}) · transforms: {} known-good and known-bad controls shown under them too",
            noise.differing.len(),
            noise.families,
            upper(noise.upper_bound),
            count(report.run.transformed),
        ),
        format!(
            "LB: exact one-sided lower bound at confidence {}, over families; it decides. In parentheses Wilson's two-sided 95 % interval, for display.",
            report.decision.confidence
        ),
        terminal_text(&report.reach),
        format!(
            "record {} · controls {} · policy {} · contract {}",
            digests.record.short(),
            digests.controls.short(),
            digests.policy.short(),
            digests.contract.short(),
        ),
    ];
    let lines = looks(report).into_iter().chain(lines);
    let mut text: String = lines.map(|line| faint("", &line)).collect();
    if let Some(out) = context.out {
        let out = terminal_text(&out.display().to_string());
        text.push_str(&faint("", &format!("left in {out}: report.json, record.jsonl")));
    }
    text
}
