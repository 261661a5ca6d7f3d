//! Coverage by enumeration: the chances of all outcomes in which the interval holds the truth, added up.

use std::collections::BTreeMap;

use accredit_core::stats::Absent;
use accredit_core::stats::difference::{Difference, Pairs, independent, paired};
use accredit_core::stats::interval::{Count, Interval, clopper_pearson, exact_lower, wald, wilson};
use accredit_core::stats::kappa::cohen;
use accredit_core::stats::strata::{Stratum, reweighted};
use statrs::distribution::{Binomial, Discrete};

use crate::{Coverage, Criterion};

/// The sizes that single proportions are tried on: those of the default policy's bars, and two that are
/// larger.
const SIZES: [u64; 7] = [10, 14, 29, 59, 93, 150, 300];

/// A conservative interval: never below what it says, however far above.
const NEVER_BELOW: Criterion = Criterion { least: 0.95, mean: (0.95, 1.0) };

/// An approximate interval: right on average, and at no point far below.
fn about(least: f64, low: f64, high: f64) -> Criterion {
    Criterion { least, mean: (low, high) }
}

/// All rows that are worked out exactly.
pub(crate) fn rows() -> Vec<Coverage> {
    let mut rows = Vec::new();
    for of in SIZES {
        rows.extend(one_proportion(of));
    }
    rows.extend([newcombe_independent(20, 20), newcombe_independent(50, 30)]);
    rows.extend([newcombe_paired(20), newcombe_paired(40), kappa(40), strata(30)]);
    rows
}

/// 0.005, 0.010, up to 0.995.
fn grid() -> impl Iterator<Item = f64> {
    (1..200).map(|step| f64::from(step) / 200.0)
}

/// The chance of each number of successes.
fn chances(rate: f64, of: u64) -> Vec<f64> {
    let binomial = Binomial::new(rate, of).expect("a distribution");
    (0..=of).map(|right| binomial.pmf(right)).collect()
}

/// The share of samples of `of` units in which an interval holds the true rate, at each rate of the grid. An
/// interval that is absent holds nothing.
fn shares(of: u64, interval: impl Fn(Count) -> Option<Interval>) -> Vec<f64> {
    let intervals: Vec<_> = (0..=of).map(|right| interval(Count::new(right, of))).collect();
    let holds = |place: usize, rate: f64| {
        intervals[place].is_some_and(|interval| interval.low <= rate && rate <= interval.high)
    };
    grid()
        .map(|rate| {
            let chances = chances(rate, of);
            (0..chances.len()).filter(|at| holds(*at, rate)).map(|at| chances[at]).sum()
        })
        .collect()
}

fn one_proportion(of: u64) -> Vec<Coverage> {
    let setting = format!("n = {of}");
    let row = |name, shares: &[f64], criterion| {
        Coverage::over((name, &setting), 0.95, "exact", shares, criterion)
    };
    let lower = |count| Some(Interval { low: exact_lower(count, 0.95)?, high: 1.0 });
    vec![
        row("exact lower bound", &shares(of, lower), NEVER_BELOW),
        row("exact interval", &shares(of, |count| clopper_pearson(count, 0.95)), NEVER_BELOW),
        row("Wilson", &shares(of, |count| wilson(count, 0.95)), about(0.83, 0.945, 0.96)),
        // For comparison only: no figure of a report rests on it.
        row("Wald", &shares(of, |count| wald(count, 0.95).ok()), about(0.0, 0.0, 0.95)),
    ]
}

fn holds(difference: Result<Difference, Absent>, truth: f64) -> bool {
    difference.is_ok_and(|it| it.low <= truth && truth <= it.high)
}

/// Every pair of rates of 0.05, 0.10, up to 0.95.
fn newcombe_independent(first: u64, second: u64) -> Coverage {
    let rates: Vec<f64> = (1..20).map(|step| f64::from(step) / 20.0).collect();
    let tables: Vec<Vec<f64>> = rates.iter().map(|rate| chances(*rate, first)).collect();
    let others: Vec<Vec<f64>> = rates.iter().map(|rate| chances(*rate, second)).collect();
    let mut shares = vec![0.0; rates.len() * rates.len()];
    for x in 0..=first {
        for y in 0..=second {
            let interval = independent(Count::new(x, first), Count::new(y, second), 0.95);
            for (i, p) in rates.iter().enumerate() {
                for (j, q) in rates.iter().enumerate() {
                    if holds(interval, p - q) {
                        shares[i * rates.len() + j] +=
                            tables[i][x as usize] * others[j][y as usize];
                    }
                }
            }
        }
    }
    let setting = format!("n = {first} and {second}, rates .05 to .95");
    let name = ("Newcombe, independent", setting.as_str());
    Coverage::over(name, 0.95, "exact", &shares, about(0.92, 0.945, 0.975))
}

/// All ways `of` units fall into four cells.
fn fourfold(of: u64) -> impl Iterator<Item = [u64; 4]> {
    (0..=of).flat_map(move |a| {
        (0..=of - a).flat_map(move |b| (0..=of - a - b).map(move |c| [a, b, c, of - a - b - c]))
    })
}

