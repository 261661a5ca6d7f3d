//! Renderings: from one model to text. No renderer computes a number or decides anything, and each
//! chooses the escaper for the place it writes to.

mod compared;
pub mod escape;
pub mod evidence;
mod figure;
pub mod gate_compared;
pub mod gate_words;
pub mod github;
pub mod html;
pub mod human;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod settlement_words;
pub mod toml;
pub mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use accredit_core::control::set::Control;
use accredit_core::gate::compare::GateComparison;
use accredit_core::id::ControlId;
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
    /// Where controls stand, as far as that is known.
    pub places: &'a Places,
}

/// What the report of a gate is shown for.
#[derive(Debug, Clone, Copy, Default)]
pub struct GateContext<'a> {
    /// Why a report that was kept is stale, where it is.
    pub stale: Option<&'a str>,
    /// Whether a grader that lost its authority is no error.
    pub allow_stale: bool,
    /// Whether to show every line.
    pub all: bool,
    /// How it compares with another version.
    pub compared: Option<&'a GateComparison>,
}

/// The file and the line of controls.
#[derive(Default)]
pub struct Places(BTreeMap<ControlId, (PathBuf, usize)>);

impl Places {
    /// Adds controls whose files stand in this folder.
    pub fn add<'a>(&mut self, folder: &Path, controls: impl IntoIterator<Item = &'a Control>) {
        let place = |control: &Control| {
            (control.entry.id.clone(), (folder.join(&control.at.file), control.at.line))
        };
        self.0.extend(controls.into_iter().map(place));
    }

    /// The same places as GitHub names them: relative to the root of the repository, whatever folder the check runs in.
    /// A file outside it keeps its own path.
    #[must_use]
    pub fn below(mut self, root: &Path) -> Self {
        for (file, _) in self.0.values_mut() {
            let whole = file.canonicalize();
            if let Some(within) = whole.as_deref().ok().and_then(|it| it.strip_prefix(root).ok()) {
                *file = within.to_owned();
            }
        }
        self
    }

    /// The file and the line of a control, where they are known.
    #[must_use]
    pub fn of(&self, id: &ControlId) -> Option<(&Path, usize)> {
        self.0.get(id).map(|(file, line)| (file.as_path(), *line))
    }
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
