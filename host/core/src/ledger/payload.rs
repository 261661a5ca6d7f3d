//! What an entry says: the part of a line that people sign.

mod kind;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::de::Deserializer;
use serde::{Deserialize, Serialize};

use super::damage::plain;
use super::invariant::Invariant;
use super::moment::Moment;
use crate::id::{ControlId, Digest, GraderName, RubricId, RuleId};
use crate::untrusted::Untrusted;
use crate::verdict::{GraderKind, Tier, Verdict};

pub use kind::{PayloadFault, PayloadKind};

/// Version 1 of a payload. It is read from the number 1 and from nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct V1;

impl Serialize for V1 {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(1)
    }
}

impl<'de> Deserialize<'de> for V1 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            1 => Ok(Self),
            other => Err(serde::de::Error::custom(format!("version {other} is not known"))),
        }
    }
}

impl JsonSchema for V1 {
    fn schema_name() -> Cow<'static, str> {
        "V1".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "const": 1 })
    }
}

/// What happened. Its JSON begins with `kind`, and carries a version and the grader's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Payload {
    /// A component was registered under a grader's name.
    Registered(Registered),
    /// Held-out results are about to be opened.
    Looked(Looked),
    /// A component was promoted.
    Promoted(Promoted),
    /// A component was run against its controls again and still meets its bars.
    Verified(Verified),
    /// It was run again, and something broke.
    FailedVerification(FailedVerification),
    /// Authority was taken away.
    Revoked(Revoked),
    /// Another component took its place.
    Superseded(Superseded),
    /// A remark; it may correct an earlier entry, or lift a revocation.
    Noted(Noted),
    /// A person's word on a result of the gate in which the grader may block.
    Decided(Decided),
}

/// A component was registered under a grader's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Registered {
    /// The payload's version.
    pub v: V1,
    /// The grader's name.
    pub grader: GraderName,
    /// The component.
    pub component: Digest,
    /// The rubric it judges by.
    pub rubric: RubricId,
    /// Code or judge, by what the component imports.
    pub grader_kind: GraderKind,
    /// The control set, without its regression controls.
    pub controls: Digest,
    /// What those who are named, and those who sign, wrote of it.
    pub wrote: Vec<Work>,
    /// The principals who wrote it, as the registration names them.
    pub authors: Vec<String>,
}

/// What an author wrote.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// The component.
    Grader,
    /// The controls.
    Controls,
}

/// Held-out results are about to be opened: recorded before they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Looked {
    /// The payload's version.
    pub v: V1,
    /// The grader's name.
    pub grader: GraderName,
    /// The component.
    pub component: Digest,
    /// The rubric whose held-out controls they are.
    pub rubric: RubricId,
    /// The held-out controls.
    pub held_out: Digest,
    /// The run, by what is known before it is made: `run_digest`.
    pub run: Digest,
}

/// A component was promoted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Promoted {
    /// The payload's version.
    pub v: V1,
    /// The grader's name.
    pub grader: GraderName,
    /// The component.
    pub component: Digest,
    /// The tier it was promoted to.
    pub tier: Tier,
    /// The statement's bytes, in the store.
    pub statement: Digest,
    /// The signatures over the statement's bytes, in the store.
    pub signatures: Vec<Digest>,
}

/// A component was run against its controls again and still meets its bars.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verified {
    /// The payload's version.
    pub v: V1,
    /// The grader's name.
    pub grader: GraderName,
    /// The component.
    pub component: Digest,
    /// The ledger that it belongs to, as statements name it: a verification of another register counts for nothing.
    pub ledger: Digest,
    /// The run's record.
    pub record: Digest,
    /// The report's bytes, in the store.
    pub report: Digest,
    /// What the engine's results depended on.
    pub semantics: Digest,
    /// The regression controls that were among those it was run against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regression: Option<Digest>,
    /// When, as the signer says: nobody signs an entry's own time, and an old verification must not pass for a
    /// new one.
    pub at: Moment,
    /// The highest tier whose requirements held.
    pub held: Tier,
}

/// A component was run again, and something broke.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailedVerification {
    /// The payload's version.
    pub v: V1,
    /// The grader's name.
    pub grader: GraderName,
    /// The component.
    pub component: Digest,
    /// The run's record, where there was a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Digest>,
    /// What broke.
    pub why: Vec<Invariant>,
}

/// Authority was taken away, at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Revoked {
    /// The payload's version.
    pub v: V1,
    /// The grader's name.
    pub grader: GraderName,
    /// The component.
    pub component: Digest,
    /// When, as the signer says: no two revocations are the same, so that lifting one lifts no other.
    pub at: Moment,
    /// Why.
    pub reason: Untrusted,
}

/// Another component took its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Superseded {
    /// The payload's version.
    pub v: V1,
    /// The grader's name.
    pub grader: GraderName,
    /// The component.
    pub component: Digest,
    /// The one that took its place.
    pub by: Digest,
}

