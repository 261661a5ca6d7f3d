//! `accredit settle show`: the table.

use std::path::PathBuf;

use accredit_core::gate::settlement::SettlementReport;

use super::records;
use crate::cmd::{Format, RegisterArg};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{human, json};
use crate::settle::book;
use crate::{clock, terminal};

/// What is shown.
#[derive(Debug, clap::Args)]
pub(in crate::cmd) struct Args {
    /// A folder of run records; may be given several times
    #[arg(long, value_name = "DIR", required = true)]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    register: RegisterArg,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl Args {
    pub(in crate::cmd) fn run(self) -> Result<Exit, Failure> {
        let runs = records(&self.runs)?;
        let book = book(&self.register.open()?)?;
        let report = SettlementReport::new(&runs, &book, clock::now()?);
        match self.format {
            Format::Human => terminal::print(&human::settlement(&report))?,
            Format::Json => terminal::print_data(&json::pretty(&report))?,
        }
        Ok(match (report.is_refused(), report.is_up_to_date()) {
            (true, _) => Exit::Integrity,
            (false, true) => Exit::Met,
            (false, false) => Exit::NotEvaluated,
        })
    }
}
