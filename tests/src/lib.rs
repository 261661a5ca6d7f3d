//! What the end-to-end tests share. They run the real binary, each in a folder of its own, and see what a
//! user sees: files, standard output, standard error and the exit code.

pub mod bench;
pub mod fuzzed;
pub mod guest;
pub mod halves;
pub mod keys;
pub mod register;
pub mod settling;
pub mod statements;
pub mod story;

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The binary that is tested: `accredit`, in the folder that the test itself was built into.
///
/// # Panics
/// When it is not there.
#[must_use]
pub fn accredit() -> PathBuf {
    let binary = profile_dir().join(format!("accredit{}", std::env::consts::EXE_SUFFIX));
    assert!(
        binary.is_file(),
        "{} is missing: run `cargo xtask test`, or `cargo build -p accredit` first",
        binary.display()
    );
    binary
}

/// A grader of this repository, as it is shipped.
///
/// # Panics
/// When it is not there.
#[must_use]
pub fn shipped(grader: &str) -> PathBuf {
    let path = repository().join("graders/dist").join(format!("{grader}.wasm"));
    assert!(path.is_file(), "{} is missing: run `cargo xtask guests`", path.display());
    path
}

/// The root of this repository.
///
/// # Panics
/// When this package is not in it.
#[must_use]
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("this package stands in the repository").to_owned()
}

/// A fixture of this package.
#[must_use]
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// The value with its fractions cut to six digits, for snapshots: the last ones are the machine's.
#[must_use]
pub fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap_or_default();
            ((number * 1e6).round() / 1e6).into()
        }
        Value::Array(items) => items.into_iter().map(rounded).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(key, value)| (key, rounded(value))).collect()
        }
        other => other,
    }
}

/// `target/<profile>`: tests are built into its folder `deps`.
fn profile_dir() -> PathBuf {
    let this = std::env::current_exe().expect("a test knows where it is");
    let deps = this.parent().expect("a test is in a folder");
    let is_deps = deps.file_name().is_some_and(|name| name == "deps");
    if is_deps { deps.parent().expect("deps is in a folder").to_owned() } else { deps.to_owned() }
}

/// The home folder of every run, beside other scratch of the build. It outlives the tests, so that a
/// component is compiled once and not once a test.
fn home() -> PathBuf {
    let target = profile_dir().parent().map_or_else(std::env::temp_dir, Path::to_owned);
    target.join("tmp/accredit-tests-home")
}