/// A remark. What it refers to is named by the digest of that entry's payload, not by its number: numbers
/// change when a ledger is linked anew after a merge, and a signed remark must not come to mean another entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Noted {
    /// The payload's version.
    pub v: V1,
    /// The grader's name.
    pub grader: GraderName,
    /// When, as the signer says.
    pub at: Moment,
    /// The remark.
    pub text: Untrusted,
    /// The payload of the entry that this one corrects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrects: Option<Digest>,
    /// The payload of the revocation that this one lifts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lifts: Option<Digest>,
    /// What it says of a failure found in use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureNote>,
}

/// A person's word on a result of the gate. It stands in the ledger of every grader that decides there, so that none
/// of it can be taken out unseen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// The payload's version.
    pub v: V1,
    /// The grader's name.
    pub grader: GraderName,
    /// When, as the signer says: a word that was signed before another one says less.
    pub at: Moment,
    /// Everything that is decided on, by one digest: `gate::persons::what_is_decided`.
    pub decides: Digest,
    /// The report that was read: its bytes, in the store.
    pub report: Digest,
    /// Whether the release may go.
    pub choice: Choice,
    /// Why, in the person's words.
    pub because: Untrusted,
}

/// What a person chose.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// It may go.
    Release,
    /// It may not. Of two words of one moment this one counts.
    Hold,
}

impl Choice {
    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Hold => "hold",
        }
    }
}

/// What is noted of a failure found in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum FailureNote {
    /// A wrong verdict was found in use, and became a regression control.
    Found {
        /// The control.
        control: ControlId,
        /// The digest of its case's content, which stays when the control is renamed.
        content: Digest,
        /// The component that gave the verdict.
        component: Digest,
        /// What the case must get.
        expected: Verdict,
        /// The rule that must give it; absent where it is for the case as a whole.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<RuleId>,
        /// What that component says of it; absent where it says nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        got: Option<Verdict>,
        /// Which requirement of the product it broke, in the user's words; empty where nobody says.
        #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
        requirement: Untrusted,
        /// Why it came to it, in the user's words; empty where nobody says.
        #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
        cause: Untrusted,
    },
    /// The control was run on the component that failed and on one that does not: it tells them apart.
    Guarded {
        /// The control.
        control: ControlId,
        /// The digest of its case's content.
        content: Digest,
        /// The component that it catches.
        catches: Digest,
        /// The component that it passes.
        passes: Digest,
        /// The record of the run in which it caught the one, in the store.
        caught: Digest,
        /// The record of the run in which it passed the other, in the store.
        passed: Digest,
    },
}

/// What every version of every kind must have.
#[derive(Deserialize)]
struct Outline<'t> {
    #[serde(borrow)]
    kind: Cow<'t, str>,
    v: u64,
}

impl Payload {
    /// Reads a payload.
    ///
    /// # Errors
    /// When its kind or version is not known, or its fields are not those of its kind.
    pub fn parse(text: &str) -> Result<Self, PayloadFault> {
        serde_json::from_str(text).map_err(|error| Self::fault(text, &error))
    }

    /// The outline is read only to tell what is wrong.
    fn fault(text: &str, error: &serde_json::Error) -> PayloadFault {
        let Ok(outline) = serde_json::from_str::<Outline<'_>>(text) else {
            return PayloadFault::Fields(plain(&error.to_string()));
        };
        match PayloadKind::ALL.into_iter().find(|kind| kind.name() == outline.kind) {
            None => PayloadFault::Kind(plain(&outline.kind)),
            Some(kind) if outline.v != 1 => PayloadFault::Version { kind, version: outline.v },
            Some(_) => PayloadFault::Fields(plain(&error.to_string())),
        }
    }

    /// The bytes to sign and to append: one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Strings, numbers and lists of them: nothing that JSON could refuse.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> PayloadKind {
        match self {
            Self::Registered(_) => PayloadKind::Registered,
            Self::Looked(_) => PayloadKind::Looked,
            Self::Promoted(_) => PayloadKind::Promoted,
            Self::Verified(_) => PayloadKind::Verified,
            Self::FailedVerification(_) => PayloadKind::FailedVerification,
            Self::Revoked(_) => PayloadKind::Revoked,
            Self::Superseded(_) => PayloadKind::Superseded,
            Self::Noted(_) => PayloadKind::Noted,
            Self::Decided(_) => PayloadKind::Decided,
        }
    }

    /// The grader that it speaks of.
    #[must_use]
    pub fn grader(&self) -> &GraderName {
        match self {
            Self::Registered(Registered { grader, .. })
            | Self::Looked(Looked { grader, .. })
            | Self::Promoted(Promoted { grader, .. })
            | Self::Verified(Verified { grader, .. })
            | Self::FailedVerification(FailedVerification { grader, .. })
            | Self::Revoked(Revoked { grader, .. })
            | Self::Superseded(Superseded { grader, .. })
            | Self::Noted(Noted { grader, .. })
            | Self::Decided(Decided { grader, .. }) => grader,
        }
    }
}
