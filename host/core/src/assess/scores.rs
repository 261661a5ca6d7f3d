//! What a grader's scores are worth: whether they mean what they say, and the threshold that stated costs ask for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::known::Known;
use super::output::{Families, Output};
use super::rates::SideRate;
use super::{SEED, Terms};
use crate::stats::calibration::{Calibration, Scored, calibration};
use crate::stats::interval::Count;
use crate::stats::platt::{Platt, fit};
use crate::stats::threshold::{Bar, Study, Thresholds, thresholds_by};
use crate::stats::workload::Costs;
use crate::verdict::Verdict;

/// Bins of the calibration curve.
const BINS: usize = 10;

/// Splits of a study of thresholds.
const SPLITS: u32 = 200;

/// What the scores are worth, over the outputs that have a score and a settled label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// Such outputs.
    pub outputs: u64,
    /// Outputs with a settled label and no score.
    pub without_score: u64,
    /// What is wrong with the scores as a whole; absent where nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// Brier score, calibration curve and calibration error.
    pub calibration: Known<Calibration>,
    /// The curve that turns scores into probabilities.
    pub platt: Known<Platt>,
    /// The threshold that the stated costs ask for, whatever its rates.
    pub thresholds: Known<Thresholds>,
    /// The same among thresholds whose rates meet the policy's bar on real outputs.
    pub thresholds_at_bar: Known<Thresholds>,
    /// What the grader's own verdicts cost, on all outputs with a settled label.
    pub as_judged: Known<AsJudged>,
}

/// What verdicts cost as they are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AsJudged {
    /// Outputs that should fail and did.
    pub catch: Count,
    /// Outputs that should pass and did.
    pub pass: Count,
    /// What the errors cost for each output, at the stated base rate, else at the share among the outputs.
    pub cost: f64,
}

/// What the scores are worth; absent where there are none.
pub(super) fn scores(
    outputs: &[Output],
    families: &Families,
    terms: &Terms<'_>,
    sides: (&SideRate, &SideRate),
) -> Known<Scores> {
    let mut units = Vec::new();
    let mut without_score = 0;
    for (output, family) in outputs.iter().zip(&families.of) {
        match (output.truth(), output.score) {
            (Some(truth), Some(score)) => {
                units.push(Scored { score, bad: truth == Verdict::Fail, cluster: *family });
            }
            (Some(_), None) => without_score += 1,
            (None, _) => {}
        }
    }
    if units.is_empty() {
        return Known::absent("the grader gives no scores on outputs with a settled label");
    }
    let pairs: Vec<_> = units.iter().map(|unit| (unit.score, unit.bad)).collect();
    let calibration: Known<_> = calibration(&units, BINS, terms.confidence).into();
    let (thresholds, thresholds_at_bar) = by_costs(&units, terms);
    Known::of(Scores {
        outputs: units.len() as u64,
        without_score,
        warning: calibration.value.as_ref().and_then(warning),
        calibration,
        platt: fit(&pairs).into(),
        thresholds,
        thresholds_at_bar,
        as_judged: as_judged(sides, terms),
    })
}

/// Scores that say less than no score.
fn warning(calibration: &Calibration) -> Option<String> {
    let Calibration { brier, brier_of_share, .. } = calibration;
    (brier > brier_of_share).then(|| "the scores are worse than always stating the share that should fail: they may mean the opposite (a score is the probability that the output is wrong; see --score-means), or nothing".to_owned())
}

const NO_COSTS: &str =
    "the policy states no costs: add cost_of_miss and cost_of_false_block to [in_use]";

fn costs(terms: &Terms<'_>) -> Option<Costs> {
    terms.in_use.and_then(|stated| stated.costs())
}

/// The cheapest threshold, and the cheapest whose rates meet the policy's bar.
fn by_costs(units: &[Scored], terms: &Terms<'_>) -> (Known<Thresholds>, Known<Thresholds>) {
    let Some(costs) = costs(terms) else {
        return (Known::absent(NO_COSTS), Known::absent(NO_COSTS));
    };
    let study = Study {
        costs,
        base_rate: terms.in_use.and_then(|stated| stated.base_rate),
        bar: None,
        splits: SPLITS,
        seed: SEED,
    };
    let bar = |bar| Bar { catch: bar, pass: bar, confidence: terms.confidence };
    let bars: Vec<_> =
        [None].into_iter().chain(terms.bars.real_output.map(bar).map(Some)).collect();
    match thresholds_by(units, study, &bars) {
        Err(reason) => (Known::absent(reason), Known::absent(reason)),
        Ok(of_bars) => {
            let mut of_bars = of_bars.into_iter();
            let mut next = || of_bars.next().map(Known::of);
            let none = || Known::absent("the policy has no bar on real outputs");
            (next().unwrap_or_else(none), next().unwrap_or_else(none))
        }
    }
}

fn as_judged((catch, pass): (&SideRate, &SideRate), terms: &Terms<'_>) -> Known<AsJudged> {
    let Some(costs) = costs(terms) else { return Known::absent(NO_COSTS) };
    let count = |side: &SideRate| side.outputs.value.as_ref().map(|rate| rate.count);
    let (Some(catch), Some(pass)) = (count(catch), count(pass)) else {
        return Known::absent("there are no outputs that should fail, or none that should pass");
    };
    let missed = |count: Count| 1.0 - count.rate().unwrap_or(0.0);
    let share = Count::new(catch.of, catch.of + pass.of).rate().unwrap_or(0.0);
    let bad = terms.in_use.and_then(|stated| stated.base_rate).unwrap_or(share);
    let cost = bad * missed(catch) * costs.missed + (1.0 - bad) * missed(pass) * costs.false_alarm;
    Known::of(AsJudged { catch, pass, cost })
}
