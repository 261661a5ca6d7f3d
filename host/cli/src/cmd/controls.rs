//! `accredit controls`: look at control sets, and keep failures found in use in them.

mod add;

use std::path::{Path, PathBuf};

use accredit_core::control::family;
use accredit_core::control::held_out::{Commitments, Salt};
use accredit_core::control::lint::SET_FILE;
use accredit_core::control::set::{Kind, SetHeader};
use accredit_core::run::promise::commitments_of;
use clap::ValueEnum;

use super::Format;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, Readers};
use crate::render::words::counted;
use crate::{asked, random, read, render, terminal};

/// Look at control sets, and keep failures found in use
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
    /// Keep a wrong verdict in use as a regression control
    ///
    /// Appends a control to regression.toml; nothing that stands there is changed. Where the same case is a control
    /// already, nothing is added, and with --register it counts as the failure seen once more.
    ///
    /// With --register and --name all regression controls are run at once, on the component in use. Exit 0: every
    /// one is right, and the grader keeps its authority once a verifier signed for it (--key). 1: one is wrong, and the
    /// grader is advisory. `accredit failures` shows what became of it.
    Add(Box<add::Args>),
    /// Promise held-out controls in an open set, without showing them
    ///
    /// Prints the table that goes into the set.toml of the open set: one salted digest for each control of the
    /// held-out set DIR. Where DIR has no salt yet, a fresh one is proposed instead.
    Commit {
        /// The folder of the held-out set
        dir: PathBuf,
        /// Write the table into the set.toml of this open set, in the place of the one that stands there
        #[arg(long, value_name = "DIR")]
        into: Option<PathBuf>,
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
    /// A run record of a system under test, for `accredit gate --runs`
    RunRecord,
    /// The inventory beside run records
    Inventory,
    /// A reader's profile, for `accredit gate --profile`
    Profile,
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
            Self::Add(args) => args.run(),
            Self::Commit { dir, into } => commit(&dir, into.as_deref()),
            Self::Schema { file } => {
                let schema = match file {
                    File::Control => read::control_schema(),
                    File::Set => read::header_schema(),
                    File::RealOutput => read::real_output_schema(),
                    File::RealOutputHeader => read::real_output_header_schema(),
                    File::Case => read::case_schema(),
                    File::RunRecord => read::run_record_schema(),
                    File::Inventory => read::inventory_schema(),
                    File::Profile => read::profile_schema(),
                };
                terminal::print_data(&format!("{schema:#}\n"))?;
                Ok(Exit::Met)
            }
        }
    }
}

/// Prints the commitments of a held-out set, or writes them into an open one.
fn commit(dir: &Path, into: Option<&Path>) -> Result<Exit, Failure> {
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
    let commitments = commitments_of(&set.controls, &set.header.transforms, salt);
    let lines: String = commitments.iter().map(|it| format!("    \"{it}\",\n")).collect();
    let table = format!("[held_out]\ncommitments = [\n{lines}]\n");
    match into {
        None => terminal::print_data(&table)?,
        Some(open) => {
            let count = counted(commitments.len() as u64, "control");
            let path = write_promise(open, &table, Commitments { commitments })?;
            terminal::note(&format!("{}: promises {count} of {}", path.display(), dir.display()));
        }
    }
    Ok(Exit::Met)
}

/// Writes the table into the set.toml of an open set, once it is clear that nothing else of the set changes.
fn write_promise(open: &Path, table: &str, promise: Commitments) -> Result<PathBuf, Failure> {
    let before = asked::set(open, true)?;
    let path = open.join(SET_FILE);
    let shown = path.display();
    if before.header.salt.is_some() {
        return Err(Failure::Usage(format!(
            "{shown}: has a `salt`, and the set that promises held-out controls never holds one: give --into the open set"
        )));
    }
    let mut files = read::control_files(open)?;
    let old = files.get(SET_FILE).map_or_else(String::new, |it| String::from_utf8_lossy(it).into());
    let new = promising(&old, table);
    files.insert(SET_FILE.to_owned(), new.clone().into_bytes());
    let wanted = SetHeader { held_out: Some(promise), ..before.header };
    if !read::control_set_of(&files).is_ok_and(|(after, _)| after.header == wanted) {
        return Err(Failure::Usage(format!(
            "{shown}: the promise that stands there cannot be told from the rest of the file. Nothing was written: put in by hand what `accredit controls commit` prints without --into"
        )));
    }
    output::write(&path, new.as_bytes(), Readers::Umask)?;
    Ok(path)
}

/// The text of a set.toml with this `[held_out]` table at its end, in the place of any other.
fn promising(text: &str, table: &str) -> String {
    let mut kept = String::new();
    // Comments at the end of the old table belong to the next one.
    let (mut within, mut comments) = (false, String::new());
    for line in text.split_inclusive('\n') {
        let begins = line.trim_start().strip_prefix('[');
        if let Some(name) = begins.and_then(|rest| rest.split(']').next()) {
            within = name.trim() == "held_out";
        }
        match line.trim_start() {
            _ if !within => kept.push_str(&(std::mem::take(&mut comments) + line)),
            blank if blank.is_empty() || blank.starts_with('#') => comments.push_str(line),
            _ => comments.clear(),
        }
    }
    if !kept.is_empty() && !kept.ends_with('\n') {
        kept.push('\n');
    }
    if !kept.is_empty() && !kept.ends_with("\n\n") {
        kept.push('\n');
    }
    kept + table
}

/// 256 bits from the operating system.
fn fresh_salt() -> Result<Salt, Failure> {
    random::bytes().map(Salt::of)
}

/// How many controls of a kind there are, in the order of reports.
pub(crate) fn counts(controls: &[accredit_core::control::set::Control]) -> Vec<(Kind, usize)> {
    let count = |kind| controls.iter().filter(|control| control.kind == kind).count();
    Kind::ALL.into_iter().map(|kind| (kind, count(kind))).filter(|(_, count)| *count > 0).collect()
}
