//! Cost and latency beside every score, version by version of the system, and which version is dominated on both.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::combine::{CaseResult, RunResult};
use super::record::{Ran, SutRun};
use super::standing::Standing;
use crate::id::{Digest, RunId};
use crate::stats::interval::Count;
use crate::untrusted::Untrusted;

/// One version of the system under test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VersionLine {
    /// What tells it from others.
    pub version: Digest,
    /// Its code, model and prompt, for people.
    pub named: Untrusted,
    /// Runs that passed, of those that were judged.
    pub runs: Count,
    /// The same as a share; absent over nothing.
    pub pass_rate: Option<f64>,
    /// What a run costs, on average over the runs that say.
    pub cost: Option<f64>,
    /// How long a run takes, likewise.
    pub latency_ms: Option<f64>,
    /// Runs that say what they cost and how long they took.
    pub timed: u64,
    /// Versions that pass at least as often, and are cheaper and faster, or as cheap and as fast and better in one.
    pub dominated_by: Vec<Digest>,
}

/// The versions that ran, the most passed first.
#[must_use]
pub fn versions(runs: &[SutRun], cases: &[&CaseResult]) -> Vec<VersionLine> {
    let ran: BTreeMap<&RunId, &Ran> = runs.iter().map(|run| (&run.id, &run.ran)).collect();
    let mut by_version: BTreeMap<Digest, Vec<&RunResult>> = BTreeMap::new();
    for run in cases.iter().flat_map(|case| &case.runs) {
        if let Some(version) = run.version {
            by_version.entry(version).or_default().push(run);
        }
    }
    let mut lines: Vec<_> = by_version
        .iter()
        .map(|(version, runs)| {
            let ran = runs.first().and_then(|run| ran.get(&run.run));
            line(*version, ran.map_or_else(Untrusted::default, |ran| named(ran)), runs)
        })
        .collect();
    let dominated: Vec<Vec<Digest>> = lines.iter().map(|line| dominating(line, &lines)).collect();
    for (line, by) in lines.iter_mut().zip(dominated) {
        line.dominated_by = by;
    }
    lines.sort_by(|one, other| {
        let rate = |line: &VersionLine| line.pass_rate.unwrap_or(-1.0);
        rate(other).total_cmp(&rate(one)).then_with(|| one.version.cmp(&other.version))
    });
    lines
}

fn named(ran: &Ran) -> Untrusted {
    let parts = [&ran.code_version, &ran.model, &ran.prompt_version];
    let parts: Vec<&str> =
        parts.into_iter().filter(|part| !part.is_empty()).map(String::as_str).collect();
    Untrusted::new(parts.join(", "))
}

fn line(version: Digest, named: Untrusted, runs: &[&RunResult]) -> VersionLine {
    let of = |wanted: fn(Standing) -> bool| {
        runs.iter().filter(|run| wanted(run.standing)).count() as u64
    };
    let counted = Count::new(of(|it| it == Standing::Passed), of(Standing::is_verdicted));
    let timed: Vec<(f64, u64)> =
        runs.iter().filter_map(|run| run.cost.zip(run.latency_ms)).collect();
    let mean = |sum: f64| (!timed.is_empty()).then(|| sum / timed.len() as f64);
    VersionLine {
        version,
        named,
        runs: counted,
        pass_rate: counted.rate(),
        cost: mean(timed.iter().map(|(cost, _)| cost).sum()),
        latency_ms: mean(timed.iter().map(|(_, latency)| *latency as f64).sum()),
        timed: timed.len() as u64,
        dominated_by: Vec::new(),
    }
}

/// The versions that are nowhere worse than this one, and better in something.
fn dominating(line: &VersionLine, all: &[VersionLine]) -> Vec<Digest> {
    let figures = |line: &VersionLine| Some((line.pass_rate?, line.cost?, line.latency_ms?));
    let Some((rate, cost, latency)) = figures(line) else { return Vec::new() };
    let dominates = |other: &&VersionLine| {
        figures(other).is_some_and(|(r, c, l)| {
            r >= rate && c <= cost && l <= latency && (r > rate || c < cost || l < latency)
        })
    };
    all.iter().filter(dominates).map(|other| other.version).collect()
}
