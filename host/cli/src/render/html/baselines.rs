//! What graders that know nothing did on the same controls.

use accredit_core::report::Report;
use maud::html;

use super::Section;
use crate::render::escape::words;
use crate::render::figure::count;

pub(super) fn section(report: &Report) -> Option<Section> {
    let first = report.baselines.first()?;
    let body = html! {
        p { "Baselines know nothing of the rubric. Families right, by kind; if one of them met the bars, the controls would be too weak." }
        div.scroll { table {
            thead { tr { th { "Kind" } @for line in &report.baselines { th.num { (words(&line.name)) } } } }
            tbody { @for kind in first.kinds.keys() { tr {
                th scope="row" { (words(kind)) }
                @for line in &report.baselines {
                    td.num { @if let Some(right) = line.kinds.get(kind) { (count(*right)) } @else { "—" } }
                }
            } } }
        } }
    };
    Some(Section { id: "baselines", title: "Baselines", body })
}
