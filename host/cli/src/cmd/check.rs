//! `accredit check`: run a grader over its controls and report what that proves.

use std::fs;
use std::io::Write as _;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use accredit_core::assess::import::Imported;
use accredit_core::control::set::Kind;
use accredit_core::id::Digest;
use accredit_core::report::{Report, authors_copy};
use accredit_core::run::event::{Look, RunStarted};
use accredit_core::run::fold::Run;
use accredit_core::verdict::Tier;
use clap::ValueEnum;
use clap::builder::TypedValueParser as _;

use super::choose::ChooseArgs;
use super::limits::LimitArgs;
use super::read_policy;
use super::show::ReportFormat;
use crate::asked::{Asked, Sources};
use crate::check::{Check, Tell};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, Readers};
use crate::record::{self, folder_of};
use crate::render::{self, Context, Places};
use crate::{looks, place, terminal};

/// Run a grader over its controls and report what that proves
///
/// Exit 0: the tier given by --require is within reach (its requirements are met or waived).
/// A run of some of the controls (--controls-filter, --rerun-failed) is for authors: it promotes nothing, and
/// exits 1 where one of them is wrong, else 3.
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
    /// Controls that the grader's author has not seen: the folder of a set of the same rubric, kept elsewhere
    #[arg(long, value_name = "DIR")]
    held_out: Option<PathBuf>,
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
    /// The root of the repository whose register is told, before anything is run, that held-out results are opened.
    /// Without it a run with --held-out promotes nothing
    #[arg(long, value_name = "DIR", requires = "held_out")]
    register: Option<PathBuf>,
    /// The digest of that register's root of trust [default: ACCREDIT_ROOT_DIGEST]
    #[arg(long, value_name = "DIGEST", requires = "register")]
    root_digest: Option<Digest>,
    #[command(flatten)]
    choose: ChooseArgs,
    #[command(flatten)]
    show: Show,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What exit 0 means, and how the report is shown.
#[derive(Debug, clap::Args)]
pub(super) struct Show {
    /// For whom: an author learns of held-out controls only whether they were met, in the report and in the
    /// record [default: platform]
    #[arg(long, value_name = "WHO", value_enum)]
    audience: Option<Who>,
    /// The tier that exit 0 stands for [default: gating]
    #[arg(long, value_name = "TIER", value_parser = tier())]
    require: Option<Tier>,
    /// How to show the report
    #[arg(long, value_enum, default_value_t = ReportFormat::Human)]
    format: ReportFormat,
    /// Write it into this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show everything: each control that was judged wrong, with its texts, and each disagreement with people, not the
    /// first few
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
        let sources = Sources {
            controls: &self.controls,
            real_outputs: &self.real_output,
            held_out: self.held_out.as_deref(),
            withhold: self.show.is_for_author(),
        };
        let asked = self.choose.of(sources.read()?)?;
        let limits = self.limits.limits();
        let component = place::read_bounded(&self.grader, limits.component_bytes)?;
        let loaded = ManuallyDrop::new(place::load_bytes(&self.grader, &component, limits, jobs)?);
        let (engine, grader) = &*loaded;
        asked.fits(&self.controls, grader.manifest())?;
        let out = self.out.as_deref().map(Out::make).transpose()?;
        self.ready(out.as_ref())?;
        let for_author = self.show.is_for_author();
        let withheld = for_author && asked.held_out.is_some();
        let now = jiff::Timestamp::now().to_string();
        let look = self.look();
        if self.held_out.is_some() && look.is_none() && !for_author {
            terminal::note(
                &"no ledger is told that held-out results are opened (--register): this run can promote nothing",
            );
        }
        let check = Check {
            quiet: withheld,
            look: look.as_ref().map(|look| look as Tell<'_>),
            engine,
            grader,
            component: &component,
            asked: &asked,
            policy: &policy,
            repeats: self.repeats,
            seed: self.seed,
            jobs,
            // An author's copy is made of the whole record, which is not left where the author may read it.
            record: out.as_ref().map(|out| out.record.as_path()).filter(|_| !withheld),
            now: &now,
        };
        let (run, digest, sealed) = check.run()?;
        let report = self.show.report_of(&run, digest);
        // The process is about to end: giving back every trial one by one would only take time.
        let run = ManuallyDrop::new(run);
        sealed.keep()?;
        if let Some(out) = &out {
            if withheld {
                let copy = authors_copy(&run, digest);
                record::write_copy(&copy, &out.record, Readers::Owner)?;
            }
            out.write_report(&report)?;
        }
        let places = self.places(&asked);
        let out = out.as_ref().map(|out| out.folder.as_path());
        self.show.report(&report, &policy.source, out, &places)
    }

