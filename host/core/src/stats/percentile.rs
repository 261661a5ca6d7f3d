//! Percentiles by nearest rank: each is a value that was measured, never one between two of them.
//!
//! The p-th percentile of n values is the one at rank ⌈p·n/100⌉ in order, which is the inverse of the
//! empirical distribution function: definition 1 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical
//! packages", The American Statistician 50 (1996) 361-365.

use serde::{Deserialize, Serialize};

/// How measured values are spread. Their unit is that of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    /// The smallest.
    pub min: u64,
    /// Half of them are no larger.
    pub p50: u64,
    /// 90 % of them are no larger.
    pub p90: u64,
    /// 99 % of them are no larger.
    pub p99: u64,
    /// The largest.
    pub max: u64,
}

impl Spread {
    /// The spread of these values; none where there are none.
    #[must_use]
    pub fn of(values: &[u64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let at = |percent| nearest_rank(&sorted, percent);
        Some(Self {
            min: *sorted.first()?,
            p50: at(50)?,
            p90: at(90)?,
            p99: at(99)?,
            max: *sorted.last()?,
        })
    }

    /// Whether all values were the same.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.min == self.max
    }
}

/// The percentile of values in rising order. None where there are no values, or where `percent` is not
/// 1 to 100.
#[must_use]
pub fn nearest_rank(sorted: &[u64], percent: u8) -> Option<u64> {
    let percent = usize::from(percent);
    if !(1..=100).contains(&percent) {
        return None;
    }
    // In whole numbers: 0.07 * 100 is more than 7 in floating point, and would be one rank too high.
    let rank = sorted.len().checked_mul(percent)?.div_ceil(100);
    sorted.get(rank.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_smallest_value_that_covers_its_share() {
        let one_to = |n: u64| (1..=n).collect::<Vec<_>>();
        let five = vec![15, 20, 35, 40, 50];
        let ten = vec![3, 6, 7, 8, 8, 10, 13, 15, 16, 20];
        for (values, percent, expected) in [
            // The worked examples of textbooks on the nearest-rank method.
            (&five, 5, Some(15)),
            (&five, 30, Some(20)),
            (&five, 40, Some(20)),
            (&five, 50, Some(35)),
            (&five, 100, Some(50)),
            (&ten, 25, Some(7)),
            (&ten, 50, Some(8)),
            (&ten, 75, Some(15)),
            (&ten, 100, Some(20)),
            // A rank that is a whole number is that rank, not the next.
            (&one_to(100), 7, Some(7)),
            (&one_to(100), 99, Some(99)),
            (&one_to(1000), 99, Some(990)),
            (&one_to(101), 99, Some(100)),
            // With fewer than a hundred values the 99th is the largest.
            (&one_to(99), 99, Some(99)),
            (&vec![4], 1, Some(4)),
            (&vec![], 50, None),
            (&five, 0, None),
            (&five, 101, None),
        ] {
            assert_eq!(nearest_rank(values, percent), expected, "{percent} % of {values:?}");
        }
    }

    #[test]
    fn a_percentile_covers_its_share_and_no_smaller_value_does() {
        let values = [9, 1, 7, 7, 3, 2, 8, 7, 5, 6, 4, 1, 9];
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        for percent in 1..=100_u8 {
            let found = nearest_rank(&sorted, percent).expect("there are values");
            let covered = |limit: u64| sorted.iter().filter(|value| **value <= limit).count() * 100;
            let share = usize::from(percent) * sorted.len();
            assert!(covered(found) >= share, "{percent} %: {found}");
            assert!(covered(found - 1) < share, "{percent} %: {found}");
        }
    }

    #[test]
    fn a_spread_takes_values_in_any_order() {
        let spread = Spread::of(&[5, 1, 4, 2, 3]).expect("there are values");
        assert_eq!(spread, Spread { min: 1, p50: 3, p90: 5, p99: 5, max: 5 });
        assert!(!spread.is_constant());
        assert!(Spread::of(&[7, 7]).is_some_and(|spread| spread.is_constant()));
        assert_eq!(Spread::of(&[]), None);
    }
}
