//! The score from which on an output is flagged, chosen by what errors cost, and what it then costs on units
//! that had no part in the choice.
//!
//! - By rule: with probabilities that mean what they say, flag from cost of a false alarm / (cost of a false
//!   alarm + cost of a miss) on. C. Elkan, "The foundations of cost-sensitive learning", IJCAI 2001, 973-978,
//!   section 2; at another base rate than that of the units, by his theorem 2.
//! - By search: the score among those seen that would have cost least. What it seems to cost there is too
//!   low, as the least of many; so units are split, cluster by cluster and at random, into three parts of as
//!   many clusters. On the first a calibration is fitted ([`super::platt`]), on the second the threshold is
//!   chosen, on the third all is measured (T. Hastie, R. Tibshirani, J. Friedman, "The elements of
//!   statistical learning", 2nd edition (2009), section 7.2).
//! - One split is one throw of the dice. All of a study's splits are reported; the spread is that of the splits, no
//!   confidence interval, since they share their units.
//!
//! A bar asks for exact lower bounds of the catch and pass rate on the part where the threshold is chosen. A
//! split in which no threshold meets it counts as unmet.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::absent::{self, Absent};
use super::calibration::Scored;
use super::interval::{Count, as_f64};
use super::platt::{self, Platt};
use super::random::Random;
use super::sample_size::misses_allowed;
use super::workload::Costs;

/// What a threshold must meet before its cost is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bar {
    /// The exact lower bound of the catch rate, 0 to 1.
    pub catch: f64,
    /// The exact lower bound of the pass rate, 0 to 1.
    pub pass: f64,
    /// The one-sided confidence of both.
    pub confidence: f64,
}

/// How to study thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Study {
    /// What errors cost.
    pub costs: Costs,
    /// The share of outputs in use that should fail; absent: the share among the units.
    pub base_rate: Option<f64>,
    /// What a threshold must meet, if anything.
    pub bar: Option<Bar>,
    /// How many splits, at least 1.
    pub splits: u32,
    /// Where the numbers start.
    pub seed: u64,
}

/// What flagging from some score on does to the part where it is measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// Flag scores of at least this; absent: flag nothing.
    pub threshold: Option<f64>,
    /// Bad units that are flagged.
    pub catch: Count,
    /// Good units that are not.
    pub pass: Count,
    /// What the errors cost for each output in use.
    pub cost: f64,
}

/// One split.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Split {
    /// The calibration fitted on the first part; absent where none could be.
    pub calibration: Option<Platt>,
    /// The threshold chosen on the second part, as measured on the third; absent where none met the bar.
    pub chosen: Option<Measured>,
    /// What the chosen threshold seemed to cost on the part where it was chosen.
    pub cost_when_chosen: Option<f64>,
    /// The threshold that follows from costs and calibration alone; absent without calibration, or where
    /// higher scores do not make failure likelier.
    pub by_rule: Option<Measured>,
    /// Flagging nothing.
    pub nothing: Measured,
    /// Flagging everything.
    pub everything: Measured,
}

/// The mean and the ends of a figure over splits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OverSplits {
    /// The mean.
    pub mean: f64,
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
}

/// How many points of a cost curve are kept.
pub const CURVE_POINTS: usize = 200;

