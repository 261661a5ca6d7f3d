//! Intervals for a proportion.
//!
//! - Exact (Clopper-Pearson): C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits
//!   illustrated in the case of the binomial", Biometrika 26 (1934) 404-413.
//! - Wilson: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
//!   Journal of the American Statistical Association 22 (1927) 209-212.
//! - Wald: the textbook interval, rate +- z * sqrt(rate * (1 - rate) / n). It is here to be compared with: near 0
//!   and 1 it covers far less than it says (L. D. Brown, T. T. Cai, A. DasGupta, "Interval estimation for a
//!   binomial proportion", Statistical Science 16 (2001) 101-133).

use statrs::distribution::{Beta, ContinuousCDF, Normal};

use super::absent::{self, Absent};

/// A count of successes out of a number of units; never more successes than units.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Count {
    /// Successes.
    pub right: u64,
    /// Units.
    pub of: u64,
}

impl Count {
    /// `right` of `of`.
    ///
    /// # Panics
    /// When `right` exceeds `of`: such a count means nothing.
    #[must_use]
    pub fn new(right: u64, of: u64) -> Self {
        assert!(right <= of, "{right} of {of} is no count");
        Self { right, of }
    }

    /// The share of successes, absent over nothing.
    #[must_use]
    pub fn rate(self) -> Option<f64> {
        (self.of > 0).then(|| as_f64(self.right) / as_f64(self.of))
    }

    /// The units that were no success.
    #[must_use]
    pub fn missed(self) -> u64 {
        self.of - self.right
    }
}

/// An interval, both ends between 0 and 1.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// An interval of a figure that is no proportion: a difference, a kappa, a cost.
#[derive(
    Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
