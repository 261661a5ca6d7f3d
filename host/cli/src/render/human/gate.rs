//! What a gate found, for a terminal: the verdict and what blocks first, then what was not evaluated, then the rest.

use accredit_core::gate::GateReport;
use accredit_core::gate::combine::{Failed, Open};
use accredit_core::gate::standing::Truth;
use accredit_core::gate::summary::Summary;
use accredit_core::id::CaseId;

use super::counted;
use super::wrap::wrapped;
use crate::render::escape::{terminal_cut, terminal_line, terminal_text};
use crate::render::figure::{share, stated, upper};
use crate::render::words::shown_of;
use crate::terminal::{ERROR, FAINT, GOOD, STRONG, WARNING};

/// Lines of each sort that are shown.
const SHOWN: usize = 10;

/// How much of a rationale is shown.
const RATIONALE: usize = 200;

/// A report; with why it is stale, where it is.
#[must_use]
pub fn gate(report: &GateReport, stale: Option<&str>, all: bool) -> String {
    let mut text = head(report, stale);
    let mut list = |title: &str, lines: Vec<String>| {
        if lines.is_empty() {
            return;
        }
        text.push('\n');
        let title = format!("{STRONG}{title}{STRONG:#} ({})", lines.len());
        text.push_str(&wrapped("", "  ", &title));
        let shown = shown_of(lines.len(), SHOWN, all);
        for line in &lines[..shown] {
            text.push_str(&wrapped("  ", "    ", line));
        }
        if shown < lines.len() {
            text.push_str(&format!("  {FAINT}and {} more (--all){FAINT:#}\n", lines.len() - shown));
        }
    };
    list("blocks", report.blocking.iter().map(failed).collect());
    list(
        "failed, and within the policy's pass rate",
        report.tolerated.iter().map(failed).collect(),
    );
    list("not evaluated", report.not_evaluated.iter().map(open).collect());
    list("advisory, blocks nothing", report.advisory.iter().map(failed).collect());
    list("graders", graders(report));
    list("runs", trials(report));
    list("versions", versions(report));
    list("for readers, decides nothing", weighted(report));
    list("beside", beside(report));
    text.push('\n');
    text.push_str(&wrapped("", "", &format!("{FAINT}{}{FAINT:#}", report.reach)));
    text
}

