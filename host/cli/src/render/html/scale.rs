//! Hand-written SVG on a scale from 0 to 1. It shows figures that stand beside it in words.

use accredit_core::decision::RateFigure;
use accredit_core::stats::interval::{Count, Interval};
use maud::{Markup, html};

/// Width of a plot, in its own units.
const WIDTH: f64 = 260.0;
/// What is left free at either end, so that marks at 0 and 1 are whole.
const MARGIN: f64 = 8.0;
/// Where lines of the scale stand, and how they are named.
const LINES: [(f64, &str); 5] = [(0.0, "0"), (0.25, ".25"), (0.5, ".5"), (0.75, ".75"), (1.0, "1")];

/// Where a share stands.
fn at(share: f64) -> String {
    format!("{:.1}", MARGIN + share.clamp(0.0, 1.0) * (WIDTH - 2.0 * MARGIN))
}

/// The scale, for the head of a table.
pub(super) fn axis() -> Markup {
    html! {
        svg.plot viewBox="0 0 260 16" width="260" height="16" aria-hidden="true" {
            @for (share, name) in LINES {
                text x=(at(share)) y="12" text-anchor="middle" { (name) }
            }
        }
    }
}

/// A rate: Wilson's interval as a line, the rate as a dot, the bound that decides as a bracket, and the bar
/// as a dashed line.
pub(super) fn rate(figure: &RateFigure, bar: Option<f64>) -> Markup {
    html! {
        svg.plot viewBox="0 0 260 24" width="260" height="24" aria-hidden="true" {
            @for (share, _) in LINES {
                line.grid x1=(at(share)) x2=(at(share)) y1="0" y2="24" {}
            }
            @if let Some(bar) = bar { line.bar x1=(at(bar)) x2=(at(bar)) y1="0" y2="24" {} }
            @if let Some(wilson) = figure.wilson {
                line.interval x1=(at(wilson.low)) x2=(at(wilson.high)) y1="12" y2="12" {}
            }
            @if let Some(rate) = figure.rate { circle.dot cx=(at(rate)) cy="12" r="3.5" {} }
            @if let Some(bound) = figure.lower_bound {
                path.bound d={ "M" (at(bound)) " 5v14m0 -14h5m-5 14h5" } {}
            }
        }
    }
}

/// A share in its interval, and as a dashed line what it was said to be.
pub(super) fn share_of(share: Option<f64>, interval: Interval, said: f64) -> Markup {
    let figure = RateFigure {
        lower_bound: None,
        families: Count::new(0, 0),
        rate: share,
        wilson: Some(interval),
    };
    rate(&figure, Some(said))
}

/// What the marks of real outputs mean.
pub(super) fn legend_of_outputs() -> Markup {
    html! {
        p.legend {
            svg.plot viewBox="0 0 12 24" width="12" height="24" aria-hidden="true" { path.bound d="M4 5v14m0 -14h5m-5 14h5" {} }
            " exact one-sided lower bound "
            svg.plot viewBox="0 0 28 24" width="28" height="24" aria-hidden="true" {
                line.interval x1="1" x2="27" y1="12" y2="12" {}
                circle.dot cx="14" cy="12" r="3.5" {}
            }
            " rate in its exact interval, on the effective number of outputs"
        }
    }
}

/// What the marks mean.
pub(super) fn legend() -> Markup {
    html! {
        p.legend {
            svg.plot viewBox="0 0 12 24" width="12" height="24" aria-hidden="true" { path.bound d="M4 5v14m0 -14h5m-5 14h5" {} }
            " lower bound, which decides "
            svg.plot viewBox="0 0 28 24" width="28" height="24" aria-hidden="true" {
                line.interval x1="1" x2="27" y1="12" y2="12" {}
                circle.dot cx="14" cy="12" r="3.5" {}
            }
            " rate in Wilson's 95 % interval "
            svg.plot viewBox="0 0 8 24" width="8" height="24" aria-hidden="true" { line.bar x1="4" x2="4" y1="0" y2="24" {} }
            " what the policy asks"
        }
    }
}
