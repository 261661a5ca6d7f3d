//! Graders that misbehave, one a folder in tests/hostile, each with the outcome it must get beside it.
//! After each the host is up, within its budget, and judges an honest grader right.

mod component;
mod folder;
mod generate;
mod judge;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use accredit_tests::bench::Bench;
use accredit_tests::shipped;

use folder::{Expected, Folder};
use judge::Host;

/// The most that the process may hold more after all of them than before: 512 MiB. Components of tens of
/// megabytes come and go, the allocator keeps what it likes, and the other test runs beside this one; a
/// host that kept the memory of even one bomb in ten would be far above it.
const MOST_GROWTH_KIB: u64 = 512 << 10;

/// The name of one folder, to judge only that one.
const ONLY: &str = "ACCREDIT_HOSTILE";

fn chosen() -> Vec<Folder> {
    let only = std::env::var(ONLY).ok();
    let is_chosen = |folder: &Folder| only.as_ref().is_none_or(|only| *only == folder.name);
    let chosen: Vec<_> = Folder::all().into_iter().filter(is_chosen).collect();
    assert!(!chosen.is_empty(), "{ONLY}={only:?}: no such folder in tests/hostile");
    chosen
}

#[test]
fn every_hostile_grader_ends_as_its_folder_says() {
    let honest = fs::read(shipped("lenient-answer")).expect("reads");
    let host = Host::new(&folder::case(), &honest);
    assert_eq!(host.honest_is_judged_right(), None, "before any other");
    let before = resident_kib();
    let mut failures = Vec::new();
    for folder in &chosen() {
        let problems = catch_unwind(AssertUnwindSafe(|| host.judge(folder)))
            .map_or_else(|_| vec!["the host panicked".to_owned()], |problems| problems.0);
        failures.extend(
            problems.iter().map(|problem| {
                format!("{}: {}\n    ({})", folder.name, problem, folder.expect.what)
            }),
        );
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
    let grown = resident_kib().saturating_sub(before);
    assert!(grown < MOST_GROWTH_KIB, "the process holds {grown} KiB more than before");
}

#[test]
fn what_a_user_sees_of_their_words_is_tame() {
    let speaks = |folder: &Folder| folder.expect.through_binary;
    let speakers: Vec<_> = Folder::all().into_iter().filter(speaks).collect();
    assert!(speakers.len() >= 10, "{} folders with `through_binary`", speakers.len());
    let bench = Bench::new();
    bench.write("case.json", fs::read(folder::home().join("case.json")).expect("reads"));
    for folder in speakers {
        bench.write("g.wasm", folder.component());
        let run = ["run", "g.wasm", "--case", "case.json"];
        let (code, key) = match folder.expect.outcome {
            Expected::Graded => (0, "graded"),
            Expected::Refused => (3, "refused"),
            Expected::Fault => (3, "fault"),
            Expected::LoadError => (2, ""),
        };
        bench.on_terminal(&run).exits(code).is_tame();
        let json = bench.run(&[&run[..], &["--format", "json"]].concat()).exits(code);
        json.is_tame();
        if code != 2 {
            assert!(json.json()["outcome"].get(key).is_some(), "{}: {json:#?}", folder.name);
        }
    }
}

/// Resident memory of this process.
fn resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
