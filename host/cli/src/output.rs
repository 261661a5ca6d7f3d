//! Files that a user asked for: whole or not at all, as readable as what stood there before.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::record::folder_of;

const UNTOUCHED: &str = "What stood there before is untouched";

/// Who may read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// As many as the umask lets.
    Umask,
    /// Its owner alone: it tells of held-out controls.
    Owner,
}

impl Readers {
    /// The permissions that a new file asks for.
    pub(crate) fn permissions(self) -> Permissions {
        Permissions::from_mode(match self {
            Self::Umask => 0o666,
            Self::Owner => 0o600,
        })
    }
}

/// Writes a whole file or none: a temporary one beside it takes its place. A file that is there keeps who may read
/// it, a link is followed, and a device or a pipe is written to and never replaced.
///
/// # Errors
/// When it cannot be written; what stood there is then untouched.
pub fn write(path: &Path, bytes: &[u8], readers: Readers) -> Result<(), Failure> {
    let (path, found) = place(path)?;
    if found.as_ref().is_some_and(|it| !it.is_file() && !it.is_dir()) {
        let written = OpenOptions::new().write(true).open(&path);
        let written = written.and_then(|mut device| device.write_all(bytes));
        return written.map_err(|error| Failure::unwritable(&path, error, "It is no regular file"));
    }
    let fail = |error| Failure::unwritable(&path, error, UNTOUCHED);
    let mut file = beside(&path, readers)?;
    if let Some(found) = &found {
        keep_readers(file.as_file(), found).map_err(fail)?;
    }
    file.write_all(bytes).map_err(fail)?;
    file.as_file().sync_all().map_err(fail)?;
    file.persist(&path).map_err(|error| fail(error.error))?;
    Ok(())
}

/// Whether a file could be written there, before anything else is.
///
/// # Errors
/// When it could not.
pub fn ready(path: &Path) -> Result<(), Failure> {
    let (path, found) = place(path)?;
    match found {
        Some(found) if !found.is_file() && !found.is_dir() => Ok(()),
        Some(found) if found.is_dir() => {
            let error = std::io::Error::from(std::io::ErrorKind::IsADirectory);
            Err(Failure::unwritable(&path, error, UNTOUCHED))
        }
        _ => beside(&path, Readers::Owner).map(|_| ()),
    }
}

/// Whether all of these could be written: each in a place of its own, none in that of another file of the command.
///
/// # Errors
/// At the first that could not.
pub fn all_ready(outputs: &[&Path], others: &[&Path]) -> Result<(), Failure> {
    for (at, output) in outputs.iter().enumerate() {
        if outputs[..at].iter().chain(others).any(|other| is_same(output, other)) {
            return Err(Failure::Usage(format!(
                "{}: this command reads or writes that very file already, and it would be lost: give another file",
                output.display()
            )));
        }
        ready(output)?;
    }
    Ok(())
}

/// Whether a file, be it there already or not, stands in a folder or below it.
#[must_use]
pub fn is_within(file: &Path, folder: &Path) -> bool {
    let above = file.canonicalize().or_else(|_| folder_of(file).canonicalize());
    matches!((above, folder.canonicalize()), (Ok(above), Ok(folder)) if above.starts_with(&folder))
}

/// Whether two paths lead to one regular file, by links or otherwise, be it there already or not.
fn is_same(one: &Path, other: &Path) -> bool {
    let of = |path: &Path| match fs::metadata(path) {
        Ok(found) => found.is_file().then(|| (found.dev(), found.ino(), None)),
        Err(_) => {
            let folder = fs::metadata(folder_of(path)).ok()?;
            Some((folder.dev(), folder.ino(), Some(path.file_name()?.to_owned())))
        }
    };
    of(one).is_some() && of(one) == of(other)
}

/// Gives a file that takes the place of another one's readers.
pub(crate) fn keep_readers(file: &File, found: &Metadata) -> std::io::Result<()> {
    file.set_permissions(Permissions::from_mode(found.mode() & 0o7777))
}

fn beside(path: &Path, readers: Readers) -> Result<NamedTempFile, Failure> {
    tempfile::Builder::new()
        .permissions(readers.permissions())
        .tempfile_in(folder_of(path))
        .map_err(|error| Failure::unwritable(path, error, UNTOUCHED))
}

/// Where a path leads to, and what stands there.
pub(crate) fn place(path: &Path) -> Result<(PathBuf, Option<Metadata>), Failure> {
    let path = match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => path
            .canonicalize()
            .map_err(|error| Failure::unwritable(path, error, "The link leads nowhere"))?,
        _ => path.to_owned(),
    };
    let found = fs::metadata(&path).ok();
    Ok((path, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("is there").mode() & 0o777
    }

    #[test]
    fn a_file_keeps_its_readers_and_a_link_stays_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        write(&file, b"one", Readers::Owner).expect("writes");
        assert_eq!(mode(&file), 0o600);
        fs::set_permissions(&file, Permissions::from_mode(0o640)).expect("sets");
        std::os::unix::fs::symlink(&file, &link).expect("links");
        write(&link, b"two", Readers::Umask).expect("writes");
        assert!(fs::symlink_metadata(&link).expect("is there").is_symlink());
        assert_eq!((fs::read(&file).expect("reads"), mode(&file)), (b"two".to_vec(), 0o640));
        assert!(is_same(&file, &link));
        fs::remove_file(&file).expect("removes");
        assert!(write(&link, b"three", Readers::Umask).is_err());
    }

    #[test]
    fn what_cannot_be_written_is_known_before() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(ready(&folder.path().join("new")).is_ok());
        assert!(ready(folder.path()).is_err());
        assert!(ready(&folder.path().join("none/new")).is_err());
        let new = folder.path().join("new");
        let again =
            folder.path().join("../").join(folder.path().file_name().expect("a name")).join("new");
        assert!(all_ready(&[&new], &[&again]).is_err() && all_ready(&[&again, &new], &[]).is_err());
        fs::write(&new, "").expect("writes");
        let hard = folder.path().join("hard");
        fs::hard_link(&new, &hard).expect("links");
        assert!(all_ready(&[&hard], &[&new]).is_err());
        assert!(all_ready(&[&hard, &folder.path().join("other")], &[folder.path()]).is_ok());
        let device = Path::new("/dev/null");
        assert!(all_ready(&[device, device], &[device]).is_ok());
    }
}
