//! What makes a forecast, an explanation or an entry on how it came out unsound.

use super::sound::RecordFault;
use super::{Baseline, Forecast, LaterOutcome, Stated, Step, SutRun};
use crate::ledger::Moment;

const BOTH: &str = "is a forecast and an explanation at once: make two claims of it";
const BLANK: &str = "has no wording: what is settled later must be said first";
const NO_TRUTH: &str = "names no source of truth: say who or what is believed at its horizon";
const NO_BASELINE: &str = "names no baseline: say what was known without the system";
const PAST: &str = "has a horizon that is not after the end of its run: it was known then";
const NO_SHARE: &str = "states a probability that is no number from 0 to 1";
const EVEN: &str =
    "calls, and gives it an even chance: that is a no-call, so write `\"call\": false`";
const BASELINE_NO_SHARE: &str = "has a baseline with a probability that is no number from 0 to 1";
const BASELINE_SIDES: &str =
    "has a baseline that expects one thing and gives the other the better chance";

/// What is wrong with the forecasts and explanations of a record, and with the entries on how they came out.
pub(super) fn faults(run: &SutRun) -> Vec<RecordFault> {
    let of_claims = run.open_claims().flat_map(|(step, claim)| of_claim(run, step, claim));
    let of_outcomes = run.outcomes.iter().filter_map(|entry| {
        let why = of_outcome(run, entry)?;
        let claim = shown(&entry.claim);
        Some(RecordFault::Outcome { run: run.id.clone(), step: entry.step.clone(), claim, why })
    });
    of_claims.chain(of_outcomes).collect()
}

/// An id from a file, for a message.
fn shown(id: &str) -> String {
    id.chars().flat_map(char::escape_debug).take(80).collect()
}

fn of_claim(run: &SutRun, step: &Step, claim: &Stated) -> Vec<RecordFault> {
    let mut why = Vec::new();
    let mut when = |is: bool, fault: &'static str| why.extend(is.then_some(fault));
    let blank = |text: &str| text.trim().is_empty();
    let past = |horizon: Moment| run.ended_at.is_some_and(|ended| horizon <= ended);
    when(claim.forecast.is_some() && claim.explanation.is_some(), BOTH);
    when(blank(&claim.text), BLANK);
    if let Some(it) = &claim.forecast {
        when(blank(&it.source_of_truth), NO_TRUTH);
        when(blank(&it.baseline.says), NO_BASELINE);
        when(past(it.horizon), PAST);
        of_chances(it, &mut when);
    }
    if let Some(it) = &claim.explanation {
        when(blank(&it.source_of_truth), NO_TRUTH);
        when(blank(&it.baseline.says), NO_BASELINE);
        when(past(it.horizon), PAST);
    }
    let fault = |why| RecordFault::OpenClaim {
        run: run.id.clone(),
        step: step.id.clone(),
        claim: shown(&claim.id),
        why,
    };
    why.into_iter().map(fault).collect()
}

fn of_chances(forecast: &Forecast, when: &mut impl FnMut(bool, &'static str)) {
    let outside = |it: Option<f64>| it.is_some_and(|chance| !(0.0..=1.0).contains(&chance));
    when(outside(forecast.probability), NO_SHARE);
    when(forecast.call && forecast.probability == Some(0.5), EVEN);
    let Baseline { expects, probability, .. } = forecast.baseline;
    when(outside(probability), BASELINE_NO_SHARE);
    let against = |chance: f64| match expects {
        Some(true) => chance < 0.5,
        Some(false) => chance > 0.5,
        None => false,
    };
    when(probability.is_some_and(against), BASELINE_SIDES);
}

fn of_outcome(run: &SutRun, entry: &LaterOutcome) -> Option<&'static str> {
    let Some(claim) = run.claim(&entry.step, &entry.claim) else {
        return Some("which its step has not got");
    };
    if entry.source.trim().is_empty() || entry.by.trim().is_empty() {
        return Some("without saying by whom, or where that was read");
    }
    match (&claim.forecast, &claim.explanation) {
        (Some(_), _) if entry.came.is_none() || entry.later.is_some() => {
            Some("which is a forecast: say in `came` whether it came true, and nothing else")
        }
        (None, Some(_)) if entry.later.is_none() || entry.came.is_some() => {
            Some("which is an explanation: assess it anew in `later`, and nothing else")
        }
        (None, None) => Some(
            "which is neither a forecast nor an explanation: what turned out to be wrong is a correction",
        ),
        _ => None,
    }
}
