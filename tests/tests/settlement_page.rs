//! The page `host/cli/docs/settlement.md`, run from its top to its end: its files, its commands, what they print.

use std::process::Command;

use accredit_tests::bench::Run;
use accredit_tests::settling::{DAY, from_now, register_at};
use accredit_tests::story::Story;
use accredit_tests::{accredit, repository};

/// The horizon on the page: a day that is ahead until time passes, and past from then on.
const HORIZON: &str = "2026-12-31T00:00:00Z";

/// What the page is made of.
enum Part {
    /// A file, and what it holds.
    File(String, String),
    /// A command, its exit code, and what it prints.
    Command(String, i32, Vec<String>),
    /// From here on the horizon is past.
    TimePasses,
}

fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line == "<!-- time passes -->" {
            parts.push(Part::TimePasses);
        }
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split_once(' ') {
            Some((_, file)) => {
                parts.push(Part::File(file.to_owned(), block.join("\n") + "\n"));
            }
            None if info == "console" => parts.extend(commands(&block)),
            None => {}
        }
    }
    parts
}

fn commands(block: &[&str]) -> Vec<Part> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push((command.to_owned(), Vec::new())),
            (None, Some((command, printed))) if printed.is_empty() && command.ends_with('\\') => {
                command.pop();
                command.push_str(line.trim_start());
            }
            (None, Some((_, printed))) => printed.push((*line).to_owned()),
            (None, None) => panic!("{line}: output of no command"),
        }
    }
    let part = |(command, printed): (String, Vec<String>)| {
        let (command, exit) = command.split_once("    # exit ").unwrap_or((&command, "0"));
        Part::Command(command.to_owned(), exit.parse().expect("an exit code"), printed)
    };
    found.into_iter().map(part).collect()
}

/// Whether these are the lines: `…` within one stands for any text, and alone for any lines.
fn fits(expected: &[String], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((any, rest)) if any == "…" => {
            (0..=printed.len()).any(|skipped| fits(rest, &printed[skipped..]))
        }
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, others)| fits_line(line, first) && fits(rest, others)),
    }
}

fn fits_line(expected: &str, printed: &str) -> bool {
    match expected.split_once('…') {
        None => expected == printed,
        Some((before, after)) => printed.strip_prefix(before).is_some_and(|rest| {
            let starts = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            starts.into_iter().any(|at| fits_line(after, &rest[at..]))
        }),
    }
}

#[test]
fn the_page_is_what_happens() {
    let Some(story) = Story::promoted() else { return };
    let page = repository().join("host/cli/docs/settlement.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let mut horizon = from_now(DAY).to_string();
    let dated = |text: &str, horizon: &str| {
        text.replace(HORIZON, horizon).replace(&HORIZON[..10], &horizon[..10])
    };
    let (mut commands, mut files) = (0, 0);
    for part in parts(&page) {
        match part {
            Part::File(name, text) => {
                story.bench.write(&name, dated(&text, &horizon));
                files += 1;
            }
            Part::TimePasses => {
                let past = from_now(-DAY).to_string();
                let name = "runs/queue-1.json";
                story.bench.write(name, story.bench.read(name).replace(&horizon, &past));
                horizon = past;
                register_at(&story.bench, from_now(-2 * DAY));
            }
            Part::Command(line, code, expected) => {
                let run = run(&story, &line).exits(code);
                let printed = run.stdout.clone() + &run.stderr;
                let printed: Vec<&str> = printed.lines().collect();
                let expected: Vec<_> = expected.iter().map(|it| dated(it, &horizon)).collect();
                assert!(fits(&expected, &printed), "{line}\n{}", printed.join("\n"));
                commands += 1;
            }
        }
    }
    assert!(commands >= 9 && files >= 3, "the page lost {commands} commands, {files} files");
}

fn run(story: &Story, line: &str) -> Run {
    let mut command = Command::new("sh");
    let ours = accredit().parent().expect("a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::env::split_paths(&path);
    let of_bench = story.bench.command::<&str>(&[]);
    command.args(["-c", line]).current_dir(story.bench.path("")).env_clear();
    for (name, value) in of_bench.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    let path = std::env::join_paths([ours].into_iter().chain(paths)).expect("a path");
    command.env("PATH", path).env("ACCREDIT_ROOT_DIGEST", &story.root);
    Run::of(command)
}

#[test]
fn lines_are_compared_with_care() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let table = [
        ("a…c", "abc", true),
        ("a…c", "ab", false),
        ("…\nc", "a\nb\nc", true),
        ("a", "a\nb", false),
        ("…", "", true),
        ("a\n…", "b", false),
        ("…b…", "abbc", true),
    ];
    for (expected, printed, fit) in table {
        let printed: Vec<&str> = printed.lines().collect();
        assert_eq!(fits(&lines(expected), &printed), fit, "{expected} {printed:?}");
    }
}
