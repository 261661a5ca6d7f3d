//! Faults of `set.toml` on its own.

use super::{LintFault, in_header, repeated};
use crate::control::set::SetHeader;

pub(super) fn check(header: &SetHeader, faults: &mut Vec<LintFault>) {
    let mut push = |code, key, message: String, mend: &str| {
        faults.push(LintFault::error(code, in_header(), message, mend).about(key));
    };
    if header.version.trim().is_empty() {
        let mend = "write a version, for example \"0.1.0\"";
        push(
            "empty-version",
            "version",
            "the set has no version".into(),
            mend,
        );
    }
    if header.authors.is_empty() {
        let mend = "name who wrote the controls: who wrote the grader must be another";
        push(
            "empty-authors",
            "authors",
            "the set names no author".into(),
            mend,
        );
    }
    if header.authors.iter().any(|author| author.trim().is_empty()) {
        let mend = "write the author's name, or take the empty text out";
        push(
            "empty-authors",
            "authors",
            "an author's name is empty".into(),
            mend,
        );
    }
    for author in repeated(&header.authors) {
        let message = format!("the author {} is named twice", super::quoted(author));
        push(
            "duplicate-author",
            "authors",
            message,
            "name each author once",
        );
    }
    if header.rules.is_empty() {
        let mend = "list the rubric's rule ids";
        push("no-rules", "rules", "the set lists no rule".into(), mend);
    }
    for rule in repeated(&header.rules) {
        push(
            "duplicate-rule",
            "rules",
            format!("the rule `{rule}` is listed twice"),
            "list each rule once",
        );
    }
    for transform in repeated(&header.transforms) {
        let message = format!("the transform `{}` is listed twice", transform.name());
        push(
            "duplicate-transform",
            "transforms",
            message,
            "list each transform once",
        );
    }
}
