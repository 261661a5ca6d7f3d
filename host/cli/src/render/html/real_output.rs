//! Real outputs that people labelled: of a run and of imported verdicts alike.

use accredit_core::assess::{Assessment, FamilyRate, Known, SideRate};
use accredit_core::decision::RateFigure;
use accredit_core::report::RealOutputLine;
use accredit_core::stats::effective::ClusteredRate;
use maud::{Markup, html};

use super::in_use::{corrected, disagreements, in_use};
use super::people::agreement;
use super::{Section, scale};
use crate::render::escape::{said, words};
use crate::render::figure::{count, interval, lower, share};
use crate::render::words::{label_makers, label_source};

/// Of a run.
pub(super) fn section(real: &RealOutputLine) -> Section {
    let body = html! {
        (rates(&real.assessment, true))
        ul.points {
            @for (source, outputs) in &real.label_sources {
                li { @match label_source(source, *outputs) { (text, None) => (text), (text, Some(source)) => { (text) (said(source)) } } }
            }
        }
        (rest(&real.assessment))
    };
    Section { id: "real", title: "Real outputs", body }
}

/// Of imported verdicts, which decide nothing.
pub(super) fn imported(of: &Assessment) -> Section {
    Section { id: "real", title: "Real outputs", body: html! { (rates(of, false)) (rest(of)) } }
}

fn rest(of: &Assessment) -> Markup {
    html! {
        (agreement(&of.agreement))
        (corrected(&of.corrected))
        (in_use(&of.in_use))
        (disagreements(&of.disagreements))
    }
}

/// Catch and pass rate, over outputs and over families.
fn rates(of: &Assessment, decides: bool) -> Markup {
    let sides = [("should fail: caught", &of.catch), ("should pass: passed", &of.pass)];
    html! {
        (scale::legend_of_outputs())
        div.scroll { table.forest.stack {
            @for (name, side) in sides { (one_side(name, side, decides)) }
        } }
        ul.points {
            @for (name, side) in sides { @if side.wrong + side.undecided + side.without_verdict > 0 {
                li { (name) ": " (side.wrong) " judged the other way, " (side.undecided) " undecided, "
                    (side.without_verdict) " without a verdict" }
            } }
            li { (words(&label_makers(of))) }
            @if !of.ties.is_empty() { li { "people did not settle on " (of.ties.len()) ", which are in no rate but that of ties: "
                @for id in of.ties.iter().take(50) { code { (id.as_str()) } " " }
                @if of.ties.len() > 50 { "…" }
            } }
        }
    }
}

fn one_side(name: &str, side: &SideRate, decides: bool) -> Markup {
    let families = if decides { "over families (decides)" } else { "over families, all right" };
    html! {
        thead { tr {
            th { (name) } th.plotted { (scale::axis()) } th { "Lower bound" } th { "Right" } th { "Rate" } th { "Interval" } th { "Effective n" }
        } }
        tbody {
            (of_families(name, families, &side.families))
            (of_outputs(name, "over outputs", &side.outputs))
            @if side.hard.value.is_some() {
                (of_outputs(name, "hard, or people differ", &side.hard))
                (of_outputs(name, "all others", &side.ordinary))
            }
            @if side.with_ties.value.is_some() { (of_outputs(name, "every tie against it", &side.with_ties)) }
        }
    }
}

fn of_families(of: &str, name: &str, side: &FamilyRate) -> Markup {
    let FamilyRate { count: families, lower_bound } = *side;
    let figure = RateFigure { lower_bound, families, rate: families.rate(), wilson: None };
    html! {
        tr {
            th scope="row" { span.phone { (of) ", " } (name) }
            td.plotted { (scale::rate(&figure, None)) }
            td.num data-is="lower bound" { strong { (lower(lower_bound)) } }
            td.num data-is="families right" { (count(families)) }
            td.num data-is="rate" { (share(families.rate())) }
            td.num {} td.num {}
        }
    }
}

fn of_outputs(of: &str, name: &str, known: &Known<ClusteredRate>) -> Markup {
    html! {
        tr {
            th scope="row" { span.phone { (of) ", " } (name) }
            @match &known.value {
                None => { td.plotted {} td.wide colspan="5" { "absent, " (words(known.absent.as_deref().unwrap_or("nothing measured it"))) } }
                Some(it) => {
                    td.plotted { (scale::rate(&figure(it), None)) }
                    td.num data-is="lower bound" { (lower(Some(it.lower_bound))) }
                    td.num data-is="outputs right" { (count(it.count)) }
                    td.num data-is="rate" { (share(it.count.rate())) }
                    td.num data-is="interval" { (interval(Some(&it.interval))) }
                    td.num data-is="effective n" { (format!("{:.0}", it.effective_units)) }
                }
            }
        }
    }
}

fn figure(it: &ClusteredRate) -> RateFigure {
    RateFigure {
        lower_bound: Some(it.lower_bound),
        families: it.count,
        rate: it.count.rate(),
        wilson: Some(it.interval),
    }
}
