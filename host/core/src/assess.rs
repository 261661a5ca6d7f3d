//! What real outputs with labels say of a grader: rates, agreement with people, scores, and what it would mean
//! in use.
//!
//! One model for two uses: a run over real outputs, and an import that takes the verdicts of a judge from a file.
//! Truth is what [`crate::control::label::Truth`] says. Outputs for one question are one family, and families, not
//! outputs, are taken to be independent. What cannot be said is absent, with the reason.

mod agreement;
mod disagreements;
pub mod import;
mod in_use;
mod known;
mod of_run;
mod output;
mod rates;
mod scores;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use agreement::{Agreement, PeoplesOwn, Person, Statistic};
pub use disagreements::Disagreement;
pub use in_use::{CorrectedShare, InUseFigures, JudgedOn};
pub use known::Known;
pub use of_run::of_run;
pub use output::Output;
pub use rates::{FamilyRate, SideRate};
pub use scores::{AsJudged, Scores};

use crate::control::label::{Basis, LabelsBy, Sample};
use crate::id::ControlId;
use crate::policy::{Bars, InUse, Policy};
use crate::run::event::SampleFacts;
use crate::verdict::Verdict;

/// Where everything random of an assessment starts: the same figures everywhere.
pub const SEED: u64 = 0;

/// How often a difference of kappas is drawn again; gives whole ranks at 95 %.
const RESAMPLES: u32 = 1999;

/// What outputs are assessed by.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// The confidence of every bound, one-sided, and of every interval, two-sided.
    pub confidence: f64,
    /// The bars of the tier whose margin and rates are asked for.
    pub bars: &'a Bars,
    /// Where the grader is to be used, if the policy says.
    pub in_use: Option<&'a InUse>,
    /// What the files declare of how the outputs were drawn.
    pub samples: &'a [SampleFacts],
}

impl<'a> Terms<'a> {
    /// The terms of a policy, with the bars of one of its tiers.
    #[must_use]
    pub fn new(policy: &'a Policy, bars: &'a Bars, samples: &'a [SampleFacts]) -> Self {
        Self { confidence: policy.confidence, bars, in_use: policy.in_use.as_ref(), samples }
    }
}

/// What real outputs say of a grader.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// Outputs.
    pub outputs: u64,
    /// Families they make: outputs for one question are one.
    pub families: u64,
    /// Outputs by who made their labels, as the files state: `people`, `code`, `not-stated`.
    pub labels_by: BTreeMap<String, u64>,
    /// Outputs by what decided their truth.
    pub truth: BTreeMap<Basis, u64>,
    /// Outputs by verdict.
    pub verdicts: BTreeMap<Verdict, u64>,
    /// Outputs without a verdict: refused, at fault, or none that could be read. Each counts against the grader.
    pub without_verdict: u64,
    /// Outputs that should fail.
    pub catch: SideRate,
    /// Outputs that should pass.
    pub pass: SideRate,
    /// Outputs on which people did not settle; in no rate but that of `with_ties`.
    pub ties: Vec<ControlId>,
    /// Agreement with people, and theirs with one another.
    pub agreement: Known<Agreement>,
    /// What the scores are worth.
    pub scores: Known<Scores>,
    /// The sample that the outputs are declared to be.
    pub sample: Known<Sample>,
    /// The share of good outputs, corrected for what the grader gets wrong.
    pub corrected: Known<CorrectedShare>,
    /// What it would mean in use.
    pub in_use: Known<InUseFigures>,
    /// Outputs that the grader judged otherwise than people settled, hardest first.
    pub disagreements: Vec<Disagreement>,
}

/// Assesses a grader by its verdicts on these outputs.
#[must_use]
pub fn assess(outputs: &[Output], terms: &Terms<'_>) -> Assessment {
    let families = output::families(outputs);
    let sample = in_use::sample(outputs, terms.samples);
    let (catch, pass) = rates::sides(outputs, terms.confidence);
    let corrected = match &sample {
        Ok(_) => in_use::corrected(outputs, &families, terms.confidence),
        Err(reason) => Known::absent(reason),
    };
    let in_use = match (&sample, terms.in_use) {
        (Err(reason), _) => Known::absent(reason),
        (Ok(_), None) => Known::absent(
            "the policy has no table [in_use]: add base_rate, volume_per_month and the costs of a miss and of a false block",
        ),
        (Ok(_), Some(stated)) => in_use::figures(stated, &catch, &pass),
    };
    Assessment {
        outputs: outputs.len() as u64,
        families: families.count as u64,
        labels_by: counts(outputs, |output| Some(labels_by(output).name().to_owned())),
        truth: counts(outputs, |output| Some(output.label.truth().basis)),
        verdicts: counts(outputs, |output| output.verdict),
        without_verdict: outputs.iter().filter(|output| output.verdict.is_none()).count() as u64,
        agreement: agreement::agreement(outputs, &families, terms),
        scores: scores::scores(outputs, &families, terms, (&catch, &pass)),
        catch,
        pass,
        ties: outputs.iter().filter(|output| output.is_tie()).map(|o| o.id.clone()).collect(),
        sample: sample.map_or_else(Known::absent, Known::of),
        corrected,
        in_use,
        disagreements: disagreements::disagreements(outputs),
    }
}

/// Labels that name no annotator are nobody's: the file cannot state whose.
fn labels_by(output: &Output) -> LabelsBy {
    match output.label.by {
        LabelsBy::People if !output.label.is_peoples() => LabelsBy::NotStated,
        by => by,
    }
}

fn counts<K: Ord>(outputs: &[Output], key: impl Fn(&Output) -> Option<K>) -> BTreeMap<K, u64> {
    let mut counts = BTreeMap::new();
    for key in outputs.iter().filter_map(key) {
        *counts.entry(key).or_insert(0) += 1;
    }
    counts
}

#[cfg(test)]
mod tests;
