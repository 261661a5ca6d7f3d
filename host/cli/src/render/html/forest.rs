//! The bounds, one under the other: kinds, rules, tactics and segments.

use accredit_core::decision::{RateFigure, Required, Requirement};
use accredit_core::policy::RequirementId;
use accredit_core::report::{Report, Unproven};
use accredit_core::verdict::Tier;
use maud::{Markup, html};

use super::decision::chip;
use super::{Section, scale};
use crate::render::Context;
use crate::render::escape::words;
use crate::render::figure::{count, interval, lower, stated};

pub(super) fn section(report: &Report, context: &Context<'_>) -> Section {
    let asked = |name: &str| requirement(report, context.require, name);
    let essential = asked(RequirementId::EachEssentialRule.name());
    let body = html! {
        p { "Exact one-sided lower bounds at confidence " (report.decision.confidence)
            ", over families: a family is right only if every control, repeat and variant of it is." }
        (scale::legend())
        div.scroll { table.forest.stack {
            (head("By kind of control"))
            tbody { @for line in &report.kinds {
                (row(line.kind.name(), "", &line.figure, asked(line.kind.name())))
            } }
            (head("By rule"))
            tbody { @for line in &report.rules {
                (row(line.rule.as_str(), "catches its known-bad", &line.catch, essential))
                (row(line.rule.as_str(), "passes the rest", &line.pass, None))
            } }
            @if !report.tactics.is_empty() {
                (head("By tactic"))
                tbody { @for line in &report.tactics { (row(line.tactic.as_str(), "", &line.figure, None)) } }
            }
            @if !report.segments.is_empty() {
                (head("By segment"))
                tbody { @for line in &report.segments {
                    @let name = format!("{}: {}", line.name, line.value);
                    (row(&name, "catches", &line.catch, None))
                    (row(&name, "passes", &line.pass, None))
                } }
            }
        } }
        (strays(report))
        (unproven(&report.unproven))
    };
    Section { id: "bounds", title: "Bounds", body }
}

/// The requirement of this name, of the highest tier asked for that has one.
pub(super) fn requirement<'a>(
    report: &'a Report,
    require: Tier,
    name: &str,
) -> Option<&'a Requirement> {
    let mut named = report.decision.requirements.iter().filter(|it| it.id.name() == name);
    named.find(|it| it.tier <= require)
}

fn head(title: &str) -> Markup {
    html! {
        thead { tr {
            th { (title) } th { "" } th.plotted { (scale::axis()) } th { "Lower bound" } th { "Right" }
            th { "Wilson" } th { "Asked" }
        } }
    }
}

/// The bar on a rate.
pub(super) fn bar(asked: &Requirement) -> Option<f64> {
    match asked.required {
        Required::LowerBound(bound) | Required::LowerBoundOverAtLeast { bound, .. } => Some(bound),
        Required::AtMost { .. } | Required::Fact(_) => None,
    }
}

fn row(name: &str, of: &str, figure: &RateFigure, asked: Option<&Requirement>) -> Markup {
    let bar = asked.and_then(bar);
    let wilson = interval(figure.wilson.as_ref());
    html! {
        tr {
            th scope="row" { (words(name)) }
            td.faint { (of) }
            td.plotted { (scale::rate(figure, bar)) }
            td.num data-is="lower bound" { strong { (lower(figure.lower_bound)) } }
            td.num data-is="right" { (count(figure.families)) }
            td.num data-is="Wilson" { @if wilson.is_empty() { "—" } @else { (wilson) } }
            td.num data-is=[bar.map(|_| "asked")] {
                @if let (Some(asked), Some(bar)) = (asked, bar) { (stated(bar)) " " (chip(asked)) }
            }
        }
    }
}

/// Controls that a rule failed and must not.
fn strays(report: &Report) -> Markup {
    let strays: Vec<_> = report.rules.iter().filter(|line| !line.stray_fails.is_empty()).collect();
    html! {
        @if !strays.is_empty() {
            h3 { "Failed by a rule that nothing is wrong with" }
            ul.points { @for line in strays {
                li { strong { (line.rule.as_str()) } ": "
                    @for id in &line.stray_fails { code { (id.as_str()) } " " } }
            } }
        }
    }
}

fn unproven(parts: &[Unproven]) -> Markup {
    html! {
        @if !parts.is_empty() {
            h3 { "Not proved on their own" }
            div.scroll { table {
                thead { tr { th { "Part" } th { "Rate" } th { "Lower bound" } th { "Right" } th { "Bar" } th { "Why" } th { "Families it takes" } } }
                tbody { @for part in parts { tr {
                    th scope="row" { (part.part) " " (words(&part.name)) }
                    td { (part.rate) }
                    td.num { (lower(part.figure.lower_bound)) }
                    td.num { (count(part.figure.families)) }
                    td.num { (stated(part.bar)) }
                    td { @if part.failing { "too many wrong" } @else { "too few families" } }
                    td.num { @match part.needed { Some(needed) => (needed), None => "no number" } }
                } } }
            } }
        }
    }
}
