//! Where verdict lines go: standard output, a device, or a file that a later run takes up again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use accredit_core::grading::{Header, Line, Opening};
use tempfile::NamedTempFile;

use super::earlier::Earlier;
use super::lines::{Lines, Took};
use crate::failure::Failure;
use crate::output;
use crate::record::folder_of;
use crate::render::json;

const KEPT: &str = "What was written so far stands; run the command again to go on";
const UNTOUCHED: &str = "What stood there before is untouched";

/// Where verdict lines go.
pub(super) enum Out {
    /// Standard output.
    Stdout,
    /// A pipe or a device.
    Device(PathBuf, File),
    /// A file.
    File(Resumable),
}

/// A file of verdicts, which may hold those of an earlier run. Where its path was a link, it is what that leads to.
pub(super) struct Resumable {
    path: PathBuf,
    file: File,
    state: State,
    /// Set once nothing more is read from the file.
    is_read: Arc<AtomicBool>,
}

enum State {
    /// What there was to be written stands in the file already, up to here.
    Same(u64),
    /// What comes is written behind it.
    Append,
    /// The file's later lines are still needed: what comes is written beside it, and takes its place at the end.
    Beside(NamedTempFile),
}

impl Out {
    /// Opens the place that verdicts go to; with the lines of an earlier run, where there are some of this grader.
    pub(super) fn open(
        path: Option<&Path>,
        header: &Header,
        restart: bool,
    ) -> Result<(Self, Option<Earlier>), Failure> {
        let first = opening(header);
        let Some(path) = path else {
            Self::stdout(&first)?;
            return Ok((Self::Stdout, None));
        };
        let (path, found) = output::place(path)?;
        if found.is_some_and(|it| !it.is_file() && !it.is_dir()) {
            let device = OpenOptions::new().write(true).open(&path);
            let written = device.and_then(|mut device| device.write_all(&first).map(|()| device));
            let device = written
                .map_err(|error| Failure::unwritable(&path, error, "It is no regular file"))?;
            return Ok((Self::Device(path, device), None));
        }
        let (file, earlier) = Resumable::open(&path, header, restart)?;
        Ok((Self::File(file), earlier))
    }

    /// Writes the lines of a piece. Those of an earlier run that stand where they should are left alone.
    pub(super) fn put(
        &mut self,
        text: &[u8],
        parts: &[(usize, Option<u64>)],
    ) -> Result<(), Failure> {
        match self {
            Self::Stdout => Self::stdout(text),
            Self::Device(path, device) => {
                let written = device.write_all(text);
                written.map_err(|error| Failure::unwritable(path, error, "It is no regular file"))
            }
            Self::File(file) => file.put(text, parts),
        }
    }

    /// Writes the last line; everything is on the disk when this returns.
    pub(super) fn finish(self, last: &[u8]) -> Result<(), Failure> {
        match self {
            Self::File(file) => file.finish(last),
            mut other => other.put(last, &[]),
        }
    }

    fn stdout(text: &[u8]) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(text).and_then(|()| out.flush()).map_err(Failure::Stdout)
    }
}

fn opening(header: &Header) -> Vec<u8> {
    let mut first = Vec::new();
    json::line(&Opening { grading: header.clone() }, &mut first);
    first
}

