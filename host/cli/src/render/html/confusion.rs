//! What became of the controls, by kind and by the verdict they must get.

use accredit_core::report::Report;
use maud::{Markup, html};

use super::Section;

pub(super) fn section(report: &Report) -> Section {
    let body = html! {
        p { "Each control is in one column: right where every trial of it was, else by its first wrong trial." }
        div.scroll { table {
            thead { tr {
                th { "Controls" } th { "Must get" } th { "Of" } th { "Right" } th { "False pass" }
                th { "False fail" } th { "Another rule" } th { "Undecided" }
            } }
            tbody { @for line in &report.confusion { tr {
                th scope="row" { (line.kind.name()) }
                td { (line.expected.name()) }
                td.num { (line.controls) }
                td.num { (line.right) }
                @for wrong in [line.false_pass, line.false_fail, line.wrong_rule, line.undecided] {
                    (cell(wrong))
                }
            } } }
        } }
    };
    Section { id: "confusion", title: "What became of the controls", body }
}

/// A count of wrong controls: what is none stands back.
fn cell(wrong: u64) -> Markup {
    match wrong {
        0 => html! { td.num.faint { "0" } },
        _ => html! { td.num.wrong { (wrong) } },
    }
}
