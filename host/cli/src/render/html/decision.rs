//! The decision and why: the verdict, what stands in the way, waivers, and every requirement.

use accredit_core::decision::Requirement;
use accredit_core::report::Report;
use accredit_core::verdict::Tier;
use maud::{Markup, html};

use super::Section;
use crate::render::Context;
use crate::render::escape::words;
use crate::render::figure::{measured_parts, required};
use crate::render::words::{
    Outcome, chosen, headline, open, outcome, plainly, state, tiers, waived,
};

pub(super) fn section(report: &Report, context: &Context<'_>) -> Section {
    let body = html! {
        (banner(report, context))
        (waivers(report))
        @for tier in tiers(report, context.require) { (requirements(report, tier)) }
    };
    Section { id: "decision", title: "Decision", body }
}

fn banner(report: &Report, context: &Context<'_>) -> Markup {
    let (class, sign) = match outcome(report, context.require) {
        Outcome::Eligible => ("banner good", "✓"),
        Outcome::Conditional => ("banner warn", "!"),
        Outcome::Advisory => ("banner", "i"),
        Outcome::Part => ("banner warn", "✂"),
        Outcome::Refused => ("banner bad", "✕"),
    };
    let open: Vec<_> = open(report, context.require).collect();
    html! {
        div class=(class) {
            p.verdict { span.sign aria-hidden="true" { (sign) } " " (headline(report, context.require)) }
            @if let Some(plainly) = plainly(report, context.require) { p { (words(&plainly)) } }
            @if let Some(only) = &report.only { p { "Chosen: " (words(&chosen(only).join(", "))) } }
            @if !report.run.complete {
                p { strong { "Incomplete: " } (report.run.trials) " of " (report.run.planned)
                    " trials. What follows is of these alone and promotes nothing." }
            }
            @for awaited in &report.decision.awaiting { p { (report.decision.eligible_tier.name()) " awaits " (words(awaited)) "." } }
        }
        @if !open.is_empty() {
            h3 { "What it would take" }
            table.stack {
                thead { tr { th { "Requirement" } th { "Tier" } th { "State" } th { "Mend" } } }
                tbody { @for requirement in open { (mend(requirement)) } }
            }
        }
    }
}

fn mend(requirement: &Requirement) -> Markup {
    html! {
        tr {
            th scope="row" { (requirement.id.name()) }
            td { (requirement.tier.name()) }
            td { (chip(requirement)) }
            td.wide { (words(requirement.mend.as_deref().unwrap_or_default())) }
        }
    }
}

/// A requirement's state: in words, and only then in colour.
pub(super) fn chip(requirement: &Requirement) -> Markup {
    let state = state(requirement);
    let class = match state {
        "met" => "chip good",
        waived if waived.starts_with("waived") => "chip warn",
        "not met" => "chip bad",
        _ => "chip none",
    };
    html! { span class=(class) { (state) } }
}

fn waivers(report: &Report) -> Markup {
    let decision = &report.decision;
    html! {
        @if !decision.waivers.is_empty() || !decision.looser.is_empty() {
            h3 { "Waivers and looser points of the policy" }
            ul.points {
                @for waiver in &decision.waivers {
                    li { span.chip.warn { (waived(report, waiver)) } " " strong { (waiver.requirement.name()) } " for "
                        (waiver.tier.name()) ": " (words(&waiver.reason)) }
                }
                @for looser in &decision.looser {
                    li { span.chip.warn { "looser" } " " (words(looser)) }
                }
            }
        }
    }
}

fn requirements(report: &Report, tier: Tier) -> Markup {
    let of_tier = report.decision.requirements.iter().filter(|r| r.tier == tier);
    html! {
        h3 { "What " (tier.name()) " asks" }
        div.scroll { table.stack {
            thead { tr { th { "Requirement" } th { "State" } th { "Measured" } th { "Required" } } }
            tbody {
                @for requirement in of_tier {
                    tr {
                        th scope="row" { (requirement.id.name()) }
                        td { (chip(requirement)) }
                        td.num.wide data-is="measured" { (parts(requirement)) }
                        td.num.wide data-is="required" { (words(&required(&requirement.required))) }
                    }
                }
            }
        } }
    }
}

/// What was measured; several rates one under the other.
fn parts(requirement: &Requirement) -> Markup {
    let parts = measured_parts(requirement);
    html! {
        @match parts.as_slice() {
            [one] => (words(one)),
            several => { @for part in several { div { (words(part)) } } }
        }
    }
}
