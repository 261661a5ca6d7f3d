//! Run records: one event a line, as JSON.
//!
//! Lines that begin with `{"aside":` hold what another machine or another moment would change: timings,
//! the date, how much was read from the cache. The record's digest is BLAKE3 over every other line with
//! its newline, in order: `grep -v '^{"aside":' record.jsonl | b3sum` recomputes it. The last line is
//! an aside that states it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write as _};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use accredit_core::id::Digest;
use accredit_core::run::event::Event;
use accredit_core::run::fold::{FoldError, Folding, Run};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::output::{self, Readers};
use crate::render::escape::terminal_text;

const ASIDE: &str = "{\"aside\":";

/// What stands beside the events, outside the digest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Aside {
    /// When and by what the run was made.
    Made {
        /// accredit's version.
        accredit: String,
        /// When it started, RFC 3339.
        at: String,
        /// The machine's architecture and system.
        machine: String,
        /// Trials that ran at one time.
        jobs: usize,
    },
    /// How long it took.
    Took {
        /// Milliseconds of wall clock for all trials.
        millis: u64,
    },
    /// The record's digest, once it is whole.
    Seal {
        /// The digest.
        digest: Digest,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AsideLine {
    aside: Aside,
}

/// What is digested and written at once: BLAKE3 is several times as fast on much as on a line at a time.
const CHUNK: usize = 1 << 18;

/// How long a line waits for others at most: what an interrupted run loses.
const WAIT: Duration = Duration::from_secs(1);

/// Writes a record beside its final place, and moves it there when it is whole. An interrupted run leaves
/// what it had, under the temporary name.
pub struct Writer {
    file: Option<(NamedTempFile, PathBuf)>,
    hasher: Hasher,
    /// Lines that are not written yet.
    lines: Vec<u8>,
    /// How many bytes of them are digested, or stand outside the digest.
    digested: usize,
    written: Instant,
}

impl Writer {
    /// A record that will stand at this path, for these readers; without one the digest is computed and nothing is
    /// kept.
    ///
    /// # Errors
    /// When no file can be made there.
    pub fn new(path: Option<&Path>, readers: Readers) -> Result<Self, Failure> {
        let file = path.map(|path| partial(path, readers)).transpose()?;
        let (hasher, written) = (Hasher::default(), Instant::now());
        Ok(Self { file, hasher, lines: Vec::with_capacity(CHUNK), digested: 0, written })
    }

    /// Writes one event.
    ///
    /// # Errors
    /// When the disk takes no more.
    pub fn event(&mut self, event: &Event) -> Result<(), Failure> {
        self.put(event)
    }

    /// Writes what stands beside the events.
    ///
    /// # Errors
    /// When the disk takes no more.
    pub fn aside(&mut self, aside: Aside) -> Result<(), Failure> {
        self.digest();
        self.put(&AsideLine { aside })?;
        self.digested = self.lines.len();
        Ok(())
    }

    fn put<T: Serialize>(&mut self, value: &T) -> Result<(), Failure> {
        if self.lines.len() >= CHUNK || self.written.elapsed() >= WAIT {
            self.write()?;
        }
        let written = serde_json::to_writer(&mut self.lines, value);
        written.unwrap_or_else(|error| unreachable!("events are plain data: {error}"));
        self.lines.push(b'\n');
        Ok(())
    }

    fn digest(&mut self) {
        self.hasher.update(&self.lines[self.digested..]);
        self.digested = self.lines.len();
    }

    fn write(&mut self) -> Result<(), Failure> {
        self.digest();
        let written = match &mut self.file {
            None => Ok(()),
            Some((file, path)) => file.write_all(&self.lines).map_err(|error| {
                Failure::unwritable(
                    path,
                    error,
                    "What was recorded so far is in a *.partial.jsonl file beside it",
                )
            }),
        };
        (self.digested, self.written) = (0, Instant::now());
        self.lines.clear();
        written
    }

    /// Seals the record and returns its digest. It moves to its place once [`Sealed::keep`] returns.
    ///
    /// # Errors
    /// When the disk takes no more.
    pub fn finish(mut self) -> Result<(Digest, Sealed), Failure> {
        self.digest();
        let digest = self.hasher.finish();
        self.aside(Aside::Seal { digest })?;
        self.write()?;
        Ok((digest, Sealed(self.file.map(|(file, path)| thread::spawn(move || keep(file, &path))))))
    }
}

/// The file beside a record's place that its lines are written to, and that place, behind any link. What stands
/// there already keeps its readers, unless its owner alone may read the new one.
fn partial(path: &Path, readers: Readers) -> Result<(NamedTempFile, PathBuf), Failure> {
    let (path, found) = output::place(path)?;
    if found.as_ref().is_some_and(|it| !it.is_file()) {
        return Err(Failure::Usage(format!(
            "{}: a record would take its place, and it is no regular file: give another path",
            path.display()
        )));
    }
    let fail = |error| Failure::unwritable(&path, error, "Nothing was written");
    let file = tempfile::Builder::new()
        .prefix("record-")
        .suffix(".partial.jsonl")
        .permissions(readers.permissions())
        .disable_cleanup(true)
        .tempfile_in(folder_of(&path))
        .map_err(fail)?;
    if let (Readers::Umask, Some(found)) = (readers, &found) {
        output::keep_readers(file.as_file(), found).map_err(fail)?;
    }
    Ok((file, path))
}

/// Writes a run that was read or made already as a record of its own.
///
/// # Errors
/// When the disk takes no more.
pub fn write_copy(run: &Run, path: &Path, readers: Readers) -> Result<Digest, Failure> {
    let mut writer = Writer::new(Some(path), readers)?;
    for event in run.events() {
        writer.event(&event)?;
    }
    let (digest, sealed) = writer.finish()?;
    sealed.keep()?;
    Ok(digest)
}

/// A whole record on its way to the disk, while the report is made of what it holds.
#[must_use]
pub struct Sealed(Option<JoinHandle<Result<(), Failure>>>);

impl Sealed {
    /// Waits until it stands in its place.
    ///
    /// # Errors
    /// When the disk takes no more.
    pub fn keep(self) -> Result<(), Failure> {
        self.0.map_or(Ok(()), |writing| writing.join().unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

fn keep(file: NamedTempFile, path: &Path) -> Result<(), Failure> {
    let fail = |error| {
        Failure::unwritable(path, error, "The record is in a *.partial.jsonl file beside it")
    };
    file.as_file().sync_all().map_err(fail)?;
    file.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}

/// The folder a file is in; the current one for a bare name.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[derive(Default)]
struct Hasher(blake3::Hasher);

impl Hasher {
    fn update(&mut self, line: &[u8]) {
        self.0.update(line);
    }

    fn finish(&self) -> Digest {
        self.0.finalize().into()
    }
}

/// Why a record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It cannot be read.
    #[error("cannot be read: {0}. Check the path and its permissions")]
    Io(#[from] io::Error),
    /// A line is no event.
    #[error(
        "line {line} is no event of a run record: {why}. The file is damaged, or no run record"
    )]
    Line {
        /// The line, from 1.
        line: usize,
        /// Why.
        why: String,
    },
    /// The last line stops in the middle, or the end is missing.
    #[error(
        "the record is truncated: {0}. Run the check again; or give --incomplete to see what it holds, which can promote nothing"
    )]
    Truncated(String),
    /// The events make no run.
    #[error("{0}")]
    Fold(#[from] FoldError),
    /// The lines do not add up to the digest that the record states.
    #[error(
        "the record's lines have the digest {computed}, and it is sealed as {sealed}: it was changed after it was written. Do not rely on it; run the check again"
    )]
    Seal {
        /// What the lines come to.
        computed: Digest,
        /// What the seal says.
        sealed: Digest,
    },
}

