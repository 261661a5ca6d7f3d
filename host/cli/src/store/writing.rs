//! A register that is written: by one process at a time.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Place;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::ops::Deref;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use accredit_core::id::{Digest, GraderName};
use accredit_core::ledger::{Book, Chain, Last, Moment, Payload, Reading, Replacement};

use super::atomic::{self, TEMPORARY};
use super::ledger_file::LedgerFile;
use super::register::{FORMAT, Register};
use super::{guarded, place};
use crate::failure::Failure;
use crate::terminal;

/// What git is to leave alone: they are of one machine and one moment.
const IGNORED: &str = "/lock\n.tmp-*\n";

/// A register and its lock, which is held as long as this value lives.
#[derive(Debug)]
pub struct Writing {
    register: Register,
    /// The ledgers as they were read or written last.
    chains: BTreeMap<(GraderName, Book), Chain>,
    /// Closing it gives the lock back.
    _lock: File,
}

impl Deref for Writing {
    type Target = Register;
    fn deref(&self) -> &Register {
        &self.register
    }
}

impl Writing {
    /// Opens the register of this repository for writing, once nobody else writes it. What stopped commands
    /// left behind is mended, and told on stderr.
    ///
    /// # Errors
    /// When there is no register, others can write it, its format is not known, or we may not write it.
    pub fn open(repository: &Path) -> Result<Self, Failure> {
        let register = Register::open(repository)?;
        let lock = lock(&register)?;
        let mut writing = Self { register, chains: BTreeMap::new(), _lock: lock };
        writing.sweep()?;
        writing.recover()?;
        Ok(writing)
    }

    /// Makes a register in this repository.
    ///
    /// # Errors
    /// When there is one already, or it cannot be made.
    pub fn make(repository: &Path) -> Result<Self, Failure> {
        let register = Register::at(repository);
        atomic::make_folder(register.folder())?;
        let lock = lock(&register)?;
        let format = register.folder().join(place::FORMAT);
        if guarded::look(&format)?.is_some() {
            return Err(Failure::Usage(format!(
                "{}: there is a register already, and it is left as it is",
                register.folder().display()
            )));
        }
        let writing = Self { register, chains: BTreeMap::new(), _lock: lock };
        writing.write(".gitignore", IGNORED.as_bytes())?;
        writing.write_new(place::FORMAT, FORMAT.as_bytes())?;
        Ok(writing)
    }

    /// Puts a file at this path in the folder, whatever stood there; the folders above it are made.
    ///
    /// # Errors
    /// When it cannot be written. What stood there is untouched then.
    pub fn write(&self, relative: impl AsRef<Path>, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.place(relative.as_ref())?;
        atomic::write(&path, bytes)
    }

    /// The same where nothing stands yet.
    ///
    /// # Errors
    /// When something does, or it cannot be written.
    pub fn write_new(&self, relative: impl AsRef<Path>, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.place(relative.as_ref())?;
        atomic::write_new(&path, bytes)
    }

    /// Takes a file away, if it is there.
    ///
    /// # Errors
    /// When it cannot be.
    pub fn remove(&self, relative: impl AsRef<Path>) -> Result<(), Failure> {
        let path = self.inside(relative.as_ref())?;
        match guarded::look(&path)? {
            None => Ok(()),
            Some(_) => fs::remove_file(&path)
                .map_err(|error| Failure::unwritable(&path, error, "It is still there")),
        }
    }

    /// Where a file is to be written: the folders above it are there then.
    fn place(&self, relative: &Path) -> Result<PathBuf, Failure> {
        let path = self.inside(relative)?;
        for folder in self.above(relative) {
            atomic::make_folder(&folder)?;
        }
        Ok(path)
    }

