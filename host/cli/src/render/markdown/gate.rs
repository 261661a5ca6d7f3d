//! A gate, for a comment on a pull request. Nothing that anybody else wrote stands outside a code span.

use std::collections::BTreeMap;

use accredit_core::gate::GateReport;
use accredit_core::gate::combine::{Failed, Open};
use accredit_core::gate::compare::GateComparison;
use accredit_core::gate::texts::StepTexts;
use accredit_core::gate::versions::VersionLine;
use accredit_core::id::{RunId, StepId};

use crate::render::escape::{cell, code, code_cut, code_of};
use crate::render::figure::{cost_of_run, share};
use crate::render::gate_compared::{headline, lists, side};
use crate::render::gate_words::{self as words, Tone};
use crate::render::words::shown_of;
use crate::render::{GateContext, evidence};

/// How many of a list are shown, unless all are asked for: a comment takes 65,536 characters.
const FIRST: usize = 8;

/// How much of each text is shown, and how much where all is asked for.
const TEXT: [usize; 2] = [160, 1000];

type Texts<'a> = BTreeMap<(&'a RunId, &'a StepId), &'a StepTexts>;

/// The gate, as a comment.
#[must_use]
pub fn gate(report: &GateReport, context: &GateContext<'_>) -> String {
    let all = context.all;
    let mut text = head(report, context.stale);
    text.push_str(&context.compared.map(compared).unwrap_or_default());
    let texts: Texts<'_> = report.texts.iter().map(|it| ((&it.run, &it.step), it)).collect();
    let mut list = |title: &str, lines: Vec<String>, open: bool| {
        if lines.is_empty() {
            return;
        }
        let shown = shown_of(lines.len(), FIRST, all);
        let mut body: String = lines[..shown].concat();
        if shown < lines.len() {
            body.push_str(&format!("- and {} more\n", lines.len() - shown));
        }
        let count = lines.len();
        text.push_str(&match open {
            true => format!("**{title}** ({count})\n\n{body}\n"),
            false => {
                format!("<details><summary>{title} ({count})</summary>\n\n{body}\n</details>\n\n")
            }
        });
    };
    let of = |failures: &[Failed]| failures.iter().map(|it| failed(it, &texts, all)).collect();
    let plain = |lines: Vec<String>| lines.iter().map(|it| format!("- {}\n", code(it))).collect();
    list("Blocks", of(&report.blocking), true);
    list("Let go by a person", of(&report.let_go), true);
    list("Failed, and within the policy's pass rate", of(&report.tolerated), true);
    list("Not evaluated", report.not_evaluated.iter().map(open).collect(), true);
    list("Advisory, blocks nothing", of(&report.advisory), false);
    let evidence = report.evidence.runs.iter().map(evidence::line).collect();
    list("Evidence, worst verified first", plain(evidence), false);
    list("Graders", plain(report.graders.iter().map(words::grader).collect()), false);
    list("Runs", plain(words::trials(report)), false);
    list("Beside", plain(words::beside(report)), false);
    text + &versions(report) + &format!("{}\n", code(&report.reach))
}

fn head(report: &GateReport, stale: Option<&str>) -> String {
    let sign = match words::tone(report) {
        Tone::Goes => "✅",
        Tone::LetGo => "⚠️",
        Tone::Blocked => "❌",
        Tone::Open => "⚠️",
    };
    let mut text =
        format!("### {sign} {}\n\n{}\n\n", words::verdict(report), code(&report.release.why));
    if let Some(stale) = stale {
        text.push_str(&format!("**Stale**: {}\n\n", code(stale)));
    }
    if let Some(altered) = words::altered(report) {
        text.push_str(&format!("**Altered**: {altered}\n\n"));
    }
    for grader in report.graders.iter().filter(|it| it.stale) {
        let why = code(&grader.reasons.join("; "));
        text.push_str(&format!(
            "**Stale**: {} blocks no more: {why}\n\n",
            code(grader.name.as_str())
        ));
    }
    if let Some(decided) = &report.decided {
        text.push_str(&format!(
            "**{} by {}** at {}: {}\n\n",
            words::did(decided, report),
            code_of(&decided.by),
            decided.at,
            code_of(&decided.because)
        ));
    }
    if report.release.pending_person {
        text.push_str("A person reads this report and decides: `accredit decide REPORT --runs DIR`, with `--release` or `--hold`.\n\n");
    }
    for not in &report.not_counted {
        let (choice, why) = (not.choice.name(), code_of(&not.why));
        text.push_str(&format!("A word to {choice} it, of {}, does not count: {why}\n\n", not.at));
    }
    text + &format!(
        "{}\n\n{}\n\n{}\n\n",
        words::counts(&report.summary),
        words::rests_on(report),
        words::false_block(report)
    )
}

