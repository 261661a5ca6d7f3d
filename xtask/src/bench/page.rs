//! BENCHMARKS.md: people write it, and the table between two marks is replaced.

use std::fs;
use std::path::Path;

use crate::Outcome;

const BEGIN: &str = "<!-- cargo xtask bench --write: begin -->";
const END: &str = "<!-- cargo xtask bench --write: end -->";

/// Replaces what stands between the marks of the file.
pub(super) fn write(file: &Path, machine: &str, table: &str) -> Outcome {
    let fail = |error| format!("{}: {error}", file.display());
    let page = fs::read_to_string(file).map_err(fail)?;
    let page = replaced(&page, &format!("{machine}\n\n{table}"));
    let missing =
        format!("{} lacks the lines `{BEGIN}` and `{END}`: put them back", file.display());
    fs::write(file, page.ok_or(missing)?).map_err(fail)
}

fn replaced(page: &str, section: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{section}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, replaced};

    #[test]
    fn only_what_stands_between_the_marks_is_replaced() {
        let page = format!("a\n{BEGIN}\nold\n{END}\nb\n");
        let new = replaced(&page, "new\n").expect("both marks are there");
        assert_eq!(new, format!("a\n{BEGIN}\nnew\n{END}\nb\n"));
        assert_eq!(replaced(&new, "new\n"), Some(new));
        assert_eq!(replaced("a\nb\n", "new\n"), None);
    }
}
