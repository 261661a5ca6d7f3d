//! Who may depend on whom: cli -> engine -> core, and nothing that core does not need to be pure.

use super::manifest::{Dependency, Tables, dependencies};
use super::tree::{Fault, Tree};

/// What a crate may depend on.
struct Rule {
    manifest: &'static str,
    /// Of this workspace.
    ours: &'static [&'static str],
    /// Of others; `None`: whatever the root Cargo.toml gives a reason for, but for [`ENGINE_ONLY`].
    others: Option<&'static [&'static str]>,
}

const RULES: &[Rule] = &[
    Rule {
        manifest: "host/core/Cargo.toml",
        ours: &[],
        others: Some(&[
            "blake3",
            "schemars",
            "serde",
            "serde_json",
            "ssh-key",
            "statrs",
            "thiserror",
            "unicode-normalization",
        ]),
    },
    Rule { manifest: "host/engine/Cargo.toml", ours: &["accredit-core"], others: None },
    Rule {
        manifest: "host/cli/Cargo.toml",
        ours: &["accredit-core", "accredit-engine"],
        others: None,
    },
    Rule { manifest: "xtask/Cargo.toml", ours: &[], others: Some(&[]) },
];

/// What only the engine may depend on.
const ENGINE_ONLY: &[&str] = &["wasmtime", "wasmtime-wasi"];
const ENGINE: &str = "host/engine/Cargo.toml";

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let manifests = tree.files.iter().filter(|file| file.path.ends_with("/Cargo.toml"));
    let ours: Vec<&str> = manifests.clone().filter_map(|file| package(&file.text)).collect();
    let mut faults = Vec::new();
    for file in manifests {
        let rule = RULES.iter().find(|rule| rule.manifest == file.path);
        for dependency in dependencies(&file.text, Tables::Member) {
            let mut fault = |what| faults.push(Fault::new(&file.path, dependency.line, what));
            if dependency.value.trim().replace(' ', "") != ".workspace=true" {
                fault(format!(
                    "`{0}` is declared here: declare it in the root Cargo.toml, with its reason, and \
                     write `{0}.workspace = true`",
                    dependency.name
                ));
            }
            if let Some(what) = rule.and_then(|rule| forbidden(rule, &ours, &dependency)) {
                fault(what);
            }
            if ENGINE_ONLY.contains(&dependency.name) && file.path != ENGINE {
                fault(format!(
                    "`{}` is for host/engine alone: let the engine offer what is needed",
                    dependency.name
                ));
            }
        }
    }
    faults
}

/// The name in `[package]`.
fn package(manifest: &str) -> Option<&str> {
    manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
}

/// Why the rule forbids this dependency, if it does.
fn forbidden(rule: &Rule, ours: &[&str], dependency: &Dependency<'_>) -> Option<String> {
    let name = dependency.name;
    if ours.contains(&name) {
        return (!rule.ours.contains(&name)).then(|| {
            format!(
                "must not depend on `{name}`: the arrows are cli -> engine -> core, cli -> core"
            )
        });
    }
    let allowed = rule.others.filter(|_| !dependency.is_dev)?;
    (!allowed.contains(&name)).then(|| match rule.manifest {
        "host/core/Cargo.toml" => format!(
            "`{name}` is not among the dependencies of core ({}): move what needs it to engine or cli, \
             or, if it is as pure, add it in xtask/src/tidy/arrows.rs",
            allowed.join(", ")
        ),
        _ => format!("`{name}`: this crate has no dependencies, so that it builds in seconds"),
    })
}

#[cfg(test)]
mod tests {
    use super::{Tree, check};

    fn faults(path: &str, dependency: &str) -> Vec<String> {
        let named = |name: &str| format!("[package]\nname = \"{name}\"\n[dependencies]\n");
        let manifest = named("x") + dependency + "\n";
        let tree = Tree::of(&[
            (path, &manifest),
            ("other/core/Cargo.toml", &named("accredit-core")),
            ("other/cli/Cargo.toml", &named("accredit")),
        ]);
        check(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn wrong_arrows_are_told() {
        let table = [
            (
                "host/core/Cargo.toml",
                "tempfile",
                "`tempfile` is not among the dependencies of core",
            ),
            ("host/core/Cargo.toml", "accredit", "must not depend on `accredit`"),
            ("host/engine/Cargo.toml", "accredit", "must not depend on `accredit`"),
            ("host/cli/Cargo.toml", "wasmtime", "`wasmtime` is for host/engine alone"),
            ("xtask/Cargo.toml", "serde", "this crate has no dependencies"),
        ];
        for (path, name, told) in table {
            let faults = faults(path, &format!("{name}.workspace = true"));
            assert_eq!(faults.len(), 1, "{path} {name}: {faults:?}");
            assert!(faults[0].starts_with(&format!("{path}:4: ")), "{faults:?}");
            assert!(faults[0].contains(told), "{faults:?}");
        }
    }

    #[test]
    fn right_arrows_pass() {
        let table = [
            ("host/core/Cargo.toml", "serde"),
            ("host/engine/Cargo.toml", "accredit-core"),
            ("host/engine/Cargo.toml", "wasmtime"),
            ("host/cli/Cargo.toml", "accredit-core"),
        ];
        for (path, name) in table {
            let faults = faults(path, &format!("{name}.workspace = true"));
            assert!(faults.is_empty(), "{faults:?}");
        }
    }

    #[test]
    fn a_version_belongs_into_the_root() {
        let faults = faults("host/cli/Cargo.toml", "clap = \"4\"");
        assert!(faults[0].contains("`clap` is declared here"), "{faults:?}");
    }
}
