//! `accredit check`: run a grader over its controls and report what that proves.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use accredit_core::assess::import::Imported;
use accredit_core::control::family;
use accredit_core::control::label::Sample;
use accredit_core::control::lint::against;
use accredit_core::control::set::{Control, ControlSet, Kind};
use accredit_core::id::Digest;
use accredit_core::report::Report;
use accredit_core::run::event::SampleFacts;
use accredit_core::verdict::Tier;
use clap::builder::TypedValueParser as _;

use super::limits::LimitArgs;
use super::{Format, read_policy};
use crate::check::Check;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::read::{self, ReadFaults};
use crate::record::folder_of;
use crate::render::{self, Context};
use crate::{place, terminal};

/// Run a grader over its controls and report what that proves
///
/// Exit 0: the tier given by --require is within reach (its requirements are met or waived).
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The grader: a WebAssembly component
    grader: PathBuf,
    /// The folder of the control set
    #[arg(long, value_name = "DIR")]
    controls: PathBuf,
    /// Labelled real outputs as well: JSON Lines; may be given several times
    #[arg(long, value_name = "FILE")]
    real_output: Vec<PathBuf>,
    /// The policy [default: accredit.toml in this folder, else the built-in one]
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Trials of each case
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeats: u32,
    /// Seed of the order and of everything random a grader sees
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Trials at one time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Leave record.jsonl and report.json in this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    show: Show,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What exit 0 means, and how the report is shown.
#[derive(Debug, clap::Args)]
pub(super) struct Show {
    /// The tier that exit 0 stands for
    #[arg(long, value_name = "TIER", default_value = "gating", value_parser = tier())]
    require: Tier,
    /// How to show the report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show every control that was judged wrong, not the first of each kind
    #[arg(long)]
    all: bool,
}

fn tier() -> impl clap::builder::TypedValueParser<Value = Tier> {
    clap::builder::PossibleValuesParser::new(Tier::ALL.map(Tier::name))
        .map(|name| name.parse::<Tier>().unwrap_or(Tier::Gating))
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let jobs = self.jobs.map_or_else(cores, usize::from);
        let policy = read_policy(self.policy.as_deref())?;
        let (set, warnings) = read::control_set(&self.controls)?;
        for warning in warnings {
            terminal::note(&format!("{}/{warning}", self.controls.display()));
        }
        let Controls { controls, samples, digest: controls_digest } =
            with_real_outputs(&set, &self.real_output)?;
        let (engine, grader) = place::load_grader(&self.grader, self.limits.limits(), jobs)?;
        let faults = against(&set.header, grader.manifest());
        if !faults.is_empty() {
            return Err(ReadFaults { folder: self.controls, faults }.into());
        }
        let out = self.out.as_deref().map(Out::make).transpose()?;
        let check = Check {
            engine: &engine,
            grader: &grader,
            set: &set,
            controls: &controls,
            samples: &samples,
            controls_digest,
            policy: &policy,
            repeats: self.repeats,
            seed: self.seed,
            jobs,
            record: out.as_ref().map(|out| out.record.as_path()),
            now: &jiff::Timestamp::now().to_string(),
        };
        let (run, digest) = check.run()?;
        let report = Report::new(&run, digest);
        if let Some(out) = &out {
            out.write_report(&report)?;
        }
        self.show.report(&report, &policy.source, out.as_ref().map(|out| out.folder.as_path()))
    }
}

impl Show {
    /// Prints a report; the exit code says whether the required tier is within reach.
    pub(super) fn report(
        &self,
        report: &Report,
        policy: &str,
        out: Option<&Path>,
    ) -> Result<Exit, Failure> {
        let context = Context { require: self.require, policy, out, all: self.all };
        match self.format {
            Format::Human => terminal::print(&render::human::report(report, &context))?,
            Format::Json => terminal::print_data(&render::json::report(report))?,
        }
        Ok(exit(report, self.require))
    }

    /// Prints what imported verdicts are worth; the exit code says whether they could be compared with anything.
    pub(super) fn imported(&self, imported: &Imported, policy: &str) -> Result<Exit, Failure> {
        match self.format {
            Format::Human => {
                terminal::print(&render::human::imported(imported, policy, self.all))?;
            }
            Format::Json => terminal::print_data(&render::json::pretty(imported))?,
        }
        Ok(compared(imported))
    }
}

