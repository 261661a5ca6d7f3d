//! `cargo xtask test`: builds what the tests run (the binary `accredit`, graders that graders/dist
//! lacks), then runs every test of the workspace, those in the documentation too.

use crate::{Outcome, cargo, guests, workspace_root};

/// Runs the command; `arguments` go to `cargo test`.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let root = workspace_root();
    guests::build_missing(&root)?;
    cargo::build_host(&root)?;
    cargo::run(&root, &test_arguments(arguments))
}

/// `cargo test` over the whole workspace, unless packages are named.
fn test_arguments(arguments: &[String]) -> Vec<&str> {
    let own = arguments.iter().take_while(|argument| *argument != "--");
    let names_packages = own.into_iter().any(|argument| {
        argument.starts_with("-p") || *argument == "--package" || argument.starts_with("--package=")
    });
    let mut all = if names_packages { vec!["test"] } else { vec!["test", "--workspace"] };
    all.push("--locked");
    all.extend(arguments.iter().map(String::as_str));
    all
}

#[cfg(test)]
mod tests {
    use super::test_arguments;

    #[test]
    fn arguments_pass_through_and_a_named_package_narrows_the_workspace() {
        let table: &[(&[&str], &str)] = &[
            (&[], "test --workspace --locked"),
            (&["--no-fail-fast"], "test --workspace --locked --no-fail-fast"),
            (&["-p", "accredit-core"], "test --locked -p accredit-core"),
            (&["--package=xtask", "tidy"], "test --locked --package=xtask tidy"),
            (&["fold", "--", "-p"], "test --workspace --locked fold -- -p"),
        ];
        for (given, expected) in table {
            let given: Vec<String> = given.iter().map(|&word| word.to_owned()).collect();
            assert_eq!(test_arguments(&given).join(" "), *expected);
        }
    }
}
