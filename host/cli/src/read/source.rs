//! The bytes of one file, and why they could not be had.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use accredit_core::control::lint::LintFault;
use accredit_core::control::set::Place;

use super::fields::Sink;
use super::node::Lines;

/// A file that was read: its name in its folder, and its bytes.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

impl Source {
    /// Reads a whole regular file. Links are followed; pipes and devices, which may never end, are not read.
    pub(super) fn read(path: &Path, name: &str) -> Result<Self, Box<LintFault>> {
        let fail = |error: &io::Error| unreadable(path, name, error);
        let metadata = fs::metadata(path).map_err(|error| fail(&error))?;
        if !metadata.is_file() {
            let what = if metadata.is_dir() { "a folder" } else { "no regular file" };
            let mend = "put a regular file here";
            let message = format!("is {what}");
            return Err(LintFault::error("unreadable", whole(name), message, mend).into());
        }
        let bytes = fs::read(path).map_err(|error| fail(&error))?;
        Ok(Self { name: name.to_owned(), bytes })
    }

    /// The text, without a byte order mark.
    pub(super) fn text(&self) -> Result<&str, Box<LintFault>> {
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
            Err(error) => {
                let sound = String::from_utf8_lossy(&self.bytes[..error.valid_up_to()]);
                let line = Lines::of(&sound).at(sound.len());
                let at = Place { file: self.name.clone(), line };
                let message = "a byte here is not UTF-8";
                let mend = "save the file as UTF-8; nothing of it was read";
                Err(LintFault::error("not-utf8", at, message, mend).into())
            }
        }
    }
}

/// Hands a fault to the sink.
pub(super) fn keep<T>(result: Result<T, Box<LintFault>>, sink: &mut Sink) -> Option<T> {
    result.map_err(|fault| sink.faults.push(*fault)).ok()
}

/// A path's folder, and its name for messages.
pub(super) fn split(path: &Path) -> (PathBuf, String) {
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let name = path.file_name().unwrap_or(path.as_os_str());
    (folder, name.to_string_lossy().into_owned())
}

/// The place of a file as a whole.
pub(super) fn whole(name: &str) -> Place {
    Place { file: name.to_owned(), line: 0 }
}

/// The fault of a file or folder that cannot be read.
pub(super) fn unreadable(path: &Path, name: &str, error: &io::Error) -> Box<LintFault> {
    let link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    let mend = match error.kind() {
        _ if link => "the link leads nowhere or back to itself: put the file itself here",
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "allow yourself to read it",
        _ => "check the path and what it leads to",
    };
    let message = format!("cannot be read: {error}");
    LintFault::error("unreadable", whole(name), message, mend).into()
}
