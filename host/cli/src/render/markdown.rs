//! A comment on a pull request: GitHub-flavoured Markdown. Nothing that anybody else wrote stands outside a
//! code span.

mod assessment;
mod comparison;
mod gate;

use accredit_core::decision::Requirement;
use accredit_core::report::{Miss, Report};
use accredit_core::verdict::Tier;

pub use assessment::imported;
pub use comparison::comparison;
pub use gate::gate;

use super::Context;
use super::escape::{cell, code, code_cut, code_of};
use super::figure::{count, measured, rate, required, upper};
use super::words::{
    Outcome, Wrong, asked, authors_copy, chosen, counted, headline, looks, open, others, outcome,
    place, plainly, shown_of, state, tiers, verdicts, waived, wrong,
};

/// How many of a list a comment shows, unless all are asked for: a comment takes 65,536 characters.
const FIRST: usize = 12;

/// How much of each text of a control is shown, and how much where all is asked for.
const TEXT: [usize; 2] = [120, 1000];

/// The report as a comment.
#[must_use]
pub fn report(report: &Report, context: &Context<'_>) -> String {
    let mut text = heading(report, context);
    text.push_str(&failures(report, context));
    text.push_str(&points(report, context.require));
    for tier in tiers(report, context.require) {
        text.push_str(&requirements(report, tier));
    }
    text.push_str(&rules(report));
    if let Some(why) = &report.in_use_absent {
        text.push_str(&format!("**In use**: absent, {}\n\n", code(why)));
    }
    if let Some(real) = &report.real_output {
        text.push_str(&assessment::real_output(real, context.all));
    }
    for wrong in wrong(report) {
        text.push_str(&list(&wrong, report, context));
    }
    text + &footer(report, context)
}

fn heading(report: &Report, context: &Context<'_>) -> String {
    let (grader, set, run) = (&report.grader, &report.set, &report.run);
    let sign = match outcome(report, context.require) {
        Outcome::Eligible => "✅",
        Outcome::Conditional => "⚠️",
        Outcome::Advisory => "ℹ️",
        Outcome::Part => "✂️",
        Outcome::Refused => "❌",
    };
    let mut text = format!(
        "### {sign} {}: {}\n\n",
        code(grader.name.as_str()),
        headline(report, context.require)
    );
    if let Some(copy) = authors_copy(report) {
        text.push_str(&format!("**{copy}**\n\n"));
    }
    if let Some(plainly) = plainly(report, context.require) {
        text.push_str(&format!("{plainly}\n\n"));
    }
    if let Some(only) = &report.only {
        text.push_str(&format!("Chosen: {}\n\n", code(&chosen(only).join(", "))));
    }
    if !run.complete {
        text.push_str(&format!(
            "**INCOMPLETE**: {} of {} trials; what follows is of these alone and promotes nothing\n\n",
            run.trials, run.planned
        ));
    }
    let (controls, real) = asked(report);
    text + &format!(
        "Version {}, a {} grader for the rubric {}, on {controls} of set {} {}{real}: {} trials ({} a case, seed {}).\nPolicy: {}\n\n",
        code_of(&grader.version),
        grader.kind,
        code(grader.rubric.as_str()),
        code(set.id.as_str()),
        code(&set.version),
        run.trials,
        run.repeats,
        run.seed,
        code(context.policy),
    )
}

/// Failures found in use that are back come before everything else.
fn failures(report: &Report, context: &Context<'_>) -> String {
    if report.failures.is_empty() {
        return String::new();
    }
    let count = counted(report.failures.len() as u64, "failure");
    format!(
        "**{count} found in use, and back**\n\n{}\n",
        entries(&report.failures.iter().collect::<Vec<_>>(), report, context)
    )
}

fn points(report: &Report, require: Tier) -> String {
    let decision = &report.decision;
    let mut lines = Vec::new();
    for waiver in &decision.waivers {
        let (id, tier) = (waiver.requirement, waiver.tier);
        let waived = waived(report, waiver);
        lines.push(format!("- **{waived}** {id} for {tier}: {}\n", code(&waiver.reason)));
    }
    lines.extend(decision.looser.iter().map(|looser| format!("- **looser** {}\n", code(looser))));
    for requirement in open(report, require) {
        let Requirement { id, tier, mend, .. } = requirement;
        let mend = code(mend.as_deref().unwrap_or_default());
        lines.push(format!("- **{}** {id} ({tier}): {mend}\n", state(requirement)));
    }
    if lines.is_empty() { String::new() } else { lines.concat() + "\n" }
}

