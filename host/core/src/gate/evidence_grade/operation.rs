//! What a derivation did, step by step: every rank operation is kept.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Grade;
use crate::id::JudgeName;

/// One step of a derivation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// What was done.
    pub op: Op,
    /// The judge that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<JudgeName>,
    /// Whether that judge is a grader which the gate ran itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_gate: bool,
    /// The grade before.
    pub from: Grade,
    /// The grade after.
    pub to: Grade,
    /// Why.
    pub why: String,
}

/// What is done to a grade, or seen of an event.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// A producer supplied a grade.
    MintRejected,
    /// A write whose author is not known.
    AuthorUnbound,
    /// An execution that the session did not observe.
    SkippedNoSession,
    /// An execution without a transcript.
    NoTranscript,
    /// An execution that came to nothing.
    SaidNothing,
    /// An execution that passed or failed, with its transcript.
    ResolvedRan,
    /// An execution that names no content.
    Unbindable,
    /// An execution of a judge that was not declared before the run.
    Undeclared,
    /// The word of a grader without gating authority.
    NoAuthority,
    /// A judge that reads was called more than a review.
    KindCapped,
    /// A judge passed: its word is worth its kind.
    Earned,
    /// Its kind is none that this version knows.
    UnknownKind,
    /// It passed before the last write.
    Reset,
    /// It passed on another content.
    OtherContent,
    /// Whether it is of the chain that wrote is not known: it is capped.
    ChainIndeterminate,
    /// It is of the chain that wrote: it is capped.
    SameChain,
    /// The cap does not hold for a proof that a kernel checked.
    KernelExempt,
    /// A judge that was declared failed at its tier: it is one tier lower.
    Demoted,
    /// It failed.
    Failed,
    /// The maximum so far.
    Folded,
    /// Another judge is worth as much.
    Tied,
    /// A judge of the same kind is capped, and this one is not.
    TiedUncapped,
    /// No judge was declared before the run.
    NoJudge,
    /// A declared judge never ran.
    NeverRan,
    /// A declared judge did not run on what is there now.
    NotSinceTheEdit,
    /// An event that was observed is not in the record.
    CustodyBroken,
    /// What is there now is not what was graded.
    ContentChanged,
}

/// What an operation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum On {
    /// An event. It moves no grade.
    Event,
    /// What a judge's word is worth.
    Word,
    /// The grade of the run.
    Run,
}

impl Op {
    pub(super) fn on(self) -> On {
        match self {
            Self::MintRejected
            | Self::AuthorUnbound
            | Self::SkippedNoSession
            | Self::NoTranscript
            | Self::SaidNothing
            | Self::ResolvedRan
            | Self::Unbindable
            | Self::Undeclared
            | Self::NoAuthority
            | Self::KindCapped => On::Event,
            Self::Earned
            | Self::UnknownKind
            | Self::Reset
            | Self::OtherContent
            | Self::ChainIndeterminate
            | Self::SameChain
            | Self::KernelExempt
            | Self::Demoted
            | Self::Failed => On::Word,
            Self::Folded
            | Self::Tied
            | Self::TiedUncapped
            | Self::NoJudge
            | Self::NeverRan
            | Self::NotSinceTheEdit
            | Self::CustodyBroken
            | Self::ContentChanged => On::Run,
        }
    }

    /// Whether it says why a grade is not more.
    pub(super) fn tells(self) -> bool {
        !matches!(
            self,
            Self::AuthorUnbound
                | Self::SaidNothing
                | Self::ResolvedRan
                | Self::Earned
                | Self::KernelExempt
                | Self::ChainIndeterminate
                | Self::SameChain
                | Self::Folded
                | Self::Tied
                | Self::TiedUncapped
        )
    }

    /// Why, in words.
    #[must_use]
    pub fn why(self) -> &'static str {
        match self {
            Self::MintRejected => "a producer cannot grade its own evidence: rejected",
            Self::AuthorUnbound => "a write does not say who wrote",
            Self::SkippedNoSession => "the session did not observe this execution: skipped",
            Self::NoTranscript => "without a transcript it is not known what it came to",
            Self::SaidNothing => "it ran and came to nothing",
            Self::ResolvedRan => "it ran, and its transcript tells what it came to",
            Self::Unbindable => "it does not say which content it judged",
            Self::Undeclared => "it was not declared before the run: a record, and no grade",
            Self::NoAuthority => "it has no gating authority: a record, and no grade",
            Self::KindCapped => {
                "a judge reads: its pass is a review, whatever the inventory calls it"
            }
            Self::Earned => "it was declared before the run, ran and passed",
            Self::UnknownKind => "this version does not know its kind, which ranks below all",
            Self::Reset => "the result was written after it passed",
            Self::OtherContent => "it passed on another content",
            Self::ChainIndeterminate => {
                "whether it is of the chain that wrote the result is not known: capped as if it were"
            }
            Self::SameChain => "it is of the chain that wrote the result: capped",
            Self::KernelExempt => "a kernel checked the proof: no cap",
            Self::Demoted => "a declared judge failed at this tier: one tier lower",
            Self::Failed => "it was declared before the run, ran and failed",
            Self::Folded => "of several judges the maximum counts",
            Self::Tied => "it is worth as much as another",
            Self::TiedUncapped => "one of the same kind is capped, and this one is not",
            Self::NoJudge => "no judge was declared before the run",
            Self::NeverRan => "it was declared, and never came to a result",
            Self::NotSinceTheEdit => "it did not run on what was written last",
            Self::CustodyBroken => "an event that was observed is not in the record",
            Self::ContentChanged => "what is there now is not what was graded",
        }
    }
}