/// Met: there were outputs with a settled label to compare with.
fn compared(imported: &Imported) -> Exit {
    let assessment = &imported.assessment;
    let any = [&assessment.catch, &assessment.pass].iter().any(|side| side.outputs.value.is_some());
    if any { Exit::Met } else { Exit::NotEvaluated }
}

/// Met: the tier is within reach. Not met: some requirement of it, or of a tier below, was evaluated and
/// missed. Not evaluated: nothing was missed, but something was not measured.
pub(super) fn exit(report: &Report, require: Tier) -> Exit {
    let decision = &report.decision;
    if decision.eligible_tier >= require {
        return Exit::Met;
    }
    let open = decision.requirements.iter().filter(|r| r.tier <= require && !r.is_satisfied());
    open.fold(Exit::Met, |exit, requirement| {
        exit.worst(match requirement.met {
            Some(_) => Exit::NotMet,
            None => Exit::NotEvaluated,
        })
    })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What a run is made of.
struct Controls {
    controls: Vec<Control>,
    samples: Vec<SampleFacts>,
    digest: Digest,
}

/// The set's controls with the real outputs of these files, how these were drawn, and the digest of all.
fn with_real_outputs(set: &ControlSet, files: &[PathBuf]) -> Result<Controls, Failure> {
    let mut controls = set.controls.clone();
    let mut parts = vec![set.digest.as_bytes().to_vec()];
    let own = controls.iter().filter(|control| control.kind == Kind::RealOutput).count();
    let mut samples: Vec<_> = sample_facts(set.sample.as_ref(), own).collect();
    for file in files {
        let read = read::real_outputs(file)?;
        samples.extend(sample_facts(read.sample.as_ref(), read.controls.len()));
        controls.extend(read.controls);
        parts.push(fs::read(file).map_err(|error| Failure::unreadable(file, error))?);
    }
    let mut ids: Vec<_> = controls.iter().map(|control| &control.entry.id).collect();
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Failure::Usage(format!(
            "two controls share the id `{}`: give each output of the --real-output files an id of its own, and each file once",
            pair[0]
        )));
    }
    family::merge(&mut controls);
    let digest = match files {
        [] => set.digest,
        _ => Digest::of_parts(parts.iter().map(Vec::as_slice)),
    };
    Ok(Controls { controls, samples, digest })
}

/// What the record keeps of a declared sample of so many outputs.
fn sample_facts(sample: Option<&Sample>, outputs: usize) -> impl Iterator<Item = SampleFacts> {
    let outputs = outputs as u64;
    sample.cloned().map(|declared| SampleFacts { declared, outputs }).into_iter()
}

/// The folder that the record and the report are left in, held until both are there.
struct Out {
    _held: fs::File,
    folder: PathBuf,
    record: PathBuf,
    report: PathBuf,
}

impl Out {
    fn make(folder: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(folder).map_err(|error| {
            let folder = folder.display();
            Failure::Usage(format!("{folder}: {error}. Give --out a folder that can be made"))
        })?;
        Ok(Self {
            _held: hold(folder)?,
            folder: folder.to_owned(),
            record: folder.join("record.jsonl"),
            report: folder.join("report.json"),
        })
    }

    fn write_report(&self, report: &Report) -> Result<(), Failure> {
        let fail = |error| {
            Failure::unwritable(
                &self.report,
                error,
                "The record is complete: `accredit report` makes the report again",
            )
        };
        let mut file = tempfile::NamedTempFile::new_in(folder_of(&self.report)).map_err(fail)?;
        file.write_all(render::json::report(report).as_bytes()).map_err(fail)?;
        file.as_file().sync_all().map_err(fail)?;
        file.persist(&self.report).map_err(|error| fail(error.error))?;
        Ok(())
    }
}

/// Keeps a second check out of the folder, so that a record and a report in it are of one run. The lock
/// goes with the process, however it ends.
fn hold(folder: &Path) -> Result<fs::File, Failure> {
    let path = folder.join(".lock");
    let file = fs::File::create(&path)
        .map_err(|error| Failure::unwritable(&path, error, "Nothing was run"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::Error(error)) => {
            Err(Failure::unwritable(&path, error, "Nothing was run"))
        }
        Err(fs::TryLockError::WouldBlock) => Err(Failure::Usage(format!(
            "{}: another check is writing into this folder: wait for it, or give another --out",
            folder.display()
        ))),
    }
}
