//! What scores are worth: how well they are calibrated, and what a threshold by stated costs would cost.

use accredit_core::assess::{Known, Scores};
use accredit_core::report::Report;
use accredit_core::stats::calibration::{Bin, Calibration};
use accredit_core::stats::threshold::{OverSplits, Thresholds};
use maud::{Markup, html};

use super::{Section, scale};
use crate::render::escape::words;
use crate::render::figure::{count, interval, share};

/// Only where there are scores.
pub(super) fn section(report: &Report) -> Option<Section> {
    let scores = report.real_output.as_ref()?.assessment.scores.value.as_ref()?;
    let body = html! {
        p { (scores.outputs) " outputs with a score, " (scores.without_score) " without." }
        (calibrated(scores))
        h3 { "Costs by threshold" }
        (costs(&scores.thresholds))
    };
    Some(Section { id: "scores", title: "Scores: calibration and costs", body })
}

/// Why a figure is absent.
pub(super) fn absent<T>(known: &Known<T>) -> Markup {
    html! { p.faint { "Absent: " (words(known.absent.as_deref().unwrap_or("nothing measured it"))) "." } }
}

fn calibrated(scores: &Scores) -> Markup {
    let Some(calibration) = &scores.calibration.value else { return absent(&scores.calibration) };
    let Calibration { brier, brier_of_share, expected_error, largest_error, .. } = calibration;
    html! {
        p { "Brier " strong { (share(Some(*brier))) } " (" (share(Some(*brier_of_share)))
            " for always saying the share of bad ones); expected calibration error "
            (share(Some(*expected_error))) ", largest " (share(Some(*largest_error))) "." }
        div.scroll { table.forest.stack {
            thead { tr { th { "Scores" } th.plotted { (scale::axis()) } th { "Mean score" } th { "Bad" } th { "Interval" } } }
            tbody { @for bin in &calibration.bins { (bin_row(bin)) } }
        } }
    }
}

/// A dot where the share of bad ones is, a dashed line where the mean score is: they meet where scores are
/// calibrated.
fn bin_row(bin: &Bin) -> Markup {
    html! {
        tr {
            th scope="row" { (share(Some(bin.from))) "–" (share(Some(bin.to))) }
            td.plotted { (scale::share_of(bin.bad.rate(), bin.interval, bin.mean_score)) }
            td.num data-is="mean score" { (share(Some(bin.mean_score))) }
            td.num data-is="bad" { (count(bin.bad)) }
            td.num data-is="interval" { (interval(Some(&bin.interval))) }
        }
    }
}

fn costs(known: &Known<Thresholds>) -> Markup {
    let Some(it) = &known.value else { return absent(known) };
    let lines = [
        ("threshold chosen on a part, cost measured on another", it.cost.as_ref()),
        ("threshold by the rule of the costs", it.cost_by_rule.as_ref()),
        ("nothing flagged", Some(&it.cost_of_nothing)),
        ("everything flagged", Some(&it.cost_of_everything)),
    ];
    html! {
        @if let Some(OverSplits { mean, least, most }) = &it.threshold {
            p { "Best threshold " strong { (share(Some(*mean))) } ", over splits " (share(Some(*least)))
                " to " (share(Some(*most))) "; the rule of the costs says " (share(Some(it.rule))) "." }
        }
        div.scroll { table {
            thead { tr { th { "Cost a case" } th { "Mean" } th { "Least" } th { "Most" } } }
            tbody { @for (name, cost) in lines { tr {
                th scope="row" { (name) }
                @match cost {
                    Some(it) => { @for value in [it.mean, it.least, it.most] { td.num { (format!("{value:.2}")) } } }
                    None => { @for _ in 0..3 { td.num { "—" } } }
                }
            } } }
        } }
        p { (it.unmet) " of " (it.study.splits) " splits had no threshold that met the bar." }
    }
}
