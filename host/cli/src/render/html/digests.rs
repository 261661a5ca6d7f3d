//! What the evidence rests on, and how to compute all of it again.

use accredit_core::report::Report;
use maud::html;

use super::Section;
use crate::render::Context;
use crate::render::escape::words;

pub(super) fn section(report: &Report, context: &Context<'_>) -> Section {
    let digests = &report.digests;
    let lines = [
        ("component", report.grader.digest),
        ("record", digests.record),
        ("controls", digests.controls),
        ("policy", digests.policy),
        ("contract", digests.contract),
        ("semantics", digests.semantics),
    ];
    let record = context
        .out
        .map_or("record.jsonl".to_owned(), |out| out.join("record.jsonl").display().to_string());
    let body = html! {
        div.scroll { table {
            thead { tr { th { "Of" } th { "Digest" } } }
            tbody { @for (name, digest) in lines { tr {
                th scope="row" { (name) }
                td { code { (digest.to_string()) } }
            } } }
        } }
        h3 { "Compute it again" }
        p { "Every figure here follows from the record alone, with no grader and no engine:" }
        pre { code { "accredit report " (words(&record)) " --format json" } }
        p { "The record's digest is BLAKE3 over every line that is no aside:" }
        pre { code { "grep -v '^{\"aside\":' " (words(&record)) " | b3sum" } }
        p { "The same component, controls, policy and seed give the same record on any machine:" }
        pre { code { "accredit check GRADER --controls DIR --seed " (report.run.seed) " --repeats " (report.run.repeats) " --out DIR" } }
    };
    Section { id: "digests", title: "Digests, and how to compute it again", body }
}
