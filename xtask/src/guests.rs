//! `cargo xtask guests`: builds the graders into graders/dist, byte for byte the same from any
//! folder and any cargo home, so that anyone can check what the digests in a ledger stand for.

mod build;

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) use build::Builder;

use crate::{Outcome, workspace_root};

/// Whether the components are written, or compared with those that stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Write,
    Check,
}

/// Runs the command; `arguments` are the names of graders (none: all) and `--check`.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let root = workspace_root();
    let known = graders(&root)?;
    let (mode, chosen) = parse(arguments, &known)?;
    let builder = Builder::new(&root)?;
    let mut problems = stale_files(&root, &known)?;
    for grader in &chosen {
        let component = builder.build(grader)?;
        problems.extend(place(&root, grader, &component, mode)?);
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// Builds the graders that graders/dist lacks; without any, needs no toolchain for them.
pub(crate) fn build_missing(root: &Path) -> Outcome {
    let mut missing = graders(root)?;
    missing.retain(|grader| !dist(root, grader).is_file());
    if missing.is_empty() {
        return Ok(());
    }
    let builder = Builder::new(root)?;
    for grader in &missing {
        place(root, grader, &builder.build(grader)?, Mode::Write)?;
    }
    Ok(())
}

/// The mode, and the graders to build: those named, or all of `known`.
fn parse(arguments: &[String], known: &[String]) -> Result<(Mode, Vec<String>), String> {
    let (flags, names): (Vec<String>, Vec<String>) =
        arguments.iter().cloned().partition(|argument| argument.starts_with('-'));
    if let Some(flag) = flags.iter().find(|flag| *flag != "--check") {
        return Err(format!("no option `{flag}`; there is: --check"));
    }
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        return Err(format!("no grader `{name}`; there are: {}", known.join(", ")));
    }
    let mode = if flags.is_empty() { Mode::Write } else { Mode::Check };
    Ok((mode, if names.is_empty() { known.to_vec() } else { names }))
}

/// The grader crates: every folder in graders/ whose Cargo.toml builds a `cdylib`.
fn graders(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("graders");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| {
            let manifest = fs::read_to_string(entry.path().join("Cargo.toml"));
            manifest.is_ok_and(|text| text.contains("\"cdylib\""))
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

/// Where the component of a grader is kept.
pub(crate) fn dist(root: &Path, grader: &str) -> PathBuf {
    root.join("graders/dist").join(format!("{grader}.wasm"))
}

/// Complaints about components that no grader builds any more.
fn stale_files(root: &Path, graders: &[String]) -> Result<Vec<String>, String> {
    let folder = root.join("graders/dist");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(names
        .filter(|name| {
            name.strip_suffix(".wasm").is_some_and(|stem| !graders.iter().any(|grader| grader == stem))
        })
        .map(|name| format!("graders/dist/{name}: no crate in graders/ builds it. Run: git rm graders/dist/{name}"))
        .collect())
}

/// Writes a component to graders/dist, or says how it differs from the one there.
fn place(root: &Path, grader: &str, built: &[u8], mode: Mode) -> Result<Option<String>, String> {
    let file = dist(root, grader);
    let kept = fs::read(&file).ok();
    let same = kept.as_deref() == Some(built);
    if mode == Mode::Write && !same {
        fs::write(&file, built).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    let state = match (mode, same) {
        (_, true) => "unchanged",
        (Mode::Write, false) => "written",
        (Mode::Check, false) => "DIFFERS",
    };
    println!("graders/dist/{grader}.wasm  {} bytes  {state}", built.len());
    let differs = mode == Mode::Check && !same;
    Ok(differs.then(|| {
        let kept = kept.map_or("missing".into(), |bytes| format!("{} bytes", bytes.len()));
        format!(
            "graders/dist/{grader}.wasm ({kept}) is not what its sources build ({} bytes). \
             Run: cargo xtask guests {grader}   and commit the result",
            built.len()
        )
    }))
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn arguments_are_graders_and_a_flag() {
        let known = strings(&["a", "b"]);
        let all = (Mode::Write, known.clone());
        assert_eq!(parse(&[], &known), Ok(all));
        let one = (Mode::Check, strings(&["b"]));
        assert_eq!(parse(&strings(&["b", "--check"]), &known), Ok(one));
        let unknown = parse(&strings(&["c"]), &known).expect_err("there is no c");
        assert_eq!(unknown, "no grader `c`; there are: a, b");
        assert!(parse(&strings(&["--chek"]), &known).is_err());
    }

    #[test]
    fn a_check_names_the_file_and_the_command_and_writes_nothing() {
        let root = env::temp_dir().join(format!("xtask-guests-{}", std::process::id()));
        fs::create_dir_all(root.join("graders/dist")).expect("a folder for the test");
        let kept = dist(&root, "a");
        let missing = place(&root, "a", b"new", Mode::Check).expect("it can be compared");
        let missing = missing.expect("nothing is there yet");
        assert!(missing.contains("graders/dist/a.wasm (missing)"), "{missing}");
        assert!(missing.contains("cargo xtask guests a"), "{missing}");
        assert!(!kept.exists());

        assert_eq!(place(&root, "a", b"new", Mode::Write), Ok(None));
        assert_eq!(place(&root, "a", b"new", Mode::Check), Ok(None));
        assert!(place(&root, "a", b"newer", Mode::Check).is_ok_and(|problem| problem.is_some()));
        assert_eq!(fs::read(&kept).expect("the component"), b"new");

        let stale = stale_files(&root, &strings(&["b"])).expect("it can be listed");
        assert_eq!(stale.len(), 1, "{stale:?}");
        fs::remove_dir_all(&root).expect("the test's own folder");
    }
}
