//! Real outputs that people labelled.

use accredit_core::report::{RealSide, Report};
use maud::{Markup, html};

use super::in_use::{corrected, disagreements, in_use};
use super::people::agreement;
use super::{Section, scale};
use crate::render::escape::said;
use crate::render::figure::{count, interval, share};

pub(super) fn section(report: &Report) -> Option<Section> {
    let real = report.real_output.as_ref()?;
    let body = html! {
        div.scroll { table.forest.stack {
            thead { tr { th { "Outputs that" } th { "Right" } th.plotted { (scale::axis()) } th { "Lower bound" } th { "Families" } th { "Wilson" } } }
            tbody { (side("should fail", &real.catch)) (side("should pass", &real.pass)) }
        } }
        ul.points {
            @for (source, outputs) in &real.label_sources { li { (outputs) " labels: " (said(source)) } }
            li { (real.labelled_by_people) " labelled by people; " (real.unsettled)
                " on whose label people did not settle, in no rate" }
        }
        (agreement(&real.assessment.agreement))
        (corrected(&real.assessment.corrected))
        (in_use(&real.assessment.in_use))
        (disagreements(&real.assessment.disagreements))
    };
    Some(Section { id: "real", title: "Real outputs", body })
}

fn side(name: &str, side: &RealSide) -> Markup {
    html! {
        tr {
            th scope="row" { (name) }
            td.num data-is="outputs right" { (side.right) " of " (side.outputs) }
            td.plotted { (scale::rate(&side.figure, None)) }
            td.num data-is="lower bound" { strong { (share(side.figure.lower_bound)) } }
            td.num data-is="families" { (count(side.figure.families)) }
            td.num data-is="Wilson" { (interval(side.figure.wilson.as_ref())) }
        }
    }
}
