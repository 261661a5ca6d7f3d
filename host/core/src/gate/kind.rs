//! What a check evaluates, and when a verdict on it may settle.
//!
//! | kind | its pass or fail settles |
//! | --- | --- |
//! | factual claim | at once |
//! | workflow requirement | when the run has ended, and every step that was selected is in its record |
//! | operational performance | when the record measured what the step cost and how long it took |
//! | forecast, explanation | never at a gate: a dated entry settles it later, and no verdict changes by that |

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::judged::Why;
use super::record::{Stated, Step, SutRun};
use super::standing::Standing;

/// What a check evaluates.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Evaluates {
    /// Whether something that is said is so.
    #[default]
    FactualClaim,
    /// Whether a job was done as it must be.
    WorkflowRequirement,
    /// What it cost and how long it took.
    OperationalPerformance,
    /// Whether something will be so.
    Forecast,
    /// Why something came about.
    Explanation,
}

impl Evaluates {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::FactualClaim,
        Self::WorkflowRequirement,
        Self::OperationalPerformance,
        Self::Forecast,
        Self::Explanation,
    ];

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::FactualClaim => "factual-claim",
            Self::WorkflowRequirement => "workflow-requirement",
            Self::OperationalPerformance => "operational-performance",
            Self::Forecast => "forecast",
            Self::Explanation => "explanation",
        }
    }

    /// Whether it is the kind that a check has where nothing says otherwise.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// What a check evaluates that does not say so: what its claim is, else whether something is so.
    #[must_use]
    pub fn of_claim(claim: Option<&Stated>) -> Self {
        match claim {
            Some(Stated { forecast: Some(_), .. }) => Self::Forecast,
            Some(Stated { explanation: Some(_), .. }) => Self::Explanation,
            _ => Self::FactualClaim,
        }
    }
}

/// What a verdict is about: a step of a run.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// The run.
    pub run: &'a SutRun,
    /// The step.
    pub step: &'a Step,
    /// Whether the run has every step that the inventory selected.
    pub whole: bool,
}

/// Whether a pass or a fail of this kind may settle there.
///
/// # Errors
/// With how it stands meanwhile, and why.
pub fn settles(kind: Evaluates, at: Place<'_>) -> Result<(), (Standing, Why)> {
    match kind {
        Evaluates::FactualClaim => Ok(()),
        Evaluates::WorkflowRequirement => {
            let ended = at.run.ended_at.is_some() && at.whole;
            if ended { Ok(()) } else { Err((Standing::Unproven, Why::NotEnded)) }
        }
        Evaluates::OperationalPerformance => {
            let measured = at.step.cost.is_some() && at.step.latency_ms.is_some();
            if measured { Ok(()) } else { Err((Standing::Unproven, Why::NotMeasured)) }
        }
        Evaluates::Forecast | Evaluates::Explanation => {
            Err((Standing::Unresolved, Why::SettledLater))
        }
    }
}
