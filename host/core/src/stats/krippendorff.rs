//! Krippendorff's alpha: how far any number of raters agree beyond chance, with ratings missing here and there.
//!
//! K. Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), and "Content analysis", 3rd edition
//! (2013), chapter 12: alpha = 1 - observed disagreement / expected disagreement, both over pairs of values
//! within units and over all pairs, weighed by the squared distance of the level of measurement. A unit with
//! a single rating says nothing and drops out. Alpha is at most 1; 0 is what chance gives; it can be below 0.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::{self, Absent};

/// What the distance between two ratings means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Labels: the same or not.
    Nominal,
    /// Ranks: how many ratings lie between.
    Ordinal,
    /// Numbers: their difference.
    Interval,
    /// Numbers of at least 0 with a true zero: their difference against their sum.
    Ratio,
}

/// Krippendorff's alpha.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Alpha {
    /// The level of measurement.
    pub level: Level,
    /// Units with at least two ratings.
    pub units: u64,
    /// Ratings of those units.
    pub ratings: u64,
    /// The observed disagreement, in squared distances of the level.
    pub observed: f64,
    /// The disagreement that chance alone would give.
    pub expected: f64,
    /// Alpha.
    pub alpha: f64,
}

/// Alpha over units: each a list of its ratings, absent ones left out or `None`. Which rater gave which does not
/// matter. Labels are numbers.
///
/// # Errors
/// When there are no units, none was rated twice, all ratings that count are the same, or one is no finite number
/// (or is negative, at the ratio level).
pub fn alpha(units: &[Vec<Option<f64>>], level: Level) -> Result<Alpha, Absent> {
    if units.is_empty() {
        return Err(Absent::NoUnits);
    }
    let units = pairable(units, level)?;
    let scale = Scale::of(&units, level)?;
    let ratings = scale.ratings;
    let mut observed = 0.0;
    for unit in &units {
        let places: Vec<usize> = unit.iter().map(|value| scale.place(*value)).collect();
        let mut within = 0.0;
        for (at, one) in places.iter().enumerate() {
            within += places[..at].iter().map(|other| scale.distance(*one, *other)).sum::<f64>();
        }
        observed += 2.0 * within / (unit.len() as f64 - 1.0);
    }
    observed = absent::finite(observed / ratings)?;
    let mut expected = 0.0;
    for one in 0..scale.values.len() {
        for other in 0..one {
            expected += scale.counts[one] * scale.counts[other] * scale.distance(one, other);
        }
    }
    expected = absent::finite(2.0 * expected / (ratings * (ratings - 1.0)))?;
    if expected <= 0.0 {
        return Err(Absent::OneLabel);
    }
    let alpha = absent::finite(1.0 - observed / expected)?;
    Ok(Alpha {
        level,
        units: units.len() as u64,
        ratings: ratings as u64,
        observed,
        expected,
        alpha,
    })
}

/// The ratings of the units that have at least two.
fn pairable(units: &[Vec<Option<f64>>], level: Level) -> Result<Vec<Vec<f64>>, Absent> {
    let mut kept = Vec::new();
    for unit in units {
        let mut ratings = Vec::new();
        for rating in unit.iter().flatten() {
            if level == Level::Ratio {
                absent::not_negative(*rating)?;
            }
            // A zero is a zero, whatever its sign.
            ratings.push(absent::finite(*rating)? + 0.0);
        }
        if ratings.len() > 1 {
            kept.push(ratings);
        }
    }
    if kept.is_empty() { Err(Absent::NotRatedTwice) } else { Ok(kept) }
}

/// The values in use, in order, and how often each is.
struct Scale {
    level: Level,
    values: Vec<f64>,
    counts: Vec<f64>,
    /// For each value, how many ratings lie below its middle: ranks with ties shared.
    ranks: Vec<f64>,
    ratings: f64,
}

impl Scale {
    fn of(units: &[Vec<f64>], level: Level) -> Result<Self, Absent> {
        let mut all: Vec<f64> = units.iter().flatten().copied().collect();
        all.sort_unstable_by(f64::total_cmp);
        let ratings = all.len() as f64;
        let (mut values, mut counts, mut ranks) = (Vec::new(), Vec::new(), Vec::new());
        let mut below = 0.0;
        for same in all.chunk_by(|one, other| one.total_cmp(other).is_eq()) {
            let count = same.len() as f64;
            values.push(same[0]);
            counts.push(count);
            ranks.push(below + count / 2.0);
            below += count;
        }
        if values.len() < 2 {
            Err(Absent::OneLabel)
        } else {
            Ok(Self { level, values, counts, ranks, ratings })
        }
    }

    fn place(&self, value: f64) -> usize {
        self.values.partition_point(|other| other.total_cmp(&value).is_lt())
    }

