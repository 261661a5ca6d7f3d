//! `accredit run`: show an author what a grader says of one case.

use std::mem::ManuallyDrop;
use std::path::PathBuf;

use accredit_core::control::plan::trial_seed;
use accredit_core::findings::Outcome;
use accredit_core::run::fold::{case_verdict, rule_verdicts};
use accredit_core::verdict::Verdict;
use accredit_engine::TrialInput;

use super::Format;
use super::limits::LimitArgs;
use crate::check::{CLOCK_UNIX_S, finished, no_control};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{self, OneCase};
use crate::{place, read, terminal};

/// Show what a grader says of one case
///
/// Exit 0: the case comes to pass. 1: to fail. 3: it was not judged.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The grader: a WebAssembly component
    grader: PathBuf,
    /// The case: a .json or .toml file
    #[arg(long, value_name = "FILE")]
    case: PathBuf,
    /// Seed of everything random the grader sees
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How to show the findings
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let case = read::case(&self.case)?.blinded();
        let loaded = place::load_grader(&self.grader, self.limits.limits(), 1)?;
        // The process ends with the verdict; taking engine and threads down first would only take time.
        let loaded = ManuallyDrop::new(loaded);
        let grader = &loaded.1;
        let trial = grader.trial(&TrialInput {
            case: &case,
            seed: trial_seed(self.seed, case.content_digest(), 0),
            clock_unix_s: CLOCK_UNIX_S,
        });
        let wall = trial.wall;
        let memory_bytes = trial.memory_bytes;
        let finished = finished(grader.manifest(), &case, no_control(), trial);
        let rules = &grader.manifest().rules;
        let verdict = case_verdict(rules, &rule_verdicts(rules, &finished));
        let one =
            OneCase { manifest: grader.manifest(), trial: &finished, verdict, wall, memory_bytes };
        match self.format {
            Format::Human => terminal::print(&render::human::one_case(&one))?,
            Format::Json => terminal::print_data(&render::json::one_case(&one))?,
        }
        Ok(exit(&finished.outcome, verdict))
    }
}

fn exit(outcome: &Outcome, verdict: Verdict) -> Exit {
    match (outcome, verdict) {
        (Outcome::Graded(_), Verdict::Pass) => Exit::Met,
        (Outcome::Graded(_), Verdict::Fail) => Exit::NotMet,
        _ => Exit::NotEvaluated,
    }
}
