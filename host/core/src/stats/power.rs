//! How many units a comparison of two rates needs, and what a number of units can show.
//!
//! - Paired, from the variance of the difference on one unit: n = (z(alpha/2) + z(power))^2 * variance /
//!   difference^2. E. Miller, "Adding error bars to evals", arXiv 2411.00640 (2024), section 5.
//! - Unpaired, units in each group: the same with p (1 - p) + q (1 - q) for the variance. J. L. Fleiss, B.
//!   Levin, M. C. Paik, "Statistical methods for rates and proportions", 3rd edition (2003), section 4.2,
//!   without the correction for continuity and with each group's own variance.
//! - The variance on one unit, from the share that changes: R. J. Connor, "Sample size for testing differences in
//!   proportions for the paired-sample design", Biometrics 43 (1987) 207-211.
//!
//! All are large-sample formulas for a two-sided test at level `alpha`. For the chance of clearing an exact
//! bound see [`super::sample_size::chance_of_meeting`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use super::absent::{self, Absent};
use super::interval::z;

/// How surely a difference is to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Demand {
    /// The significance level of the two-sided test, 0 to 1, exclusive: 0.05, usually.
    pub alpha: f64,
    /// The chance of showing the difference where it is there, 0 to 1, exclusive: 0.8, usually.
    pub power: f64,
}

/// How many units are needed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Needed {
    /// What the formula gives.
    pub exact: f64,
    /// That, rounded up to whole units.
    pub units: u64,
}

/// Units needed, each judged twice, to show a difference between two rates, given the variance of the
/// difference on one unit (0 to 1).
///
/// # Errors
/// When the difference is 0 or beyond -1 to 1, the variance is 0 or out of range, the demand is none, or the number
/// is beyond reckoning.
pub fn paired_units(variance: f64, difference: f64, demand: Demand) -> Result<Needed, Absent> {
    if absent::share(variance)? == 0.0 {
        return Err(Absent::NoVariation);
    }
    needed(variance, difference, demand)
}

/// Units needed in each of two groups to show the difference between two rates.
///
/// # Errors
/// When a rate lies outside 0 to 1, the rates are the same, neither varies, or the demand is none.
pub fn unpaired_units(first: f64, second: f64, demand: Demand) -> Result<Needed, Absent> {
    needed(two_variances(first, second)?, first - second, demand)
}

/// The chance that `units` units, each judged twice, show this difference in a two-sided test at level `alpha`, not
/// counting the chance of showing it the wrong way round.
///
/// # Errors
/// As for [`paired_units`], and when there are no units.
pub fn paired_power(variance: f64, difference: f64, units: u64, alpha: f64) -> Result<f64, Absent> {
    if absent::share(variance)? == 0.0 {
        return Err(Absent::NoVariation);
    }
    power(variance, difference, units, alpha)
}

/// The same, for two groups of `units` units each.
///
/// # Errors
/// As for [`unpaired_units`], and when there are no units.
pub fn unpaired_power(first: f64, second: f64, units: u64, alpha: f64) -> Result<f64, Absent> {
    power(two_variances(first, second)?, first - second, units, alpha)
}

/// The smallest difference that `units` units, each judged twice, show as surely as demanded: 0 to 1.
///
/// # Errors
/// When there are no units, the variance is 0 or out of range, the demand is none, or no difference is large
/// enough.
pub fn detectable_difference(variance: f64, units: u64, demand: Demand) -> Result<f64, Absent> {
    if absent::share(variance)? == 0.0 {
        return Err(Absent::NoVariation);
    }
    if units == 0 {
        return Err(Absent::NoUnits);
    }
    absent::share(reach(demand)? * (variance / units as f64).sqrt())
}

/// The variance of the difference on one unit, from the share of units that change either way and the difference:
/// share - difference^2.
///
/// # Errors
/// When the share lies outside 0 to 1, or the difference is larger than the share.
pub fn variance_of_change(changed: f64, difference: f64) -> Result<f64, Absent> {
    absent::share(difference.abs())?;
    if difference.abs() > absent::share(changed)? {
        return Err(Absent::PartExceedsWhole);
    }
    Ok(changed - difference * difference)
}

fn two_variances(first: f64, second: f64) -> Result<f64, Absent> {
    let of = |rate: f64| absent::share(rate).map(|rate| rate * (1.0 - rate));
    let variance = of(first)? + of(second)?;
    if variance > 0.0 { Ok(variance) } else { Err(Absent::NoVariation) }
}

