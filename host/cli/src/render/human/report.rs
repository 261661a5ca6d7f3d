//! The promotion report, for a terminal.

use accredit_core::control::select::Only;
use accredit_core::decision::Requirement;
use accredit_core::report::Report;
use accredit_core::verdict::Tier;

use super::figure::{count, measured, rate, required, share};
use super::{assessment, counted, lines, misses, table};
use crate::render::Context;
use crate::render::escape::{terminal_line, terminal_text};
use crate::terminal::{ERROR, FAINT, GOOD, STRONG, WARNING};

/// The whole report.
#[must_use]
pub fn report(report: &Report, context: &Context<'_>) -> String {
    let mut text = heading(report, context);
    match &report.only {
        Some(only) => text.push_str(&part(report, only)),
        None => text.push_str(&decision(report, context)),
    }
    text.push_str(&kinds(report));
    text.push_str(&rules(report));
    text.push_str(&real_output(report));
    text.push_str(&misses::misses(report, context.all));
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
    for tier in [Tier::Gating, Tier::Characterization] {
        if tier <= context.require || tier <= report.decision.eligible_tier {
            text.push_str(&requirements(report, tier));
        }
    }
    text
}

/// A run of some of the controls decides nothing, and says so before anything else.
fn part(report: &Report, only: &Only) -> String {
    let mut chosen: Vec<_> = only.filters.iter().map(|filter| terminal_text(filter)).collect();
    chosen.extend(only.failed_in.map(|record| format!("wrong in record {}", record.short())));
    let right = if report.is_all_right() { "; all of them are right" } else { "" };
    format!(
        "{WARNING}PART{WARNING:#}: {} of {}: {}\n  for authors: a part of the controls was run, which promotes nothing{right}\n{}\n",
        report.set.controls,
        counted(only.of, "control"),
        chosen.join(", "),
        incomplete(report),
    )
}

fn heading(report: &Report, context: &Context<'_>) -> String {
    let (grader, set) = (&report.grader, &report.set);
    let authors: Vec<_> = grader.authors.iter().map(terminal_line).collect();
    let authors = if authors.is_empty() { "not stated".to_owned() } else { authors.join(", ") };
    format!(
        "{STRONG}{} {}{STRONG:#} · {} grader for the rubric {} · {}\n{FAINT}  by {authors} · {} of set {} {} · {} trials ({} a case, seed {})\n  policy: {}{FAINT:#}\n\n",
        grader.name,
        terminal_line(&grader.version),
        grader.kind,
        grader.rubric,
        grader.digest.short(),
        counted(set.controls, "control"),
        set.id,
        terminal_text(&set.version),
        report.run.trials,
        report.run.repeats,
        report.run.seed,
        terminal_text(context.policy),
    )
}

/// A record that was cut short says so before anything else.
fn incomplete(report: &Report) -> String {
    let run = &report.run;
    match run.complete {
        true => String::new(),
        false => format!(
            "{ERROR}INCOMPLETE{ERROR:#}: {} of {} trials; what follows is of these alone and promotes nothing\n",
            run.trials, run.planned
        ),
    }
}

fn verdict(report: &Report, context: &Context<'_>) -> String {
    let decision = &report.decision;
    let tier = decision.eligible_tier;
    let mut text = incomplete(report);
    text += &if tier >= context.require && tier > Tier::Advisory {
        let mut under = Vec::new();
        if decision.under_waivers > 0 {
            under.push(counted(decision.under_waivers, "waiver"));
        }
        if !decision.looser.is_empty() {
            under.push("a policy looser than the built-in one".to_owned());
        }
        let under = if under.is_empty() {
            String::new()
        } else {
            format!(", under {}", under.join(" and "))
        };
        format!("{GOOD}ELIGIBLE for {tier}, awaiting sign-off{under}{GOOD:#}\n")
    } else if tier >= context.require {
        format!("{GOOD}ADVISORY: shown beside other results, blocks nothing{GOOD:#}\n")
    } else {
        format!("{ERROR}REFUSED: not eligible for {}, stays {tier}{ERROR:#}\n", context.require)
    };
    for waiver in &decision.waivers {
        text.push_str(&format!(
            "  {WARNING}waived{WARNING:#} {} for {}: {}\n",
            waiver.requirement,
            waiver.tier,
            terminal_text(&waiver.reason)
        ));
    }
    for looser in &decision.looser {
        text.push_str(&format!("  {WARNING}looser{WARNING:#} {}\n", terminal_text(looser)));
    }
    let open: Vec<_> = decision
        .requirements
        .iter()
        .filter(|requirement| requirement.tier <= context.require && !requirement.is_satisfied())
        .collect();
    for requirement in
        open.iter().filter(|requirement| tier < context.require || requirement.tier <= tier)
    {
        let mend = terminal_text(requirement.mend.as_deref().unwrap_or_default());
        text.push_str(&format!(
            "  {ERROR}{}{ERROR:#} {} ({}): {mend}\n",
            state(requirement),
            requirement.id,
            requirement.tier
        ));
    }
    text.push('\n');
    text
}

