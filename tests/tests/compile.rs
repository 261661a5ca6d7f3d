//! Compilation is contained: what takes the compiler too long, or too much memory, is refused, the next
//! grader is judged as ever, and nothing outlives the run.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use accredit_tests::bench::{Bench, Run};
use accredit_tests::guest::Guest;
use accredit_tests::shipped;

const CASE: &str = "task = \"3 x 6?\"\noutput = \"It is 18.\"\nreference = \"18\"\n";
const RUN: [&str; 4] = ["run", "g.wasm", "--case", "case.toml"];

/// More than is needed where the other limit is the one to be met.
const MUCH_TIME: [&str; 2] = ["--compile-seconds", "3600"];
const MUCH_MEMORY: [&str; 2] = ["--compile-memory-mib", "8192"];

/// A bench with a case and a grader that has these items in its module.
fn bench(items: String) -> Bench {
    let bench = Bench::new();
    bench.write("case.toml", CASE);
    bench.write("g.wasm", Guest { items, ..Guest::default() }.build());
    bench
}

fn run(bench: &Bench, more: &[&str]) -> Run {
    bench.run(&[&RUN[..], more].concat())
}

/// A function of many blocks, each of which may or may not set one of many locals: at each join, any of
/// them may hold either value.
fn blocks_by_locals(blocks: usize, locals: usize) -> String {
    let mut text = format!("(func (param i32) (result i32) (local {})", "i32 ".repeat(locals));
    for block in 0..blocks {
        let set = format!("(local.set {} (i32.const {block}))", 1 + block % locals);
        write!(text, "(if (local.get 0) (then {set}))").expect("a string takes it");
    }
    let sum = (1..=locals).map(|local| format!("(local.get {local}) i32.add "));
    text + "i32.const 0 " + &sum.collect::<String>() + ")"
}

/// Loops in loops, each of which counts a local of its own.
fn nested_loops(depth: usize) -> String {
    let mut text = format!("(func (param i32) (local {})", "i32 ".repeat(depth));
    for local in 1..=depth {
        write!(text, "loop (local.set {local} (i32.add (local.get {local}) (local.get 0))) ")
            .expect("a string takes it");
    }
    text + &"(br_if 0 (local.get 0)) end ".repeat(depth) + ")"
}

/// Branches over the same many targets, again and again.
fn branch_tables(tables: usize, targets: usize) -> String {
    let branch = format!("(block (block (br_table {} (local.get 0))))", "0 1 ".repeat(targets / 2));
    format!("(func (param i32) {})", branch.repeat(tables))
}

/// Functions that do little.
fn functions(count: usize) -> String {
    "(func (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))".repeat(count)
}

#[test]
fn a_component_that_blows_up_the_compiler_is_refused_and_the_next_is_judged() {
    let time = [&["--compile-seconds", "1"][..], &MUCH_MEMORY].concat();
    let memory = [&["--compile-memory-mib", "128"][..], &MUCH_TIME].concat();
    let (too_long, too_much) =
        ("compiling needed more than 1 s", "compiling needed more than 128 MiB of memory");
    let table = [
        (nested_loops(2_000), &time, [too_long, "--compile-seconds"]),
        (functions(100_000), &time, [too_long, "--compile-seconds"]),
        (blocks_by_locals(20_000, 5_000), &memory, [too_much, "--compile-memory-mib"]),
        (branch_tables(10, 50_000), &memory, [too_much, "--compile-memory-mib"]),
    ];
    for (items, limits, expected) in table {
        let bench = bench(items);
        assert!(fs::metadata(bench.path("g.wasm")).expect("there").len() < 1_000_000);
        bench.refuses(&[&RUN[..], limits].concat(), &expected);
        bench.write("g.wasm", fs::read(shipped("lenient-answer")).expect("reads"));
        let next = run(&bench, &[]).exits(0);
        next.shows(&["pass  lenient-answer"]);
        assert_eq!(next.stderr, "");
    }
}

/// The one child of a process, when it has bounded itself: its id, and `/proc/ID/limits`.
fn bounded_child(parent: u32) -> (String, String) {
    loop {
        let children = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
        let child = children.expect("the parent lives").trim().to_owned();
        // Nothing to read while there is no child, and before it has become what it will be.
        let limits = fs::read_to_string(format!("/proc/{child}/limits")).unwrap_or_default();
        if limits.lines().any(|line| bound(line) == Some(("Max open files", "3"))) {
            return (child, limits);
        }
        thread::yield_now();
    }
}

