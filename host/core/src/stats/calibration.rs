//! Do scores mean what they say? A score is the probability, 0 to 1, that a unit should fail.
//!
//! - Brier score, the mean of (score - outcome)^2: G. W. Brier, "Verification of forecasts expressed in terms of
//!   probability", Monthly Weather Review 78 (1950) 1-3. 0 is perfect; always saying a half gives 0.25.
//! - Calibration curve: units in bins of equal width by score; in each, the mean score beside the share that
//!   should have failed. A. H. Murphy, R. L. Winkler, "Reliability of subjective probability forecasts of
//!   precipitation and temperature", Applied Statistics 26 (1977) 41-47. Units of one cluster go together, so the
//!   share has the exact interval on what the bin's units are worth ([`super::effective`]).
//! - Expected calibration error, the mean gap between the two weighed by units, and the largest gap: M. P.
//!   Naeini, G. F. Cooper, M. Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning",
//!   AAAI 2015, 2901-2907. It depends on the bins, and small samples raise it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::{self, Absent};
use super::effective::clustered_rate;
use super::interval::{Count, Interval};

/// A unit with a score and a known label.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The probability, 0 to 1, that it should fail.
    pub score: f64,
    /// Whether it should fail.
    pub bad: bool,
    /// Units that came about together have the same number. Splits keep them together.
    pub cluster: usize,
}

/// How scores and labels go together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calibration {
    /// Units that should fail, of all that have a score.
    pub bad: Count,
    /// The Brier score, 0 (perfect) to 1.
    pub brier: f64,
    /// The Brier score of giving every unit the share that should fail: what a score must beat.
    pub brier_of_share: f64,
    /// The expected calibration error, 0 to 1.
    pub expected_error: f64,
    /// The largest gap of any bin, 0 to 1.
    pub largest_error: f64,
    /// The calibration curve: the bins that hold units, by rising score.
    pub bins: Vec<Bin>,
}

/// One bin of the calibration curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bin {
    /// The lowest score of the bin, included.
    pub from: f64,
    /// The highest, excluded but for the last bin.
    pub to: f64,
    /// The mean score of its units.
    pub mean_score: f64,
    /// Units that should fail, of the bin's.
    pub bad: Count,
    /// Clusters that these units are of.
    pub clusters: u64,
    /// How many independent units the interval counts.
    pub effective_units: f64,
    /// The exact interval of that share, on the effective number of units.
    pub interval: Interval,
}

/// The Brier score.
///
/// # Errors
/// When there are no units, or a score lies outside 0 to 1.
pub fn brier(units: &[Scored]) -> Result<f64, Absent> {
    if units.is_empty() {
        return Err(Absent::NoUnits);
    }
    let mut sum = 0.0;
    for unit in units {
        sum += (absent::share(unit.score)? - f64::from(u8::from(unit.bad))).powi(2);
    }
    Ok(sum / units.len() as f64)
}

/// Brier score, calibration curve in `bins` bins of equal width, and calibration error; intervals at a two-sided
/// confidence.
///
/// # Errors
/// When there are no units or bins, a score lies outside 0 to 1, or the confidence is none.
pub fn calibration(units: &[Scored], bins: usize, confidence: f64) -> Result<Calibration, Absent> {
    let brier = brier(units)?;
    let bins = curve(units, bins, absent::confidence(confidence)?)?;
    let n = units.len() as f64;
    let gap = |bin: &Bin| (bin.bad.rate().unwrap_or(bin.mean_score) - bin.mean_score).abs();
    let bad = Count::new(units.iter().filter(|unit| unit.bad).count() as u64, units.len() as u64);
    let share = bad.rate().ok_or(Absent::NoUnits)?;
    Ok(Calibration {
        bad,
        brier,
        brier_of_share: share * (1.0 - share),
        expected_error: bins.iter().map(|bin| gap(bin) * bin.bad.of as f64 / n).sum(),
        largest_error: bins.iter().map(gap).fold(0.0, f64::max),
        bins,
    })
}

fn curve(units: &[Scored], bins: usize, confidence: f64) -> Result<Vec<Bin>, Absent> {
    if bins == 0 {
        return Err(Absent::NothingAsked);
    }
    let of = |unit: &Scored| ((unit.score * bins as f64) as usize).min(bins - 1);
    let mut sorted: Vec<(usize, &Scored)> = units.iter().map(|unit| (of(unit), unit)).collect();
    sorted.sort_by(|(one, a), (other, b)| one.cmp(other).then(a.score.total_cmp(&b.score)));
    let mut curve = Vec::new();
    for held in sorted.chunk_by(|(one, _), (other, _)| one == other) {
        let place = held[0].0 as f64;
        let bad = held.iter().filter(|(_, unit)| unit.bad).count() as u64;
        let bad = Count::new(bad, held.len() as u64);
        let sum: f64 = held.iter().map(|(_, unit)| unit.score).sum();
        let rate = clustered_rate(&by_cluster(held.iter().map(|(_, unit)| *unit)), confidence)?;
        curve.push(Bin {
            from: place / bins as f64,
            to: (place + 1.0) / bins as f64,
            mean_score: sum / held.len() as f64,
            bad,
            clusters: rate.clusters,
            effective_units: rate.effective_units,
            interval: rate.interval,
        });
    }
    Ok(curve)
}