pub struct Span {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Counts stay far below 2^53, where `f64` is exact.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(super) fn as_f64(count: u64) -> f64 {
    count as f64
}

/// The exact one-sided lower bound at this confidence (0 to 1, exclusive): the rate below which as many
/// successes would come up with a chance of at most `1 - confidence`. Absent over nothing.
#[must_use]
pub fn exact_lower(count: Count, confidence: f64) -> Option<f64> {
    let valid = count.of > 0 && confidence > 0.0 && confidence < 1.0;
    if !valid {
        return None;
    }
    Some(exact_lower_of(as_f64(count.right), as_f64(count.of), confidence))
}

/// The exact one-sided upper bound, likewise.
#[must_use]
pub fn exact_upper(count: Count, confidence: f64) -> Option<f64> {
    let missed = Count::new(count.missed(), count.of);
    exact_lower(missed, confidence).map(|low| 1.0 - low)
}

/// The exact two-sided interval at this confidence. Absent over nothing.
#[must_use]
pub fn clopper_pearson(count: Count, confidence: f64) -> Option<Interval> {
    let each_side = 1.0 - (1.0 - confidence) / 2.0;
    Some(Interval { low: exact_lower(count, each_side)?, high: exact_upper(count, each_side)? })
}

/// The Wilson score interval at this two-sided confidence. Absent over nothing.
#[must_use]
pub fn wilson(count: Count, confidence: f64) -> Option<Interval> {
    let rate = count.rate()?;
    if !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let z = two_sided_z(confidence);
    let n = as_f64(count.of);
    let z2 = z * z;
    let centre = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
    let low = if count.right == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if count.right == count.of { 1.0 } else { (centre + half).min(1.0) };
    Some(Interval { low, high })
}

/// The Wald interval at this two-sided confidence, cut at 0 and 1.
///
/// # Errors
/// When nothing was counted, the confidence is none, or every unit came out the same: the interval would have
/// no width.
pub fn wald(count: Count, confidence: f64) -> Result<Interval, Absent> {
    let z = two_sided_z(absent::confidence(confidence)?);
    let rate = count.rate().ok_or(Absent::NoUnits)?;
    if count.right == 0 || count.right == count.of {
        return Err(Absent::NoVariation);
    }
    let half = z * (rate * (1.0 - rate) / as_f64(count.of)).sqrt();
    Ok(Interval { low: (rate - half).max(0.0), high: (rate + half).min(1.0) })
}

/// How many standard errors reach to either side at a two-sided confidence between 0 and 1.
pub(super) fn two_sided_z(confidence: f64) -> f64 {
    z(1.0 - (1.0 - confidence) / 2.0)
}

/// The quantile of the standard normal distribution, for a `p` strictly between 0 and 1.
pub(super) fn z(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

/// The exact lower bound for a number of successes and of units that need not be whole.
pub(super) fn exact_lower_of(right: f64, of: f64, confidence: f64) -> f64 {
    if right <= 0.0 {
        0.0
    } else if right >= of {
        (1.0 - confidence).powf(1.0 / of)
    } else {
        beta_quantile(right, of - right + 1.0, 1.0 - confidence)
    }
}

/// The quantile of Beta(a, b) by bisection on its distribution function, to the last bits of `f64`: the
/// library's own search stops earlier.
fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    let Ok(beta) = Beta::new(a, b) else { unreachable!("both shapes are at least 1") };
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if beta.cdf(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
    }

    /// R binom.confint as quoted in statsmodels' test results, Newcombe (1998), and exact binomials.
    #[test]
    fn published_values() {
        for (right, of, low, high, tolerance) in [
            (18, 20, 0.698_966_354_771_512_8, 0.972_133_518_786_231_9, 1e-9),
            (4, 200, 0.007_804_426_416_349_469, 0.050_287_086_905_826_436, 1e-9),
            (19, 38, 0.348_499_283_643_951_05, 0.651_500_716_356_049, 1e-9),
            (81, 263, 0.2553, 0.3662, 5e-5),
            (27, 30, 0.744, 0.965, 5e-4),
            (252, 300, 0.794, 0.877, 5e-4),
            (9, 15, 0.36, 0.80, 5e-3),
            (36, 60, 0.47, 0.71, 5e-3),
        ] {
            let got = wilson(Count::new(right, of), 0.95).expect("not empty");
            close(got.low, low, tolerance);
            close(got.high, high, tolerance);
        }
        for (right, of, low, high, tolerance) in [
            (18, 20, 0.683_017_285_980_917_7, 0.987_651_472_829_705_2, 1e-9),
            (4, 20, 0.057_333_997_050_032_77, 0.436_614_002_996_668, 1e-9),
            (0, 20, 0.0, 0.1684, 5e-5),
        ] {
            let got = clopper_pearson(Count::new(right, of), 0.95).expect("not empty");
            close(got.low, low, tolerance);
            close(got.high, high, tolerance);
        }
    }

    /// 84 % of 300, by the textbook: 4.1 points to either side.
    #[test]
    fn the_textbook_interval() {
        let wald = wald(Count::new(252, 300), 0.95).expect("an interval");
        close(wald.high - 0.84, 0.041, 5e-4);
        close(0.84 - wald.low, 0.041, 5e-4);
        assert_eq!(super::wald(Count::new(3, 3), 0.95), Err(Absent::NoVariation));
        assert_eq!(super::wald(Count::new(0, 0), 0.95), Err(Absent::NoUnits));
        assert_eq!(super::wald(Count::new(1, 3), 1.0), Err(Absent::BadConfidence));
    }

    #[test]
    fn the_bound_that_decides() {
        for (right, of, low) in [(59, 59, 0.9505), (58, 58, 0.9497), (142, 150, 0.906)] {
            close(exact_lower(Count::new(right, of), 0.95).expect("not empty"), low, 5e-4);
        }
        assert!(exact_lower(Count::new(59, 59), 0.95) >= Some(0.95));
        assert!(exact_lower(Count::new(58, 58), 0.95) < Some(0.95));
    }

    /// Against scipy 1.17.
    #[test]
    fn large_counts() {
        for (right, of, low) in [
            (900, 1_000, 0.883_008_467_903_632_1),
            (9_000, 10_000, 0.894_928_883_412_769_8),
            (90_000, 100_000, 0.898_425_972_227_758),
            (950_000, 1_000_000, 0.949_640_048_637_823_9),
            (500_000, 1_000_000, 0.499_177_073_949_477_1),
        ] {
            close(exact_lower(Count::new(right, of), 0.95).expect("not empty"), low, 1e-9);
        }
    }

    #[test]
    fn nothing_has_no_rate() {
        let nothing = Count::new(0, 0);
        assert_eq!(nothing.rate(), None);
        assert_eq!(exact_lower(nothing, 0.95), None);
        assert_eq!(exact_upper(nothing, 0.95), None);
        assert_eq!(clopper_pearson(nothing, 0.95), None);
        assert_eq!(wilson(nothing, 0.95), None);
        assert_eq!(exact_lower(Count::new(1, 1), f64::NAN), None);
    }

    proptest! {
        #[test]
        fn intervals_hold_the_rate_and_stay_within_0_and_1(of in 1u64..2000, share in 0.0f64..=1.0) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of `of`")]
            let right = (as_f64(of) * share) as u64;
            let count = Count::new(right, of);
            let rate = count.rate().expect("not empty");
            for interval in [wilson(count, 0.95), clopper_pearson(count, 0.95)] {
                let Interval { low, high } = interval.expect("not empty");
                prop_assert!(0.0 <= low && low <= rate + 1e-12 && rate <= high + 1e-12 && high <= 1.0);
            }
            let lower = exact_lower(count, 0.95).expect("not empty");
            prop_assert!((0.0..=rate).contains(&lower));
        }
    }
}
