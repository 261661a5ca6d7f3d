//! Whole files or none: written beside their place, forced to the disk, renamed, and the folder forced as well.

use std::fs::{DirBuilder, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;
use std::sync::{Arc, OnceLock, atomic::AtomicBool};

use tempfile::NamedTempFile;

use super::guarded;
use crate::failure::Failure;
use crate::record::folder_of;

/// What the names of files begin with that are not in their place yet. Only a writer makes them, and only one
/// writes: whatever is found by another is left over.
pub(super) const TEMPORARY: &str = ".tmp-";

/// What a failed write leaves.
pub(super) const UNTOUCHED: &str = "What stood there before is untouched";
const UNSURE: &str =
    "It stands there, and whether it outlasts a power cut is not known: run it again";

/// A file in this folder that is not in its place yet, open for writing. It is gone with the value.
pub(super) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mode = Permissions::from_mode(0o644);
    tempfile::Builder::new().prefix(TEMPORARY).permissions(mode).tempfile_in(folder)
}

/// The bytes, safe on the disk, beside the place where they are to stand.
pub(super) fn prepare(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut file = temporary(folder_of(path))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Forces to the disk which files the folder holds.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Puts the bytes at this path, whatever stood there.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let fail = |error| Failure::unwritable(path, error, UNTOUCHED);
    let file = prepare(path, bytes).map_err(fail)?;
    file.persist(path).map_err(|error| fail(error.error))?;
    settled(path)
}

/// The same where nothing may stand there yet.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let fail = |error| Failure::unwritable(path, error, UNTOUCHED);
    let file = prepare(path, bytes).map_err(fail)?;
    file.persist_noclobber(path).map_err(|error| fail(error.error))?;
    settled(path)
}

/// Forces to the disk that a file stands where it was put.
pub(super) fn settled(path: &Path) -> Result<(), Failure> {
    sync_folder(folder_of(path)).map_err(|error| Failure::unwritable(path, error, UNSURE))
}

/// Makes a folder of a register and those above it, up to the repository's root.
pub(crate) fn make_folders(path: &Path) -> Result<(), Failure> {
    let above = path.parent().filter(|it| !it.as_os_str().is_empty() && !it.exists());
    if let Some(above) = above {
        make_folders(above)?;
    }
    make_folder(path)
}

/// Makes the folder if it is not there.
pub(super) fn make_folder(path: &Path) -> Result<(), Failure> {
    if guarded::folder(path)? {
        return Ok(());
    }
    match DirBuilder::new().mode(0o755).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(Failure::unwritable(path, error, "The folder was not made"))
        }
        _ => guarded::folder(path).and_then(|_| settled(path)),
    }
}

/// From now on a write beyond the size that files may have fails, and does not end the process: what was
/// written of a line can then be taken back.
pub(crate) fn survive_size_limit() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        let noticed = Arc::new(AtomicBool::new(false));
        // Where the signal cannot be caught it ends us, and the next writer mends what is left.
        signal_hook::flag::register(signal_hook::consts::SIGXFSZ, noticed).ok();
    });
}
