//! The signatures that a register keeps: a folder for each file that is signed, a file for each signature.

use std::fs;
use std::path::{Path, PathBuf};

use accredit_core::id::Digest;
use accredit_core::keys::Signature;

use super::files::{SIGNATURES_PATH, put_new};
use crate::failure::Failure;
use crate::store::{guarded_folder, guarded_read};

/// How many signatures one file has at most.
const MOST_SIGNATURES: usize = 256;
/// How long one is at most.
const LONGEST: u64 = 64 * 1024;
/// How many files are signed at most, old ones included.
const MOST_FILES: usize = 10_000;

/// The folder of signatures of a register.
#[derive(Debug, Clone)]
pub struct Kept {
    folder: PathBuf,
}

impl Kept {
    /// That of the register at this folder.
    #[must_use]
    pub fn new(register: &Path) -> Self {
        Self { folder: register.join(SIGNATURES_PATH) }
    }

    /// The signatures that are kept for the bytes of this digest. None is checked against them.
    ///
    /// # Errors
    /// When they cannot be read; with exit code 5 when one is not what its name says, or no signature.
    pub fn signatures(&self, signed: Digest) -> Result<Vec<Signature>, Failure> {
        let folder = self.folder.join(signed.hex());
        let mut signatures = Vec::new();
        for name in names(&folder, MOST_SIGNATURES)? {
            let path = folder.join(&name);
            let wrong = |what: &str| {
                Err(Failure::Integrity(format!(
                    "{}: {what}. Put the folder back from version control",
                    path.display()
                )))
            };
            let Some(stated) = name.strip_suffix(".sig").and_then(digest_of) else {
                return wrong("this is no name of a signature: 64 hexadecimal digits and `.sig`");
            };
            let Some(bytes) = guarded_read(&path, LONGEST)? else { continue };
            if Digest::of(&bytes) != stated {
                return wrong("the signature's file is not what its name says: it was changed");
            }
            match Signature::parse(&bytes) {
                Ok(signature) => signatures.push(signature),
                Err(fault) => return wrong(&fault.to_string()),
            }
        }
        Ok(signatures)
    }

    /// The digests of everything that has signatures.
    ///
    /// # Errors
    /// When the folder cannot be read; with exit code 5 when something else is in it.
    pub fn signed(&self) -> Result<Vec<Digest>, Failure> {
        let of = |name: String| {
            digest_of(&name).ok_or_else(|| {
                Failure::Integrity(format!(
                    "{}: this is no folder of signatures: its name must be the 64 hexadecimal digits of what is signed",
                    self.folder.join(name).display()
                ))
            })
        };
        names(&self.folder, MOST_FILES)?.into_iter().map(of).collect()
    }

    /// Keeps a signature over the bytes of this digest, and returns where.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn put(&self, signed: Digest, armoured: &[u8]) -> Result<PathBuf, Failure> {
        let name = format!("{}.sig", Digest::of(armoured).hex());
        let path = self.folder.join(signed.hex()).join(name);
        put_new(&path, armoured)?;
        Ok(path)
    }
}

fn digest_of(hex: &str) -> Option<Digest> {
    format!("blake3:{hex}").parse().ok()
}

/// The names in a folder, sorted, without those that begin with a dot: files that are being written. Nothing
/// where there is no folder.
fn names(folder: &Path, most: usize) -> Result<Vec<String>, Failure> {
    let fail = |error| Failure::unreadable(folder, error);
    if !guarded_folder(folder)? {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).map_err(fail)?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(fail)?.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        if names.len() >= most {
            return Err(Failure::Integrity(format!(
                "{}: more than {most} signatures: nobody made so many",
                folder.display()
            )));
        }
        names.push(name);
    }
    names.sort_unstable();
    Ok(names)
}
