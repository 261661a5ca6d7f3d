//! One run of a grader over its controls: plan, trials, events, and what they fold into.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;
use std::time::Instant;

use accredit_core::baseline;
use accredit_core::case::Case;
use accredit_core::contamination::{self, Contamination};
use accredit_core::control::plan::{Plan, PlannedTrial};
use accredit_core::findings::{Enforced, enforce};
use accredit_core::id::{ControlId, Digest};
use accredit_core::manifest::Manifest;
use accredit_core::run::event::{
    CaseKept, CaseTexts, ControlFacts, Event, FORMAT, GraderFacts, HeldOutFacts, Look, RunDigests,
    RunFinished, RunStarted, TrialFinished,
};
use accredit_core::run::fold::{Folding, Run};
use accredit_core::score::wrong;
use accredit_engine::{Engine, Grader, Trial, TrialInput};

use crate::asked::Asked;
use crate::failure::Failure;
use crate::output::Readers;
use crate::progress::Progress;
use crate::read::ReadPolicy;
use crate::record::{Aside, RecordError, Sealed, Writer};

/// The contract this host speaks, as it was released.
const CONTRACT: &[u8] = include_bytes!("../../../wit/frozen/grader-0.1.0.wit");

/// The digest of the contract this host speaks.
#[must_use]
pub fn contract() -> Digest {
    Digest::of(CONTRACT)
}

/// What a case's clock says where the case does not: 2000-01-01T00:00:00Z, in `check` as in live work.
pub const CLOCK_UNIX_S: u64 = 946_684_800;

/// How much of one text of a control that was judged wrong is kept in the record.
const KEPT_TEXT_BYTES: usize = 16 << 10;

/// How much of all such texts is kept.
const KEPT_BYTES: usize = 8 << 20;

/// How a ledger is told of a run that opens held-out results.
pub type Tell<'a> = &'a (dyn Fn(&RunStarted) -> Result<Vec<Look>, Failure> + Sync);

/// What is run on what.
pub struct Check<'a> {
    /// The engine the grader was loaded by.
    pub engine: &'a Engine,
    /// The grader.
    pub grader: &'a Grader,
    /// The component's bytes, which are searched for texts of the controls.
    pub component: &'a [u8],
    /// The controls.
    pub asked: &'a Asked,
    /// The policy in force.
    pub policy: &'a ReadPolicy,
    /// Trials of each shown case.
    pub repeats: u32,
    /// The seed.
    pub seed: u64,
    /// Trials at one time.
    pub jobs: usize,
    /// Where the record goes.
    pub record: Option<&'a Path>,
    /// The moment the run starts, RFC 3339.
    pub now: &'a str,
    /// Whether no progress is shown: how many trials there are tells how many controls are held out.
    pub quiet: bool,
    /// Tells a ledger that held-out results are about to be opened, before anything is run; returns every look
    /// there was, this one last. None where no ledger is told.
    pub look: Option<Tell<'a>>,
}

