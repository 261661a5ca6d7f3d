//! What a grader said of one case, for its author.

use accredit_core::findings::{Because, Finding, Outcome};

use super::counted;
use crate::render::OneCase;
use crate::render::escape::{terminal_block, terminal_line};
use crate::terminal::{ERROR, FAINT, STRONG};

/// The findings, what the host made of them, and what the trial cost.
#[must_use]
pub fn one_case(one: &OneCase<'_>) -> String {
    let mut text = format!("{STRONG}{}{STRONG:#}  {}\n", one.verdict, one.manifest.name);
    match &one.trial.outcome {
        Outcome::Graded(findings) => findings.iter().for_each(|each| text.push_str(&finding(each))),
        Outcome::Refused(refusal) => {
            text.push_str(&format!(
                "  {ERROR}refused{ERROR:#}: {}\n",
                terminal_line(&refusal.message)
            ));
        }
        Outcome::Fault(fault) => {
            let (kind, detail) = (fault.kind.name(), terminal_line(&fault.detail));
            text.push_str(&format!("  {ERROR}fault{ERROR:#}: {kind}: {detail}\n"));
        }
    }
    for imposed in &one.trial.imposed {
        let claim = imposed
            .claim
            .as_ref()
            .map(|claim| format!(" [{}]", terminal_line(claim)))
            .unwrap_or_default();
        text.push_str(&format!(
            "  unproven        {}{claim}: {}\n",
            imposed.rule,
            because(imposed.because)
        ));
    }
    for violation in &one.trial.violations {
        text.push_str(&format!(
            "  {ERROR}contract broken{ERROR:#} by {}: {} ({})\n",
            terminal_line(&violation.rule),
            violation.kind.text(),
            terminal_line(&violation.detail)
        ));
    }
    for (import, calls) in &one.trial.inert {
        text.push_str(&format!(
            "  {import}: {}, each answered access-denied\n",
            counted(*calls, "call")
        ));
    }
    if !one.trial.captured.is_empty() {
        text.push_str("  it wrote:\n");
        text.push_str(&terminal_block(&one.trial.captured, "    | "));
    }
    text.push_str(&format!(
        "{FAINT}  {} fuel · {:.3} ms · {} KiB of memory{FAINT:#}\n",
        one.trial.fuel,
        one.wall.as_secs_f64() * 1000.0,
        one.memory_bytes / 1024
    ));
    text
}

fn finding(finding: &Finding) -> String {
    let claim = finding
        .claim
        .as_ref()
        .map(|claim| format!(" [{}]", terminal_line(claim)))
        .unwrap_or_default();
    let score = finding.score.map(|score| format!(" (score {score})")).unwrap_or_default();
    let mut text = format!(
        "  {:<15} {}{claim}: {}{score}\n",
        finding.verdict,
        terminal_line(&finding.rule),
        terminal_line(&finding.rationale)
    );
    for citation in &finding.citations {
        let (evidence, quote) = (terminal_line(&citation.evidence), terminal_line(&citation.quote));
        text.push_str(&format!("                  {evidence}: “{quote}”\n"));
    }
    text
}

fn because(because: Because) -> &'static str {
    match because {
        Because::Silence => "the grader said nothing of it",
        Because::NeedsAbsent => "the case lacks what the rule needs",
        Because::Violation => "its finding broke the contract",
        Because::Refused => "the grader declined the case",
        Because::Fault => "the grader did not answer",
    }
}
