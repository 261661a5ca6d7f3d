//! Two kappas over the same units, and their difference, by resampling: does a grader agree with a person as
//! well as another person does?
//!
//! The paired percentile bootstrap: B. Efron, R. J. Tibshirani, "An introduction to the bootstrap" (1993),
//! chapters 8 and 13. Whole clusters are drawn with replacement (A. C. Davison, D. V. Hinkley, "Bootstrap
//! methods and their application" (1997), section 3.8), and each draw gives both kappas, so that what they
//! share cancels. The ends are the values of rank (R + 1) * alpha / 2 from either side, of R resamples.
//!
//! A resample in which either kappa cannot be computed is left out and counted; where that happens to more
//! than one in twenty, there is no figure.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::{self, Absent};
use super::interval::Span;
use super::kappa::Shares;
use super::random::Random;

/// One unit, as two pairs of raters labelled it. Labels count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rated {
    /// Units that came about together (answers to one question, say) have the same number.
    pub cluster: usize,
    /// The labels of the first pair of raters; absent where one of them gave none.
    pub first: Option<(usize, usize)>,
    /// The labels of the second pair.
    pub second: Option<(usize, usize)>,
}

/// How to resample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resampling {
    /// The confidence: two-sided for intervals, one-sided for the bound.
    pub confidence: f64,
    /// How many resamples, at least 100; 1,999 gives whole ranks at 95 %.
    pub resamples: u32,
    /// Where the numbers start.
    pub seed: u64,
}

/// A kappa with the interval that resampling gives.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resampled {
    /// The kappa of the units as they are.
    pub kappa: f64,
    /// Its interval.
    pub interval: Span,
}

/// Two kappas compared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KappaDifference {
    /// The first pair of raters.
    pub first: Resampled,
    /// The second pair.
    pub second: Resampled,
    /// First kappa minus second.
    pub difference: f64,
    /// The interval of the difference.
    pub interval: Span,
    /// The one-sided lower bound of the difference: not inferior by a margin when this is above minus the margin.
    pub lower_bound: f64,
    /// Clusters that were drawn from.
    pub clusters: u64,
    /// Resamples left out, because one of the kappas could not be computed.
    pub left_out: u64,
    /// How it was resampled.
    pub resampling: Resampling,
}

/// Compares the agreement of two pairs of raters over the same units, with labels 0 to `labels` - 1.
///
/// # Errors
/// When either kappa is absent, a label is too high, there is one cluster only, fewer than 100 resamples were
/// asked for, or more than one in twenty has no kappa.
pub fn kappa_difference(
    units: &[Rated],
    labels: usize,
    resampling: Resampling,
) -> Result<KappaDifference, Absent> {
    absent::confidence(resampling.confidence)?;
    if resampling.resamples < 100 {
        return Err(Absent::NothingAsked);
    }
    let (first, second) = kappas(&Tables::of(units, labels)?)?;
    let clusters = Clusters::of(units, labels)?;
    if clusters.alike.len() < 2 {
        return Err(Absent::OneCluster);
    }
    let mut random = Random::seeded(resampling.seed);
    let mut drawn = Drawn::default();
    for _ in 0..resampling.resamples {
        drawn.add(kappas(&clusters.drawn(&mut random)));
    }
    if drawn.left_out * 20 > u64::from(resampling.resamples) {
        return Err(Absent::Unstable);
    }
    drawn.sort();
    let level = resampling.confidence;
    Ok(KappaDifference {
        first: Resampled { kappa: first, interval: span(&drawn.first, level) },
        second: Resampled { kappa: second, interval: span(&drawn.second, level) },
        difference: first - second,
        interval: span(&drawn.difference, level),
        lower_bound: ranked(&drawn.difference, 1.0 - level),
        clusters: clusters.alike.len() as u64,
        left_out: drawn.left_out,
        resampling,
    })
}

/// One kappa with the interval that resampling whole clusters gives: units are (cluster, labels of the two raters).
///
/// # Errors
/// As for [`kappa_difference`].
pub fn clustered_kappa(
    units: impl IntoIterator<Item = (usize, (usize, usize))>,
    labels: usize,
    resampling: Resampling,
) -> Result<Resampled, Absent> {
    let twice = |(cluster, pair)| Rated { cluster, first: Some(pair), second: Some(pair) };
    let units: Vec<Rated> = units.into_iter().map(twice).collect();
    kappa_difference(&units, labels, resampling).map(|both| both.first)
}

