//! `accredit ledger`: look at ledgers, check them, and link them anew after a merge.

mod conflict;
mod note;
mod reference;
mod whole;

use std::path::{Path, PathBuf};

use accredit_core::id::GraderName;
use accredit_core::ledger::{Book, Chain};

use super::{Format, RegisterArg};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::{human, json, words::counted};
use crate::store::{Register, Writing};
use crate::terminal;
use reference::Reference;

/// Look at ledgers, check them, and link them anew after a merge
#[derive(Debug, clap::Subcommand)]
pub(super) enum Args {
    /// Show a grader's ledger, an entry a line
    ///
    /// Signatures are shown by the key that they say they are of. None is checked here: `accredit status` does.
    Show {
        /// The grader
        name: GraderName,
        /// Its book of routine verifications instead
        #[arg(long)]
        verified: bool,
        /// How to show it
        #[arg(long, value_enum, default_value_t = Format::Human)]
        format: Format,
        #[command(flatten)]
        register: RegisterArg,
    },
    /// Check that ledgers are whole, and that they extend those of a reference
    ///
    /// A ledger only grows, so CI requires that it extends the one of the base branch:
    ///
    ///   git show origin/main:.accredit/ledger/NAME.jsonl > base.jsonl
    ///   accredit ledger check NAME --extends base.jsonl
    ///
    /// With the base branch checked out beside it, all at once: `accredit ledger check --extends ../base`.
    ///
    /// Exit 0: every ledger is whole. 3: there is none. 5: one is damaged, was cut, or does not
    /// extend the reference.
    #[command(verbatim_doc_comment)]
    Check {
        /// The graders whose ledgers are checked [default: all]
        names: Vec<GraderName>,
        /// What they must extend: a ledger's file, or a folder with a register or ledgers in it
        #[arg(long, value_name = "REF")]
        extends: Option<PathBuf>,
        #[command(flatten)]
        register: RegisterArg,
    },
    /// Append a remark, which may correct an earlier entry
    Note(note::Args),
    /// Link our entries behind those of another branch's ledger, after a merge
    ///
    /// Also where git left marks of a conflict in the file: both sides are put together.
    /// Payloads, times and signatures stay as they are; an entry that both have is kept once.
    ///
    ///   git show origin/main:.accredit/ledger/NAME.jsonl > base.jsonl
    ///   accredit ledger rebase NAME --onto base.jsonl
    ///   git add .accredit/ledger
    #[command(verbatim_doc_comment)]
    Rebase {
        /// The grader
        name: GraderName,
        /// The other branch's ledger
        #[arg(long, value_name = "FILE")]
        onto: PathBuf,
        #[command(flatten)]
        register: RegisterArg,
    },
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        match self {
            Self::Show { name, verified, format, register } => {
                let book = if verified { Book::Verified } else { Book::Main };
                show(&register.open()?, &name, book, format)
            }
            Self::Check { names, extends, register } => {
                let reference = extends.map(|path| Reference::read(&path, &names)).transpose()?;
                whole::check(&register.open()?, &names, reference.as_ref())
            }
            Self::Note(args) => args.run(),
            Self::Rebase { name, onto, register } => {
                rebase(register.open_for_writing()?, &name, &onto)
            }
        }
    }
}

fn show(
    register: &Register,
    name: &GraderName,
    book: Book,
    format: Format,
) -> Result<Exit, Failure> {
    let file = register.ledger(name, book)?;
    let chain = file.read()?.chain;
    if chain.is_empty() && !register.ledgers()?.contains(&(name.clone(), book)) {
        return Err(absent(register, name)?);
    }
    match format {
        Format::Human => terminal::print(&human::ledger(&chain))?,
        Format::Json => terminal::print_data(&json::ledger(&chain))?,
    }
    Ok(Exit::Met)
}

/// There is no ledger of this name; those that there are.
fn absent(register: &Register, name: &GraderName) -> Result<Failure, Failure> {
    let mut known: Vec<_> = register.ledgers()?.iter().map(|(it, _)| format!("`{it}`")).collect();
    known.dedup();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Ok(Failure::Usage(format!(
        "there is no such ledger of `{name}`. Graders with a ledger: {known}"
    )))
}

fn rebase(mut writing: Writing, name: &GraderName, onto: &Path) -> Result<Exit, Failure> {
    let base = reference::file(onto, name)?;
    let file = writing.ledger(name, base.book())?;
    let (was, sides) = conflict::sides(&file, name, base.book())?;
    let mut chain = base.clone();
    let (mut relinked, mut dropped) = (0, 0);
    for side in &sides {
        let rebased = Chain::rebase(&chain, side);
        let rebased = rebased.map_err(|error| Failure::Usage(format!("{file}: {error}")))?;
        relinked += rebased.relinked;
        dropped += rebased.dropped;
        chain = rebased.chain;
    }
    let shown = onto.display();
    if was == Some(chain.last()) {
        let entries = counted(chain.len(), "entry");
        terminal::print(&format!("{file}: nothing to do: its {entries} extend {shown}\n"))?;
        return Ok(Exit::Met);
    }
    let behind = counted(base.len(), "entry");
    let last = chain.len();
    writing.replace(was.unwrap_or(base.last()), chain)?;
    let (anew, held) = (counted(relinked, "entry"), counted(dropped, "entry"));
    terminal::print(&human::plain(&format!(
        "{file}: {anew} linked anew behind the {behind} of {shown}, {held} that both have kept once; the last is entry {last}"
    )))?;
    Ok(Exit::Met)
}
