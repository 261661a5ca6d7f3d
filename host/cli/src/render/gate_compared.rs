//! What every rendering of two versions compared by a gate says alike. Names of versions are not among these words.

use accredit_core::gate::compare::{GateComparison, GateSide};
use accredit_core::id::CaseId;
use accredit_core::stats::decimal::Way;

use super::figure::{cost_of_run, count, fraction, share};

/// How many ids of a list are named.
const IDS: usize = 20;

/// `27 of 30 -> 19 of 30 cases right · not established: ...`.
#[must_use]
pub fn headline(of: &GateComparison) -> String {
    let (before, after) = (count(of.a.right), count(of.b.right));
    format!("{before} -> {after} cases right · {}: {}", of.standing.text(), of.why)
}

/// One side, but for its name. The unit of costs is the inventory's.
#[must_use]
pub fn side(side: &GateSide) -> String {
    let summary = &side.summary;
    let corrected = match (&side.corrected.value, &side.corrected.absent) {
        (Some(it), _) => {
            let low = fraction(it.interval.low, 3, Way::Down);
            let high = fraction(it.interval.high, 3, Way::Up);
            let corrected = share(Some(it.corrected));
            format!(" · corrected for the grader's errors {corrected} ({low} to {high})")
        }
        (None, Some(why)) => format!(" · corrected rate absent: {why}"),
        (None, None) => String::new(),
    };
    let cost = side.cost.map(|cost| format!(" · cost of a run {}", cost_of_run(cost)));
    let latency = side.latency_ms.map(|latency| format!(" · latency {latency:.0} ms"));
    format!(
        "pass rate {} of {} judged, {} not evaluated{}{}{corrected}",
        share(summary.pass_rate),
        summary.verdicted,
        summary.not_evaluated,
        cost.unwrap_or_default(),
        latency.unwrap_or_default()
    )
}

/// The lists of cases that are not the same in both, by name; empty ones are left out.
pub fn lists(of: &GateComparison) -> impl Iterator<Item = String> {
    let lists = [
        ("right before alone", &of.lost),
        ("right now alone", &of.gained),
        ("unsettled: runs of one version disagree", &of.unsettled),
        ("missing in one of them, in no pair", &of.missing),
    ];
    let line = |(title, cases): (&str, &Vec<CaseId>)| {
        let all: Vec<_> = cases.iter().take(IDS).map(ToString::to_string).collect();
        let more = if cases.len() > IDS { ", …" } else { "" };
        format!("{title}: {} ({}{more})", cases.len(), all.join(", "))
    };
    lists.into_iter().filter(|(_, cases)| !cases.is_empty()).map(line)
}
