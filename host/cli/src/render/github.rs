//! Workflow commands of GitHub Actions: annotations beside the controls' files, then a short summary.
//!
//! GitHub shows ten errors and ten warnings of a step; what is beyond that is counted in the summary.

mod gate;
mod verification;

use std::path::Path;

use accredit_core::decision::Requirement;
use accredit_core::report::{Miss, Report};

use super::Context;
use super::escape::{annotation, property, terminal_text};
use super::figure::{measured, required};
use super::words::{
    Outcome, asked, authors_copy, headline, open, others, outcome, place, plainly, state, tiers,
    verdicts, waived, wrong,
};

pub use gate::gate;
pub use verification::verification;

/// How many annotations of one sort GitHub shows for a step.
const SHOWN: usize = 10;

/// The report as annotations and a summary.
#[must_use]
pub fn report(report: &Report, context: &Context<'_>) -> String {
    let mut text = String::new();
    let refused = matches!(outcome(report, context.require), Outcome::Refused | Outcome::Part);
    let errors = errors(report, context, refused);
    let warnings = warnings(report, context, refused);
    let all = context.all;
    for list in [&errors, &warnings] {
        let shown = if all { list.len() } else { SHOWN.min(list.len()) };
        text.extend(list[..shown].iter().map(String::as_str));
    }
    text + &summary(report, context)
}

/// One command, on a line of its own.
fn command(level: &str, file: Option<(&Path, usize)>, title: &str, message: &[String]) -> String {
    let file = file.map_or(String::new(), |(file, line)| {
        format!("file={},line={line},", property(&file.display().to_string()))
    });
    let message: Vec<_> = message.iter().map(|line| annotation(line)).collect();
    format!("::{level} {file}title={}::{}\n", property(title), message.join("%0A"))
}

/// The decision first; then failures that are back, and what the author has to mend.
fn errors(report: &Report, context: &Context<'_>, refused: bool) -> Vec<String> {
    let title = format!("accredit: {}", report.grader.name);
    let mut lines = Vec::new();
    if refused {
        let mut message = vec![headline(report, context.require)];
        message.extend(open(report, context.require).map(one_requirement));
        lines.push(command("error", None, &title, &message));
        lines.extend(report.failures.iter().map(|miss| {
            let title = format!("found in use, and back: {}", miss.id);
            command("error", context.places.of(&miss.id), &title, &told(miss))
        }));
        lines.extend(controls(report, context, "error"));
    }
    lines
}

fn warnings(report: &Report, context: &Context<'_>, refused: bool) -> Vec<String> {
    let decision = &report.decision;
    let mut lines = Vec::new();
    if let Some(copy) = authors_copy(report) {
        lines.push(command("warning", None, "an author's copy", &[copy]));
    }
    for waiver in &decision.waivers {
        let waived = waived(report, waiver);
        let title = format!("{waived}: {} for {}", waiver.requirement, waiver.tier);
        lines.push(command("warning", None, &title, std::slice::from_ref(&waiver.reason)));
    }
    lines.extend(decision.looser.iter().map(|looser| {
        command("warning", None, "looser than the built-in policy", std::slice::from_ref(looser))
    }));
    if !refused {
        lines.extend(controls(report, context, "warning"));
    }
    lines
}

/// The wrong controls that were not told as failures.
fn controls(report: &Report, context: &Context<'_>, level: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for list in wrong(report) {
        let rest = list.misses.into_iter().filter(|miss| {
            level == "warning" || !report.failures.iter().any(|failure| failure.id == miss.id)
        });
        lines.extend(rest.map(|miss| {
            let title = format!("{}: {}", list.name, miss.id);
            command(level, context.places.of(&miss.id), &title, &told(miss))
        }));
    }
    lines
}

fn told(miss: &Miss) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", place(miss), verdicts(miss))];
    let others = others(miss);
    if !others.is_empty() {
        lines.push(format!("It was failed by: {others}"));
    }
    if !miss.why.is_empty() {
        lines.push(miss.why.trim().to_owned());
    }
    if !miss.rationale.is_empty() {
        lines.push(format!("It said: {}", miss.rationale.raw()));
    }
    lines
}

fn one_requirement(requirement: &Requirement) -> String {
    let Requirement { id, tier, mend, .. } = requirement;
    format!("{} {id} ({tier}): {}", state(requirement), mend.as_deref().unwrap_or_default())
}

/// A short summary for the log: every line begins with words of ours, so that none is a command.
fn summary(report: &Report, context: &Context<'_>) -> String {
    let mut lines = vec![format!("accredit: {}", headline(report, context.require))];
    lines.extend(plainly(report, context.require));
    if !report.run.complete {
        lines.push(format!(
            "incomplete: {} of {} trials, which promotes nothing",
            report.run.trials, report.run.planned
        ));
    }
    for tier in tiers(report, context.require) {
        for requirement in report.decision.requirements.iter().filter(|r| r.tier == tier) {
            lines.push(format!(
                "  {} ({tier}): {}; measured {}; required {}",
                requirement.id,
                state(requirement),
                terminal_text(&measured(requirement)),
                required(&requirement.required),
            ));
        }
    }
    let wrong: Vec<_> = wrong(report).map(|wrong| wrong.heading()).collect();
    if !wrong.is_empty() {
        lines.push(format!("wrong: {}", wrong.join(", ")));
    }
    let (controls, real) = asked(report);
    lines.push(format!("of {controls}{real}; record {}", report.digests.record));
    lines.iter().map(|line| format!("{line}\n")).collect()
}