    /// Keeps the bytes under their digest. To keep the same again changes nothing.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn put(&self, bytes: &[u8]) -> Result<Digest, Failure> {
        self.objects().put(bytes)
    }

    /// The same of a file's bytes, which are never all in memory.
    ///
    /// # Errors
    /// When the file cannot be read or kept, or is larger than an object can be.
    pub fn put_file(&self, from: &Path) -> Result<Digest, Failure> {
        self.objects().put_file(from)
    }

    /// Takes an object away that nothing names.
    pub(super) fn discard(&self, digest: Digest) -> Result<(), Failure> {
        self.objects().remove(digest)
    }

    /// The ledger as it is now, every entry acknowledged.
    ///
    /// # Errors
    /// When it is damaged, or cannot be read.
    pub fn chain(&mut self, grader: &GraderName, book: Book) -> Result<&Chain, Failure> {
        let file = self.ledger(grader, book)?;
        Ok(match self.chains.entry((grader.clone(), book)) {
            // Nobody writes it but us, or tools that know of no lock.
            Place::Occupied(mut held) => {
                if !file.holds(held.get())? {
                    held.insert(mended(&file)?);
                }
                held.into_mut()
            }
            Place::Vacant(place) => place.insert(mended(&file)?),
        })
    }

    /// Appends an entry to the ledger that it belongs in by its payload, and returns its number and digest. When
    /// this returns, the entry is on the disk and acknowledged.
    ///
    /// # Errors
    /// When the payload is none, when the ledger is damaged, or when it cannot be written: then it is what it was.
    pub fn append(
        &mut self,
        payload: &str,
        signatures: &[String],
        at: Moment,
    ) -> Result<Last, Failure> {
        let parsed = Payload::parse(payload).map_err(|fault| Failure::Usage(fault.to_string()))?;
        let holds = |book: &Book| book.holds(parsed.kind());
        let book = Book::ALL.into_iter().find(holds).unwrap_or(Book::Main);
        let file = self.ledger(parsed.grader(), book)?;
        let chain = self.chain(parsed.grader(), book)?;
        let refused = |refused| Failure::Usage(format!("{file}: {refused}"));
        let next = chain.next(payload, signatures, at).map_err(refused)?;
        let last = next.head.last();
        file.append(chain, &next)?;
        let key = (parsed.grader().clone(), book);
        if let Some(chain) = self.chains.get_mut(&key) {
            chain.push(next).map_err(refused)?;
        }
        Ok(last)
    }

    /// Puts this chain in the place of the ledger of its grader and book, which ends like this: after a merge,
    /// when entries were linked anew.
    ///
    /// # Errors
    /// When it cannot be written. The next writer then finds the old one or the new one, whole.
    pub fn replace(&mut self, was: Last, chain: Chain) -> Result<(), Failure> {
        self.ledger(chain.grader(), chain.book())?.replace(was, &chain)?;
        self.chains.insert((chain.grader().clone(), chain.book()), chain);
        Ok(())
    }

    /// Takes away the files that stopped commands left beside their places.
    fn sweep(&self) -> Result<(), Failure> {
        let mut swept = 0;
        for folder in
            [".", place::LEDGER, place::OBJECTS, place::GRADERS, place::PENDING, place::GATES]
        {
            swept += sweep(&self.folder().join(folder))?;
        }
        for signed in self.names(place::SIGNATURES)? {
            swept += sweep(&self.folder().join(place::SIGNATURES).join(signed))?;
        }
        if swept > 0 {
            let plural = if swept == 1 { "file was" } else { "files were" };
            terminal::note(&format!(
                "{}: {swept} {plural} left half written by a command that was stopped, and taken away",
                self.folder().display()
            ));
        }
        Ok(())
    }

    /// Mends the ledgers that a stopped command left unfinished. One that is damaged stays as it is: whoever
    /// needs it is told.
    fn recover(&mut self) -> Result<(), Failure> {
        for (grader, book) in self.ledgers()? {
            match self.ledger(&grader, book).and_then(|file| mended(&file)) {
                Ok(chain) => {
                    self.chains.insert((grader, book), chain);
                }
                Err(failure @ Failure::Unwritable { .. }) => return Err(failure),
                Err(_) => {}
            }
        }
        Ok(())
    }
}

/// Waits until nobody else writes the register.
fn lock(register: &Register) -> Result<File, Failure> {
    atomic::survive_size_limit();
    let path = register.folder().join(place::LOCK);
    let fail = |error| Failure::unwritable(&path, error, "Nothing was changed");
    guarded::file(&path)?;
    let open = OpenOptions::new().create(true).append(true).mode(0o644).open(&path);
    let lock = open.map_err(fail)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            let folder = register.folder().display();
            terminal::note(&format!("{folder}: waiting for another command that writes here"));
            lock.lock().map_err(fail)?;
            Ok(lock)
        }
        Err(TryLockError::Error(error)) => Err(fail(error)),
    }
}

/// Removes what is not in its place from one folder, and counts it.
fn sweep(folder: &Path) -> Result<usize, Failure> {
    if guarded::look(folder)?.is_none_or(|found| !found.is_dir()) {
        return Ok(0);
    }
    let fail = |error| Failure::unreadable(folder, error);
    let mut swept = 0;
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        if entry.file_name().as_encoded_bytes().starts_with(TEMPORARY.as_bytes()) {
            let path = entry.path();
            fs::remove_file(&path)
                .map_err(|error| Failure::unwritable(&path, error, "It is left over"))?;
            swept += 1;
        }
    }
    Ok(swept)
}

/// Reads a ledger and finishes what a stopped command left unfinished. The lock is held.
fn mended(file: &LedgerFile) -> Result<Chain, Failure> {
    let Reading { chain, tail } = file.read()?;
    if tail.is_clean() {
        return Ok(chain);
    }
    if tail.torn > 0 {
        file.cut(&chain)?;
        let torn = tail.torn;
        terminal::note(&format!(
            "{file}: {torn} bytes of an entry that was never written to its end were taken away"
        ));
    }
    file.acknowledge(&chain.head())?;
    if tail.adopted > 0 {
        let adopted = match tail.adopted {
            1 => "1 entry that a stopped command had written whole was".to_owned(),
            more => format!("{more} entries that a stopped command had written whole were"),
        };
        let last = chain.len();
        terminal::note(&format!("{file}: {adopted} taken in; the last is entry {last}"));
    }
    match tail.replacement {
        Some(Replacement::Done) => terminal::note(&format!(
            "{file}: it was being linked anew when the command was stopped; the new ledger is in place"
        )),
        Some(Replacement::Undone) => terminal::note(&format!(
            "{file}: it was to be linked anew when the command was stopped, and is what it was: run `accredit ledger rebase` again"
        )),
        None => {}
    }
    Ok(chain)
}
