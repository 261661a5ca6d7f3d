//! Compiled components kept between processes: never worse than no cache.
//!
//! Whatever is wrong with the cache, loading goes on by compiling, and a [`CacheNote`] says what was wrong.

mod key;
mod owner;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use accredit_core::id::Digest;
use wasmtime::Engine;

use crate::artefact::{Code, Name};
use crate::contract::WIT;

/// Where compiled components are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheConfig {
    /// The folder of artefacts. Made when it is missing; may be deleted at any time.
    pub dir: PathBuf,
    /// The file with the key that artefacts are checked by. Made when it is missing; it belongs in the
    /// state folder, never into the cache or a backup of it.
    pub key_file: PathBuf,
}

/// What the cache did for one load, for people to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CacheNote {
    /// No cache was asked for; it was compiled.
    Off,
    /// Taken from the cache.
    Hit,
    /// Compiled, and kept for next time.
    Stored,
    /// Compiled; what the cache held was not made here, or is damaged, and was replaced.
    Replaced,
    /// Compiled, and not kept.
    NotStored {
        /// Why not.
        why: String,
    },
    /// Compiled: the cache is not safe to use.
    Unusable {
        /// What is wrong with it, and what to do.
        why: String,
    },
}

impl CacheNote {
    /// Whether people should be told.
    #[must_use]
    pub fn is_trouble(&self) -> bool {
        matches!(self, Self::Replaced | Self::NotStored { .. } | Self::Unusable { .. })
    }
}

/// Where one component's machine code is kept, if it can be.
pub(crate) enum Shelf<'a> {
    /// No cache was asked for.
    Off,
    /// The cache is not safe to use.
    Unusable(String),
    /// A file of the cache, there or not.
    Slot(Slot<'a>),
}

/// One file of the cache.
pub(crate) struct Slot<'a> {
    dir: &'a Path,
    path: PathBuf,
    key: [u8; 32],
    name: Name,
    /// Whether something was there when it was looked for. (Another process may have put the right thing
    /// there since.)
    held: bool,
}

impl<'a> Shelf<'a> {
    /// The place of a component's code for this engine. Makes folder and key where they are missing, and
    /// refuses what others could have written.
    pub(crate) fn of(engine: &Engine, cache: Option<&'a CacheConfig>, digest: &Digest) -> Self {
        let Some(cache) = cache else { return Self::Off };
        match owner::private_dir(&cache.dir).and_then(|()| key::read_or_make(&cache.key_file)) {
            Err(why) => Self::Unusable(why),
            Ok(key) => {
                let name = name(engine, digest);
                let file = format!("{}.cwasm", blake3::Hash::from_bytes(name).to_hex());
                let path = cache.dir.join(file);
                let held = fs::symlink_metadata(&path).is_ok();
                Self::Slot(Slot { dir: &cache.dir, path, key, name, held })
            }
        }
    }

    /// What is kept there, if it was made here and is whole.
    pub(crate) fn take(&self) -> Option<Code> {
        let Self::Slot(slot) = self else { return None };
        Code::unseal(&slot.key, &slot.name, read(&slot.path)?)
    }

    /// Keeps what was compiled for next time.
    pub(crate) fn put(self, code: &Code) -> CacheNote {
        match self {
            Self::Off => CacheNote::Off,
            Self::Unusable(why) => CacheNote::Unusable { why },
            Self::Slot(slot) => match slot.write(code) {
                Ok(()) if slot.held => CacheNote::Replaced,
                Ok(()) => CacheNote::Stored,
                Err(error) => {
                    CacheNote::NotStored { why: format!("{}: {error}", slot.dir.display()) }
                }
            },
        }
    }
}

impl Slot<'_> {
    /// A temporary file beside it, then a rename: another process sees all of it or nothing.
    fn write(&self, code: &Code) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(self.dir)?;
        file.write_all(&code.seal(&self.key, &self.name))?;
        file.persist(&self.path)?;
        Ok(())
    }
}

/// Largest artefact that is read back: a few times the largest component's machine code.
const LARGEST: u64 = 1 << 30;

/// A plain file of that name. A link, a pipe or a folder is replaced, not followed.
fn read(path: &Path) -> Option<Vec<u8>> {
    let found = fs::symlink_metadata(path).ok()?;
    let plain = found.is_file() && found.len() <= LARGEST;
    plain.then(|| fs::read(path).ok())?
}

/// Binds an artefact to the component, to the contract it was found to keep, and to everything that shapes its
/// machine code, CPU features included. Never part of a record.
fn name(engine: &Engine, digest: &Digest) -> Name {
    let mut codegen = CodegenHasher(blake3::Hasher::new());
    std::hash::Hash::hash(&engine.precompile_compatibility_hash(), &mut codegen);
    let codegen = codegen.0.finalize();
    *Digest::of_parts([digest.as_bytes().as_slice(), codegen.as_bytes(), WIT.as_bytes()]).as_bytes()
}

/// Lets BLAKE3 take what wasmtime hashes of its configuration.
struct CodegenHasher(blake3::Hasher);

impl std::hash::Hasher for CodegenHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Nobody asks for it: the whole hash is taken from the inner hasher.
    fn finish(&self) -> u64 {
        let (first, _) = self
            .0
            .finalize()
            .as_bytes()
            .split_first_chunk::<8>()
            .map_or(([0; 8], ()), |(f, _)| (*f, ()));
        u64::from_le_bytes(first)
    }
}
