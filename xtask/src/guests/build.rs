//! How one grader is built: the flags, the environment and the folders that decide its bytes.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sysroot::{TARGET, Toolchain};

/// The cargo profile of every guest (the root Cargo.toml says why it is as it is).
const PROFILE: &str = "guest";

/// The name of the interface that a grader exports, up to its version.
const EXPORT: &[u8] = b"accredit:grader/grader@";

/// 64 KiB of stack instead of 1 MiB: what a trial touches then lies close together at the bottom of
/// the memory, where the host resets it most cheaply. Running out of it is a trap, not corruption.
const STACK: &str = "-Clink-arg=-zstack-size=65536";

/// Settings from the environment that would change the bytes.
const FOREIGN_SETTINGS: &[&str] =
    &["CARGO_BUILD_RUST", "CARGO_INCREMENTAL", "CARGO_PROFILE_", "CARGO_TARGET_", "RUSTFLAGS"];

/// Builds graders, with the pinned toolchain and a target that is known to be there.
pub(crate) struct Builder {
    root: PathBuf,
    flags: OsString,
}

impl Builder {
    /// Makes sure that graders can be built at all; otherwise says what is missing.
    pub(crate) fn new(root: &Path) -> Result<Self, String> {
        let toolchain = Toolchain::active(root)?;
        toolchain.ready_for_guests(root)?;
        Ok(Self { root: root.to_owned(), flags: flags(root, &toolchain)? })
    }

    /// Builds one grader and returns its bytes. One cargo call each: built together, crates would
    /// share the union of their dependencies' features, and a grader's bytes would depend on its
    /// neighbours.
    pub(crate) fn build(&self, grader: &str) -> Result<Vec<u8>, String> {
        let target_dir = target_dir(&self.root);
        let mut build = cargo(&self.root);
        build
            .args(["build", "--quiet", "--locked", "--package", grader])
            .args(["--profile", PROFILE, "--target", TARGET])
            .arg("--target-dir")
            .arg(&target_dir)
            .env("CARGO_ENCODED_RUSTFLAGS", OsStr::new(&self.flags));
        if !build.status().is_ok_and(|status| status.success()) {
            return Err(format!("{grader} did not build; cargo's messages stand above"));
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
    remapped
        .extend(registries(root)?.into_iter().map(|folder| (folder, String::from("/registry"))));
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
    let status = fetch.args(["fetch", "--quiet", "--locked", "--target", TARGET]).status();
    if !status.is_ok_and(|status| status.success()) {
        return Err("`cargo fetch --locked` failed; its messages stand above".into());
    }
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let sources = home.ok_or("there is no CARGO_HOME and no home folder")?.join("registry/src");
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
        if FOREIGN_SETTINGS.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
            cargo.env_remove(name);
        }
    }
    cargo
}
