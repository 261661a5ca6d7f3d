//! What is found on this machine. Looking changes nothing: no folder is made, and what is written to see
//! whether it can be is gone at once.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use accredit_engine::{CacheConfig, Compiler, Engine, Limits, Machine, Semantics, Settings};

use crate::probe::{SOUND, judges_right};

/// What was found. An absent value could not be found out.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Operating system and processor architecture, as this program was built for.
    pub system: (&'static str, &'static str),
    /// The kernel's release.
    pub kernel: Option<String>,
    /// How many threads can run at one time.
    pub cores: Option<usize>,
    /// Bytes of memory that can be had.
    pub memory: Option<u64>,
    /// Bytes of address space that this process may have; `u64::MAX` where there is no limit.
    pub address_space: Option<u64>,
    /// What the engine makes of the machine, or why there is no engine.
    pub engine: Result<(Machine, Semantics), String>,
    /// Whether an honest grader can be compiled, and how.
    pub compiling: Compiling,
    /// Whether an honest grader is judged right; absent where it could not be compiled.
    pub judged_right: Option<bool>,
    /// The compile cache; none where none is asked for.
    pub cache: Option<Cache>,
    /// Seconds since 1970, by this machine's clock.
    pub now_unix_s: i64,
    /// The moment that this program's file was written.
    pub built_unix_s: Option<i64>,
    /// The limits in force.
    pub limits: Limits,
}

/// How an honest grader was compiled, the cache left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compiling {
    /// In a child process, in this time.
    InChild(Duration),
    /// In this process, unbounded, in this time.
    Here(Duration),
    /// Not at all, and why.
    Failed(String),
    /// There is no engine.
    NotTried,
}

/// The compile cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    /// The folder of artefacts.
    pub folder: Store,
    /// How many files are in it, and their bytes.
    pub holds: Option<(u64, u64)>,
    /// The file of its key.
    pub key: Store,
    /// Bytes of the key.
    pub key_bytes: Option<u64>,
}

/// A file or folder that accredit keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it is there, and is what it should be; none where there is nothing.
    pub is_right_kind: Option<bool>,
    /// Whether it is this user's own; absent where it is not there.
    pub is_ours: Option<bool>,
    /// Its permission bits.
    pub mode: Option<u32>,
    /// Whether something can be written there, or in the nearest folder above that is there.
    pub writable: bool,
}

impl Facts {
    /// Looks at everything.
    #[must_use]
    pub fn gather(settings: &Settings, now_unix_s: i64) -> Self {
        let uncached = Settings { cache: None, ..settings.clone() };
        let engine = Engine::new(&uncached).map_err(|error| error.to_string());
        let (compiling, judged_right) = match &engine {
            Ok(engine) => compile(engine, &settings.compiler),
            Err(_) => (Compiling::NotTried, None),
        };
        Self {
            system: (std::env::consts::OS, std::env::consts::ARCH),
            kernel: read("/proc/sys/kernel/osrelease").map(|text| text.trim().to_owned()),
            cores: std::thread::available_parallelism().ok().map(usize::from),
            memory: memory(),
            address_space: read("/proc/self/limits").and_then(|text| address_space(&text)),
            engine: engine.map(|engine| (engine.machine(), engine.semantics())),
            compiling,
            judged_right,
            cache: settings.cache.as_ref().map(Cache::look),
            now_unix_s,
            built_unix_s: fs::metadata("/proc/self/exe").ok().map(|found| found.mtime()),
            limits: settings.limits.clone(),
        }
    }
}

fn compile(engine: &Engine, compiler: &Compiler) -> (Compiling, Option<bool>) {
    let began = Instant::now();
    let grader = match engine.load(SOUND) {
        Ok(grader) => grader,
        Err(error) => return (Compiling::Failed(error.to_string()), None),
    };
    let took = began.elapsed();
    let compiling = match compiler {
        Compiler::InProcess => Compiling::Here(took),
        Compiler::Child { .. } => Compiling::InChild(took),
    };
    (compiling, Some(judges_right(&grader)))
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// What the kernel calls available, or what is left of this control group's limit, whichever is less.
fn memory() -> Option<u64> {
    let available = read("/proc/meminfo").and_then(|text| available(&text))?;
    let number = |path| read(path).and_then(|text| text.trim().parse::<u64>().ok());
    let limit = number("/sys/fs/cgroup/memory.max");
    let used = number("/sys/fs/cgroup/memory.current").unwrap_or_default();
    Some(limit.map_or(available, |limit| available.min(limit.saturating_sub(used))))
}

/// `MemAvailable` of /proc/meminfo, in bytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The soft limit on address space of /proc/self/limits.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    match line.split_whitespace().next()? {
        "unlimited" => Some(u64::MAX),
        bytes => bytes.parse().ok(),
    }
}

impl Cache {
    fn look(config: &CacheConfig) -> Self {
        Self {
            folder: Store::look(&config.dir, fs::Metadata::is_dir),
            holds: holds(&config.dir),
            key: Store::look(&config.key_file, fs::Metadata::is_file),
            key_bytes: fs::symlink_metadata(&config.key_file).ok().map(|found| found.len()),
        }
    }
}

/// Files in a folder, and their bytes.
fn holds(folder: &Path) -> Option<(u64, u64)> {
    let entries = fs::read_dir(folder).ok()?;
    let sizes = entries.flatten().filter_map(|entry| Some(entry.metadata().ok()?.len()));
    Some(sizes.fold((0, 0), |(files, bytes), size| (files + 1, bytes + size)))
}

impl Store {
    fn look(path: &Path, is_right_kind: fn(&fs::Metadata) -> bool) -> Self {
        let found = fs::metadata(path).ok();
        let us = fs::metadata("/proc/self").ok().map(|found| found.uid());
        let nearest = path.ancestors().find(|above| above.is_dir());
        Self {
            path: path.to_owned(),
            is_right_kind: found.as_ref().map(is_right_kind),
            is_ours: found.as_ref().and_then(|found| Some(us? == found.uid())),
            mode: found.as_ref().map(|found| found.mode() & 0o777),
            // A file without a name, gone when it is closed.
            writable: nearest.is_some_and(|folder| tempfile::tempfile_in(folder).is_ok()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_says_is_read() {
        let meminfo = "MemTotal:       16 kB\nMemAvailable:    12 kB\nBuffers: 1 kB\n";
        assert_eq!(available(meminfo), Some(12 * 1024));
        assert_eq!(available("MemTotal: 16 kB\n"), None);
        assert_eq!(available("MemAvailable: many\n"), None);
        let head =
            "Limit                     Soft Limit           Hard Limit           Units     \n";
        for (line, expected) in [
            (
                "Max address space         unlimited            unlimited            bytes",
                Some(u64::MAX),
            ),
            (
                "Max address space         4194304000           unlimited            bytes",
                Some(4_194_304_000),
            ),
            ("Max cpu time              unlimited            unlimited            seconds", None),
            ("Max address space", None),
        ] {
            assert_eq!(address_space(&format!("{head}{line}\n")), expected, "{line}");
        }
    }

    #[test]
    fn looking_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("a/b/cache");
        let store = Store::look(&missing, fs::Metadata::is_dir);
        assert_eq!((store.is_right_kind, store.mode, store.writable), (None, None, true));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
        fs::write(folder.path().join("a"), "file").expect("writes");
        let store = Store::look(&folder.path().join("a"), fs::Metadata::is_dir);
        assert_eq!((store.is_right_kind, store.is_ours), (Some(false), Some(true)));
        assert_eq!(holds(folder.path()), Some((1, 4)));
    }
}
