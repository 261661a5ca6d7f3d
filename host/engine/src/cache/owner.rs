//! Whether only this user can write a file or folder.

use std::fs::{self, Metadata};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::Path;

/// Makes the folder where it is missing, and refuses one that others can write.
pub(super) fn private_dir(dir: &Path) -> Result<(), String> {
    if !dir.exists() {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(dir)
            .map_err(|error| format!("{} could not be made: {error}", dir.display()))?;
    }
    let found = fs::metadata(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    if !found.is_dir() {
        return Err(format!("{} is not a folder: move it away", dir.display()));
    }
    only_ours(dir, &found, 0o022)
}

/// Refuses what another user owns, or whose mode has any of these bits.
pub(super) fn only_ours(path: &Path, found: &Metadata, forbidden: u32) -> Result<(), String> {
    let place = path.display();
    if us().is_some_and(|us| us != found.uid()) {
        return Err(format!("{place} belongs to another user: use a place of your own"));
    }
    if found.mode() & forbidden != 0 {
        let advice = if found.is_dir() { "chmod go-w" } else { "chmod 600" };
        return Err(format!(
            "{place} can be written or read by others: `{advice} {place}`, or use another place"
        ));
    }
    Ok(())
}

/// This process's user; none where the kernel does not say.
fn us() -> Option<u32> {
    fs::metadata("/proc/self").ok().map(|found| found.uid())
}
