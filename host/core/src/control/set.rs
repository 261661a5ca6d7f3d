//! A control set: one folder for one rubric, one file a kind.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::held_out::{Commitments, Salt};
use super::label::Sample;
use super::transform::Transform;
use crate::case::Case;
use crate::id::{ControlId, Digest, FamilyId, RubricId, RuleId};
use crate::verdict::Verdict;

pub use super::label::Label;

/// What a control is there to show.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Must fail, by the rule it names.
    KnownBad,
    /// Must pass.
    KnownGood,
    /// Right, though it looks wrong.
    HardPositive,
    /// Half of a pair a hair apart, on either side of the line.
    NearMiss,
    /// Made to deceive.
    Adversarial,
    /// A base or a variant of it: the verdict must not move.
    Invariance,
    /// Undecidable by the rubric: `unproven` is the only right verdict.
    MustAbstain,
    /// A failure found in use: must be right, and is in no rate.
    Regression,
    /// A real output with people's labels.
    RealOutput,
}

impl Kind {
    /// Every kind, in the order in which reports show them.
    pub const ALL: [Self; 9] = [
        Self::KnownBad,
        Self::KnownGood,
        Self::HardPositive,
        Self::NearMiss,
        Self::Adversarial,
        Self::Invariance,
        Self::MustAbstain,
        Self::Regression,
        Self::RealOutput,
    ];

    /// The name used in files and output; also the name of the kind's file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::KnownBad => "known-bad",
            Self::KnownGood => "known-good",
            Self::HardPositive => "hard-positive",
            Self::NearMiss => "near-miss",
            Self::Adversarial => "adversarial",
            Self::Invariance => "invariance",
            Self::MustAbstain => "must-abstain",
            Self::Regression => "regression",
            Self::RealOutput => "real-output",
        }
    }

    /// The kind whose file bears this name (without its ending).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether meaning-keeping variants of these controls are made.
    #[must_use]
    pub fn is_transformed(self) -> bool {
        matches!(self, Self::KnownBad | Self::KnownGood)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// `set.toml`: what the set is, and what holds for all of its controls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetHeader {
    /// The set's id.
    pub id: RubricId,
    /// The set's version.
    pub version: String,
    /// The rubric it controls.
    pub rubric: RubricId,
    /// Who wrote the controls.
    pub authors: Vec<String>,
    /// The rubric's rules. A grader that declares others is not measured by this set.
    pub rules: Vec<RuleId>,
    /// The transforms that keep a case's meaning under this rubric.
    #[serde(default)]
    pub transforms: Vec<Transform>,
    /// What an open set says of the controls held out from its readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<Commitments>,
    /// In a held-out set alone: 64 hexadecimal digits, kept secret with it, that keep its commitments from
    /// being tried against guesses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<Salt>,
}

/// What a control must get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The verdict.
    pub verdict: Verdict,
    /// The rule that must give it. Without one, the case as a whole must come to the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleId>,
}

/// One control as it stands in a file: a `[[control]]` table, or a line of JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Unique in the set.
    pub id: ControlId,
    /// Controls that share a source, a base or a template are one family.
    pub family: FamilyId,
    /// Why the control is there and why its verdict is right.
    pub why: String,
    /// What it must get.
    pub expect: Expectation,
    /// Other rules that may fail with the expected one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<RuleId>,
    /// near-miss: the pair it is half of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pair: Option<ControlId>,
    /// adversarial: how it tries to deceive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tactic: Option<FamilyId>,
    /// invariance: the control this one varies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<ControlId>,
    /// invariance: how it varies its base.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variation: Option<Variation>,
    /// Transforms of the set that would change this case's meaning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip_transforms: Vec<Transform>,
    /// What sort of case it is, by name and value: rates are shown for each such segment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub segment: BTreeMap<String, String>,
    /// The case.
    pub case: Case,
}

/// How an invariance control varies its base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Variation {
    /// The same in other words.
    Reworded,
    /// The same in another order.
    Reordered,
    /// The same at greater length.
    Lengthened,
    /// The same with names taken out or changed.
    Anonymized,
}

/// Where a control stands: a file's name in its folder, and a line counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// One control, with its kind and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// The kind, from the file's name.
    pub kind: Kind,
    /// Where it stands.
    pub at: Place,
    /// What the file says.
    pub entry: Entry,
    /// real-output: what is known of its label.
    pub label: Option<Label>,
    /// Whether it is held out from the grader's author.
    pub held_out: bool,
}

/// A whole control set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlSet {
    /// `set.toml`.
    pub header: SetHeader,
    /// Every control of every file.
    pub controls: Vec<Control>,
    /// How its real outputs were drawn, where their file declares a probability sample.
    pub sample: Option<Sample>,
    /// The digest of the files, names and bytes, but for those of regression controls.
    pub digest: Digest,
    /// The digest of the files of regression controls, where there are any. They are added while a grader is in
    /// authority, and take none away.
    pub regression: Option<Digest>,
}
