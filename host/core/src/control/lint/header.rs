//! Faults of `set.toml` on its own.

use super::{LintFault, in_header, quoted, repeated};
use crate::control::set::SetHeader;

pub(super) fn check(header: &SetHeader, faults: &mut Vec<LintFault>) {
    empty(header, faults);
    twice(header, faults);
    if header.held_out.is_some() && header.salt.is_some() {
        let message = "the set promises held-out controls and holds a salt: with the salt beside them, the commitments can be tried against guesses";
        let mend = "keep `salt` in the held-out set alone";
        faults.push(LintFault::error("open-salt", in_header(), message, mend).about("salt"));
    }
}

/// What must not be empty: the fault's code, the key, the message and the mend.
type Empty = (&'static str, &'static str, &'static str, &'static str);

const NO_VERSION: Empty = (
    "empty-version",
    "version",
    "the set has no version",
    "write a version, for example \"0.1.0\"",
);
const NO_AUTHORS: Empty = (
    "empty-authors",
    "authors",
    "the set names no author",
    "name who wrote the controls: who wrote the grader must be another",
);
const EMPTY_AUTHOR: Empty = (
    "empty-authors",
    "authors",
    "an author's name is empty",
    "write the author's name, or take the empty text out",
);
const NO_RULES: Empty =
    ("no-rules", "rules", "the set lists no rule", "list the rubric's rule ids");

fn empty(header: &SetHeader, faults: &mut Vec<LintFault>) {
    let nameless = header.authors.iter().any(|name| name.trim().is_empty());
    let checks = [
        (header.version.trim().is_empty(), NO_VERSION),
        (header.authors.is_empty(), NO_AUTHORS),
        (nameless, EMPTY_AUTHOR),
        (header.rules.is_empty(), NO_RULES),
    ];
    for (_, (code, key, message, mend)) in checks.iter().filter(|(empty, _)| *empty) {
        faults.push(LintFault::error(code, in_header(), *message, *mend).about(key));
    }
}

/// What must not be repeated: the fault's code, the key, and what it lists.
type Unique = (&'static str, &'static str, &'static str);

const AUTHORS: Unique = ("duplicate-author", "authors", "author");
const RULES: Unique = ("duplicate-rule", "rules", "rule");
const TRANSFORMS: Unique = ("duplicate-transform", "transforms", "transform");

fn twice(header: &SetHeader, faults: &mut Vec<LintFault>) {
    let authors = repeated(&header.authors).map(|author| (AUTHORS, quoted(author)));
    let rules = repeated(&header.rules).map(|rule| (RULES, format!("`{rule}`")));
    let transforms =
        repeated(&header.transforms).map(|it| (TRANSFORMS, format!("`{}`", it.name())));
    for ((code, key, what), name) in authors.chain(rules).chain(transforms) {
        let message = format!("the {what} {name} is listed twice");
        let mend = format!("list each {what} once");
        faults.push(LintFault::error(code, in_header(), message, mend).about(key));
    }
}
