//! Several trials of one case: the chance that at least one of `k` is right (pass@k), and that all of `k`
//! are (pass^k), both without bias.
//!
//! - pass@k = 1 - C(n-c, k) / C(n, k): M. Chen et al., "Evaluating large language models trained on code",
//!   arXiv 2107.03374 (2021), equation 1.
//! - pass^k = C(c, k) / C(n, k): S. Yao et al., "tau-bench: a benchmark for tool-agent-user interaction in
//!   real-world domains", arXiv 2406.12045 (2024).
//!
//! n trials were made, c of them were right, and 1 <= k <= n. The same trials used as if with replacement,
//! 1 - (1 - c/n)^k, would be biased.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::Absent;
use super::interval::Count;

/// What repeats of a set of cases come to, averaged over the cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Repeats {
    /// Cases.
    pub cases: u64,
    /// Trials looked at together.
    pub k: u64,
    /// pass@k: the chance that at least one of k trials of a case is right.
    pub at_least_once: f64,
    /// pass^k: the chance that all k are.
    pub every_time: f64,
}

/// pass@k of one case.
///
/// # Errors
/// When `k` is 0 or more than the trials made.
pub fn pass_at_k(trials: Count, k: u64) -> Result<f64, Absent> {
    none_of(trials.missed(), trials.of, k).map(|none| 1.0 - none)
}

/// pass^k of one case.
///
/// # Errors
/// When `k` is 0 or more than the trials made.
pub fn pass_hat_k(trials: Count, k: u64) -> Result<f64, Absent> {
    none_of(trials.right, trials.of, k)
}

/// Both figures over many cases, each case counting the same.
///
/// # Errors
/// When there are no cases, `k` is 0, or a case has fewer than `k` trials.
pub fn over(cases: &[Count], k: u64) -> Result<Repeats, Absent> {
    if cases.is_empty() {
        return Err(Absent::NoUnits);
    }
    let (mut once, mut every) = (0.0, 0.0);
    for trials in cases {
        once += pass_at_k(*trials, k)?;
        every += pass_hat_k(*trials, k)?;
    }
    let n = cases.len() as f64;
    Ok(Repeats { cases: cases.len() as u64, k, at_least_once: once / n, every_time: every / n })
}

/// C(part, k) / C(of, k): the chance that k trials drawn without replacement all lie in the part.
fn none_of(part: u64, of: u64, k: u64) -> Result<f64, Absent> {
    if part > of {
        return Err(Absent::PartExceedsWhole);
    }
    if k == 0 || k > of {
        return Err(Absent::TooFewTrials);
    }
    if part < k {
        return Ok(0.0);
    }
    // C(part, k) / C(of, k) = product over the `of - part` others of (1 - k / place): the shorter of the two.
    Ok(if k <= of - part {
        (0..k).map(|drawn| (part - drawn) as f64 / (of - drawn) as f64).product()
    } else {
        (part + 1..=of).map(|place| 1.0 - k as f64 / place as f64).product()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(got: Result<f64, Absent>, want: f64) {
        let got = got.expect("a figure");
        assert!((got - want).abs() < 1e-6, "got {got}, want {want}");
    }

    #[test]
    fn published_values() {
        // The estimator of Chen et al. (2021), and tau_bench/run.py:198.
        close(pass_at_k(Count::new(3, 10), 5), 0.916_666_666_666_666_6);
        close(pass_hat_k(Count::new(6, 8), 4), 0.214_285_714_285_714_27);
    }

    /// Two vendors at 45 of 50: the same rate, not the same grader.
    #[test]
    fn misses_on_one_file_and_misses_all_over() {
        let mut scattered = vec![Count::new(5, 5); 5];
        scattered.extend(vec![Count::new(4, 5); 5]);
        let scattered = over(&scattered, 5).expect("figures");
        close(Ok(scattered.every_time), 0.5);
        close(Ok(scattered.at_least_once), 1.0);
        let mut one_file = vec![Count::new(5, 5); 9];
        one_file.push(Count::new(0, 5));
        let one_file = over(&one_file, 5).expect("figures");
        close(Ok(one_file.every_time), 0.9);
        close(Ok(one_file.at_least_once), 0.9);
    }

    #[test]
    fn what_was_not_tried_often_enough_is_absent() {
        assert_eq!(pass_at_k(Count::new(0, 0), 1), Err(Absent::TooFewTrials));
        assert_eq!(pass_hat_k(Count::new(2, 3), 4), Err(Absent::TooFewTrials));
        assert_eq!(pass_hat_k(Count::new(2, 3), 0), Err(Absent::TooFewTrials));
        assert_eq!(over(&[], 1), Err(Absent::NoUnits));
        assert_eq!(over(&[Count::new(1, 2), Count::new(1, 1)], 2), Err(Absent::TooFewTrials));
    }

    proptest! {
        #[test]
        fn figures_are_chances_and_k_of_1_is_the_rate(of in 0u64..400, part in 0u64..400, k in 0u64..500) {
            let trials = Count::new(part.min(of), of);
            match (pass_at_k(trials, k), pass_hat_k(trials, k)) {
                (Ok(once), Ok(every)) => {
                    prop_assert!((0.0..=1.0).contains(&once) && (0.0..=1.0).contains(&every));
                    prop_assert!(every <= once + 1e-12);
                    if k == 1 {
                        let rate = trials.rate().expect("not empty");
                        prop_assert!((once - rate).abs() < 1e-9 && (every - rate).abs() < 1e-9);
                    }
                }
                (once, every) => {
                    prop_assert_eq!(once, Err(Absent::TooFewTrials));
                    prop_assert_eq!(every, Err(Absent::TooFewTrials));
                    prop_assert!(k == 0 || k > of);
                }
            }
        }

        /// Without bias: over all ways c can come out of n independent trials, the mean is the true chance.
        #[test]
        fn the_mean_over_all_outcomes_is_the_true_chance(rate in 0.0f64..=1.0, of in 1u64..12, k in 1u64..12) {
            prop_assume!(k <= of);
            let choose = |n: u64, c: u64| (0..c).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>();
            let chance = |c: u64| choose(of, c) * rate.powi(c as i32) * (1.0 - rate).powi((of - c) as i32);
            let mean = |figure: fn(Count, u64) -> Result<f64, Absent>| -> f64 {
                (0..=of).map(|c| chance(c) * figure(Count::new(c, of), k).expect("a figure")).sum()
            };
            prop_assert!((mean(pass_hat_k) - rate.powi(k as i32)).abs() < 1e-9);
            prop_assert!((mean(pass_at_k) - (1.0 - (1.0 - rate).powi(k as i32))).abs() < 1e-9);
        }
    }
}
