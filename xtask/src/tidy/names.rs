//! Names of modules that say nothing of what is in them.

use super::source::{line, words};
use super::tree::{Fault, Tree};

const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "helper", "common", "manager", "misc"];

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for file in tree.rust("") {
        let parts = file.path.trim_end_matches(".rs").split('/');
        for part in parts.filter(|part| EMPTY_NAMES.contains(part)) {
            faults.push(Fault::new(&file.path, 0, told(part)));
        }
        for name in EMPTY_NAMES {
            let declared = format!("mod {name}");
            let found: Vec<usize> = words(&file.code, &declared).collect();
            faults.extend(
                found
                    .into_iter()
                    .map(|at| Fault::new(&file.path, line(&file.code, at), told(name))),
            );
        }
    }
    faults
}

fn told(name: &str) -> String {
    format!("`{name}` names no thing: name the module after what is in it")
}

#[cfg(test)]
mod tests {
    use super::{Tree, check};

    #[test]
    fn names_that_say_nothing_are_told() {
        let table = [
            ("a/utils.rs", "", "a/utils.rs: `utils`"),
            ("a/common/b.rs", "", "a/common/b.rs: `common`"),
            ("a.rs", "//! a\npub mod misc {}", "a.rs:2: `misc`"),
        ];
        for (path, text, told) in table {
            let faults = check(&Tree::of(&[(path, text)]));
            assert_eq!(faults.len(), 1, "{path}");
            assert!(faults[0].to_string().starts_with(told), "{faults:?}");
        }
        let good = Tree::of(&[("a/common_cases.rs", "mod helpers_of_x; // mod misc")]);
        assert!(check(&good).is_empty());
    }
}
