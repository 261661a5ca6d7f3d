//! Run records of the system under test: what ran, what it produced, what it relied on, what it did.
//!
//! A record is permanent. What is learnt later (a correction, how a forecast came out) is added with its date;
//! the original stays, and [`SutRun::continues`] sees to it.
//!
//! A list that is absent was not observed, which is unproven; an empty one was observed and holds nothing.

mod later;
mod open;
mod sound;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::evidence_grade::History;
use crate::case::{Artifact, Evidence, Message};
use crate::id::{CaseId, Digest, GraderName, RuleId, RunId, StepId};
use crate::ledger::Moment;
use crate::untrusted::Untrusted;

pub use later::{
    Baseline, Dimension, Dimensions, Explanation, Forecast, LaterOutcome, Rival, Stands,
};
pub use sound::RecordFault;

/// The version of the format of run records.
pub const FORMAT: u32 = 1;

/// One run of the system under test at one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SutRun {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// The run's own id, unique; an inventory names it.
    pub id: RunId,
    /// The case it was given.
    pub case: CaseId,
    /// Which run of this case, from 1.
    pub run: u32,
    /// Why it was run.
    pub purpose: Purpose,
    /// What ran.
    pub ran: Ran,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Moment>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Moment>,
    /// The steps, in order: the turns of a conversation, the phases of a job.
    pub steps: Vec<Step>,
    /// What was to be checked, written before it ran. The inventory must name each of these checks too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<ExpectedCheck>,
    /// How the result was made and checked, as whoever ran the system observed it: what its evidence is graded by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<History>,
    /// A JSON object as text, or empty: settings shared by every case, as graders see them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// Corrections, oldest first. The original stays above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corrections: Vec<Correction>,
    /// How forecasts and explanations came out, oldest first. They inform, and never gate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcomes: Vec<LaterOutcome>,
}

/// Why a run was made.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// To accept a release, or not.
    Acceptance,
    /// To see that what was mended stays mended.
    Regression,
    /// To describe the system. It never blocks.
    Characterization,
    /// To accept a release on cases that its makers have not seen.
    HeldOut,
}

impl Purpose {
    /// Whether a failure can block a release.
    #[must_use]
    pub fn blocks(self) -> bool {
        self != Self::Characterization
    }

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Acceptance => "acceptance",
            Self::Regression => "regression",
            Self::Characterization => "characterization",
            Self::HeldOut => "held-out",
        }
    }
}

/// What ran, and on what.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Ran {
    /// The version of the code: a commit, a build.
    pub code_version: String,
    /// The model.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// Who served it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub provider: String,
    /// Temperature and whatever else was set.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub settings: Map<String, Value>,
    /// The version of the prompt.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub prompt_version: String,
    /// Skills, with their versions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub skills: BTreeMap<String, String>,
    /// Tools, with their versions.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, String>,
    /// The snapshot of data it worked on.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub data_snapshot: String,
    /// The moment that it was told is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Moment>,
    /// The market's or another session it worked in.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub session: String,
    /// Up to when the model's training data reach, as its maker says.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub training_cutoff: String,
}

impl Ran {
    /// What tells one version of the system from another: everything but data, clock and session, which belong to
    /// the case.
    #[must_use]
    pub fn version(&self) -> Digest {
        let version = Self {
            data_snapshot: String::new(),
            clock: None,
            session: String::new(),
            ..self.clone()
        };
        let json = serde_json::to_vec(&version);
        Digest::of(&json.unwrap_or_else(|_| unreachable!("what ran is plain data")))
    }
}

/// One step of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its id, unique in the run; an inventory names it.
    pub id: StepId,
    /// What the system was asked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub task: String,
    /// What it answered; absent where no answer was observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The media type of the answer.
    #[serde(default = "text_plain")]
    pub answer_type: String,
    /// What a right answer is, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The conversation before this step, oldest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Message>>,
    /// Files it produced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<Vec<Artifact>>,
    /// The statements of its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<Vec<Stated>>,
    /// What it relied on: each with its source, the moment it describes and its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documents: Option<Vec<Evidence>>,
    /// What it called, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<Call>>,
    /// What it changed, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effects: Option<Vec<Effect>>,
    /// What it cost, in the unit that the inventory states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
}

impl Step {
    fn claims_of(step: &Self) -> impl Iterator<Item = &Stated> {
        step.claims.iter().flatten()
    }
}

