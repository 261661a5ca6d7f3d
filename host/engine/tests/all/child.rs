//! What a compiling child may do wrong, with the shell in its place. (The real one is tested with the
//! binary that it is part of.)

use std::time::Duration;

use accredit_engine::{CacheConfig, CacheNote, Compiler, Engine, Limits, Settings};

use crate::guest::{Guest, grades};

fn settings(program: &str, args: &[&str]) -> Settings {
    let compiler = Compiler::Child {
        program: program.into(),
        args: args.iter().map(|arg| arg.into()).collect(),
    };
    Settings { compiler, ..Settings::default() }
}

/// What loading says when the child is this script.
fn refusal(script: &str, limits: Limits) -> String {
    let settings = Settings { limits, ..settings("sh", &["-c", script, "child"]) };
    let engine = Engine::new(&settings).expect("an engine");
    // More than a pipe holds: writing it all would wait for a reader.
    let bytes = grades("").items(&format!(r#"(@custom "x" "{}")"#, "x".repeat(200_000))).build();
    let error = engine.load(&bytes).expect_err("no artefact").to_string();
    // The same child that would look, and the same end.
    let looked = engine.inspect(&bytes).expect_err("no answer").to_string();
    assert_eq!(looked.replace("inspect", "compile"), error);
    assert!(error.len() < 5_000, "{} bytes", error.len());
    error
}

#[test]
fn a_child_that_does_not_answer_is_told_from_one_that_cannot() {
    let table = [
        ("exit 7", "ended early, by exit status: 7; it wrote nothing"),
        ("echo oh no >&2; exit 7", "it wrote: oh no"),
        ("printf 'a\\033[31m' >&2", "it wrote: a\\u{1b}[31m"),
        ("cat >&2; head -c 9999999 /dev/zero >&2; exit 3", "exit status: 3"),
        ("kill -9 $$", "the system may be out of memory"),
        ("kill -XCPU $$", "needed more than 10 s"),
        ("echo memory allocation of 9 bytes failed >&2; kill -ABRT $$", "more than 512 MiB"),
        ("kill -SEGV $$", "more than 512 MiB"),
        ("kill -ABRT $$", "SIGABRT"),
        ("echo 'hello there'", "something that is no artefact"),
        // A done reply of three bytes that stops after one.
        ("printf 'd\\3\\0\\0\\0\\0\\0\\0\\0x'; exit 4", "exit status: 4"),
        // Longer than the child's memory.
        ("printf 'd\\0\\0\\0\\0\\0\\0\\0\\1'; cat", "something that is no artefact"),
        // The compiler's own refusal, and a panic.
        ("printf 'c\\4\\0\\0\\0\\0\\0\\0\\0oops'", "could not be compiled: oops"),
        ("printf 'p\\4\\0\\0\\0\\0\\0\\0\\0oops'", "a defect of its own while oops"),
        ("printf 'm\\0\\0\\0\\0\\0\\0\\0\\0'", "more than 512 MiB"),
    ];
    for (script, expected) in table {
        let error = refusal(script, Limits::default());
        assert!(error.contains(expected), "{script}: {error}");
    }
}

#[test]
fn a_child_that_hangs_is_ended_with_all_it_started() {
    let limits = Limits { compile_wall: Duration::from_millis(100), ..Limits::default() };
    // Were one of them left, it would hold the pipes, and this would not return.
    for script in
        ["sleep 999", "sleep 999 & sleep 999 & wait", "exec >&-; sleep 999", "kill -STOP $$"]
    {
        let error = refusal(script, limits.clone());
        assert!(error.contains("needed more than 0.1 s"), "{script}: {error}");
    }
}

#[test]
fn a_child_sees_no_environment() {
    assert!(std::env::vars_os().next().is_some(), "nothing to hide");
    let error = refusal("cat /proc/$$/environ >&2; exit 1", Limits::default());
    assert!(error.contains("it wrote nothing"), "{error}");
}

#[test]
fn a_child_is_told_the_limits() {
    let limits = Limits { compile_memory_bytes: 77 << 20, ..Limits::default() };
    let error = refusal("echo \"$1 $*\" >&2; exit 1", limits);
    assert!(error.contains(" compile-memory-bytes=80740352 "), "{error}");
}

#[test]
fn without_a_child_nothing_is_compiled_and_what_is_cached_runs() {
    let place = tempfile::tempdir().expect("a folder");
    let cache =
        CacheConfig { dir: place.path().join("cache"), key_file: place.path().join("s/key") };
    let cached = |settings: Settings| Settings { cache: Some(cache.clone()), ..settings };
    let broken = cached(settings("accredit-is-not-here", &[]));
    let engine = Engine::new(&broken).expect("an engine");
    let bytes = Guest::default().build();
    let error = engine.load(&bytes).expect_err("not compiled").to_string();
    assert!(error.contains("accredit-is-not-here: the process that compiles"), "{error}");
    // Bytes that are too many are refused before anything is started.
    let error = engine.load(&[]).expect_err("empty").to_string();
    assert!(error.contains("0 bytes"), "{error}");

    let sound = Engine::new(&cached(Settings::default())).expect("an engine");
    assert_eq!(sound.load(&bytes).expect("loads").cache_note(), &CacheNote::Stored);
    // No child is started for what is in the cache.
    assert_eq!(engine.load(&bytes).expect("loads").cache_note(), &CacheNote::Hit);
}
