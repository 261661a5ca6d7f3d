//! A ledger's two files: its lines and its head.
//!
//! An entry is written in this order: its line, forced to the disk; then the head. A reader reads in the other
//! order, so that a head never speaks of lines that were not there yet. Only while a whole ledger is replaced
//! can the two seem not to fit; then it reads again.

use std::fs::{File, Metadata, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use accredit_core::id::GraderName;
use accredit_core::ledger::{Book, Chain, Damage, Head, Last, Next, Reading};

use super::{atomic, guarded, place};
use crate::failure::Failure;
use crate::record::folder_of;

pub(super) const LINES: &str = ".jsonl";
pub(super) const HEAD: &str = ".head";
pub(super) const VERIFIED: &str = ".verified";

/// No ledger is larger.
pub(crate) const LARGEST: u64 = 1 << 30;
/// Nor a head: one in conflict holds two or three.
const HEAD_BYTES: u64 = 1 << 14;
/// How often files that do not fit are read again while somebody writes them.
const ATTEMPTS: usize = 50;

/// A ledger's files.
#[derive(Debug, Clone)]
pub struct LedgerFile {
    grader: GraderName,
    book: Book,
    folder: PathBuf,
    lines: PathBuf,
    head: PathBuf,
}

/// What tells one state of the two files from another: their places on the disk, sizes and times.
type Stamp = [Option<(u64, u64, i64, i64)>; 2];

impl LedgerFile {
    pub(super) fn of(register: &Path, grader: &GraderName, book: Book) -> Result<Self, Failure> {
        if grader.as_str().ends_with(VERIFIED) {
            return Err(Failure::Usage(format!(
                "`{grader}` cannot have a ledger: its file would be that of another grader's verifications. Choose a name that does not end in `{VERIFIED}`"
            )));
        }
        let folder = register.join(place::LEDGER);
        let stem = match book {
            Book::Main => grader.to_string(),
            Book::Verified => format!("{grader}{VERIFIED}"),
        };
        let (lines, head) = (format!("{stem}{LINES}"), format!("{stem}{HEAD}"));
        let (lines, head) = (folder.join(lines), folder.join(head));
        Ok(Self { grader: grader.clone(), book, folder, lines, head })
    }

    /// The file of its lines.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.lines
    }

    /// Reads the ledger. What a writer at work, or one that was stopped, has not acknowledged is in the tail.
    ///
    /// # Errors
    /// When it is damaged, when others can write it, or when it cannot be read.
    pub fn read(&self) -> Result<Reading, Failure> {
        let mut attempt = 1;
        loop {
            let before = self.stamp()?;
            let Files { lines, head } = self.files()?;
            match Chain::read(self.grader.clone(), self.book, lines, head.as_deref()) {
                Ok(reading) => return Ok(reading),
                Err(damage) if attempt == ATTEMPTS || self.stamp()? == before => {
                    return Err(self.damaged(&damage, head.as_deref()));
                }
                Err(_) => attempt += 1,
            }
        }
    }

    /// What stands in the two files. The head is read first.
    pub(crate) fn files(&self) -> Result<Files, Failure> {
        if !guarded::folder(&self.folder)? {
            return Ok(Files::default());
        }
        let head = guarded::read(&self.head, HEAD_BYTES)?;
        let lines = guarded::read(&self.lines, LARGEST)?.unwrap_or_default();
        Ok(Files { lines, head })
    }

    fn stamp(&self) -> Result<Stamp, Failure> {
        let [lines, head] = [guarded::look(&self.lines)?, guarded::look(&self.head)?];
        let of = |found: Metadata| (found.ino(), found.len(), found.mtime(), found.mtime_nsec());
        Ok([lines.map(of), head.map(of)])
    }

    fn damaged(&self, damage: &Damage, head: Option<&[u8]>) -> Failure {
        if head.is_some_and(|head| head.starts_with(b"<<<<<<<")) {
            return Failure::Integrity(format!(
                "{self}: a merge was not completed: the head holds the marks of a conflict. Link both sides into one chain with `accredit ledger rebase`"
            ));
        }
        Failure::Integrity(format!("{self}: {damage}"))
    }

    /// Whether the files still are what was read or written last.
    pub(super) fn holds(&self, chain: &Chain) -> Result<bool, Failure> {
        let size = guarded::file(&self.lines)?.map_or(0, |found| found.len());
        let head = guarded::read(&self.head, HEAD_BYTES)?;
        let fits = match head {
            Some(head) => head == chain.head().to_line().as_bytes(),
            None => chain.is_empty(),
        };
        Ok(fits && size == chain.text().len() as u64)
    }

    /// Writes the head.
    pub(super) fn acknowledge(&self, head: &Head) -> Result<(), Failure> {
        atomic::write(&self.head, head.to_line().as_bytes())
    }

    /// Cuts off what follows the lines of this chain.
    pub(super) fn cut(&self, chain: &Chain) -> Result<(), Failure> {
        let file = OpenOptions::new().write(true).open(&self.lines);
        let cut = file.and_then(|file| {
            file.set_len(chain.text().len() as u64)?;
            file.sync_all()
        });
        cut.map_err(|error| Failure::unwritable(&self.lines, error, atomic::UNTOUCHED))
    }

    /// Appends an entry to the chain that stands in the files, and acknowledges it. The lock is held.
    pub(super) fn append(&self, chain: &Chain, next: &Next) -> Result<(), Failure> {
        atomic::make_folder(&self.folder)?;
        let new = guarded::file(&self.lines)?.is_none();
        if guarded::file(&self.head)?.is_none() {
            // A ledger with bytes in it has a head from before its first entry on.
            self.acknowledge(&chain.head())?;
        }
        let fail = |error| Failure::unwritable(&self.lines, error, "The entry was not written");
        let open = OpenOptions::new().append(true).create(true).mode(0o644).open(&self.lines);
        let mut file = open.map_err(fail)?;
        if new {
            atomic::sync_folder(folder_of(&self.lines)).map_err(fail)?;
        }
        let safe = file.write_all(next.line.as_bytes()).and_then(|()| file.sync_all());
        if let Err(error) = safe {
            return Err(self.take_back(&file, chain, &self.lines, error));
        }
        let placed = atomic::prepare(&self.head, next.head.to_line().as_bytes())
            .and_then(|head| head.persist(&self.head).map_err(|error| error.error));
        if let Err(error) = placed {
            return Err(self.take_back(&file, chain, &self.head, error));
        }
        // From here on the entry counts.
        atomic::settled(&self.head)
    }

    /// After a failed append: the ledger is what it was. Where that fails too, the next writer mends it.
    fn take_back(
        &self,
        file: &File,
        chain: &Chain,
        failed: &Path,
        error: std::io::Error,
    ) -> Failure {
        let cut = file.set_len(chain.text().len() as u64).and_then(|()| file.sync_all());
        let kept = match cut {
            Ok(()) => "The entry was not written, and the ledger is what it was",
            Err(_) => {
                "A part of the entry may be left: the next command that writes here takes it away, or the whole entry in"
            }
        };
        Failure::unwritable(failed, error, kept)
    }

    /// Puts another chain in the place of the ledger that ends like this.
    pub(super) fn replace(&self, was: Last, chain: &Chain) -> Result<(), Failure> {
        atomic::make_folder(&self.folder)?;
        self.acknowledge(&Head { replaces: Some(was), ..chain.head() })?;
        atomic::write(&self.lines, chain.text().as_bytes())?;
        self.acknowledge(&chain.head())
    }
}

impl std::fmt::Display for LedgerFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.book {
            Book::Main => write!(f, "ledger of `{}`", self.grader),
            Book::Verified => write!(f, "ledger of `{}` (verifications)", self.grader),
        }
    }
}

/// What stands in a ledger's files.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// The lines; none where there is no file.
    pub(crate) lines: Vec<u8>,
    /// The head; absent where there is no file.
    pub(crate) head: Option<Vec<u8>>,
}
