//! The grades of the evidence of a gate's runs, the worst verified first.

use accredit_core::gate::GateReport;
use accredit_core::gate::evidence_grade::Grade;
use maud::html;

use super::super::Section;
use crate::render::escape::words;
use crate::render::evidence::why;

/// Absent where no run has a record.
pub(super) fn section(report: &GateReport) -> Option<Section> {
    if report.evidence.runs.is_empty() {
        return None;
    }
    let body = html! {
        p { "How strong the checks were that were declared before each run. A grade belongs to the content that was judged, and changes no verdict." }
        div.scroll { table.stack {
            thead { tr { th { "Run" } th { "Grade" } th { "True kind" } th { "Why it is not more" } } }
            tbody { @for it in &report.evidence.runs { tr {
                th scope="row" { (it.case.as_str()) "/" (it.run.as_str()) }
                td { span class={ "chip " (if it.effective <= Grade::Unverified { "warn" } else { "good" }) } { (it.effective.name()) }
                    @if it.failed_declared_evidence { " " span.chip.bad { "failed declared evidence" } } }
                td data-is="true kind" { @if let Some(kind) = it.kind { (kind.name()) } @else { "none" } }
                td { @if let Some(why) = why(it) { (words(&why)) } }
            } } }
        } }
    };
    Some(Section { id: "evidence", title: "Evidence, worst verified first", body })
}
