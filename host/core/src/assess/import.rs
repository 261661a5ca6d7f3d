//! Verdicts from elsewhere, joined with labelled outputs: a judge assessed without making it a component.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Assessment, Output, Terms, assess};
use crate::control::label::Label;
use crate::control::lint::LintFault;
use crate::control::set::{Control, Place};
use crate::id::{ControlId, Digest};
use crate::untrusted::Untrusted;
use crate::verdict::Verdict;

/// The version of the format of an import's report.
pub const FORMAT: u32 = 1;

/// What every import says of its reach.
pub const REACH: &str = "Nothing is promoted by an import. It shows how the verdicts that were handed in compare with these labels; it does not show that the judge would give them again, nor that these are all it gave.";

/// One recorded verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// The output it is on.
    pub id: ControlId,
    /// Where it stands.
    pub at: Place,
    /// The verdict; none where the judge gave none that could be read.
    pub verdict: Option<Verdict>,
    /// The probability, 0 to 1, that the output should fail.
    pub score: Option<f64>,
    /// Why, in the judge's words.
    pub rationale: Untrusted,
}

/// The report of an import.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Imported {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// What was read.
    pub digests: ImportDigests,
    /// The confidence of every bound.
    pub confidence: f64,
    /// What the verdicts are worth.
    pub assessment: Assessment,
    /// What this does not show.
    pub reach: String,
}

/// The digests of what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportDigests {
    /// The file of labels.
    pub labels: Digest,
    /// The file of verdicts; that of labels again, where the verdicts stand in it.
    pub verdicts: Digest,
    /// The policy.
    pub policy: Digest,
}

impl Imported {
    /// Assesses imported verdicts.
    #[must_use]
    pub fn new(outputs: &[Output], terms: &Terms<'_>, digests: ImportDigests) -> Self {
        Self {
            format: FORMAT,
            digests,
            confidence: terms.confidence,
            assessment: assess(outputs, terms),
            reach: REACH.to_owned(),
        }
    }
}

/// Joins labelled outputs with the verdicts on them.
///
/// # Errors
/// Every output without a line of its own, every line on an output that is not there, and every second line on one.
pub fn join(labelled: Vec<Control>, given: Vec<Given>) -> Result<Vec<Output>, Vec<LintFault>> {
    let mut faults = Vec::new();
    let known: BTreeSet<_> = labelled.iter().map(|control| control.entry.id.clone()).collect();
    let mut verdicts: BTreeMap<ControlId, Given> = BTreeMap::new();
    for line in given {
        let id = line.id.clone();
        if !known.contains(&id) {
            let mend = "take it out, or add the output to the file of labels: both must be of the same outputs";
            let message = "a verdict on an output that is not in the file of labels";
            faults.push(LintFault::error("unknown-output", line.at, message, mend).of(&id));
        } else if let Some(first) = verdicts.get(&id) {
            let message = format!("a second verdict on one output; the first is at {}", first.at);
            let mend = "keep one: the first time the judge was asked";
            faults.push(LintFault::error("duplicate-verdict", line.at, message, mend).of(&id));
        } else {
            verdicts.insert(id, line);
        }
    }
    let mut outputs = Vec::new();
    for control in labelled {
        let id = control.entry.id.clone();
        match (verdicts.remove(&id), control.label.clone()) {
            (Some(given), Some(label)) => outputs.push(output(control, label, given)),
            _ => {
                let mend = "add a line with its verdict; `null` where the judge gave none counts against it";
                let message = "no line of the verdicts is on this output";
                faults.push(LintFault::error("missing-verdict", control.at, message, mend).of(&id));
            }
        }
    }
    if faults.is_empty() { Ok(outputs) } else { Err(faults) }
}

fn output(control: Control, label: Label, given: Given) -> Output {
    let entry = control.entry;
    Output {
        id: entry.id,
        family: entry.family,
        label,
        verdict: given.verdict,
        steady: true,
        score: given.score,
        rationale: given.rationale,
        texts: Some((Untrusted::new(entry.case.task), Untrusted::new(entry.case.output))),
    }
}
