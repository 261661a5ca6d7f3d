//! The outputs on which the grader and people differ, with what people said of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::output::Output;
use crate::control::label::{Basis, PersonLabel};
use crate::id::{ControlId, FamilyId};
use crate::untrusted::Untrusted;
use crate::verdict::Verdict;

/// One output that the grader judged otherwise than people settled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Disagreement {
    /// The output.
    pub id: ControlId,
    /// Its family.
    pub family: FamilyId,
    /// What it should get.
    pub truth: Verdict,
    /// What decided that.
    pub basis: Basis,
    /// What the grader said; none where it gave no verdict.
    pub verdict: Option<Verdict>,
    /// Whether people themselves differ on it.
    pub disputed: bool,
    /// Marked as hard before any grader ran.
    pub hard: bool,
    /// The grader's probability that it should fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// How far that lies from the truth, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// What each person said, with their critiques.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<PersonLabel>,
    /// What the grader said.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub rationale: Untrusted,
    /// What was asked, where the text is at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<Untrusted>,
    /// What the system answered, where the text is at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Untrusted>,
}

/// Hardest first: those on which people themselves differ or that were marked as hard, then by how far the score
/// lies from the truth, the farthest first.
pub(super) fn disagreements(outputs: &[Output]) -> Vec<Disagreement> {
    let mut wrong: Vec<_> = outputs.iter().filter_map(disagreement).collect();
    let key = |it: &Disagreement| (!(it.disputed || it.hard), it.distance.is_none());
    wrong.sort_by(|a, b| {
        let farther = b.distance.unwrap_or(0.0).total_cmp(&a.distance.unwrap_or(0.0));
        key(a).cmp(&key(b)).then(farther).then_with(|| a.id.cmp(&b.id))
    });
    wrong
}

fn disagreement(output: &Output) -> Option<Disagreement> {
    let truth = output.truth().filter(|_| !output.is_right())?;
    let should_fail = if truth == Verdict::Fail { 1.0 } else { 0.0 };
    let texts = output.texts.as_ref();
    Some(Disagreement {
        id: output.id.clone(),
        family: output.family.clone(),
        truth,
        basis: output.label.truth().basis,
        verdict: output.verdict,
        disputed: output.label.is_disputed(),
        hard: output.label.hard,
        score: output.score,
        distance: output.score.map(|score| (score - should_fail).abs()),
        people: output.label.people.clone(),
        rationale: output.rationale.clone(),
        task: texts.map(|(task, _)| task.clone()),
        output: texts.map(|(_, output)| output.clone()),
    })
}