fn head(report: &GateReport, stale: Option<&str>) -> String {
    let release = &report.release;
    let verdict = match release.verdict {
        Truth::True => format!("{GOOD}PASS: true{GOOD:#}"),
        Truth::False if release.pending_person => {
            format!("{ERROR}BLOCKED: false, pending a person{ERROR:#}")
        }
        Truth::False => format!("{ERROR}BLOCKED: false{ERROR:#}"),
        Truth::Undefined => format!("{WARNING}UNPROVEN: undefined{WARNING:#}"),
    };
    let mut text = wrapped("", "  ", &format!("{verdict} · {}", release.why));
    let mut line = |said: &str| text.push_str(&wrapped("  ", "    ", said));
    if let Some(stale) = stale {
        line(&format!("{ERROR}{stale}{ERROR:#}"));
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
    line(&counts(&report.summary));
    let policy = &report.policy;
    let inventory = &report.inventory;
    line(&format!(
        "policy version {} ({}) · inventory {}: {}, {} · {}",
        policy.version,
        policy.digest.short(),
        inventory.digest.short(),
        counted(inventory.cases, "case"),
        counted(inventory.runs, "run"),
        report.now
    ));
    line(&false_block(report));
    text
}

fn counts(summary: &Summary) -> String {
    let rate = match summary.pass_rate {
        Some(rate) => format!("pass rate {} over {} judged", share(Some(rate)), summary.verdicted),
        None => "no pass rate, since no case was judged".to_owned(),
    };
    format!(
        "{}: {} passed, {} failed, {} unproven, {} unresolved, {} missing, {} not applicable · {rate}",
        counted(summary.cases, "case"),
        summary.passed,
        summary.failed,
        summary.unproven,
        summary.unresolved,
        summary.missing,
        summary.not_applicable
    )
}

fn false_block(report: &GateReport) -> String {
    let chance = &report.false_block;
    let allowed = stated(chance.allowed);
    let past = if chance.past { ", so a judge's fail blocks pending a person" } else { "" };
    match (chance.measured, chance.at_most) {
        (Some(measured), Some(at_most)) => format!(
            "chance that this gate blocks a good release: {} as measured, at most {} (allowed {allowed}){past}",
            share(Some(measured)),
            upper(Some(at_most))
        ),
        _ => format!(
            "chance that this gate blocks a good release: not known (allowed {allowed}){past}"
        ),
    }
}

fn failed(failed: &Failed) -> String {
    let claim = failed.claim.as_ref().map(|claim| format!(", claim {}", terminal_line(claim)));
    let serious = failed.serious.map(|serious| format!(" · {}", serious.name()));
    let pending = if failed.pending_person { " · pending a person" } else { "" };
    let said = match failed.rationale.is_empty() {
        true => String::new(),
        false => format!(": {}", terminal_cut(&failed.rationale, RATIONALE)),
    };
    format!(
        "{} · {}/{} · {} ({} {}) {}{}{}{pending}{said}",
        failed.case,
        failed.run,
        failed.step,
        failed.grader,
        failed.kind,
        failed.authority,
        failed.rule,
        claim.unwrap_or_default(),
        serious.unwrap_or_default()
    )
}

fn open(open: &Open) -> String {
    let place = match (&open.run, &open.step) {
        (Some(run), Some(step)) => format!(" · {run}/{step}"),
        (Some(run), None) => format!(" · {run}"),
        _ => String::new(),
    };
    let grader = open.grader.as_ref().map(|grader| format!(" · {grader}"));
    let rule = open.rule.as_ref().map(|rule| format!(" {rule}"));
    let claim = open.claim.as_ref().map(|claim| format!(", claim {}", terminal_line(claim)));
    format!(
        "{}{place}{}{}{}: {}, {}",
        open.case,
        grader.unwrap_or_default(),
        rule.unwrap_or_default(),
        claim.unwrap_or_default(),
        open.standing.name(),
        open.why.text()
    )
}

fn graders(report: &GateReport) -> Vec<String> {
    let line = |grader: &accredit_core::gate::report::GateGraderLine| {
        let pass = grader.pass.map_or("pass rate not measured".to_owned(), |pass| {
            format!("passed {} of {} good outputs", pass.right, pass.of)
        });
        let decides = match grader.may_block {
            true => format!("decides on {}", counted(grader.decisions, "step")),
            false => "decides nothing".to_owned(),
        };
        let digest = grader.digest.short();
        format!("{} · {} · {} {digest} · {decides} · {pass}", grader.name, grader.tier, grader.kind)
    };
    report.graders.iter().map(line).collect()
}

fn trials(report: &GateReport) -> Vec<String> {
    let trials = &report.trials;
    let mut lines = Vec::new();
    if let Some(rate) = trials.pass_at_1.value {
        let consistent = trials.consistent;
        lines.push(format!(
            "pass@1 {} · runs agree in {} of {} cases with more than one",
            share(Some(rate)),
            consistent.right,
            consistent.of
        ));
    }
    match (&trials.repeats.value, &trials.repeats.absent) {
        (Some(it), _) => lines.push(format!(
            "pass@{k} {} · pass^{k} {}",
            share(Some(it.at_least_once)),
            share(Some(it.every_time)),
            k = it.k
        )),
        (None, Some(why)) => lines.push(format!("pass@k and pass^k absent: {why}")),
        (None, None) => {}
    }
    for (title, cases) in [
        ("always fail", &trials.always_fail),
        ("sometimes fail", &trials.sometimes_fail),
        ("never fail", &trials.never_fail),
    ] {
        if !cases.is_empty() {
            lines.push(format!("{title}: {}", ids(cases)));
        }
    }
    for clean in &trials.clean {
        if let Some(rate) = clean.failure_rate_at_most {
            lines.push(format!(
                "{} without a failure in {}: a run of it may still fail with a chance of up to {}",
                counted(clean.cases, "case"),
                counted(clean.runs, "run"),
                upper(Some(rate))
            ));
        }
    }
    lines
}

fn ids(cases: &[CaseId]) -> String {
    let first: Vec<_> = cases.iter().take(SHOWN).map(ToString::to_string).collect();
    let more = if cases.len() > SHOWN { ", …" } else { "" };
    format!("{} ({}{more})", cases.len(), first.join(", "))
}

fn versions(report: &GateReport) -> Vec<String> {
    let line = |version: &accredit_core::gate::versions::VersionLine| {
        let absent = || "not known".to_owned();
        let cost = version
            .cost
            .map_or_else(absent, |cost| format!("{cost:.4} {}", terminal_text(&report.cost_unit)));
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
    let mut lines = Vec::new();
    for (purpose, summary) in &report.purposes {
        lines.push(format!(
            "{purpose}: {} of {} judged passed, {} not evaluated",
            summary.passed, summary.verdicted, summary.not_evaluated
        ));
    }
    for run in &report.not_selected {
        lines.push(format!("run {run} was not selected: it counts nowhere"));
    }
    for run in &report.with_corrections {
        lines.push(format!("the record of run {run} has corrections"));
    }
    for it in &report.settled {
        let came = match (it.came, &it.refused) {
            (Some(came), _) => format!("came out as {came}: it informs, and decides nothing"),
            (None, Some(why)) => format!("not settled: {}", terminal_text(why)),
            (None, None) => continue,
        };
        lines.push(format!("{} {} {}: {came}", it.run, it.step, it.rule));
    }
    lines
}
