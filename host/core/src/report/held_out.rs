//! What a report says of the held-out controls: to the platform everything, to an author whether they held.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KindLine, Miss, misses, tables};
use crate::contamination::Contamination;
use crate::decision::held_out::{Standing, standing};
use crate::decision::{Decision, Judged, held_out_results};
use crate::id::{ControlId, Digest};
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
    /// Tier by tier, whether they met what it asks.
    pub results: Vec<HeldOutResult>,
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
        results: if facts.is_withheld() {
            facts.results.clone()
        } else {
            held_out_results(decision)
        },
        shown: part.map(|part| HeldOutShown {
            kinds: tables::kinds(&part.measures, confidence),
            misses: misses::find(&part.run, &part.table).all(),
            texts: part.run.kept.clone(),
            contamination: facts.contamination.clone(),
        }),
    })
}
