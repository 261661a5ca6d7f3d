//! What is recorded while a run happens. Everything else is derived from it.
//!
//! An event holds nothing that another machine, another load or another number of jobs would change:
//! timings and machine facts stand beside the events in a record, outside its digest.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::contamination::Contamination;
use crate::control::held_out::Salt;
use crate::control::label::Sample;
use crate::control::select::Only;
use crate::control::set::{Control, Expectation, Kind, Label, SetHeader, Variation};
use crate::control::transform::Transform;
use crate::findings::{Imposed, Outcome, Violation};
use crate::id::{ControlId, Digest, FamilyId, GraderName, RuleId};
use crate::ledger::Moment;
use crate::manifest::Manifest;
use crate::policy::Policy;
use crate::untrusted::Untrusted;
use crate::verdict::{GraderKind, Tier, Verdict};

/// The version of the record format that this code writes and reads.
pub const FORMAT: u32 = 1;

/// One line of a run record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The first event: what is run on what, by which policy.
    RunStarted(Box<RunStarted>),
    /// What a baseline said of every control.
    BaselineFinished(BaselineFinished),
    /// Which texts of the open controls stand in the component's bytes.
    ContaminationScanned(Contamination),
    /// What came of one trial.
    TrialFinished(Box<TrialFinished>),
    /// The texts of a control that was judged wrong, so that a report can show them.
    CaseKept(Box<CaseKept>),
    /// The last event. A record without it is incomplete and cannot promote.
    RunFinished(RunFinished),
}

/// What is run on what, by which policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunStarted {
    /// The record format, [`FORMAT`].
    pub format: u32,
    /// The grader.
    pub grader: GraderFacts,
    /// The digests of everything the evidence rests on, except the record itself.
    pub digests: RunDigests,
    /// The control set.
    pub set: SetHeader,
    /// The policy in force.
    pub policy: Policy,
    /// The seed of the order and of everything random.
    pub seed: u64,
    /// How often each shown case is tried.
    pub repeats: u32,
    /// How many trials the run makes.
    pub trials: u64,
    /// How some controls were chosen; absent where all of them are run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Only>,
    /// What the files of real outputs declare of how these were drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<SampleFacts>,
    /// The controls, in the set's order; the held-out ones after them.
    pub controls: Vec<ControlFacts>,
    /// What is known of the held-out controls, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOutFacts>,
}

impl RunStarted {
    /// What kind of grader it is, by its imports and by the policy.
    #[must_use]
    pub fn kind(&self) -> GraderKind {
        self.policy.kind_of(&self.grader.manifest.name, self.grader.kind)
    }
}

/// What is known of the controls that are held out from the grader's author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeldOutFacts {
    /// How many there are.
    pub controls: u64,
    /// The digest of their files.
    pub digest: Digest,
    /// The salt of their commitments, with which anyone who may see it can recompute them. An author's copy
    /// of a record has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<Salt>,
    /// Which of their texts stand in the component's bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contamination: Option<Contamination>,
    /// In an author's copy, which holds no held-out control: tier by tier, whether they held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<HeldOutResult>,
    /// Every time that their results were opened, by the ledgers, this run's last; none where no ledger was
    /// told of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<Look>,
    /// In an author's copy: the policy by which the results were decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Digest>,
    /// Who wrote them, as their set says. An author's copy has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// In an author's copy: the digest of the whole record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<Digest>,
}

impl HeldOutFacts {
    /// Whether the held-out controls were taken out of the record.
    #[must_use]
    pub fn is_withheld(&self) -> bool {
        self.whole.is_some()
    }
}

/// The results of held-out controls were opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// When.
    pub at: Moment,
    /// About which grader.
    pub grader: GraderName,
    /// Its component.
    pub component: Digest,
}

/// Whether the held-out controls met what a tier asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeldOutResult {
    /// The tier.
    pub tier: Tier,
    /// Met, not met or (null) not evaluated.
    pub met: Option<bool>,
}

/// A declared probability sample of real outputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SampleFacts {
    /// What its file declares.
    pub declared: Sample,
    /// How many outputs the file holds.
    pub outputs: u64,
    /// Whether they are held out from the grader's author.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held_out: bool,
}

/// What is known of the grader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraderFacts {
    /// What it says of itself.
    pub manifest: Manifest,
    /// The digest of the component's bytes.
    pub digest: Digest,
    /// Derived from its imports.
    pub kind: GraderKind,
    /// Who wrote it, from the component's metadata; empty where it does not say.
    pub authors: Vec<Untrusted>,
}