/// A study of thresholds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Thresholds {
    /// What was asked.
    pub study: Study,
    /// Bad units, of all.
    pub bad: Count,
    /// The probability of failure from which on the costs say to flag.
    pub rule: f64,
    /// The first split: the one to quote, as it was fixed by the seed and not picked.
    pub first: Split,
    /// Splits in which each part had bad units and good ones; the figures below are over these.
    pub usable: u64,
    /// Usable splits in which no threshold met the bar.
    pub unmet: u64,
    /// Their share of the usable splits.
    pub unmet_share: f64,
    /// The chosen thresholds, where they flag something; absent where none does.
    pub threshold: Option<OverSplits>,
    /// What they cost on the third part; absent where none met the bar.
    pub cost: Option<OverSplits>,
    /// What the threshold by rule costs there.
    pub cost_by_rule: Option<OverSplits>,
    /// What flagging nothing costs there.
    pub cost_of_nothing: OverSplits,
    /// What flagging everything costs there.
    pub cost_of_everything: OverSplits,
    /// The cost curve: what each threshold would do to the part of the first split on which all is measured, from
    /// flagging nothing down to flagging everything; at most [`CURVE_POINTS`] of them. It shows how flat or steep
    /// the costs are about the chosen threshold. The least of these costs was chosen by nobody and is too low.
    #[serde(default)]
    pub curve: Vec<Measured>,
}

/// The probability of failure from which on flagging costs less than not flagging: 0 to 1, exclusive.
///
/// # Errors
/// When a cost is not above 0, or no finite number.
pub fn rule_of_costs(costs: Costs) -> Result<f64, Absent> {
    let (missed, alarm) = (absent::finite(costs.missed)?, absent::finite(costs.false_alarm)?);
    if missed <= 0.0 || alarm <= 0.0 {
        return Err(Absent::NoCost);
    }
    absent::confidence(alarm / (alarm + missed)).map_err(|_| Absent::NotFinite)
}

/// Studies thresholds for these units.
///
/// # Errors
/// When there are no units, a score lies outside 0 to 1, a cost is not above 0, the base rate or the bar is
/// out of range, no splits were asked for, or in none of them does each part have bad units and good ones.
pub fn thresholds(units: &[Scored], study: Study) -> Result<Thresholds, Absent> {
    let mut of_bars = thresholds_by(units, study, &[study.bar])?;
    of_bars.pop().ok_or(Absent::NothingAsked)
}

/// The same under each of several bars in place of the study's own: the splits and what is fitted on them are
/// shared.
///
/// # Errors
/// As [`thresholds`].
pub fn thresholds_by(
    units: &[Scored],
    study: Study,
    bars: &[Option<Bar>],
) -> Result<Vec<Thresholds>, Absent> {
    let rule = rule_of_costs(study.costs)?;
    let studies: Vec<_> = bars.iter().map(|bar| Study { bar: *bar, ..study }).collect();
    for study in &studies {
        check(units, study)?;
    }
    let clusters = clusters(units);
    let mut random = Random::seeded(study.seed);
    let mut order: Vec<usize> = (0..clusters.len()).collect();
    let mut choosers: Vec<_> = studies.iter().map(|study| Chooser::new(*study, rule)).collect();
    let mut splits = vec![Vec::new(); bars.len()];
    let mut curve = Vec::new();
    for _ in 0..study.splits {
        random.shuffle(&mut order);
        let part = |which: usize| -> Vec<Scored> {
            let places = order.iter().skip(which).step_by(3);
            places.flat_map(|at| clusters[*at].iter().copied()).collect()
        };
        let parts = [part(0), part(1), part(2)];
        let Some(fitted) = Fitted::new(&parts) else { continue };
        for (splits, chooser) in splits.iter_mut().zip(&mut choosers) {
            splits.push(chooser.split(&fitted, &parts));
        }
        if let (true, Some(chooser)) = (curve.is_empty(), choosers.first()) {
            curve = chooser.curve(&parts[2]);
        }
    }
    let bad = units.iter().filter(|unit| unit.bad).count() as u64;
    let bad = Count::new(bad, units.len() as u64);
    let of = |(study, splits): (&Study, &Vec<Split>)| summary(*study, bad, rule, splits, &curve);
    studies.iter().zip(&splits).map(of).collect()
}

