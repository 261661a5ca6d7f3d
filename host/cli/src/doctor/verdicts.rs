//! From facts to checks: a pure function. Each check says what was found, what that costs, what to do.

use super::facts::{Cache, Compiling, Facts, Store};
use super::{Check, Examination, Status};
use crate::bounds::bounds;

/// Bytes of a MiB.
const MIB: u64 = 1 << 20;
/// A clock before 2025 or after 2100 is wrong, whatever it says.
const EARLIEST: i64 = 1_735_689_600;
const LATEST: i64 = 4_102_444_800;
/// Clocks of two machines may differ by so much: a day.
const SLACK: i64 = 86_400;
/// Address space that one trial may need without the pool: 4 GiB and its guards, and this program.
const ONE_TRIAL: u64 = 6 << 30;
/// Bytes of the cache's key.
const KEY: u64 = 32;

/// What these facts mean.
#[must_use]
pub fn examine(facts: &Facts) -> Examination {
    let mut checks = vec![platform(facts), kernel(facts), cores(facts), memory(facts)];
    checks.extend(engine(facts));
    checks.push(compiling(facts));
    checks.extend(facts.judged_right.map(judging));
    checks.extend(cache(facts.cache.as_ref()));
    checks.push(clock(facts));
    checks.push(limits(facts));
    let status = checks.iter().map(|check| check.status).max().unwrap_or(Status::Broken);
    Examination { status, checks }
}

fn platform(facts: &Facts) -> Check {
    let found = format!("{} on {}", facts.system.0, facts.system.1);
    match facts.system {
        ("linux", "x86_64") => Check::ok("platform", found),
        ("linux", "aarch64") => Check::degraded(
            "platform",
            found,
            "records are the same, as far as is known; it is not what releases are tested on",
            "decide promotions on x86-64",
        ),
        _ => Check::broken(
            "platform",
            found,
            "the sandbox is not made for it",
            "use Linux on x86-64 or aarch64",
        ),
    }
}

fn kernel(facts: &Facts) -> Check {
    match &facts.kernel {
        Some(release) => Check::ok("kernel", release.clone()),
        None => Check::degraded(
            "kernel",
            "its release cannot be read",
            "nothing; but where /proc is hidden, other checks here see less too",
            "mount /proc",
        ),
    }
}

fn cores(facts: &Facts) -> Check {
    let found = facts.cores.map_or("not known".to_owned(), |cores| cores.to_string());
    Check::ok("cores", found)
}

/// Enough for one compilation and one trial at their limits.
fn memory(facts: &Facts) -> Check {
    let limits = &facts.limits;
    let wanted = limits.compile_memory_bytes.saturating_add(limits.memory_bytes as u64);
    match facts.memory {
        Some(bytes) if bytes >= wanted => {
            Check::ok("memory", format!("{} MiB available", bytes / MIB))
        }
        Some(bytes) => Check::degraded(
            "memory",
            format!("{} MiB available", bytes / MIB),
            format!(
                "compiling and a trial may take {} MiB: a grader could be refused here that loads elsewhere, and \
                     a trial that finds no memory makes its run unfit to promote",
                wanted / MIB
            ),
            "free some, or lower --compile-memory-mib and --memory-mib",
        ),
        None => Check::degraded(
            "memory",
            "not known",
            "it may not be enough",
            "mount /proc, and run this again",
        ),
    }
}

fn engine(facts: &Facts) -> Vec<Check> {
    let (machine, semantics) = match &facts.engine {
        Ok(engine) => engine,
        Err(why) => {
            return vec![Check::broken("engine", why.clone(), "nothing can be run", "see there")];
        }
    };
    let space = match facts.address_space {
        None => "address space: not known".to_owned(),
        Some(u64::MAX) => "address space without limit".to_owned(),
        Some(bytes) => format!("address space limited to {} MiB", bytes / MIB),
    };
    let pool = if machine.pooled {
        Check::ok("pool", format!("memory is recycled between trials; {space}"))
    } else {
        Check::degraded(
            "pool",
            format!("memory is mapped anew for each trial; {space}"),
            "a trial costs two to four times as much; results are the same",
            "lift the limit (`ulimit -v unlimited`), and keep --memory-mib at 1024 or less",
        )
    };
    let scan = if machine.pagemap_scan {
        Check::ok("pagemap_scan", "the kernel tells which pages a trial touched")
    } else {
        Check::degraded(
            "pagemap_scan",
            "the kernel does not tell which pages a trial touched",
            "a trial costs about twice as much; results are the same",
            "use Linux 6.7 or later, and let the container allow ioctl on /proc/self/pagemap",
        )
    };
    let engine = format!(
        "wasmtime {}, semantics {}; {} trials at one time at most",
        semantics.wasmtime, semantics.fingerprint, machine.most_jobs
    );
    vec![Check::ok("engine", engine), pool, scan]
}

