//! `accredit settle show`: the table.

use accredit_core::gate::settlement::SettlementReport;

use super::{Over, records};
use crate::cmd::Format;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{human, json};
use crate::settle::book;
use crate::{clock, terminal};

/// What is shown.
#[derive(Debug, clap::Args)]
pub(in crate::cmd) struct Args {
    #[command(flatten)]
    over: Over,
}

impl Args {
    pub(in crate::cmd) fn run(self) -> Result<Exit, Failure> {
        let runs = records(&self.over.runs)?;
        let book = book(&self.over.register.open()?)?;
        let report = SettlementReport::new(&runs, &book, clock::now()?);
        match self.over.format {
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
