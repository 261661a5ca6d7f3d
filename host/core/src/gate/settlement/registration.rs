//! The fingerprint of a forecast or an explanation: it changes with whatever was said, and with who said it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gate::record::{Explanation, Forecast, Stated, Step, SutRun};
use crate::id::{CaseId, Digest, RunId, StepId};
use crate::ledger::Moment;

/// What a claim is that only time can tell.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum About {
    /// A forecast.
    Forecast,
    /// An explanation.
    Explanation,
}

impl About {
    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Forecast => "forecast",
            Self::Explanation => "explanation",
        }
    }
}

/// What is registered of one forecast or explanation: digests, and no wording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registration {
    /// The run.
    pub run: RunId,
    /// The case that was run.
    pub case: CaseId,
    /// The step.
    pub step: StepId,
    /// The claim.
    pub claim: String,
    /// What it is.
    pub about: About,
    /// When it is due.
    pub horizon: Moment,
    /// The record as it was made, whole.
    pub record: Digest,
    /// Which version of the system ran.
    pub version: Digest,
    /// The statement, as it was worded.
    pub wording: Digest,
    /// Its horizon, source of truth and baseline; with a forecast's call and probability, or an explanation's assessment.
    pub terms: Digest,
    /// The digest of all of these.
    pub fingerprint: Digest,
}

/// What a registration is found by.
pub(super) type Key = (RunId, StepId, String);

impl Registration {
    /// Of a claim of a step of a run; absent where it is neither a forecast nor an explanation.
    #[must_use]
    pub fn of(run: &SutRun, step: &Step, claim: &Stated) -> Option<Self> {
        Self::in_record(run, run.original(), (step, claim))
    }

    /// The same, for whoever knows the digest of the record as it was made: there may be many claims in it.
    #[must_use]
    pub fn in_record(
        run: &SutRun,
        record: Digest,
        (step, claim): (&Step, &Stated),
    ) -> Option<Self> {
        let (about, horizon) = match (&claim.forecast, &claim.explanation) {
            (Some(Forecast { horizon, .. }), _) => (About::Forecast, *horizon),
            (None, Some(Explanation { horizon, .. })) => (About::Explanation, *horizon),
            (None, None) => return None,
        };
        let mut registration = Self {
            run: run.id.clone(),
            case: run.case.clone(),
            step: step.id.clone(),
            claim: claim.id.clone(),
            about,
            horizon,
            record,
            version: run.ran.version(),
            wording: Digest::of(claim.text.as_bytes()),
            terms: json(&(&claim.forecast, &claim.explanation)),
            fingerprint: Digest::of(b""),
        };
        registration.fingerprint = registration.computed();
        Some(registration)
    }

    /// The fingerprint that follows from the other parts.
    fn computed(&self) -> Digest {
        let place = (&self.run, &self.case, &self.step, &self.claim);
        let digests = (self.record, self.version, self.wording, self.terms);
        json(&("accredit settlement", place, self.about, self.horizon, digests))
    }

    /// Whether its fingerprint is that of its parts.
    pub(super) fn is_whole(&self) -> bool {
        self.fingerprint == self.computed()
    }

    pub(super) fn key(&self) -> Key {
        (self.run.clone(), self.step.clone(), self.claim.clone())
    }

    /// What of it is not as it was registered, in words; none where the fingerprint is the same.
    #[must_use]
    pub fn differs(&self, registered: &Self) -> Vec<&'static str> {
        if self.fingerprint == registered.fingerprint {
            return Vec::new();
        }
        let parts = [
            (self.wording != registered.wording, "its wording"),
            (self.version != registered.version, "the version that ran"),
            (self.horizon != registered.horizon, "its horizon"),
            (self.about != registered.about, "what it is"),
            (
                self.terms != registered.terms && self.horizon == registered.horizon,
                "its source of truth, baseline, call, probability or assessment",
            ),
        ];
        let told: Vec<_> = parts.into_iter().filter(|(is, _)| *is).map(|(_, what)| what).collect();
        if told.is_empty() { vec!["another part of its record"] } else { told }
    }
}

/// The digest of plain data, as JSON: members in the order of their structs, no space, each number in its shortest form.
fn json(value: &impl Serialize) -> Digest {
    let json = serde_json::to_vec(value);
    Digest::of(&json.unwrap_or_else(|_| unreachable!("a claim is plain data")))
}
