//! Controls held out from the author, and texts of controls that stand in the component.

use accredit_core::contamination::Contamination;
use accredit_core::report::{HeldOutLine, HeldOutShown, Report};
use maud::{Markup, html};

use super::forest::{bar, requirement};
use super::misses::{control, shown as shown_of};
use super::texts::longest;
use super::{Section, scale};
use crate::render::Context;
use crate::render::escape::said;
use crate::render::figure::{count, interval, lower, stated};
use crate::render::words::looks;

pub(super) fn section(report: &Report, context: &Context<'_>) -> Option<Section> {
    let (held_out, scan) = (report.held_out.as_ref(), report.contamination.as_ref());
    if held_out.is_none() && scan.is_none() {
        return None;
    }
    let body = html! {
        @if let Some(line) = held_out { (shown(line, report, context)) } @else { p { "No controls were held out from the author." } }
        @if let Some(scan) = scan { h3 { "Texts of the open controls in the component" } (contamination(scan)) }
    };
    Some(Section { id: "held-out", title: "Held-out controls and contamination", body })
}

fn shown(line: &HeldOutLine, report: &Report, context: &Context<'_>) -> Markup {
    html! {
        p { (line.controls) " controls held out from the author; digest " code { (line.digest.short()) } "."
            @match line.as_promised {
                Some(true) => " They are the ones that the open set's commitments promise.",
                Some(false) => { " " strong { "They are not the ones that the open set's commitments promise." } }
                None => "",
            }
        }
        @if let Some(looks) = looks(report) { p { (looks) "." } }
        ul.points { @for result in &line.results {
            li { (result.tier.name()) ": " strong {
                @match result.met { Some(true) => "met", Some(false) => "not met", None => "not evaluated" }
            } @if line.is_claim { ", as this author's copy says: nothing here bears it out" } }
        } }
        @if let Some(whole) = &line.shown { (everything(whole, line.confidence, report, context)) }
    }
}

fn everything(
    whole: &HeldOutShown,
    confidence: f64,
    report: &Report,
    context: &Context<'_>,
) -> Markup {
    let asked = |name: &str| requirement(report, context.require, name).and_then(bar);
    let longest = longest(shown_of(&whole.misses, &whole.texts));
    html! {
        p { "Exact one-sided lower bounds, here at confidence " (confidence) ": what the policy leaves to error is shared out among its looks." }
        (scale::legend())
        div.scroll { table.forest.stack {
            thead { tr { th { "Kind" } th.plotted { (scale::axis()) } th { "Lower bound" } th { "Right" } th { "Wilson" } th { "Bar" } } }
            tbody { @for line in &whole.kinds { tr {
                th scope="row" { (line.kind.name()) }
                td.plotted { (scale::rate(&line.figure, asked(line.kind.name()))) }
                td.num data-is="lower bound" { strong { (lower(line.figure.lower_bound)) } }
                td.num data-is="right" { (count(line.figure.families)) }
                td.num data-is="Wilson" { (interval(line.figure.wilson.as_ref())) }
                td.num data-is="bar" { @if let Some(bar) = asked(line.kind.name()) { (stated(bar)) } @else { "—" } }
            } } }
        } }
        @for miss in &whole.misses { (control(miss, "held out", &whole.texts, longest)) }
        @if let Some(scan) = &whole.contamination { h3 { "Texts of held-out controls in the component" } (contamination(scan)) }
    }
}

fn contamination(scan: &Contamination) -> Markup {
    html! {
        p { strong { (scan.found) " of " (scan.texts) }
            " texts long enough to be looked for stand in the component, at least in part ("
            (scan.run) " bytes in a row make a find). The scan catches accidents, not a determined author." }
        @if !scan.first.is_empty() {
            div.scroll { table {
                thead { tr { th { "Control" } th { "Text" } th { "At byte" } th { "Shared words" } } }
                tbody { @for found in &scan.first { tr {
                    th scope="row" { (found.control.as_str()) }
                    td { (found.part) }
                    td.num { (found.offset) }
                    td { code { (said(&found.words)) } }
                } } }
            } }
        }
    }
}