/// Bad units of all, cluster by cluster.
fn by_cluster<'a>(units: impl Iterator<Item = &'a Scored>) -> Vec<Count> {
    let mut clusters: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
    for unit in units {
        let (bad, of) = clusters.entry(unit.cluster).or_default();
        *bad += u64::from(unit.bad);
        *of += 1;
    }
    clusters.into_values().map(|(bad, of)| Count::new(bad, of)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
    }

    fn units(scores: &[f64], bad: &[u8]) -> Vec<Scored> {
        let unit = |(score, bad): (&f64, &u8)| Scored { score: *score, bad: *bad == 1, cluster: 0 };
        scores.iter().zip(bad).map(unit).collect()
    }

    #[test]
    fn published_values() {
        // scikit-learn's brier_score_loss.
        close(brier(&units(&[0.1, 0.9, 0.8, 0.3], &[0, 1, 1, 0])).expect("a score"), 0.0375, 1e-12);
        // Scores of .9, .1 and .2 on bad, good and bad.
        close(brier(&units(&[0.9, 0.1, 0.2], &[1, 0, 1])).expect("a score"), 0.22, 1e-12);
        // torchmetrics' BinaryCalibrationError.
        let units = units(&[0.25, 0.25, 0.55, 0.75, 0.75], &[0, 0, 1, 1, 1]);
        let got = calibration(&units, 2, 0.95).expect("a curve");
        close(got.expected_error, 0.29, 1e-9);
        close(got.largest_error, 0.316_666_666_7, 1e-9);
        assert_eq!(got.bins.len(), 2);
        assert_eq!(
            (got.bins[1].from, got.bins[1].to, got.bins[1].bad),
            (0.5, 1.0, Count::new(3, 3))
        );
    }

    #[test]
    fn a_score_of_1_falls_into_the_last_bin_and_empty_bins_are_left_out() {
        let got = calibration(&units(&[1.0, 0.0, 0.95], &[1, 0, 0]), 10, 0.95).expect("a curve");
        let bins: Vec<_> = got.bins.iter().map(|bin| (bin.from, bin.bad)).collect();
        assert_eq!(bins, [(0.0, Count::new(0, 1)), (0.9, Count::new(1, 2))]);
    }

    /// Ten units of the same cluster that all came out alike are worth one.
    #[test]
    fn units_that_cluster_are_worth_fewer() {
        let unit = |at: usize, clusters: usize| Scored {
            score: 0.5,
            bad: at % clusters < clusters / 2,
            cluster: at % clusters,
        };
        let of = |clusters: usize| {
            let units: Vec<_> = (0..100).map(|at| unit(at, clusters)).collect();
            calibration(&units, 10, 0.95).expect("a curve").bins[0]
        };
        let (apart, together) = (of(100), of(10));
        assert_eq!((apart.bad, apart.clusters), (together.bad, 100));
        assert_eq!(together.clusters, 10);
        close(apart.effective_units, 100.0, 1e-9);
        assert!(together.effective_units < 10.0, "{together:?}");
        let exact = crate::stats::interval::clopper_pearson(apart.bad, 0.95).expect("counted");
        close(apart.interval.low, exact.low, 1e-9);
        assert!(together.interval.low < exact.low && exact.high < together.interval.high);
        assert_eq!(of(1).effective_units, 1.0);
    }

    #[test]
    fn what_has_no_score_says_why() {
        assert_eq!(brier(&[]), Err(Absent::NoUnits));
        assert_eq!(brier(&units(&[1.1], &[1])), Err(Absent::NotShare));
        assert_eq!(brier(&units(&[f64::NAN], &[1])), Err(Absent::NotShare));
        assert_eq!(calibration(&units(&[0.5], &[1]), 0, 0.95), Err(Absent::NothingAsked));
        assert_eq!(calibration(&units(&[0.5], &[1]), 3, 1.0), Err(Absent::BadConfidence));
    }

    proptest! {
        #[test]
        fn figures_are_in_range(
            pairs in proptest::collection::vec((0.0f64..=1.0, any::<bool>()), 1..60),
            bins in 1usize..40,
        ) {
            let units: Vec<_> =
                pairs.into_iter().map(|(score, bad)| Scored { score, bad, cluster: 0 }).collect();
            let got = calibration(&units, bins, 0.95).expect("a curve");
            prop_assert!((0.0..=1.0).contains(&got.brier));
            prop_assert!(0.0 <= got.expected_error && got.expected_error <= got.largest_error + 1e-12);
            prop_assert!(got.largest_error <= 1.0 + 1e-12);
            prop_assert_eq!(got.bins.iter().map(|bin| bin.bad.of).sum::<u64>(), units.len() as u64);
            for bin in &got.bins {
                prop_assert!(bin.from <= bin.mean_score + 1e-12 && bin.mean_score <= bin.to + 1e-12);
            }
        }
    }
}
