//! The tables of `docs/statistics.md`, made by the code. `ACCREDIT_BLESS=1 cargo test -p accredit-core --test
//! statistics` writes them again.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use accredit_core::control::set::Kind;
use accredit_core::explain::TRUE_RATES;
use accredit_core::policy::{Bars, Policy};
use accredit_core::stats::sample_size::{chance_of_meeting, chance_of_meeting_all, units_needed};
use accredit_core::verdict::{GraderKind, Tier};

use crate::{Coverage, coverage, simulation};

/// Every row of coverage, worked out once for all tests.
pub(crate) fn all_coverage() -> &'static [Coverage] {
    static ROWS: LazyLock<Vec<Coverage>> = LazyLock::new(|| {
        let mut rows = coverage::rows();
        rows.extend(simulation::rows());
        rows
    });
    &ROWS
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test of a page must read it, and may write it")]
fn the_tables_of_the_page_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/statistics.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let mut made = page.clone();
    for (name, table) in [
        ("coverage", coverage_table()),
        ("one bar", chances_of_one_bar()),
        ("all rates", chances_of_all_rates()),
    ] {
        made = replaced(&made, name, &table);
    }
    if std::env::var_os("ACCREDIT_BLESS").is_some() {
        std::fs::write(&path, &made).expect("writes");
        return;
    }
    assert!(
        page == made,
        "docs/statistics.md is out of date: run \
         `ACCREDIT_BLESS=1 cargo test -p accredit-core --test statistics`"
    );
}

/// The page with another table between the two marks of this name.
fn replaced(page: &str, name: &str, table: &str) -> String {
    let (open, close) = (format!("<!-- made: {name} -->\n"), format!("<!-- end: {name} -->"));
    let start = page.find(&open).expect("a mark") + open.len();
    let end = page.find(&close).expect("an end mark");
    format!("{}\n{table}\n{}", &page[..start], &page[end..])
}

fn coverage_table() -> String {
    let mut table = "| interval | on | nominal | least | mean | how | criterion |\n\
                     | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for it in all_coverage() {
        let Coverage { interval, setting, nominal, least, mean, how, criterion } = it;
        writeln!(
            table,
            "| {interval} | {setting} | {nominal:.2} | {least:.3} | {mean:.3} | {how} | {criterion} |"
        )
        .expect("writes to a string");
    }
    table
}

fn heading(first: &str) -> String {
    let rates: String = TRUE_RATES.iter().map(|rate| format!(" {rate:.2} |")).collect();
    format!("| {first} |{rates}\n| --- |{}\n", " ---: |".repeat(TRUE_RATES.len()))
}

fn row(table: &mut String, first: &str, chance: impl Fn(f64) -> f64) {
    let chances: String =
        TRUE_RATES.iter().map(|rate| format!(" {:.1} % |", 100.0 * chance(*rate))).collect();
    writeln!(table, "| {first} |{chances}").expect("writes to a string");
}

/// The chance of clearing each bar of the default policy, with families for no miss, one, two and five.
fn chances_of_one_bar() -> String {
    let confidence = Policy::default().confidence;
    let mut table = heading("bar, families");
    for bar in [0.95, 0.90, 0.80] {
        for misses in [0, 1, 2, 5] {
            let of = units_needed(misses, bar, confidence).expect("a number");
            let chance = |rate| chance_of_meeting(rate, of, bar, confidence).expect("a chance");
            row(&mut table, &format!("{bar:.2}, {of} ({misses} may miss)"), chance);
        }
    }
    table
}

/// The bars on kinds of controls of one tier, each with the families for so many misses; and real outputs, as
/// many as the policy asks for, on either side.
fn bars(bars: &Bars, misses: u64, confidence: f64) -> Vec<(u64, f64)> {
    let kinds = Kind::ALL.into_iter().filter(|kind| *kind != Kind::RealOutput);
    let needed = |bar| units_needed(misses, bar, confidence).expect("a number");
    let mut all: Vec<_> =
        kinds.filter_map(|kind| bars.rate(kind)).map(|bar| (needed(bar), bar)).collect();
    if let (Some(units), Some(bar)) = (bars.real_outputs, bars.real_output) {
        all.extend([(units, bar); 2]);
    }
    all
}

/// The chance of clearing every rate of a tier at once.
fn chances_of_all_rates() -> String {
    let policy = Policy::default();
    let mut table = heading("tier, misses allowed in each kind");
    for (tier, grader) in [
        (Tier::Characterization, GraderKind::Code),
        (Tier::Gating, GraderKind::Code),
        (Tier::Gating, GraderKind::Judge),
    ] {
        let of_tier = policy.bars(grader, tier).expect("bars");
        for misses in [0, 2, 5] {
            let bars = bars(of_tier, misses, policy.confidence);
            let families: u64 = bars.iter().map(|(of, _)| of).sum();
            let chance =
                |rate| chance_of_meeting_all(rate, &bars, policy.confidence).expect("a chance");
            let who = if tier == Tier::Gating { format!(" ({grader})") } else { String::new() };
            row(&mut table, &format!("{tier}{who}, {misses}: {families} families"), chance);
        }
    }
    table
}
