//! The page that a release manager opens: the verdict, what blocks it, what was not evaluated; then every failure with
//! the words it rests on, and the figures.

mod evidence;
mod failures;
mod figures;
mod settled;

use accredit_core::gate::GateReport;
use maud::{Markup, html};

use super::{Section, page};
use crate::render::GateContext;
use crate::render::escape::{said, words};
use crate::render::gate_words::{self, Tone};
use crate::render::words::counted;

/// The whole page.
#[must_use]
pub fn gate(report: &GateReport, context: &GateContext<'_>) -> String {
    let sections = [
        Some(verdict(report, context)),
        context.compared.map(figures::compared),
        failures::open(report),
        failures::section(report),
        evidence::section(report),
        Some(figures::graders(report)),
        Some(figures::trials(report)),
        figures::versions(report),
        figures::weighted(report),
        settled::section(report),
        Some(figures::cases(report)),
        Some(figures::digests(report)),
    ];
    let sections: Vec<_> = sections.into_iter().flatten().collect();
    let title = format!("Gate: {}", gate_words::verdict(report));
    let foot = html! { p { (words(&report.reach)) } };
    let frame = page::Frame { title: &title, heading: heading(report), foot };
    page::page(&frame, &sections).into_string() + "\n"
}

fn heading(report: &GateReport) -> Markup {
    let (policy, inventory) = (&report.policy, &report.inventory);
    html! {
        header {
            p.kicker { "accredit · gate" }
            h1 { (gate_words::verdict(report)) }
            dl.facts {
                div { dt { "Selected" } dd { (counted(inventory.cases, "case")) ", " (counted(inventory.runs, "run")) } }
                div { dt { "By" } dd { (words(&inventory.selection.rule)) @if let Some(seed) = inventory.selection.seed { ", seed " (seed) } } }
                div { dt { "Policy" } dd { "version " (policy.version) " " code { (policy.digest.short()) } } }
                div { dt { "Inventory" } dd { code { (inventory.digest.short()) } } }
                @if !inventory.profiles.is_empty() {
                    div { dt { "Profiles" } dd { @for (at, name) in inventory.profiles.iter().enumerate() { @if at > 0 { ", " } (words(name)) } } }
                }
                div { dt { "When" } dd { (report.now.to_string()) } }
            }
        }
    }
}

/// The banner, why, what a person said, the counts.
fn verdict(report: &GateReport, context: &GateContext<'_>) -> Section {
    let (class, sign) = match gate_words::tone(report) {
        Tone::Goes => ("banner good", "✓"),
        Tone::LetGo => ("banner warn", "!"),
        Tone::Blocked => ("banner bad", "✕"),
        Tone::Open => ("banner warn", "?"),
    };
    let body = html! {
        div class=(class) {
            p.verdict { span.sign aria-hidden="true" { (sign) } " " (gate_words::verdict(report)) }
            p { (words(&report.release.why)) }
            @if let Some(stale) = context.stale { p { strong { "Stale: " } (words(stale)) } }
            @if let Some(altered) = gate_words::altered(report) { p { strong { "Altered: " } (altered) "." } }
            @for grader in report.graders.iter().filter(|it| it.stale) {
                p { strong { "Stale: " } (grader.name.as_str()) " blocks no more, because "
                    (words(&grader.reasons.join("; "))) "." }
            }
            @if let Some(decided) = &report.decided {
                p { strong { (gate_words::did(decided, report)) " by " (said(&decided.by)) } " at "
                    (decided.at.to_string()) ": " (said(&decided.because)) }
            }
            @for not in &report.not_counted {
                p { "A word of " (not.at.to_string()) " to " (not.choice.name()) " it does not count: " (said(&not.why)) "." }
            }
            @if report.release.pending_person {
                p { "Only judges block it, and this gate may too easily be wrong: a person reads what they said, and decides." }
                pre { code { "accredit decide REPORT --runs DIR (--release | --hold) --because TEXT --key KEY" } }
            }
        }
        (summary(report))
        p { "The " (gate_words::false_block(report)) "." }
    };
    Section { id: "verdict", title: "Verdict", body }
}

fn summary(report: &GateReport) -> Markup {
    let it = &report.summary;
    let lines = [
        ("passed", it.passed, ""),
        ("failed", it.failed, "wrong"),
        ("unproven", it.unproven, ""),
        ("unresolved", it.unresolved, ""),
        ("missing", it.missing, "wrong"),
        ("not applicable", it.not_applicable, ""),
    ];
    html! {
        div.scroll.counts { table.stack {
            thead { tr { th { "Cases that can block" } @for (name, ..) in lines { th { (name) } } th { "rate" } } }
            tbody { tr {
                th scope="row" { (counted(it.cases, "case")) }
                @for (name, count, class) in lines {
                    @if count == 0 { td.num.faint data-is=(name) { "0" } } @else { td class={ "num " (class) } data-is=(name) { (count) } }
                }
                td.num { (gate_words::pass_rate(it)) }
            } }
        } }
    }
}
