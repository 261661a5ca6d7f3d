//! `accredit settle register`: fingerprints before anybody knows.

use super::{Over, records};
use crate::cmd::Format;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{human, json};
use crate::settle::{NotTaken, register};
use crate::terminal;

/// What is registered.
#[derive(Debug, clap::Args)]
pub(in crate::cmd) struct Args {
    #[command(flatten)]
    over: Over,
}

impl Args {
    pub(in crate::cmd) fn run(self) -> Result<Exit, Failure> {
        let runs = records(&self.over.runs)?;
        let done = register(&self.over.register.open_for_writing()?, &runs)?;
        match self.over.format {
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
