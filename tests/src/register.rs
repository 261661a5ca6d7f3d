//! Registers made for a test, and entries for their ledgers.

use std::fs;
use std::path::{Path, PathBuf};

use accredit::store::{Register, Writing};
use accredit_core::id::GraderName;
use accredit_core::ledger::{Book, Chain, Entry, Moment, Noted, Payload, Reading, V1};
use accredit_core::untrusted::Untrusted;
use tempfile::TempDir;

use crate::bench::Run;

/// A repository with an empty register.
pub struct Made {
    folder: TempDir,
}

impl Default for Made {
    fn default() -> Self {
        Self::new()
    }
}

impl Made {
    /// In memory where there is such a folder: what is forced to the disk takes no time there.
    ///
    /// # Panics
    /// When none can be made.
    #[must_use]
    pub fn new() -> Self {
        let memory = Path::new("/dev/shm");
        let folder = tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir());
        let made = Self { folder: folder.expect("a folder") };
        drop(Writing::make(made.path()).expect("a register"));
        made
    }

    /// The same with so many entries in the ledger of [`grader`].
    ///
    /// # Panics
    /// When they cannot be written.
    #[must_use]
    pub fn with(entries: usize) -> Self {
        let made = Self::new();
        made.extend((0..entries).map(|number| format!("remark {number}")));
        made
    }

    /// The repository.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A path in the register.
    #[must_use]
    pub fn at(&self, name: &str) -> PathBuf {
        self.path().join(".accredit").join(name)
    }

    /// The ledger's lines.
    #[must_use]
    pub fn lines(&self) -> PathBuf {
        self.at("ledger/g.jsonl")
    }

    /// The ledger's head.
    #[must_use]
    pub fn head(&self) -> PathBuf {
        self.at("ledger/g.head")
    }

    /// The register, for writing.
    ///
    /// # Panics
    /// When it cannot be opened.
    #[must_use]
    pub fn writing(&self) -> Writing {
        Writing::open(self.path()).expect("the register opens")
    }

    /// Appends remarks.
    ///
    /// # Panics
    /// When they cannot be written.
    pub fn extend(&self, texts: impl IntoIterator<Item = impl AsRef<str>>) {
        let mut writing = self.writing();
        for text in texts {
            writing.append(&noted(text.as_ref()), &[], at(0)).expect("an entry");
        }
    }

    /// Reads the ledger of [`grader`].
    ///
    /// # Errors
    /// What stands in the way, as a user is told.
    pub fn read(&self) -> Result<Reading, String> {
        let register = Register::open(self.path()).map_err(|error| error.to_string())?;
        let file = register.ledger(&grader(), Book::Main).map_err(|error| error.to_string())?;
        file.read().map_err(|error| error.to_string())
    }

    /// Every remark in the ledger.
    ///
    /// # Panics
    /// When it is damaged.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        remarks(&self.read().expect("a sound ledger").chain)
    }

    /// Writes to the end of a file, as a stopped command may leave it.
    ///
    /// # Panics
    /// When it cannot be.
    pub fn add(&self, path: &Path, bytes: &[u8]) {
        let all = [fs::read(path).unwrap_or_default().as_slice(), bytes].concat();
        fs::write(path, all).expect("written");
    }

    /// Runs accredit in the repository.
    ///
    /// # Panics
    /// When it does not start, or ends by a signal.
    #[must_use]
    pub fn run(&self, args: &[&str]) -> Run {
        let mut command = std::process::Command::new(crate::accredit());
        command.args(args).current_dir(self.path()).env_clear();
        Run::of(command)
    }
}

/// Whose ledger tests write.
///
/// # Panics
/// Never.
#[must_use]
pub fn grader() -> GraderName {
    "g".parse().expect("an id")
}

/// So many seconds after a moment.
///
/// # Panics
/// When that is after the year 9999.
#[must_use]
pub fn at(seconds: i64) -> Moment {
    Moment::from_seconds(1_796_076_000 + seconds).expect("a moment")
}

/// The payload of a remark.
#[must_use]
pub fn noted(text: &str) -> String {
    let (v, grader, text) = (V1, grader(), Untrusted::new(text));
    Payload::Noted(Noted { v, grader, at: at(0), text, corrects: None, lifts: None, failure: None })
        .to_json()
}

/// The remarks of a ledger.
#[must_use]
pub fn remarks(chain: &Chain) -> Vec<String> {
    let remark = |entry: Entry<'_>| match entry.payload() {
        Payload::Noted(noted) => Some(noted.text.raw().to_owned()),
        _ => None,
    };
    chain.entries().filter_map(remark).collect()
}