/// How many standard errors a difference must be away from 0.
fn reach(demand: Demand) -> Result<f64, Absent> {
    let (alpha, power) = (absent::confidence(demand.alpha)?, absent::confidence(demand.power)?);
    // With a power below alpha/2 there would be nothing to reach.
    let reach = z(1.0 - alpha / 2.0) + z(power);
    if reach > 0.0 { absent::finite(reach) } else { Err(Absent::BadConfidence) }
}

fn needed(variance: f64, difference: f64, demand: Demand) -> Result<Needed, Absent> {
    if absent::share(difference.abs())? == 0.0 {
        return Err(Absent::NoDifference);
    }
    let exact = (reach(demand)? / difference).powi(2) * variance;
    // Beyond 2^53 a whole number of units cannot be told from the next.
    if exact < 9e15 {
        Ok(Needed { exact, units: exact.ceil() as u64 })
    } else {
        Err(Absent::NotFinite)
    }
}

fn power(variance: f64, difference: f64, units: u64, alpha: f64) -> Result<f64, Absent> {
    if units == 0 {
        return Err(Absent::NoUnits);
    }
    if absent::share(difference.abs())? == 0.0 {
        return Err(Absent::NoDifference);
    }
    let away = difference.abs() / (variance / units as f64).sqrt();
    absent::share(Normal::standard().cdf(away - z(1.0 - absent::confidence(alpha)? / 2.0)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const USUAL: Demand = Demand { alpha: 0.05, power: 0.8 };

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
    }

    #[test]
    fn published_values() {
        // Miller (2024), section 5: a ninth, and three points.
        let got = paired_units(1.0 / 9.0, 0.03, USUAL).expect("units");
        close(got.exact, 968.9975, 5e-5);
        assert_eq!(got.units, 969);
        // Three points, power .8, a paired variance of .100.
        let got = paired_units(0.100, 0.03, USUAL).expect("units");
        close(got.exact, 872.098, 5e-4);
        assert_eq!(got.units, 873);
        // Fleiss, Levin and Paik's formula by hand: .24 + .25, 10 points.
        let got = unpaired_units(0.6, 0.5, USUAL).expect("units");
        close(got.exact, 7.848_879_7 * 0.49 / 0.01, 1e-3);
        assert_eq!(got.units, 385);
    }

    #[test]
    fn what_a_number_of_units_can_show() {
        close(paired_power(0.1, 0.03, 873, 0.05).expect("a chance"), 0.8, 1e-3);
        close(unpaired_power(0.6, 0.5, 385, 0.05).expect("a chance"), 0.8, 1e-3);
        close(detectable_difference(0.1, 873, USUAL).expect("a difference"), 0.03, 1e-4);
        close(variance_of_change(0.1009, 0.03).expect("a variance"), 0.1, 1e-12);
        assert_eq!(variance_of_change(0.02, 0.03), Err(Absent::PartExceedsWhole));
    }

    #[test]
    fn what_cannot_be_shown_says_why() {
        assert_eq!(paired_units(0.1, 0.0, USUAL), Err(Absent::NoDifference));
        assert_eq!(paired_units(0.0, 0.1, USUAL), Err(Absent::NoVariation));
        assert_eq!(paired_units(f64::NAN, 0.1, USUAL), Err(Absent::NotShare));
        assert_eq!(paired_units(0.1, 1e-300, USUAL), Err(Absent::NotFinite));
        assert_eq!(
            paired_units(0.1, 0.1, Demand { power: 1.0, ..USUAL }),
            Err(Absent::BadConfidence)
        );
        assert_eq!(unpaired_units(1.0, 0.0, USUAL), Err(Absent::NoVariation));
        assert_eq!(paired_power(0.1, 0.03, 0, 0.05), Err(Absent::NoUnits));
        assert_eq!(detectable_difference(1.0, 1, USUAL), Err(Absent::NotShare));
    }

    proptest! {
        #[test]
        fn the_units_needed_have_the_power_asked_for(
            rates in proptest::array::uniform2(0.0f64..=1.0),
            alpha in 0.001f64..0.2,
            power in 0.3f64..0.99,
        ) {
            let [first, second] = rates;
            if let Ok(needed) = unpaired_units(first, second, Demand { alpha, power }) {
                let got = unpaired_power(first, second, needed.units, alpha).expect("a chance");
                prop_assert!(got >= power - 1e-6 && got <= 1.0);
            }
        }
    }
}
