//! A compile cache that is corrupt, planted, read-only, full or shared is never worse than none.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use accredit_tests::bench::{Bench, Run};
use accredit_tests::guest::{Answer, Guest};

const RUN: [&str; 4] = ["run", "g.wasm", "--case", "case.toml"];
const COMPILED_AGAIN: &str = "it was compiled again and replaced";
const NOT_KEPT: &str = "not kept for next time";

/// A grader that says this of every case.
fn guest(says: &str) -> Vec<u8> {
    Guest { answer: Answer::Pass(says.into(), None), ..Guest::default() }.build()
}

/// A bench with a case, a grader and nothing cached.
fn bench() -> Bench {
    let bench = Bench::with_cold_cache();
    bench.write("case.toml", "output = \"It is 18.\"\n");
    bench.write("g.wasm", guest("honest words"));
    bench
}

/// Judges the case, which must come out as ever, and says this on standard error.
#[track_caller]
fn judged(run: Run, note: &str) {
    let run = run.exits(0);
    run.shows(&["pass  made-up", "honest words"]);
    match note {
        "" => assert_eq!(run.stderr, ""),
        _ => run.complains(&[note]),
    }
}

/// The files of the cache.
fn artefacts(bench: &Bench) -> Vec<PathBuf> {
    let entries = fs::read_dir(bench.path("home/cache/accredit")).expect("a cache");
    let mut found: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    found.sort();
    found
}

/// The one file of the cache.
fn artefact(bench: &Bench) -> PathBuf {
    let mut found = artefacts(bench);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// What another bench's cache holds for a grader that says something else.
fn sealed_elsewhere(says: &str) -> Vec<u8> {
    let other = bench();
    other.write("g.wasm", guest(says));
    let _ = other.run(&RUN).exits(0);
    fs::read(artefact(&other)).expect("reads")
}

#[test]
fn what_is_corrupt_or_planted_is_not_run() {
    let bench = bench();
    judged(bench.run(&RUN), "");
    let path = artefact(&bench);
    let good = fs::read(&path).expect("reads");
    let own = fs::metadata(&path).expect("there").permissions();
    assert_eq!(own.mode() & 0o077, 0, "others could read or write it");
    let bent_at = |at: usize| {
        let mut bent = good.clone();
        bent[at] ^= 1;
        bent
    };
    // Sealed here, but for another grader.
    bench.write("g.wasm", guest("other words"));
    let _ = bench.run(&RUN).exits(0);
    let others = artefacts(&bench).into_iter().find(|other| *other != path).expect("two");
    let for_another = fs::read(others).expect("reads");
    bench.write("g.wasm", guest("honest words"));
    let table = [
        ("empty", Vec::new()),
        ("cut", good[..good.len() / 2].to_vec()),
        ("another hash", bent_at(30)),
        ("other code", bent_at(good.len() / 2)),
        ("code without a hash", good[52..].to_vec()),
        ("no artefact", b"#!/bin/sh\n".to_vec()),
        ("sealed for another grader", for_another),
        ("sealed for this grader with another key", sealed_elsewhere("honest words")),
        ("sealed for another grader with another key", sealed_elsewhere("planted words")),
    ];
    for (what, planted) in table {
        fs::write(&path, planted).expect("plants");
        judged(bench.run(&RUN), COMPILED_AGAIN);
        judged(bench.run(&RUN), "");
        assert_eq!(fs::read(&path).expect("reads").len(), good.len(), "{what}");
    }
}

#[test]
fn a_key_that_came_with_the_cache_is_not_the_key() {
    // Whoever can write the cache and not the state folder cannot seal anything.
    let bench = bench();
    judged(bench.run(&RUN), "");
    fs::remove_file(bench.path("home/state/accredit/cache.key")).expect("removes");
    judged(bench.run(&RUN), COMPILED_AGAIN);
    judged(bench.run(&RUN), "");
}

#[test]
fn a_cache_that_cannot_be_written_is_no_hindrance() {
    let bench = bench();
    judged(bench.run(&RUN), "");
    let path = artefact(&bench);
    // Not even by a privileged user.
    fs::remove_file(&path).expect("removes");
    fs::create_dir_all(path.join("in the way")).expect("makes");
    judged(bench.run(&RUN), NOT_KEPT);
    fs::remove_dir_all(&path).expect("removes");
    let folder = path.parent().expect("in the cache");
    let mode = |mode| fs::set_permissions(folder, fs::Permissions::from_mode(mode)).expect("sets");
    mode(0o500);
    let read_only = fs::File::create(folder.join("x")).is_err();
    judged(bench.run(&RUN), if read_only { NOT_KEPT } else { "" });
    mode(0o777);
    judged(bench.run(&RUN), "the compile cache is not used");
    mode(0o700);
    // A file where the folder should be.
    fs::remove_dir_all(folder).expect("removes");
    fs::write(folder, "").expect("writes");
    judged(bench.run(&RUN), "is not a folder");
}

/// accredit under a shell that first does this.
fn after(bench: &Bench, first: &str) -> Run {
    let command = bench.command(&RUN);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{first}; exec \"$@\""), "sh"]);
    shell.arg(command.get_program()).args(command.get_args()).current_dir(bench.path(""));
    shell.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Run::of(shell)
}

#[test]
fn a_full_disk_is_no_hindrance() {
    // No file beyond 64 or 128 KiB, by the shell: further writes fail, as on a full disk.
    let full = "ulimit -f 128";
    let bench = bench();
    let items =
        "(func (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))".repeat(2_000);
    let answer = Answer::Pass("honest words".into(), None);
    bench.write("g.wasm", Guest { items, answer, ..Guest::default() }.build());
    judged(after(&bench, full), NOT_KEPT);
    assert!(artefacts(&bench).is_empty(), "half an artefact was left");
    judged(bench.run(&RUN), "");
    assert!(fs::metadata(artefact(&bench)).expect("there").len() > 1 << 17);
    judged(after(&bench, full), "");
}

#[test]
fn runs_that_start_at_once_share_a_cold_cache() {
    let bench = bench();
    let children: Vec<_> = (0..4)
        .map(|_| {
            let mut command = bench.command(&RUN);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().expect("starts")
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().expect("ends");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        assert!(output.status.success() && stdout.contains("honest words"), "{stdout} {stderr}");
        assert_eq!(stderr, "");
    }
    artefact(&bench);
    judged(bench.run(&RUN), "");
}
