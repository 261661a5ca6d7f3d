//! Coverage by simulation, from fixed seeds, where outcomes are too many to be enumerated.

use std::collections::BTreeMap;

use accredit_core::stats::cluster::{Correction, clustered_mean};
use accredit_core::stats::correction::corrected_share;
use accredit_core::stats::effective::clustered_rate;
use accredit_core::stats::interval::{Count, Span};
use accredit_core::stats::kappa_difference::{Rated, Resampling, kappa_difference};
use accredit_core::stats::random::Random;

use crate::{Coverage, Criterion};

const HOW: &str = "simulated";

/// All rows that are simulated.
pub(crate) fn rows() -> Vec<Coverage> {
    let mut rows = Vec::new();
    for clusters in [20, 75] {
        rows.extend(clustered(clusters));
    }
    rows.extend([100, 1000].map(lee));
    rows.push(bootstrap());
    rows
}

fn happens(random: &mut Random, chance: f64) -> bool {
    random.unit() < chance
}

fn count(random: &mut Random, of: u64, rate: f64) -> Count {
    Count::new((0..of).filter(|_| happens(random, rate)).count() as u64, of)
}

/// How many of four are right in each cluster: a unit takes after its cluster so often that two of them
/// correlate by `icc`.
fn clusters(random: &mut Random, number: usize, rate: f64, icc: f64) -> Vec<u64> {
    let cluster = |random: &mut Random| {
        let shared = happens(random, rate);
        let unit = |random: &mut Random| {
            if happens(random, icc.sqrt()) { shared } else { happens(random, rate) }
        };
        (0..4).map(|_| u64::from(unit(random))).sum()
    };
    (0..number).map(|_| cluster(random)).collect()
}

/// 4,000 samples at each of three rates and three correlations.
fn clustered(number: usize) -> [Coverage; 2] {
    let mut random = Random::seeded(number as u64);
    let mut known = BTreeMap::new();
    let (mut bounds, mut means) = (Vec::new(), Vec::new());
    for rate in [0.8, 0.9, 0.95] {
        for icc in [0.0, 0.3, 0.7] {
            let (mut by_bound, mut by_mean, samples) = (0, 0, 4_000);
            for _ in 0..samples {
                let right = clusters(&mut random, number, rate, icc);
                // With clusters of one size the figures depend on no more than these two sums.
                let key = (right.iter().sum::<u64>(), right.iter().map(|x| x * x).sum::<u64>());
                let (low, span) = known.entry(key).or_insert_with(|| figures(&right));
                by_bound += u32::from(*low <= rate);
                by_mean += u32::from(span.is_some_and(|it| it.low <= rate && rate <= it.high));
            }
            bounds.push(f64::from(by_bound) / f64::from(samples));
            means.push(f64::from(by_mean) / f64::from(samples));
        }
    }
    let setting = format!("{number} clusters of 4, rates .80 to .95, correlations 0, .3, .7");
    let about = |least, low, high| Criterion { least, mean: (low, high) };
    let name = ("exact lower bound on effective n", setting.as_str());
    // Few clusters say little of how clusters vary, and the bound then promises a little too much.
    let least = if number < 50 { 0.90 } else { 0.94 };
    let bound = Coverage::over(name, 0.95, HOW, &bounds, about(least, 0.95, 0.99));
    let name = ("clustered mean, t interval", setting.as_str());
    // The textbook's weakness near 1, which clusters make worse: it is why bounds are exact.
    let least = if number < 50 { 0.60 } else { 0.88 };
    [bound, Coverage::over(name, 0.95, HOW, &means, about(least, 0.85, 0.96))]
}

/// The exact lower bound of the rate and the interval of the mean, from how many of four are right in each cluster.
fn figures(right: &[u64]) -> (f64, Option<Span>) {
    let counts: Vec<_> = right.iter().map(|right| Count::new(*right, 4)).collect();
    let rate = clustered_rate(&counts, 0.95).expect("a rate");
    let value = |unit: u64, right: u64| f64::from(u8::from(unit < right));
    let values: Vec<Vec<f64>> =
        right.iter().map(|right| (0..4).map(|unit| value(unit, *right)).collect()).collect();
    let mean = clustered_mean(&values, Correction::Clusters, 0.95).expect("a mean");
    (rate.lower_bound, mean.interval)
}

/// 4,000 samples at each of three true shares; a grader that catches 85 % and passes 92 %, measured on 200 and 200.
fn lee(judged: u64) -> Coverage {
    let (catch, pass) = (0.85, 0.92);
    let mut random = Random::seeded(judged);
    let shares: Vec<f64> = [0.6, 0.8, 0.95]
        .into_iter()
        .map(|truth| {
            let looks_good = truth * pass + (1.0 - truth) * (1.0 - catch);
            let samples = 4_000;
            let held = (0..samples).filter(|_| {
                let judged = count(&mut random, judged, looks_good);
                let caught = count(&mut random, 200, catch);
                let passed = count(&mut random, 200, pass);
                let got = corrected_share(judged, caught, passed, 0.95).expect("a share");
                got.interval.low <= truth && truth <= got.interval.high
            });
            held.count() as f64 / f64::from(samples)
        })
        .collect();
    let setting = format!("{judged} judged, 200 bad and 200 good, shares .60 to .95");
    let criterion = Criterion { least: 0.93, mean: (0.94, 0.975) };
    Coverage::over(("corrected share, Lee et al.", &setting), 0.95, HOW, &shares, criterion)
}

/// 300 samples of 60 clusters of two; a grader that errs on 12 % of what one person says, and another person
/// who errs on 10 %. The true difference is that of a very large sample.
fn bootstrap() -> Coverage {
    let mut random = Random::seeded(17);
    let asked = |resamples| Resampling { confidence: 0.95, resamples, seed: 23 };
    let large = kappa_difference(&rated(&mut random, 40_000), 2, asked(100)).expect("a comparison");
    let truth = large.difference;
    let samples = 300;
    let (mut inside, mut above) = (0, 0);
    for _ in 0..samples {
        let got = kappa_difference(&rated(&mut random, 60), 2, asked(399)).expect("a comparison");
        inside += u32::from(got.interval.low <= truth && truth <= got.interval.high);
        above += u32::from(got.lower_bound <= truth);
    }
    let shares = [inside, above].map(|held| f64::from(held) / f64::from(samples));
    let setting = "60 clusters of 2, kappas .76 and .80, interval and lower bound";
    let criterion = Criterion { least: 0.91, mean: (0.92, 0.98) };
    Coverage::over(("difference of kappas, bootstrap", setting), 0.95, HOW, &shares, criterion)
}

fn rated(random: &mut Random, clusters: usize) -> Vec<Rated> {
    let mut units = Vec::new();
    for cluster in 0..clusters {
        // Units of one cluster are hard or easy together.
        let hard = if happens(random, 0.2) { 3.0 } else { 0.5 };
        for _ in 0..2 {
            let truth = usize::from(happens(random, 0.5));
            let mut label =
                |error: f64| if happens(random, error * hard) { 1 - truth } else { truth };
            let (grader, person) = (label(0.12), label(0.10));
            let (first, second) = (Some((grader, truth)), Some((person, truth)));
            units.push(Rated { cluster, first, second });
        }
    }
    units
}
