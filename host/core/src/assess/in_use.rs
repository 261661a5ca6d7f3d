//! What a grader's rates mean in use. All of it needs outputs that stand for others: a probability sample, declared
//! with its rule and seed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::known::Known;
use super::output::{Families, Output};
use super::rates::{SideRate, by_family};
use super::{SEED, Sample, SampleFacts};
use crate::policy::InUse;
use crate::stats::Absent;
use crate::stats::correction::{Corrected, corrected_share};
use crate::stats::effective::{ClusteredRate, clustered_rate};
use crate::stats::interval::{Count, Interval};
use crate::stats::random::Random;
use crate::stats::workload::{Estimate, Use, Workload, workload};
use crate::verdict::Verdict;

/// The sample that the outputs are, or why they are none.
pub(super) fn sample(outputs: &[Output], samples: &[SampleFacts]) -> Result<Sample, String> {
    let held = outputs.len() as u64;
    match samples {
        [] => Err("the outputs are not declared to be a probability sample: where they are one, begin the file with a line {\"sample\": {\"rule\": \"...\", \"seed\": 7, \"population\": 100000}}".to_owned()),
        [one] if one.outputs == held => Ok(one.declared.clone()),
        [one] if one.outputs > held => Err(format!(
            "{held} of the {} outputs of the declared sample are here: assess all of them",
            one.outputs
        )),
        [one] => Err(format!(
            "{} of {held} outputs are of a declared sample: assess them alone",
            one.outputs
        )),
        _ => Err(format!(
            "the outputs are of {} declared samples, which together are no sample of one population: assess each alone",
            samples.len()
        )),
    }
}

/// What a grader would do in a month, by the rates measured on a sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InUseFigures {
    /// Misses, false alarms and costs a month, with the ranges that the intervals of both rates give.
    pub month: Workload,
    /// The unit of costs.
    pub unit: String,
}

/// The workload at what the policy states.
pub(super) fn figures(stated: &InUse, catch: &SideRate, pass: &SideRate) -> Known<InUseFigures> {
    let (Some(base_rate), Some(outputs)) = (stated.base_rate, stated.volume_per_month) else {
        return Known::absent("the policy's [in_use] lacks base_rate or volume_per_month");
    };
    let (catch, pass) = match (estimate(catch), estimate(pass)) {
        (Ok(catch), Ok(pass)) => (catch, pass),
        (Err(reason), _) => return Known::absent(format!("catch rate: {reason}")),
        (_, Err(reason)) => return Known::absent(format!("pass rate: {reason}")),
    };
    match workload(Use { outputs, base_rate, costs: stated.costs() }, catch, pass) {
        Ok(month) => Known::of(InUseFigures { month, unit: stated.unit.clone() }),
        Err(reason) => Known::absent(reason),
    }
}

/// A rate over outputs with its interval.
fn estimate(side: &SideRate) -> Result<Estimate, String> {
    let absent = || side.outputs.absent.clone().unwrap_or_default();
    let rate = side.outputs.value.as_ref().ok_or_else(absent)?;
    let value = rate.count.rate().ok_or_else(|| Absent::NoUnits.to_string())?;
    let Interval { low, high } = rate.interval;
    Ok(Estimate { value, low: low.min(value), high: high.max(value) })
}

/// Which outputs the share is of: never those that the grader's rates were measured on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JudgedOn {
    /// The outputs of the sample that nobody labelled.
    Unlabelled,
    /// Half of the families, drawn by seed, as if nobody had labelled them: every output has a label.
    HalfOfFamilies,
}

/// The share of good outputs in the population.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CorrectedShare {
    /// Which outputs it is of.
    pub judged_on: JudgedOn,
    /// The share, corrected for the grader's errors. Here a bad output counts as caught if it did not pass, and
    /// a good one as passed: what is undecided is on the same side in all three counts. Outputs are taken to be
    /// independent.
    pub corrected: Corrected,
    /// The share by the labels themselves, of all outputs that have one: with all of them labelled, the better figure.
    pub by_labels: Known<ClusteredRate>,
}

/// The corrected share of good outputs.
pub(super) fn corrected(
    outputs: &[Output],
    families: &Families,
    confidence: f64,
) -> Known<CorrectedShare> {
    let settled = |output: &Output| output.truth().is_some();
    let judged_on = match outputs.iter().any(|output| !settled(output) && !output.is_tie()) {
        true => JudgedOn::Unlabelled,
        false => JudgedOn::HalfOfFamilies,
    };
    let half = half(families.count);
    let is_judged = |(place, output): (usize, &Output)| match judged_on {
        JudgedOn::Unlabelled => !settled(output) && !output.is_tie(),
        JudgedOn::HalfOfFamilies => half[families.of[place]],
    };
    let (mut judged, mut known) = (Vec::new(), Vec::new());
    for (place, output) in outputs.iter().enumerate() {
        if is_judged((place, output)) { judged.push(output) } else { known.push(output) }
    }
    let passed = |output: &Output| output.verdict == Some(Verdict::Pass);
    let count = |of: &[&Output], wanted: bool| {
        let right = of.iter().filter(|output| passed(output) == wanted).count();
        Count::new(right as u64, of.len() as u64)
    };
    let of_truth = |truth| -> Vec<&Output> {
        known.iter().copied().filter(|output| output.truth() == Some(truth)).collect()
    };
    let (bad, good) = (of_truth(Verdict::Fail), of_truth(Verdict::Pass));
    match corrected_share(count(&judged, true), count(&bad, false), count(&good, true), confidence)
    {
        Ok(corrected) => Known::of(CorrectedShare {
            judged_on,
            corrected,
            by_labels: by_labels(outputs, confidence),
        }),
        Err(reason) => Known::absent(reason),
    }
}

/// Half of so many families, drawn by seed.
fn half(families: usize) -> Vec<bool> {
    let mut order: Vec<usize> = (0..families).collect();
    Random::seeded(SEED).shuffle(&mut order);
    let mut half = vec![false; families];
    for place in &order[..families / 2] {
        half[*place] = true;
    }
    half
}

/// The share that people pass, of the outputs they settled on.
fn by_labels(outputs: &[Output], confidence: f64) -> Known<ClusteredRate> {
    let marks = outputs
        .iter()
        .filter_map(|output| Some((&output.family, output.truth()? == Verdict::Pass)));
    clustered_rate(&by_family(marks), confidence).into()
}
