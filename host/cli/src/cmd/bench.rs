//! `accredit bench`: what a trial of one case costs here.

use std::path::PathBuf;

use super::Format;
use super::limits::LimitArgs;
use crate::bench::{Plan, bench};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{place, read, render, terminal};

/// Measure what a trial of one case costs on this machine
///
/// Fuel and memory are the same everywhere; times are of this machine, and part of no record. Exit 0: it was
/// measured. 3: the grader answered in no trial.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The grader: a WebAssembly component
    grader: PathBuf,
    /// The case: a .json or .toml file
    #[arg(long, value_name = "FILE")]
    case: PathBuf,
    /// How many trials to count, in fresh instances, one after the other; after a minute no more are begun
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    trials: u32,
    /// Seed of everything random the grader sees
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let case = read::case(&self.case)?.blinded();
        let (engine, grader) = place::load_grader(&self.grader, self.limits.limits(), 1)?;
        let plan = Plan { case: &case, trials: self.trials, seed: self.seed };
        let bench = bench(&engine, &grader, plan);
        match self.format {
            Format::Human => terminal::print(&render::human::bench(&bench))?,
            Format::Json => terminal::print_data(&render::json::pretty(&bench))?,
        }
        Ok(if bench.unanswered == u64::from(bench.trials) { Exit::NotEvaluated } else { Exit::Met })
    }
}
