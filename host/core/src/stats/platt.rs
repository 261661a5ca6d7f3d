//! Platt's scaling: the probability that a unit should fail, as a logistic curve of its score.
//!
//! P(bad | score) = 1 / (1 + exp(a * score + b)): J. C. Platt, "Probabilistic outputs for support vector
//! machines and comparisons to regularized likelihood methods", in: Advances in large margin classifiers
//! (1999) 61-74, with his targets (N+ + 1) / (N+ + 2) and 1 / (N- + 2) in place of 1 and 0; fitted by
//! Newton's method as in H.-T. Lin, C.-J. Lin, R. C. Weng, "A note on Platt's probabilistic outputs for
//! support vector machines", Machine Learning 68 (2007) 267-276. A negative `a` means that higher scores make
//! failure likelier.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::{self, Absent};

/// A fitted curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Platt {
    /// The slope, per unit of score; negative where higher scores make failure likelier.
    pub a: f64,
    /// The offset.
    pub b: f64,
}

impl Platt {
    /// The probability, 0 to 1, that a unit with this score should fail.
    #[must_use]
    pub fn probability(&self, score: f64) -> f64 {
        logistic(-(self.a * score + self.b))
    }

    /// The score from which on a unit is at least as likely as this to be bad. `None` where higher scores do not
    /// make failure likelier, or the probability is 0 or 1.
    #[must_use]
    pub fn score_at(&self, probability: f64) -> Option<f64> {
        let inside = probability > 0.0 && probability < 1.0 && self.a < 0.0;
        let score = (((1.0 - probability) / probability).ln() - self.b) / self.a;
        (inside && score.is_finite()).then_some(score)
    }
}

/// Fits the curve to pairs of a score and whether the unit should fail.
///
/// # Errors
/// When all units are of one kind, all scores are the same, a score is no finite number or beyond 10^6, or the fit
/// does not settle.
pub fn fit(units: &[(f64, bool)]) -> Result<Platt, Absent> {
    for (score, _) in units {
        if !absent::finite(*score).is_ok_and(|score| score.abs() <= 1e6) {
            return Err(Absent::NotFinite);
        }
    }
    let bad = units.iter().filter(|(_, bad)| *bad).count() as f64;
    let good = units.len() as f64 - bad;
    let first = units.first().ok_or(Absent::NoUnits)?.0;
    if bad == 0.0 || good == 0.0 {
        return Err(Absent::OneKind);
    }
    if units.iter().all(|(score, _)| *score == first) {
        return Err(Absent::NoVariation);
    }
    let (high, low) = ((bad + 1.0) / (bad + 2.0), 1.0 / (good + 2.0));
    let targets: Vec<(f64, f64)> =
        units.iter().map(|(score, bad)| (*score, if *bad { high } else { low })).collect();
    descend(&targets, Platt { a: 0.0, b: ((good + 1.0) / (bad + 1.0)).ln() })
}

/// Newton's method with step halving; the loss is convex.
fn descend(targets: &[(f64, f64)], start: Platt) -> Result<Platt, Absent> {
    let mut at = start;
    let mut value = loss(targets, at);
    for _ in 0..200 {
        let Slope { a, b, aa, ab, bb } = Slope::of(targets, at);
        if a.abs() < 1e-10 && b.abs() < 1e-10 {
            return Ok(at);
        }
        let determinant = aa * bb - ab * ab;
        let step =
            Platt { a: -(bb * a - ab * b) / determinant, b: -(aa * b - ab * a) / determinant };
        let falls = a * step.a + b * step.b;
        let mut size = 1.0;
        loop {
            let next = Platt { a: at.a + size * step.a, b: at.b + size * step.b };
            let lower = loss(targets, next);
            if lower < value + 1e-4 * size * falls {
                (at, value) = (next, lower);
                break;
            }
            size /= 2.0;
            if size < 1e-10 {
                // No step lowers the loss any more: this is the bottom, as far as numbers can tell.
                return if a.abs().max(b.abs()) < 1e-4 { Ok(at) } else { Err(Absent::NotSettled) };
            }
        }
    }
    Err(Absent::NotSettled)
}

