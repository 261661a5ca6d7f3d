//! A register as readers see it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use accredit_core::id::GraderName;
use accredit_core::ledger::Book;

use super::atomic::TEMPORARY;
use super::ledger_file::{HEAD, LINES, LedgerFile, VERIFIED};
use super::objects::Objects;
use super::{guarded, place};
use crate::failure::Failure;

/// The format that is written, and the only one that is read.
pub(super) const FORMAT: &str = "format = 1\n";

/// What the format's file is at most.
const FORMAT_BYTES: u64 = 1 << 12;

/// A register: the folder `.accredit` of a repository. Reading it takes no lock and writes nothing.
#[derive(Debug, Clone)]
pub struct Register {
    repository: PathBuf,
    folder: PathBuf,
}

impl Register {
    /// The register of this repository: of this folder, not of one above it.
    ///
    /// # Errors
    /// When there is none, others can write it, or its format is not known.
    pub fn open(repository: &Path) -> Result<Self, Failure> {
        let register = Self::at(repository);
        if !guarded::folder(&register.folder)? {
            return Err(Failure::Usage(format!(
                "{}: there is no register here. Make one with `accredit init`, or name the folder that it stands in with --register",
                register.folder.display()
            )));
        }
        register.known()?;
        Ok(register)
    }

    /// Where a register stands or would.
    pub(super) fn at(repository: &Path) -> Self {
        Self { repository: repository.to_owned(), folder: repository.join(place::REGISTER) }
    }

    /// Whether the format is the one that this version reads.
    fn known(&self) -> Result<(), Failure> {
        #[derive(serde::Deserialize)]
        struct Format {
            format: u64,
        }
        let path = self.folder.join(place::FORMAT);
        let shown = path.display();
        let Some(bytes) = self.read(place::FORMAT, FORMAT_BYTES)? else {
            return Err(Failure::Integrity(format!(
                "{shown}: is missing. Restore it from version control, or run `accredit init` where there never was a register"
            )));
        };
        let text = String::from_utf8_lossy(&bytes);
        match toml::from_str::<Format>(&text) {
            Ok(Format { format: 1 }) => Ok(()),
            Ok(Format { format }) => Err(Failure::Integrity(format!(
                "{shown}: the register is of format {format}, and this version of accredit reads format 1: use a newer one"
            ))),
            Err(error) => Err(Failure::Integrity(format!(
                "{shown}: does not say of which format the register is: {}. Restore it from version control",
                error.message()
            ))),
        }
    }

    /// The repository's root: paths in graders' files begin here, and so does the policy's.
    #[must_use]
    pub fn repository(&self) -> &Path {
        &self.repository
    }

    /// The folder `.accredit`.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What stands at this path in the folder, if anything does.
    ///
    /// # Errors
    /// When others can write it or a folder above it, when it is no file or larger than so many bytes, or cannot
    /// be read.
    pub fn read(&self, relative: impl AsRef<Path>, limit: u64) -> Result<Option<Vec<u8>>, Failure> {
        let relative = relative.as_ref();
        let path = self.inside(relative)?;
        if self.is_reachable(relative)? { guarded::read(&path, limit) } else { Ok(None) }
    }

    /// The names of what stands in a folder of the register, in order. None where there is no such folder.
    ///
    /// # Errors
    /// When others can write it or a folder above it, or it cannot be read.
    pub fn names(&self, relative: impl AsRef<Path>) -> Result<Vec<String>, Failure> {
        let relative = relative.as_ref();
        let path = self.inside(relative)?;
        if self.is_reachable(relative)? { entries(&path) } else { Ok(Vec::new()) }
    }

    /// Whether the folders above this path are there, and only ours.
    fn is_reachable(&self, relative: &Path) -> Result<bool, Failure> {
        for folder in self.above(relative) {
            if !guarded::folder(&folder)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The path in the register's folder, and nowhere else.
    pub(super) fn inside(&self, relative: &Path) -> Result<PathBuf, Failure> {
        if relative.components().all(|part| matches!(part, Component::Normal(_))) {
            return Ok(self.folder.join(relative));
        }
        let path = relative.display();
        Err(Failure::Usage(format!("{path}: is no path in a register")))
    }

    /// The folders above this path, the register's own first.
    pub(super) fn above(&self, relative: &Path) -> Vec<PathBuf> {
        let within = relative.ancestors().skip(1).filter(|it| !it.as_os_str().is_empty());
        let mut above: Vec<_> = within.map(|folder| self.folder.join(folder)).collect();
        above.push(self.folder.clone());
        above.reverse();
        above
    }

    /// The names of all graders that have a file or a ledger here.
    ///
    /// # Errors
    /// When a folder cannot be read, or others can write it.
    pub fn graders(&self) -> Result<BTreeSet<GraderName>, Failure> {
        let files = self.names(place::GRADERS)?;
        let of_files = files.iter().filter_map(|name| name.strip_suffix(".toml")?.parse().ok());
        let of_ledgers = self.ledgers()?.into_iter().map(|(grader, _)| grader);
        Ok(of_files.chain(of_ledgers).collect())
    }

    /// Every ledger of which there is a file or a head.
    ///
    /// # Errors
    /// When the folder cannot be read, or others can write it.
    pub fn ledgers(&self) -> Result<BTreeSet<(GraderName, Book)>, Failure> {
        Ok(self.names(place::LEDGER)?.iter().filter_map(|name| ledger_of(name)).collect())
    }

    /// A ledger's files, whether or not they are there.
    ///
    /// # Errors
    /// When the name cannot be that of a ledger.
    pub fn ledger(&self, grader: &GraderName, book: Book) -> Result<LedgerFile, Failure> {
        LedgerFile::of(&self.folder, grader, book)
    }

    /// What is kept under its digest.
    #[must_use]
    pub fn objects(&self) -> Objects {
        Objects::of(&self.folder)
    }
}

/// Whose ledger a file of this name is, or the head of whose.
pub(crate) fn ledger_of(name: &str) -> Option<(GraderName, Book)> {
    let stem = name.strip_suffix(LINES).or_else(|| name.strip_suffix(HEAD))?;
    match stem.strip_suffix(VERIFIED) {
        Some(grader) => Some((grader.parse().ok()?, Book::Verified)),
        None => Some((stem.parse().ok()?, Book::Main)),
    }
}

/// The names in a folder, in order, without those of files that are not in their place yet. None where there is
/// no such folder.
pub(super) fn entries(folder: &Path) -> Result<Vec<String>, Failure> {
    if !guarded::folder(folder)? {
        return Ok(Vec::new());
    }
    let fail = |error| Failure::unreadable(folder, error);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        // A name that is not UTF-8 is none of ours.
        if let Ok(name) = entry.map_err(fail)?.file_name().into_string()
            && !name.starts_with(TEMPORARY)
        {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_ledgers() {
        let table = [
            ("a.jsonl", Some(("a", Book::Main))),
            ("a.head", Some(("a", Book::Main))),
            ("a.verified.jsonl", Some(("a", Book::Verified))),
            ("a.verified.head", Some(("a", Book::Verified))),
            ("a.b.jsonl", Some(("a.b", Book::Main))),
            ("verified.jsonl", Some(("verified", Book::Main))),
            (".verified.jsonl", None),
            ("A.jsonl", None),
            ("a.jsonl.orig", None),
            (".tmp-x", None),
            ("a", None),
        ];
        for (name, expected) in table {
            let expected = expected.map(|(grader, book)| (grader.parse().expect("an id"), book));
            assert_eq!(ledger_of(name), expected, "{name}");
        }
    }
}
