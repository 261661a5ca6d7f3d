//! A sound control set, and what is worth knowing of it.

use std::path::Path;

use accredit_core::control::lint::LintFault;
use accredit_core::control::set::ControlSet;

use super::counted;
use crate::cmd::counts;
use crate::render::escape::terminal_text;
use crate::terminal::{GOOD, WARNING};

/// What a set holds, with warnings.
#[must_use]
pub fn lint(dir: &Path, set: &ControlSet, warnings: &[LintFault]) -> String {
    let mut text = String::new();
    for warning in warnings {
        text.push_str(&format!("{WARNING}note{WARNING:#}: {}/{warning}\n", dir.display()));
    }
    let kinds: Vec<_> =
        counts(&set.controls).into_iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    text.push_str(&format!(
        "{GOOD}ok{GOOD:#}: set {} {}: {} ({})\n{}\n",
        set.header.id,
        terminal_text(&set.header.version),
        counted(set.controls.len() as u64, "control"),
        kinds.join(", "),
        set.digest,
    ));
    text
}
