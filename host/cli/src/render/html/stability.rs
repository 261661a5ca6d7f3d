//! Near-miss pairs, noise, and verdicts that moved.

use accredit_core::report::Report;
use accredit_core::stats::trials::Repeats;
use maud::{Markup, html};

use super::Section;
use crate::render::figure::{count, share, upper};

pub(super) fn pairs(report: &Report) -> Option<Section> {
    if report.pairs.is_empty() {
        return None;
    }
    let wrong: Vec<_> = report.pairs.iter().filter(|pair| !pair.wrong.is_empty()).collect();
    let right: Vec<_> = report.pairs.iter().filter(|pair| pair.wrong.is_empty()).collect();
    let body = html! {
        p { "Two cases a hair apart, one on each side of the line, are one unit: right only together." }
        @if !wrong.is_empty() {
            div.scroll { table {
                thead { tr { th { "Pair" } th { "Sides judged wrong" } th { "Sides judged right" } } }
                tbody { @for pair in wrong { tr {
                    th scope="row" { (pair.pair.as_str()) }
                    td { @for id in &pair.wrong { code { (id.as_str()) } " " } }
                    td { @for id in &pair.right { code { (id.as_str()) } " " } }
                } } }
            } }
        }
        @if !right.is_empty() {
            details { summary { "Pairs right on both sides: " (right.len()) }
                p { @for pair in right { code { (pair.pair.as_str()) } " " } } }
        }
    };
    Some(Section { id: "pairs", title: "Near-miss pairs", body })
}

pub(super) fn section(report: &Report) -> Section {
    let noise = &report.noise;
    let body = html! {
        p { strong { (noise.differing.len()) " of " (noise.families) }
            " repeated families differ between repeats (upper bound " (upper(noise.upper_bound)) ")." }
        @if !noise.differing.is_empty() {
            p { @for family in &noise.differing { code { (family.as_str()) } " " } }
        }
        @if let Some(repeats) = &noise.repeats { (repeated(repeats)) }
        p { (count(report.run.transformed))
            " known-good and known-bad controls were shown under transforms that keep the meaning as well." }
        (transforms(report))
        (moved(report))
    };
    Section { id: "noise", title: "Noise and moved verdicts", body }
}

fn transforms(report: &Report) -> Markup {
    html! {
        @if !report.transforms.is_empty() {
            div.scroll { table {
                thead { tr { th { "Transform" } th { "Shown" } th { "Moved" } th { "Upper bound" } } }
                tbody { @for line in &report.transforms { tr {
                    th scope="row" { (line.transform.name()) }
                    td.num { (line.shown) }
                    td.num { (line.moved) }
                    td.num { (upper(line.upper_bound)) }
                } } }
            } }
        }
    }
}

/// What the repeats come to, averaged over controls as written.
fn repeated(repeats: &Repeats) -> Markup {
    let Repeats { cases, k, at_least_once, every_time } = repeats;
    html! {
        p { "pass@" (k) " " strong { (share(Some(*at_least_once))) } ": right in at least one of " (k)
            " trials. pass^" (k) " " strong { (share(Some(*every_time))) } ": right in all of them. Over "
            (cases) " controls as written, unbiased." }
    }
}

fn moved(report: &Report) -> Markup {
    html! {
        @if report.moved.is_empty() {
            p { "No verdict moved where the meaning did not." }
        } @else {
            h3 { "Verdicts that moved where the meaning did not" }
            div.scroll { table {
                thead { tr { th { "Family" } th { "Control" } th { "Transform" } } }
                tbody { @for moved in &report.moved { tr {
                    th scope="row" { (moved.family.as_str()) }
                    td { @if let Some(id) = &moved.id { code { (id.as_str()) } } @else { "a variant of the base" } }
                    td { @if let Some(transform) = moved.transform { (transform.name()) } @else { "—" } }
                } } }
            } }
        }
    }
}
