//! Controls that bite: no baseline would be promoted on them, and no rule could be missing unnoticed.

use super::{Evidence, Measured, Required, Requirement, rates};
use crate::measure::measure;
use crate::policy::{Bars, RequirementId};
use crate::score::{Table, without_rule};
use crate::verdict::Tier;

/// The two requirements on the controls themselves. `rates_met` says whether the grader itself meets the
/// tier's rates: only then does leaving out a rule show anything.
pub(super) fn requirements(
    evidence: &Evidence<'_>,
    tier: Tier,
    bars: &Bars,
    rates_met: bool,
) -> Vec<Requirement> {
    let mut requirements = vec![baselines(evidence, tier, bars)];
    if bars.rules_needed {
        requirements.push(rules_needed(evidence, tier, bars, rates_met));
    }
    requirements
}

fn meets(evidence: &Evidence<'_>, table: &Table, tier: Tier, bars: &Bars) -> bool {
    let started = &evidence.run.started;
    let measures = measure(&started.controls, &started.grader.manifest.rules, table);
    rates::all_met(evidence, &measures, tier, bars)
}

pub(super) fn baselines(evidence: &Evidence<'_>, tier: Tier, bars: &Bars) -> Requirement {
    let baselines = &evidence.run.baselines;
    let promoted: Vec<_> = baselines
        .iter()
        .zip(evidence.baselines)
        .filter(|(_, measures)| rates::all_met(evidence, measures, tier, bars))
        .map(|(baseline, _)| baseline.name.clone())
        .collect();
    let met = (!baselines.is_empty()).then_some(promoted.is_empty());
    let mend = || match promoted.as_slice() {
        [] => "run the baselines: this record holds none".to_owned(),
        names => format!(
            "strengthen the controls: {} would be promoted on them without judging anything",
            names.join(", ")
        ),
    };
    let measured = met.map(|_| Measured::Occurrences {
        found: promoted.len() as u64,
        among: baselines.len() as u64,
        which: promoted.clone(),
    });
    let required = Required::AtMost { found: 0, among: 1 };
    evidence.requirement((tier, RequirementId::Baselines), measured, required, met, mend)
}

/// The rules without which the grader would still meet every rate.
#[must_use]
pub(super) fn unneeded(evidence: &Evidence<'_>, tier: Tier, bars: &Bars) -> Vec<String> {
    let rules = &evidence.run.started.grader.manifest.rules;
    (0..rules.len())
        .filter(|place| meets(evidence, &without_rule(evidence.table, *place), tier, bars))
        .map(|place| rules[place].id.to_string())
        .collect()
}

fn rules_needed(evidence: &Evidence<'_>, tier: Tier, bars: &Bars, rates_met: bool) -> Requirement {
    let all = evidence.run.started.grader.manifest.rules.len() as u64;
    let unneeded = if rates_met { unneeded(evidence, tier, bars) } else { Vec::new() };
    let measured = rates_met.then(|| Measured::Occurrences {
        found: unneeded.len() as u64,
        among: all,
        which: unneeded.clone(),
    });
    let met = rates_met.then_some(unneeded.is_empty());
    let mend = || match unneeded.as_slice() {
        [] => "meet the rates first: leaving out a rule shows nothing before".to_owned(),
        rules => format!(
            "add known-bad controls for {}: the grader would be promoted just the same if it never failed by {}",
            rules.join(", "),
            if rules.len() == 1 { "it" } else { "one of them" },
        ),
    };
    let required = Required::AtMost { found: 0, among: all };
    evidence.requirement((tier, RequirementId::RulesNeeded), measured, required, met, mend)
}
