//! Exact bounds for a proportion of units that cluster: Clopper-Pearson on the effective number of units.
//!
//! E. L. Korn, B. I. Graubard, "Confidence intervals for proportions with small expected number of positive counts
//! estimated from survey data", Survey Methodology 24 (1998) 193-201. The effective number is
//!
//! n* = n / deff * (t(n - 1) / t(C - 1))^2,
//!
//! for n units in C clusters, where deff is the clustered variance (with C / (C - 1)) over that of as many
//! independent units, p (1 - p) / (n - 1), and t the quantile of Student's distribution at the confidence
//! asked for. So defined, units that stand alone give the plain exact bound. n* is never more than n:
//! clusters more mixed than chance would make them are no reason to believe more. Where the clusters do not
//! vary (all right, all wrong, or all with the same share) the variance says nothing and n* is the number of
//! clusters.
//!
//! That last step has an edge to it: where every cluster is right, n* is C, and a first single miss can raise
//! n* towards n, and the bound with it. With few clusters the bound also promises a little too much
//! (`docs/statistics.md` says how much). Where a decision can be made on whole clusters, as on families, it
//! should be.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::{self, Absent};
use super::cluster::t_quantile;
use super::interval::{Count, Interval, as_f64, exact_lower_of};

/// A proportion of clustered units with its exact bounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClusteredRate {
    /// Units right, of all.
    pub count: Count,
    /// Clusters with at least one unit.
    pub clusters: u64,
    /// Clusters in which every unit is right, of all clusters: counted so, a miss never helps.
    pub whole_clusters: Count,
    /// How many times the variance is that of as many independent units; absent where clusters do not vary.
    pub design_effect: Option<f64>,
    /// How many independent units the bounds below count, 0 to the number of units.
    pub effective_units: f64,
    /// The one-sided lower bound: what decides.
    pub lower_bound: f64,
    /// The one-sided upper bound.
    pub upper_bound: f64,
    /// The two-sided interval at the same confidence.
    pub interval: Interval,
}

/// Bounds the rate of clustered units: one count for each cluster. Empty clusters do not count.
///
/// # Errors
/// When there are no units, or the confidence is none.
pub fn clustered_rate(clusters: &[Count], confidence: f64) -> Result<ClusteredRate, Absent> {
    absent::confidence(confidence)?;
    let clusters: Vec<Count> = clusters.iter().copied().filter(|count| count.of > 0).collect();
    if clusters.is_empty() {
        return Err(Absent::NoUnits);
    }
    let add = |sum: Option<u64>, more: u64| sum?.checked_add(more);
    let units =
        clusters.iter().map(|count| count.of).fold(Some(0), add).ok_or(Absent::NotFinite)?;
    let right = clusters.iter().map(|count| count.right).sum();
    let count = Count::new(right, units);
    let effect = design_effect(&clusters, count);
    let bounds = |level: f64| -> Result<(f64, Interval), Absent> {
        let of = effective_units(count, clusters.len(), effect, level)?;
        let share = as_f64(right) / as_f64(units);
        let low = exact_lower_of(of * share, of, level);
        let high = 1.0 - exact_lower_of(of * as_f64(count.missed()) / as_f64(units), of, level);
        Ok((of, Interval { low: absent::share(low)?, high: absent::share(high)? }))
    };
    let whole = clusters.iter().filter(|count| count.missed() == 0).count() as u64;
    let (effective_units, one_sided) = bounds(confidence)?;
    let (_, interval) = bounds(1.0 - (1.0 - confidence) / 2.0)?;
    Ok(ClusteredRate {
        count,
        clusters: clusters.len() as u64,
        whole_clusters: Count::new(whole, clusters.len() as u64),
        design_effect: effect,
        effective_units,
        lower_bound: one_sided.low,
        upper_bound: one_sided.high,
        interval,
    })
}

/// The design effect of these clusters; none where they do not vary.
fn design_effect(clusters: &[Count], all: Count) -> Option<f64> {
    let (n, number) = (as_f64(all.of), clusters.len() as f64);
    if all.right == 0 || all.missed() == 0 || clusters.len() < 2 {
        return None;
    }
    if clusters.len() as u64 == all.of {
        return Some(1.0);
    }
    let share = as_f64(all.right) / n;
    let off = |count: &Count| (as_f64(count.right) - share * as_f64(count.of)).powi(2);
    let sum: f64 = clusters.iter().map(off).sum();
    // Shares that are the same but for rounding are the same.
    let same = clusters.iter().all(|count| {
        u128::from(count.right) * u128::from(all.of) == u128::from(all.right) * u128::from(count.of)
    });
    let variance = number / (number - 1.0) * sum / (n * n);
    (!same).then(|| variance * (n - 1.0) / (share * (1.0 - share)))
}

