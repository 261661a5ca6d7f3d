//! `accredit compile-child`, hidden: the process that accredit starts to compile a component in.

use std::ffi::OsString;
use std::io;

use crate::exit::Exit;
use crate::failure::Failure;

/// Compile a component for the accredit that started this: bytes in, artefact out
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What the engine says to its child
    #[arg(trailing_var_arg = true)]
    job: Vec<OsString>,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        accredit_engine::compile_child(self.job, io::stdin().lock(), io::stdout().lock())
            .map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Exit::Met)
    }
}
