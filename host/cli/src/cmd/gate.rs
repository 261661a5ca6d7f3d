//! `accredit gate`: verdicts on real work.

use std::fs;
use std::path::{Path, PathBuf};

use accredit_core::compare::CONFIDENCE;
use accredit_core::gate::compare::compare;
use accredit_core::gate::inventory::Inventory;
use accredit_core::gate::record::SutRun;
use accredit_core::gate::report::FORMAT;
use accredit_core::gate::standing::Truth;
use accredit_core::gate::{Gate, GateFault, GateReport};
use accredit_core::id::Digest;

use super::show::ReportFormat;
use crate::authority::Registry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Readers;
use crate::render::GateContext;
use crate::store::{Writing, place};
use crate::{clock, decisions, gate, read, render, terminal};

/// Run the graders of a register over run records of a system, and say whether a release may go
///
/// The folder of run records holds an inventory of what was selected. Only graders that have gating authority now can
/// block; the others are shown beside. Whatever the inventory names and the records lack is lost evidence: the gate is
/// then undefined, never green, and nothing of it counts as a failure of the system.
///
/// Exit 0: it may go. 1: it is blocked. 3: undefined, since something was not evaluated. 4: a grader that the inventory
/// names has lost authority, unless --allow-stale. 5: a record is not the original it was, or the register is damaged.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder of run records: *.json, one each, and *.jsonl, one a line
    #[arg(long, value_name = "DIR", required_unless_present_any = ["show", "schema"])]
    runs: Option<PathBuf>,
    /// What was selected [default: inventory.toml or inventory.json in that folder]
    #[arg(long, value_name = "FILE")]
    inventory: Option<PathBuf>,
    /// A reader's profile: it adds checks, and weighs rules in a summary of its own; may be given several times
    #[arg(long, value_name = "FILE")]
    profile: Vec<PathBuf>,
    /// The same records as they were before: each must still be the original, with nothing but dated entries added
    #[arg(long, value_name = "DIR")]
    earlier: Option<PathBuf>,
    /// The root of the repository that holds the register
    #[arg(long, value_name = "DIR", default_value = ".")]
    register: PathBuf,
    /// The digest of the root of trust [default: ACCREDIT_ROOT_DIGEST]
    #[arg(long, value_name = "DIGEST")]
    root_digest: Option<Digest>,
    /// Go by the graders that still hold their authority, where another has lost it
    #[arg(long)]
    allow_stale: bool,
    /// Trials at one time [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Show a report that was kept (--format json) instead, and whether it is stale: made under another policy
    #[arg(long, value_name = "FILE", conflicts_with_all = ["runs", "inventory", "profile", "earlier"])]
    show: Option<PathBuf>,
    /// Keep the report in the register, under .accredit/gates: where a grader loses its authority, `accredit failures` then
    /// names the results that rested on it
    #[arg(long, conflicts_with = "show")]
    keep: bool,
    /// Compare with this report of another version, that was kept: case by case, and what of it is established
    #[arg(long, value_name = "FILE", conflicts_with = "show")]
    against: Option<PathBuf>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = ReportFormat::Human)]
    format: ReportFormat,
    /// Write it to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show every line, not the first of each sort
    #[arg(long)]
    all: bool,
    /// Print the JSON Schema of `--format json` instead
    #[arg(long, exclusive = true)]
    schema: bool,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        if self.schema {
            terminal::print_data(&format!("{:#}\n", read::gate_schema()))?;
            return Ok(Exit::Met);
        }
        if let Some(kept) = &self.show {
            return self.kept(kept);
        }
        let shown = matches!(self.format, ReportFormat::Human | ReportFormat::Json);
        if self.against.is_some() && !shown {
            return Err(Failure::Usage(
                "a comparison is shown as human or json: leave --against out for other formats"
                    .to_owned(),
            ));
        }
        let before = self.against.as_deref().map(report_at).transpose()?;
        let folder = self.runs.clone().unwrap_or_default();
        // Faults of all files at once.
        let inventory = self.read_inventory(&folder);
        let runs = read::run_records(&folder);
        let (inventory, runs) = match (inventory, runs) {
            (Ok(inventory), Ok(runs)) => (inventory, runs),
            (Err(faults), Ok(_)) => return Err(faults.into()),
            (Ok(_), Err(faults)) => return Err(faults.into()),
            (Err(one), Err(other)) => return Err(Failure::Usage(format!("{one}\n{other}"))),
        };
        let profiles = self.profile.iter().map(|path| read::profile(path));
        let profiles = profiles.collect::<Result<Vec<_>, _>>()?;
        if let Some(earlier) = &self.earlier {
            originals(&read::run_records(earlier)?, &runs)?;
        }
        let registry = Registry::open(&self.register, self.root_digest, clock::now()?)?;
        let asked = profiles.iter().fold(inventory.clone(), |it, profile| profile.applied_to(&it));
        let words = decisions::heard(&registry)?;
        let graded = gate::grade(&registry, &asked, &runs, self.jobs())?;
        let report = GateReport::new(Gate {
            inventory: &inventory,
            runs: &runs,
            graders: &graded.graders,
            judgements: &graded.judgements,
            profiles: &profiles,
            words: &words,
            policy: &registry.policy.policy,
            policy_digest: registry.policy.digest,
            now: registry.now,
        });
        let report = report.map_err(|faults| unsound(&faults))?;
        if self.keep {
            self.keep(&report)?;
        }
        let Some(before) = before else {
            self.put(&report, None)?;
            return Ok(self.exit(&report));
        };
        let compared = compare(&before, &report, CONFIDENCE);
        let compared = compared.map_err(|error| Failure::Usage(error.to_string()))?;
        let text = match self.format {
            ReportFormat::Json => render::json::gate_against(&report, &compared),
            _ => {
                let comparison = render::human::gate_comparison(&compared);
                comparison + "\n" + &render::human::gate(&report, &self.context(None))
            }
        };
        self.write(&text)?;
        Ok(self.exit(&report))
    }

    /// Keeps the report in the register, by the moment of the gate and what it says.
    fn keep(&self, report: &GateReport) -> Result<(), Failure> {
        let text = render::json::pretty(report);
        let moment = report.now.to_string().replace([':', '-'], "");
        let digest = Digest::of(text.as_bytes()).short();
        let within = format!("{}/{moment}-{digest}.json", place::GATES);
        let register = Writing::open(&self.register)?;
        register.write(&within, text.as_bytes())?;
        terminal::note(&format!("kept as {}", register.folder().join(within).display()));
        Ok(())
    }

    fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }

    fn read_inventory(&self, folder: &Path) -> Result<Inventory, read::ReadFaults> {
        match &self.inventory {
            Some(path) => read::inventory(path),
            None => read::inventory(&read::inventory_in(folder)?),
        }
    }

    /// Shows a report that was kept, under the policy that is in force now.
    fn kept(&self, path: &Path) -> Result<Exit, Failure> {
        let report = report_at(path)?;
        let policy = crate::authority::policy(&self.register)?;
        let stale = report.kept().stale(policy.digest);
        self.put(&report, stale.as_deref())?;
        let exit = self.exit(&report);
        Ok(if stale.is_some() { exit.worst(Exit::Stale) } else { exit })
    }

    fn context<'a>(&self, stale: Option<&'a str>) -> GateContext<'a> {
        GateContext { stale, allow_stale: self.allow_stale, all: self.all }
    }

    fn put(&self, report: &GateReport, stale: Option<&str>) -> Result<(), Failure> {
        let context = self.context(stale);
        self.write(&match self.format {
            ReportFormat::Human => render::human::gate(report, &context),
            ReportFormat::Json => render::json::pretty(report),
            ReportFormat::Markdown => render::markdown::gate(report, &context),
            ReportFormat::Junit => render::junit::gate(report, &context),
            ReportFormat::Github => render::github::gate(report, &context),
            ReportFormat::Html => render::html::gate(report, &context),
        })
    }

    fn write(&self, text: &str) -> Result<(), Failure> {
        self.format.put(text, self.output.as_deref(), Readers::Umask)
    }

    fn exit(&self, report: &GateReport) -> Exit {
        let verdict = match report.release.verdict {
            Truth::True => Exit::Met,
            Truth::False => Exit::NotMet,
            Truth::Undefined => Exit::NotEvaluated,
        };
        let stale = report.is_stale() && !self.allow_stale;
        if stale { verdict.worst(Exit::Stale) } else { verdict }
    }
}

