//! `accredit policy`: what a policy asks.

use std::path::PathBuf;

use accredit_core::explain::explain;

use super::{Format, read_policy};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{render, terminal};

/// Look at the policy
#[derive(Debug, clap::Subcommand)]
pub(super) enum Args {
    /// Print what each tier asks, how many controls that takes, and how likely a good grader is to clear it
    Explain {
        /// The policy [default: accredit.toml in this folder, else the built-in one]
        #[arg(long, value_name = "FILE")]
        policy: Option<PathBuf>,
        /// How to show it
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
    },
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let Self::Explain { policy, format } = self;
        let policy = read_policy(policy.as_deref())?;
        let explanation = explain(&policy.policy);
        match format {
            Format::Human => {
                terminal::print(&render::human::explanation(&explanation, &policy.source))?;
            }
            Format::Json => terminal::print_data(&render::json::pretty(&explanation))?,
        }
        Ok(Exit::Met)
    }
}
