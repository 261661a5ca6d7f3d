//! The command line: one module a subcommand, each an `Args` struct with `run`.

mod bench;
mod check;
mod choose;
mod compare;
mod compile_child;
mod controls;
mod decide;
mod doctor;
mod explain;
mod failures;
mod gate;
mod grade;
mod grade_evidence;
mod init;
mod inspect;
mod ledger;
mod limits;
mod merge;
mod policy;
mod probe;
mod promote;
mod register;
mod report;
mod revoke;
mod run;
mod settle;
mod show;
mod sign;
mod status;
mod store;
mod verify;
mod verify_promotion;

use std::path::{Path, PathBuf};

use accredit_core::policy::Policy;
use clap::{Parser, Subcommand, ValueEnum};

pub(crate) use controls::counts;
pub(crate) use verify_promotion::Outcome as PromotionOutcome;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::read::{self, ReadPolicy};
use crate::store::{Register, Writing, survive_size_limit};
use crate::terminal;

/// Decides how much a grader's word may count.
///
/// A grader is a WebAssembly component that judges what an AI system produced. accredit runs it in a
/// sandbox against its own controls, and says whether the evidence is enough for it to block a release.
///
/// Exit codes: 0 met · 1 evaluated and not met · 2 usage or bad input · 3 not evaluated · 4 stale
/// authority · 5 integrity (a digest, signature or version is wrong).
#[derive(Debug, Parser)]
#[command(name = "accredit", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Args),
    Grade(grade::Args),
    Check(check::Args),
    Report(report::Args),
    Compare(compare::Args),
    Explain(explain::Args),
    #[command(subcommand)]
    Controls(controls::Args),
    #[command(subcommand)]
    Policy(policy::Args),
    Inspect(inspect::Args),
    Bench(bench::Args),
    Doctor(doctor::Args),
    Probe(probe::Args),
    Init(init::Args),
    Register(register::Args),
    Promote(promote::Args),
    Sign(sign::Args),
    Status(status::Args),
    Gate(gate::Args),
    Decide(decide::Args),
    GradeEvidence(grade_evidence::Args),
    #[command(subcommand)]
    Settle(settle::Args),
    Failures(failures::Args),
    Revoke(revoke::Args),
    Verify(verify::Args),
    Merge(merge::Args),
    VerifyPromotion(verify_promotion::Args),
    #[command(subcommand)]
    Ledger(ledger::Args),
    #[command(subcommand)]
    Store(store::Args),
    #[command(hide = true)]
    CompileChild(compile_child::Args),
}

impl Cli {
    /// Runs the command, and tells on stderr why it failed, if it did.
    #[must_use]
    pub fn run(self) -> Exit {
        survive_size_limit();
        let result = match self.command {
            Command::Run(args) => args.run(),
            Command::Grade(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Compare(args) => args.run(),
            Command::Explain(args) => args.run(),
            Command::Controls(args) => args.run(),
            Command::Policy(args) => args.run(),
            Command::Inspect(args) => args.run(),
            Command::Bench(args) => args.run(),
            Command::Doctor(args) => args.run(),
            Command::Probe(args) => args.run(),
            Command::Init(args) => args.run(),
            Command::Register(args) => args.run(),
            Command::Promote(args) => args.run(),
            Command::Sign(args) => args.run(),
            Command::Status(args) => args.run(),
            Command::Gate(args) => args.run(),
            Command::Decide(args) => args.run(),
            Command::GradeEvidence(args) => args.run(),
            Command::Settle(args) => args.run(),
            Command::Failures(args) => args.run(),
            Command::Revoke(args) => args.run(),
            Command::Verify(args) => args.run(),
            Command::Merge(args) => args.run(),
            Command::VerifyPromotion(args) => args.run(),
            Command::Ledger(args) => args.run(),
            Command::Store(args) => args.run(),
            Command::CompileChild(args) => args.run(),
        };
        result.unwrap_or_else(|failure| {
            terminal::error(&failure);
            failure.exit()
        })
    }
}

/// How a report is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// For programs: the whole report.
    Json,
}

/// Where the register is.
#[derive(Debug, clap::Args)]
struct RegisterArg {
    /// The folder that `.accredit` stands in
    #[arg(long = "register", value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

impl RegisterArg {
    fn open(&self) -> Result<Register, Failure> {
        Register::open(&self.folder)
    }

    fn open_for_writing(&self) -> Result<Writing, Failure> {
        Writing::open(&self.folder)
    }
}

/// The policy file that is used when none is named.
pub(crate) const POLICY_FILE: &str = "accredit.toml";

/// The policy of this file; without one, of `accredit.toml` in this folder, else the built-in defaults.
fn read_policy(named: Option<&Path>) -> Result<ReadPolicy, Failure> {
    let here = PathBuf::from(POLICY_FILE);
    match named {
        Some(path) => Ok(read::policy(path)?),
        None if here.exists() => Ok(read::policy(&here)?),
        None => Ok(ReadPolicy::new(Policy::default(), "built-in defaults".to_owned(), b"")),
    }
}

/// The record that is meant: a file, or the one that `check --out` left in this folder.
fn record_at(path: &Path) -> PathBuf {
    if path.is_dir() { path.join("record.jsonl") } else { path.to_owned() }
}
