//! What went wrong beside verdicts: faults, refusals and broken rules of the contract.

use accredit_core::report::{FaultLine, Report};
use maud::{Markup, html};

use super::Section;
use super::texts::{block, longest};
use crate::render::escape::{said, words};

pub(super) fn section(report: &Report) -> Option<Section> {
    let faults = &report.faults;
    if faults.by_kind.is_empty() && faults.violations.is_empty() && faults.refused == 0 {
        return None;
    }
    let texts = faults.first.iter().flat_map(|line| [&line.detail, &line.captured]);
    let longest = longest(texts.map(said));
    let body = html! {
        ul.points {
            @for (what, count) in faults.by_kind.iter().chain(&faults.violations) { li { (count) " " (words(what)) } }
            @if faults.refused > 0 { li { (faults.refused) " refused" } }
        }
        div.scroll { table {
            thead { tr { th { "Control" } th { "Repeat" } th { "Fault" } th { "In words" } th { "It wrote" } } }
            tbody { @for line in &faults.first { (row(line, longest)) } }
        } }
    };
    Some(Section { id: "faults", title: "Faults", body })
}

fn row(line: &FaultLine, longest: usize) -> Markup {
    let what = match (line.fault, line.violation) {
        (Some(fault), _) => fault.name(),
        (None, Some(violation)) => violation.text(),
        (None, None) => "refused",
    };
    html! {
        tr {
            th scope="row" { (line.id.as_str()) }
            td.num { (line.repeat) }
            td { (what) }
            td { (block(said(&line.detail), longest)) }
            td { @if !line.captured.is_empty() { (block(said(&line.captured), longest)) } }
        }
    }
}
