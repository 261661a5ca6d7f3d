//! What the crates of the host must not do: core touches nothing outside, the engine neither prints nor
//! knows what a control expects, no renderer computes a number.

use super::source::{line, words};
use super::tree::{Fault, Tree};

/// What must not stand in the code below a folder.
struct Rule {
    folder: &'static str,
    words: &'static [&'static str],
    mend: &'static str,
}

const PRINTING: &[&str] = &["println!", "print!", "eprintln!", "eprint!", "dbg!"];

const RULES: &[Rule] = &[
    Rule { folder: "host/core/src/", words: PRINTING, mend: "core returns values; the cli prints" },
    Rule {
        folder: "host/core/src/",
        words: &["SystemTime", "Instant", "wasmtime"],
        mend: "core is pure: let the cli or the engine do it, and pass the value in",
    },
    Rule {
        folder: "host/engine/src/",
        words: PRINTING,
        mend: "the engine returns values; the cli prints",
    },
    Rule {
        folder: "host/engine/src/",
        words: &["Expectation", "ControlSet", "expect.verdict"],
        mend: "the engine must not see what a control expects: it gets a case and gives an outcome",
    },
    Rule {
        folder: "host/cli/src/render",
        words: &[
            "exact_lower",
            "exact_upper",
            "clopper_pearson",
            "wilson(",
            "::wilson",
            "units_needed",
            "misses_allowed",
            "chance_of_meeting",
        ],
        mend: "no renderer computes a number: put it into the report, in core",
    },
];

/// The modules of the standard library that core must not use.
const IMPURE: &[&str] = &["env", "fs", "io", "net", "process", "thread"];

pub(super) fn check(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for Rule { folder, words: forbidden, mend } in RULES {
        for file in tree.rust(folder).filter(|file| !file.is_test()) {
            let code = super::source::without_tests(&file.code);
            for word in *forbidden {
                faults.extend(words(&code, word).map(|at| {
                    Fault::new(&file.path, line(&code, at), format!("`{word}`: {mend}"))
                }));
            }
        }
    }
    for file in tree.rust("host/core/src/") {
        faults.extend(impure(&file.code).into_iter().map(|(line, module)| {
            let what = format!("`std::{module}`: core is pure; let the cli or the engine do it");
            Fault::new(&file.path, line, what)
        }));
    }
    faults
}

/// The modules of [`IMPURE`] that the code names, with their lines: `std::fs`, `std::{fmt, fs}`.
fn impure(code: &str) -> Vec<(usize, &'static str)> {
    let mut found = Vec::new();
    for start in words(code, "std::") {
        let named = &code[start + "std::".len()..];
        let group = if named.starts_with('{') { group(named) } else { named };
        let is_group = named.starts_with('{');
        for &module in IMPURE {
            let hit = if is_group {
                words(group, module).find(|&at| is_top_level(group, at))
            } else {
                words(group, module).find(|&at| at == 0)
            };
            let offset = start + "std::".len();
            found.extend(hit.map(|at| (line(code, offset + at), module)));
        }
    }
    found
}

/// From the opening brace to the one that closes it.
fn group(text: &str) -> &str {
    &text[..super::source::closing_brace(text, 0)]
}

/// Whether this place of a group is in its outermost braces, at the beginning of a path.
fn is_top_level(group: &str, at: usize) -> bool {
    let before = &group[..at];
    let depth = before.matches('{').count() - before.matches('}').count();
    depth == 1 && !before.trim_end().ends_with("::")
}

#[cfg(test)]
mod tests {
    use super::{Tree, check};

    fn faults(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(path, text)])).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_a_crate_must_not_do_is_told_with_its_line() {
        let table = [
            ("host/core/src/a.rs", "std::fs::read(p)", "`std::fs`"),
            ("host/core/src/a.rs", "use std::{fmt, io::Read};", "`std::io`"),
            ("host/core/src/a.rs", "use std::{fmt::{self}, thread};", "`std::thread`"),
            ("host/core/src/a_tests.rs", "use std::env;", "`std::env`"),
            ("host/core/src/a.rs", "use std::time::{Duration, Instant};", "`Instant`"),
            ("host/core/src/a.rs", "println!(\"x\")", "`println!`"),
            ("host/core/src/a.rs", "wasmtime::Engine", "`wasmtime`"),
            ("host/engine/src/a.rs", "eprintln!(\"x\")", "`eprintln!`"),
            ("host/engine/src/a.rs", "x: &ControlSet", "`ControlSet`"),
            ("host/engine/src/a.rs", "control.expect.verdict", "`expect.verdict`"),
            ("host/cli/src/render/json.rs", "let x = wilson(count, c);", "`wilson(`"),
            ("host/cli/src/render.rs", "use interval::exact_lower;", "`exact_lower`"),
        ];
        for (path, text, told) in table {
            let faults = faults(path, &format!("//! a\n{text}\n"));
            assert_eq!(faults.len(), 1, "{text}: {faults:?}");
            assert!(faults[0].starts_with(&format!("{path}:2: {told}")), "{faults:?}");
        }
    }

    #[test]
    fn the_like_passes() {
        let table = [
            ("host/core/src/a.rs", "// std::fs, println!(\"\")\n const A: &str = \"std::fs\";"),
            ("host/core/src/a.rs", "use std::{fmt::{self, env}, time::Duration};"),
            ("host/core/src/a.rs", "use core::net; writeln!(f, \"\")"),
            ("host/engine/src/a.rs", "std::fs::read(p)"),
            ("host/engine/tests/all/a.rs", "println!(\"\")"),
            ("host/engine/src/a.rs", "#[cfg(test)]\nmod tests {\n fn a() { println!(\"\") }\n}"),
            ("host/cli/src/render/json.rs", "figure.wilson, wilson"),
            ("host/cli/src/check.rs", "println!(\"\"); wilson(a)"),
        ];
        for (path, text) in table {
            let faults = faults(path, text);
            assert!(faults.is_empty(), "{text}: {faults:?}");
        }
    }
}
