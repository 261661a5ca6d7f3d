//! Whether stated probabilities mean what they say. Only forecasts that state one are in any of these figures.
//!
//! The figures are those of [`crate::stats::calibration`], which cites their sources. Forecasts for one case may share
//! what makes them right or wrong: they are one cluster.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::line::Line;
use crate::assess::Known;
use crate::id::CaseId;
use crate::stats::calibration::{Bin, Scored, brier, calibration};
use crate::stats::interval::{Count, Interval};

/// Bins of the curve.
const BINS: usize = 10;

/// The confidence of the intervals.
const CONFIDENCE: f64 = 0.95;

const NONE: &str = "no settled forecast states a probability";
const NO_BASELINE: &str =
    "of no settled forecast that states a probability does the baseline state one as well";

/// How stated probabilities and what came go together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForecastCalibration {
    /// Statements that came true, of the settled ones with a stated probability.
    pub came_true: Count,
    /// The Brier score, 0 (perfect) to 1; always saying a half gives 0.25.
    pub brier: f64,
    /// The Brier score of giving each statement the share that came true, which is known only afterwards.
    pub brier_of_share: f64,
    /// The expected calibration error, 0 to 1: the mean gap of the bins, weighed by their forecasts.
    pub expected_error: f64,
    /// The calibration curve: the bins that hold forecasts, by rising probability.
    pub bins: Vec<ForecastBin>,
}

/// One bin of the curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForecastBin {
    /// The lowest probability of the bin, included.
    pub from: f64,
    /// The highest, excluded but for the last bin.
    pub to: f64,
    /// The mean probability that was stated.
    pub stated: f64,
    /// Statements that came true, of the bin's.
    pub came_true: Count,
    /// The exact interval of that share at 95 %, on what the bin's forecasts are worth.
    pub interval: Interval,
}

/// Forecast and baseline over the same statements.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Beside {
    /// Settled forecasts of which both state a probability.
    pub forecasts: u64,
    /// The Brier score of the forecasts.
    pub brier: f64,
    /// The Brier score of their baselines.
    pub baseline_brier: f64,
}

/// The calibration of the settled forecasts that state a probability.
pub(super) fn calibrated(lines: &[&Line]) -> Known<ForecastCalibration> {
    let units: Vec<Scored> = scored(lines).into_iter().map(|(unit, _)| unit).collect();
    if units.is_empty() {
        return Known::absent(NONE);
    }
    calibration(&units, BINS, CONFIDENCE)
        .map(|it| ForecastCalibration {
            came_true: it.bad,
            brier: it.brier,
            brier_of_share: it.brier_of_share,
            expected_error: it.expected_error,
            bins: it.bins.iter().map(bin).collect(),
        })
        .into()
}

fn bin(bin: &Bin) -> ForecastBin {
    let Bin { from, to, mean_score, bad, interval, .. } = *bin;
    ForecastBin { from, to, stated: mean_score, came_true: bad, interval }
}

/// Both Brier scores, over the forecasts of which both state a probability.
pub(super) fn beside(lines: &[&Line]) -> Known<Beside> {
    let both: Vec<(Scored, Scored)> =
        scored(lines).into_iter().filter_map(|(own, baseline)| Some((own, baseline?))).collect();
    let (own, baseline): (Vec<Scored>, Vec<Scored>) = both.into_iter().unzip();
    if own.is_empty() {
        return Known::absent(NO_BASELINE);
    }
    let both = brier(&own).and_then(|own_score| Ok((own_score, brier(&baseline)?)));
    both.map(|(brier, baseline_brier)| Beside {
        forecasts: own.len() as u64,
        brier,
        baseline_brier,
    })
    .into()
}

/// The settled forecasts that state a probability, each with what its baseline states.
fn scored(lines: &[&Line]) -> Vec<(Scored, Option<Scored>)> {
    let mut clusters: BTreeMap<&CaseId, usize> = BTreeMap::new();
    let mut scored = Vec::new();
    for line in lines {
        let Some(forecast) = line.forecast else { continue };
        let Some((probability, bad)) = forecast.probability.zip(forecast.came) else { continue };
        let next = clusters.len();
        let cluster = *clusters.entry(&line.case).or_insert(next);
        let unit = |score| Scored { score, bad, cluster };
        scored.push((unit(probability), line.baseline.probability.map(unit)));
    }
    scored
}
