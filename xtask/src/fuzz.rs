//! `cargo xtask fuzz`: runs fuzz targets of tests/fuzz, one after the other, each for a while.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, workspace_root};

/// Where the package of the targets is.
const HOME: &str = "tests/fuzz";
/// How long a target runs unless told otherwise.
const SECONDS: &str = "600";

/// Runs the command; `arguments` are the names of targets (none: all) and `--seconds N`.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let root = workspace_root();
    let known = targets(&root)?;
    let (seconds, chosen) = parse(arguments, &known)?;
    chosen.iter().try_for_each(|target| fuzz(&root, target, &seconds))
}

/// The targets: the folders of seeds.
fn targets(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join(HOME).join("seeds");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

/// The seconds, and the targets to run: those named, or all of `known`.
fn parse(arguments: &[String], known: &[String]) -> Result<(String, Vec<String>), String> {
    let (mut seconds, mut chosen) = (SECONDS.to_owned(), Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument == "--seconds" {
            let number = rest.next().filter(|number| number.parse::<u32>().is_ok_and(|n| n > 0));
            seconds = number.ok_or("--seconds takes a whole number above 0")?.clone();
        } else if known.contains(argument) {
            chosen.push(argument.clone());
        } else {
            let known = known.join(", ");
            return Err(format!(
                "no target `{argument}`; there are: {known}; and the option --seconds N"
            ));
        }
    }
    Ok((seconds, if chosen.is_empty() { known.to_vec() } else { chosen }))
}

/// Runs one target. What it makes up is kept in the target folder, for the next time.
fn fuzz(root: &Path, target: &str, seconds: &str) -> Outcome {
    let built = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let built = root.join(built).join("fuzz");
    let kept = |what: &str| {
        let folder = built.join(what).join(target);
        let made = fs::create_dir_all(&folder);
        made.map(|()| folder.clone()).map_err(|e| format!("{}: {e}", folder.display()))
    };
    let (corpus, findings) = (kept("corpus")?, kept("findings")?);
    let home = root.join(HOME);
    let mut rustup = Command::new("rustup");
    rustup.current_dir(root).args(["run", "nightly", "cargo", "fuzz", "run", "--fuzz-dir", HOME]);
    rustup.args(["--sanitizer", "none", "--target-dir"]).arg(&built);
    rustup.arg(target).arg(corpus).arg(home.join("seeds").join(target));
    if target == "loader" {
        // The shipped graders are seeds that are not kept twice.
        rustup.arg(root.join("graders/dist"));
    }
    rustup.args(["--", "-timeout=20", "-rss_limit_mb=4096", "-print_final_stats=1"]);
    rustup.arg(format!("-max_total_time={seconds}"));
    rustup.arg(format!("-artifact_prefix={}/", findings.display()));
    let words = home.join("dictionaries").join(format!("{target}.dict"));
    if words.is_file() {
        rustup.arg(format!("-dict={}", words.display()));
    }
    println!("$ {rustup:?}");
    match rustup.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!(
            "`{target}` did not end well; what it said stands above. An input that broke a promise is in {}. \
             Without cargo-fuzz or the nightly toolchain: {HOME}/README.md says how to get them",
            findings.display()
        )),
        Err(error) => Err(format!("cannot run rustup: {error}. Install it from https://rustup.rs")),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn parsed(arguments: &[&str]) -> Result<(String, Vec<String>), String> {
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        parse(&owned(arguments), &owned(&["loader", "record"]))
    }

    #[test]
    fn all_targets_run_unless_some_are_named() {
        assert_eq!(parsed(&[]), Ok(("600".into(), vec!["loader".into(), "record".into()])));
        let one = parsed(&["record", "--seconds", "5"]);
        assert_eq!(one, Ok(("5".into(), vec!["record".into()])));
    }

    #[test]
    fn what_is_not_there_is_told() {
        for wrong in [&["reccord"][..], &["--seconds"], &["--seconds", "0"], &["--seconds", "x"]] {
            parsed(wrong).expect_err("it is wrong");
        }
    }
}
