//! `accredit doctor`: what this machine offers.

use super::Format;
use super::limits::LimitArgs;
use crate::doctor::{Facts, Status, examine};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{place, render, terminal};

/// Look at this machine: what it offers, what is missing, what that costs and what to do
///
/// Exit 0: it works, if slower than it could. 3: something is broken, and nothing can be evaluated here.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let settings = place::settings(self.limits.limits(), 1)?;
        let facts = Facts::gather(&settings, jiff::Timestamp::now().as_second());
        let examination = examine(&facts);
        match self.format {
            Format::Human => terminal::print(&render::human::checks(&examination))?,
            Format::Json => terminal::print_data(&render::json::pretty(&examination))?,
        }
        Ok(match examination.status {
            Status::Ok | Status::Degraded => Exit::Met,
            Status::Broken => Exit::NotEvaluated,
        })
    }
}
