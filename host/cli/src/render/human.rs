//! Text for people, at a terminal.

mod bench;
mod comparison;
mod doctor;
mod explanation;
mod figure;
mod inspect;
mod lint;
mod misses;
mod one_case;
mod probe;
mod report;
mod requirement;
mod wrap;

pub use bench::bench;
pub use comparison::comparison;
pub use doctor::checks;
pub use explanation::explanation;
pub use inspect::inspected;
pub use lint::lint;
pub use one_case::one_case;
pub use probe::probes;
pub use report::report;
pub use requirement::{requirement, requirements};

use comfy_table::{ContentArrangement, Table, presets};

/// A table without lines, as wide as the terminal allows.
fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(head.to_vec());
    table
}

/// The table as lines, indented, no trailing space.
fn lines(table: &Table) -> String {
    table.lines().map(|line| format!(" {}\n", line.trim_end())).collect()
}

/// `1 control`, `2 controls`.
fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {}", plural(what)),
    }
}

fn plural(what: &str) -> String {
    match what {
        "family" => "families".to_owned(),
        "linear memory" => "linear memories".to_owned(),
        "false pass" => "false passes".to_owned(),
        _ => format!("{what}s"),
    }
}
