//! The calibration curve and the cost curve, as hand-written SVG. Each shows figures of the report; only where a mark
//! stands is reckoned here.

use accredit_core::stats::calibration::Calibration;
use accredit_core::stats::threshold::{Measured, Thresholds};
use maud::{Markup, html};

/// The area of a chart, in its own units, and what is left free about it for the scales.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;

/// Where lines of a scale of shares stand, and how they are named.
const LINES: [(f64, &str); 5] = [(0.0, "0"), (0.25, ".25"), (0.5, ".5"), (0.75, ".75"), (1.0, "1")];

/// Where a share of the width stands.
fn x(share: f64) -> String {
    format!("{:.1}", LEFT + share.clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT))
}

/// Where a share of the height stands.
fn y(share: f64) -> String {
    format!("{:.1}", HEIGHT - BOTTOM - share.clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM))
}

/// The frame: scales, their names, and what stands in it. A line of the upright scale is at a share of the height.
fn chart(about: &str, across: &str, up: &str, lines: &[(f64, String)], body: &Markup) -> Markup {
    let middle = format!("{:.1}", (HEIGHT - BOTTOM + TOP) / 2.0);
    html! {
        svg.chart viewBox="0 0 400 250" width="400" height="250" role="img" aria-label=(about) {
            @for (share, name) in LINES {
                line.grid x1=(x(share)) x2=(x(share)) y1=(y(0.0)) y2=(y(1.0)) {}
                text x=(x(share)) y="226" text-anchor="middle" { (name) }
            }
            @for (share, name) in lines {
                line.grid x1=(x(0.0)) x2=(x(1.0)) y1=(y(*share)) y2=(y(*share)) {}
                text x="46" y=(y(*share)) dy="4" text-anchor="end" { (name) }
            }
            text.axis x=(x(0.5)) y="246" text-anchor="middle" { (across) }
            text.axis x="12" y=(middle) text-anchor="middle" transform={ "rotate(-90 12 " (middle) ")" } { (up) }
            (body)
        }
    }
}

/// A dot for each bin in its interval; on the dashed line scores mean what they say.
pub(super) fn calibration(curve: &Calibration) -> Markup {
    let lines: Vec<_> = LINES.iter().map(|(share, name)| (*share, (*name).to_owned())).collect();
    let points: Vec<_> = curve
        .bins
        .iter()
        .map(|bin| (bin, x(bin.mean_score), y(bin.bad.rate().unwrap_or(bin.mean_score))))
        .collect();
    let path: Vec<_> = points.iter().map(|(_, x, y)| format!("{x},{y}")).collect();
    let body = html! {
        line.bar x1=(x(0.0)) x2=(x(1.0)) y1=(y(0.0)) y2=(y(1.0)) {}
        @for (bin, x, _) in &points {
            line.interval x1=(x) x2=(x) y1=(y(bin.interval.low)) y2=(y(bin.interval.high)) {}
        }
        polyline.curve points=(path.join(" ")) {}
        @for (_, x, y) in &points { circle.dot cx=(x) cy=(y) r="3.5" {} }
    };
    html! {
        figure {
            (chart("Calibration curve; its figures stand in the table below", "mean score of a bin", "share that should fail", &lines, &body))
            figcaption { "Calibration: a dot a bin, its interval upright. On the dashed line scores mean what they say; below it they say too much, above it too little." }
        }
    }
}

/// What each threshold costs. Between two scores nothing changes, so the curve has steps.
pub(super) fn costs(it: &Thresholds) -> Markup {
    let (nothing, everything) = (&it.first.nothing, &it.first.everything);
    let highest = it.curve.iter().chain([nothing, everything]).map(|point| point.cost);
    let top = highest.fold(f64::MIN_POSITIVE, f64::max);
    let at = |point: &Measured| y(point.cost / top);
    let mut path = format!("M{} {}", x(1.0), at(nothing));
    for point in &it.curve {
        if let Some(threshold) = point.threshold {
            path.push_str(&format!("H{}V{}", x(threshold), at(point)));
        }
    }
    path.push_str(&format!("H{}", x(0.0)));
    let lines = [(0.0, "0".to_owned()), (1.0, format!("{top:.2}"))];
    let chosen = it.first.chosen.as_ref().and_then(|chosen| Some((chosen.threshold?, chosen)));
    let body = html! {
        line.level x1=(x(0.0)) x2=(x(1.0)) y1=(at(nothing)) y2=(at(nothing)) {}
        text x=(x(0.99)) y=(at(nothing)) dy="-4" text-anchor="end" { "flag nothing" }
        line.level x1=(x(0.0)) x2=(x(1.0)) y1=(at(everything)) y2=(at(everything)) {}
        text x=(x(0.01)) y=(at(everything)) dy="-4" { "flag everything" }
        path.curve d=(path) {}
        @if let Some((threshold, chosen)) = chosen {
            line.bar x1=(x(threshold)) x2=(x(threshold)) y1=(y(0.0)) y2=(y(1.0)) {}
            circle.dot cx=(x(threshold)) cy=(at(chosen)) r="4" {}
        }
    };
    html! {
        figure {
            (chart("Cost curve; its figures stand in the table below", "flag scores from here on", "cost of an output", &lines, &body))
            figcaption { "Cost: what each threshold costs on the part where nothing was chosen, in the first split. The dashed line and the dot are the threshold chosen on another part." }
        }
    }
}
