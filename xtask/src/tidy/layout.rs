//! What stands at the top level, that the places other checks guard are there, and how big a shipped
//! grader may be.

use super::tree::{Fault, Tree};

/// What stands at the top level, besides entries that start with a dot.
const TOP: &[&str] = &[
    "ARCHITECTURE.md",
    "BENCHMARKS.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "accredit.toml",
    "clippy.toml",
    "controls",
    "graders",
    "host",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "tests",
    "wit",
    "xtask",
];

/// What other checks look into: were it moved, they would pass for want of anything to look at.
const GUARDED: &[&str] = &[
    "Cargo.toml",
    "graders/dist/",
    "host/cli/Cargo.toml",
    "host/cli/src/render",
    "host/core/Cargo.toml",
    "host/core/clippy.toml",
    "host/core/src/",
    "host/engine/Cargo.toml",
    "host/engine/clippy.toml",
    "host/engine/src/",
    "wit/grader.wit",
];

/// How many bytes a shipped grader may have.
const GRADER: usize = 500_000;

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    [top(tree), guarded(tree), graders(tree)].concat()
}

fn top(tree: &Tree) -> Vec<Fault> {
    let mut entries: Vec<&str> =
        tree.files.iter().filter_map(|file| file.path.split('/').next()).collect();
    entries.dedup();
    let strange =
        entries.into_iter().filter(|entry| !entry.starts_with('.') && !TOP.contains(entry));
    let what = "has no place at the top level: move it where it belongs, or list it in \
                xtask/src/tidy/layout.rs";
    strange.map(|entry| Fault::new(entry, 0, what)).collect()
}

fn guarded(tree: &Tree) -> Vec<Fault> {
    let is_there = |place: &str| tree.files.iter().any(|file| file.path.starts_with(place));
    let gone = GUARDED.iter().filter(|place| !is_there(place));
    let what = "is not there, and checks look into it: if it has moved, mend xtask/src/tidy";
    gone.map(|place| Fault::new(place, 0, what)).collect()
}

fn graders(tree: &Tree) -> Vec<Fault> {
    let shipped = tree.files.iter().filter(|file| file.path.starts_with("graders/dist/"));
    let big = shipped.filter(|file| file.path.ends_with(".wasm") && file.bytes > GRADER);
    big.map(|file| {
        let what = format!(
            "{} bytes, and at most {GRADER} are allowed: see what the grader draws in",
            file.bytes
        );
        Fault::new(&file.path, 0, what)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{GRADER, GUARDED, Tree, check, graders, top};

    #[test]
    fn the_top_level_is_known() {
        let tree = Tree::of(&[("README.md", ""), (".ci/run", ""), ("notes.txt", ""), ("x/y", "")]);
        let told: Vec<String> = top(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].starts_with("notes.txt: has no place"), "{told:?}");
        assert!(told[1].starts_with("x: has no place"), "{told:?}");
    }

    #[test]
    fn a_guarded_place_that_moved_is_told() {
        assert_eq!(check(&Tree::of(&[])).len(), GUARDED.len());
    }

    #[test]
    fn a_big_grader_is_told() {
        let file = |bytes: usize| "x".repeat(bytes);
        let name = "graders/dist/a.wasm";
        assert!(graders(&Tree::of(&[(name, &file(GRADER))])).is_empty());
        let told = graders(&Tree::of(&[(name, &file(GRADER + 1))]));
        let expected = format!("graders/dist/a.wasm: {} bytes", GRADER + 1);
        assert!(told[0].to_string().starts_with(&expected), "{told:?}");
    }
}
