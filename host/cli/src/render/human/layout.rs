//! Tables in eighty columns, broken within their cells.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width, presets};

/// What a table takes behind its indent of one column.
const TABLE: u16 = 79;

/// A name longer than this may break at its first hyphen.
const LONG_NAME: usize = 13;

/// A table without lines, no wider than 80 columns. Names at its head that are joined by hyphens may break
/// there.
pub(super) fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(TABLE);
    let broken = |name: &&str| name.replacen('-', "-\n", usize::from(name.len() > LONG_NAME));
    table.set_header(head.iter().map(broken));
    table
}

/// Keeps columns, counted from 0, from taking more than so many columns of the terminal.
pub(super) fn narrow(table: &mut Table, widths: &[(usize, u16)]) {
    for (at, width) in widths {
        if let Some(column) = table.column_mut(*at) {
            column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(*width)));
        }
    }
}

/// The table as lines, indented, no trailing space. Where a cell's line begins with what a log of GitHub
/// Actions would take for a command, it is escaped.
pub(super) fn lines(table: &Table) -> String {
    let line = |line: &str| match line.trim_start().strip_prefix("::") {
        None => format!(" {}\n", line.trim_end()),
        Some(rest) => {
            let margin = &line[..line.len() - rest.len() - 2];
            format!(" {margin}\\u{{3a}}:{}\n", rest.trim_end())
        }
    };
    table.lines().map(|shown| line(&shown)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::human::wrap::{WIDTH, columns};

    #[test]
    fn no_line_of_a_cell_is_a_command() {
        let mut table = table(&["name", "other"]);
        table.add_row([format!("{} ::error::x", "word ".repeat(20)).as_str(), &"y ".repeat(99)]);
        table.add_row(["::error::x", "y"]);
        let text = lines(&table);
        assert!(!text.lines().any(|line| line.trim().starts_with("::")), "{text}");
        assert!(text.contains("\\u{3a}:error::x"), "{text}");
    }

    #[test]
    fn tables_fit() {
        let mut table = table(&["name", "a-rather-long-name", "third"]);
        table.add_row(["some words ".repeat(9), "more words ".repeat(9), "x".repeat(50)]);
        assert!(lines(&table).lines().all(|line| columns(line) <= WIDTH), "{}", lines(&table));
    }
}
