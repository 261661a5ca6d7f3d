//! What a report says of the held-out controls: to the platform everything, to an author whether they held.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KindLine, Miss, misses, tables};
use crate::contamination::Contamination;
use crate::decision::held_out::{MEND_FOR_AUTHORS, Standing, claimed, standing};
use crate::decision::{Decision, Judged, Measured, Requirement, held_out_results};
use crate::id::{ControlId, Digest};
use crate::policy::RequirementId;
use crate::run::event::{CaseTexts, HeldOutResult, Look};

/// The held-out controls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeldOutLine {
    /// How many there are.
    pub controls: u64,
    /// The digest of their files.
    pub digest: Digest,
    /// Whether the open set's commitments promise these very controls; absent where it promises none, and in
    /// an author's report.
    pub as_promised: Option<bool>,
    /// The confidence of each bound on them: what the policy leaves to error, shared out among the looks.
    pub confidence: f64,
    /// Every time that their results were opened, as the ledgers have it, this run's last; none where no ledger
    /// was told of it. Such a run promotes nothing above characterization.
    pub looks: Vec<Look>,
    /// How many the policy allows.
    pub looks_allowed: u32,
    /// Tier by tier, whether they met what it asks.
    pub results: Vec<HeldOutResult>,
    /// Whether this report was made of an author's copy, which holds no held-out control: the results are then what
    /// the copy says, and nothing here bears them out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_claim: bool,
    /// Of an author's copy: the digest of the whole record that it says it was made of. Nothing here bears it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<Digest>,
    /// Everything else; absent in an author's report.
    pub shown: Option<HeldOutShown>,
}

/// What an author does not see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HeldOutShown {
    /// Counts by kind.
    pub kinds: Vec<KindLine>,
    /// Those judged wrong.
    pub misses: Vec<Miss>,
    /// Their texts.
    pub texts: BTreeMap<ControlId, CaseTexts>,
    /// Which of their texts stand in the component.
    pub contamination: Option<Contamination>,
}

/// What an author learns of a decision: of the held-out controls, whether they held and whether others wrote them.
pub(super) fn told_of(mut decision: Decision) -> Decision {
    for requirement in &mut decision.requirements {
        let fact = match (requirement.id, requirement.met) {
            (RequirementId::HeldOut, Some(true)) => "held, on controls that you do not see",
            (RequirementId::HeldOut, Some(false)) => {
                "did not hold, on controls that you do not see"
            }
            (RequirementId::HeldOut, None) => "not evaluated, of controls that you do not see",
            (RequirementId::IndependentAuthors, Some(false)) => {
                "an author of the grader wrote controls, as declared"
            }
            _ => continue,
        };
        requirement.measured = Some(Measured::Fact(fact.to_owned()));
        if requirement.id == RequirementId::HeldOut {
            requirement.mend = mend_for_authors(requirement);
        }
    }
    decision
}

/// What would meet it, without what the platform is told of the controls.
fn mend_for_authors(requirement: &Requirement) -> Option<String> {
    let mend = match requirement.met {
        Some(true) => return None,
        Some(false) => MEND_FOR_AUTHORS,
        None => "whoever keeps the held-out controls sees what they lack: --audience platform",
    };
    Some(mend.to_owned())
}

pub(super) fn line(
    open: &Judged<'_>,
    part: Option<&Judged<'_>>,
    decision: &Decision,
) -> Option<HeldOutLine> {
    let facts = open.run.started.held_out.as_ref()?;
    let as_promised = part.and_then(|part| match standing(&open.run, &part.run, facts) {
        Standing::Uncommitted => None,
        Standing::Broken => Some(false),
        Standing::Committed => Some(true),
    });
    let confidence = open.run.started.policy.held_out_confidence();
    Some(HeldOutLine {
        controls: facts.controls,
        digest: facts.digest,
        as_promised,
        confidence,
        looks: facts.looks.clone(),
        looks_allowed: open.run.started.policy.looks,
        results: match facts.is_withheld() {
            true => claimed(facts, open.run.started.digests.policy),
            false => held_out_results(decision),
        },
        is_claim: facts.is_withheld(),
        whole: facts.whole,
        shown: part.map(|part| HeldOutShown {
            kinds: tables::kinds(&part.measures, confidence),
            misses: misses::find(&part.run, &part.table).all(),
            texts: part.run.kept.clone(),
            contamination: facts.contamination.clone(),
        }),
    })
}
