//! Two versions of the system under test, each through the same gate, paired by case.
//!
//! A case is right in a version if every judged run of it passes, wrong if every one fails, and unsettled if its runs
//! disagree: two runs of one version are the noise floor. Both are read to the same number of runs of a case. A
//! difference is established only by McNemar's exact test and Newcombe's paired interval both, over the settled cases,
//! and only if more cases changed sides, net, than are unsettled. Otherwise it is not established, never "equal".

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::combine::{CaseResult, RunResult};
use super::report::GateReport;
use super::standing::Standing as Stands;
use super::summary::Summary;
use crate::assess::Known;
use crate::compare::{Differs, Pairs, Standing, b_less_a, count, established};
use crate::id::{CaseId, Digest};
use crate::stats::correction::Corrected;
use crate::stats::difference::{self, Difference};
use crate::stats::interval::Count;
use crate::stats::mcnemar::mcnemar;
use crate::untrusted::Untrusted;

/// The version of the format of comparisons.
pub const FORMAT: u32 = 1;

/// Two versions compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateComparison {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// The policy of both.
    pub policy: Digest,
    /// The first.
    pub a: GateSide,
    /// The second.
    pub b: GateSide,
    /// What else than the system differs.
    pub differs: Vec<Differs>,
    /// Runs of each case that are compared, the fewer of the two.
    pub runs: u64,
    /// Cases judged in both, by where they are right.
    pub cases: Pairs,
    /// Cases right in A alone.
    pub lost: Vec<CaseId>,
    /// Cases right in B alone.
    pub gained: Vec<CaseId>,
    /// Cases settled in both: what decides.
    pub settled: Pairs,
    /// Cases whose runs disagree in A or in B: the noise floor.
    pub unsettled: Vec<CaseId>,
    /// Cases of A or B without a verdict in one of them, or that one of them has not got: in no pair.
    pub missing: Vec<CaseId>,
    /// Two-sided p of McNemar's exact test; absent where no settled case changed sides.
    pub mcnemar_p: Option<f64>,
    /// The share of settled cases right in B less that in A; absent where none is settled.
    pub difference: Option<Difference>,
    /// The confidence of the interval; p must be at most 1 less this.
    pub confidence: f64,
    /// What is known, of B.
    pub standing: Standing,
    /// Why, in words.
    pub why: String,
}

/// One of the two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateSide {
    /// What ran, for people: of several versions the one that passes most.
    pub named: Untrusted,
    /// Its cases that can block.
    pub summary: Summary,
    /// Cases right, of those that are judged in both: "27 of 30".
    pub right: Count,
    /// The share of good outputs, corrected for the errors of the grader.
    pub corrected: Known<Corrected>,
    /// What a run costs.
    pub cost: Option<f64>,
    /// How long a run takes.
    pub latency_ms: Option<f64>,
}

/// Why two reports cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GateCompareError {
    /// Another policy.
    #[error("the policies differ ({} and {}), so \"pass\" does not mean the same: run both under one policy", .0.short(), .1.short())]
    Policy(Digest, Digest),
    /// Another format.
    #[error("a gate report is of format {0}, and this version reads format {known}", known = super::report::FORMAT)]
    Format(u32),
}

