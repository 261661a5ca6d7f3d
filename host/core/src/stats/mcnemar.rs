//! McNemar's test: did units that were judged twice change more often one way than the other?
//!
//! - The test: Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
//!   percentages", Psychometrika 12 (1947) 153-157; with Edwards' correction for continuity, (|b - c| - 1)^2
//!   / (b + c).
//! - Exact and mid-p: M. W. Fagerland, S. Lydersen, P. Laake, "The McNemar test for binary matched-pairs
//!   data: mid-p and asymptotic are better than exact conditional", BMC Medical Research Methodology 13
//!   (2013) 91. The exact test decides: it never errs more often than it says.
//!
//! Only the units that changed count. All p values are two-sided and lie above 0 and at most at 1.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, Discrete, DiscreteCDF};

use super::absent::Absent;

/// The test of one paired comparison.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct McNemar {
    /// Units right the first time only.
    pub first_only: u64,
    /// Units right the second time only.
    pub second_only: u64,
    /// The exact two-sided p value: what decides.
    pub exact_p: f64,
    /// The two-sided mid-p value.
    pub mid_p: f64,
    /// The statistic corrected for continuity, to be held against chi-squared with one degree of freedom.
    pub corrected_chi_squared: f64,
}

/// Tests the units that changed.
///
/// # Errors
/// When no unit changed.
pub fn mcnemar(first_only: u64, second_only: u64) -> Result<McNemar, Absent> {
    let changed = first_only.checked_add(second_only).ok_or(Absent::NotFinite)?;
    if changed == 0 {
        return Err(Absent::NoneDiffer);
    }
    let Ok(even) = Binomial::new(0.5, changed) else { return Err(Absent::NotFinite) };
    let fewer = first_only.min(second_only);
    let point = even.pmf(fewer);
    let exact_p = (2.0 * even.cdf(fewer)).min(1.0);
    let mid_p = if first_only == second_only { 1.0 - point / 2.0 } else { exact_p - point };
    let apart = (first_only.abs_diff(second_only) as f64 - 1.0).max(0.0);
    Ok(McNemar {
        first_only,
        second_only,
        exact_p: exact_p.max(f64::MIN_POSITIVE),
        mid_p: mid_p.clamp(f64::MIN_POSITIVE, 1.0),
        corrected_chi_squared: apart * apart / changed as f64,
    })
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
        // Armitage and Berry, page 127, as on statsdirect.com.
        let got = mcnemar(12, 2).expect("a test");
        close(got.exact_p, 0.012_939_453_125, 1e-12);
        close(got.corrected_chi_squared, 5.785_714_285_714_286, 1e-12);
        // The data of Bentur et al., as in Fagerland, Lydersen and Laake (2013).
        let got = mcnemar(1, 7).expect("a test");
        close(got.exact_p, 0.070_312_5, 1e-12);
        close(got.mid_p, 0.039_062_5, 1e-12);
        // cavo_2012 of R's contingencytables: z is the root of the statistic.
        let got = mcnemar(6, 16).expect("a test");
        close(got.corrected_chi_squared.sqrt(), 1.918_806_447_200_493_8, 1e-9);
    }

    #[test]
    fn as_many_one_way_as_the_other() {
        let got = mcnemar(4, 4).expect("a test");
        close(got.exact_p, 1.0, 0.0);
        close(got.mid_p, 1.0 - 70.0 / 256.0 / 2.0, 1e-12);
        assert_eq!(mcnemar(0, 0), Err(Absent::NoneDiffer));
        assert_eq!(mcnemar(u64::MAX, 1), Err(Absent::NotFinite));
    }

    /// Exactly, over every outcome, with 1 to 150 changed units and even chances either way: at 5 % the exact test
    /// rejects at most 5 %; the mid-p test at most 8 % with any one number, and at most 5 % over all numbers.
    #[test]
    fn the_exact_test_never_errs_more_often_than_it_says() {
        let mut all = 0.0;
        for changed in 1..=150_u64 {
            let even = Binomial::new(0.5, changed).expect("a distribution");
            let rejected = |p: fn(&McNemar) -> f64| -> f64 {
                let outcomes = (0..=changed).map(|b| (b, mcnemar(b, changed - b).expect("a test")));
                outcomes.filter(|(_, test)| p(test) <= 0.05).map(|(b, _)| even.pmf(b)).sum()
            };
            let (exact, mid) = (rejected(|test| test.exact_p), rejected(|test| test.mid_p));
            assert!(exact <= 0.05 && mid <= 0.08, "{changed}: {exact}, {mid}");
            all += mid / 150.0;
        }
        assert!((0.04..=0.05).contains(&all), "{all}");
    }

    proptest! {
        #[test]
        fn p_values_are_chances_and_do_not_mind_the_order(b in 0u64..5000, c in 0u64..5000) {
            let (Ok(one), Ok(other)) = (mcnemar(b, c), mcnemar(c, b)) else {
                prop_assert_eq!(b + c, 0);
                return Ok(());
            };
            prop_assert!(one.exact_p > 0.0 && one.exact_p <= 1.0 && one.mid_p > 0.0);
            prop_assert!(one.mid_p <= one.exact_p && one.corrected_chi_squared.is_finite());
            prop_assert!((one.exact_p - other.exact_p).abs() < 1e-12);
        }
    }
}
