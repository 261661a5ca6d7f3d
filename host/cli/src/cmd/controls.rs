//! `accredit controls`: look at control sets.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use accredit_core::control::family;
use accredit_core::control::held_out::{Salt, commitments, committed};
use accredit_core::control::set::Kind;
use clap::ValueEnum;

use super::Format;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{asked, read, render, terminal};

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
    /// Promise held-out controls in an open set, without showing them
    ///
    /// Prints the table that goes into the set.toml of the open set: one salted digest for each control of the
    /// held-out set DIR. Where DIR has no salt yet, a fresh one is proposed instead.
    Commit {
        /// The folder of the held-out set
        dir: PathBuf,
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
            Self::Commit { dir } => commit(&dir),
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

/// Prints the commitments of a held-out set.
fn commit(dir: &Path) -> Result<Exit, Failure> {
    let mut set = asked::set(dir, true)?;
    family::merge(&mut set.controls);
    let Some(salt) = &set.header.salt else {
        let proposed = fresh_salt()?;
        return Err(Failure::Usage(format!(
            "{}/set.toml: the held-out set has no salt. Add this line before its first table, keep it as secret as the set, and run the command again:\nsalt = \"{}\"",
            dir.display(),
            proposed.as_str()
        )));
    };
    let commitments = commitments(set.controls.iter().map(committed), salt);
    let lines: String = commitments.iter().map(|it| format!("    \"{it}\",\n")).collect();
    terminal::print_data(&format!("[held_out]\ncommitments = [\n{lines}]\n"))?;
    Ok(Exit::Met)
}

/// 256 bits from the operating system.
fn fresh_salt() -> Result<Salt, Failure> {
    let mut bytes = [0; 32];
    let path = Path::new("/dev/urandom");
    let fail = |error| Failure::unreadable(path, error);
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut bytes)).map_err(fail)?;
    Ok(Salt::of(bytes))
}

/// How many controls of a kind there are, in the order of reports.
pub(crate) fn counts(controls: &[accredit_core::control::set::Control]) -> Vec<(Kind, usize)> {
    let count = |kind| controls.iter().filter(|control| control.kind == kind).count();
    Kind::ALL.into_iter().map(|kind| (kind, count(kind))).filter(|(_, count)| *count > 0).collect()
}
