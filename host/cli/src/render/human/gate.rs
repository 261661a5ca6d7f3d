//! What a gate found, for a terminal: the verdict and what blocks first, then what was not evaluated, then the rest.

use std::collections::BTreeMap;

use accredit_core::gate::GateReport;
use accredit_core::gate::combine::{Failed, Open};
use accredit_core::gate::texts::StepTexts;
use accredit_core::id::{RunId, StepId};

use super::gate_comparison::gate_comparison;
use super::settlement::beside_gate;
use super::wrap::wrapped;
use super::{counted, evidence};
use crate::render::GateContext;
use crate::render::escape::{terminal_cut, terminal_line, terminal_text};
use crate::render::figure::{cost_of_run, share};
use crate::render::gate_words::{self, Tone};
use crate::render::words::shown_of;
use crate::terminal::{ERROR, FAINT, GOOD, STRONG, WARNING};

/// Lines of each sort that are shown.
const SHOWN: usize = 10;

/// How much of a text is shown.
const RATIONALE: usize = 200;

type Texts<'a> = BTreeMap<(&'a RunId, &'a StepId), &'a StepTexts>;

/// The report of a gate.
#[must_use]
pub fn gate(report: &GateReport, context: &GateContext<'_>) -> String {
    let all = context.all;
    let mut text = String::new();
    if let Some(compared) = context.compared {
        text.push_str(&(gate_comparison(compared) + "\n"));
    }
    text.push_str(&head(report, context.stale));
    let texts: Texts<'_> = report.texts.iter().map(|it| ((&it.run, &it.step), it)).collect();
    let mut list = |title: &str, lines: Vec<String>| {
        if lines.is_empty() {
            return;
        }
        text.push('\n');
        let title = format!("{STRONG}{title}{STRONG:#} ({})", lines.len());
        text.push_str(&wrapped("", "  ", &title));
        let shown = shown_of(lines.len(), SHOWN, all);
        for line in &lines[..shown] {
            let mut parts = line.split('\n');
            text.push_str(&wrapped("  ", "    ", parts.next().unwrap_or_default()));
            parts.for_each(|part| text.push_str(&wrapped("    ", "      ", part)));
        }
        if shown < lines.len() {
            text.push_str(&format!("  {FAINT}and {} more (--all){FAINT:#}\n", lines.len() - shown));
        }
    };
    let whole = |failures: &[Failed]| failures.iter().map(|it| whole(it, &texts)).collect();
    list("blocks", whole(&report.blocking));
    list("let go by a person", whole(&report.let_go));
    list(
        "failed, and within the policy's pass rate",
        report.tolerated.iter().map(failed).collect(),
    );
    list("not evaluated", report.not_evaluated.iter().map(open).collect());
    list("evidence, worst verified first", evidence::lines(&report.evidence));
    list("advisory, blocks nothing", report.advisory.iter().map(failed).collect());
    list("graders", inert(report.graders.iter().map(gate_words::grader)));
    list("runs", inert(gate_words::trials(report)));
    list("versions", versions(report));
    list("for readers, decides nothing", weighted(report));
    list("beside", beside(report));
    text.push('\n');
    text.push_str(&wrapped("", "", &format!("{FAINT}{}{FAINT:#}", terminal_text(&report.reach))));
    text
}

