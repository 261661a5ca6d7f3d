//! Why a figure is absent, and the checks that every module makes of what it is given.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why there is no figure. Shown as a fragment of a sentence: "kappa: absent, no units were counted".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Absent {
    /// Nothing was counted.
    #[error("no units were counted")]
    NoUnits,
    /// One unit has no spread.
    #[error("one unit alone says nothing of how units vary")]
    OneUnit,
    /// One cluster has no spread.
    #[error("one cluster alone says nothing of how clusters vary")]
    OneCluster,
    /// Clusters of one unit each, or units that are all alike.
    #[error("the units do not vary in a way that the figure could measure")]
    NoVariation,
    /// Everyone said the same throughout.
    #[error("one label only was used, so agreement cannot be told from chance")]
    OneLabel,
    /// Nothing was rated twice.
    #[error("no unit was rated twice")]
    NotRatedTwice,
    /// The units have different numbers of ratings.
    #[error("the units were not all rated equally often")]
    UnequalRatings,
    /// Rows of different lengths, or a label beyond the last.
    #[error("the table is not as wide as it is high, or its rows differ in length")]
    BadTable,
    /// Two lists that should go together do not.
    #[error("two lists that belong together differ in length")]
    UnequalLengths,
    /// Something that should be between 0 and 1 is not.
    #[error("a share, rate or score lies outside 0 to 1")]
    NotShare,
    /// A confidence, significance or power of 0, of 1, or beyond.
    #[error("a confidence, significance level or power does not lie strictly between 0 and 1")]
    BadConfidence,
    /// NaN, infinite, or so large that a sum is.
    #[error("a value is no finite number, or too large to reckon with")]
    NotFinite,
    /// Below 0 where nothing can be.
    #[error("a value that cannot be negative is")]
    Negative,
    /// More successes than trials, or the like.
    #[error("a part is larger than its whole")]
    PartExceedsWhole,
    /// Nothing came out differently.
    #[error("no unit came out differently, so there is no difference to test")]
    NoneDiffer,
    /// `k` is 0 or exceeds the trials of some case.
    #[error("k is 0, or a case has fewer than k trials")]
    TooFewTrials,
    /// Only failures or only passes.
    #[error(
        "all units are of one kind: some that should fail and some that should pass are needed"
    )]
    OneKind,
    /// catch + pass - 1 is not shown to be above 0.
    #[error(
        "the grader is not shown to tell good from bad: the lower bound of catch rate + pass rate - 1 \
         is not above 0"
    )]
    NotInformative,
    /// Weights that are no shares of one whole.
    #[error("the weights do not add up to 1")]
    BadWeights,
    /// A part of the whole in which nothing was counted.
    #[error("a stratum that has weight has no units")]
    EmptyStratum,
    /// Nothing to tell apart.
    #[error("a difference of 0 cannot be shown by any sample")]
    NoDifference,
    /// Costs of 0.
    #[error("a cost is not above 0")]
    NoCost,
    /// Too many resamples in which the figure could not be computed.
    #[error("too many resamples had no figure of their own")]
    Unstable,
    /// Zero bins, splits, resamples.
    #[error("nothing was asked for: the number of bins, splits or resamples is too small")]
    NothingAsked,
    /// An iterative fit that did not settle.
    #[error("the fit did not settle")]
    NotSettled,
    /// Nothing was or would be flagged.
    #[error("nothing would be flagged")]
    NothingFlagged,
}

/// The value, where it is a finite number.
pub(super) fn finite(value: f64) -> Result<f64, Absent> {
    if value.is_finite() { Ok(value) } else { Err(Absent::NotFinite) }
}

/// The value, where it lies between 0 and 1, both included.
pub(super) fn share(value: f64) -> Result<f64, Absent> {
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(Absent::NotShare) }
}

/// The value, where it lies strictly between 0 and 1.
pub(super) fn confidence(value: f64) -> Result<f64, Absent> {
    if value > 0.0 && value < 1.0 { Ok(value) } else { Err(Absent::BadConfidence) }
}

/// The value, where it is a finite number of at least 0.
pub(super) fn not_negative(value: f64) -> Result<f64, Absent> {
    if finite(value)? < 0.0 { Err(Absent::Negative) } else { Ok(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_a_fragment_of_a_sentence_and_has_a_stable_name() {
        assert_eq!(Absent::NoUnits.to_string(), "no units were counted");
        let name = serde_json::to_string(&Absent::OneLabel).expect("a name");
        assert_eq!(name, "\"one_label\"");
        assert_eq!(serde_json::from_str::<Absent>(&name).expect("a reason"), Absent::OneLabel);
    }

    #[test]
    fn what_is_no_number_passes_no_check() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(finite(value), Err(Absent::NotFinite));
            assert_eq!(not_negative(value), Err(Absent::NotFinite));
            assert_eq!(share(value), Err(Absent::NotShare));
            assert_eq!(confidence(value), Err(Absent::BadConfidence));
        }
        assert_eq!((share(0.0), share(1.0)), (Ok(0.0), Ok(1.0)));
        assert_eq!(confidence(1.0), Err(Absent::BadConfidence));
        assert_eq!(not_negative(-0.5), Err(Absent::Negative));
    }
}