impl Stated {
    /// Whether only time can tell.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.forecast.is_some() || self.explanation.is_some()
    }
}

fn text_plain() -> String {
    "text/plain".to_owned()
}

/// A statement of an answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    /// Unique within the step.
    pub id: String,
    /// The statement.
    pub text: String,
    /// Whether a reader would act on it: a failure of an important claim is serious.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub important: bool,
    /// A JSON object as text, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub extra: String,
    /// What makes it a forecast: it is settled later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forecast: Option<Forecast>,
    /// What makes it an explanation: it is settled later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Its place among the step's calls and effects.
    pub order: u32,
    /// The tool.
    pub tool: String,
    /// What it was given.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub arguments: Value,
    /// What it gave back.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub result: Value,
}

/// A change that a step made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// Its place among the step's calls and effects.
    pub order: u32,
    /// What was changed: a file, an account, a row.
    pub target: String,
    /// How it was before; null where it was not there.
    pub before: Value,
    /// How it was after; null where it was no longer there.
    pub after: Value,
}

/// A check that was written down before the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectedCheck {
    /// The grader.
    pub grader: GraderName,
    /// Its rules; none for all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleId>,
    /// When it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_at: Option<Moment>,
}

/// Something in the record turned out to be wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// When it was added.
    pub at: Moment,
    /// By whom.
    pub by: String,
    /// The step it is about; absent where it is about the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<StepId>,
    /// What was wrong, and what is right.
    pub what: String,
}

impl SutRun {
    /// The digest of the record as it was made: later entries are no part of it.
    #[must_use]
    pub fn original(&self) -> Digest {
        let bare = Self { corrections: Vec::new(), outcomes: Vec::new(), ..self.clone() };
        let json = serde_json::to_vec(&bare);
        Digest::of(&json.unwrap_or_else(|_| unreachable!("a record is plain data")))
    }

    /// Whether this record is an earlier one with entries added, and nothing else.
    ///
    /// # Errors
    /// When the original or an entry of it was changed or taken out.
    pub fn continues(&self, earlier: &Self) -> Result<(), RecordFault> {
        if self.original() != earlier.original() {
            return Err(RecordFault::OriginalChanged(self.id.clone()));
        }
        let kept = self.corrections.starts_with(&earlier.corrections)
            && self.outcomes.starts_with(&earlier.outcomes);
        if kept { Ok(()) } else { Err(RecordFault::EntriesChanged(self.id.clone())) }
    }

    /// The steps by their ids, for whoever looks up many.
    #[must_use]
    pub fn steps_by_id(&self) -> BTreeMap<&StepId, &Step> {
        // Of two of one id, which is a fault of the record, the first.
        self.steps.iter().rev().map(|step| (&step.id, step)).collect()
    }

    /// Its forecasts and explanations, each with its step, in order.
    pub fn open_claims(&self) -> impl Iterator<Item = (&Step, &Stated)> {
        let claims = |step| Step::claims_of(step).map(move |claim| (step, claim));
        self.steps.iter().flat_map(claims).filter(|(_, claim)| claim.is_open())
    }

    /// The claim of this id in this step.
    #[must_use]
    pub fn claim(&self, step: &StepId, claim: &str) -> Option<&Stated> {
        Step::claims_of(self.step(step)?).find(|it| it.id == claim)
    }

    /// The step of this id.
    #[must_use]
    pub fn step(&self, id: &StepId) -> Option<&Step> {
        self.steps.iter().find(|step| step.id == *id)
    }

    /// What it cost; absent where a step does not say.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        let known = !self.steps.is_empty();
        self.steps.iter().map(|step| step.cost).sum::<Option<f64>>().filter(|_| known)
    }

    /// How long it took; absent where a step does not say.
    #[must_use]
    pub fn latency_ms(&self) -> Option<u64> {
        let known = !self.steps.is_empty();
        let sum = |all: u64, step: &Step| Some(all.saturating_add(step.latency_ms?));
        self.steps.iter().try_fold(0, sum).filter(|_| known)
    }

    /// How often each tool was called: a diagnostic, which no verdict depends on.
    #[must_use]
    pub fn calls(&self) -> BTreeMap<Untrusted, u64> {
        let mut calls = BTreeMap::new();
        for call in self.steps.iter().flat_map(|step| step.calls.iter().flatten()) {
            *calls.entry(Untrusted::new(&call.tool)).or_default() += 1;
        }
        calls
    }
}