impl Check<'_> {
    /// Runs every trial. One stream of events goes to the record, the progress bar and the fold. The record is
    /// on its way to its place when this returns.
    ///
    /// # Errors
    /// When the record cannot be written. Whatever the grader does is in the run.
    pub fn run(&self) -> Result<(Run, Digest, Sealed), Failure> {
        let rules = &self.grader.manifest().rules;
        let controls = &self.asked.controls;
        // The baselines need the controls alone, and so does the plan.
        let (plan, started, baselines, scan) = thread::scope(|scope| {
            let baselines = scope.spawn(|| baseline::all(controls, rules, self.seed));
            let transforms = &self.asked.set.header.transforms;
            let plan = Plan::new(controls, transforms, self.repeats, self.seed);
            let started = self.started(&plan);
            let scan = self.scan(false);
            let baselines = baselines.join().unwrap_or_else(|panic| resume_unwind(panic));
            (plan, started, baselines, scan)
        });
        let started = self.looked(started)?;
        let name = self.grader.manifest().name.as_str();
        let progress = match self.quiet {
            true => Progress::hidden(),
            false => Progress::new(plan.trials.len() as u64, name),
        };
        let mut stream = Stream::open(self, started, progress)?;
        for baseline in baselines {
            stream.take(Event::BaselineFinished(baseline))?;
        }
        stream.take(Event::ContaminationScanned(scan))?;
        let began = Instant::now();
        self.trials(&plan, &mut stream)?;
        for kept in self.kept(stream.folding.so_far()) {
            stream.take(Event::CaseKept(Box::new(kept)))?;
        }
        stream.take(Event::RunFinished(RunFinished { trials: plan.trials.len() as u64 }))?;
        let millis = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        stream.writer.aside(Aside::Took { millis })?;
        stream.close()
    }

    /// What is about to be run, with every look at its held-out results.
    fn looked(&self, mut started: RunStarted) -> Result<RunStarted, Failure> {
        if let (Some(_), Some(look)) = (&started.held_out, self.look) {
            let looks = look(&started)?;
            if let Some(facts) = &mut started.held_out {
                facts.looks = looks;
            }
        }
        Ok(started)
    }

    /// Looks for the texts of the open controls, or of the held-out ones, in the component.
    fn scan(&self, held_out: bool) -> Contamination {
        let controls = self.asked.controls.iter().filter(|control| control.held_out == held_out);
        contamination::scan(controls, &self.grader.manifest().rules, self.component)
    }

    /// The texts of the controls judged wrong, in the order of the controls, as far as there is room.
    fn kept(&self, run: &Run) -> Vec<CaseKept> {
        let mut room = KEPT_BYTES;
        let mut kept = Vec::new();
        for place in wrong(run) {
            let entry = &self.asked.controls[place].entry;
            let texts = CaseTexts::of(&entry.case, KEPT_TEXT_BYTES);
            match room.checked_sub(texts.bytes()) {
                None => break,
                Some(left) => room = left,
            }
            kept.push(CaseKept { control: entry.id.clone(), texts });
        }
        kept
    }

    fn trials(&self, plan: &Plan, stream: &mut Stream) -> Result<(), Failure> {
        let input = |index: usize| {
            let trial = plan.trials[index];
            TrialInput {
                case: &plan.shown[trial.shown].case,
                seed: plan.trial_seed(trial),
                clock_unix_s: CLOCK_UNIX_S,
            }
        };
        let mut failed = None;
        let mut sink = |index: usize, trial: Trial| {
            let event = self.finished(plan, plan.trials[index], trial);
            match stream.take(Event::TrialFinished(Box::new(event))) {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => {
                    failed = Some(failure);
                    ControlFlow::Break(())
                }
            }
        };
        accredit_engine::run(self.grader, plan.trials.len(), &input, self.jobs, &mut sink);
        failed.map_or(Ok(()), Err)
    }

    /// What came of one trial, under the contract's rules.
    fn finished(&self, plan: &Plan, planned: PlannedTrial, trial: Trial) -> TrialFinished {
        let shown = &plan.shown[planned.shown];
        let control = self.asked.controls[shown.control].entry.id.clone();
        let finished = finished(self.grader.manifest(), &shown.case, control, trial);
        TrialFinished { variant: shown.variant, repeat: planned.repeat, ..finished }
    }

    fn started(&self, plan: &Plan) -> RunStarted {
        let mut variants = vec![Vec::new(); self.asked.controls.len()];
        for shown in &plan.shown {
            variants[shown.control].extend(shown.variant);
        }
        RunStarted {
            format: FORMAT,
            grader: GraderFacts {
                manifest: self.grader.manifest().clone(),
                digest: self.grader.digest(),
                kind: self.grader.kind(),
                authors: self.grader.inspection().authors.clone(),
            },
            digests: RunDigests {
                controls: self.asked.digest,
                regression: self.asked.set.regression,
                policy: self.policy.digest,
                contract: contract(),
                semantics: self.engine.semantics().fingerprint,
            },
            set: self.asked.set.header.clone(),
            policy: self.policy.policy.clone(),
            seed: self.seed,
            repeats: self.repeats,
            trials: plan.trials.len() as u64,
            only: self.asked.only.clone(),
            samples: self.asked.samples.clone(),
            controls: self
                .asked
                .controls
                .iter()
                .zip(variants)
                .map(|(control, variants)| ControlFacts::new(control, variants))
                .collect(),
            held_out: self.asked.held_out.as_ref().map(|facts| HeldOutFacts {
                contamination: Some(self.scan(true)),
                ..facts.clone()
            }),
        }
    }
}

/// What came of a trial of one case as written, its first, under the contract's rules.
#[must_use]
pub fn finished(
    manifest: &Manifest,
    case: &Case,
    control: ControlId,
    trial: Trial,
) -> TrialFinished {
    let Enforced { outcome, imposed, violations } = enforce(manifest, case, trial.outcome);
    TrialFinished {
        control,
        variant: None,
        repeat: 0,
        outcome,
        imposed,
        violations,
        fuel: trial.fuel,
        inert: trial.inert,
        captured: trial.captured,
        captured_truncated: trial.captured_truncated,
    }
}

/// The id that a case which is no control is recorded under.
#[must_use]
pub fn no_control() -> ControlId {
    ControlId::new("case").unwrap_or_else(|_| unreachable!("a valid id"))
}

/// Where events go.
struct Stream {
    writer: Writer,
    folding: Folding,
    progress: Progress,
}

impl Stream {
    fn open(check: &Check<'_>, started: RunStarted, progress: Progress) -> Result<Self, Failure> {
        let mut writer = Writer::new(check.record, Readers::Owner)?;
        let made = Aside::Made {
            accredit: env!("CARGO_PKG_VERSION").to_owned(),
            at: check.now.to_owned(),
            machine: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
            jobs: check.jobs,
        };
        writer.aside(made)?;
        let event = Event::RunStarted(Box::new(started));
        writer.event(&event)?;
        let Event::RunStarted(started) = event else { unreachable!("made above") };
        let folding = Folding::new(*started).map_err(unfoldable)?;
        Ok(Self { writer, folding, progress })
    }

    fn take(&mut self, event: Event) -> Result<(), Failure> {
        self.writer.event(&event)?;
        if matches!(event, Event::TrialFinished(_)) {
            self.progress.step();
        }
        self.folding.take(event).map_err(unfoldable)
    }

    fn close(self) -> Result<(Run, Digest, Sealed), Failure> {
        self.progress.finish();
        let run = self.folding.end().map_err(unfoldable)?;
        let (digest, sealed) = self.writer.finish()?;
        Ok((run, digest, sealed))
    }
}

/// The run's own events do not make a run: two controls of one id, at most.
fn unfoldable(error: accredit_core::run::fold::FoldError) -> Failure {
    Failure::Record { path: "this run".into(), error: RecordError::Fold(error) }
}
