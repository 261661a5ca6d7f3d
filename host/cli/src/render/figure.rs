//! Figures in words, alike in every rendering. The deciding bound comes first. A lower end is cut down, an upper end
//! up, a point is rounded.

use accredit_core::decision::{Measured, RateFigure, Required, Requirement};
use accredit_core::stats::decimal::{Way, decimal, digits_of};
use accredit_core::stats::interval::{Count, Interval, Span};

/// Digits of a share.
const DIGITS: usize = 3;

fn shown(value: Option<f64>, digits: usize, way: Way) -> String {
    value.map_or("—".to_owned(), |value| fraction(value, digits, way))
}

/// `.957`, `-.267`, `1.000`: without the nought in front.
pub(super) fn fraction(value: f64, digits: usize, way: Way) -> String {
    decimal(value, digits, way).replacen("0.", ".", usize::from(value.abs() < 1.0))
}

/// A point, rounded: `.957`, or `1.000`; a dash where there is nothing.
pub(super) fn share(value: Option<f64>) -> String {
    shown(value, DIGITS, Way::Nearest)
}

/// A lower bound: a bound just below a bar must not read as the bar.
pub(super) fn lower(value: Option<f64>) -> String {
    shown(value, DIGITS, Way::Down)
}

/// An upper bound.
pub(super) fn upper(value: Option<f64>) -> String {
    shown(value, DIGITS, Way::Up)
}

/// A stated value, with all its digits.
pub(super) fn stated(value: f64) -> String {
    fraction(value, digits_of(value), Way::Nearest)
}

/// A kappa or another figure of two digits: `0.93`.
pub(super) fn hundredths(value: Option<f64>) -> String {
    value.map_or("—".to_owned(), |value| decimal(value, 2, Way::Nearest))
}

/// The same for a lower bound.
pub(super) fn hundredths_below(value: Option<f64>) -> String {
    value.map_or("—".to_owned(), |value| decimal(value, 2, Way::Down))
}

/// `0.41 to 0.58`, its ends cut outwards.
pub(super) fn span(ends: Span) -> String {
    let Span { low, high } = ends;
    format!("{} to {}", decimal(low, 2, Way::Down), decimal(high, 2, Way::Up))
}

/// A cost, in whatever unit the policy states.
pub(super) fn money(value: f64) -> String {
    format!("{:.2}", value + 0.0)
}

/// What a run costs, in the unit that its inventory states: often far below one.
pub(super) fn cost_of_run(value: f64) -> String {
    format!("{:.4}", value + 0.0)
}

pub(super) fn count(count: Count) -> String {
    format!("{} of {}", count.right, count.of)
}

/// `LB .957  87 of 87 (.958–1.000)`; in parentheses Wilson's interval.
pub(super) fn rate(figure: &RateFigure) -> String {
    rate_with(figure, DIGITS)
}

fn rate_with(figure: &RateFigure, digits: usize) -> String {
    let wilson = interval(figure.wilson.as_ref());
    let wilson = if wilson.is_empty() { wilson } else { format!(" ({wilson})") };
    let bound = shown(figure.lower_bound, digits, Way::Down);
    format!("LB {bound}  {}{wilson}", count(figure.families))
}

/// `.958–1.000`; empty where there is none.
pub(super) fn interval(interval: Option<&Interval>) -> String {
    interval.map_or(String::new(), |ends| {
        format!("{}–{}", lower(Some(ends.low)), upper(Some(ends.high)))
    })
}

/// What was measured, its bounds with as many digits as the bar they are held against.
pub(super) fn measured(requirement: &Requirement) -> String {
    measured_parts(requirement).join("; ")
}

/// The same, each rate by itself.
pub(super) fn measured_parts(requirement: &Requirement) -> Vec<String> {
    let digits = match requirement.required {
        Required::LowerBound(bound) | Required::LowerBoundOverAtLeast { bound, .. } => {
            digits_of(bound)
        }
        Required::AtMost { .. } | Required::Fact(_) => DIGITS,
    };
    match &requirement.measured {
        None => vec!["nothing measured it".to_owned()],
        Some(Measured::Rate(figure)) => vec![rate_with(figure, digits)],
        Some(Measured::Rates(rates)) => rates
            .iter()
            .map(|named| format!("{}: {}", named.of, rate_with(&named.figure, digits)))
            .collect(),
        Some(Measured::Occurrences { found, among, which }) => {
            let shown: Vec<_> = which.iter().take(3).map(String::as_str).collect();
            let more = if which.len() > shown.len() { ", …" } else { "" };
            let names = if shown.is_empty() {
                String::new()
            } else {
                format!(": {}{more}", shown.join(", "))
            };
            vec![format!("{found} among {among}{names}")]
        }
        Some(Measured::Fact(fact)) => vec![fact.clone()],
    }
}

pub(super) fn required(required: &Required) -> String {
    match required {
        Required::LowerBound(bound) => format!("LB ≥ {}", stated(*bound)),
        Required::LowerBoundOverAtLeast { bound, units } => {
            format!("LB ≥ {} on each, over ≥ {units}", stated(*bound))
        }
        Required::AtMost { found, among } if *among > 1 => format!("≤ {found} among ≥ {among}"),
        Required::AtMost { found: 0, .. } => "none".to_owned(),
        Required::AtMost { found, .. } => format!("≤ {found}"),
        Required::Fact(fact) => fact.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accredit_core::policy::RequirementId;
    use accredit_core::verdict::Tier;

    #[test]
    fn ends_are_cut_outwards_and_points_rounded() {
        assert_eq!((lower(Some(0.949_69)), upper(Some(0.132_1))), (".949".into(), ".133".into()));
        assert_eq!((share(Some(0.949_69)), share(None)), (".950".into(), "—".into()));
        let ends = Interval { low: 0.412_9, high: 0.587_1 };
        assert_eq!(interval(Some(&ends)), ".412–.588");
        assert_eq!((share(Some(0.9996)), lower(Some(-0.000_3))), ("1.000".into(), "-.001".into()));
        assert_eq!(span(Span { low: -0.001, high: 0.001 }), "-0.01 to 0.01");
        assert_eq!(hundredths(Some(-0.001)), "0.00");
    }

    #[test]
    fn a_bound_has_the_digits_of_the_bar_it_is_held_against() {
        let of = |bar| Requirement {
            id: RequirementId::KnownBad,
            tier: Tier::Gating,
            measured: Some(Measured::Rate(RateFigure::new(Count::new(58, 58), 0.95))),
            required: Required::LowerBound(bar),
            met: None,
            waived: false,
            mend: None,
        };
        assert!(measured(&of(0.95)).starts_with("LB .949 "), "{}", measured(&of(0.95)));
        assert!(measured(&of(0.9495)).starts_with("LB .9496 "), "{}", measured(&of(0.9495)));
        assert_eq!(required(&of(0.9495).required), "LB ≥ .9495");
    }
}
