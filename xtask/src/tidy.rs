//! `cargo xtask tidy`: what neither the compiler nor clippy can check, as checks of text.
//!
//! Every check runs, and all faults are told at once, each with its file, its line and the mend. A
//! check is a function from the [`Tree`] to faults, in the module named after what it guards.

mod arrows;
mod contract;
mod layout;
mod lints;
mod manifest;
mod names;
mod purity;
mod reasons;
mod size;
mod source;
mod tree;
mod words;

use crate::{Outcome, no_arguments, workspace_root};
use tree::{Fault, Tree};

const CHECKS: &[fn(&Tree) -> Vec<Fault>] = &[
    arrows::check,
    contract::check,
    layout::check,
    lints::check,
    names::check,
    purity::check,
    reasons::check,
    size::check,
    words::check,
];

/// Runs the command; it takes no arguments.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments(arguments)?;
    let tree = Tree::read(&workspace_root())?;
    for note in size::notes(&tree) {
        println!("note: {note}");
    }
    let faults = faults(&tree);
    if faults.is_empty() {
        println!("tidy: {} files, {} checks, no fault", tree.files.len(), CHECKS.len());
        return Ok(());
    }
    let told: Vec<String> = faults.iter().map(Fault::to_string).collect();
    Err(format!("{} faults\n{}", faults.len(), told.join("\n")))
}

/// The faults of every check, by file and line.
fn faults(tree: &Tree) -> Vec<Fault> {
    let mut faults: Vec<Fault> = CHECKS.iter().flat_map(|check| check(tree)).collect();
    faults.sort();
    faults
}
