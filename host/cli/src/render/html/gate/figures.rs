//! The figures of a gate: graders, runs, versions, readers, the cases, and the digests.

use accredit_core::gate::GateReport;
use accredit_core::gate::combine::{CaseResult, RunResult};
use accredit_core::gate::compare::GateComparison;
use accredit_core::gate::standing::Standing;
use maud::{Markup, html};

use super::super::Section;
use crate::render::escape::{said, words};
use crate::render::figure::{cost_of_run, count, share, upper};
use crate::render::{gate_compared, gate_words};

/// How many cases stand there unfolded.
const CASES: usize = 50;

/// How it compares with another version.
pub(super) fn compared(of: &GateComparison) -> Section {
    let body = html! {
        p { strong { (words(&gate_compared::headline(of))) } }
        ul.points {
            @for (what, of) in [("Before", &of.a), ("Now", &of.b)] {
                li { (what) ": " (said(&of.named).at_most(120)) " · " (words(&gate_compared::side(of))) }
            }
            @for list in gate_compared::lists(of) { li { (list) } }
            @for it in &of.differs { li { "The " (words(&it.what)) " differs: " (words(&it.a)) " before, " (words(&it.b)) " now" } }
        }
    };
    Section { id: "compared", title: "Compared with another version", body }
}

pub(super) fn graders(report: &GateReport) -> Section {
    let share_of = |name| report.false_block.graders.iter().find(|it| it.grader == name);
    let body = html! {
        p { "Only graders with gating authority now decide; the others are shown beside." }
        div.scroll { table.stack {
            thead { tr { th { "Grader" } th { "Kind" } th { "May now" } th { "Decides on" } th { "Good outputs passed" } th { "False block at most" } } }
            tbody { @for it in &report.graders { @let of = share_of(it.name.clone()); tr {
                th scope="row" { (it.name.as_str()) " " span.faint { (said(&it.version).at_most(40)) } " " code { (it.digest.short()) } }
                td { (it.kind.name()) }
                td { span class={ "chip " (if it.may_block { "good" } else if it.stale { "bad" } else { "none" }) } { (it.tier.name()) }
                    @if it.stale { " stale: " (words(&it.reasons.join("; "))) } }
                td.num data-is="steps" { (it.decisions) }
                td.num data-is="passed" { @if let Some(pass) = it.pass { (count(pass)) } @else { "not measured" } }
                td.num data-is="at most" { (upper(of.and_then(|of| of.at_most))) }
            } } }
        } }
    };
    Section { id: "graders", title: "Graders", body }
}

pub(super) fn trials(report: &GateReport) -> Section {
    let body = html! {
        ul.points { @for line in gate_words::trials(report) { li { (words(&line)) } } }
        ul.points { @for line in gate_words::beside(report) { li { (words(&line)) } } }
        @if let (None, Some(why)) = (&report.corrected.value, &report.corrected.absent) {
            p.faint { "Share of good outputs, corrected for the grader's errors: absent, " (words(why)) "." }
        }
        @if let Some(corrected) = &report.corrected.value {
            p { "Share of good outputs, corrected for the grader's errors: " strong { (share(Some(corrected.corrected))) } " (as judged " (share(Some(corrected.raw))) ")." }
        }
    };
    Section { id: "runs", title: "Runs", body }
}

pub(super) fn versions(report: &GateReport) -> Option<Section> {
    if report.versions.is_empty() {
        return None;
    }
    let body = html! {
        p { "A version is dominated where another passes at least as often and is nowhere worse." }
        div.scroll { table.stack {
            thead { tr { th { "Version" } th { "Runs passed" } th { "Rate" } th { "Cost of a run" } th { "Latency" } th { "" } } }
            tbody { @for it in &report.versions { tr {
                th scope="row" { (said(&it.named).at_most(120)) " " code { (it.version.short()) } }
                td.num data-is="passed" { (count(it.runs)) }
                td.num data-is="rate" { (share(it.pass_rate)) }
                td.num data-is="cost" { @if let Some(cost) = it.cost { (cost_of_run(cost)) " " (words(&report.cost_unit).at_most(20)) } @else { "not known" } }
                td.num data-is="latency" { @if let Some(latency) = it.latency_ms { (format!("{latency:.0}")) " ms" } @else { "not known" } }
                td { @if let Some(by) = it.dominated_by.first() { span.chip.warn { "dominated" } " by " code { (by.short()) } } }
            } } }
        } }
    };
    Some(Section { id: "versions", title: "Versions, with cost and latency", body })
}

pub(super) fn weighted(report: &GateReport) -> Option<Section> {
    if report.weighted.is_empty() {
        return None;
    }
    let body = html! {
        p { "Weighted for readers. It decides nothing." }
        div.scroll { table {
            thead { tr { th { "Profile" } th { "Weighted pass rate" } th { "Rules decided" } } }
            tbody { @for it in &report.weighted { tr {
                th scope="row" { (words(&it.profile).at_most(80)) }
                td.num { (share(it.pass_rate)) }
                td.num { (it.decided) }
            } } }
        } }
    };
    Some(Section { id: "readers", title: "For readers", body })
}

/// Every case with its runs, the worst first.
pub(super) fn cases(report: &GateReport) -> Section {
    let mut cases: Vec<&CaseResult> = report.cases.iter().collect();
    cases.sort_by_key(|case| std::cmp::Reverse(case.standing));
    let (first, rest) = cases.split_at(CASES.min(cases.len()));
    let body = html! {
        (case_table(first))
        @if !rest.is_empty() { details { summary { "and " (rest.len()) " more" } (case_table(rest)) } }
    };
    Section { id: "cases", title: "Cases", body }
}

fn case_table(cases: &[&CaseResult]) -> Markup {
    html! {
        div.scroll { table.stack {
            thead { tr { th { "Case" } th { "For" } th { "Verdict" } th { "Stands" } th { "Status" } th { "Runs" } } }
            tbody { @for case in cases { tr {
                th scope="row" { (case.case.as_str()) }
                td { (case.purpose.name()) }
                td { (case.verdict.name()) }
                td { (chip(case.standing)) }
                td { (case.status.name()) @if let Some(it) = &case.approved { ", approved by " (said(&it.by).at_most(80)) " at " (it.at.to_string()) } }
                td.wide { @for run in &case.runs { (one_run(run)) " " } }
            } } }
        } }
    }
}

fn one_run(run: &RunResult) -> Markup {
    html! { span.run { (run.run.as_str()) " " (chip(run.standing)) } }
}

fn chip(standing: Standing) -> Markup {
    let class = match standing {
        Standing::Passed => "chip good",
        Standing::Failed => "chip bad",
        _ => "chip none",
    };
    html! { span class=(class) { (standing.name()) } }
}

pub(super) fn digests(report: &GateReport) -> Section {
    let lines = [
        ("policy, which defines “pass”", report.policy.digest),
        ("inventory", report.inventory.digest),
        ("what a person decides on", report.decides),
    ];
    let body = html! {
        div.scroll { table {
            thead { tr { th { "Of" } th { "Digest" } } }
            tbody {
                @for (name, digest) in lines { tr { th scope="row" { (name) } td { code { (digest.to_string()) } } } }
                @for it in &report.graders { tr { th scope="row" { "grader " (it.name.as_str()) } td { code { (it.digest.to_string()) } } } }
            }
        } }
        h3 { "Compute it again" }
        p { "The same records, graders, policy and register give the same verdict:" }
        pre { code { "accredit gate --runs DIR --register DIR --format json" } }
    };
    Section { id: "digests", title: "Digests, and how to compute it again", body }
}
