//! Units that came about together (answers to one question, say) are worth less than as many apart.
//!
//! - The clustered standard error of a mean: the root of the sum over clusters of (sum of the deviations in the
//!   cluster)^2, divided by n. K.-Y. Liang, S. L. Zeger, "Longitudinal data analysis using generalized linear
//!   models", Biometrika 73 (1986) 13-22; for evaluations E. Miller, "Adding error bars to evals", arXiv 2411.00640
//!   (2024), appendix A.
//! - Small samples: that standard error is too small where clusters are few. [`Correction::Clusters`]
//!   multiplies the variance by C / (C - 1), for C clusters (A. C. Cameron, D. L. Miller, "A practitioner's
//!   guide to cluster-robust inference", Journal of Human Resources 50 (2015) 317-372, section VI), and the
//!   interval takes the t distribution with C - 1 degrees of freedom.
//! - The design effect, 1 + (m - 1) * icc, and the effective number of units, n / design effect: L. Kish, "Survey
//!   sampling" (1965), section 5.4.
//! - The intra-class correlation from one-way analysis of variance: A. Donner, "A review of inference
//!   procedures for the intraclass correlation coefficient in the one-way random effects model",
//!   International Statistical Review 54 (1986) 67-82.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::absent::{self, Absent};
use super::interval::Span;

/// What is done about a small number of clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// Nothing, as in Miller (2024).
    None,
    /// The variance is multiplied by C / (C - 1), for C clusters.
    Clusters,
}

/// A mean of clustered values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClusteredMean {
    /// The mean of all units, in the unit of the values.
    pub mean: f64,
    /// Units.
    pub units: u64,
    /// Clusters with at least one unit.
    pub clusters: u64,
    /// What was done about a small number of clusters.
    pub correction: Correction,
    /// The clustered standard error; absent where clusters do not vary, since that is no proof of certainty.
    pub se: Option<f64>,
    /// The standard error of as many independent units; absent where no unit varies.
    pub independent_se: Option<f64>,
    /// How many times the variance is that of as many independent units, with the correction for clusters; absent
    /// with either error.
    pub design_effect: Option<f64>,
    /// The interval of the mean, by the t distribution with one degree of freedom less than clusters; absent with
    /// the standard error.
    pub interval: Option<Span>,
}

/// The mean of values in clusters, with its interval at a two-sided confidence. Empty clusters do not count.
///
/// # Errors
/// When there are no units or one cluster only, a value is no finite number, or the confidence is none.
pub fn clustered_mean(
    clusters: &[Vec<f64>],
    correction: Correction,
    confidence: f64,
) -> Result<ClusteredMean, Absent> {
    absent::confidence(confidence)?;
    let Sums { n, count, mean, within_clusters, of_units } = Sums::of(clusters)?;
    let enlarged = count / (count - 1.0);
    let variance = within_clusters / (n * n);
    let corrected = match correction {
        Correction::None => variance,
        Correction::Clusters => variance * enlarged,
    };
    let independent = of_units / (n * (n - 1.0));
    let some = |variance: f64| (variance > 0.0 && variance.is_finite()).then(|| variance.sqrt());
    let t = t_quantile(1.0 - (1.0 - confidence) / 2.0, count - 1.0)?;
    let se = some(corrected);
    let design_effect = se.and(some(independent)).map(|_| variance * enlarged / independent);
    Ok(ClusteredMean {
        mean,
        units: n as u64,
        clusters: count as u64,
        correction,
        se,
        independent_se: some(independent),
        design_effect: design_effect.filter(|effect| effect.is_finite()),
        interval: se.map(|se| Span { low: mean - t * se, high: mean + t * se }),
    })
}

/// The sums that the errors are made of.
struct Sums {
    n: f64,
    count: f64,
    mean: f64,
    /// The sum over clusters of the squared sum of deviations.
    within_clusters: f64,
    /// The sum over units of the squared deviation.
    of_units: f64,
}

impl Sums {
    fn of(clusters: &[Vec<f64>]) -> Result<Self, Absent> {
        let filled = || clusters.iter().filter(|cluster| !cluster.is_empty());
        let (n, count) = (filled().flatten().count() as f64, filled().count() as f64);
        if n < 1.0 {
            return Err(Absent::NoUnits);
        }
        if count < 2.0 {
            return Err(Absent::OneCluster);
        }
        let mean = absent::finite(filled().flatten().sum::<f64>() / n)?;
        let deviation = |cluster: &Vec<f64>| cluster.iter().map(|value| value - mean).sum::<f64>();
        let within_clusters = filled().map(|cluster| deviation(cluster).powi(2)).sum();
        let of_units = filled().flatten().map(|value| (value - mean).powi(2)).sum();
        Ok(Self {
            n,
            count,
            mean,
            within_clusters: absent::finite(within_clusters)?,
            of_units: absent::finite(of_units)?,
        })
    }
}