/// How often the labels of each pair of raters met: two square tables, one after the other, row by row.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Tables {
    labels: usize,
    cells: Vec<u64>,
}

impl Tables {
    fn new(labels: usize) -> Self {
        Self { labels, cells: vec![0; 2 * labels * labels] }
    }

    fn of<'a>(units: impl IntoIterator<Item = &'a Rated>, labels: usize) -> Result<Self, Absent> {
        let mut tables = Self::new(labels);
        for unit in units {
            tables.add(unit)?;
        }
        Ok(tables)
    }

    fn add(&mut self, unit: &Rated) -> Result<(), Absent> {
        for (which, pair) in [unit.first, unit.second].into_iter().enumerate() {
            let Some((row, column)) = pair else { continue };
            if row >= self.labels || column >= self.labels {
                return Err(Absent::BadTable);
            }
            self.cells[(which * self.labels + row) * self.labels + column] += 1;
        }
        Ok(())
    }
}

/// Both kappas.
fn kappas(tables: &Tables) -> Result<(f64, f64), Absent> {
    let labels = tables.labels;
    let kappa = |which: usize| {
        let row = |row: usize| {
            let from = (which * labels + row) * labels;
            tables.cells[from..from + labels].to_vec()
        };
        Shares::of(&(0..labels).map(row).collect::<Vec<_>>())?.kappa()
    };
    Ok((kappa(0)?, kappa(1)?))
}

/// The clusters in the order of their numbers. Few tables differ, so a resample counts how often each was drawn.
struct Clusters {
    /// For each cluster, the place of its tables.
    alike: Vec<usize>,
    /// The tables that clusters have.
    tables: Vec<Tables>,
}

impl Clusters {
    fn of(units: &[Rated], labels: usize) -> Result<Self, Absent> {
        let mut clusters: BTreeMap<usize, Tables> = BTreeMap::new();
        for unit in units {
            clusters.entry(unit.cluster).or_insert_with(|| Tables::new(labels)).add(unit)?;
        }
        let clusters: Vec<Tables> = clusters.into_values().collect();
        let mut tables = clusters.clone();
        tables.sort_unstable();
        tables.dedup();
        let place = |of: &Tables| tables.partition_point(|other| other < of);
        Ok(Self { alike: clusters.iter().map(place).collect(), tables })
    }

    /// As many clusters, drawn with replacement: the sum of their tables.
    fn drawn(&self, random: &mut Random) -> Tables {
        let mut times = vec![0_u64; self.tables.len()];
        for _ in 0..self.alike.len() {
            times[self.alike[random.below(self.alike.len())]] += 1;
        }
        let mut sum = Tables::new(self.tables.first().map_or(0, |tables| tables.labels));
        for (times, tables) in times.iter().zip(&self.tables) {
            for (sum, cell) in sum.cells.iter_mut().zip(&tables.cells) {
                *sum += times * cell;
            }
        }
        sum
    }
}

/// The figures of all resamples.
#[derive(Default)]
struct Drawn {
    first: Vec<f64>,
    second: Vec<f64>,
    difference: Vec<f64>,
    left_out: u64,
}

impl Drawn {
    fn add(&mut self, kappas: Result<(f64, f64), Absent>) {
        let Ok((first, second)) = kappas else {
            self.left_out += 1;
            return;
        };
        self.first.push(first);
        self.second.push(second);
        self.difference.push(first - second);
    }

    fn sort(&mut self) {
        for figures in [&mut self.first, &mut self.second, &mut self.difference] {
            figures.sort_unstable_by(f64::total_cmp);
        }
    }
}

fn span(sorted: &[f64], confidence: f64) -> Span {
    let each_side = (1.0 - confidence) / 2.0;
    Span { low: ranked(sorted, each_side), high: ranked(sorted, 1.0 - each_side) }
}