fn requirements(report: &Report, tier: Tier) -> String {
    let mut text = format!("| {tier} | | measured | required |\n|---|---|---|---|\n");
    for requirement in report.decision.requirements.iter().filter(|r| r.tier == tier) {
        let state = match requirement.is_satisfied() {
            true => state(requirement).to_owned(),
            false => format!("**{}**", state(requirement)),
        };
        text.push_str(&format!(
            "| {} | {state} | {} | {} |\n",
            requirement.id,
            cell(&measured(requirement)),
            cell(&required(&requirement.required)),
        ));
    }
    text + "\n"
}

fn rules(report: &Report) -> String {
    let mut text = "| rule | catches its known-bad | passes the rest |\n|---|---|---|\n".to_owned();
    for line in &report.rules {
        let cells = [cell(line.rule.as_str()), cell(&rate(&line.catch)), cell(&rate(&line.pass))];
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    text + "\n"
}

fn list(wrong: &Wrong<'_>, report: &Report, context: &Context<'_>) -> String {
    format!(
        "<details><summary>{} ({})</summary>\n\n{}\n</details>\n\n",
        wrong.heading(),
        wrong.meaning,
        entries(&wrong.misses, report, context)
    )
}

fn entries(misses: &[&Miss], report: &Report, context: &Context<'_>) -> String {
    let shown = shown_of(misses.len(), FIRST, context.all);
    let mut text: String =
        misses[..shown].iter().map(|miss| entry(miss, report, context)).collect();
    if misses.len() > shown {
        text.push_str(&format!("- … and {} more\n", misses.len() - shown));
    }
    text
}

fn entry(miss: &Miss, report: &Report, context: &Context<'_>) -> String {
    let mut text =
        format!("- {} {}: {}\n", code(miss.id.as_str()), code(&place(miss)), verdicts(miss));
    if let Some((file, line)) = context.places.of(&miss.id) {
        text.push_str(&format!("  - at {}\n", code(&format!("{}:{line}", file.display()))));
    }
    let others = others(miss);
    if !others.is_empty() {
        text.push_str(&format!("  - it was failed by: {}\n", code(&others)));
    }
    if !miss.rationale.is_empty() {
        text.push_str(&format!("  - it said: {}\n", code_of(&miss.rationale)));
    }
    if !miss.why.is_empty() {
        text.push_str(&format!("  - why: {}\n", code(miss.why.trim())));
    }
    if let Some(of) = report.texts.get(&miss.id) {
        let longest = TEXT[usize::from(context.all)];
        let reference = of.reference.as_ref().map(|reference| ("reference", reference));
        for (what, words) in
            [("task", &of.task), ("output", &of.output)].into_iter().chain(reference)
        {
            if !words.is_empty() {
                text.push_str(&format!("  - {what}: {}\n", code_cut(words, longest)));
            }
        }
    }
    text
}

fn footer(report: &Report, context: &Context<'_>) -> String {
    let (noise, digests) = (&report.noise, &report.digests);
    let looks = looks(report).map(|looks| code(&looks) + "\n\n").unwrap_or_default();
    let mut text = looks;
    text += &format!(
        "{}\n\nNoise: {} of {} repeated families differ (upper bound {}). Transforms: {} known-good and known-bad controls shown under them too.\nLB: exact one-sided lower bound at confidence {}, over families; it decides. In parentheses Wilson's two-sided 95 % interval.\n\nRecord {}, controls {}, policy {}, contract {}.\n",
        code(&report.reach),
        noise.differing.len(),
        noise.families,
        upper(noise.upper_bound),
        count(report.run.transformed),
        report.decision.confidence,
        code(&digests.record.to_string()),
        code(&digests.controls.short()),
        code(&digests.policy.short()),
        code(&digests.contract.short()),
    );
    if let Some(out) = context.out {
        let out = code(&out.display().to_string());
        text.push_str(&format!("Left in {out}: report.json, record.jsonl.\n"));
    }
    text
}
