//! How long files and functions are, and that every file says first what it is for.

use super::source::{closing_brace, is_word, line, words};
use super::tree::{Fault, Tree};

/// A file has at most so many lines, and is told in a note above the lower number.
const FILE: usize = 600;
const LONG_FILE: usize = 400;

/// A function has at most so many lines, from its `fn` to its closing brace.
const FUNCTION: usize = 80;

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for file in tree.rust("") {
        let lines = file.text.lines().count();
        if !file.text.starts_with("//!") {
            let what = "does not open with `//!`: say in a few lines what it is for";
            faults.push(Fault::new(&file.path, 1, what));
        }
        if lines > FILE {
            let what = format!("{lines} lines, and at most {FILE} are allowed: split it");
            faults.push(Fault::new(&file.path, 0, what));
        }
        faults.extend(functions(&file.code).into_iter().filter(|found| found.lines > FUNCTION).map(
            |Function { name, line, lines }| {
                let what = format!(
                    "`{name}` has {lines} lines, and at most {FUNCTION} are allowed: split it, or make \
                     its table data"
                );
                Fault::new(&file.path, line, what)
            },
        ));
    }
    faults
}

/// Files that are long, though not too long, the longest first.
pub(super) fn notes(tree: &Tree) -> Vec<String> {
    let lines = tree.rust("").map(|file| (file.text.lines().count(), &file.path));
    let mut long: Vec<_> =
        lines.filter(|(lines, _)| (LONG_FILE + 1..=FILE).contains(lines)).collect();
    long.sort();
    long.into_iter().rev().map(|(lines, path)| format!("{path} has {lines} lines")).collect()
}

/// A function with a body.
struct Function<'a> {
    name: &'a str,
    line: usize,
    lines: usize,
}

fn functions(code: &str) -> Vec<Function<'_>> {
    let mut found = Vec::new();
    for start in words(code, "fn ") {
        let after = start + "fn ".len();
        let length = code[after..].find(|c| !is_word(c)).unwrap_or_default();
        let Some(open) = body(&code[after..]).filter(|_| length > 0) else { continue };
        let first = line(code, start);
        let last = line(code, closing_brace(code, after + open));
        let name = &code[after..after + length];
        found.push(Function { name, line: first, lines: last + 1 - first });
    }
    found
}

/// Where the body opens; a declaration has none.
fn body(signature: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in signature.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '{' if depth == 0 => return Some(at),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Tree, check, notes};

    fn faults(text: &str) -> Vec<String> {
        check(&Tree::of(&[("a.rs", text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_file_says_what_it_is_for() {
        assert!(faults("//! a\n").is_empty());
        assert!(faults("use std::fmt;\n")[0].starts_with("a.rs:1: does not open with `//!`"));
    }

    #[test]
    fn files_have_an_end() {
        let text = |lines: usize| format!("//! a\n{}", "//\n".repeat(lines - 1));
        assert!(faults(&text(600)).is_empty());
        assert!(faults(&text(601))[0].starts_with("a.rs: 601 lines"));
        let notes = |lines| notes(&Tree::of(&[("a.rs", &text(lines))]));
        assert!(notes(400).is_empty());
        assert_eq!(notes(401), ["a.rs has 401 lines"]);
    }

    #[test]
    fn functions_have_an_end() {
        let text = |lines: usize| {
            let body = "    let x = \"}\"; // }\n".repeat(lines - 2);
            format!(
                "//! a\nfn no_body(x: [u8; 4]);\npub fn a(\n    x: fn(u8) -> u8) {{\n{body}}}\n"
            )
        };
        assert!(faults(&text(79)).is_empty());
        let told = faults(&text(80));
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("a.rs:3: `a` has 81 lines"), "{told:?}");
    }
}