impl Resumable {
    fn open(
        path: &Path,
        header: &Header,
        restart: bool,
    ) -> Result<(Self, Option<Earlier>), Failure> {
        let fail = |error| Failure::unwritable(path, error, UNTOUCHED);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::Error(error)) => return Err(fail(error)),
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::Usage(format!(
                    "{}: another run is writing into this file: wait for it, or give another one",
                    path.display()
                )));
            }
        }
        let first = opening(header);
        let goes_on = !restart && is_of(path, &mut file, header, &first)?;
        let mut out = Self {
            path: path.to_owned(),
            file,
            state: State::Append,
            is_read: Arc::new(AtomicBool::new(true)),
        };
        if !goes_on {
            out.cut(0).and_then(|()| out.file.write_all(&first)).map_err(fail)?;
            return Ok((out, None));
        }
        let before = first.len() as u64;
        let mut again = File::open(path).map_err(fail)?;
        again.seek(SeekFrom::Start(before)).map_err(fail)?;
        let earlier = Earlier::new(again, before).map_err(fail)?;
        out.is_read = earlier.is_read();
        out.state = State::Same(before);
        Ok((out, Some(earlier)))
    }

    fn put(&mut self, text: &[u8], parts: &[(usize, Option<u64>)]) -> Result<(), Failure> {
        let mut text = text;
        let mut parts = parts.iter();
        while let State::Same(end) = &mut self.state {
            let Some((bytes, at)) = parts.next() else {
                return Ok(());
            };
            if *at == Some(*end) {
                *end += *bytes as u64;
                text = &text[*bytes..];
            } else {
                let end = *end;
                self.part_at(end).map_err(|error| self.unwritable(error))?;
            }
        }
        self.write(text).map_err(|error| self.unwritable(error))
    }

    /// From here on the file does not hold what is to be written.
    fn part_at(&mut self, end: u64) -> io::Result<()> {
        if self.is_read.load(Ordering::Acquire) {
            self.state = State::Append;
            return self.cut(end);
        }
        let mut beside = NamedTempFile::new_in(folder_of(&self.path))?;
        output::keep_readers(beside.as_file(), &self.file.metadata()?)?;
        self.file.seek(SeekFrom::Start(0))?;
        io::copy(&mut (&mut self.file).take(end), &mut beside)?;
        self.state = State::Beside(beside);
        Ok(())
    }

    fn cut(&mut self, end: u64) -> io::Result<()> {
        self.file.set_len(end)?;
        self.file.seek(SeekFrom::Start(end)).map(drop)
    }

    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        match &mut self.state {
            State::Beside(beside) => beside.write_all(text),
            State::Same(_) | State::Append => self.file.write_all(text),
        }
    }

    fn finish(mut self, last: &[u8]) -> Result<(), Failure> {
        if let State::Same(end) = self.state {
            if self.ends_in(end, last).unwrap_or(false) {
                return Ok(());
            }
            // Nothing more is asked for: what is left tells of lines that the input does not have.
            self.cut(end).map_err(|error| self.unwritable(error))?;
            self.state = State::Append;
        }
        let written = self.write(last);
        let path = self.path.clone();
        let fail = |error| Failure::unwritable(&path, error, KEPT);
        written.map_err(fail)?;
        match self.state {
            State::Beside(beside) => {
                beside.as_file().sync_all().map_err(fail)?;
                beside.persist(&path).map_err(|error| fail(error.error)).map(drop)
            }
            State::Same(_) | State::Append => self.file.sync_all().map_err(fail),
        }
    }

    /// Whether the file holds exactly this behind its first so many bytes.
    fn ends_in(&mut self, end: u64, last: &[u8]) -> io::Result<bool> {
        if self.file.metadata()?.size() != end + last.len() as u64 {
            return Ok(false);
        }
        let mut rest = Vec::new();
        self.file.seek(SeekFrom::Start(end))?;
        (&mut self.file).take(last.len() as u64).read_to_end(&mut rest)?;
        Ok(rest == last)
    }

    fn unwritable(&self, error: io::Error) -> Failure {
        Failure::unwritable(&self.path, error, KEPT)
    }
}

/// Whether a file holds verdicts of an earlier run under this header; false for one that is empty, or whose
/// first line was cut short.
fn is_of(path: &Path, file: &mut File, header: &Header, first: &[u8]) -> Result<bool, Failure> {
    let refuse = |what: &str| {
        Err(Failure::Usage(format!(
            "{}: {what}. Nothing was written: give another file, or --restart to lose what stands there",
            path.display()
        )))
    };
    let mut text = Vec::new();
    let took = Lines::of(file).next(&mut text);
    match took.map_err(|error| Failure::unreadable(path, error))? {
        Took::End => Ok(false),
        Took::Torn if first.starts_with(&text) => Ok(false),
        Took::Line => match serde_json::from_slice::<Line>(&text) {
            Ok(Line::Opening(found)) => match header.differs(&found.grading)[..] {
                [] if first.strip_suffix(b"\n") == Some(&text) => Ok(true),
                [] => refuse("its first line was written by other hands"),
                ref keys => {
                    refuse(&format!("holds verdicts that differ in their {}", keys.join(", ")))
                }
            },
            _ => refuse("holds no verdicts of `accredit grade`"),
        },
        Took::Torn | Took::TooLong => refuse("holds no verdicts of `accredit grade`"),
    }
}
