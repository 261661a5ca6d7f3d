//! `accredit failures`: what went wrong in use, and what became of it.

use std::path::PathBuf;

use accredit_core::failures::{FORMAT, Failures, State};
use accredit_core::id::{Digest, GraderName};

use super::Format;
use crate::authority::Registry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::failures::{self, Guarding};
use crate::store::Writing;
use crate::{clock, render, terminal};

/// List the failures found in use that are kept for graders: missing, open, fixed or guarded
///
/// Each has a regression control (`accredit controls add`), which is run on the component that lies there today.
/// *Open*: it is still wrong. *Fixed*: it is right. *Guarded*: its control caught a component that failed and
/// passed one that does not, both run from the store and entered (--guard). *Missing*: the control was taken out of
/// the set, or turned round.
///
/// Exit 0: every failure is guarded, or there is none. 1: one is open. 3: one is fixed and not guarded. 5: one is
/// missing.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only these graders [default: all]
    graders: Vec<GraderName>,
    /// Guard those that are fixed: run their controls on the components that failed and on today's, and enter what
    /// they tell apart
    #[arg(long)]
    guard: bool,
    /// The root of the repository that holds the register
    #[arg(long, value_name = "DIR", default_value = ".")]
    register: PathBuf,
    /// The digest of the root of trust [default: ACCREDIT_ROOT_DIGEST]
    #[arg(long, value_name = "DIGEST")]
    root_digest: Option<Digest>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let failures = if self.guard { self.guarded()? } else { self.read()? };
        match self.format {
            Format::Human => terminal::print(&render::human::failures(&failures))?,
            Format::Json => terminal::print_data(&render::json::pretty(&failures))?,
        }
        Ok(exit(&failures))
    }

    fn read(&self) -> Result<Failures, Failure> {
        let registry = Registry::open(&self.register, self.root_digest, clock::now()?)?;
        self.of(&registry)
    }

    fn of(&self, registry: &Registry) -> Result<Failures, Failure> {
        let all: Vec<_> = registry.names().cloned().collect();
        let asked = if self.graders.is_empty() { &all } else { &self.graders };
        let graders = asked.iter().map(|name| failures::grader(registry, name));
        Ok(Failures {
            format: FORMAT,
            now: registry.now,
            graders: graders.collect::<Result<_, _>>()?,
        })
    }

    /// The same after those that are fixed were guarded, as far as they can be.
    fn guarded(&self) -> Result<Failures, Failure> {
        let mut writing = Writing::open(&self.register)?;
        let registry = Registry::open(&self.register, self.root_digest, clock::now()?)?;
        let before = self.of(&registry)?;
        for grader in &before.graders {
            for (control, guarding) in failures::guard(&mut writing, &registry, grader)? {
                tell(&grader.grader, &control, &guarding);
            }
        }
        drop(writing);
        self.read()
    }
}

fn tell(grader: &GraderName, control: &accredit_core::id::ControlId, guarding: &Guarding) {
    match guarding {
        Guarding::Guarded(catches, entry) => terminal::note(&format!(
            "{grader}: {control} is guarded: it catches {} (entry {entry})",
            catches.short()
        )),
        Guarding::CatchesNothing(tried) => terminal::warning(&format!(
            "{grader}: {control} catches none of the other components in the store ({tried}): nothing shows that it would notice the failure. Name the component that failed (`accredit controls add --component`), or give a case that it fails"
        )),
    }
}

fn exit(failures: &Failures) -> Exit {
    [
        (State::Missing, Exit::Integrity),
        (State::Open, Exit::NotMet),
        (State::Fixed, Exit::NotEvaluated),
    ]
    .into_iter()
    .filter(|(state, _)| failures.any(*state))
    .fold(Exit::Met, |worst, (_, exit)| worst.worst(exit))
}
