//! Every dependency stands in the root Cargo.toml under a comment that says why it is here.

use super::manifest::{Tables, dependencies};
use super::tree::{Fault, Tree};

const ROOT: &str = "Cargo.toml";

/// So many dependencies that belong together may share one comment.
const SHARED: usize = 3;

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let Some(manifest) = tree.file(ROOT) else { return Vec::new() };
    let lines: Vec<&str> = manifest.text.lines().collect();
    let mut faults = Vec::new();
    let mut sharing = SHARED;
    for dependency in dependencies(&manifest.text, Tables::Workspace) {
        // Crates of this workspace say for themselves what they are.
        if dependency.value.contains("path =") {
            continue;
        }
        let above = lines[..dependency.line - 1].last().unwrap_or(&"");
        sharing = if above.starts_with('#') { 1 } else { sharing + 1 };
        if sharing > SHARED || above.trim().is_empty() {
            let what = format!(
                "`{}` has no reason: say in a comment above it why it is here (at most {SHARED} that \
                 belong together share one)",
                dependency.name
            );
            faults.push(Fault::new(ROOT, dependency.line, what));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::{Tree, check};

    fn faults(dependencies: &str) -> Vec<String> {
        let text = format!("[workspace.dependencies]\n{dependencies}\n");
        check(&Tree::of(&[("Cargo.toml", &text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_reason_covers_what_follows_it_closely() {
        let good = [
            "# why\na = \"1\"",
            "own = { path = \"x\" }",
            "# why\na = \"1\"\nb = \"1\"\nc = \"1\"",
        ];
        for good in good {
            assert_eq!(faults(good), [""; 0], "{good}");
        }
        let table = [
            ("a = \"1\"", "Cargo.toml:2: `a` has no reason"),
            ("# why\na = \"1\"\n\nb = \"1\"", "Cargo.toml:5: `b` has no reason"),
            (
                "# why\na = \"1\"\nb = \"1\"\nc = \"1\"\nd = \"1\"",
                "Cargo.toml:6: `d` has no reason",
            ),
        ];
        for (bad, told) in table {
            let faults = faults(bad);
            assert_eq!(faults.len(), 1, "{faults:?}");
            assert!(faults[0].starts_with(told), "{faults:?}");
        }
    }
}
