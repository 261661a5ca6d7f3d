//! What each fact means, and what to do about it.

use std::path::PathBuf;
use std::time::Duration;

use accredit_engine::{Compiler, Engine, Limits, Machine, Settings};

use super::*;

fn store(path: &str, mode: u32) -> Store {
    Store {
        path: PathBuf::from(path),
        is_right_kind: Some(true),
        is_ours: Some(true),
        mode: Some(mode),
        writable: true,
    }
}

fn sound_cache() -> Cache {
    Cache {
        folder: store("c", 0o700),
        holds: Some((2, 3 << 20)),
        key: store("k", 0o600),
        key_bytes: Some(32),
    }
}

fn sound() -> Facts {
    let settings = Settings { compiler: Compiler::InProcess, ..Settings::default() };
    let semantics = Engine::new(&settings).expect("an engine").semantics();
    Facts {
        system: ("linux", "x86_64"),
        kernel: Some("6.18.0".into()),
        cores: Some(2),
        memory: Some(8 << 30),
        address_space: Some(u64::MAX),
        engine: Ok((machine(true, true), semantics)),
        compiling: Compiling::InChild(Duration::from_millis(50)),
        judged_right: Some(true),
        cache: Some(sound_cache()),
        now_unix_s: 1_800_000_000,
        built_unix_s: Some(1_790_000_000),
        limits: Limits::default(),
    }
}

fn machine(pooled: bool, pagemap_scan: bool) -> Machine {
    Machine { pooled, pagemap_scan, most_jobs: 256 }
}

#[test]
fn a_sound_machine_is_ok_throughout() {
    let examination = examine(&sound());
    assert_eq!(examination.status, Status::Ok, "{examination:#?}");
    let fault =
        examination.checks.iter().find(|check| check.cost.is_some() || check.mend.is_some());
    assert_eq!(fault, None, "nothing to do where all is well");
    let names: Vec<_> = examination.checks.iter().map(|check| check.check).collect();
    let expected = [
        "platform",
        "kernel",
        "cores",
        "memory",
        "engine",
        "pool",
        "pagemap_scan",
        "compiling",
        "judging",
        "cache",
        "cache key",
        "clock",
        "limits",
    ];
    assert_eq!(names, expected);
}

type Change = fn(&mut Facts);

/// What is looked at, what it must be, what the mend must name, and the change that makes it so.
const FAULTS: [(&str, Status, &str, Change); 23] = [
    ("platform", Status::Degraded, "x86-64", |it| it.system = ("linux", "aarch64")),
    ("platform", Status::Broken, "Linux", |it| it.system = ("macos", "aarch64")),
    ("kernel", Status::Degraded, "mount /proc", |it| it.kernel = None),
    ("memory", Status::Degraded, "--compile-memory-mib", |it| it.memory = Some(100 << 20)),
    ("memory", Status::Degraded, "mount /proc", |it| it.memory = None),
    ("pool", Status::Degraded, "ulimit -v", |it| set_machine(it, machine(false, true))),
    ("pagemap_scan", Status::Degraded, "Linux 6.7", |it| set_machine(it, machine(true, false))),
    ("engine", Status::Broken, "see there", |it| it.engine = Err("no thread".into())),
    ("compiling", Status::Degraded, "ACCREDIT_COMPILE", |it| {
        it.compiling = Compiling::Here(Duration::ZERO);
    }),
    ("compiling", Status::Broken, "see there", |it| {
        it.compiling = Compiling::Failed("no process".into());
    }),
    ("compiling", Status::Broken, "ulimit -v", |it| {
        it.address_space = Some(4 << 30);
        it.compiling = Compiling::Failed("no room".into());
    }),
    ("compiling", Status::Broken, "engine", |it| it.compiling = Compiling::NotTried),
    ("judging", Status::Broken, "report it", |it| it.judged_right = Some(false)),
    ("cache", Status::Degraded, "ACCREDIT_CACHE", |it| it.cache = None),
    ("cache", Status::Degraded, "chmod go-w c", |it| {
        set_cache(it, |cache| cache.folder.mode = Some(0o777));
    }),
    ("cache", Status::Degraded, "move c away", |it| {
        set_cache(it, |cache| cache.folder.is_right_kind = Some(false));
    }),
    ("cache", Status::Degraded, "writable", |it| {
        set_cache(it, |cache| cache.folder.writable = false);
    }),
    ("cache key", Status::Degraded, "a place of your own", |it| {
        set_cache(it, |cache| cache.key.is_ours = Some(false));
    }),
    ("cache key", Status::Degraded, "chmod 600 k", |it| {
        set_cache(it, |cache| cache.key.mode = Some(0o640));
    }),
    ("cache key", Status::Degraded, "delete it", |it| {
        set_cache(it, |cache| cache.key_bytes = Some(31));
    }),
    ("clock", Status::Broken, "NTP", |it| it.now_unix_s = 0),
    ("clock", Status::Broken, "NTP", |it| it.now_unix_s = 1_780_000_000),
    ("clock", Status::Broken, "NTP", |it| it.now_unix_s = i64::MAX),
];

#[test]
fn what_is_not_as_it_should_be_says_what_it_costs_and_what_to_do() {
    for (name, status, mend, change) in FAULTS {
        let mut facts = sound();
        change(&mut facts);
        let examination = examine(&facts);
        assert_eq!(examination.status, status, "{name}: {examination:#?}");
        let check =
            examination.checks.iter().find(|check| check.check == name).expect("is looked at");
        assert_eq!(check.status, status, "{check:#?}");
        assert!(check.cost.is_some(), "{check:#?}");
        assert!(check.mend.as_deref().is_some_and(|it| it.contains(mend)), "{mend}: {check:#?}");
    }
}

#[test]
fn what_is_not_there_yet_is_no_fault() {
    let mut facts = sound();
    let missing =
        |path: &str| Store { is_right_kind: None, is_ours: None, mode: None, ..store(path, 0) };
    facts.cache =
        Some(Cache { folder: missing("c"), holds: None, key: missing("k"), key_bytes: None });
    // Written on another machine, whose clock is ahead by an hour.
    facts.built_unix_s = Some(facts.now_unix_s + 3600);
    assert_eq!(examine(&facts).status, Status::Ok);
}

fn set_machine(facts: &mut Facts, machine: Machine) {
    if let Ok(engine) = &mut facts.engine {
        engine.0 = machine;
    }
}

fn set_cache(facts: &mut Facts, change: fn(&mut Cache)) {
    facts.cache.as_mut().map(change);
}
