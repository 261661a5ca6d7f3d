//! Files that a user asks for: as readable as they were, in no other file's place, and whole or not there.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use accredit_tests::bench::{Bench, CHECK, Run};
use accredit_tests::halves::{check, halves};

fn mode(bench: &Bench, name: &str) -> u32 {
    fs::metadata(bench.path(name)).expect("is there").permissions().mode() & 0o777
}

fn set_mode(bench: &Bench, name: &str, mode: u32) {
    fs::set_permissions(bench.path(name), fs::Permissions::from_mode(mode)).expect("sets");
}

#[test]
fn who_may_read_a_file_is_kept_and_a_link_stays_one() {
    let bench = Bench::new();
    halves(&bench);
    check(&bench, "final-answer", &["--out", "left", "-o", "new.txt"]);
    assert_eq!(mode(&bench, "new.txt"), 0o600, "it shows held-out results");
    assert_eq!(mode(&bench, "left/record.jsonl"), 0o600);
    // What an author may see is nobody's secret; a file that is there keeps its readers.
    for (to, flag) in [("report.txt", "-o"), ("copy.jsonl", "--authors-copy")] {
        bench.write(to, "old");
        set_mode(&bench, to, 0o640);
        symlink(bench.path(to), bench.path(&format!("{to}.link"))).expect("links");
        bench.run(&["report", "left", flag, &format!("{to}.link")]);
        let link = fs::symlink_metadata(bench.path(&format!("{to}.link"))).expect("is there");
        assert!(link.is_symlink(), "{flag} replaced a link");
        assert_eq!(mode(&bench, to), 0o640, "{flag}");
        assert!(bench.read(to).len() > 1000, "{flag}");
    }
    // A record with held-out controls is for its owner alone, whatever stood there.
    set_mode(&bench, "left/record.jsonl", 0o644);
    check(&bench, "final-answer", &["--out", "left"]);
    assert_eq!(mode(&bench, "left/record.jsonl"), 0o600);
}

#[test]
fn nothing_takes_the_place_of_what_the_same_command_reads_or_writes() {
    let bench = Bench::sound();
    bench.run(&CHECK);
    let before = bench.files();
    let refused = |args: &[&str]| {
        bench.run(args).exits(2).complains(&["that very file already"]);
        assert!(bench.files() == before, "{args:?} wrote something");
    };
    refused(&["report", "left", "-o", "left/record.jsonl"]);
    refused(&["report", "left", "--policy", "p.toml", "-o", "p.toml"]);
    refused(&["report", "left", "--authors-copy", "new", "-o", "./new"]);
    for output in ["left/record.jsonl", "left/report.json", "g.wasm", "p.toml"] {
        refused(&[&CHECK[..], &["-o", output]].concat());
    }
    // The report of a folder, in another format, stands well beside it.
    bench.run(&["report", "left", "-o", "left/report.txt"]);
    assert!(bench.path("left/report.txt").exists());
}

/// accredit in a shell that lets no file grow beyond so many blocks, of 512 bytes or a KiB.
fn limited(bench: &Bench, blocks: u32, args: &[&str], more: &str) -> Run {
    let command = bench.command(args);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$@\" {more}"), "sh"]);
    shell.arg(command.get_program()).args(command.get_args()).current_dir(bench.path(""));
    shell.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    // It panics where accredit ends by a signal.
    Run::of(shell)
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_of_the_write() {
    let bench = Bench::sound();
    bench.run(&CHECK);
    let record = bench.read("left/record.jsonl");
    let told = |run: Run| run.exits(3).complains(&["error: ", "File too large"]);
    told(limited(&bench, 1024, &[&CHECK[..], &["--repeats", "300"]].concat(), ""));
    assert_eq!(bench.read("left/record.jsonl"), record, "the earlier record is untouched");
    let json = ["report", "left", "--format", "json"];
    told(limited(&bench, 8, &[&json[..], &["-o", "new.json"]].concat(), ""));
    assert!(!bench.path("new.json").exists(), "half a report was left");
    told(limited(&bench, 8, &["report", "left", "--authors-copy", "copy.jsonl"], ""));
    assert!(!bench.path("copy.jsonl").exists(), "half a copy was left");
    told(limited(&bench, 8, &json, "> out.json"));
}
