//! `cargo xtask guests`: builds the graders into graders/dist, byte for byte the same from any
//! folder and any cargo home, so that anyone can check what the digests in a ledger stand for.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sysroot::{TARGET, Toolchain};
use crate::{Outcome, workspace_root};

/// The cargo profile of every guest (the root Cargo.toml says why it is as it is).
const PROFILE: &str = "guest";

/// 64 KiB of stack instead of 1 MiB: what a trial touches then lies close together at the bottom of
/// the memory, where the host resets it most cheaply. Running out of it is a trap, not corruption.
const STACK: &str = "-Clink-arg=-zstack-size=65536";

/// Settings from the environment that would change the bytes.
const FOREIGN_SETTINGS: &[&str] = &[
    "CARGO_PROFILE_",
    "CARGO_TARGET_",
    "CARGO_BUILD_RUST",
    "RUSTFLAGS",
];

/// Whether the components are written, or compared with those that stand there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Write,
    Check,
}

/// Runs the command; `arguments` are the names of graders (none: all) and `--check`.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let root = workspace_root();
    let known = graders(&root)?;
    let mut mode = Mode::Write;
    let mut chosen = Vec::new();
    for argument in arguments {
        match argument.as_str() {
            "--check" => mode = Mode::Check,
            name if known.iter().any(|grader| grader == name) => chosen.push(name.to_owned()),
            other => {
                return Err(format!(
                    "no grader `{other}`; there are: {}",
                    known.join(", ")
                ));
            }
        }
    }
    let toolchain = Toolchain::active(&root)?;
    toolchain.ready_for_guests(&root)?;
    let stale = if chosen.is_empty() {
        stale_files(&root, &known)?
    } else {
        Vec::new()
    };
    let graders = if chosen.is_empty() { known } else { chosen };
    let mut problems = stale;
    for grader in &graders {
        let component = build(&root, &toolchain, grader)?;
        problems.extend(place(&root, grader, &component, mode)?);
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
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
fn build(root: &Path, toolchain: &Toolchain, grader: &str) -> Result<Vec<u8>, String> {
    let target_dir = target_dir(root);
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo
        .current_dir(root)
        .args(["build", "--quiet", "--locked", "--package", grader])
        .args(["--profile", PROFILE, "--target", TARGET])
        .arg("--target-dir")
        .arg(&target_dir);
    for (name, _) in env::vars_os() {
        if FOREIGN_SETTINGS
            .iter()
            .any(|prefix| name.to_string_lossy().starts_with(prefix))
        {
            cargo.env_remove(name);
        }
    }
    cargo.env(
        "CARGO_ENCODED_RUSTFLAGS",
        flags(root, toolchain, &target_dir)?,
    );
    let status = cargo
        .status()
        .map_err(|e| format!("cannot run cargo: {e}"))?;
    if !status.success() {
        return Err(format!(
            "{grader} did not build; cargo's messages stand above"
        ));
    }
    let file = target_dir
        .join(TARGET)
        .join(PROFILE)
        .join(format!("{}.wasm", grader.replace('-', "_")));
    fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))
}

/// Apart from the host's own build, which uses other flags and would be thrown away by these.
fn target_dir(root: &Path) -> PathBuf {
    let base = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), |dir| root.join(dir));
    base.join("guests")
}

/// The compiler flags: the stack, and no path of this machine in any panic message.
fn flags(root: &Path, toolchain: &Toolchain, target_dir: &Path) -> Result<OsString, String> {
    let std_source = toolchain.sysroot.join("lib/rustlib/src/rust");
    let mut remapped = vec![
        (root.to_owned(), String::from("/accredit")),
        (target_dir.to_owned(), String::from("/target")),
        (std_source, format!("/rustc/{}", toolchain.commit)),
    ];
    remapped.extend(
        registries()?
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

/// The folders into which cargo unpacks registries: their names depend on the machine's settings.
fn registries() -> Result<Vec<PathBuf>, String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let sources = home
        .ok_or("there is no CARGO_HOME and no home folder")?
        .join("registry/src");
    let entries = fs::read_dir(&sources).map_err(|e| format!("{}: {e}", sources.display()))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    Ok(folders)
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