impl RecordError {
    /// Whether the record was changed after it was written.
    #[must_use]
    pub fn is_tampering(&self) -> bool {
        matches!(self, Self::Seal { .. })
    }
}

/// A record that was read.
#[derive(Debug)]
pub struct ReadRecord {
    /// The run.
    pub run: Run,
    /// The digest of its events.
    pub digest: Digest,
}

/// The lines of a record that its digest is of: all but the asides. Kept alone, they are named by it.
#[must_use]
pub fn digested(record: &[u8]) -> Vec<u8> {
    let lines = record.split_inclusive(|byte| *byte == b'\n');
    lines.filter(|line| !line.starts_with(ASIDE.as_bytes())).flatten().copied().collect()
}

/// Reads a record and folds it. An incomplete one is an error, unless `incomplete` allows it.
///
/// # Errors
/// When it cannot be read, is no record, was cut or was changed.
pub fn read(path: &Path, incomplete: bool) -> Result<ReadRecord, RecordError> {
    // Looked at before it is opened: a pipe waits for a writer, and a device may never end.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file").into());
    }
    read_from(BufReader::new(File::open(path)?), incomplete)
}

/// The same from anything that is read line by line.
///
/// # Errors
/// As [`read`].
pub fn read_from(mut reader: impl BufRead, incomplete: bool) -> Result<ReadRecord, RecordError> {
    let mut reading = Reading::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        reading.line(&line);
    }
    reading.end(incomplete)
}