fn check(units: &[Scored], study: &Study) -> Result<(), Absent> {
    if units.is_empty() {
        return Err(Absent::NoUnits);
    }
    for unit in units {
        absent::share(unit.score)?;
    }
    if let Some(rate) = study.base_rate {
        absent::share(rate)?;
    }
    if let Some(bar) = study.bar {
        absent::share(bar.catch)?;
        absent::share(bar.pass)?;
        absent::confidence(bar.confidence)?;
    }
    if study.splits == 0 { Err(Absent::NothingAsked) } else { Ok(()) }
}

fn clusters(units: &[Scored]) -> Vec<Vec<Scored>> {
    let mut clusters: BTreeMap<usize, Vec<Scored>> = BTreeMap::new();
    for unit in units {
        clusters.entry(unit.cluster).or_default().push(*unit);
    }
    clusters.into_values().collect()
}

fn summary(
    study: Study,
    bad: Count,
    rule: f64,
    splits: &[Split],
    curve: &[Measured],
) -> Result<Thresholds, Absent> {
    let first = *splits.first().ok_or(Absent::OneKind)?;
    let unmet = splits.iter().filter(|split| split.chosen.is_none()).count();
    let over = |figure: &dyn Fn(&Split) -> Option<f64>| {
        let figures: Vec<f64> = splits.iter().filter_map(figure).collect();
        let n = figures.len() as f64;
        (!figures.is_empty()).then(|| OverSplits {
            mean: figures.iter().map(|figure| figure / n).sum(),
            least: figures.iter().copied().fold(f64::INFINITY, f64::min),
            most: figures.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    };
    Ok(Thresholds {
        study,
        bad,
        rule,
        first,
        usable: splits.len() as u64,
        unmet: unmet as u64,
        unmet_share: unmet as f64 / splits.len() as f64,
        threshold: over(&|split| split.chosen.and_then(|chosen| chosen.threshold)),
        cost: over(&|split| split.chosen.map(|chosen| chosen.cost)),
        cost_by_rule: over(&|split| split.by_rule.map(|measured| measured.cost)),
        cost_of_nothing: over(&|split| Some(split.nothing.cost)).ok_or(Absent::OneKind)?,
        cost_of_everything: over(&|split| Some(split.everything.cost)).ok_or(Absent::OneKind)?,
        curve: curve.to_vec(),
    })
}

/// Units that should fail, and units that should pass.
fn kinds(units: &[Scored]) -> (u64, u64) {
    let bad = units.iter().filter(|unit| unit.bad).count();
    (bad as u64, (units.len() - bad) as u64)
}

/// What is fitted on the first part of a split.
struct Fitted {
    calibration: Option<Platt>,
}

impl Fitted {
    /// None where a part lacks bad units or good ones.
    fn new(parts: &[Vec<Scored>; 3]) -> Option<Self> {
        let lacks = |part: &Vec<Scored>| kinds(part).0 == 0 || kinds(part).1 == 0;
        if parts.iter().any(lacks) {
            return None;
        }
        let pairs: Vec<_> = parts[0].iter().map(|unit| (unit.score, unit.bad)).collect();
        Some(Self { calibration: platt::fit(&pairs).ok() })
    }
}

struct Chooser {
    study: Study,
    rule: f64,
    /// Misses allowed among so many units, for the bar on catches (true) and on passes.
    allowed: BTreeMap<(bool, u64), Option<u64>>,
}

impl Chooser {
    fn new(study: Study, rule: f64) -> Self {
        Self { study, rule, allowed: BTreeMap::new() }
    }

    /// One split: chosen on the second part, measured on the third.
    fn split(&mut self, fitted: &Fitted, [train, choose, measure]: &[Vec<Scored>; 3]) -> Split {
        let calibration = fitted.calibration;
        let chosen = self.choose(choose);
        let by_rule = calibration.and_then(|curve| curve.score_at(self.rule_among(train)));
        let at = |threshold: Option<f64>| self.measure(measure, threshold);
        Split {
            calibration,
            chosen: chosen.map(|chosen| at(chosen.threshold)),
            cost_when_chosen: chosen.map(|chosen| chosen.cost),
            by_rule: by_rule.map(|threshold| at(Some(threshold))),
            nothing: at(None),
            everything: at(Some(0.0)),
        }
    }

    /// The probability from which on to flag, as it looks among units with another base rate than in use.
    fn rule_among(&self, units: &[Scored]) -> f64 {
        let (bad, good) = kinds(units);
        let Some(rate) = self.study.base_rate else { return self.rule };
        // Odds at the units' base rate are odds in use, times the odds of the one over the odds of the other.
        let flag = self.rule * (1.0 - rate) * as_f64(bad);
        let pass = (1.0 - self.rule) * rate * as_f64(good);
        flag / (flag + pass)
    }

    fn measure(&self, units: &[Scored], threshold: Option<f64>) -> Measured {
        let flagged = |unit: &Scored| threshold.is_some_and(|threshold| unit.score >= threshold);
        let caught = units.iter().filter(|unit| unit.bad && flagged(unit)).count() as u64;
        let passed = units.iter().filter(|unit| !unit.bad && !flagged(unit)).count() as u64;
        self.measured(kinds(units), threshold, caught, passed)
    }

    fn measured(
        &self,
        (bad, good): (u64, u64),
        threshold: Option<f64>,
        caught: u64,
        passed: u64,
    ) -> Measured {
        let (catch, pass) = (Count::new(caught, bad), Count::new(passed, good));
        let share = |part: u64, of: u64| if of == 0 { 0.0 } else { as_f64(part) / as_f64(of) };
        let rate = self.study.base_rate.unwrap_or(share(bad, bad + good));
        let Costs { missed, false_alarm } = self.study.costs;
        let cost = rate * share(catch.missed(), bad) * missed
            + (1.0 - rate) * share(pass.missed(), good) * false_alarm;
        Measured { threshold, catch, pass, cost }
    }

    /// The cheapest threshold that meets the bar; of several, the highest.
    fn choose(&mut self, units: &[Scored]) -> Option<Measured> {
        let mut best = None;
        for next in self.each(units) {
            self.consider(&mut best, next);
        }
        best
    }

    /// The cost curve of these units, thinned evenly; its ends stay.
    fn curve(&self, units: &[Scored]) -> Vec<Measured> {
        let all = self.each(units);
        let last = all.len() - 1;
        if last < CURVE_POINTS {
            return all;
        }
        (0..CURVE_POINTS).map(|at| all[at * last / (CURVE_POINTS - 1)]).collect()
    }

    /// What each threshold does to these units: flagging nothing, then every score among them, the highest first.
    fn each(&self, units: &[Scored]) -> Vec<Measured> {
        let of = kinds(units);
        let mut sorted = units.to_vec();
        sorted.sort_unstable_by(|one, other| other.score.total_cmp(&one.score));
        let (mut caught, mut passed) = (0, of.1);
        let mut all = vec![self.measured(of, None, caught, passed)];
        for same in sorted.chunk_by(|one, other| one.score == other.score) {
            let bad = kinds(same).0;
            caught += bad;
            passed -= same.len() as u64 - bad;
            all.push(self.measured(of, Some(same[0].score), caught, passed));
        }
        all
    }

    fn consider(&mut self, best: &mut Option<Measured>, next: Measured) {
        let cheaper = best.is_none_or(|best| next.cost < best.cost);
        if cheaper && self.meets(true, next.catch) && self.meets(false, next.pass) {
            *best = Some(next);
        }
    }

    fn meets(&mut self, catches: bool, count: Count) -> bool {
        let Some(bar) = self.study.bar else { return true };
        let needed = if catches { bar.catch } else { bar.pass };
        let allowed = self.allowed.entry((catches, count.of));
        let allowed = allowed.or_insert_with(|| misses_allowed(count.of, needed, bar.confidence));
        allowed.is_some_and(|allowed| count.missed() <= allowed)
    }
}

#[cfg(test)]
mod tests;