    /// The squared distance of two values, by their places.
    fn distance(&self, one: usize, other: usize) -> f64 {
        if one == other {
            return 0.0;
        }
        let (a, b) = (self.values[one], self.values[other]);
        match self.level {
            Level::Nominal => 1.0,
            Level::Ordinal => (self.ranks[one] - self.ranks[other]).powi(2),
            Level::Interval => (a - b).powi(2),
            Level::Ratio => ((a - b) / (a + b)).powi(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(units: &[&[f64]], level: Level) -> Result<f64, Absent> {
        let units: Vec<Vec<Option<f64>>> =
            units.iter().map(|unit| unit.iter().copied().map(Some).collect()).collect();
        alpha(&units, level).map(|alpha| alpha.alpha)
    }

    fn close(got: Result<f64, Absent>, want: f64, tolerance: f64) {
        let got = got.expect("an alpha");
        assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
    }

    /// The tests of inspect_ai's scorer, tests/scorer/test_krippendorff.py.
    #[test]
    fn published_values() {
        let nominal = |units: &[&[f64]]| of(units, Level::Nominal);
        close(nominal(&[&[0., 1.], &[0., 1.], &[1., 0.], &[1., 0.]]), -0.75, 1e-9);
        let units: [&[f64]; 4] = [&[1., 1., 1.], &[0., 0., 0.], &[1., 1., 1.], &[0., 0., 1.]];
        close(nominal(&units), 0.685_714_285_714_285_7, 1e-9);
        close(nominal(&[&[1., 1., 0.], &[0., 0.]]), 0.333_333_333_333_333_3, 1e-9);
        let units: [&[f64]; 3] = [&[1., 2.], &[3., 4.], &[1., 1.]];
        close(of(&units, Level::Interval), 0.791_666_666_666_666_6, 1e-9);
        let units: [&[f64]; 3] = [&[1., 1.], &[3., 4.], &[5., 5.]];
        close(of(&units, Level::Ordinal), 0.949_494_949_494_949_5, 1e-9);
    }

    /// Krippendorff's own example of four observers and twelve units, with ratings missing (0 here).
    #[test]
    fn four_observers_twelve_units() {
        let observers = [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
            [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
        ];
        let rating = |value: i32| (value > 0).then(|| f64::from(value));
        let units: Vec<Vec<_>> =
            (0..12).map(|unit| observers.map(|row| rating(row[unit])).to_vec()).collect();
        for (level, want) in [
            (Level::Nominal, 0.7434),
            (Level::Ordinal, 0.8154),
            (Level::Interval, 0.8491),
            (Level::Ratio, 0.7974),
        ] {
            let got = alpha(&units, level).expect("an alpha");
            close(Ok(got.alpha), want, 5e-5);
            assert_eq!((got.units, got.ratings), (11, 40));
        }
    }

    #[test]
    fn what_has_no_alpha_says_why() {
        assert_eq!(of(&[], Level::Nominal), Err(Absent::NoUnits));
        assert_eq!(of(&[&[1.0], &[2.0], &[]], Level::Nominal), Err(Absent::NotRatedTwice));
        assert_eq!(of(&[&[1.0, 1.0], &[2.0]], Level::Ordinal), Err(Absent::OneLabel));
        assert_eq!(of(&[&[0.0, -0.0]], Level::Interval), Err(Absent::OneLabel));
        assert_eq!(of(&[&[1.0, f64::NAN]], Level::Nominal), Err(Absent::NotFinite));
        assert_eq!(of(&[&[1e300, -1e300]], Level::Interval), Err(Absent::NotFinite));
        assert_eq!(of(&[&[-1.0, 1.0]], Level::Ratio), Err(Absent::Negative));
    }

    proptest! {
        #[test]
        fn alpha_is_at_most_1_or_absent(
            units in proptest::collection::vec(proptest::collection::vec(proptest::option::of(0u8..5), 0..5), 0..20),
        ) {
            let units: Vec<Vec<Option<f64>>> = units
                .into_iter()
                .map(|unit| unit.into_iter().map(|value| value.map(f64::from)).collect())
                .collect();
            for level in [Level::Nominal, Level::Ordinal, Level::Interval, Level::Ratio] {
                if let Ok(got) = alpha(&units, level) {
                    prop_assert!(got.alpha.is_finite() && got.alpha <= 1.0 && got.expected > 0.0);
                }
            }
        }

        #[test]
        fn any_numbers_do_no_harm(
            units in proptest::collection::vec(
                proptest::collection::vec(proptest::num::f64::ANY, 0..4), 0..6,
            ),
        ) {
            let units: Vec<&[f64]> = units.iter().map(Vec::as_slice).collect();
            for level in [Level::Nominal, Level::Ordinal, Level::Interval, Level::Ratio] {
                prop_assert!(of(&units, level).is_ok_and(f64::is_finite) || of(&units, level).is_err());
            }
        }
    }
}