fn compiling(facts: &Facts) -> Check {
    match &facts.compiling {
        Compiling::InChild(took) => {
            Check::ok("compiling", format!("in a bounded child process; {} ms", took.as_millis()))
        }
        Compiling::Here(took) => Check::degraded(
            "compiling",
            format!("in this process; {} ms", took.as_millis()),
            "nothing bounds what a hostile component makes the compiler do",
            "unset ACCREDIT_COMPILE, unless you made every grader yourself",
        ),
        Compiling::Failed(why) => {
            let mend = match facts.address_space {
                Some(bytes) if bytes < ONE_TRIAL => {
                    "lift the limit on address space (`ulimit -v unlimited`)"
                }
                _ => "see there",
            };
            let cost = "the honest grader that accredit carries does not load here, so no other is sure to";
            Check::broken("compiling", why.clone(), cost, mend)
        }
        Compiling::NotTried => Check::broken(
            "compiling",
            "not tried, for want of an engine",
            "no grader can be loaded",
            "mend the engine first",
        ),
    }
}

fn judging(right: bool) -> Check {
    if right {
        Check::ok("judging", "an honest grader passes what is right and fails what is wrong")
    } else {
        Check::broken(
            "judging",
            "an honest grader was not judged right",
            "no verdict made here can be relied on",
            "raise --fuel and --memory-mib to their defaults; if it stays, report it",
        )
    }
}

fn cache(cache: Option<&Cache>) -> Vec<Check> {
    let Some(cache) = cache else {
        let mend = "unset ACCREDIT_CACHE, and set HOME or XDG_CACHE_HOME and XDG_STATE_HOME";
        return vec![Check::degraded("cache", "none", SLOWER, mend)];
    };
    let contents = match cache.holds {
        Some((files, bytes)) => format!("{files} files, {} MiB", bytes / MIB),
        None => "not there yet; it is made when it is first needed".to_owned(),
    };
    let key = match cache.key_bytes {
        Some(KEY) => "a key of 32 bytes".to_owned(),
        Some(bytes) => format!("{bytes} bytes, which is no key"),
        None => "not there yet; it is made when it is first needed".to_owned(),
    };
    let mut key_check = store("cache key", &cache.key, 0o077, "600", &key);
    if key_check.status == Status::Ok && cache.key_bytes.is_some_and(|bytes| bytes != KEY) {
        let mend = "delete it, and a new one is made";
        key_check = Check::degraded("cache key", key_check.found, SLOWER, mend);
    }
    vec![store("cache", &cache.folder, 0o022, "go-w", &contents), key_check]
}

const SLOWER: &str =
    "graders are compiled again at every start (0.1 s and more); results are the same";

fn store(check: &'static str, store: &Store, forbidden: u32, chmod: &str, contents: &str) -> Check {
    let path = store.path.display();
    let fault = match store {
        Store { is_right_kind: Some(false), .. } => {
            Some(("something else stands in its place", format!("move {path} away")))
        }
        Store { is_ours: Some(false), .. } => {
            Some(("belongs to another user", "use a place of your own".to_owned()))
        }
        Store { mode: Some(mode), .. } if mode & forbidden != 0 => Some((
            "others can write or read it, so it is not used",
            format!("chmod {chmod} {path}"),
        )),
        Store { writable: false, .. } => Some((
            "cannot be written to",
            "make it writable, or set XDG_CACHE_HOME and XDG_STATE_HOME".to_owned(),
        )),
        _ => None,
    };
    match fault {
        None => Check::ok(check, format!("{path}: {contents}")),
        Some((what, mend)) => Check::degraded(check, format!("{path}: {what}"), SLOWER, mend),
    }
}

fn clock(facts: &Facts) -> Check {
    let now = facts.now_unix_s;
    let earliest = facts.built_unix_s.unwrap_or_default().saturating_sub(SLACK).max(EARLIEST);
    let found = jiff::Timestamp::from_second(now).map_or("no time".to_owned(), |at| at.to_string());
    let wrong = match now {
        _ if now < EARLIEST => "before 2025",
        _ if now < earliest => "before this program was built",
        _ if now > LATEST => "after 2100",
        _ => return Check::ok("clock", found),
    };
    Check::broken(
        "clock",
        format!("{found}, {wrong}"),
        "whether a verification is fresh, or a sign-off has run out, is judged by it",
        "set the clock, and keep it set (NTP)",
    )
}

/// Those that an option sets; `inspect` lists the rest.
fn limits(facts: &Facts) -> Check {
    let rows = bounds(&facts.limits).into_iter().filter(|bound| bound.option.is_some());
    let rows: Vec<_> =
        rows.map(|bound| format!("{} {} {}", bound.limit, bound.amount, bound.unit)).collect();
    Check::ok("limits", rows.join("; "))
}

#[cfg(test)]
#[path = "verdicts_tests.rs"]
mod tests;
