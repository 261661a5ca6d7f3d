//! `cargo xtask guests`: builds the graders into graders/dist, byte for byte the same from any
//! folder and any cargo home, so that anyone can check what the digests in a ledger stand for.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sysroot::{TARGET, Toolchain};
use crate::{Outcome, workspace_root};

/// The cargo profile of every guest (the root Cargo.toml says why it is as it is).
const PROFILE: &str = "guest";

/// The name of the interface that a grader exports, up to its version.
const EXPORT: &[u8] = b"accredit:grader/grader@";

/// 64 KiB of stack instead of 1 MiB: what a trial touches then lies close together at the bottom of
/// the memory, where the host resets it most cheaply. Running out of it is a trap, not corruption.
const STACK: &str = "-Clink-arg=-zstack-size=65536";

/// Settings from the environment that would change the bytes.
const FOREIGN_SETTINGS: &[&str] = &[
    "CARGO_BUILD_RUST",
    "CARGO_INCREMENTAL",
    "CARGO_PROFILE_",
    "CARGO_TARGET_",
    "RUSTFLAGS",
];

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
    let toolchain = Toolchain::active(&root)?;
    toolchain.ready_for_guests(&root)?;
    let flags = flags(&root, &toolchain)?;
    let mut problems = stale_files(&root, &known)?;
    for grader in &chosen {
        let component = build(&root, grader, &flags)?;
        problems.extend(place(&root, grader, &component, mode)?);
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

/// The mode, and the graders to build: those named, or all of `known`.
fn parse(arguments: &[String], known: &[String]) -> Result<(Mode, Vec<String>), String> {
    let (flags, names): (Vec<String>, Vec<String>) = arguments
        .iter()
        .cloned()
        .partition(|argument| argument.starts_with('-'));
    if let Some(flag) = flags.iter().find(|flag| *flag != "--check") {
        return Err(format!("no option `{flag}`; there is: --check"));
    }
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        return Err(format!(
            "no grader `{name}`; there are: {}",
            known.join(", ")
        ));
    }
    let mode = if flags.is_empty() {
        Mode::Write
    } else {
        Mode::Check
    };
    Ok((
        mode,
        if names.is_empty() {
            known.to_vec()
        } else {
            names
        },
    ))
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
fn dist(root: &Path, grader: &str) -> PathBuf {
    root.join("graders/dist").join(format!("{grader}.wasm"))
}

/// Complaints about components that no grader builds any more.
fn stale_files(root: &Path, graders: &[String]) -> Result<Vec<String>, String> {
    let folder = root.join("graders/dist");
    fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let names = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(names
        .filter(|name| {
            name.strip_suffix(".wasm").is_some_and(|stem| !graders.iter().any(|grader| grader == stem))
        })
        .map(|name| format!("graders/dist/{name}: no crate in graders/ builds it. Run: git rm graders/dist/{name}"))
        .collect())
}

/// Builds one grader and returns its bytes. One cargo call each: built together, crates would share
/// the union of their dependencies' features, and a grader's bytes would depend on its neighbours.
fn build(root: &Path, grader: &str, flags: &OsStr) -> Result<Vec<u8>, String> {
    let target_dir = target_dir(root);
    let mut build = cargo(root);
    build
        .args(["build", "--quiet", "--locked", "--package", grader])
        .args(["--profile", PROFILE, "--target", TARGET])
        .arg("--target-dir")
        .arg(&target_dir)
        .env("CARGO_ENCODED_RUSTFLAGS", flags);
    if !build.status().is_ok_and(|status| status.success()) {
        return Err(format!(
            "{grader} did not build; cargo's messages stand above"
        ));
    }
    let artifact = format!("{}.wasm", grader.replace('-', "_"));
    let file = target_dir.join(TARGET).join(PROFILE).join(artifact);
    let bytes = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    if !bytes.windows(EXPORT.len()).any(|window| window == EXPORT) {
        return Err(format!(
            "{grader} exports no grader: its lib.rs needs `accredit_sdk::grader!`"
        ));
    }
    Ok(bytes)
}

/// Apart from the host's own build, which uses other flags and would be thrown away by these.
fn target_dir(root: &Path) -> PathBuf {
    let base = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), |dir| root.join(dir));
    base.join("guests")
}

/// The compiler flags: the stack, and no path of this machine in any panic message.
fn flags(root: &Path, toolchain: &Toolchain) -> Result<OsString, String> {
    let std_source = toolchain.sysroot.join("lib/rustlib/src/rust");
    let mut remapped = vec![
        (root.to_owned(), String::from("/accredit")),
        (target_dir(root), String::from("/target")),
        (std_source, format!("/rustc/{}", toolchain.commit)),
    ];
    remapped.extend(
        registries(root)?
            .into_iter()
            .map(|folder| (folder, String::from("/registry"))),
    );
    let mut flags = OsString::from(STACK);
    for (from, to) in remapped {
        flags.push("\u{1f}--remap-path-prefix=");
        flags.push(from);
        flags.push("=");
        flags.push(to);
    }
    Ok(flags)
}

/// The folders into which cargo unpacks registries: their names depend on the machine's settings,
/// and on a new machine they are not there before `fetch`.
fn registries(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut fetch = cargo(root);
    let status = fetch
        .args(["fetch", "--quiet", "--locked", "--target", TARGET])
        .status();
    if !status.is_ok_and(|status| status.success()) {
        return Err("`cargo fetch --locked` failed; its messages stand above".into());
    }
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let sources = home
        .ok_or("there is no CARGO_HOME and no home folder")?
        .join("registry/src");
    // Nothing there means that the crates are vendored, below the workspace's own folder.
    let entries = fs::read_dir(&sources).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    folders.sort();
    Ok(folders)
}

/// The cargo that runs this command, without settings from the environment that change the bytes.
fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.current_dir(root);
    for (name, _) in env::vars_os() {
        if FOREIGN_SETTINGS
            .iter()
            .any(|prefix| name.to_string_lossy().starts_with(prefix))
        {
            cargo.env_remove(name);
        }
    }
    cargo
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
        assert!(
            missing.contains("graders/dist/a.wasm (missing)"),
            "{missing}"
        );
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