/// Compares two versions by what a gate found of each, at a two-sided confidence.
///
/// # Errors
/// When a report is of another format, or the policies differ.
pub fn compare(
    a: &GateReport,
    b: &GateReport,
    confidence: f64,
) -> Result<GateComparison, GateCompareError> {
    for report in [a, b] {
        if report.format != super::report::FORMAT {
            return Err(GateCompareError::Format(report.format));
        }
    }
    if a.policy.digest != b.policy.digest {
        return Err(GateCompareError::Policy(a.policy.digest, b.policy.digest));
    }
    let paired = Paired::of(a, b);
    let came = |case: &Both<'_>| (case.a == Came::Right, case.b == Came::Right);
    let with = |wanted| {
        let with = paired.judged.iter().filter(move |case| came(case) == wanted);
        with.map(|case| case.case.clone()).collect()
    };
    let cases = count(paired.judged.iter().map(came));
    let settled = count(paired.settled().map(came));
    let unsettled: Vec<CaseId> = paired.unsettled().map(|case| case.case.clone()).collect();
    let difference = difference::paired(b_less_a(settled), confidence).ok();
    let noise = (paired.runs > 1).then_some(unsettled.len() as u64);
    let (standing, why) = judge(settled, noise, difference, confidence);
    Ok(GateComparison {
        format: FORMAT,
        policy: a.policy.digest,
        a: side(a, Count::new(cases.both + cases.only_a, cases.of())),
        b: side(b, Count::new(cases.both + cases.only_b, cases.of())),
        differs: differs(a, b),
        runs: paired.runs,
        cases,
        lost: with((true, false)),
        gained: with((false, true)),
        settled,
        unsettled,
        missing: paired.missing,
        mcnemar_p: mcnemar(settled.only_b, settled.only_a).ok().map(|test| test.exact_p),
        difference,
        confidence,
        standing,
        why,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Came {
    Right,
    Wrong,
    Unsettled,
}

struct Both<'a> {
    case: &'a CaseId,
    a: Came,
    b: Came,
}

struct Paired<'a> {
    runs: u64,
    judged: Vec<Both<'a>>,
    missing: Vec<CaseId>,
}

impl<'a> Paired<'a> {
    fn of(a: &'a GateReport, b: &'a GateReport) -> Self {
        let cases = |report: &'a GateReport| -> BTreeMap<&'a CaseId, &'a CaseResult> {
            let blocking = report.cases.iter().filter(|it| it.purpose.blocks());
            blocking.map(|case| (&case.case, case)).collect()
        };
        let (of_a, of_b) = (cases(a), cases(b));
        let pairs: Vec<_> =
            of_a.iter().filter_map(|(id, case)| Some((*case, *of_b.get(id)?))).collect();
        let runs = pairs.iter().flat_map(|(a, b)| [a.runs.len(), b.runs.len()]).min().unwrap_or(0);
        let (mut judged, mut missing) = (Vec::new(), Vec::new());
        for (in_a, in_b) in pairs {
            match (came(in_a, runs), came(in_b, runs)) {
                (Some(a), Some(b)) => judged.push(Both { case: &in_a.case, a, b }),
                _ => missing.push(in_a.case.clone()),
            }
        }
        let alone = |one: &BTreeMap<&CaseId, _>, other: &BTreeMap<&CaseId, _>| -> Vec<CaseId> {
            one.keys().filter(|id| !other.contains_key(*id)).map(|id| (*id).clone()).collect()
        };
        missing.extend(alone(&of_a, &of_b));
        missing.extend(alone(&of_b, &of_a));
        missing.sort();
        judged.sort_by_key(|both| both.case);
        Self { runs: runs as u64, judged, missing }
    }

    fn settled(&self) -> impl Iterator<Item = &Both<'a>> {
        self.judged.iter().filter(|case| case.a != Came::Unsettled && case.b != Came::Unsettled)
    }

    fn unsettled(&self) -> impl Iterator<Item = &Both<'a>> {
        self.judged.iter().filter(|case| case.a == Came::Unsettled || case.b == Came::Unsettled)
    }
}

/// How a case came out in its first runs; absent unless each of them has a verdict.
fn came(case: &CaseResult, runs: usize) -> Option<Came> {
    let first: &[RunResult] = &case.runs[..runs.min(case.runs.len())];
    let passed = first.iter().filter(|run| run.standing == Stands::Passed).count();
    let judged = first.iter().all(|run| run.standing.is_verdicted()) && !first.is_empty();
    judged.then_some(match passed {
        0 => Came::Wrong,
        passed if passed == first.len() => Came::Right,
        _ => Came::Unsettled,
    })
}

fn judge(
    pairs: Pairs,
    noise: Option<u64>,
    difference: Option<Difference>,
    confidence: f64,
) -> (Standing, String) {
    let Some(difference) = difference else {
        return (Standing::NotEvaluated, "no case is settled in both".to_owned());
    };
    let Some(noise) = noise else {
        let why = "one run of a case shows no noise: run each case three times in both";
        return (Standing::NotEvaluated, why.to_owned());
    };
    established(pairs, noise, difference, confidence, ("case", "cases"))
}

fn side(report: &GateReport, right: Count) -> GateSide {
    let version = report.versions.first();
    GateSide {
        named: version.map(|version| version.named.clone()).unwrap_or_default(),
        summary: report.summary,
        right,
        corrected: report.corrected.clone(),
        cost: version.and_then(|version| version.cost),
        latency_ms: version.and_then(|version| version.latency_ms),
    }
}

fn differs(a: &GateReport, b: &GateReport) -> Vec<Differs> {
    let graders = |report: &GateReport| {
        let mut all: Vec<_> = report
            .graders
            .iter()
            .map(|it| format!("{} {} ({})", it.name, it.digest.short(), it.tier))
            .collect();
        all.sort();
        all.join(", ")
    };
    let cost = |report: &GateReport| report.cost_unit.clone();
    [
        ("inventory", a.inventory.digest.short(), b.inventory.digest.short()),
        ("graders", graders(a), graders(b)),
        ("unit of costs", cost(a), cost(b)),
    ]
    .into_iter()
    .filter(|(_, a, b)| a != b)
    .map(|(what, a, b)| Differs { what: what.to_owned(), a, b })
    .collect()
}