/// The digests of everything the evidence rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunDigests {
    /// The open control set's files (and any real-output files), but for regression controls.
    pub controls: Digest,
    /// The files of regression controls, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regression: Option<Digest>,
    /// The policy's file and what it comes to.
    pub policy: Digest,
    /// The contract's text.
    pub contract: Digest,
    /// What the engine's results depend on: its version, features, fuel table and limits.
    pub semantics: Digest,
}

/// A control without its case: what scoring needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControlFacts {
    /// The control's id.
    pub id: ControlId,
    /// Its kind.
    pub kind: Kind,
    /// Its family.
    pub family: FamilyId,
    /// Why it is there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// What it must get.
    pub expect: Expectation,
    /// Rules that may fail with the expected one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<RuleId>,
    /// adversarial: how it tries to deceive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tactic: Option<FamilyId>,
    /// near-miss: the pair it is half of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<ControlId>,
    /// invariance: the control it varies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<ControlId>,
    /// invariance: how.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variation: Option<Variation>,
    /// real-output: what is known of its label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Label>,
    /// What sort of case it is, by name and value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub segment: BTreeMap<String, String>,
    /// Whether it is held out from the grader's author.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held_out: bool,
    /// The digest of the case's content.
    pub content: Digest,
    /// The transforms under which it is shown as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Transform>,
}

impl ControlFacts {
    /// The facts of one control, shown as well under these transforms.
    #[must_use]
    pub fn new(control: &Control, variants: Vec<Transform>) -> Self {
        let entry = &control.entry;
        Self {
            id: entry.id.clone(),
            kind: control.kind,
            family: entry.family.clone(),
            why: entry.why.clone(),
            expect: entry.expect.clone(),
            also: entry.also.clone(),
            tactic: entry.tactic.clone(),
            pair: entry.pair.clone(),
            base: entry.base.clone(),
            variation: entry.variation,
            label: control.label.clone(),
            segment: entry.segment.clone(),
            held_out: control.held_out,
            content: entry.case.content_digest(),
            variants,
        }
    }
}

/// What a baseline said of every control as written, each rule's verdict in the manifest's order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BaselineFinished {
    /// The baseline's name.
    pub name: String,
    /// A control's verdicts, in the order of the run's controls.
    pub verdicts: Vec<Vec<Verdict>>,
}

/// What came of one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrialFinished {
    /// The control.
    pub control: ControlId,
    /// The transform it was shown under, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<Transform>,
    /// The repeat, from 0.
    pub repeat: u32,
    /// What happened.
    pub outcome: Outcome,
    /// What the host set to `unproven`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imposed: Vec<Imposed>,
    /// What broke the contract and was not accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// Fuel used, in the engine's units.
    pub fuel: u64,
    /// Calls of inert imports, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inert: BTreeMap<String, u64>,
    /// What the grader wrote to diagnostics, stdout and stderr.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub captured: Untrusted,
    /// Whether more was written than is kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub captured_truncated: bool,
}

/// The texts of one control that was judged wrong, each cut where it is very long.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseKept {
    /// The control.
    pub control: ControlId,
    /// Its texts.
    pub texts: CaseTexts,
}

/// What a case says, for people to read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseTexts {
    /// What was asked.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub task: Untrusted,
    /// What was answered.
    pub output: Untrusted,
    /// What a right answer is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Untrusted>,
    /// What it could be checked against: kind and content of each piece of evidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<(Untrusted, Untrusted)>,
    /// Whether some text was cut.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

impl CaseTexts {
    /// The texts of a case, each cut after so many bytes.
    #[must_use]
    pub fn of(case: &Case, longest: usize) -> Self {
        let mut cut = false;
        let mut text = |text: &str| {
            let mut end = text.len().min(longest);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            cut |= end < text.len();
            Untrusted::new(&text[..end])
        };
        let evidence = case.evidence.iter().map(|it| (text(&it.kind), text(&it.content))).collect();
        Self {
            task: text(&case.task),
            output: text(&case.output),
            reference: case.reference.as_deref().map(&mut text),
            evidence,
            cut,
        }
    }

    /// Bytes of text it holds.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let evidence = self.evidence.iter().map(|(kind, text)| kind.raw().len() + text.raw().len());
        let reference = self.reference.as_ref().map_or(0, |text| text.raw().len());
        self.task.raw().len() + self.output.raw().len() + reference + evidence.sum::<usize>()
    }
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunFinished {
    /// How many trials were recorded; equal to the number planned.
    pub trials: u64,
}
