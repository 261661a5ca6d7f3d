//! What stands behind a failure: the texts of the step that failed, the turns before it, and the evidence that its
//! graders were shown.
//!
//! They are kept in the report, so that a reader comes from a verdict to the words it rests on. Nothing of a held-out
//! case is among them.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::case::build;
use super::combine::Failed;
use super::judged::GateGrader;
use super::record::{Purpose, Step, SutRun};
use crate::case::{Evidence, Message};
use crate::id::{GraderName, RunId, StepId};
use crate::untrusted::Untrusted;

/// The texts of one step in which something failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepTexts {
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: StepId,
    /// What the system was asked.
    pub task: Untrusted,
    /// What it answered; absent where no answer was observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Untrusted>,
    /// What a right answer is, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Untrusted>,
    /// The claims that failed, by their ids.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub claims: BTreeMap<Untrusted, Untrusted>,
    /// The conversation before this step, oldest first: role and words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<(Untrusted, Untrusted)>,
    /// The evidence that the graders were shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Shown>,
}

/// A piece of evidence that a grader was shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    /// Its id, which citations name.
    pub id: Untrusted,
    /// What it is, in the rubric's words.
    pub kind: Untrusted,
    /// Where it came from.
    pub source: Untrusted,
    /// The moment it describes, as the record says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Untrusted>,
    /// The evidence itself.
    pub content: Untrusted,
}

/// The texts of every step that one of these failures is of, in the order of runs and steps.
#[must_use]
pub fn texts<'a>(
    failed: impl IntoIterator<Item = &'a Failed>,
    runs: &[SutRun],
    graders: &[GateGrader],
) -> Vec<StepTexts> {
    let mut of_step: BTreeMap<(&RunId, &StepId), Vec<&Failed>> = BTreeMap::new();
    for failed in failed {
        of_step.entry((&failed.run, &failed.step)).or_default().push(failed);
    }
    let runs: BTreeMap<&RunId, &SutRun> = runs.iter().map(|run| (&run.id, run)).collect();
    let graders: BTreeMap<&GraderName, &GateGrader> =
        graders.iter().map(|grader| (grader.name(), grader)).collect();
    let told = |run: &RunId| runs.get(run).filter(|run| run.purpose != Purpose::HeldOut);
    let mut texts = Vec::new();
    let all: Vec<_> = of_step.into_iter().collect();
    for of_run in all.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
        let Some(run) = of_run.first().and_then(|((run, _), _)| told(run)) else { continue };
        let steps = run.steps_by_id();
        let of_step = |((_, id), failed): &((&RunId, &StepId), Vec<&Failed>)| {
            steps.get(id).map(|step| one(run, step, failed, &graders))
        };
        texts.extend(of_run.iter().filter_map(of_step));
    }
    texts
}

fn one(
    run: &SutRun,
    step: &Step,
    failed: &[&Failed],
    graders: &BTreeMap<&GraderName, &GateGrader>,
) -> StepTexts {
    let claims: BTreeSet<&str> =
        failed.iter().filter_map(|it| it.claim.as_ref()).map(Untrusted::raw).collect();
    let claims = step.claims.iter().flatten().filter(|claim| claims.contains(claim.id.as_str()));
    let mut evidence = BTreeSet::new();
    for grader in failed.iter().map(|it| &it.grader).collect::<BTreeSet<_>>() {
        let shown = graders.get(grader).and_then(|it| build(run, step, &it.manifest));
        evidence.extend(shown.into_iter().flat_map(|case| case.evidence).map(of_evidence));
    }
    let words = |it: &Message| (Untrusted::new(&it.role), Untrusted::new(&it.content));
    StepTexts {
        run: run.id.clone(),
        step: step.id.clone(),
        task: Untrusted::new(&step.task),
        answer: step.answer.as_ref().map(Untrusted::new),
        reference: step.reference.as_ref().map(Untrusted::new),
        claims: claims
            .map(|claim| (Untrusted::new(&claim.id), Untrusted::new(&claim.text)))
            .collect(),
        messages: step.messages.iter().flatten().map(words).collect(),
        evidence: evidence.into_iter().collect(),
    }
}

fn of_evidence(evidence: Evidence) -> Shown {
    Shown {
        id: Untrusted::new(evidence.id),
        kind: Untrusted::new(evidence.kind),
        source: Untrusted::new(evidence.source),
        as_of: evidence.as_of.map(Untrusted::new),
        content: Untrusted::new(evidence.content),
    }
}
