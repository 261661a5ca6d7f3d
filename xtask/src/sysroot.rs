//! The toolchain that builds guests: the pinned release, with the standard library for their target.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;

/// What guests are compiled for.
pub(crate) const TARGET: &str = "wasm32-wasip2";

/// The active Rust toolchain, as seen from the workspace.
pub(crate) struct Toolchain {
    /// Its release, such as `1.95.0`.
    release: String,
    /// The commit of the compiler, which stands in the paths of the standard library.
    pub(crate) commit: String,
    /// Where it is installed.
    pub(crate) sysroot: PathBuf,
}

impl Toolchain {
    /// Asks `rustc`, which rustup resolves by `rust-toolchain.toml`.
    pub(crate) fn active(root: &Path) -> Result<Self, String> {
        let verbose = rustc(root, &["-vV"])?;
        let field = |name: &str| {
            let value = verbose.lines().find_map(|line| line.strip_prefix(name));
            value.map(str::to_owned).ok_or(format!("`rustc -vV` shows no line `{name}`"))
        };
        Ok(Self {
            release: field("release: ")?,
            commit: field("commit-hash: ")?,
            sysroot: PathBuf::from(rustc(root, &["--print", "sysroot"])?.trim_end()),
        })
    }

    /// Makes sure that this is the pinned release, and that it can build for [`TARGET`].
    pub(crate) fn ready_for_guests(&self, root: &Path) -> Outcome {
        let pinned = pinned_release(root)?;
        if self.release != pinned {
            return Err(format!(
                "guests are pinned to Rust {pinned}, and this is {}: another compiler builds other \
                 bytes. Run it through rustup, which reads rust-toolchain.toml, or: \
                 cargo +{pinned} xtask guests",
                self.release
            ));
        }
        if self.has_target() {
            return Ok(());
        }
        eprintln!("{TARGET} is not installed; running: rustup target add {TARGET}");
        let added =
            Command::new("rustup").args(["target", "add", TARGET]).current_dir(root).status();
        if added.is_ok_and(|status| status.success()) && self.has_target() {
            return Ok(());
        }
        Err(format!(
            "the standard library for {TARGET} is missing from {0}, and rustup could not add it. \
             Run: rustup target add {TARGET} --toolchain {pinned}\n\
             Without rustup: unpack https://static.rust-lang.org/dist/rust-std-{pinned}-{TARGET}.tar.xz \
             and run its: ./install.sh --prefix={0}",
            self.sysroot.display()
        ))
    }

    /// Whether the standard library for [`TARGET`] is there: the library itself, not just its folder.
    fn has_target(&self) -> bool {
        let folder = self.sysroot.join("lib/rustlib").join(TARGET).join("lib");
        fs::read_dir(folder).is_ok_and(|entries| {
            entries
                .flatten()
                .any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
        })
    }
}

/// The `channel` of rust-toolchain.toml.
fn pinned_release(root: &Path) -> Result<String, String> {
    let file = root.join("rust-toolchain.toml");
    let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let channel =
        text.lines().find_map(|line| line.trim().strip_prefix("channel")?.split('"').nth(1));
    channel.map(str::to_owned).ok_or(format!("{}: no `channel = \"...\"`", file.display()))
}

fn rustc(root: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("rustc").args(arguments).current_dir(root).output();
    let output = output
        .map_err(|e| format!("cannot run rustc: {e}. Install Rust from https://rustup.rs"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("`rustc {}` failed: {said}", arguments.join(" ")));
    }
    String::from_utf8(output.stdout).map_err(|e| format!("rustc's answer is not UTF-8: {e}"))
}
