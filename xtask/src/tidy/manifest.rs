//! The dependencies of a Cargo.toml, read as lines: as much TOML as our manifests use.

/// One dependency.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Dependency<'a> {
    pub(super) name: &'a str,
    /// From 1.
    pub(super) line: usize,
    /// What stands behind the name: `.workspace = true`, ` = "1"`, ` = { path = "..." }`.
    pub(super) value: &'a str,
    /// For building and running, or for tests only.
    pub(super) is_dev: bool,
}

/// Which tables hold dependencies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tables {
    /// `[dependencies]`, `[dev-dependencies]`, `[build-dependencies]`, and those of a target.
    Member,
    /// `[workspace.dependencies]`.
    Workspace,
}

/// All dependencies in these tables, in their order.
pub(super) fn dependencies(manifest: &str, tables: Tables) -> Vec<Dependency<'_>> {
    let mut found = Vec::new();
    let mut section = "";
    for (number, line) in manifest.lines().enumerate() {
        if let Some(header) = line.trim().strip_prefix('[').filter(|_| !line.starts_with(' ')) {
            section = header.split(']').next().unwrap_or_default();
            // `[dependencies.name]`: the table is one dependency.
            if let Some((table, name)) = section.rsplit_once('.').filter(|(t, _)| holds(t, tables))
            {
                let is_dev = table.ends_with("dev-dependencies");
                found.push(Dependency { name, line: number + 1, value: "", is_dev });
            }
            continue;
        }
        if !holds(section, tables) || !line.starts_with(|c: char| c.is_alphanumeric()) {
            continue;
        }
        let end = line.find(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
        let (name, value) = line.split_at(end.unwrap_or(line.len()));
        let is_dev = section.ends_with("dev-dependencies");
        found.push(Dependency { name, line: number + 1, value, is_dev });
    }
    found
}

fn holds(section: &str, tables: Tables) -> bool {
    match tables {
        Tables::Workspace => section == "workspace.dependencies",
        Tables::Member => {
            let last = section.rsplit('.').next().unwrap_or_default();
            let of_target = section.starts_with("target.") || section == last;
            of_target && matches!(last, "dependencies" | "dev-dependencies" | "build-dependencies")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Tables, dependencies};

    const MANIFEST: &str = "\
[package]
name = \"x\"
[dependencies]
a.workspace = true
# why
b = { version = \"1\", features = [
    \"c\",
] }
[target.'cfg(unix)'.dependencies]
d = \"1\"
[dev-dependencies.e]
version = \"1\"
[workspace.dependencies]
f = \"1\"
[lints]
g = true
";

    #[test]
    fn each_table_gives_its_own() {
        let names = |tables| -> Vec<_> {
            let found = dependencies(MANIFEST, tables);
            found.iter().map(|found| (found.name, found.line, found.is_dev)).collect()
        };
        let member = [("a", 4, false), ("b", 6, false), ("d", 10, false), ("e", 11, true)];
        assert_eq!(names(Tables::Member), member);
        assert_eq!(names(Tables::Workspace), [("f", 14, false)]);
        assert_eq!(dependencies(MANIFEST, Tables::Member)[0].value, ".workspace = true");
    }
}
