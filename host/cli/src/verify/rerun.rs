//! A grader run again, from what a register keeps of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use accredit_core::bundle::unbundle;
use accredit_core::control::set::Control;
use accredit_core::id::{Digest, GraderName};
use accredit_core::report::{Report, authors_copy};
use accredit_core::run::event::{Look, RunStarted};
use accredit_core::run::fold::Run;
use accredit_core::run::part::run_digest;

use super::Verifier;
use crate::asked::Sources;
use crate::check::{Check, Tell};
use crate::failure::Failure;
use crate::output::Readers;
use crate::read::{GraderFile, ReadPolicy};
use crate::registered::{FileDigests, Files};
use crate::{looks, place, record, render};

/// What is run: the component and its open controls, by their digests, and how.
pub(super) struct Target {
    /// The component.
    pub(super) component: Digest,
    /// The open controls, without the regression controls.
    pub(super) controls: Digest,
    /// The regression controls' files: as they lie there today.
    pub(super) regression: Option<BTreeMap<String, Vec<u8>>>,
    /// Those of the promotion, where today's cannot be read.
    pub(super) regression_then: Option<Digest>,
    /// The policy that was signed for; today's where there is none.
    pub(super) policy: Option<Digest>,
}

/// What came of a run.
pub(super) struct Done {
    /// The run.
    pub(super) run: Run,
    /// The digest of its record.
    pub(super) digest: Digest,
    /// The controls that it was run on.
    pub(super) controls: Vec<Control>,
    /// The record that an author may have: the lines that are digested, where they are to be kept.
    pub(super) lines: Option<Vec<u8>>,
    /// Its digest.
    pub(super) record: Digest,
    /// The report that an author may have.
    pub(super) report: Vec<u8>,
    /// The files that it was run from.
    pub(super) files: Files,
}

impl Verifier<'_> {
    /// Runs a grader again.
    pub(super) fn rerun(
        &self,
        name: &GraderName,
        file: &GraderFile,
        target: &Target,
        jobs: usize,
    ) -> Result<Done, Failure> {
        let objects = self.registry.register.objects();
        let get = |digest| objects.get(digest);
        let digests = FileDigests {
            component: target.component,
            controls: target.controls,
            regression: target.regression_then.filter(|_| target.regression.is_none()),
        };
        let mut files = Files::kept(&digests, &get)?;
        if let Some(regression) = &target.regression {
            files.regression.clone_from(regression);
        }
        let (set, outputs) = files.controls()?;
        let called = format!("the component of `{name}`");
        let held_out = self.ask.held_out.get(name).map(std::path::PathBuf::as_path);
        let sources = Sources {
            controls: Path::new(name.as_str()),
            real_outputs: &[],
            held_out,
            withhold: true,
        };
        let asked = sources.put_together(set, outputs)?;
        let (engine, grader) =
            place::load_bytes(Path::new(&called), &files.component, file.limits.clone(), jobs)?;
        asked.fits(Path::new(name.as_str()), grader.manifest())?;
        let kept = self.policy(target.policy)?;
        let folder = tempfile::tempdir().map_err(|error| scratch(&error))?;
        let path = folder.path().join("record.jsonl");
        let look = |started: &RunStarted| self.look(name, started);
        let check = Check {
            engine: &engine,
            grader: &grader,
            component: &files.component,
            asked: &asked,
            policy: kept.as_ref().unwrap_or(&self.registry.policy),
            repeats: file.repeats,
            seed: file.seed,
            jobs,
            record: self.recorder.is_some().then_some(&path),
            now: &self.now().to_string(),
            quiet: true,
            look: held_out.is_some().then_some(&look as Tell<'_>),
        };
        let (run, digest, sealed) = check.run()?;
        sealed.keep()?;
        let report = render::json::report(&Report::for_author(&run, digest)).into_bytes();
        let (record, lines) = self.safe_record(&run, digest, &path)?;
        Ok(Done { digest, controls: asked.controls, lines, record, report, files, run })
    }

    /// The record that an author may have: its digest, and its lines where they are to be kept.
    fn safe_record(
        &self,
        run: &Run,
        digest: Digest,
        path: &Path,
    ) -> Result<(Digest, Option<Vec<u8>>), Failure> {
        let record = match run.started.held_out {
            None => digest,
            Some(_) => record::write_copy(&authors_copy(run, digest), path, Readers::Owner)?,
        };
        let lines = match self.recorder {
            None => None,
            Some(_) => {
                let bytes = fs::read(path).map_err(|error| Failure::unreadable(path, error))?;
                Some(record::digested(&bytes))
            }
        };
        Ok((record, lines))
    }

    /// A policy that was signed for and is not today's, as the store keeps it. Absent where it is today's, or is
    /// not kept: today's is used then, and the difference shows.
    fn policy(&self, signed: Option<Digest>) -> Result<Option<ReadPolicy>, Failure> {
        let Some(signed) = signed.filter(|it| *it != self.registry.policy.digest) else {
            return Ok(None);
        };
        let Some(bundle) = self.registry.register.objects().find(signed)? else { return Ok(None) };
        let parts = unbundle(&bundle).unwrap_or_default();
        let [_, bytes, whole] = parts.as_slice() else { return Ok(None) };
        let policy = serde_json::from_slice(whole).ok();
        let read =
            |policy| ReadPolicy::new(policy, "the policy that was signed for".to_owned(), bytes);
        Ok(policy.map(read).filter(|it| it.digest == signed))
    }

    /// The looks of a run with held-out controls: of one that was made before, those until then. Another one is a
    /// further look, which the ledger is told first.
    fn look(&self, name: &GraderName, started: &RunStarted) -> Result<Vec<Look>, Failure> {
        let Some(facts) = &started.held_out else { return Ok(Vec::new()) };
        let run = run_digest(started);
        let rubric = &started.set.rubric;
        if let Some(looks) = self.registry.looks_until(rubric, facts.digest, run) {
            return Ok(looks);
        }
        match self.ask.key {
            Some(_) => looks::look(self.ask.register, self.ask.root_digest, started),
            None => Err(Failure::Usage(format!(
                "`{name}`: this run is not one whose held-out results were opened before, so it would be a further look, which its ledger is told first: give --key, or leave --held-out out and take the signed statement's word"
            ))),
        }
    }
}

fn scratch(error: &std::io::Error) -> Failure {
    Failure::Usage(format!(
        "no temporary folder can be made for a record: {error}. Check the folder that TMPDIR names"
    ))
}
