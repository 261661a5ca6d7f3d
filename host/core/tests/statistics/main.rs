//! How often each interval holds the truth, and the page that says so.
//!
//! `coverage` works it out exactly, over all outcomes, where that can be done; `simulation` draws samples from a
//! fixed seed where it cannot. `page` compares the tables of `docs/statistics.md` with what the code gives.

mod coverage;
mod page;
mod simulation;

use std::fmt;

/// How often an interval holds the truth, over a grid of truths.
pub(crate) struct Coverage {
    /// The interval.
    pub(crate) interval: &'static str,
    /// What it was tried on.
    pub(crate) setting: String,
    /// How often it should hold the truth.
    pub(crate) nominal: f64,
    /// The least share of samples in which it does, over the grid.
    pub(crate) least: f64,
    /// The mean share over the grid.
    pub(crate) mean: f64,
    /// Exact or simulated.
    pub(crate) how: &'static str,
    /// What it must meet.
    pub(crate) criterion: Criterion,
}

/// What coverage must meet.
#[derive(Clone, Copy)]
pub(crate) struct Criterion {
    /// The least over the grid must be this at least.
    pub(crate) least: f64,
    /// The mean over the grid must lie in this range.
    pub(crate) mean: (f64, f64),
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.mean;
        write!(f, "least >= {:.3}, mean {low:.3} to {high:.3}", self.least)
    }
}

impl Coverage {
    /// Sums up the shares of a grid.
    pub(crate) fn over(
        (interval, setting): (&'static str, &str),
        nominal: f64,
        how: &'static str,
        shares: &[f64],
        criterion: Criterion,
    ) -> Self {
        Self {
            interval,
            setting: setting.to_owned(),
            nominal,
            least: shares.iter().copied().fold(1.0, f64::min),
            mean: shares.iter().sum::<f64>() / shares.len() as f64,
            how,
            criterion,
        }
    }

    /// Whether the criterion is met. Sums of many chances are right to some 1e-9.
    pub(crate) fn is_met(&self) -> bool {
        let (low, high) = self.criterion.mean;
        self.least >= self.criterion.least - 1e-9
            && low - 1e-9 <= self.mean
            && self.mean <= high + 1e-9
    }
}

#[test]
fn every_interval_holds_the_truth_as_often_as_its_criterion_asks() {
    let missed: Vec<String> = page::all_coverage()
        .iter()
        .filter(|coverage| !coverage.is_met())
        .map(|it| {
            format!("{}, {}: least {:.4}, mean {:.4}", it.interval, it.setting, it.least, it.mean)
        })
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
