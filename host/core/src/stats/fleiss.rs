//! Fleiss' kappa: how far several raters agree beyond chance, where every unit was rated equally often.
//!
//! J. L. Fleiss, "Measuring nominal scale agreement among many raters", Psychological Bulletin 76 (1971)
//! 378-382. The raters of one unit need not be those of another. Where units were rated unequally often, use
//! [`super::krippendorff`]. Fleiss' kappa runs from -1 / (raters - 1) to 1.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::{self, Absent};
use super::interval::as_f64;

/// How several raters agree.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fleiss {
    /// Units.
    pub units: u64,
    /// Ratings of each unit.
    pub ratings: u64,
    /// The share of pairs of ratings of one unit that agree.
    pub observed: f64,
    /// The share that chance alone would make agree.
    pub expected: f64,
    /// Fleiss' kappa.
    pub kappa: f64,
}

/// Fleiss' kappa of a table with one row for each unit: how many ratings gave it each label.
///
/// # Errors
/// When there are no units, rows differ in length, units were rated unequally often or only once, or one label
/// only was used.
pub fn fleiss(table: &[Vec<u64>]) -> Result<Fleiss, Absent> {
    let first = table.first().ok_or(Absent::NoUnits)?;
    if table.iter().any(|row| row.len() != first.len()) {
        return Err(Absent::BadTable);
    }
    let sum = |row: &[u64]| row.iter().try_fold(0_u64, |sum, cell| sum.checked_add(*cell));
    let ratings = sum(first).ok_or(Absent::NotFinite)?;
    if table.iter().any(|row| sum(row) != Some(ratings)) {
        return Err(Absent::UnequalRatings);
    }
    if ratings < 2 {
        return Err(Absent::NotRatedTwice);
    }
    let used = (0..first.len()).filter(|label| table.iter().any(|row| row[*label] > 0)).count();
    if used < 2 {
        return Err(Absent::OneLabel);
    }
    let (units, each) = (table.len() as f64, as_f64(ratings));
    let agreeing = |row: &Vec<u64>| -> f64 {
        row.iter().map(|cell| as_f64(*cell) * (as_f64(*cell) - 1.0)).sum::<f64>()
    };
    let observed = table.iter().map(agreeing).sum::<f64>() / (units * each * (each - 1.0));
    let share =
        |label: usize| table.iter().map(|row| as_f64(row[label])).sum::<f64>() / (units * each);
    let expected: f64 = (0..first.len()).map(|label| share(label).powi(2)).sum();
    let kappa = absent::finite((observed - expected) / (1.0 - expected))?.clamp(-1.0, 1.0);
    Ok(Fleiss { units: table.len() as u64, ratings, observed, expected, kappa })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
    }

    /// The worked example on many pages about the method, and one of justusrandolph.net; both in statsmodels'
    /// test_inter_rater.py.
    #[test]
    fn published_values() {
        let table = [
            [0, 0, 0, 0, 14],
            [0, 2, 6, 4, 2],
            [0, 0, 3, 5, 6],
            [0, 3, 9, 2, 0],
            [2, 2, 8, 1, 1],
            [7, 7, 0, 0, 0],
            [3, 2, 6, 3, 0],
            [2, 5, 3, 2, 2],
            [6, 5, 2, 1, 0],
            [0, 2, 2, 3, 7],
        ];
        let got = fleiss(&table.map(Vec::from)).expect("a kappa");
        close(got.kappa, 0.209_930_704_421_955_22, 1e-9);
        assert_eq!((got.units, got.ratings), (10, 14));
        let got = fleiss(&[vec![7, 1], vec![3, 5]]).expect("a kappa");
        close(got.kappa, 0.161_904_761_9, 1e-9);
    }

    #[test]
    fn what_has_no_kappa_says_why() {
        assert_eq!(fleiss(&[]), Err(Absent::NoUnits));
        assert_eq!(fleiss(&[vec![2, 1], vec![2, 0]]), Err(Absent::UnequalRatings));
        assert_eq!(fleiss(&[vec![2, 1], vec![3]]), Err(Absent::BadTable));
        assert_eq!(fleiss(&[vec![1, 0], vec![0, 1]]), Err(Absent::NotRatedTwice));
        assert_eq!(fleiss(&[vec![3, 0], vec![3, 0]]), Err(Absent::OneLabel));
        assert_eq!(fleiss(&[vec![], vec![]]), Err(Absent::NotRatedTwice));
    }

    proptest! {
        #[test]
        fn a_kappa_is_in_range_or_absent(shares in proptest::collection::vec((0u64..7, 0u64..7), 0..30)) {
            let table: Vec<_> = shares.iter().map(|(a, b)| vec![*a, 12 - a - b, *b]).collect();
            match fleiss(&table) {
                Ok(got) => {
                    prop_assert!(-1.0 / 11.0 - 1e-9 <= got.kappa && got.kappa <= 1.0);
                    prop_assert!((0.0..=1.0).contains(&got.observed));
                }
                Err(reason) => prop_assert!([Absent::NoUnits, Absent::OneLabel].contains(&reason)),
            }
        }
    }
}
