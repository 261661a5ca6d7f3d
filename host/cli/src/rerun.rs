//! Some of a registered grader's controls, run on any of its components: as it is registered to be run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use accredit_core::control::select::{Only, by_id};
use accredit_core::failures::{Judged, judged};
use accredit_core::id::{ControlId, Digest};
use accredit_engine::Limits;

use crate::asked::{Asked, Sources};
use crate::check::Check;
use crate::failure::Failure;
use crate::place;
use crate::promotion::Evidence;
use crate::read::{GraderFile, ReadFaults, ReadPolicy};
use crate::registered::Files;

/// How controls are run.
#[derive(Clone)]
pub struct Terms<'a> {
    /// The policy that the record names.
    pub policy: &'a ReadPolicy,
    /// The seed.
    pub seed: u64,
    /// Trials of each case.
    pub repeats: u32,
    /// What the grader may use.
    pub limits: Limits,
}

impl<'a> Terms<'a> {
    /// As the grader is registered to be run.
    #[must_use]
    pub fn registered(file: &GraderFile, policy: &'a ReadPolicy) -> Self {
        let GraderFile { seed, repeats, limits, .. } = file;
        Self { policy, seed: *seed, repeats: *repeats, limits: limits.clone() }
    }
}

/// What a component did with some controls.
pub struct Rerun {
    /// The run, its record and its report.
    pub evidence: Evidence,
    /// What became of each control.
    pub judged: BTreeMap<ControlId, Judged>,
}

/// Everything that a grader of these files is asked; they lie in this folder.
///
/// # Errors
/// Every fault of a file.
pub fn asked(files: &Files, folder: &Path) -> Result<Asked, Failure> {
    let (set, outputs) = files.controls().map_err(|failure| match failure {
        Failure::Read(faults) if faults.folder.as_os_str().is_empty() => {
            Failure::Read(ReadFaults { folder: folder.to_owned(), ..faults })
        }
        other => other,
    })?;
    let nowhere = Path::new("");
    let sources = Sources { controls: nowhere, real_outputs: &[], held_out: None, withhold: false };
    sources.put_together(set, outputs)
}

/// Runs the controls of these ids on a component, which is called so in messages.
///
/// # Errors
/// When it is no grader, checks another rubric, or nothing can be run here.
pub fn rerun(
    (called, component): (&Path, &[u8]),
    mut asked: Asked,
    ids: &BTreeSet<ControlId>,
    terms: &Terms<'_>,
) -> Result<Rerun, Failure> {
    asked.only = Some(Only {
        of: asked.controls.len() as u64,
        filters: ids.iter().map(ToString::to_string).collect(),
        failed_in: None,
    });
    asked.controls = by_id(&asked.controls, ids);
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let (engine, grader) = place::load_bytes(called, component, terms.limits.clone(), jobs)?;
    asked.fits(called, grader.manifest())?;
    let scratch = tempfile::tempdir().map_err(|error| scratch(&error))?;
    let record = scratch.path().join("record.jsonl");
    let check = Check {
        engine: &engine,
        grader: &grader,
        component,
        asked: &asked,
        policy: terms.policy,
        repeats: terms.repeats,
        seed: terms.seed,
        jobs,
        record: Some(&record),
        now: &jiff::Timestamp::now().to_string(),
        look: None,
        quiet: true,
    };
    let (run, digest, sealed) = check.run()?;
    sealed.keep()?;
    let bytes = fs::read(&record).map_err(|error| Failure::unreadable(&record, error))?;
    let judged = judged(&run);
    let evidence = Evidence::of(run, digest, crate::record::digested(&bytes));
    Ok(Rerun { evidence, judged })
}

fn scratch(error: &std::io::Error) -> Failure {
    Failure::Usage(format!(
        "the record cannot be written to a temporary folder: {error}. Check the folder that TMPDIR names"
    ))
}

/// How a component from a register is called in messages.
#[must_use]
pub fn called(component: Digest) -> std::path::PathBuf {
    format!("component {}", component.short()).into()
}
