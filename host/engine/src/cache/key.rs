//! The key that artefacts are checked by: 32 random bytes that only this user can read.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use super::owner;

/// Reads the key, or makes it when there is none.
pub(super) fn read_or_make(path: &Path) -> Result<[u8; 32], String> {
    let dir =
        path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    owner::private_dir(dir)?;
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make(dir, path)
                .map_err(|error| format!("{} could not be made: {error}", path.display()))?;
        }
        Err(error) => return Err(format!("{}: {error}", path.display())),
        Ok(_) => {}
    }
    read(path)
}

fn read(path: &Path) -> Result<[u8; 32], String> {
    let failed = |error: io::Error| format!("{}: {error}", path.display());
    let found = fs::symlink_metadata(path).map_err(failed)?;
    if !found.is_file() {
        return Err(format!("{} is not a plain file: move it away", path.display()));
    }
    owner::only_ours(path, &found, 0o077)?;
    let mut bytes = Vec::with_capacity(33);
    File::open(path).and_then(|file| file.take(33).read_to_end(&mut bytes)).map_err(failed)?;
    <[u8; 32]>::try_from(bytes).map_err(|_| {
        format!("{} is not a key of 32 bytes: delete it, and a new one is made", path.display())
    })
}

/// Written whole before it has its name, and never over one that is there: two processes that start at
/// once end with one key.
fn make(dir: &Path, path: &Path) -> io::Result<()> {
    let mut key = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut key)?;
    // Created with O_EXCL and mode 0600.
    let mut file = tempfile::NamedTempFile::new_in(dir)?;
    file.write_all(&key)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.error),
    }
}
