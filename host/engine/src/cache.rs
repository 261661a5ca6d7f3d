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
use wasmtime::component::Component;

use crate::artefact;
use crate::error::LoadError;

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

/// Takes a component from the cache, or compiles and keeps it.
pub(crate) fn load_or_compile(
    engine: &Engine,
    cache: Option<&CacheConfig>,
    digest: &Digest,
    compile: impl FnOnce() -> Result<Component, LoadError>,
) -> Result<(Component, CacheNote), LoadError> {
    let Some(cache) = cache else { return Ok((compile()?, CacheNote::Off)) };
    let key = match open(cache) {
        Ok(key) => key,
        Err(why) => return Ok((compile()?, CacheNote::Unusable { why })),
    };
    let name = name(engine, digest);
    let path = cache.dir.join(format!("{}.cwasm", blake3::Hash::from_bytes(name).to_hex()));
    let held = read(&path);
    if let Some(component) =
        held.as_deref().and_then(|stored| artefact::open(engine, &key, &name, stored))
    {
        return Ok((component, CacheNote::Hit));
    }
    let component = compile()?;
    let note = match store(cache, &path, &key, &name, &component) {
        Ok(()) if held.is_some() => CacheNote::Replaced,
        Ok(()) => CacheNote::Stored,
        Err(why) => CacheNote::NotStored { why },
    };
    Ok((component, note))
}

/// Makes folder and key where they are missing, and refuses what others could have written.
fn open(cache: &CacheConfig) -> Result<[u8; 32], String> {
    owner::private_dir(&cache.dir)?;
    key::read_or_make(&cache.key_file)
}

/// Largest artefact that is read back: a few times the largest component's machine code.
const LARGEST: u64 = 1 << 30;

fn read(path: &Path) -> Option<Vec<u8>> {
    let found = fs::symlink_metadata(path).ok()?;
    // A link, a pipe or a folder of that name is replaced, not followed.
    if !found.is_file() || found.len() > LARGEST {
        return Some(Vec::new());
    }
    Some(fs::read(path).unwrap_or_default())
}

/// A temporary file beside it, then a rename: another process sees all of it or nothing.
fn store(
    cache: &CacheConfig,
    path: &Path,
    key: &[u8; 32],
    name: &artefact::Name,
    component: &Component,
) -> Result<(), String> {
    let code = component.serialize().map_err(|error| format!("{error:#}"))?;
    let write = || -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&cache.dir)?;
        file.write_all(&artefact::seal(key, name, &code))?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|error| format!("{}: {error}", cache.dir.display()))
}

/// Binds an artefact to the component and to everything that shapes its machine code, CPU features
/// included. Never part of a record.
fn name(engine: &Engine, digest: &Digest) -> artefact::Name {
    let mut codegen = CodegenHasher(blake3::Hasher::new());
    std::hash::Hash::hash(&engine.precompile_compatibility_hash(), &mut codegen);
    *Digest::of_parts([digest.as_bytes().as_slice(), codegen.0.finalize().as_bytes()]).as_bytes()
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