fn compared(of: &GateComparison) -> String {
    let mut text = format!("**{}**\n\n", code(&headline(of)));
    for (what, of) in [("before", &of.a), ("now", &of.b)] {
        text.push_str(&format!("- {what}: {} {}\n", code_of(&of.named), code(&side(of))));
    }
    for list in lists(of) {
        text.push_str(&format!("- {}\n", code(&list)));
    }
    for it in &of.differs {
        let told = format!("{}: {} before, {} now", it.what, it.a, it.b);
        text.push_str(&format!("- other {}\n", code(&told)));
    }
    text + "\n"
}

fn failed(failed: &Failed, texts: &Texts<'_>, all: bool) -> String {
    let longest = TEXT[usize::from(all)];
    let claim = failed.claim.as_ref().map(|claim| format!(", claim {}", code_of(claim)));
    let marks: String =
        words::failed_marks(failed).iter().map(|mark| format!(" · **{mark}**")).collect();
    let mut text =
        format!("- {}{}{marks}\n", code(&words::failed_place(failed)), claim.unwrap_or_default());
    let mut line = |what: &str, said: String| text.push_str(&format!("  - {what}: {said}\n"));
    if !failed.rationale.is_empty() {
        line("it said", code_cut(&failed.rationale, longest));
    }
    for citation in &failed.citations {
        let quote = code_cut(&citation.quote, longest);
        line("quoting", format!("{quote} of {}", code_of(&citation.evidence)));
    }
    if let Some(step) = texts.get(&(&failed.run, &failed.step)) {
        for (role, words) in &step.messages {
            line("before", format!("{}: {}", code_cut(role, 40), code_cut(words, longest)));
        }
        line("task", code_cut(&step.task, longest));
        if let Some(answer) = &step.answer {
            line("answer", code_cut(answer, longest));
        }
        if let Some(reference) = &step.reference {
            line("reference", code_cut(reference, longest));
        }
        for it in &step.evidence {
            let what = format!("{} ({})", code_cut(&it.id, 80), code_cut(&it.kind, 40));
            line("evidence", format!("{what}: {}", code_cut(&it.content, longest)));
        }
    }
    text
}

fn open(open: &Open) -> String {
    let claim = open.claim.as_ref().map(|claim| format!(", claim {}", code_of(claim)));
    format!(
        "- {}{}: {}, {}\n",
        code(&words::open_place(open)),
        claim.unwrap_or_default(),
        open.standing.name(),
        open.why.text()
    )
}

fn versions(report: &GateReport) -> String {
    if report.versions.is_empty() {
        return String::new();
    }
    let unit = cell(&report.cost_unit);
    let mut text =
        "| version | runs passed | cost | latency | |\n|---|---|---|---|---|\n".to_owned();
    let absent = || "not known".to_owned();
    for VersionLine { version, named, runs, pass_rate, cost, latency_ms, dominated_by, .. } in
        &report.versions
    {
        let cost = cost.map_or_else(absent, |cost| format!("{} {unit}", cost_of_run(cost)));
        let latency = latency_ms.map_or_else(absent, |it| format!("{it:.0} ms"));
        let dominated = dominated_by
            .first()
            .map_or(String::new(), |by| format!("dominated by {}", cell(&by.short())));
        text.push_str(&format!(
            "| {} {} | {} of {} ({}) | {cost} | {latency} | {dominated} |\n",
            cell(&version.short()),
            cell(named.raw()),
            runs.right,
            runs.of,
            share(*pass_rate),
        ));
    }
    text + "\n"
}
