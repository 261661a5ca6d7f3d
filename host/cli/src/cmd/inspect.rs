//! `accredit inspect`: what a component is, and what stands in its way.

use std::path::PathBuf;

use accredit_engine::Engine;

use super::Format;
use super::limits::LimitArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inspect::{Run, inspect};
use crate::{place, render, terminal};

/// Show what a component is: its digest, imports, rules, origin and needs, and what stands in its way
///
/// Exit 0: this host takes it as a grader (with --no-run: as far as its bytes show). 2: it does not.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The component
    file: PathBuf,
    /// Only look at the bytes: compile nothing, and do not ask the grader to describe itself
    #[arg(long)]
    no_run: bool,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let limits = self.limits.limits();
        let bytes = place::read_bounded(&self.file, limits.component_bytes)?;
        let engine = Engine::new(&place::settings(limits.clone(), 1)?)?;
        let run = if self.no_run { Run::Nothing } else { Run::Describe };
        let inspected = inspect(&engine, &limits, &bytes, run);
        match self.format {
            Format::Human => {
                terminal::print(&render::human::inspected(&self.file, &inspected))?;
            }
            Format::Json => terminal::print_data(&render::json::pretty(&inspected))?,
        }
        Ok(if inspected.obstacles.is_empty() { Exit::Met } else { Exit::BadInput })
    }
}
