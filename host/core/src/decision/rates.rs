//! The requirements that are rates over one kind of control. No pooling: each kind meets its own bar.

use super::{Evidence, Measured, NamedRate, RateFigure, Required, Requirement};
use crate::control::set::Kind;
use crate::measure::Measures;
use crate::policy::{Bars, RequirementId};
use crate::stats::interval::Count;
use crate::stats::sample_size::units_needed;
use crate::verdict::{RuleTier, Tier};

/// The kinds whose rate has a bar of its own, with the requirement's name.
const RATES: [(Kind, RequirementId); 5] = [
    (Kind::KnownBad, RequirementId::KnownBad),
    (Kind::KnownGood, RequirementId::KnownGood),
    (Kind::HardPositive, RequirementId::HardPositive),
    (Kind::NearMiss, RequirementId::NearMiss),
    (Kind::Adversarial, RequirementId::Adversarial),
];

/// Whether a requirement is one of these rates.
pub(super) fn is_rate(id: RequirementId) -> bool {
    id == RequirementId::EachEssentialRule || RATES.iter().any(|(_, rate)| *rate == id)
}

/// The rate requirements of one tier.
pub(super) fn requirements(evidence: &Evidence<'_>, tier: Tier, bars: &Bars) -> Vec<Requirement> {
    let mut requirements: Vec<_> = RATES
        .into_iter()
        .filter_map(|(kind, id)| Some((kind, id, bars.rate(kind)?)))
        .map(|(kind, id, bar)| kind_requirement(evidence, (tier, id), kind, bar))
        .collect();
    if let Some(bar) = bars.each_essential_rule {
        requirements.push(essential_rules(evidence, tier, bar));
    }
    requirements
}

/// Whether every rate requirement of the tier is met (or waived) by these measures: what a baseline, or a
/// grader without one of its rules, has to fall short of.
pub(super) fn all_met(
    evidence: &Evidence<'_>,
    measures: &Measures,
    tier: Tier,
    bars: &Bars,
) -> bool {
    let other = Evidence { measures, ..*evidence };
    requirements(&other, tier, bars).iter().all(Requirement::is_satisfied)
}

fn kind_requirement(
    evidence: &Evidence<'_>,
    id: (Tier, RequirementId),
    kind: Kind,
    bar: f64,
) -> Requirement {
    let figure = evidence
        .measures
        .kinds
        .get(&kind)
        .map(|measure| RateFigure::new(measure.families, evidence.confidence));
    let met = figure.and_then(|figure| figure.lower_bound).map(|bound| bound >= bar);
    let mend =
        || mend_rate(kind.name(), figure.map(|figure| figure.families), bar, evidence.confidence);
    evidence.requirement(id, figure.map(Measured::Rate), Required::LowerBound(bar), met, mend)
}

/// What would meet a bar: more families, or the misses mended and the size that then is enough.
pub(super) fn mend_rate(what: &str, count: Option<Count>, bar: f64, confidence: f64) -> String {
    let Some(clean) = units_needed(0, bar, confidence) else {
        return format!(
            "no number of {what} families meets a bar of {bar}: lower the bar in the policy"
        );
    };
    match count {
        None => format!(
            "add {what} controls: {clean} families, all right, are the fewest that prove it"
        ),
        Some(count) if count.missed() == 0 => format!(
            "all {of} {what} families are right, and {of} are too few: write a fresh set of at least {clean}, its size fixed beforehand",
            of = count.of
        ),
        Some(count) => {
            let missed = count.missed();
            let near = count.rate().is_some_and(|rate| rate >= bar);
            let larger = units_needed(missed, bar, confidence)
                .filter(|_| near)
                .map_or(String::new(), |of| {
                    format!("; a fresh set of {of} proves it with as many missed")
                });
            format!(
                "{missed} of {} {what} families are wrong: mend the grader ({clean} families, all right, are the fewest that prove it{larger})",
                count.of
            )
        }
    }
}

fn essential_rules(evidence: &Evidence<'_>, tier: Tier, bar: f64) -> Requirement {
    let rules = &evidence.run.started.grader.manifest.rules;
    let figures: Vec<_> = rules
        .iter()
        .zip(&evidence.measures.rules)
        .filter(|(rule, _)| matches!(rule.tier, RuleTier::Essential | RuleTier::MustNot))
        .map(|(rule, measure)| NamedRate {
            of: rule.id.to_string(),
            figure: RateFigure::new(measure.catch, evidence.confidence),
        })
        .collect();
    let below: Vec<_> = figures
        .iter()
        .filter(|rate| rate.figure.lower_bound.is_none_or(|bound| bound < bar))
        .map(|rate| rate.of.clone())
        .collect();
    let met = (!figures.is_empty()).then_some(below.is_empty());
    let mend = || format!("catch more of the known-bad controls of: {}", below.join(", "));
    let id = (tier, RequirementId::EachEssentialRule);
    evidence.requirement(id, Some(Measured::Rates(figures)), Required::LowerBound(bar), met, mend)
}