/// A report that was kept.
fn report_at(path: &Path) -> Result<GateReport, Failure> {
    let bytes = fs::read(path).map_err(|error| Failure::unreadable(path, error))?;
    report_of(path, &bytes)
}

/// The same of a file that was read.
pub(super) fn report_of(path: &Path, bytes: &[u8]) -> Result<GateReport, Failure> {
    let called = path.display();
    let report: GateReport = serde_json::from_slice(bytes).map_err(|error| {
        Failure::Usage(format!(
            "{called}: is no report of a gate: {error}. `accredit gate --format json` writes one"
        ))
    })?;
    if report.format == FORMAT {
        return Ok(report);
    }
    Err(Failure::Usage(format!(
        "{called}: is of format {}, and this version reads format {FORMAT}: read it with the version that wrote it",
        report.format
    )))
}

/// Whether every record that was there before still is, and is the original.
fn originals(earlier: &[SutRun], runs: &[SutRun]) -> Result<(), Failure> {
    let mut faults = Vec::new();
    for before in earlier {
        match runs.iter().find(|run| run.id == before.id) {
            None => faults.push(format!("run record `{}` was there before and is gone", before.id)),
            Some(run) => faults.extend(run.continues(before).err().map(|it| it.to_string())),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Failure::Integrity(faults.join("\n"))) }
}

fn unsound(faults: &[GateFault]) -> Failure {
    let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
    Failure::Usage(faults.join("\n"))
}
