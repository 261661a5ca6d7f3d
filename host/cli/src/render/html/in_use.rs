//! What the rates on real outputs would mean elsewhere, and where people and the grader disagree.

use accredit_core::assess::{CorrectedShare, Disagreement, InUseFigures, Known};
use accredit_core::stats::workload::Estimate;
use maud::{Markup, html};

use super::Section;
use super::scores::absent;
use crate::render::escape::{said, words};
use crate::render::figure::{interval, share, stated};
use crate::render::words::{disagreement as disagreement_in_words, judged_on};

/// How many disagreements the page lists; the report's JSON has them all.
const LISTED: usize = 200;

/// How much of each text it shows, in bytes of the page.
const EACH: usize = 600;

pub(super) fn corrected(known: &Known<CorrectedShare>) -> Markup {
    html! {
        h3 { "Share of good outputs, corrected for the grader's errors" }
        @match &known.value {
            None => (absent(known)),
            Some(it) => { p {
                strong { (share(Some(it.corrected.corrected))) }
                " (" (interval(Some(&it.corrected.interval))) "), "
                (judged_on(it.judged_on))
                "; uncorrected " (share(Some(it.corrected.raw)))
                @if let Some(labels) = &it.by_labels.value { "; by the labels themselves " (share(labels.count.rate())) }
                "."
            } }
        }
    }
}

pub(super) fn in_use(known: &Known<InUseFigures>) -> Markup {
    html! {
        h3 { "In use" }
        @match &known.value {
            None => (absent(known)),
            Some(it) => {
                p { "Of " (it.month.at.outputs) " outputs a month, " (stated(it.month.at.base_rate))
                    " of which should fail:" }
                div.scroll { table {
                    thead { tr { th { "A month" } th { "Expected" } th { "95 % range" } } }
                    tbody {
                        (line("caught", it.month.caught))
                        (line("missed", it.month.missed))
                        (line("falsely blocked", it.month.false_alarms))
                        @if let Some(cost) = it.month.cost {
                            tr { th scope="row" { "cost of both " (words(&it.unit)) } (figures(cost)) }
                        }
                    }
                } }
            }
        }
    }
}

/// Where the policy states a use and no real outputs were run.
pub(super) fn absent_of_run(why: &str) -> Section {
    let body = html! { p.faint { "Absent: " (words(why)) "." } };
    Section { id: "use", title: "In use", body }
}

fn line(name: &str, estimate: Estimate) -> Markup {
    html! { tr { th scope="row" { (name) } (figures(estimate)) } }
}

fn figures(estimate: Estimate) -> Markup {
    html! {
        td.num { (format!("{:.0}", estimate.value)) }
        td.num { (format!("{:.0}–{:.0}", estimate.low, estimate.high)) }
    }
}

/// Hardest first, as the report lists them.
pub(super) fn disagreements(list: &[Disagreement]) -> Markup {
    html! {
        @if !list.is_empty() {
            h3 { "Disagreements with people, hardest first" }
            details {
                summary { (list.len()) " outputs judged otherwise than people settled" }
                @for it in list.iter().take(LISTED) { (disagreement(it)) }
                @if list.len() > LISTED { p.faint { "The first " (LISTED) " of them; the report's JSON has all." } }
            }
        }
    }
}

fn disagreement(it: &Disagreement) -> Markup {
    html! {
        p {
            strong { (it.id) } ": "
            (disagreement_in_words(it))
        }
        ul.points {
            @if let Some(task) = &it.task { li { "asked: " (said(task).at_most(EACH)) } }
            @if let Some(output) = &it.output { li { "answered: " (said(output).at_most(EACH)) } }
            @if !it.rationale.is_empty() { li { "the grader: " (said(&it.rationale).at_most(EACH)) } }
            @for person in it.people.iter().filter(|person| !person.critique.is_empty()) {
                li { (said(&person.by).at_most(EACH)) " (" (person.label.name()) "): " (said(&person.critique).at_most(EACH)) }
            }
        }
    }
}
