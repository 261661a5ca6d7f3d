//! The files of the repository, as checks see them, and what a check says of one.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::source;

/// The files of the repository.
pub(super) struct Tree {
    pub(super) files: Vec<File>,
}

/// One file.
pub(super) struct File {
    /// Its path below the root, with `/`.
    pub(super) path: String,
    /// How many bytes it has.
    pub(super) bytes: usize,
    /// Its text; empty if it holds none.
    pub(super) text: String,
    /// Of Rust: the text without comments and the contents of literals, line for line.
    pub(super) code: String,
}

/// Something to mend.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fault {
    path: String,
    /// From 1; 0 is the file as a whole.
    line: usize,
    what: String,
}

impl Fault {
    /// A fault of this file. `what` says what is wrong, and how to mend it.
    pub(super) fn new(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, what: what.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.what),
            line => write!(f, "{}:{line}: {}", self.path, self.what),
        }
    }
}

impl File {
    pub(super) fn new(path: &str, bytes: &[u8]) -> Self {
        let text = std::str::from_utf8(bytes).unwrap_or_default().to_owned();
        let code = if path.ends_with(".rs") { source::code(&text) } else { String::new() };
        Self { path: path.to_owned(), bytes: bytes.len(), text, code }
    }

    /// Whether it is Rust.
    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Whether it holds tests and nothing else.
    pub(super) fn is_test(&self) -> bool {
        self.path.split('/').any(|part| part == "tests") || self.path.ends_with("tests.rs")
    }
}

impl Tree {
    /// Reads what git tracks, and what it would add; without git, whatever is there.
    pub(super) fn read(root: &Path) -> Result<Self, String> {
        let mut paths = match listed_by_git(root) {
            Some(paths) => paths,
            None => {
                let mut paths = Vec::new();
                walk(root, "", &mut paths)?;
                paths
            }
        };
        paths.sort();
        paths.dedup();
        let mut files = Vec::new();
        for path in paths {
            // git lists a file that was deleted until the deletion is committed.
            if let Ok(bytes) = fs::read(root.join(&path)) {
                files.push(File::new(&path, &bytes));
            }
        }
        Ok(Self { files })
    }

    /// A tree made up for a test of a check.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        Self { files: files.iter().map(|(path, text)| File::new(path, text.as_bytes())).collect() }
    }

    /// The file at this path.
    pub(super) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The Rust files whose path starts like this.
    pub(super) fn rust<'a>(&'a self, start: &'a str) -> impl Iterator<Item = &'a File> {
        self.files.iter().filter(move |file| file.is_rust() && file.path.starts_with(start))
    }
}

fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .ok()?;
    if !output.status.success() || !root.join(".git").exists() {
        return None;
    }
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// All files below a folder of the root, but for git's own and what cargo built.
fn walk(root: &Path, folder: &str, paths: &mut Vec<String>) -> Result<(), String> {
    let here = root.join(folder);
    let entries = fs::read_dir(&here).map_err(|e| format!("{}: {e}", here.display()))?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        match (is_folder, path.as_str()) {
            (true, ".git" | "target") => {}
            (true, _) => walk(root, &path, paths)?,
            (false, _) => paths.push(path),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Fault, File, Tree, walk};
    use crate::workspace_root;

    #[test]
    fn faults_tell_file_and_line_and_sort_by_them() {
        let mut faults =
            [Fault::new("b", 2, "x"), Fault::new("a", 10, "x"), Fault::new("a", 0, "x")];
        faults.sort();
        assert_eq!(faults.each_ref().map(Fault::to_string), ["a: x", "a:10: x", "b:2: x"]);
    }

    #[test]
    fn test_files_are_known_by_their_place_or_name() {
        let is_test = |path: &str| File::new(path, b"").is_test();
        assert!(is_test("host/core/src/fold_tests.rs"));
        assert!(is_test("host/cli/src/read/tests/keys.rs"));
        assert!(is_test("tests/src/lib.rs"));
        assert!(!is_test("xtask/src/test.rs"));
    }

    #[test]
    fn this_repository_can_be_listed_with_and_without_git() {
        let tree = Tree::read(&workspace_root()).expect("it can be read");
        assert!(tree.file("xtask/src/tidy/tree.rs").is_some());
        let mut paths = Vec::new();
        walk(&workspace_root(), "", &mut paths).expect("it can be walked");
        assert!(paths.iter().any(|path| path == "xtask/src/tidy/tree.rs"));
        assert!(!paths.iter().any(|path| path.starts_with("target/")));
    }
}
