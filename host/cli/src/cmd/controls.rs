//! `accredit controls`: look at control sets.

use std::path::PathBuf;

use accredit_core::control::set::Kind;
use clap::ValueEnum;

use super::Format;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{read, render, terminal};

/// Look at control sets
#[derive(Debug, clap::Subcommand)]
pub(super) enum Args {
    /// Say everything that is wrong with a control set
    Lint {
        /// The folder of the control set
        dir: PathBuf,
        /// How to show it
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
    },
    /// Print the JSON Schema of the files that people write
    Schema {
        /// Of which file
        #[arg(value_enum, default_value_t = File::Control)]
        file: File,
    },
}

/// The files a schema is published for.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum File {
    /// One control: a `[[control]]` table, or a line of JSON
    Control,
    /// set.toml
    Set,
    /// A line of a real-output file
    RealOutput,
    /// The header line that a real-output file may begin with
    RealOutputHeader,
    /// A case, for `accredit run --case`
    Case,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        match self {
            Self::Lint { dir, format } => {
                let (set, warnings) = match (read::control_set(&dir), format) {
                    (Err(faults), Format::Json) => {
                        terminal::print_data(&render::json::lint(&faults.faults))?;
                        return Ok(Exit::BadInput);
                    }
                    (read, _) => read?,
                };
                match format {
                    Format::Human => terminal::print(&render::human::lint(&dir, &set, &warnings))?,
                    Format::Json => terminal::print_data(&render::json::lint(&warnings))?,
                }
                Ok(Exit::Met)
            }
            Self::Schema { file } => {
                let schema = match file {
                    File::Control => read::control_schema(),
                    File::Set => read::header_schema(),
                    File::RealOutput => read::real_output_schema(),
                    File::RealOutputHeader => read::real_output_header_schema(),
                    File::Case => read::case_schema(),
                };
                terminal::print_data(&format!("{schema:#}\n"))?;
                Ok(Exit::Met)
            }
        }
    }
}

/// How many controls of a kind there are, in the order of reports.
pub(crate) fn counts(controls: &[accredit_core::control::set::Control]) -> Vec<(Kind, usize)> {
    let count = |kind| controls.iter().filter(|control| control.kind == kind).count();
    Kind::ALL.into_iter().map(|kind| (kind, count(kind))).filter(|(_, count)| *count > 0).collect()
}
