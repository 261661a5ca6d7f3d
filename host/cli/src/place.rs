//! Where accredit keeps its own files, and how components are read.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use accredit_engine::{CacheConfig, CacheNote, Compiler, Engine, Grader, Limits, Settings};

use crate::failure::Failure;
use crate::terminal;

/// The compile cache: artefacts in the cache folder, its key in the state folder. None where the
/// environment names no home, or `ACCREDIT_CACHE=off`.
fn cache() -> Option<CacheConfig> {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if named("ACCREDIT_CACHE").is_some_and(|value| value.as_os_str() == "off") {
        return None;
    }
    let home = || named("HOME");
    let dir = named("XDG_CACHE_HOME").or_else(|| Some(home()?.join(".cache")))?;
    let state = named("XDG_STATE_HOME").or_else(|| Some(home()?.join(".local/state")))?;
    Some(CacheConfig { dir: dir.join("accredit"), key_file: state.join("accredit/cache.key") })
}

/// The name of the hidden subcommand that components are compiled by.
const COMPILE_CHILD: &str = "compile-child";

/// Components are compiled by this same program, in a child that is bounded. Where no child can be started,
/// nothing is compiled, unless `ACCREDIT_COMPILE=in-process` says that this process may do it, unbounded.
fn compiler() -> Result<Compiler, Failure> {
    match env::var_os("ACCREDIT_COMPILE").unwrap_or_default().to_string_lossy().as_ref() {
        // By this name it is the file this process was started from, also when an upgrade has replaced it.
        "" | "child" => Ok(Compiler::Child {
            program: PathBuf::from("/proc/self/exe"),
            args: vec![COMPILE_CHILD.into()],
        }),
        "in-process" => Ok(Compiler::InProcess),
        other => Err(Failure::Usage(format!(
            "ACCREDIT_COMPILE is `{}`: leave it out to compile in a bounded child process, or set it to `in-process` for graders that you made yourself",
            other.escape_debug()
        ))),
    }
}

/// How graders are loaded here.
///
/// # Errors
/// When the environment asks for what there is not.
pub fn settings(limits: Limits, jobs: usize) -> Result<Settings, Failure> {
    Ok(Settings { limits, cache: cache(), compiler: compiler()?, jobs })
}

/// Reads a component once and loads it: what is digested, checked and compiled is one buffer.
///
/// # Errors
/// When the file cannot be read, or is no grader.
pub fn load_grader(path: &Path, limits: Limits, jobs: usize) -> Result<(Engine, Grader), Failure> {
    let bytes = read_bounded(path, limits.component_bytes)?;
    load_bytes(path, &bytes, limits, jobs)
}

/// The same of a component that was read already.
///
/// # Errors
/// When it is no grader.
pub fn load_bytes(
    path: &Path,
    bytes: &[u8],
    limits: Limits,
    jobs: usize,
) -> Result<(Engine, Grader), Failure> {
    let engine = Engine::new(&settings(limits, jobs)?)?;
    let load = |error| Failure::Load { path: path.to_owned(), error: Box::new(error) };
    let grader = engine.load(bytes).map_err(load)?;
    if grader.cache_note().is_trouble() {
        terminal::note(&cache_text(grader.cache_note()));
    }
    Ok((engine, grader))
}

/// What the compile cache did, where people should be told.
pub(crate) fn cache_text(note: &CacheNote) -> String {
    match note {
        CacheNote::Off | CacheNote::Hit | CacheNote::Stored => "the compile cache works".to_owned(),
        CacheNote::Replaced => {
            "the compile cache held something for this grader that was not made here, or is damaged: it was compiled again and replaced".to_owned()
        }
        CacheNote::NotStored { why } => {
            format!("compiled, and not kept for next time: {why}. Results are the same, starts are slower")
        }
        CacheNote::Unusable { why } => {
            format!("the compile cache is not used: {why}. Results are the same, starts are slower")
        }
    }
}

/// Reads a regular file, one byte beyond the limit at most: the loader then says that it is too large.
pub(crate) fn read_bounded(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    use std::io::Read as _;
    let fail = |error| Failure::unreadable(path, error);
    // Looked at before it is opened: opening a pipe waits for a writer.
    let found = fs::metadata(path).map_err(fail)?;
    if !found.is_file() {
        let path = path.display();
        return Err(Failure::Usage(format!("{path}: is no regular file: give a .wasm file")));
    }
    let file = fs::File::open(path).map_err(fail)?;
    // Room for one byte more: the end of the file is found without asking for room again.
    let room = usize::try_from(found.len()).unwrap_or(usize::MAX).min(limit).saturating_add(1);
    let mut bytes = Vec::with_capacity(room);
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(fail)?;
    Ok(bytes)
}
