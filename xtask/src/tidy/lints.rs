//! What compiler and clippy leave to us: where `unsafe` may stand, and that nothing is silenced or
//! left for later.

use super::source::{line, words};
use super::tree::{Fault, File, Tree};

/// The files that may hold `unsafe`; each says in it why it is sound.
const UNSAFE: &[&str] = &[
    // Loads compiled code that this program has just made, or whose keyed hash it has checked.
    "host/engine/src/artefact.rs",
    // Stands in for the allocator and libc in a guest, which has neither.
    "graders/sdk/src/bare/arena.rs",
    "graders/sdk/src/bare/libc.rs",
    "graders/sdk/src/bare/mod.rs",
    // Puts the authors into a section of the component: the attribute is `unsafe`, no code is.
    "graders/sdk/src/export.rs",
];

const UNFINISHED: &[(&str, &str)] = &[
    ("todo!(", "finish it, or take it out"),
    ("unimplemented!(", "finish it, or take it out"),
    ("#[ignore", "a test that is not run proves nothing: mend it, or take it out"),
];

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    tree.rust("")
        .flat_map(|file| [misplaced_unsafe(file), silenced(file), unfinished(file)].concat())
        .collect()
}

fn fault(file: &File, at: usize, what: impl Into<String>) -> Fault {
    Fault::new(&file.path, line(&file.code, at), what)
}

fn misplaced_unsafe(file: &File) -> Vec<Fault> {
    if UNSAFE.contains(&file.path.as_str()) {
        return Vec::new();
    }
    let what = "`unsafe`: only the files listed in xtask/src/tidy/lints.rs may hold it, each with why \
                it is sound";
    words(&file.code, "unsafe").map(|at| fault(file, at, what)).collect()
}

/// `#[allow(...)]`, `#![allow(...)]`, and within `#[cfg_attr(...)]`.
fn silenced(file: &File) -> Vec<Fault> {
    let what = "`allow` stays when its reason has gone: use #[expect(..., reason = \"...\")]";
    let found = words(&file.code, "allow(").filter(|&at| {
        let before = &file.code[..at];
        let attribute = before.rfind('#').map(|hash| &before[hash..]);
        attribute.is_some_and(|text| text.contains('[') && !text.contains(']'))
    });
    found.map(|at| fault(file, at, what)).collect()
}

fn unfinished(file: &File) -> Vec<Fault> {
    let found = UNFINISHED.iter().flat_map(|(word, mend)| {
        words(&file.code, word).map(move |at| fault(file, at, format!("`{word}`: {mend}")))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::{Tree, check};

    #[test]
    fn what_must_not_stand_there_is_told() {
        let table = [
            ("unsafe { f() }", "`unsafe`"),
            ("#[allow(dead_code)]", "`allow`"),
            ("#![allow(dead_code)]", "`allow`"),
            ("#[cfg_attr(test, allow(dead_code))]", "`allow`"),
            ("fn f() { todo!() }", "`todo!(`"),
            ("fn f() { unimplemented!(\"x\") }", "`unimplemented!(`"),
            ("#[ignore = \"slow\"]", "`#[ignore`"),
        ];
        for (text, told) in table {
            let faults = check(&Tree::of(&[("a.rs", &format!("//! a\n{text}"))]));
            assert_eq!(faults.len(), 1, "{text}: {faults:?}");
            assert!(faults[0].to_string().starts_with(&format!("a.rs:2: {told}")), "{faults:?}");
        }
    }

    #[test]
    fn the_like_passes() {
        let good = "#[deny(unsafe_code)] fn f() { allow(1); x.allow(2) } // unsafe, todo!()";
        assert_eq!(check(&Tree::of(&[("a.rs", good)])), []);
        let listed = Tree::of(&[("graders/sdk/src/bare/libc.rs", "unsafe {}")]);
        assert_eq!(check(&listed), []);
    }
}
