//! Forecasts and explanations beside a gate: what came out, each beside its baseline, and what cannot be settled.

use accredit_core::gate::GateReport;
use accredit_core::gate::settlement::{About, Line, Refused};
use maud::{Markup, html};

use super::super::Section;
use crate::render::escape::{said, words};
use crate::render::gate_words;
use crate::render::settlement_words::{against, called, came};

pub(super) fn section(report: &GateReport) -> Option<Section> {
    let settled = &report.settled;
    let counts = gate_words::settled(settled)?;
    let body = html! {
        p { (counts) "." }
        @if !settled.came.is_empty() || !settled.refused.is_empty() {
            div.scroll { table.stack {
                thead { tr { th { "What" } th { "Due" } th { "Call" } th { "Came" } th { "Baseline" } } }
                tbody { @for it in settled.came.iter().chain(&settled.refused) { (line(it)) } }
            } }
        }
        @for it in &settled.taken_out {
            p { (it.run.as_str()) "/" (it.step.as_str()) " " (said(&it.claim).at_most(80)) " was registered, and its record has it no more." }
        }
    };
    Some(Section { id: "settled", title: "What came out later", body })
}

fn line(it: &Line) -> Markup {
    let place =
        html! { (it.run.as_str()) "/" (it.step.as_str()) " " (said(&it.claim).at_most(80)) };
    html! { tr {
        th scope="row" { (place) @if !it.wording.is_empty() { ": " span.faint { (said(&it.wording).at_most(300)) } } }
        td { (it.horizon.to_string()) }
        td { (called(it)) }
        td.wide { @match (&it.refused, it.about) {
            (Some(why), _) => (refused(why)),
            (None, About::Explanation) => "assessed anew",
            (None, About::Forecast) => (came(it)),
        } }
        td { (against(it)) @if !it.baseline.says.is_empty() { ": " (said(&it.baseline.says).at_most(200)) } }
    } }
}

fn refused(why: &Refused) -> Markup {
    html! { span.chip.bad { "refused" } " " (words(&why.text())) }
}