/// How a requirement stands, in two words at most.
fn state(requirement: &Requirement) -> &'static str {
    match (requirement.met, requirement.waived) {
        (Some(true), _) => "met",
        (_, true) => "waived",
        (Some(false), false) => "not met",
        (None, false) => "not evaluated",
    }
}

fn requirements(report: &Report, tier: Tier) -> String {
    let mut table = table(&[tier.name(), "", "measured", "required"]);
    for requirement in report.decision.requirements.iter().filter(|r| r.tier == tier) {
        table.add_row([
            requirement.id.to_string(),
            state(requirement).to_owned(),
            terminal_text(&measured(requirement.measured.as_ref())),
            required(&requirement.required),
        ]);
    }
    lines(&table) + "\n"
}

fn kinds(report: &Report) -> String {
    let mut table = table(&["kind", "controls", "families right", "single trials right"]);
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
    let mut table = table(&["rule", "catch rate on its known-bad", "pass rate elsewhere"]);
    for line in &report.rules {
        table.add_row([line.rule.to_string(), rate(&line.catch), rate(&line.pass)]);
    }
    let mut text = lines(&table);
    for line in report.rules.iter().filter(|line| !line.stray_fails.is_empty()) {
        let ids: Vec<_> = line.stray_fails.iter().map(ToString::to_string).collect();
        text.push_str(&format!("  {} also failed: {}\n", line.rule, ids.join(", ")));
    }
    text + "\n"
}

fn real_output(report: &Report) -> String {
    let Some(real) = &report.real_output else {
        return String::new();
    };
    let mut text = assessment::rates(&real.assessment);
    for (source, outputs) in &real.label_sources {
        text.push_str(&format!("  {outputs} labels: {}\n", terminal_line(source)));
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
    let mut text = format!("{STRONG}Faults{STRONG:#}: {}\n", counts.join(", "));
    for line in faults.first.iter().take(5) {
        let what = line.fault.map_or("contract", |fault| fault.name());
        text.push_str(&format!(
            "  {} (repeat {}) {what}: {}\n",
            line.id,
            line.repeat,
            terminal_line(&line.detail)
        ));
        if !line.captured.is_empty() {
            text.push_str(&format!("    it wrote: {}\n", terminal_line(&line.captured)));
        }
    }
    text + "\n"
}

fn baselines(report: &Report) -> String {
    let Some(first) = report.baselines.first() else {
        return String::new();
    };
    let kinds: Vec<_> = first.kinds.keys().collect();
    let head: Vec<_> =
        ["baseline"].into_iter().chain(kinds.iter().map(|kind| kind.as_str())).collect();
    let mut table = table(&head);
    for line in &report.baselines {
        let mut row = vec![terminal_text(&line.name)];
        row.extend(
            kinds
                .iter()
                .map(|kind| line.kinds.get(*kind).map_or("—".to_owned(), |right| count(*right))),
        );
        table.add_row(row);
    }
    lines(&table) + "\n"
}

fn footer(report: &Report, context: &Context<'_>) -> String {
    let noise = &report.noise;
    let mut text = format!(
        "{FAINT}noise: {} of {} repeated families differ (upper bound {}) · transforms: {} known-good and known-bad controls shown under them too\nLB: exact one-sided lower bound at confidence {}, over families; it decides. Wilson: two-sided 95 %, for display.\n{}\nrecord {} · controls {} · policy {} · contract {}{FAINT:#}\n",
        noise.differing.len(),
        noise.families,
        share(noise.upper_bound),
        count(report.run.transformed),
        report.decision.confidence,
        terminal_text(&report.reach),
        report.digests.record.short(),
        report.digests.controls.short(),
        report.digests.policy.short(),
        report.digests.contract.short(),
    );
    if let Some(out) = context.out {
        let out = terminal_text(&out.display().to_string());
        text.push_str(&format!("{FAINT}left in {out}: report.json, record.jsonl{FAINT:#}\n"));
    }
    text
}