#[derive(Default)]
struct Reading {
    hasher: Hasher,
    folding: Option<Folding>,
    sealed: Option<Digest>,
    lines: usize,
    torn: bool,
    wrong: Option<RecordError>,
}

impl Reading {
    /// Takes a line. After the first that is wrong the rest is only digested: a seal that does not fit
    /// tells more than the line it was broken by.
    fn line(&mut self, line: &[u8]) {
        self.lines += 1;
        if !line.ends_with(b"\n") {
            self.torn = true;
            return;
        }
        if !line.starts_with(ASIDE.as_bytes()) {
            self.hasher.update(line);
        }
        if let Err(error) = self.event(line) {
            self.wrong.get_or_insert(error);
        }
    }

    fn event(&mut self, line: &[u8]) -> Result<(), RecordError> {
        let number = self.lines;
        let at = |error: serde_json::Error| RecordError::Line {
            line: number,
            why: terminal_text(&error.to_string()),
        };
        if self.sealed.is_some() {
            let why = "it stands after the seal, which is the last line of a record".to_owned();
            return Err(RecordError::Line { line: number, why });
        }
        if line.starts_with(ASIDE.as_bytes()) {
            let AsideLine { aside } = serde_json::from_slice(line).map_err(at)?;
            if let Aside::Seal { digest } = aside {
                self.sealed = Some(digest);
            }
            return Ok(());
        }
        if self.wrong.is_some() {
            return Ok(());
        }
        let event: Event = serde_json::from_slice(line).map_err(at)?;
        match (&mut self.folding, event) {
            (None, Event::RunStarted(started)) => self.folding = Some(Folding::new(*started)?),
            (None, _) => return Err(FoldError::NoStart.into()),
            (Some(folding), event) => folding.take(event)?,
        }
        Ok(())
    }

    fn end(self, incomplete: bool) -> Result<ReadRecord, RecordError> {
        let computed = self.hasher.finish();
        if let Some(sealed) = self.sealed.filter(|sealed| *sealed != computed) {
            return Err(RecordError::Seal { computed, sealed });
        }
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        let run = self.folding.ok_or(FoldError::NoStart)?.end()?;
        if !incomplete && (self.torn || !run.complete || self.sealed.is_none()) {
            let held: usize = run.results.iter().map(|control| control.all().count()).sum();
            let planned = run.started.trials;
            return Err(RecordError::Truncated(match (self.torn, run.complete) {
                (true, _) => format!("line {} stops in the middle", self.lines),
                (_, false) => format!("it holds {held} of {planned} trials and no end of the run"),
                (_, true) => "its last line, the seal with its digest, is missing".to_owned(),
            }));
        }
        Ok(ReadRecord { run, digest: computed })
    }
}