/// For each truth (the chances of the four cells), the chance of the outcomes that count.
fn over_fourfold(
    of: u64,
    truths: &[[f64; 4]],
    counts: impl Fn([u64; 4], usize) -> bool,
) -> Vec<f64> {
    let mut log_factorial = vec![0.0_f64];
    for n in 1..=of {
        log_factorial.push(log_factorial[n as usize - 1] + (n as f64).ln());
    }
    let mut shares = vec![0.0; truths.len()];
    for cells in fourfold(of) {
        let ways = log_factorial[of as usize]
            - cells.iter().map(|cell| log_factorial[*cell as usize]).sum::<f64>();
        for (at, truth) in truths.iter().enumerate() {
            if counts(cells, at) {
                let part = |(cell, chance): (&u64, &f64)| *cell as f64 * chance.ln();
                shares[at] += (ways + cells.iter().zip(truth).map(part).sum::<f64>()).exp();
            }
        }
    }
    shares
}

/// Rates of .60 to .95 both times, with correlations of 0, .3 and .6.
fn newcombe_paired(of: u64) -> Coverage {
    let mut truths = Vec::new();
    for p in [0.6_f64, 0.7, 0.8, 0.9, 0.95] {
        for q in [0.6, 0.7, 0.8, 0.9, 0.95] {
            for correlation in [0.0, 0.3, 0.6] {
                let both = p * q + correlation * (p * (1.0 - p) * q * (1.0 - q)).sqrt();
                let cells = [both, p - both, q - both, 1.0 - p - q + both];
                if cells.iter().all(|cell| *cell > 1e-9) {
                    truths.push(cells);
                }
            }
        }
    }
    let of_cells = |[both, first_only, second_only, neither]: [u64; 4]| {
        paired(Pairs { both, first_only, second_only, neither }, 0.95)
    };
    let intervals: BTreeMap<[u64; 4], _> =
        fourfold(of).map(|cells| (cells, of_cells(cells))).collect();
    let shares = over_fourfold(of, &truths, |cells, at| {
        holds(intervals[&cells], truths[at][1] - truths[at][2])
    });
    let setting = format!("n = {of}, rates .60 to .95, correlations 0, .3, .6");
    Coverage::over(("Newcombe, paired", &setting), 0.95, "exact", &shares, about(0.92, 0.945, 0.98))
}

/// Raters who say bad 30 % and 50 % of the time, with kappas of 0 to .8; of the samples that have an
/// interval.
fn kappa(of: u64) -> Coverage {
    let truth = |share: f64, kappa: f64| {
        let expected = share * share + (1.0 - share) * (1.0 - share);
        let observed = expected + kappa * (1.0 - expected);
        let apart = (1.0 - observed) / 2.0;
        [share - apart, apart, apart, 1.0 - share - apart]
    };
    let kappas = [0.0, 0.2, 0.4, 0.6, 0.8];
    let truths: Vec<_> =
        [0.3, 0.5].iter().flat_map(|share| kappas.map(|kappa| truth(*share, kappa))).collect();
    let of_cells = |[a, b, c, d]: [u64; 4]| {
        cohen(&[vec![a, b], vec![c, d]], 0.95).ok().and_then(|kappa| kappa.interval)
    };
    let spans: BTreeMap<[u64; 4], _> = fourfold(of).map(|cells| (cells, of_cells(cells))).collect();
    let held = over_fourfold(of, &truths, |cells, at| {
        let truth = kappas[at % kappas.len()];
        spans[&cells].is_some_and(|span| span.low <= truth && truth <= span.high)
    });
    let there = over_fourfold(of, &truths, |cells, _| spans[&cells].is_some());
    let shares: Vec<f64> = held.iter().zip(&there).map(|(held, there)| held / there).collect();
    let setting = format!("n = {of}, kappas 0 to .8, where there is an interval");
    Coverage::over(("Cohen's kappa", &setting), 0.95, "exact", &shares, about(0.88, 0.92, 0.96))
}

/// Two strata of `of` units each with weights of .8 and .2, and rates of .5 to .95.
fn strata(of: u64) -> Coverage {
    let rates = [0.5, 0.7, 0.8, 0.9, 0.95];
    let tables = rates.map(|rate| chances(rate, of));
    let mut shares = vec![0.0; rates.len() * rates.len()];
    for x in 0..=of {
        for y in 0..=of {
            let stratum = |weight, right| Stratum { weight, count: Count::new(right, of) };
            let got = reweighted(&[stratum(0.8, x), stratum(0.2, y)], 0.95).expect("a rate");
            for (i, p) in rates.iter().enumerate() {
                for (j, q) in rates.iter().enumerate() {
                    let truth = 0.8 * p + 0.2 * q;
                    if got.interval.low <= truth && truth <= got.interval.high {
                        shares[i * rates.len() + j] +=
                            tables[i][x as usize] * tables[j][y as usize];
                    }
                }
            }
        }
    }
    let setting = format!("n = {of} and {of}, weights .8 and .2, rates .5 to .95");
    Coverage::over(("reweighted strata", &setting), 0.95, "exact", &shares, about(0.92, 0.94, 0.97))
}
