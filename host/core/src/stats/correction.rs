//! The share of good outputs, corrected for a grader that errs.
//!
//! - The point: (judged good + catch - 1) / (catch + pass - 1). W. J. Rogan, B. Gladen, "Estimating
//!   prevalence from the results of a screening test", American Journal of Epidemiology 107 (1978) 71-76.
//! - The interval: C. Lee et al., "How to correctly report LLM-as-a-judge evaluations", arXiv 2511.21140
//!   (2025), which is that of Z. Lang, J. Reiczigel, "Confidence limits for prevalence of disease adjusted
//!   for estimated sensitivity and specificity", Preventive Veterinary Medicine 113 (2014) 13-22: the
//!   uncertainty of the judged outputs and of both rates of the grader, each count moved a little towards a
//!   half first.
//! - Refused where the lower bound of catch + pass - 1 (W. J. Youden, "Index for rating diagnostic tests", Cancer 3
//!   (1950) 32-35), by Newcombe's interval for two independent proportions, is not above 0: one divides by it.
//!
//! Only for a probability sample of outputs: counts of controls that someone chose say nothing of their share
//! in use. The rates of the grader must have been measured on other outputs than those judged here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::{self, Absent};
use super::difference::{Difference, independent};
use super::interval::{Count, Interval, as_f64, two_sided_z};

/// A share corrected for the grader's errors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Corrected {
    /// Outputs judged good, of all that were judged.
    pub judged_good: Count,
    /// Bad outputs that the grader failed, of all with a known label.
    pub catch: Count,
    /// Good outputs that it passed.
    pub pass: Count,
    /// catch rate + pass rate - 1.
    pub informative: f64,
    /// Its lower bound, above 0.
    pub informative_low: f64,
    /// The share judged good, as it is.
    pub raw: f64,
    /// The corrected share of good outputs, brought into 0 to 1.
    pub corrected: f64,
    /// Its interval. It is centred on an adjusted share, so with small counts it may lie to one side of the
    /// corrected one.
    pub interval: Interval,
}

/// The corrected share, from rates: not brought into 0 to 1, so that it may be seen to lie outside.
///
/// # Errors
/// When a rate lies outside 0 to 1, or catch + pass - 1 is not above 0.
pub fn rogan_gladen(judged_good: f64, catch: f64, pass: f64) -> Result<f64, Absent> {
    for rate in [judged_good, catch, pass] {
        absent::share(rate)?;
    }
    let informative = catch + pass - 1.0;
    if informative <= 0.0 {
        return Err(Absent::NotInformative);
    }
    absent::finite((judged_good + catch - 1.0) / informative)
}

/// The corrected share with the adjusted interval of Lee et al., at a two-sided confidence.
///
/// # Errors
/// When any count is empty, the confidence is none, or the grader is not shown to tell good from bad.
pub fn corrected_share(
    judged_good: Count,
    catch: Count,
    pass: Count,
    confidence: f64,
) -> Result<Corrected, Absent> {
    let missed = Count::new(pass.missed(), pass.of);
    let Difference { difference, low, .. } = independent(catch, missed, confidence)?;
    if low <= 0.0 {
        return Err(Absent::NotInformative);
    }
    let rate = |count: Count| count.rate().ok_or(Absent::NoUnits);
    let raw = rate(judged_good)?;
    let corrected = rogan_gladen(raw, rate(catch)?, rate(pass)?)?.clamp(0.0, 1.0);
    let interval = adjusted_interval(judged_good, catch, pass, two_sided_z(confidence))?;
    Ok(Corrected {
        judged_good,
        catch,
        pass,
        informative: difference,
        informative_low: low,
        raw,
        corrected,
        interval,
    })
}

/// A rate moved towards a half by `added` units, half of them successes, with its variance.
fn moved(count: Count, added: f64) -> (f64, f64, f64) {
    let of = as_f64(count.of) + added;
    let rate = (as_f64(count.right) + added / 2.0) / of;
    (rate, of, rate * (1.0 - rate) / of)
}

fn adjusted_interval(judged: Count, catch: Count, pass: Count, z: f64) -> Result<Interval, Absent> {
    let (p, _, of_p) = moved(judged, z * z);
    let (caught, _, of_caught) = moved(catch, 2.0);
    let (passed, _, of_passed) = moved(pass, 2.0);
    let informative = caught + passed - 1.0;
    if informative <= 0.0 {
        return Err(Absent::NotInformative);
    }
    let share = (p + caught - 1.0) / informative;
    let shift = 2.0 * z * z * (share * of_passed - (1.0 - share) * of_caught);
    let variance = of_p + (1.0 - share).powi(2) * of_caught + share.powi(2) * of_passed;
    let half = z * variance.sqrt() / informative;
    let end = |value: f64| absent::finite(value).map(|value| value.clamp(0.0, 1.0));
    Ok(Interval { low: end(share + shift - half)?, high: end(share + shift + half)? })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() <= tolerance, "got {got}, want {want}");
    }

    /// The inputs of the README of the authors' repository, LLM-judge-reporting, and its formula.
    #[test]
    fn published_values() {
        close(rogan_gladen(0.4, 0.7, 0.9).expect("a share"), 0.166_666_666_666_666_8, 1e-12);
        let (judged, catch, pass) =
            (Count::new(400, 1000), Count::new(140, 200), Count::new(180, 200));
        let got = corrected_share(judged, catch, pass, 0.95).expect("a share");
        close(got.corrected, 0.166_666_666_666_666_8, 1e-12);
        close(got.interval.low, 0.056_350_724_841_608_94, 1e-6);
        close(got.interval.high, 0.262_733_025_785_958_8, 1e-6);
        close(got.informative, 0.6, 1e-12);
    }

    #[test]
    fn a_grader_that_tells_nothing_corrects_nothing() {
        let judged = Count::new(400, 1000);
        let of = |catch, pass| corrected_share(judged, catch, pass, 0.95);
        assert_eq!(of(Count::new(5, 10), Count::new(5, 10)), Err(Absent::NotInformative));
        // Better than chance, and not shown to be.
        assert_eq!(of(Count::new(6, 10), Count::new(6, 10)), Err(Absent::NotInformative));
        assert_eq!(of(Count::new(0, 0), Count::new(6, 10)), Err(Absent::NoUnits));
        assert!(of(Count::new(10, 10), Count::new(10, 10)).is_ok());
        let none = corrected_share(Count::new(0, 0), Count::new(9, 9), Count::new(9, 9), 0.95);
        assert_eq!(none, Err(Absent::NoUnits));
        assert_eq!(rogan_gladen(0.5, 0.5, 0.5), Err(Absent::NotInformative));
        assert_eq!(rogan_gladen(f64::NAN, 0.5, 0.9), Err(Absent::NotShare));
    }

    proptest! {
        #[test]
        fn shares_are_shares_or_absent(
            counts in proptest::array::uniform3((0u64..400, 0u64..400)),
            level in 0.5f64..0.999,
        ) {
            let [judged, catch, pass] = counts.map(|(a, b)| Count::new(a.min(b), a.max(b)));
            if let Ok(got) = corrected_share(judged, catch, pass, level) {
                prop_assert!((0.0..=1.0).contains(&got.corrected) && got.informative_low > 0.0);
                prop_assert!(0.0 <= got.interval.low && got.interval.low <= got.interval.high);
                prop_assert!(got.interval.high <= 1.0);
            }
        }
    }
}
