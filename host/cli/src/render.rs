//! Renderings: from one model to text. No renderer computes a number or decides anything, and each
//! chooses the escaper for the place it writes to.

pub mod escape;
pub mod human;
pub mod json;

use std::path::Path;
use std::time::Duration;

use accredit_core::manifest::Manifest;
use accredit_core::run::event::TrialFinished;
use accredit_core::verdict::{Tier, Verdict};

/// What a report is shown for.
pub struct Context<'a> {
    /// The tier that was asked for.
    pub require: Tier,
    /// Where the policy came from.
    pub policy: &'a str,
    /// Where the report and the record were left.
    pub out: Option<&'a Path>,
    /// Whether to show every miss.
    pub all: bool,
}

/// What a grader said of one case.
pub struct OneCase<'a> {
    /// The grader.
    pub manifest: &'a Manifest,
    /// What came of the trial.
    pub trial: &'a TrialFinished,
    /// What the case comes to.
    pub verdict: Verdict,
    /// Time it took here.
    pub wall: Duration,
    /// Bytes of linear memory it used.
    pub memory_bytes: u64,
}
