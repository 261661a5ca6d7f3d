//! Intervals for the difference of two proportions, first minus second, as fractions of 1 (-1 to 1).
//!
//! - Independent samples: R. G. Newcombe, "Interval estimation for the difference between independent
//!   proportions: comparison of eleven methods", Statistics in Medicine 17 (1998) 873-890, method 10 (the square-
//!   and-add method on Wilson intervals).
//! - Paired samples: R. G. Newcombe, "Improved confidence intervals for the difference between binomial
//!   proportions based on paired data", Statistics in Medicine 17 (1998) 2635-2650, method 10: the same, with the
//!   correlation phi of the pairs, corrected for continuity by n/2 and not brought below 0 by that.
//! - The margin from rates and a correlation is the textbook (Wald) one, for planning.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::{self, Absent};
use super::interval::{Count, Interval, as_f64, two_sided_z, wilson};

/// A difference of two proportions with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// First minus second, -1 to 1.
    pub difference: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// How units that were judged twice came out: the fourfold table of a paired comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pairs {
    /// Right both times.
    pub both: u64,
    /// Right the first time only.
    pub first_only: u64,
    /// Right the second time only.
    pub second_only: u64,
    /// Right neither time.
    pub neither: u64,
}

impl Pairs {
    /// Counts pairs of (right the first time, right the second time).
    #[must_use]
    pub fn count(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut counted = Self::default();
        for pair in pairs {
            *match pair {
                (true, true) => &mut counted.both,
                (true, false) => &mut counted.first_only,
                (false, true) => &mut counted.second_only,
                (false, false) => &mut counted.neither,
            } += 1;
        }
        counted
    }

    /// How many units there are.
    #[must_use]
    pub fn units(&self) -> u64 {
        [self.first_only, self.second_only, self.neither]
            .into_iter()
            .fold(self.both, u64::saturating_add)
    }

    /// How many were right the first time.
    #[must_use]
    pub fn first(&self) -> Count {
        Count::new(self.both.saturating_add(self.first_only), self.units())
    }

    /// How many were right the second time.
    #[must_use]
    pub fn second(&self) -> Count {
        Count::new(self.both.saturating_add(self.second_only), self.units())
    }

    /// The correlation phi of the two times, as Newcombe's method 10 takes it; 0 where one of them came out all
    /// the same.
    fn phi(&self) -> f64 {
        let [a, b, c, d] = [self.both, self.first_only, self.second_only, self.neither].map(as_f64);
        let size = (a + b).sqrt() * (c + d).sqrt() * (a + c).sqrt() * (b + d).sqrt();
        let excess = a * d - b * c;
        let corrected =
            if excess > 0.0 { (excess - (a + b + c + d) / 2.0).max(0.0) } else { excess };
        if size > 0.0 { (corrected / size).clamp(-1.0, 1.0) } else { 0.0 }
    }
}

/// Newcombe's interval for two independent samples, at a two-sided confidence.
///
/// # Errors
/// When either sample is empty, or the confidence is none.
pub fn independent(first: Count, second: Count, confidence: f64) -> Result<Difference, Absent> {
    square_and_add(first, second, 0.0, confidence)
}

/// Newcombe's interval for paired samples, at a two-sided confidence.
///
/// # Errors
/// When there are no pairs, or the confidence is none.
pub fn paired(pairs: Pairs, confidence: f64) -> Result<Difference, Absent> {
    square_and_add(pairs.first(), pairs.second(), pairs.phi(), confidence)
}

fn square_and_add(
    first: Count,
    second: Count,
    phi: f64,
    confidence: f64,
) -> Result<Difference, Absent> {
    absent::confidence(confidence)?;
    let rate = |count: Count| count.rate().ok_or(Absent::NoUnits);
    let (p, q) = (rate(first)?, rate(second)?);
    let limits = |count| wilson(count, confidence).ok_or(Absent::NoUnits);
    let (Interval { low: l1, high: u1 }, Interval { low: l2, high: u2 }) =
        (limits(first)?, limits(second)?);
    let reach = |x: f64, y: f64| (x * x - 2.0 * phi * x * y + y * y).max(0.0).sqrt();
    let difference = p - q;
    Ok(Difference {
        difference,
        low: (difference - reach(p - l1, u2 - q)).max(-1.0),
        high: (difference + reach(u1 - p, q - l2)).min(1.0),
    })
}

