//! `accredit merge`: parts of a verification that were made apart, put together.

use std::path::{Path, PathBuf};

use accredit_core::verification::{NotMerged, Verification, merge};

use super::verify::{VerificationFormat, exit};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::place::read_bounded;

/// No part is larger.
const PART_BYTES: usize = 1 << 26;

/// Put the parts of a verification together (`accredit verify --partition hash:K/N --out FILE`)
///
/// The result is what one verification of all graders would have been, and so is the exit code. A part that is missing, there
/// twice, or of another state of the register is an error that names it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The parts, as --out wrote them
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    /// Write the whole as JSON into this file as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = VerificationFormat::Human)]
    format: VerificationFormat,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        self.out.as_deref().map_or(Ok(()), output::ready)?;
        let named = |path: &PathBuf| Ok((path.display().to_string(), read(path)?));
        let parts = self.parts.iter().map(named).collect::<Result<Vec<_>, Failure>>()?;
        let whole = merge(&parts).map_err(|fault| match fault {
            NotMerged::Graders { .. } | NotMerged::Untrue { .. } => {
                Failure::Integrity(fault.to_string())
            }
            fault => Failure::Usage(fault.to_string()),
        })?;
        self.format.show(&whole, self.out.as_deref())?;
        Ok(exit(&whole))
    }
}

fn read(path: &Path) -> Result<Verification, Failure> {
    let bytes = read_bounded(path, PART_BYTES)?;
    serde_json::from_slice(&bytes).map_err(|error| {
        Failure::Usage(format!(
            "{}: is no part of a verification: {error}. `accredit verify --partition hash:K/N --out FILE` writes one",
            path.display()
        ))
    })
}