fn effective_units(
    count: Count,
    clusters: usize,
    effect: Option<f64>,
    level: f64,
) -> Result<f64, Absent> {
    let Some(effect) = effect else { return Ok(clusters as f64) };
    let of = as_f64(count.of);
    let (many, few) = (t_quantile(level, of - 1.0)?, t_quantile(level, clusters as f64 - 1.0)?);
    // At a confidence of a half both quantiles are 0, and there is nothing to allow for.
    let freedom = if few.abs() > 1e-9 { (many / few).powi(2) } else { 1.0 };
    Ok((of / effect * freedom).clamp(f64::MIN_POSITIVE, of))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::interval::{clopper_pearson, exact_lower, exact_upper};
    use super::*;

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
    }

    #[test]
    fn units_apart_give_the_plain_bound() {
        for (right, of) in [(92, 93), (142, 150), (59, 59), (0, 7), (3, 9)] {
            let clusters: Vec<_> =
                (0..of).map(|unit| Count::new(u64::from(unit < right), 1)).collect();
            let got = clustered_rate(&clusters, 0.95).expect("a rate");
            let count = Count::new(right, of);
            assert_eq!(Some(got.lower_bound), exact_lower(count, 0.95), "{right} of {of}");
            assert_eq!(Some(got.upper_bound), exact_upper(count, 0.95));
            assert_eq!(Some(got.interval), clopper_pearson(count, 0.95));
        }
    }

    #[test]
    fn without_variance_the_clusters_count() {
        let got = clustered_rate(&[Count::new(4, 4); 59], 0.95).expect("a rate");
        assert_eq!((got.design_effect, got.effective_units), (None, 59.0));
        assert_eq!(Some(got.lower_bound), exact_lower(Count::new(59, 59), 0.95));
        let got = clustered_rate(&[Count::new(3, 4); 20], 0.95).expect("a rate");
        assert_eq!(Some(got.lower_bound), exact_lower(Count::new(15, 20), 0.95));
        let got = clustered_rate(&[Count::new(9, 10)], 0.95).expect("a rate");
        assert_eq!(got.effective_units, 1.0);
    }

    /// Clusters of four that stand or fall together are worth no more than as many units, and less for want of
    /// degrees of freedom: t is 1.6613 with 94 of them and 1.7139 with 23, at 95 %.
    #[test]
    fn clusters_that_stand_or_fall_together() {
        let clusters: Vec<_> = (0..24).map(|n| Count::new(if n < 20 { 4 } else { 0 }, 4)).collect();
        let got = clustered_rate(&clusters, 0.95).expect("a rate");
        let effect = 24.0 / 23.0 * 95.0 / 96.0 * 4.0;
        close(got.design_effect.expect("an effect"), effect, 1e-9);
        close(got.effective_units, 96.0 / effect * (1.6611_f64 / 1.7139).powi(2), 0.01);
        assert!(got.lower_bound < exact_lower(Count::new(20, 24), 0.95).expect("a bound"));
    }

    /// The edge that the module's text speaks of, so that it is known.
    #[test]
    fn a_first_miss_can_raise_the_bound() {
        let mut clusters = [Count::new(4, 4); 20];
        let all_right = clustered_rate(&clusters, 0.95).expect("a rate");
        clusters[0] = Count::new(3, 4);
        let one_miss = clustered_rate(&clusters, 0.95).expect("a rate");
        close(all_right.lower_bound, 0.861, 5e-4);
        close(one_miss.lower_bound, 0.939, 5e-4);
        assert_eq!(all_right.whole_clusters, Count::new(20, 20));
        assert_eq!(one_miss.whole_clusters, Count::new(19, 20));
    }

    #[test]
    fn nothing_has_no_bound() {
        assert_eq!(clustered_rate(&[], 0.95), Err(Absent::NoUnits));
        assert_eq!(clustered_rate(&[Count::new(0, 0)], 0.95), Err(Absent::NoUnits));
        assert_eq!(clustered_rate(&[Count::new(1, 1)], f64::NAN), Err(Absent::BadConfidence));
    }

    proptest! {
        #[test]
        fn bounds_hold_the_rate(
            clusters in proptest::collection::vec((0u64..6, 0u64..6), 0..40),
            level in 0.01f64..0.999,
        ) {
            let clusters: Vec<_> = clusters.into_iter().map(|(a, b)| Count::new(a.min(b), a.max(b))).collect();
            if let Ok(got) = clustered_rate(&clusters, level) {
                let rate = got.count.rate().expect("not empty");
                prop_assert!(0.0 < got.effective_units && got.effective_units <= got.count.of as f64);
                let Interval { low, high } = got.interval;
                prop_assert!(0.0 <= low && low <= high && high <= 1.0);
                if level >= 0.5 {
                    prop_assert!(low <= rate + 1e-9 && rate <= high + 1e-9);
                    prop_assert!(low <= got.lower_bound + 1e-9 && got.upper_bound <= high + 1e-9);
                }
            }
        }
    }
}
