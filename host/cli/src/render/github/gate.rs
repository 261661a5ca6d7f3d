//! A gate in a log of GitHub Actions: an annotation for what blocks and what was not evaluated, then a summary.

use accredit_core::gate::GateReport;
use accredit_core::gate::combine::{Failed, Open};

use super::{SHOWN, command};
use crate::render::escape::terminal_text;
use crate::render::gate_words::{self as words, Tone};
use crate::render::{GateContext, evidence};

/// The gate as annotations and a summary.
#[must_use]
pub fn gate(report: &GateReport, context: &GateContext<'_>) -> String {
    let mut errors = Vec::new();
    let mut warnings = Vec::new();
    let why = std::slice::from_ref(&report.release.why);
    match words::tone(report) {
        Tone::Goes => {}
        Tone::LetGo => warnings.push(command("warning", None, words::verdict(report), why)),
        Tone::Blocked | Tone::Open => {
            errors.push(command("error", None, words::verdict(report), why));
        }
    }
    if let Some(stale) = context.stale {
        errors.push(command("error", None, "stale", &[stale.to_owned()]));
    }
    if let Some(altered) = words::altered(report) {
        errors.push(command("error", None, "altered", &[altered.to_owned()]));
    }
    for grader in report.graders.iter().filter(|it| it.stale) {
        let title = format!("stale: {} blocks no more", grader.name);
        let list = if context.allow_stale { &mut warnings } else { &mut errors };
        let level = if context.allow_stale { "warning" } else { "error" };
        list.push(command(level, None, &title, &grader.reasons));
    }
    errors.extend(report.blocking.iter().map(|it| failed("error", "blocks", it)));
    warnings.extend(report.let_go.iter().map(|it| failed("warning", "let go by a person", it)));
    warnings.extend(report.tolerated.iter().map(|it| failed("warning", "tolerated", it)));
    warnings.extend(report.not_evaluated.iter().map(open));
    warnings.extend(report.advisory.iter().map(|it| failed("warning", "advisory", it)));
    let mut text = String::new();
    for list in [&errors, &warnings] {
        let shown = if context.all { list.len() } else { SHOWN.min(list.len()) };
        text.extend(list[..shown].iter().map(String::as_str));
    }
    text + &summary(report)
}

fn failed(level: &str, what: &str, failed: &Failed) -> String {
    let mut lines = vec![words::failed_place(failed)];
    lines.extend(failed.claim.iter().map(|claim| format!("claim {}", claim.raw())));
    let marks = words::failed_marks(failed);
    if !marks.is_empty() {
        lines.push(marks.join(", "));
    }
    if !failed.rationale.is_empty() {
        lines.push(format!("It said: {}", failed.rationale.raw()));
    }
    command(level, None, &format!("{what}: {}", failed.case), &lines)
}

fn open(open: &Open) -> String {
    let mut lines = vec![words::open_place(open), open.why.text().to_owned()];
    lines.extend(open.claim.iter().map(|claim| format!("claim {}", claim.raw())));
    let title = format!("{}: {}", open.standing.name(), open.case);
    command("warning", None, &title, &lines)
}

/// A line of the summary: a report that was kept may say anything.
fn inert(line: &str) -> String {
    format!("  {}", terminal_text(line))
}

/// Every line begins with words of ours, so that none is a command.
fn summary(report: &GateReport) -> String {
    let release = &report.release;
    let mut lines = vec![format!(
        "accredit gate: {} · {}",
        words::verdict(report),
        terminal_text(&release.why)
    )];
    if let Some(decided) = &report.decided {
        lines.push(format!(
            "  {} by {} at {}: {}",
            words::did(decided, report),
            terminal_text(decided.by.raw()),
            decided.at,
            terminal_text(decided.because.raw())
        ));
    }
    for not in &report.not_counted {
        let why = terminal_text(not.why.raw());
        lines.push(format!(
            "  a word of {} to {} it does not count: {why}",
            not.at,
            not.choice.name()
        ));
    }
    lines.push(format!("  {}", words::counts(&report.summary)));
    lines.push(format!("  {}", words::rests_on(report)));
    lines.push(format!("  {}", words::false_block(report)));
    let worst = report.evidence.runs.iter().take(SHOWN);
    lines.extend(worst.map(|it| inert(&format!("evidence: {}", evidence::line(it)))));
    lines.extend(report.graders.iter().map(|it| inert(&words::grader(it))));
    lines.extend(words::trials(report).iter().map(|it| inert(it)));
    lines.extend(words::beside(report).iter().map(|it| inert(it)));
    lines.iter().map(|line| format!("{line}\n")).collect()
}
