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

/// The table as lines, indented, no trailing space.
pub(super) fn lines(table: &Table) -> String {
    table.lines().map(|line| format!(" {}\n", line.trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::human::wrap::{WIDTH, columns};

    #[test]
    fn tables_fit() {
        let mut table = table(&["name", "a-rather-long-name", "third"]);
        table.add_row(["some words ".repeat(9), "more words ".repeat(9), "x".repeat(50)]);
        assert!(lines(&table).lines().all(|line| columns(line) <= WIDTH), "{}", lines(&table));
    }
}
