//! The cargo calls of the other commands, each shown before it runs, and the host's binary.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;

/// Runs cargo with these arguments; its output goes straight through. The error names the command.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Outcome {
    let shown = format!("cargo {}", arguments.join(" "));
    println!("$ {shown}");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    let status = cargo.args(arguments).current_dir(root).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`{shown}` failed; what it said stands above")),
        Err(error) => {
            Err(format!("cannot run cargo: {error}. Install Rust from https://rustup.rs"))
        }
    }
}

/// Builds the binary `accredit` in the profile of the tests.
///
/// Not `--package accredit`: cargo would choose other features for some dependencies than the tests
/// do, and compile wasmtime once more. `--examples` builds nothing much, and makes cargo count the
/// dependencies of tests in, so that what stands after this is what the tests are linked with.
pub(crate) fn build_host(root: &Path) -> Outcome {
    run(root, &["build", "--locked", "--workspace", "--bins", "--examples"])
}

/// Where [`build_host`] leaves the binary: beside this one, whatever the target folder is.
pub(crate) fn host_binary() -> Result<PathBuf, String> {
    let this = env::current_exe().map_err(|e| format!("cannot tell where this program is: {e}"))?;
    let binary = this.with_file_name(format!("accredit{}", env::consts::EXE_SUFFIX));
    if binary.is_file() {
        return Ok(binary);
    }
    Err(format!(
        "{} is not there, though cargo built it: run this command as `cargo xtask`, in the dev profile",
        binary.display()
    ))
}
