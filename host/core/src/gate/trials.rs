//! Several runs of each case: how often a case passes once, and how often every time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::combine::{CaseResult, RunResult};
use super::standing::Standing;
use crate::assess::Known;
use crate::id::CaseId;
use crate::stats::Absent;
use crate::stats::interval::{Count, exact_upper};
use crate::stats::trials::{Repeats, over};

/// What the runs of the cases come to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trials {
    /// pass@1: the mean share of a case's runs that pass.
    pub pass_at_1: Known<f64>,
    /// pass@k and pass^k, k being the fewest runs of a case; absent without repeats.
    pub repeats: Known<Repeats>,
    /// Cases of which every judged run fails.
    pub always_fail: Vec<CaseId>,
    /// Cases of which some run fails and some passes.
    pub sometimes_fail: Vec<CaseId>,
    /// Cases of which no run fails.
    pub never_fail: Vec<CaseId>,
    /// Cases of which no run was judged: in no figure.
    pub not_evaluated: Vec<CaseId>,
    /// Cases of which the judged runs agree, of those with two or more.
    pub consistent: Count,
    /// What cases without a failure still allow.
    pub clean: Vec<Clean>,
    /// Cases that fail in some run, of all that were judged: the exact upper bound on their share.
    pub failing_at_most: Option<f64>,
}

/// Cases of which so many runs were judged, and none failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Clean {
    /// Runs of each.
    pub runs: u64,
    /// How many such cases there are.
    pub cases: u64,
    /// The share of a case's runs that may fail all the same, exact upper bound.
    pub failure_rate_at_most: Option<f64>,
}

/// The trials of these cases, at a one-sided confidence. Runs without a verdict are in no count.
#[must_use]
pub fn trials(cases: &[&CaseResult], confidence: f64) -> Trials {
    let counted: Vec<_> = cases.iter().map(|case| (&case.case, count(&case.runs))).collect();
    let judged: Vec<Count> =
        counted.iter().map(|(_, count)| *count).filter(|it| it.of > 0).collect();
    let with = |wanted: fn(&Count) -> bool| -> Vec<CaseId> {
        let with = counted.iter().filter(|(_, count)| wanted(count));
        with.map(|(case, _)| (*case).clone()).collect()
    };
    let k = judged.iter().map(|count| count.of).min().unwrap_or(0);
    let repeated = judged.iter().filter(|count| count.of > 1);
    let agree = repeated.clone().filter(|it| it.right == 0 || it.right == it.of).count() as u64;
    let fail = judged.iter().filter(|count| count.right < count.of).count() as u64;
    Trials {
        pass_at_1: over(&judged, 1).map(|repeats| repeats.at_least_once).into(),
        repeats: match k {
            0 => Known::absent(Absent::NoUnits),
            1 => Known::absent("some case was judged in one run only: run each three times"),
            k => over(&judged, k).into(),
        },
        always_fail: with(|count| count.of > 0 && count.right == 0),
        sometimes_fail: with(|count| count.right > 0 && count.right < count.of),
        never_fail: with(|count| count.of > 0 && count.right == count.of),
        not_evaluated: with(|count| count.of == 0),
        consistent: Count::new(agree, repeated.count() as u64),
        clean: clean(&judged, confidence),
        failing_at_most: exact_upper(Count::new(fail, judged.len() as u64), confidence),
    }
}

/// Of the runs that passed or failed, those that passed.
fn count(runs: &[RunResult]) -> Count {
    let of = |wanted: fn(Standing) -> bool| {
        runs.iter().filter(|run| wanted(run.standing)).count() as u64
    };
    Count::new(of(|it| it == Standing::Passed), of(Standing::is_verdicted))
}

fn clean(judged: &[Count], confidence: f64) -> Vec<Clean> {
    let clean = judged.iter().filter(|count| count.right == count.of);
    let mut sizes: Vec<u64> = clean.clone().map(|count| count.of).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
        .into_iter()
        .map(|runs| Clean {
            runs,
            cases: clean.clone().filter(|count| count.of == runs).count() as u64,
            failure_rate_at_most: exact_upper(Count::new(0, runs), confidence),
        })
        .collect()
}
