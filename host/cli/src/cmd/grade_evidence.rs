//! `accredit grade-evidence`: how strong the evidence behind each run is, by its record alone.

use std::path::{Path, PathBuf};

use accredit_core::gate::GateReport;
use accredit_core::gate::evidence_grade::{EvidenceGrades, FORMAT, of_records};

use super::Format;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::gate::LONGEST_REPORT;
use crate::{read, render, terminal, trust};

/// Grade the evidence behind runs: proof > known_answer > interop > constructed_check > review_only > unverified
///
/// A run record may tell, under `verification`, which judges were declared, which executions of them were observed,
/// who wrote the result and when. From that each run gets a grade, with every step that led to it. A declared judge
/// that never ran leaves the run unverified; an edit after a check resets it; a grade that the producer supplies is
/// rejected; a judge of the chain that wrote is worth constructed_check at most. The graders of a register are not
/// run: `accredit gate` grades with them as well.
///
/// Exit 0: every run is above unverified. 1: a declared judge ran and failed. 3: some run is unverified. 5: a run
/// has no grade line.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Run records, and folders of them
    #[arg(value_name = "RUN.json", required_unless_present = "schema")]
    runs: Vec<PathBuf>,
    /// Grades of the same runs as they were kept (--format json, or a report of a gate): a run whose content changed
    /// since is unverified
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Show every operation, not only what lowered a grade
    #[arg(long)]
    all: bool,
    /// Print the JSON Schema of `--format json` instead
    #[arg(long, exclusive = true)]
    schema: bool,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        if self.schema {
            terminal::print_data(&format!("{:#}\n", render::json::evidence_schema()))?;
            return Ok(Exit::Met);
        }
        let before = self.against.as_deref().map(kept).transpose()?;
        let runs = read::run_records_at(&self.runs)?;
        if runs.is_empty() {
            return Err(Failure::Usage(
                "there is no run record to grade: name files, or a folder of *.json and *.jsonl"
                    .to_owned(),
            ));
        }
        let grades = of_records(&runs, before.as_ref());
        match self.format {
            Format::Human => terminal::print(&render::human::evidence(&grades, self.all))?,
            Format::Json => terminal::print_data(&render::json::pretty(&grades))?,
        }
        Ok(exit(&grades))
    }
}

/// Grades that were kept: by themselves, or in the report of a gate.
fn kept(path: &Path) -> Result<EvidenceGrades, Failure> {
    let bytes = trust::bounded(path, LONGEST_REPORT)?;
    let alone = serde_json::from_slice::<EvidenceGrades>(&bytes);
    let grades = alone.or_else(|error| {
        let report = serde_json::from_slice::<GateReport>(&bytes);
        report.map(|report| report.evidence).map_err(|_| error)
    });
    let path = path.display();
    let grades = grades.map_err(|error| {
        Failure::Usage(format!(
            "{path}: holds no grades: {error}. `accredit grade-evidence --format json` writes them"
        ))
    })?;
    if grades.format == FORMAT {
        return Ok(grades);
    }
    Err(Failure::Usage(format!(
        "{path}: is of format {}, and this version reads format {FORMAT}: read it with the version that wrote it",
        grades.format
    )))
}

fn exit(grades: &EvidenceGrades) -> Exit {
    let verified = if grades.all_verified() { Exit::Met } else { Exit::NotEvaluated };
    let failed = if grades.failed_declared_evidence() { Exit::NotMet } else { Exit::Met };
    let bound = if grades.counters.broken().is_empty() { Exit::Met } else { Exit::Integrity };
    verified.worst(failed).worst(bound)
}
