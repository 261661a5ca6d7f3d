//! `accredit doctor`: what this machine offers, what is missing, what that costs and what to do.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use accredit_tests::bench::{Bench, Run};
use serde_json::Value;

/// The check of this name.
fn check(examination: &Value, name: &str) -> Value {
    let checks = examination["checks"].as_array().expect("a list");
    checks
        .iter()
        .find(|it| it["check"] == name)
        .unwrap_or_else(|| panic!("{name}: {checks:#?}"))
        .clone()
}

#[test]
fn a_machine_that_can_run_the_tests_is_not_broken() {
    let bench = Bench::with_cold_cache();
    let run = bench.run(&["doctor"]).exits(0);
    run.shows(&[
        "platform",
        "kernel",
        "pagemap_scan",
        "compiling",
        "in a bounded child process",
        "wasmtime ",
    ]);
    run.shows(&[
        "not there yet; it is made when it is first needed",
        "fuel 1000000000 units a trial",
    ]);
    assert!(!run.stdout.contains("broken"), "{run:#?}");
    assert!(bench.files().is_empty() && !bench.path("home").exists(), "looking has made something");

    let shown = bench.run(&["doctor", "--format", "json"]).exits(0).json();
    for name in
        ["platform", "cores", "memory", "engine", "pool", "judging", "cache", "cache key", "clock"]
    {
        let check = check(&shown, name);
        assert_ne!(check["status"], "broken", "{check:#}");
        assert_eq!(check["status"] == "ok", check.get("mend").is_none(), "{check:#}");
        assert_eq!(check["status"] == "ok", check.get("cost").is_none(), "{check:#}");
    }
}

#[test]
fn the_environment_can_make_it_slower_and_the_doctor_says_so() {
    for (name, value, what, found) in [
        ("ACCREDIT_CACHE", "off", "cache", "none"),
        ("ACCREDIT_COMPILE", "in-process", "compiling", "in this process"),
    ] {
        let bench = Bench::new();
        let mut command = bench.command(&["doctor", "--format", "json"]);
        command.env(name, value);
        let shown = Run::of(command).exits(0).json();
        let check = check(&shown, what);
        assert_eq!((&check["status"], &shown["status"]), (&"degraded".into(), &"degraded".into()));
        assert!(check["found"].as_str().is_some_and(|it| it.starts_with(found)), "{check:#}");
        assert!(check["mend"].as_str().is_some_and(|it| it.contains(name)), "{check:#}");
    }
}

#[test]
fn a_cache_that_others_can_write_to_is_told() {
    let bench = Bench::with_cold_cache();
    let cache = bench.path("home/cache/accredit");
    fs::create_dir_all(&cache).expect("makes the folder");
    fs::set_permissions(&cache, Permissions::from_mode(0o777)).expect("sets the mode");
    let run = bench.run(&["doctor"]).exits(0);
    run.shows(&[
        "degraded  cache ",
        "others can write",
        &format!("chmod go-w {}", cache.display()),
    ]);
}

/// The doctor in a shell that allows so many KiB of address space.
fn doctor_within(kib: u64) -> Run {
    let bench = Bench::new();
    let accredit = bench.command(&["doctor", "--format", "json"]);
    let mut limited = Command::new("sh");
    limited.arg("-c").arg(format!("ulimit -v {kib} && exec \"$0\" \"$@\""));
    limited.arg(accredit.get_program()).args(accredit.get_args()).env_clear();
    limited.envs(accredit.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Run::of(limited)
}

#[test]
fn a_limit_on_address_space_makes_it_slower_or_breaks_it() {
    const GIB: u64 = 1 << 20;
    let pool = check(&doctor_within(64 * GIB).exits(0).json(), "pool");
    assert_eq!(pool["status"], "degraded", "{pool:#}");
    assert!(
        pool["found"].as_str().is_some_and(|it| it.ends_with("limited to 65536 MiB")),
        "{pool:#}"
    );
    // Not even one trial has room.
    let compiling = check(&doctor_within(4 * GIB).exits(3).json(), "compiling");
    assert_eq!(compiling["status"], "broken", "{compiling:#}");
    assert!(
        compiling["mend"].as_str().is_some_and(|it| it.contains("ulimit -v unlimited")),
        "{compiling:#}"
    );
}

#[test]
fn where_nothing_can_be_compiled_it_is_broken() {
    let run = Bench::new().run(&["doctor", "--compile-memory-mib", "1"]).exits(3);
    run.shows(&["broken    compiling", "nothing that is evaluated here can be relied on"]);
}
