//! The binary `accredit`: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    accredit::cmd::Cli::parse().run().into()
}
