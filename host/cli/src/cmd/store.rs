//! `accredit store`: look after what the register keeps.

use std::time::SystemTime;

use super::RegisterArg;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::human;
use crate::store::survey;
use crate::terminal;

/// Look after what the register keeps
#[derive(Debug, clap::Subcommand)]
pub(super) enum Args {
    /// Take away what nothing in the register names any more
    ///
    /// Kept is whatever a ledger, a grader's file, a waiting statement, the root of trust, the policy or a
    /// signature names, and whatever those name in turn. Nothing is taken away while any ledger is damaged.
    Gc {
        /// Only list what would be taken away
        #[arg(long)]
        dry_run: bool,
        /// Also what was put there within the last day, and may be of work in progress
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        register: RegisterArg,
    },
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let Self::Gc { dry_run, all, register } = self;
        let now = SystemTime::now();
        let survey = if dry_run {
            survey(&register.open()?, now, all)?
        } else {
            register.open_for_writing()?.collect(now, all)?
        };
        terminal::print(&human::survey(&survey, dry_run))?;
        Ok(Exit::Met)
    }
}