fn head(report: &GateReport, stale: Option<&str>) -> String {
    let release = &report.release;
    let colour = match gate_words::tone(report) {
        Tone::Goes => GOOD,
        Tone::LetGo => WARNING,
        Tone::Blocked => ERROR,
        Tone::Open => WARNING,
    };
    let verdict = format!("{colour}{}{colour:#}", gate_words::verdict(report));
    let mut text = wrapped("", "  ", &format!("{verdict} · {}", terminal_text(&release.why)));
    let mut line = |said: &str| text.push_str(&wrapped("  ", "    ", said));
    if let Some(stale) = stale {
        line(&format!("{ERROR}{stale}{ERROR:#}"));
    }
    if let Some(altered) = gate_words::altered(report) {
        line(&format!("{ERROR}altered{ERROR:#}: {altered}"));
    }
    for name in &report.stale {
        let grader = report.graders.iter().find(|grader| grader.name == *name);
        let reasons: Vec<_> =
            grader.iter().flat_map(|it| &it.reasons).map(|it| terminal_text(it)).collect();
        line(&format!(
            "{ERROR}stale{ERROR:#}: {name} blocks no more, because {}",
            reasons.join("; ")
        ));
    }
    if let Some(decided) = &report.decided {
        line(&format!(
            "{} by {} at {}: {}",
            gate_words::did(decided, report),
            terminal_line(&decided.by),
            decided.at,
            terminal_cut(&decided.because, RATIONALE)
        ));
    }
    for not in &report.not_counted {
        let why = terminal_line(&not.why);
        line(&format!("a word of {} to {} it does not count: {why}", not.at, not.choice.name()));
    }
    if release.pending_person {
        line(&format!(
            "a person reads this report and decides: `accredit decide REPORT --runs DIR`, with --release or --hold ({})",
            report.decides.short()
        ));
    }
    line(&gate_words::counts(&report.summary));
    line(&gate_words::rests_on(report));
    line(&gate_words::false_block(report));
    text
}

fn failed(failed: &Failed) -> String {
    let claim = failed.claim.as_ref().map(|claim| format!(", claim {}", terminal_line(claim)));
    let marks: String =
        gate_words::failed_marks(failed).iter().map(|mark| format!(" · {mark}")).collect();
    let said = match failed.rationale.is_empty() {
        true => String::new(),
        false => format!(": {}", terminal_cut(&failed.rationale, RATIONALE)),
    };
    format!("{}{}{marks}{said}", gate_words::failed_place(failed), claim.unwrap_or_default())
}

/// A report that was kept may say anything.
fn inert(lines: impl IntoIterator<Item = String>) -> Vec<String> {
    lines.into_iter().map(|line| terminal_text(&line)).collect()
}

/// A failure, with the words that it is of.
fn whole(it: &Failed, texts: &Texts<'_>) -> String {
    let mut text = failed(it);
    if let Some(step) = texts.get(&(&it.run, &it.step)) {
        let named = [("task", Some(&step.task)), ("answer", step.answer.as_ref())];
        for (what, words) in named.into_iter().chain([("reference", step.reference.as_ref())]) {
            if let Some(words) = words.filter(|it| !it.is_empty()) {
                text.push_str(&format!("\n| {what}: {}", terminal_cut(words, RATIONALE)));
            }
        }
    }
    text
}

fn open(open: &Open) -> String {
    let claim = open.claim.as_ref().map(|claim| format!(", claim {}", terminal_line(claim)));
    format!(
        "{}{}: {}, {}",
        gate_words::open_place(open),
        claim.unwrap_or_default(),
        open.standing.name(),
        open.why.text()
    )
}

fn versions(report: &GateReport) -> Vec<String> {
    let line = |version: &accredit_core::gate::versions::VersionLine| {
        let absent = || "not known".to_owned();
        let cost = version.cost.map_or_else(absent, |cost| {
            format!("{} {}", cost_of_run(cost), terminal_text(&report.cost_unit))
        });
        let latency = version.latency_ms.map_or_else(absent, |latency| format!("{latency:.0} ms"));
        let dominated = match version.dominated_by.first() {
            Some(by) => format!(" · dominated by {}", by.short()),
            None => String::new(),
        };
        format!(
            "{} {} · {} of {} runs passed · cost {} · latency {latency}{dominated}",
            version.version.short(),
            terminal_line(&version.named),
            version.runs.right,
            version.runs.of,
            cost.trim_end()
        )
    };
    report.versions.iter().map(line).collect()
}

fn weighted(report: &GateReport) -> Vec<String> {
    let line = |weighted: &accredit_core::gate::profile::Weighted| {
        let rate = share(weighted.pass_rate);
        let rules = counted(weighted.decided, "rule");
        format!("{}: {rate}, weighted over {rules} decided", terminal_text(&weighted.profile))
    };
    report.weighted.iter().map(line).collect()
}

fn beside(report: &GateReport) -> Vec<String> {
    let mut lines = inert(gate_words::beside(report));
    lines.extend(beside_gate(&report.settled));
    lines
}
