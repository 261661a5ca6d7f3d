//! A rate over strata, weighed by their shares in use rather than by how many were looked at.
//!
//! - The rate: the sum of weight * rate (W. G. Cochran, "Sampling techniques", 3rd edition (1977), section 5.3).
//! - The interval: square-and-add on Wilson intervals of the strata (G. Y. Zou, A. Donner, "Construction of
//!   confidence limits about effect measures: a general approach", Statistics in Medicine 27 (2008)
//!   1693-1702). It has a width where a stratum came out all the same, which the textbook interval has not.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::{self, Absent};
use super::interval::{Count, Interval, wilson};

/// One part of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Stratum {
    /// Its share of what the rate is for, 0 to 1.
    pub weight: f64,
    /// What was counted in it.
    pub count: Count,
}

/// A rate weighed by strata.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reweighted {
    /// The rate.
    pub rate: f64,
    /// Its interval.
    pub interval: Interval,
    /// The rate of all units thrown together, for comparison.
    pub unweighted: f64,
}

/// The rate of strata whose weights add up to 1, at a two-sided confidence. A stratum of weight 0 is left out.
///
/// # Errors
/// When there are no strata, weights do not add up to 1 (within a millionth) or one is negative, a stratum
/// with weight is empty, or the confidence is none.
pub fn reweighted(strata: &[Stratum], confidence: f64) -> Result<Reweighted, Absent> {
    absent::confidence(confidence)?;
    check_weights(strata.iter().map(|stratum| stratum.weight))?;
    let (mut rate, mut below, mut above) = (0.0, 0.0, 0.0);
    let mut all = Count::new(0, 0);
    for Stratum { weight, count } in strata.iter().filter(|stratum| stratum.weight > 0.0) {
        let share = count.rate().ok_or(Absent::EmptyStratum)?;
        let limits = wilson(*count, confidence).ok_or(Absent::EmptyStratum)?;
        rate += weight * share;
        below += (weight * (share - limits.low)).powi(2);
        above += (weight * (limits.high - share)).powi(2);
        let of = all.of.checked_add(count.of).ok_or(Absent::NotFinite)?;
        all = Count::new(all.right + count.right, of);
    }
    Ok(Reweighted {
        rate: rate.min(1.0),
        interval: Interval {
            low: (rate - below.sqrt()).clamp(0.0, 1.0),
            high: (rate + above.sqrt()).clamp(0.0, 1.0),
        },
        unweighted: all.rate().ok_or(Absent::NoUnits)?,
    })
}

/// The rate of (weight, rate) pairs, where only rates are known.
///
/// # Errors
/// When there are none, weights do not add up to 1, or a rate lies outside 0 to 1.
pub fn weighted_rate(parts: &[(f64, f64)]) -> Result<f64, Absent> {
    check_weights(parts.iter().map(|(weight, _)| *weight))?;
    let mut sum = 0.0;
    for (weight, rate) in parts {
        sum += weight * absent::share(*rate)?;
    }
    Ok(sum.min(1.0))
}

fn check_weights(weights: impl Iterator<Item = f64>) -> Result<(), Absent> {
    let mut sum = None;
    for weight in weights {
        sum = Some(sum.unwrap_or(0.0) + absent::not_negative(weight)?);
    }
    match sum {
        None => Err(Absent::NoUnits),
        Some(sum) if (sum - 1.0).abs() <= 1e-6 => Ok(()),
        Some(_) => Err(Absent::BadWeights),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// 60, 25, 10 and 5 % at 90, 85, 75 and 60 %.
    #[test]
    fn strata_as_they_are_in_use() {
        let parts = [(0.60, 0.90), (0.25, 0.85), (0.10, 0.75), (0.05, 0.60)];
        let got = weighted_rate(&parts).expect("a rate");
        assert!((got - 0.8575).abs() < 1e-12, "{got}");
        let counts = [(90, 100), (85, 100), (75, 100), (60, 100)].map(|(r, of)| Count::new(r, of));
        let strata: Vec<_> = parts
            .iter()
            .zip(counts)
            .map(|((weight, _), count)| Stratum { weight: *weight, count })
            .collect();
        let got = reweighted(&strata, 0.95).expect("a rate");
        assert!((got.rate - 0.8575).abs() < 1e-12);
        assert!((got.unweighted - 0.775).abs() < 1e-12);
        assert!(got.interval.low < 0.8575 && 0.8575 < got.interval.high);
    }

    #[test]
    fn one_stratum_gives_the_plain_interval() {
        let count = Count::new(27, 30);
        let got = reweighted(&[Stratum { weight: 1.0, count }], 0.95).expect("a rate");
        let plain = wilson(count, 0.95).expect("an interval");
        assert!((got.interval.low - plain.low).abs() < 1e-12);
        assert!((got.interval.high - plain.high).abs() < 1e-12);
    }

    #[test]
    fn what_is_no_whole_says_why() {
        let stratum = |weight, right, of| Stratum { weight, count: Count::new(right, of) };
        let of = |strata: &[Stratum]| reweighted(strata, 0.95).map(|_| ());
        assert_eq!(of(&[]), Err(Absent::NoUnits));
        assert_eq!(of(&[stratum(0.5, 1, 2)]), Err(Absent::BadWeights));
        assert_eq!(of(&[stratum(1.5, 1, 2), stratum(-0.5, 1, 2)]), Err(Absent::Negative));
        assert_eq!(of(&[stratum(0.5, 1, 2), stratum(0.5, 0, 0)]), Err(Absent::EmptyStratum));
        assert_eq!(of(&[stratum(1.0, 1, 2), stratum(0.0, 0, 0)]), Ok(()));
        assert_eq!(of(&[stratum(f64::NAN, 1, 2)]), Err(Absent::NotFinite));
        assert_eq!(weighted_rate(&[(1.0, f64::NAN)]), Err(Absent::NotShare));
    }

    proptest! {
        #[test]
        fn an_interval_holds_the_rate(parts in proptest::collection::vec((1u32..50, 0u64..90, 0u64..90), 1..8)) {
            let whole: u32 = parts.iter().map(|(weight, ..)| weight).sum();
            let strata: Vec<_> = parts
                .iter()
                .map(|(weight, a, b)| Stratum {
                    weight: f64::from(*weight) / f64::from(whole),
                    count: Count::new(*a.min(b), *a.max(b)),
                })
                .collect();
            match reweighted(&strata, 0.95) {
                Ok(Reweighted { rate, interval, .. }) => {
                    prop_assert!(0.0 <= interval.low && interval.low <= rate + 1e-12);
                    prop_assert!(rate <= interval.high + 1e-12 && interval.high <= 1.0);
                }
                Err(reason) => prop_assert_eq!(reason, Absent::EmptyStratum),
            }
        }
    }
}
