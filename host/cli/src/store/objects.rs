//! What is kept under its own digest: components, reports, records, statements, signatures, bundles of controls.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use accredit_core::id::Digest;

use super::register::entries;
use super::{atomic, guarded, place};
use crate::failure::Failure;

/// No object is larger.
const LARGEST: u64 = 1 << 30;

/// The objects of a register. Files are named by digest only: two digits for the folder, 62 for the file.
#[derive(Debug, Clone)]
pub struct Objects {
    folder: PathBuf,
}

/// An object that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// Its digest, by its name.
    pub digest: Digest,
    /// Its size.
    pub bytes: u64,
    /// When it was put there, last.
    pub put: SystemTime,
}

impl Objects {
    pub(super) fn of(register: &Path) -> Self {
        Self { folder: register.join(place::OBJECTS) }
    }

    /// Where the object stands, or would.
    #[must_use]
    pub fn path(&self, digest: Digest) -> PathBuf {
        let hex = digest.hex();
        self.folder.join(&hex[..2]).join(&hex[2..])
    }

    /// Whether there is such an object. Its bytes are not looked at.
    ///
    /// # Errors
    /// When others can write it, or it is no file.
    pub fn has(&self, digest: Digest) -> Result<bool, Failure> {
        let path = self.path(digest);
        Ok(self.reachable(&path)? && guarded::file(&path)?.is_some())
    }

    /// The object's bytes, if it is there.
    ///
    /// # Errors
    /// When its bytes are not those that it is named by, when others can write it, or when it cannot be read.
    pub fn find(&self, digest: Digest) -> Result<Option<Vec<u8>>, Failure> {
        let path = self.path(digest);
        if !self.reachable(&path)? {
            return Ok(None);
        }
        let Some(bytes) = guarded::read(&path, LARGEST)? else { return Ok(None) };
        let found = Digest::of(&bytes);
        if found == digest {
            return Ok(Some(bytes));
        }
        Err(Failure::Integrity(format!(
            "{}: its bytes are not those that it is named by: their digest is {found}. Restore it from version control",
            path.display()
        )))
    }

    /// The object's bytes.
    ///
    /// # Errors
    /// As [`Objects::find`], and when it is not there.
    pub fn get(&self, digest: Digest) -> Result<Vec<u8>, Failure> {
        self.find(digest)?.ok_or_else(|| {
            let path = self.path(digest);
            Failure::Integrity(format!(
                "{}: the object {digest} is missing. Restore it from version control",
                path.display()
            ))
        })
    }

    /// Every object, by its name. Their bytes are not looked at, and files that are no objects are left out.
    ///
    /// # Errors
    /// When a folder cannot be read, or others can write it.
    pub fn list(&self) -> Result<Vec<Stored>, Failure> {
        let mut stored = Vec::new();
        for shard in entries(&self.folder)? {
            let folder = self.folder.join(&shard);
            let is_shard = shard.len() == 2 && shard.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !is_shard {
                continue;
            }
            for name in entries(&folder)? {
                let Ok(digest) = format!("blake3:{shard}{name}").parse::<Digest>() else {
                    continue;
                };
                let path = folder.join(&name);
                let Some(found) = guarded::file(&path)? else { continue };
                let put = found.modified().map_err(|error| Failure::unreadable(&path, error))?;
                stored.push(Stored { digest, bytes: found.len(), put });
            }
        }
        Ok(stored)
    }

    /// Whether the folders above an object are there.
    fn reachable(&self, path: &Path) -> Result<bool, Failure> {
        Ok(guarded::folder(&self.folder)? && path.parent().map_or(Ok(false), guarded::folder)?)
    }

    /// Keeps the bytes.
    pub(super) fn put(&self, bytes: &[u8]) -> Result<Digest, Failure> {
        let digest = Digest::of(bytes);
        if self.renew(digest)? {
            return Ok(digest);
        }
        atomic::make_folder(&self.folder)?;
        self.place(digest, |file| file.write_all(bytes))?;
        Ok(digest)
    }

    /// Keeps a file's bytes as they are now. They are never all in memory.
    pub(super) fn put_file(&self, from: &Path) -> Result<Digest, Failure> {
        let digest = digest_of(&mut open(from)?, &mut io::sink())
            .map_err(|error| Failure::unreadable(from, error))?
            .ok_or_else(|| guarded::too_large(from, LARGEST))?;
        if self.renew(digest)? {
            return Ok(digest);
        }
        atomic::make_folder(&self.folder)?;
        let mut source = open(from)?;
        self.place(digest, |file| match digest_of(&mut source, file)? {
            Some(copied) if copied == digest => Ok(()),
            _ => Err(io::Error::other(format!("{} changed while it was read", from.display()))),
        })?;
        Ok(digest)
    }

    /// Whether the object is there and sound. Then it counts as put now; a damaged one is to be put again.
    fn renew(&self, digest: Digest) -> Result<bool, Failure> {
        if !self.has(digest)? {
            return Ok(false);
        }
        match self.find(digest) {
            Ok(Some(_)) => {
                let now = SystemTime::now();
                // Where it is root's we may not: it is there all the same.
                File::open(self.path(digest)).and_then(|file| file.set_modified(now)).ok();
                Ok(true)
            }
            Ok(None) | Err(Failure::Integrity(_)) => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    fn place(
        &self,
        digest: Digest,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let path = self.path(digest);
        let fail = |error| Failure::unwritable(&path, error, "The object was not kept");
        if let Some(shard) = path.parent() {
            atomic::make_folder(shard)?;
        }
        // Beside the folders, so that what stopped commands left is found without looking into each.
        let mut file = atomic::temporary(&self.folder).map_err(fail)?;
        write(file.as_file_mut()).map_err(fail)?;
        file.as_file().sync_all().map_err(fail)?;
        file.persist(&path).map_err(|error| fail(error.error))?;
        atomic::settled(&path)
    }

    /// Takes the object away.
    pub(super) fn remove(&self, digest: Digest) -> Result<(), Failure> {
        let path = self.path(digest);
        fs::remove_file(&path)
            .map_err(|error| Failure::unwritable(&path, error, "It is still there"))
    }
}

/// A file from outside of the register.
fn open(path: &Path) -> Result<File, Failure> {
    let fail = |error| Failure::unreadable(path, error);
    if !fs::metadata(path).map_err(fail)?.is_file() {
        return Err(Failure::Usage(format!("{}: is no regular file", path.display())));
    }
    File::open(path).map_err(fail)
}

/// Copies a file and digests what was copied; absent where it is larger than an object can be.
fn digest_of(from: &mut impl Read, to: &mut impl Write) -> io::Result<Option<Digest>> {
    let mut hasher = blake3::Hasher::new();
    let (mut chunk, mut total) = (vec![0; 1 << 18], 0);
    loop {
        let read = match from.read(&mut chunk) {
            Ok(0) => return Ok(Some(hasher.finalize().into())),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        total += read as u64;
        if total > LARGEST {
            return Ok(None);
        }
        hasher.update(&chunk[..read]);
        to.write_all(&chunk[..read])?;
    }
}