/// The textbook margin of a difference between two rates measured on the same `units`, whose outcomes
/// correlate by `correlation` (-1 to 1; 0 for independent samples of that size each): half the width of the
/// interval.
///
/// # Errors
/// When there are no units, a rate or the correlation is out of range, the confidence is none, or nothing varies.
pub fn margin(
    first: f64,
    second: f64,
    correlation: f64,
    units: u64,
    confidence: f64,
) -> Result<f64, Absent> {
    let z = two_sided_z(absent::confidence(confidence)?);
    let variance = paired_variance(first, second, correlation)?;
    if units == 0 {
        return Err(Absent::NoUnits);
    }
    if variance <= 0.0 {
        return Err(Absent::NoVariation);
    }
    Ok(z * (variance / as_f64(units)).sqrt())
}

/// The variance of the difference on one unit, from the two rates and the correlation of the outcomes: 0 to 1.
///
/// # Errors
/// When a rate lies outside 0 to 1, or the correlation outside -1 to 1.
pub fn paired_variance(first: f64, second: f64, correlation: f64) -> Result<f64, Absent> {
    let spread = |rate: f64| absent::share(rate).map(|rate| rate * (1.0 - rate));
    let (a, b) = (spread(first)?, spread(second)?);
    absent::share(correlation.abs())?;
    Ok((a + b - 2.0 * correlation * (a * b).sqrt()).max(0.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
    }

    #[test]
    fn published_values() {
        // Fagerland, Lydersen and Laake (2015), as quoted in statsmodels' test_proportion.py.
        let got = independent(Count::new(7, 34), Count::new(1, 34), 0.95).expect("an interval");
        close(got.difference, 0.176_470_588_235_294_1, 1e-9);
        close(got.low, 0.018_921_443_885_772_993, 1e-6);
        close(got.high, 0.340_368_687_032_707_3, 1e-6);
        // cavo_2012 of R's contingencytables.
        let pairs = Pairs { both: 59, first_only: 6, second_only: 16, neither: 80 };
        let got = paired(pairs, 0.95).expect("an interval");
        close(got.difference, -0.062_111_801_242_236_03, 1e-9);
        close(got.low, -0.118_621_195_638_709_92, 1e-6);
        close(got.high, -0.004_625_113_933_050_061, 1e-6);
    }

    /// 87 % against 84 % of 300, correlation 0.6: 3.6 points to either side.
    #[test]
    fn a_margin_to_plan_with() {
        close(margin(0.87, 0.84, 0.6, 300, 0.95).expect("a margin"), 0.036, 5e-4);
        assert_eq!(margin(0.87, 0.84, 0.6, 0, 0.95), Err(Absent::NoUnits));
        assert_eq!(margin(1.0, 1.0, 0.6, 10, 0.95), Err(Absent::NoVariation));
        assert_eq!(margin(0.87, 0.84, 1.6, 10, 0.95), Err(Absent::NotShare));
        assert_eq!(margin(f64::NAN, 0.84, 0.6, 10, 0.95), Err(Absent::NotShare));
    }

    #[test]
    fn nothing_differs_from_nothing() {
        assert_eq!(independent(Count::new(0, 0), Count::new(1, 2), 0.95), Err(Absent::NoUnits));
        assert_eq!(paired(Pairs::default(), 0.95), Err(Absent::NoUnits));
        let pairs = Pairs::count([(true, true), (true, false), (false, true), (true, true)]);
        assert_eq!(pairs, Pairs { both: 2, first_only: 1, second_only: 1, neither: 0 });
        assert_eq!(paired(pairs, 0.0), Err(Absent::BadConfidence));
        assert_eq!(paired(pairs, f64::NAN), Err(Absent::BadConfidence));
    }

    proptest! {
        #[test]
        fn an_interval_holds_the_difference(cells in proptest::array::uniform4(0u64..300), level in 0.5f64..0.999) {
            let [both, first_only, second_only, neither] = cells;
            let pairs = Pairs { both, first_only, second_only, neither };
            let figures = [paired(pairs, level), independent(pairs.first(), pairs.second(), level)];
            for figure in figures {
                match figure {
                    Ok(Difference { difference, low, high }) => {
                        prop_assert!(-1.0 <= low && low <= difference + 1e-12);
                        prop_assert!(difference <= high + 1e-12 && high <= 1.0);
                    }
                    Err(reason) => prop_assert_eq!((reason, pairs.units()), (Absent::NoUnits, 0)),
                }
            }
        }
    }
}
