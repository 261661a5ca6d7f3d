//! `accredit compare`: two records, case by case.

use std::path::{Path, PathBuf};

use accredit_core::compare::{Recorded, Standing, compare};
use clap::ValueEnum;

use super::record_at;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record::{self, ReadRecord};
use crate::{render, terminal};

/// Compare two run records, case by case: what got worse, what got better, and what of it is established
///
/// Established needs McNemar's exact test and Newcombe's paired interval both, beyond what repeats move by
/// themselves; anything less is "not established", never "equal". A case of A that B lacks, or that is another
/// one under the same id, is an error.
///
/// Exit 0: B is not established to be worse. 1: it is. 2: the records do not pair. 3: nothing could have
/// established a difference (no case in common, or one repeat alone).
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record before: a file, or the folder that `check --out` left it in
    a: PathBuf,
    /// The record after, likewise
    b: PathBuf,
    /// How to show it
    #[arg(long, value_enum, default_value_t = CompareFormat::Human)]
    format: CompareFormat,
    /// Show every case that changed, not the first of each sort
    #[arg(long)]
    all: bool,
}

/// How a comparison is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CompareFormat {
    /// For people, at a terminal of 80 columns
    Human,
    /// For programs: the whole comparison
    Json,
    /// For a comment on a pull request
    Markdown,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let (a, b) = (read(&self.a)?, read(&self.b)?);
        let comparison = compare(recorded(&a), recorded(&b))?;
        match self.format {
            CompareFormat::Human => {
                terminal::print(&render::human::comparison(&comparison, self.all))?;
            }
            CompareFormat::Markdown => {
                terminal::print_data(&render::markdown::comparison(&comparison, self.all))?;
            }
            CompareFormat::Json => terminal::print_data(&render::json::pretty(&comparison))?,
        }
        Ok(exit(comparison.standing))
    }
}

fn exit(standing: Standing) -> Exit {
    match standing {
        Standing::Worse => Exit::NotMet,
        Standing::Better | Standing::NotEstablished => Exit::Met,
        Standing::NotEvaluated => Exit::NotEvaluated,
    }
}

fn recorded(read: &ReadRecord) -> Recorded<'_> {
    Recorded { run: &read.run, record: read.digest }
}

/// A whole record: half of one would lack cases.
fn read(path: &Path) -> Result<ReadRecord, Failure> {
    let path = record_at(path);
    record::read(&path, false).map_err(|error| Failure::Record { path, error })
}
