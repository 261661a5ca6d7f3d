//! `accredit settle register`: fingerprints before anybody knows.

use std::path::PathBuf;

use super::records;
use crate::cmd::{Format, RegisterArg};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{human, json};
use crate::settle::{NotTaken, register};
use crate::terminal;

/// What is registered.
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
        let done = register(&self.register.open_for_writing()?, &runs)?;
        match self.format {
            Format::Human => terminal::print(&human::registering(&done))?,
            Format::Json => terminal::print_data(&json::pretty(&done))?,
        }
        if done.refused.is_empty() {
            return Ok(Exit::Met);
        }
        let line = |it: &NotTaken| {
            format!("`{}` of step `{}` of run `{}`: {}", it.claim.raw(), it.step, it.run, it.why)
        };
        let refused: Vec<_> = done.refused.iter().map(line).collect();
        Err(Failure::Integrity(refused.join("\n")))
    }
}