/// The name and the soft limit of a line of `/proc/ID/limits`.
fn bound(line: &str) -> Option<(&str, &str)> {
    let (name, values) = (line.get(..26)?, line.get(26..)?);
    Some((name.trim(), values.split_whitespace().next()?))
}

#[test]
fn the_child_is_bounded_sees_nothing_and_ends_with_its_parent() {
    let bench = bench(nested_loops(5_000));
    let limits = ["--compile-seconds", "3599", "--compile-memory-mib", "8192"];
    let command = bench.command(&[&RUN[..], &limits].concat());
    // Descriptor 9 is a pipe that everything started from here holds open as long as it lives.
    let mut parent = Command::new("sh")
        .args(["-c", "exec \"$@\" 9>&1 >&2", "sh"])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(bench.path(""))
        .env("ACCREDIT_CACHE", "off")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let (child, limits) = bounded_child(parent.id());
    let bounds = [
        ("Max address space", (8192_u64 << 20).to_string()),
        ("Max cpu time", "3600".to_owned()),
        ("Max core file size", "0".to_owned()),
        ("Max file size", "0".to_owned()),
    ];
    for (name, expected) in bounds {
        let found = limits.lines().filter_map(bound).find(|(found, _)| *found == name);
        assert_eq!(found, Some((name, expected.as_str())), "{limits}");
    }
    let environment = fs::read(format!("/proc/{child}/environ")).expect("the child lives");
    assert_eq!(String::from_utf8_lossy(&environment), "");

    parent.kill().expect("kill -9");
    let mut held = parent.stdout.take().expect("piped");
    let (sender, ended) = channel();
    thread::spawn(move || sender.send(io::copy(&mut held, &mut io::sink())));
    let ended = ended.recv_timeout(Duration::from_secs(60));
    parent.wait().expect("waited for");
    ended.expect("the child has outlived its parent").expect("reads");
}

#[test]
fn the_child_is_no_command_for_people() {
    let bench = Bench::new();
    assert!(!bench.run(&["--help"]).exits(0).stdout.contains("compile-child"));
    for args in [&["compile-child"][..], &["compile-child", "compile", "parent=1"]] {
        bench.refuses(args, &["nothing to run by hand"]);
    }
}

#[test]
fn where_to_compile_can_be_said() {
    let bench = Bench::with_cold_cache();
    bench.write("case.toml", CASE);
    bench.write("g.wasm", Guest::default().build());
    let run = |value: &str| {
        let mut command = bench.command(&RUN);
        command.env("ACCREDIT_COMPILE", value);
        Run::of(command)
    };
    let cached = || fs::read_dir(bench.path("home/cache/accredit")).expect("a cache").count();
    // What one makes the other takes from the cache.
    for value in ["in-process", "child", ""] {
        run(value).exits(0).shows(&["pass  made-up"]);
        assert_eq!(cached(), 1, "{value}");
    }
    run("elsewhere").exits(2).complains(&["ACCREDIT_COMPILE is `elsewhere`", "in-process"]);
}

#[test]
fn without_a_child_nothing_is_compiled_unless_the_user_says_so() {
    let bench = bench(String::new());
    // Three pipes have six ends.
    let run = |compile: &str| {
        let command = bench.command(&RUN);
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -n 5; exec \"$@\"", "sh"]);
        shell.arg(command.get_program()).args(command.get_args()).current_dir(bench.path(""));
        shell.env("ACCREDIT_CACHE", "off").env("ACCREDIT_COMPILE", compile);
        Run::of(shell)
    };
    let refused = run("child").exits(3);
    refused.complains(&["could not be started", "ACCREDIT_COMPILE=in-process"]);
    assert_eq!(refused.stdout, "");
    run("in-process").exits(0).shows(&["pass  made-up"]);
}

#[test]
fn limits_that_decide_are_part_of_a_record_and_others_are_not() {
    let bench = Bench::sound();
    let digest = |more: &[&str]| {
        let check = ["check", "g.wasm", "--controls", "set", "--policy", "p.toml"];
        let run = bench.run(&[&check[..], &["--repeats", "1", "--format", "json"], more].concat());
        let report = run.json();
        report["digests"]["semantics"].as_str().expect("a digest").to_owned()
    };
    let shipped = digest(&[]);
    for same in
        [["--compile-seconds", "60"], ["--compile-memory-mib", "600"], ["--wall-seconds", "60"]]
    {
        assert_eq!(digest(&same), shipped, "{same:?}");
    }
    for other in [["--fuel", "999999999"], ["--memory-mib", "65"]] {
        assert_ne!(digest(&other), shipped, "{other:?}");
    }
}
