//! Text for people, at a terminal.

mod assessment;
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

pub use assessment::imported;
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

/// Text in lines of at most 80 columns, each after this margin, broken at spaces. No line begins with a word
/// that a log of GitHub Actions would take for a command.
fn wrapped(text: &str, margin: &str) -> String {
    let room = 80 - margin.len();
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().unwrap_or_else(|| unreachable!("there is always a line"));
        let long = line.chars().count() + 1 + word.chars().count() > room;
        if long && !line.is_empty() && !word.starts_with("::") {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.iter().map(|line| format!("{margin}{line}\n")).collect()
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
