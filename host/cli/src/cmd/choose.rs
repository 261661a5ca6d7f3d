//! `check --controls-filter` and `--rerun-failed`: some of the controls, while they or a grader are being
//! written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use accredit_core::control::select::{Filter, Only, by_id, select};
use accredit_core::id::{ControlId, Digest};
use accredit_core::score;

use super::record_at;
use crate::asked::Asked;
use crate::failure::Failure;
use crate::{record, terminal};

/// Which of the controls are run.
#[derive(Debug, clap::Args)]
pub(super) struct ChooseArgs {
    /// Only controls that match: a part of an id, or kind=, rule=, tactic= or family= and a name (`*` and `?`
    /// stand for any letters); several times: those that match any. Promotes nothing
    #[arg(long, value_name = "PATTERN", conflicts_with = "held_out")]
    controls_filter: Vec<String>,
    /// Only the controls that were wrong in this record, as they are now; with --controls-filter, those of
    /// them that match. Promotes nothing
    #[arg(long, value_name = "RECORD", conflicts_with = "held_out")]
    rerun_failed: Option<PathBuf>,
}

impl ChooseArgs {
    /// What is asked after the choice: all of it where no option chooses.
    pub(super) fn of(&self, mut asked: Asked) -> Result<Asked, Failure> {
        if self.controls_filter.is_empty() && self.rerun_failed.is_none() {
            return Ok(asked);
        }
        let mut only = Only { of: asked.controls.len() as u64, ..Only::default() };
        let failed = self.rerun_failed.as_deref().map(|path| Failed::read(path, &asked));
        let failed = failed.transpose()?;
        if !self.controls_filter.is_empty() {
            let usage = |error| Failure::Usage(format!("--controls-filter {error}"));
            let filters = self.controls_filter.iter().map(|text| Filter::parse(text));
            let filters = filters.collect::<Result<Vec<_>, _>>().map_err(usage)?;
            asked.controls = select(&asked.controls, &filters).map_err(usage)?;
            only.filters.clone_from(&self.controls_filter);
        }
        if let Some(failed) = failed {
            asked.controls = by_id(&asked.controls, &failed.wrong);
            only.failed_in = Some(failed.digest);
            if asked.controls.is_empty() {
                return Err(failed.nothing());
            }
        }
        asked.only = Some(only);
        Ok(asked)
    }
}

/// What was wrong in a record.
struct Failed {
    path: PathBuf,
    digest: Digest,
    wrong: BTreeSet<ControlId>,
}

impl Failed {
    /// Reads the record; what was wrong in it and is no longer among the controls is told.
    fn read(path: &Path, asked: &Asked) -> Result<Self, Failure> {
        let path = record_at(path);
        let read = record::read(&path, true)
            .map_err(|error| Failure::Record { path: path.clone(), error })?;
        let started = &read.run.started;
        let (theirs, ours) = (&started.grader.manifest.rubric, &asked.set.header.rubric);
        if theirs != ours {
            return Err(Failure::Usage(format!(
                "{}: a record for the rubric `{theirs}`, and the controls are for `{ours}`: give --rerun-failed a record of this rubric",
                path.display()
            )));
        }
        // Held-out controls are not run here, and which of them were wrong is not told.
        let wrong = score::wrong(&read.run).map(|at| &started.controls[at]);
        let wrong: BTreeSet<_> =
            wrong.filter(|facts| !facts.held_out).map(|facts| facts.id.clone()).collect();
        let is_there =
            |id: &ControlId| asked.controls.iter().any(|control| control.entry.id == *id);
        let gone: Vec<_> =
            wrong.iter().filter(|id| !is_there(id)).map(ToString::to_string).collect();
        if !gone.is_empty() {
            terminal::warning(&format!(
                "wrong in {} and no longer among the controls: {}",
                path.display(),
                gone.join(", ")
            ));
        }
        Ok(Self { path, digest: read.digest, wrong })
    }

    /// That none of them is left to be run.
    fn nothing(&self) -> Failure {
        let why = match self.wrong.len() {
            0 => "no control was wrong in it".to_owned(),
            wrong => format!("of the controls that were wrong in it ({wrong}) none is chosen"),
        };
        let path = self.path.display();
        Failure::NothingToRun(format!("{path}: {why}: there is nothing to run again"))
    }
}