/// The quantile of Student's t distribution, for `p` strictly between 0 and 1 and at least one degree of freedom.
pub(super) fn t_quantile(p: f64, freedom: f64) -> Result<f64, Absent> {
    let t = StudentsT::new(0.0, 1.0, freedom).map_err(|_| Absent::OneCluster)?;
    absent::finite(t.inverse_cdf(p))
}

/// How many times the variance grows when units come in clusters of this mean size (at least 1) whose members
/// correlate by `icc` (-1 to 1).
///
/// # Errors
/// When the size is below 1 or no finite number, the correlation is out of range, or so far below 0 that
/// clusters of this size cannot have it.
pub fn design_effect(mean_size: f64, icc: f64) -> Result<f64, Absent> {
    absent::share(icc.abs())?;
    absent::not_negative(mean_size - 1.0)?;
    let effect = absent::finite(1.0 + (mean_size - 1.0) * icc)?;
    if effect > 0.0 { Ok(effect) } else { Err(Absent::NoVariation) }
}

/// How many independent units as many clustered units are worth.
///
/// # Errors
/// When there are no units, or the design effect is not above 0.
pub fn effective_units(units: u64, design_effect: f64) -> Result<f64, Absent> {
    if units == 0 {
        return Err(Absent::NoUnits);
    }
    if absent::not_negative(design_effect)? == 0.0 {
        return Err(Absent::NoVariation);
    }
    absent::finite(units as f64 / design_effect)
}

