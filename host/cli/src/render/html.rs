//! The report as one page that needs nothing else: readable without its script, on paper, at a desk and on
//! a phone, by day and by night.
//!
//! Text enters a page by [`escape::html`](super::escape) alone; ids are letters, digits and `.-_`. The
//! page's own policy admits its style and its script by their digests, and nothing else, so that a script
//! in a text would not run even if it got there as markup. Positions in plots are presentation; every
//! number that is written stands in the report.

mod baselines;
mod charts;
mod confusion;
mod decision;
mod digests;
mod faults;
mod filter;
mod forest;
mod gate;
mod held_out;
mod import;
mod in_use;
mod misses;
mod page;
mod people;
mod real_output;
mod scale;
mod scores;
mod stability;
mod texts;

pub use gate::gate;
pub use import::imported;

use accredit_core::report::Report;
use maud::Markup;

use super::Context;

/// A part of the page.
struct Section {
    /// What a link to it names.
    id: &'static str,
    /// Its heading.
    title: &'static str,
    /// What stands in it.
    body: Markup,
}

/// The whole page.
#[must_use]
pub fn report(report: &Report, context: &Context<'_>) -> String {
    let real = report.real_output.as_ref();
    let sections = [
        misses::failures(report),
        Some(decision::section(report, context)),
        Some(forest::section(report, context)),
        Some(confusion::section(report)),
        misses::section(report),
        stability::pairs(report),
        Some(stability::section(report)),
        real.map(real_output::section),
        report.in_use_absent.as_deref().map(in_use::absent_of_run),
        real.and_then(|real| scores::section(&real.assessment.scores)),
        held_out::section(report, context),
        baselines::section(report).filter(|_| report.only.is_none()),
        faults::section(report),
        Some(digests::section(report, context)),
    ];
    let sections: Vec<_> = sections.into_iter().flatten().collect();
    page::of_report(report, context, &sections).into_string() + "\n"
}
