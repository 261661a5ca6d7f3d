//! From a step of a run record to the case that a grader sees: one builder, blinded as everywhere.
//!
//! Calls and effects are shown as evidence of the kinds `call` and `effect`, each as JSON, in their order, and only
//! to graders of which some rule needs them: their controls hold the same kinds in the same shape.

use serde::Serialize;

use super::record::{Call, Effect, Step, SutRun};
use crate::case::{Case, Claim, Evidence};
use crate::manifest::Manifest;

/// The kind of evidence that a call of a tool is shown as.
pub const CALL: &str = "call";

/// The kind of evidence that a change is shown as.
pub const EFFECT: &str = "effect";

/// The case that a grader sees of a step; absent where no answer was observed, so that nothing can be judged.
#[must_use]
pub fn build(run: &SutRun, step: &Step, manifest: &Manifest) -> Option<Case> {
    let case = Case {
        id: String::new(),
        task: step.task.clone(),
        output: step.answer.clone()?,
        output_type: step.answer_type.clone(),
        reference: step.reference.clone(),
        messages: step.messages.clone().unwrap_or_default(),
        claims: step
            .claims
            .iter()
            .flatten()
            .map(|stated| Claim {
                id: stated.id.clone(),
                text: stated.text.clone(),
                extra: stated.extra.clone(),
            })
            .collect(),
        evidence: evidence(step, manifest),
        artifacts: step.artifacts.clone().unwrap_or_default(),
        context: run.context.clone(),
    };
    Some(case.blinded())
}

fn evidence(step: &Step, manifest: &Manifest) -> Vec<Evidence> {
    let needs = |kind: &str| {
        manifest.rules.iter().any(|rule| rule.needs.iter().any(|need| need.raw() == kind))
    };
    let mut evidence = step.documents.clone().unwrap_or_default();
    let mut did: Vec<(u32, Evidence)> = Vec::new();
    if needs(CALL) {
        let call = |it: &Call| (it.order, shown(CALL, it.order, &it.tool, it));
        did.extend(step.calls.iter().flatten().map(call));
    }
    if needs(EFFECT) {
        let effect = |it: &Effect| (it.order, shown(EFFECT, it.order, &it.target, it));
        did.extend(step.effects.iter().flatten().map(effect));
    }
    did.sort_by_key(|(order, _)| *order);
    evidence.extend(did.into_iter().map(|(_, evidence)| evidence));
    evidence
}

fn shown(kind: &str, order: u32, source: &str, what: &impl Serialize) -> Evidence {
    let content = serde_json::to_string(what);
    Evidence {
        id: format!("{kind}-{order}"),
        kind: kind.to_owned(),
        source: source.to_owned(),
        media_type: "application/json".to_owned(),
        content: content.unwrap_or_else(|_| unreachable!("a call or an effect is plain data")),
        ..Evidence::default()
    }
}
