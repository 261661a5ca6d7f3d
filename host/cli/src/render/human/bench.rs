//! What a trial of one case costs, for its author.

use accredit_core::stats::percentile::Spread;

use super::{counted, lines, table};
use crate::bench::Bench;
use crate::render::escape::terminal_line;
use crate::terminal::{FAINT, STRONG, WARNING};

/// What the trials came to, and what they cost.
#[must_use]
pub fn bench(bench: &Bench) -> String {
    let mut text = format!(
        "{STRONG}{}{STRONG:#} {}  {}\n",
        bench.grader,
        terminal_line(&bench.version),
        bench.digest.short()
    );
    let verdicts: Vec<_> = bench
        .verdicts
        .iter()
        .map(|(verdict, count)| format!("{verdict} in {}", counted(*count, "trial")))
        .collect();
    text.push_str(&format!("  the case comes to {}\n", verdicts.join(", ")));
    if let Some(why) = &bench.why_unanswered {
        text.push_str(&format!(
            "  {WARNING}no answer{WARNING:#} in {}; in the last: {}\n",
            counted(bench.unanswered, "trial"),
            terminal_line(why)
        ));
    }
    if bench.trials < bench.asked {
        text.push_str(&format!(
            "  {WARNING}only {} of {} trials{WARNING:#}: no more are begun after a minute\n",
            bench.trials, bench.asked
        ));
    }
    text.push('\n');
    text.push_str(&costs(bench));
    text.push_str(&format!(
        "\n  {:.0} trials/s on one thread, after {} to warm up\n",
        bench.trials_per_second,
        counted(u64::from(bench.warm_up), "trial")
    ));
    text + &footnote(bench)
}

fn costs(bench: &Bench) -> String {
    let mut table = table(&["a trial", "min", "p50", "p90", "p99", "max", ""]);
    let constant = if bench.fuel_is_constant { "constant" } else { "varies with the seed" };
    table.add_row(row("fuel", bench.fuel, |fuel| fuel.to_string(), constant));
    table.add_row(row("memory, KiB", bench.memory_bytes, |bytes| (bytes / 1024).to_string(), ""));
    let micros = |nanos: u64| format!("{:.1}", nanos as f64 / 1e3);
    table.add_row(row("time, µs", bench.wall_ns, micros, "of this machine"));
    lines(&table)
}

fn row(what: &str, spread: Spread, shown: impl Fn(u64) -> String, note: &str) -> Vec<String> {
    let Spread { min, p50, p90, p99, max } = spread;
    let mut cells = vec![what.to_owned()];
    cells.extend([min, p50, p90, p99, max].map(shown));
    cells.push(note.to_owned());
    cells
}

fn footnote(bench: &Bench) -> String {
    let pool = if bench.machine.pooled { "pooled memory" } else { "memory mapped for each trial" };
    let scan = if bench.machine.pagemap_scan { "pagemap_scan" } else { "no pagemap_scan" };
    format!(
        "{FAINT}  {}, {pool}, {scan}; percentiles by nearest rank\n  {}{FAINT:#}\n",
        bench.machine.platform, bench.note
    )
}
