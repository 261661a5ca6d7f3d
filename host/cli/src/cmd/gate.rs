//! `accredit gate`: verdicts on real work.

mod asked;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use accredit_core::compare::CONFIDENCE;
use accredit_core::gate::GateReport;
use accredit_core::gate::compare::compare;
use accredit_core::gate::record::SutRun;
use accredit_core::gate::report::FORMAT;
use accredit_core::gate::standing::Truth;
use accredit_core::id::{Digest, RunId};

use super::show::ReportFormat;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::gate::LONGEST_REPORT;
use crate::output::{self, Readers};
use crate::render::GateContext;
use crate::store::{Writing, place};
use crate::{read, render, terminal, trust};

pub(super) use asked::{Asked, Gated};

/// Run the graders of a register over run records of a system, and say whether a release may go
///
/// The folder of run records holds an inventory of what was selected. Only graders that have gating authority now can
/// block; the others are shown beside. Whatever the inventory names and the records lack is lost evidence: the gate is
/// then undefined, never green, and nothing of it counts as a failure of the system.
///
/// Exit 0: it may go. 1: it is blocked. 3: undefined, since something was not evaluated. 4: a grader that the inventory
/// names has lost authority, unless --allow-stale. 5: a record is not the original it was, or not what
/// was registered of it, or the register is damaged.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder of run records: *.json, one each, and *.jsonl, one a line
    #[arg(long, value_name = "DIR", required_unless_present_any = ["show", "schema"])]
    runs: Option<PathBuf>,
    /// The same records as they were before: each must still be the original, with nothing but dated entries added
    #[arg(long, value_name = "DIR")]
    earlier: Option<PathBuf>,
    /// Go by the graders that still hold their authority, where another has lost it
    #[arg(long)]
    allow_stale: bool,
    /// Show a report that was kept (--format json) instead, and whether it is stale: made under another policy
    #[arg(long, value_name = "FILE", conflicts_with_all = ["runs", "inventory", "profile", "earlier"])]
    show: Option<PathBuf>,
    /// Keep the report in the register, under .accredit/gates: where a grader loses its authority, `accredit failures` then
    /// names the results that rested on it
    #[arg(long, conflicts_with = "show")]
    keep: bool,
    /// Compare with this report of another version, that was kept: case by case, and what of it is established. Shown as
    /// human, json, markdown and html
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
    #[command(flatten)]
    asked: Asked,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        if self.schema {
            terminal::print_data(&format!("{:#}\n", read::gate_schema()))?;
            return Ok(Exit::Met);
        }
        if let Some(kept) = &self.show {
            self.ready()?;
            return self.kept(kept);
        }
        if self.against.is_some() && !self.format.shows_imports() {
            return Err(Failure::Usage(
                "a comparison is shown as human, json, markdown or html, and blocks nothing: leave --against out for test results and annotations"
                    .to_owned(),
            ));
        }
        self.ready()?;
        let before = self.against.as_deref().map(report_at).transpose()?;
        let folder = self.runs.clone().unwrap_or_default();
        let earlier = |runs: &[SutRun]| match &self.earlier {
            Some(earlier) => originals(&read::run_records(earlier)?, runs),
            None => Ok(()),
        };
        let Gated { report, .. } = self.asked.gate(&folder, earlier)?;
        if self.keep {
            self.keep(&report)?;
        }
        let compared = before.map(|before| compare(&before, &report, CONFIDENCE)).transpose();
        let compared = compared.map_err(|error| Failure::Usage(error.to_string()))?;
        let context = GateContext { compared: compared.as_ref(), ..self.context(None) };
        self.put(&report, &context)?;
        Ok(self.exit(&report))
    }

    /// Whether the output takes the place of nothing that this command reads.
    fn ready(&self) -> Result<(), Failure> {
        let Some(output) = self.output.as_deref() else { return Ok(()) };
        let folders = [self.runs.as_deref(), self.earlier.as_deref()];
        let register = self.asked.register.join(place::REGISTER);
        for folder in folders.into_iter().flatten().chain([register.as_path()]) {
            if output::is_within(output, folder) {
                return Err(Failure::Usage(format!(
                    "{}: stands among what this command reads, and could be taken for a part of it: write it elsewhere than in {}",
                    output.display(),
                    folder.display()
                )));
            }
        }
        let read = self.asked.files()?;
        let own = [self.against.as_deref(), self.show.as_deref()];
        let read: Vec<_> =
            read.iter().map(PathBuf::as_path).chain(own.into_iter().flatten()).collect();
        output::all_ready(&[output], &read)
    }

    /// Keeps the report in the register, by the moment of the gate and what it says.
    fn keep(&self, report: &GateReport) -> Result<(), Failure> {
        let text = render::json::pretty(report);
        if text.len() as u64 > LONGEST_REPORT {
            return Err(Failure::Usage(format!(
                "the report comes to {} bytes, and is read up to {LONGEST_REPORT}: it was not kept. Gate fewer cases at one time",
                text.len()
            )));
        }
        let moment = report.now.to_string().replace([':', '-'], "");
        let digest = Digest::of(text.as_bytes()).short();
        let within = format!("{}/{moment}-{digest}.json", place::GATES);
        let register = Writing::open(&self.asked.register)?;
        register.write(&within, text.as_bytes())?;
        terminal::note(&format!("kept as {}", register.folder().join(within).display()));
        Ok(())
    }

    /// Shows a report that was kept, under the policy that is in force now.
    fn kept(&self, path: &Path) -> Result<Exit, Failure> {
        let report = report_at(path)?;
        let policy = crate::authority::policy(&self.asked.register)?;
        let stale = report.kept().stale(policy.digest);
        self.put(&report, &self.context(stale.as_deref()))?;
        let exit = self.exit(&report);
        Ok(if stale.is_some() { exit.worst(Exit::Stale) } else { exit })
    }

    fn context<'a>(&self, stale: Option<&'a str>) -> GateContext<'a> {
        GateContext { stale, allow_stale: self.allow_stale, all: self.all, compared: None }
    }

    fn put(&self, report: &GateReport, context: &GateContext<'_>) -> Result<(), Failure> {
        let text = match (self.format, context.compared) {
            (ReportFormat::Human, _) => render::human::gate(report, context),
            (ReportFormat::Json, Some(compared)) => render::json::gate_against(report, compared),
            (ReportFormat::Json, None) => render::json::pretty(report),
            (ReportFormat::Markdown, _) => render::markdown::gate(report, context),
            (ReportFormat::Junit, _) => render::junit::gate(report, context),
            (ReportFormat::Github, _) => render::github::gate(report, context),
            (ReportFormat::Html, _) => render::html::gate(report, context),
        };
        self.format.put(&text, self.output.as_deref(), Readers::Umask)
    }

    fn exit(&self, report: &GateReport) -> Exit {
        let verdict = match report.release.verdict {
            Truth::True => Exit::Met,
            Truth::False => Exit::NotMet,
            Truth::Undefined => Exit::NotEvaluated,
        };
        let stale = report.is_stale() && !self.allow_stale;
        let exit = if stale { verdict.worst(Exit::Stale) } else { verdict };
        if report.is_altered() { exit.worst(Exit::Integrity) } else { exit }
    }
}

/// A report that was kept.
fn report_at(path: &Path) -> Result<GateReport, Failure> {
    report_of(path, &trust::bounded(path, LONGEST_REPORT)?)
}

/// The same of a file that was read.
pub(super) fn report_of(path: &Path, bytes: &[u8]) -> Result<GateReport, Failure> {
    let called = path.display();
    let report: GateReport = serde_json::from_slice(bytes).map_err(|error| {
        Failure::Usage(format!(
            "{called}: is no report of a gate: {error}. `accredit gate --format json` writes one"
        ))
    })?;
    if let Some(what) = report.contradiction() {
        return Err(Failure::Integrity(format!(
            "{called}: contradicts itself: {what}. It was altered: run the gate again"
        )));
    }
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
    let runs: BTreeMap<&RunId, &SutRun> = runs.iter().map(|run| (&run.id, run)).collect();
    for before in earlier {
        match runs.get(&before.id) {
            None => faults.push(format!("run record `{}` was there before and is gone", before.id)),
            Some(run) => faults.extend(run.continues(before).err().map(|it| it.to_string())),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Failure::Integrity(faults.join("\n"))) }
}
