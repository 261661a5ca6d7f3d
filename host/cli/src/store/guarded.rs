//! Files and folders that others cannot write: nothing else in a register is read.
//!
//! What is looked at is what is read: a file is opened, and must be the one that was seen before it was opened.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::failure::Failure;

/// Whether the folder is there. A link, a file, or a folder that others can write is a failure.
pub(crate) fn folder(path: &Path) -> Result<bool, Failure> {
    let Some(found) = look(path)? else { return Ok(false) };
    if !found.is_dir() {
        return Err(strange(path, &found, "folder"));
    }
    admitted(path, &found)?;
    Ok(true)
}

/// What is there, if anything; a link is not followed.
pub(super) fn look(path: &Path) -> Result<Option<Metadata>, Failure> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(Failure::unreadable(path, error)),
    }
}

/// Opens the file, if it is there.
pub(super) fn open(path: &Path) -> Result<Option<(File, Metadata)>, Failure> {
    // Looked at before it is opened: opening a pipe waits for a writer.
    let Some(seen) = file(path)? else { return Ok(None) };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(Failure::unreadable(path, error)),
    };
    let opened = file.metadata().map_err(|error| Failure::unreadable(path, error))?;
    if (opened.dev(), opened.ino()) != (seen.dev(), seen.ino()) {
        // A writer has put another in its place between the two looks. It is one like the first, or refused.
        let again = self::file(path)?.map(|it| (it.dev(), it.ino()));
        if again != Some((opened.dev(), opened.ino())) {
            admitted(path, &opened)?;
        }
    }
    Ok(Some((file, opened)))
}

/// The file as it stands there, if it does, before it is opened.
pub(super) fn file(path: &Path) -> Result<Option<Metadata>, Failure> {
    let Some(seen) = look(path)? else { return Ok(None) };
    if !seen.is_file() {
        return Err(strange(path, &seen, "regular file"));
    }
    admitted(path, &seen)?;
    Ok(Some(seen))
}

/// Reads the file, if it is there and not larger than so many bytes.
pub(crate) fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, Failure> {
    let Some((file, found)) = open(path)? else { return Ok(None) };
    let room = found.len().min(limit).saturating_add(1);
    let mut bytes = Vec::with_capacity(usize::try_from(room).unwrap_or_default());
    let read = file.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Failure::unreadable(path, error))?;
    if bytes.len() as u64 > limit { Err(too_large(path, limit)) } else { Ok(Some(bytes)) }
}

/// A file that is larger than anything of its kind.
pub(super) fn too_large(path: &Path, limit: u64) -> Failure {
    let path = path.display();
    Failure::Usage(format!("{path}: is larger than {limit} bytes, and nothing of its kind is"))
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Something that has the name of what is wanted, and is something else.
fn strange(path: &Path, found: &Metadata, wanted: &str) -> Failure {
    let path = path.display();
    Failure::Integrity(if found.is_symlink() {
        format!(
            "{path}: is a symbolic link, and a register is read only where it stands. Put what it leads to in its place"
        )
    } else {
        format!("{path}: is no {wanted}. Restore it from version control")
    })
}

/// Whether nobody but us and root can change it.
fn admitted(path: &Path, found: &Metadata) -> Result<(), Failure> {
    let us = rustix::process::geteuid().as_raw();
    let (owner, mode) = (found.uid(), found.mode() & 0o7777);
    let path = path.display();
    if owner != us && owner != 0 {
        return Err(Failure::Integrity(format!(
            "{path}: belongs to user {owner}, who can change it, and not to you (user {us}) or root. See what it says, then `chown {us} {path}`"
        )));
    }
    if mode & 0o022 != 0 {
        return Err(Failure::Integrity(format!(
            "{path}: others can write it (mode {mode:04o}), so that it proves nothing. See what it says, then `chmod go-w {path}`"
        )));
    }
    Ok(())
}