    /// Whether the report can be written where it is to go, and in the place of nothing else.
    fn ready(&self, out: Option<&Out>) -> Result<(), Failure> {
        let mut others: Vec<&Path> = self.real_output.iter().map(PathBuf::as_path).collect();
        others.push(&self.grader);
        others.extend(self.policy.as_deref());
        others.extend(out.iter().flat_map(|out| [out.record.as_path(), &out.report]));
        output::all_ready(&self.show.output().into_iter().collect::<Vec<_>>(), &others)
    }

    /// Tells the register that held-out results are about to be opened.
    fn look(&self) -> Option<impl Fn(&RunStarted) -> Result<Vec<Look>, Failure> + Sync + '_> {
        let folder = self.register.as_deref()?;
        Some(move |started: &RunStarted| looks::look(folder, self.root_digest, started))
    }

    /// Where the controls stand: those of the set, and the real outputs in files of their own.
    fn places(&self, asked: &Asked) -> Places {
        let mut places = Places::default();
        places.add(&self.controls, asked.controls.iter().filter(|control| !control.held_out));
        for file in &self.real_output {
            let name = file.file_name().map(|name| name.to_string_lossy());
            let of_file = asked.controls.iter().filter(|control| {
                control.kind == Kind::RealOutput && name.as_deref() == Some(&control.at.file)
            });
            places.add(folder_of(file), of_file);
        }
        if let Some(folder) = &self.held_out {
            let held_out = asked.controls.iter().filter(|control| control.held_out);
            places.add(folder, held_out);
        }
        match (self.show.format, repository()) {
            (ReportFormat::Github, Some(root)) => places.below(&root),
            _ => places,
        }
    }
}

/// The root of the repository that GitHub's annotations are relative to: the workspace, as GitHub Actions says, or the
/// nearest folder above this one that holds `.git`.
fn repository() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    let stated = std::env::var_os("GITHUB_WORKSPACE").map(PathBuf::from);
    let stated = stated.and_then(|it| it.canonicalize().ok()).filter(|it| here.starts_with(it));
    let found = || here.ancestors().find(|folder| folder.join(".git").exists());
    stated.or_else(|| found().map(Path::to_owned))
}

/// For whom a report and a record are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Who {
    /// Whoever decides on authority
    Platform,
    /// The grader's author
    Author,
}

impl Show {
    /// The file that the report goes to, where it goes to one.
    pub(super) fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// The report for whoever it is for.
    pub(super) fn report_of(&self, run: &Run, record: Digest) -> Report {
        match self.is_for_author() {
            false => Report::new(run, record),
            true => Report::for_author(run, record),
        }
    }

    fn is_for_author(&self) -> bool {
        self.audience == Some(Who::Author)
    }

    fn require(&self) -> Tier {
        self.require.unwrap_or(Tier::Gating)
    }

    /// Prints a report; the exit code says whether the required tier is within reach.
    pub(super) fn report(
        &self,
        report: &Report,
        policy: &str,
        out: Option<&Path>,
        places: &Places,
    ) -> Result<Exit, Failure> {
        let require = self.require();
        let context = Context { require, policy, out, all: self.all, places };
        self.format.show(report, &context, self.output.as_deref())?;
        Ok(exit(report, require))
    }

    /// Whether an import can be shown so. It decides nothing and holds nothing back.
    pub(super) fn fits_import(&self) -> Result<(), Failure> {
        let refused = if self.require.is_some() {
            "--require names the tier that exit 0 stands for, and imported verdicts earn no tier: leave it out"
        } else if self.audience.is_some() {
            "--audience holds back held-out controls, and an import has none: leave it out"
        } else if !self.format.shows_imports() {
            "imported verdicts are shown as human, json, markdown or html: junit and github tell of failures, and an import decides nothing that could fail"
        } else {
            return Ok(());
        };
        Err(Failure::Usage(refused.to_owned()))
    }

    /// Shows what imported verdicts are worth; the exit code says whether they could be compared with anything.
    pub(super) fn imported(&self, imported: &Imported, policy: &str) -> Result<Exit, Failure> {
        self.format.show_import(imported, policy, self.all, self.output.as_deref())?;
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
/// missed. Not evaluated: nothing was missed, but something was not measured. Of a part of the controls
/// nothing is evaluated, but what is wrong is wrong.
pub(super) fn exit(report: &Report, require: Tier) -> Exit {
    let decision = &report.decision;
    if decision.eligible_tier >= require {
        return Exit::Met;
    }
    if report.only.is_some() && !report.is_all_right() {
        return Exit::NotMet;
    }
    let open = decision.requirements.iter().filter(|r| r.tier <= require && !r.is_satisfied());
    open.fold(Exit::Met, |exit, requirement| {
        exit.worst(match requirement.met {
            Some(_) => Exit::NotMet,
            None => Exit::NotEvaluated,
        })
    })
}

pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
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