fn loss(targets: &[(f64, f64)], at: Platt) -> f64 {
    let of = |(score, target): &(f64, f64)| {
        let x = at.a * score + at.b;
        if x >= 0.0 {
            target * x + (-x).exp().ln_1p()
        } else {
            (target - 1.0) * x + x.exp().ln_1p()
        }
    };
    targets.iter().map(of).sum()
}

/// First and second derivatives of the loss.
struct Slope {
    a: f64,
    b: f64,
    aa: f64,
    ab: f64,
    bb: f64,
}

impl Slope {
    fn of(targets: &[(f64, f64)], at: Platt) -> Self {
        // The smallest curvature, so that the matrix can be inverted.
        let mut slope = Self { a: 0.0, b: 0.0, aa: 1e-12, ab: 0.0, bb: 1e-12 };
        for (score, target) in targets {
            let bad = at.probability(*score);
            let (off, curve) = (target - bad, bad * (1.0 - bad));
            slope.a += score * off;
            slope.b += off;
            slope.aa += score * score * curve;
            slope.ab += score * curve;
            slope.bb += curve;
        }
        slope
    }
}

fn logistic(x: f64) -> f64 {
    if x >= 0.0 { 1.0 / (1.0 + (-x).exp()) } else { x.exp() / (1.0 + x.exp()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// scikit-learn's test_calibration.py, from libsvm; to more digits by scikit-learn itself.
    #[test]
    fn published_values() {
        let got = fit(&[(5.0, true), (-4.0, false), (1.0, false)]).expect("a curve");
        assert!((got.a - -0.202_613_543_911_878_55).abs() < 1e-5, "{got:?}");
        assert!((got.b - 0.652_363_149_800_105_1).abs() < 1e-5, "{got:?}");
    }

    #[test]
    fn the_score_of_a_probability() {
        let curve = Platt { a: -2.0, b: 1.0 };
        let score = curve.score_at(0.3).expect("a score");
        assert!((curve.probability(score) - 0.3).abs() < 1e-12);
        assert_eq!(Platt { a: 2.0, b: 1.0 }.score_at(0.3), None);
        assert_eq!(Platt { a: 0.0, b: 1.0 }.score_at(0.3), None);
        assert_eq!(curve.score_at(1.0), None);
    }

    #[test]
    fn what_cannot_be_fitted_says_why() {
        assert_eq!(fit(&[]), Err(Absent::NoUnits));
        assert_eq!(fit(&[(0.1, true), (0.2, true)]), Err(Absent::OneKind));
        assert_eq!(fit(&[(0.1, true), (0.1, false)]), Err(Absent::NoVariation));
        assert_eq!(fit(&[(0.1, true), (f64::NAN, false)]), Err(Absent::NotFinite));
        assert_eq!(fit(&[(0.1, true), (1e7, false)]), Err(Absent::NotFinite));
    }

    proptest! {
        #[test]
        fn a_curve_gives_probabilities(units in proptest::collection::vec((0.0f64..=1.0, any::<bool>()), 0..60)) {
            match fit(&units) {
                Ok(curve) => {
                    prop_assert!(curve.a.is_finite() && curve.b.is_finite());
                    for (score, _) in &units {
                        prop_assert!((0.0..=1.0).contains(&curve.probability(*score)));
                    }
                }
                Err(reason) => prop_assert!(
                    [Absent::NoUnits, Absent::OneKind, Absent::NoVariation].contains(&reason), "{}", reason
                ),
            }
        }

        #[test]
        fn any_scores_do_no_harm(units in proptest::collection::vec((-1e6f64..1e6, any::<bool>()), 0..20)) {
            if let Ok(curve) = fit(&units) {
                prop_assert!(curve.a.is_finite() && curve.b.is_finite());
            }
        }
    }
}