/// The value below which this share of the resamples lies: rank (R + 1) * share, rounded away from the middle.
fn ranked(sorted: &[f64], share: f64) -> f64 {
    let exact = (sorted.len() + 1) as f64 * share;
    // A rank that is whole but for the last bits of a product is that rank.
    let rank = if (exact - exact.round()).abs() < 1e-6 {
        exact.round()
    } else if share < 0.5 {
        exact.floor()
    } else {
        exact.ceil()
    };
    sorted[(rank as usize).clamp(1, sorted.len()) - 1]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ASKED: Resampling = Resampling { confidence: 0.95, resamples: 999, seed: 1 };

    fn unit(cluster: usize, first: (usize, usize), second: (usize, usize)) -> Rated {
        Rated { cluster, first: Some(first), second: Some(second) }
    }

    /// 200 units; the first pair agrees on nine of ten, the second on eight of ten.
    fn example() -> Vec<Rated> {
        (0..200)
            .map(|n| {
                let truth = n % 2;
                let off = |every: usize| if (n / 2) % every == 0 { 1 - truth } else { truth };
                unit(n, (truth, off(10)), (truth, off(5)))
            })
            .collect()
    }

    #[test]
    fn two_pairs_of_raters_are_compared() {
        let got = kappa_difference(&example(), 2, ASKED).expect("a comparison");
        assert!((got.first.kappa - 0.8).abs() < 1e-9 && (got.second.kappa - 0.6).abs() < 1e-9);
        assert!((got.difference - 0.2).abs() < 1e-9);
        let Span { low, high } = got.interval;
        assert!(0.05 < low && low < got.lower_bound, "{low}");
        assert!(got.lower_bound < 0.2 && 0.2 < high && high < 0.35, "{high}");
        assert_eq!((got.clusters, got.left_out), (200, 0));
        let pairs = example().into_iter().filter_map(|unit| Some((unit.cluster, unit.first?)));
        let alone = clustered_kappa(pairs, 2, ASKED).expect("a kappa");
        assert_eq!(alone, got.first);
    }

    #[test]
    fn the_same_seed_gives_the_same_figures() {
        let of = |seed| kappa_difference(&example(), 2, Resampling { seed, ..ASKED });
        assert_eq!(of(4), of(4));
        assert_ne!(of(4), of(5));
    }

    /// Every unit four times over is no more evidence, once its copies are one cluster.
    #[test]
    fn copies_in_one_cluster_add_nothing() {
        let once = example();
        let copies: Vec<_> = once.iter().flat_map(|unit| [*unit; 4]).collect();
        let apart: Vec<_> =
            copies.iter().enumerate().map(|(cluster, unit)| Rated { cluster, ..*unit }).collect();
        let width = |units: &[Rated]| {
            let Span { low, high } = kappa_difference(units, 2, ASKED).expect("figures").interval;
            high - low
        };
        assert!((width(&copies) - width(&once)).abs() < 1e-9);
        assert!(width(&apart) < 0.6 * width(&once));
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let of = |units: &[Rated], labels| kappa_difference(units, labels, ASKED).map(|_| ());
        assert_eq!(of(&[], 2), Err(Absent::NoUnits));
        assert_eq!(of(&example(), 1), Err(Absent::BadTable));
        let together: Vec<_> = example().iter().map(|unit| Rated { cluster: 0, ..*unit }).collect();
        assert_eq!(of(&together, 2), Err(Absent::OneCluster));
        let alike: Vec<_> = (0..9).map(|n| unit(n, (1, 1), (0, n % 2))).collect();
        assert_eq!(of(&alike, 2), Err(Absent::OneLabel));
        let rare: Vec<_> = (0..9).map(|n| unit(n, (n / 8, n / 8), (n % 2, n % 2))).collect();
        assert_eq!(of(&rare, 2), Err(Absent::Unstable));
        let few = Resampling { resamples: 99, ..ASKED };
        assert_eq!(kappa_difference(&example(), 2, few), Err(Absent::NothingAsked));
        let unpaired = [Rated { cluster: 0, first: Some((0, 1)), second: None }];
        assert_eq!(of(&unpaired, 2), Err(Absent::NoUnits));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn figures_are_in_range_or_absent(
            units in proptest::collection::vec((0usize..20, 0usize..3, 0usize..3, 0usize..3), 0..60),
            seed: u64,
        ) {
            let units: Vec<_> = units.into_iter().map(|(c, x, y, z)| unit(c, (x, y), (z, y))).collect();
            let asked = Resampling { confidence: 0.9, resamples: 100, seed };
            if let Ok(got) = kappa_difference(&units, 3, asked) {
                prop_assert!(got.interval.low <= got.interval.high);
                prop_assert!(got.interval.low <= got.lower_bound && got.lower_bound.is_finite());
                prop_assert!(-2.0 <= got.interval.low && got.interval.high <= 2.0);
                prop_assert!((-1.0..=1.0).contains(&got.first.interval.low));
            }
        }
    }
}
