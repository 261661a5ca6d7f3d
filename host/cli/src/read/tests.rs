//! Tables: one fault a row, in a folder of its own, and the line, control, message and mend it must get.

mod files;
mod gate;
mod keys;
mod lint;
mod published;
mod sound;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{ReadFaults, control_set};

const SET: &str = r#"id = "s"
version = "1"
rubric = "r"
authors = ["someone"]
rules = ["one", "two"]
transforms = ["white-space"]
"#;

const KNOWN_BAD: &str = r#"
[[control]]
id = "kb-1"
family = "f"
why = "because"
expect = { verdict = "fail", rule = "one" }
case.output = "1"

[[control]]
id = "kb-2"
family = "g"
why = "because"
expect = { verdict = "fail", rule = "two" }
case.output = "2"
"#;

/// A sound set, then these files written over it or beside it.
fn set_of(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("set.toml", SET), ("known-bad.toml", KNOWN_BAD)].iter().chain(files) {
        fs::write(folder.path().join(name), text).expect("writes");
    }
    folder
}

/// Each fault as `file:line control code: message / mend`, warnings left out.
fn shown(folder: &Path) -> Vec<String> {
    let Err(ReadFaults { faults, .. }) = control_set(folder) else {
        return Vec::new();
    };
    let errors = faults.iter().filter(|fault| fault.is_error());
    errors
        .map(|fault| {
            let control = fault.control.as_ref().map_or("-", |control| control.as_str());
            format!("{} {control} {}: {} / {}", fault.at, fault.code, fault.message, fault.mend)
        })
        .collect()
}

/// Reads a sound set with this file in it, and expects these faults, each by its beginning.
#[track_caller]
fn check(name: &str, text: &str, expected: &[&str]) {
    let faults = shown(set_of(&[(name, text)]).path());
    let fits = faults.len() == expected.len()
        && faults.iter().zip(expected).all(|(fault, expected)| fault.starts_with(expected));
    assert!(fits, "{text}\nexpected {expected:#?}\ngot {faults:#?}");
}