/// The intra-class correlation of values in clusters, by one-way analysis of variance: at most 1; below 0 where
/// clusters are more mixed than chance would make them.
///
/// # Errors
/// When there are no units, one cluster only, no cluster with two units, a value is no finite number, or
/// nothing varies.
pub fn intraclass_correlation(clusters: &[Vec<f64>]) -> Result<f64, Absent> {
    let Sums { n, count, mean, of_units, .. } = Sums::of(clusters)?;
    if n <= count {
        return Err(Absent::NoVariation);
    }
    let filled = || clusters.iter().filter(|cluster| !cluster.is_empty());
    let size = |cluster: &Vec<f64>| cluster.len() as f64;
    let of_mean = |cluster: &Vec<f64>| cluster.iter().sum::<f64>() / size(cluster) - mean;
    let between: f64 = filled().map(|cluster| size(cluster) * of_mean(cluster).powi(2)).sum();
    let squared_sizes: f64 = filled().map(|cluster| size(cluster).powi(2)).sum();
    let usual_size = (n - squared_sizes / n) / (count - 1.0);
    let (among, inside) = (between / (count - 1.0), (of_units - between).max(0.0) / (n - count));
    let whole = among + (usual_size - 1.0) * inside;
    if whole > 0.0 {
        absent::finite(((among - inside) / whole).clamp(-1.0, 1.0))
    } else {
        Err(Absent::NoVariation)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
    }

    fn clusters() -> Vec<Vec<f64>> {
        vec![vec![1., 1., 1.], vec![0., 0., 0.], vec![1., 0., 1.], vec![1., 1., 1.]]
    }

    /// Miller (2024), appendix A; and with C / (C - 1), as inspect_ai's _metrics/std.py has it.
    #[test]
    fn published_values() {
        let got = clustered_mean(&clusters(), Correction::None, 0.95).expect("a mean");
        close(got.mean, 8.0 / 12.0, 1e-12);
        close(got.se.expect("an error"), 0.204_124_145_231_931_48, 1e-9);
        close(got.independent_se.expect("an error"), 0.142_133_810_903_740_3, 1e-9);
        let got = clustered_mean(&clusters(), Correction::Clusters, 0.95).expect("a mean");
        close(got.se.expect("an error"), 0.235_702_260_395_515_87, 1e-9);
        close(got.design_effect.expect("an effect"), 2.75, 1e-9);
        // t with 3 degrees of freedom is 3.182446 at 97.5 %.
        close(got.interval.expect("an interval").high - got.mean, 3.182_446 * 0.235_702_26, 1e-5);
    }

    /// Against scipy 1.17.
    #[test]
    fn quantiles_of_student() {
        for (p, freedom, want) in [
            (0.975, 1.0, 12.706_204_736_174_694),
            (0.975, 3.0, 3.182_446_305_283_707_8),
            (0.95, 95.0, 1.661_051_817_277_241),
            (0.999, 2.0, 22.327_124_770_119_866),
        ] {
            close(t_quantile(p, freedom).expect("a quantile"), want, 1e-6);
        }
    }

    #[test]
    fn what_clusters_are_worth() {
        close(design_effect(5.0, 0.3).expect("an effect"), 2.2, 1e-9);
        // 300 units in 75 groups of 4, correlation 0.3.
        let effect = design_effect(4.0, 0.3).expect("an effect");
        close(effect, 1.9, 1e-9);
        close(effective_units(300, effect).expect("units").round(), 158.0, 0.0);
        assert_eq!(design_effect(5.0, -0.25), Err(Absent::NoVariation));
        assert_eq!(design_effect(0.5, 0.2), Err(Absent::Negative));
        assert_eq!(design_effect(5.0, f64::NAN), Err(Absent::NotShare));
        assert_eq!(effective_units(0, 1.0), Err(Absent::NoUnits));
        assert_eq!(effective_units(1, 0.0), Err(Absent::NoVariation));
    }

    /// By hand: between 8/3 - 2/3 over 3, within 2/3 over 8, sizes of 3.
    #[test]
    fn the_correlation_within_clusters() {
        let (among, inside) = (2.0 / 3.0, 1.0 / 12.0);
        let want = (among - inside) / (among + 2.0 * inside);
        close(intraclass_correlation(&clusters()).expect("a correlation"), want, 1e-9);
        assert_eq!(intraclass_correlation(&[vec![1.], vec![2.]]), Err(Absent::NoVariation));
        assert_eq!(intraclass_correlation(&[vec![1., 1.], vec![1.]]), Err(Absent::NoVariation));
    }

    #[test]
    fn what_cannot_be_said_says_why() {
        let of = |clusters: &[Vec<f64>]| clustered_mean(clusters, Correction::None, 0.95);
        assert_eq!(of(&[]), Err(Absent::NoUnits));
        assert_eq!(of(&[vec![], vec![]]), Err(Absent::NoUnits));
        assert_eq!(of(&[vec![1., 2.], vec![]]), Err(Absent::OneCluster));
        assert_eq!(of(&[vec![1.], vec![f64::NAN]]), Err(Absent::NotFinite));
        assert_eq!(of(&[vec![1e308], vec![1e308]]), Err(Absent::NotFinite));
        let alike = of(&[vec![1., 1.], vec![1.]]).expect("a mean");
        assert_eq!((alike.se, alike.design_effect, alike.interval), (None, None, None));
        let balanced = of(&[vec![1., 0.], vec![0., 1.]]).expect("a mean");
        assert_eq!((balanced.se, balanced.design_effect), (None, None));
    }

    proptest! {
        #[test]
        fn any_numbers_do_no_harm(
            clusters in proptest::collection::vec(proptest::collection::vec(proptest::num::f64::ANY, 0..4), 0..6),
            small in proptest::collection::vec(proptest::collection::vec(0u8..3, 0..5), 0..9),
        ) {
            let small = small.into_iter().map(|values| values.into_iter().map(f64::from).collect()).collect();
            for clusters in [clusters, small] {
                if let Ok(got) = clustered_mean(&clusters, Correction::Clusters, 0.9) {
                    prop_assert!(got.mean.is_finite());
                    prop_assert!(got.se.is_none_or(|se| se.is_finite() && se > 0.0));
                    prop_assert!(got.design_effect.is_none_or(f64::is_finite));
                    prop_assert!(got.interval.is_none_or(|span| span.low <= span.high));
                }
                if let Ok(icc) = intraclass_correlation(&clusters) {
                    prop_assert!((-1.0..=1.0).contains(&icc));
                }
            }
        }

        /// With one unit a cluster, and the correction, the clustered error is the textbook's.
        #[test]
        fn units_apart_are_independent(values in proptest::collection::vec(-9.0f64..9.0, 2..40)) {
            let clusters: Vec<_> = values.iter().map(|value| vec![*value]).collect();
            let got = clustered_mean(&clusters, Correction::Clusters, 0.95).expect("a mean");
            if let (Some(se), Some(independent)) = (got.se, got.independent_se) {
                prop_assert!((se - independent).abs() < 1e-9);
                prop_assert!((got.design_effect.expect("an effect") - 1.0).abs() < 1e-6);
            }
        }
    }
}
