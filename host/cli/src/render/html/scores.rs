//! What scores are worth: how well they are calibrated, and what a threshold by stated costs would cost.

use accredit_core::assess::{Known, Scores};
use accredit_core::stats::calibration::{Bin, Calibration};
use accredit_core::stats::threshold::{OverSplits, Thresholds};
use maud::{Markup, html};

use super::{Section, charts, scale};
use crate::render::escape::words;
use crate::render::figure::{count, interval, money, share};
use crate::render::words::chosen_threshold;

/// Only where there are scores.
pub(super) fn section(scores: &Known<Scores>) -> Option<Section> {
    let scores = scores.value.as_ref()?;
    let body = html! {
        p { (scores.outputs) " outputs with a score, " (scores.without_score) " without. A score is the probability that the output should fail." }
        @if let Some(warning) = &scores.warning { div.banner.warn { p { (words(warning)) } } }
        (curves(scores))
        (calibrated(scores))
        h3 { "Costs by threshold" }
        (costs(scores))
    };
    Some(Section { id: "scores", title: "Scores: calibration and costs", body })
}

/// Why a figure is absent.
pub(super) fn absent<T>(known: &Known<T>) -> Markup {
    html! { p.faint { "Absent: " (words(known.absent.as_deref().unwrap_or("nothing measured it"))) "." } }
}

fn curves(scores: &Scores) -> Markup {
    html! {
        div.charts {
            @if let Some(calibration) = &scores.calibration.value { (charts::calibration(calibration)) }
            @if let Some(thresholds) = &scores.thresholds.value { (charts::costs(thresholds)) }
        }
    }
}

fn calibrated(scores: &Scores) -> Markup {
    let Some(calibration) = &scores.calibration.value else { return absent(&scores.calibration) };
    let Calibration { brier, brier_of_share, expected_error, largest_error, .. } = calibration;
    html! {
        p { "Brier " strong { (share(Some(*brier))) } " (" (share(Some(*brier_of_share)))
            " for always saying the share of bad ones); expected calibration error "
            (share(Some(*expected_error))) ", largest " (share(Some(*largest_error))) "." }
        div.scroll { table.forest.stack {
            thead { tr { th { "Scores" } th.plotted { (scale::axis()) } th { "Mean score" } th { "Should fail" } th { "Interval" } } }
            tbody { @for bin in &calibration.bins { (bin_row(bin)) } }
        } }
        p.faint { "Intervals are exact, on what the outputs of a bin are worth: those of one family go together." }
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
            td.num data-is="should fail" { (count(bin.bad)) }
            td.num data-is="interval" { (interval(Some(&bin.interval))) }
        }
    }
}

fn costs(scores: &Scores) -> Markup {
    let Some(it) = &scores.thresholds.value else { return absent(&scores.thresholds) };
    let at_bar = scores.thresholds_at_bar.value.as_ref();
    let lines = [
        ("threshold chosen on a part, cost measured on another", it.cost.as_ref()),
        ("the same, at the policy's bar", at_bar.and_then(|it| it.cost.as_ref())),
        ("threshold by the rule of the costs", it.cost_by_rule.as_ref()),
        ("nothing flagged", Some(&it.cost_of_nothing)),
        ("everything flagged", Some(&it.cost_of_everything)),
    ];
    html! {
        ul.points {
            li { "Cheapest threshold: " (chosen_threshold(it)) "." }
            @match at_bar {
                Some(it) => li { "Cheapest at the policy's bar: " (chosen_threshold(it)) "." },
                None => li { "Cheapest at the policy's bar: absent, " (words(scores.thresholds_at_bar.absent.as_deref().unwrap_or_default())) "." },
            }
            @if let Some(judged) = &scores.as_judged.value { li { "The verdicts as they are cost " (money(judged.cost)) " an output." } }
        }
        (over_splits(it))
        div.scroll { table {
            thead { tr { th { "Cost of an output" } th { "Mean" } th { "Least" } th { "Most" } } }
            tbody { @for (name, cost) in lines { tr {
                th scope="row" { (name) }
                @match cost {
                    Some(it) => { @for value in [it.mean, it.least, it.most] { td.num { (money(value)) } } }
                    None => { @for _ in 0..3 { td.num { "—" } } }
                }
            } } }
        } }
    }
}

fn over_splits(it: &Thresholds) -> Markup {
    html! {
        @if let Some(OverSplits { mean, least, most }) = &it.threshold {
            p { "Over " (it.usable) " splits the cheapest threshold is " strong { (share(Some(*mean))) } " (" (share(Some(*least)))
                " to " (share(Some(*most))) "). By the costs alone, flag what fails with a probability of " (share(Some(it.rule))) " or more." }
        }
    }
}
