//! The files of a register that trust rests on: where they are, and reading and adding them with care.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use accredit_core::id::Digest;

use crate::failure::Failure;
use crate::store::{guarded_read, make_folders, place, write_new};

/// The root of trust, in the register's folder.
pub const ROOT_PATH: &str = ".accredit/root.toml";
/// Who may sign.
pub const SIGNERS_PATH: &str = ".accredit/allowed_signers";
/// The signatures over these three files, by the digest of what they sign.
pub const SIGNATURES_PATH: &str = ".accredit/signatures";
/// The policy.
pub const POLICY_PATH: &str = "accredit.toml";
const OBJECTS_PATH: &str = ".accredit/objects";

/// The files that are signed under the root are no longer than this.
const LONGEST: u64 = 1024 * 1024;
/// No object is longer.
const LONGEST_OBJECT: u64 = 1024 * 1024 * 1024;

/// The bytes of a regular file that is no longer than so many.
///
/// # Errors
/// When it cannot be read, is no regular file, or is longer.
pub fn bounded(path: &Path, longest: u64) -> Result<Vec<u8>, Failure> {
    let fail = |error| Failure::unreadable(path, error);
    let metadata = fs::metadata(path).map_err(fail)?;
    if !metadata.is_file() {
        return Err(fail(io::Error::other("it is no regular file")));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(fail)?;
    file.take(longest + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > longest {
        return Err(fail(io::Error::other(format!("it is longer than {longest} bytes"))));
    }
    Ok(bytes)
}

/// A file that is signed under the root, where it is there. What stands in the register is read only where nobody
/// else can write it.
pub(super) fn optional(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    if !path.ends_with(POLICY_PATH) {
        return guarded_read(path, LONGEST);
    }
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        _ => bounded(path, LONGEST).map(Some),
    }
}

/// Where the object of this digest is kept.
#[must_use]
pub fn object_path(register: &Path, digest: Digest) -> PathBuf {
    let hex = digest.hex();
    register.join(OBJECTS_PATH).join(&hex[..2]).join(&hex[2..])
}

/// The object of this digest, where there is one: checked against its name.
///
/// # Errors
/// When it cannot be read, or with exit code 5 when it is not what its name says.
pub fn object(register: &Path, digest: Digest) -> Result<Option<Vec<u8>>, Failure> {
    let path = object_path(register, digest);
    if !path.exists() {
        return Ok(None);
    }
    let bytes = bounded(&path, LONGEST_OBJECT)?;
    if Digest::of(&bytes) == digest {
        return Ok(Some(bytes));
    }
    let path = path.display();
    Err(Failure::Integrity(format!(
        "{path}: the object is not what its name says: it was changed. Put it back from version control"
    )))
}

/// Writes a file that is not there yet, whole or not at all; in a register its folders are made. A file that is there is
/// left as it is.
///
/// # Errors
/// When it cannot be written.
pub fn put_new(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let within = path.components().any(|part| part.as_os_str() == place::REGISTER);
    if let Some(folder) = path.parent().filter(|_| within) {
        make_folders(folder)?;
    }
    match write_new(path, bytes) {
        Err(Failure::Unwritable { error, .. }) if error.kind() == io::ErrorKind::AlreadyExists => {
            Ok(())
        }
        written => written,
    }
}
