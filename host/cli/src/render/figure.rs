//! Figures in words, alike in every rendering. The deciding bound comes first.

use accredit_core::decision::{Measured, RateFigure, Required};
use accredit_core::stats::interval::{Count, Interval};

/// `.957`, or `1.00`; a dash where there is nothing.
pub(super) fn share(value: Option<f64>) -> String {
    match value {
        None => "—".to_owned(),
        Some(value) => {
            // Cut, not rounded: a bound just below a bar must not read as the bar.
            let cut = (value * 1000.0).floor() / 1000.0;
            format!("{cut:.3}").trim_start_matches('0').to_owned()
        }
    }
}

/// The same for an upper bound: cut upwards, so that it promises no more than it proves.
pub(super) fn upper(value: Option<f64>) -> String {
    share(value.map(|value| ((value * 1000.0).ceil() / 1000.0 + 1e-9).min(1.0)))
}

pub(super) fn count(count: Count) -> String {
    format!("{} of {}", count.right, count.of)
}

/// `LB .957  87 of 87 (.958–1.000)`; in parentheses Wilson's interval.
pub(super) fn rate(figure: &RateFigure) -> String {
    let wilson = interval(figure.wilson.as_ref());
    let wilson = if wilson.is_empty() { wilson } else { format!(" ({wilson})") };
    format!("LB {}  {}{wilson}", share(figure.lower_bound), count(figure.families))
}

/// `.958–1.000`; empty where there is none.
pub(super) fn interval(interval: Option<&Interval>) -> String {
    interval.map_or(String::new(), |ends| {
        format!("{}–{}", share(Some(ends.low)), share(Some(ends.high)))
    })
}

pub(super) fn measured(measured: Option<&Measured>) -> String {
    match measured {
        None => "nothing measured it".to_owned(),
        Some(Measured::Rate(figure)) => rate(figure),
        Some(Measured::Rates(rates)) => {
            let rates: Vec<_> = rates
                .iter()
                .map(|named| format!("{}: {}", named.of, rate(&named.figure)))
                .collect();
            rates.join("; ")
        }
        Some(Measured::Occurrences { found, among, which }) => {
            let shown: Vec<_> = which.iter().take(3).map(String::as_str).collect();
            let more = if which.len() > shown.len() { ", …" } else { "" };
            let names = if shown.is_empty() {
                String::new()
            } else {
                format!(": {}{more}", shown.join(", "))
            };
            format!("{found} among {among}{names}")
        }
        Some(Measured::Fact(fact)) => fact.clone(),
    }
}

pub(super) fn required(required: &Required) -> String {
    match required {
        Required::LowerBound(bound) => format!("LB ≥ {}", share(Some(*bound))),
        Required::LowerBoundOverAtLeast { bound, units } => {
            format!("LB ≥ {} on each, over ≥ {units}", share(Some(*bound)))
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

    #[test]
    fn an_upper_bound_is_cut_upwards() {
        for (value, shown) in
            [(None, "—"), (Some(0.132_1), ".133"), (Some(0.132), ".132"), (Some(1.0), "1.000")]
        {
            assert_eq!(upper(value), shown);
        }
    }

    #[test]
    fn a_bound_just_below_a_bar_does_not_read_as_the_bar() {
        for (value, shown) in [
            (None, "—"),
            (Some(0.949_69), ".949"),
            (Some(0.95), ".950"),
            (Some(0.0), ".000"),
            (Some(1.0), "1.000"),
        ] {
            assert_eq!(share(value), shown);
        }
    }
}
