//! The requirement that a judge agrees with people about as well as they do.

use super::{Evidence, Measured, Required, Requirement};
use crate::assess::{Agreement, Person};
use crate::control::label::LabelsBy;
use crate::policy::RequirementId;
use crate::stats::decimal::{Way, beside, decimal};
use crate::verdict::Tier;

/// Met where people's own agreement is at least `kappa`, and the grader is shown to lie not more than the margin below
/// it with each person.
pub(super) fn requirement(
    evidence: &Evidence<'_>,
    tier: Tier,
    kappa: f64,
    margin: f64,
) -> Requirement {
    let assessed = evidence.assessment.map(|assessment| &assessment.agreement);
    let agreement = assessed.and_then(|known| known.value.as_ref());
    let peoples = agreement.filter(|agreement| agreement.labels_by == LabelsBy::People);
    let own = peoples.and_then(|it| it.own.value.as_ref()).map(|own| own.value);
    let within = peoples.and_then(|agreement| within(agreement, margin));
    let met = match own {
        None => None,
        Some(own) if own < kappa => Some(false),
        Some(_) => within,
    };
    let fact = |(agreement, own)| Measured::Fact(fact(agreement, (own, kappa), margin));
    let measured = peoples.zip(own).map(fact);
    let required = Required::Fact(format!(
        "people's own kappa at least {kappa}, the judge's not more than {margin} below it"
    ));
    let mend = || {
        match (agreement, own) {
        (None, _) => "give real outputs (--real-output FILE) that two people or more labelled, each by themselves".to_owned(),
        (Some(_), None) if peoples.is_none() => "state in the file of real outputs that people made its labels: \"labels_by\": \"people\" in its header line".to_owned(),
        (Some(_), None) => "have a second person label the same real outputs, without sight of the first one's labels".to_owned(),
        (Some(_), Some(own)) if own < kappa => "people do not agree enough to measure anything by them: make the rubric clearer, and label again".to_owned(),
        (Some(_), Some(_)) if within.is_none() => "more outputs, or more that should fail and more that should pass: the difference cannot be told from these".to_owned(),
        (Some(_), Some(_)) => "mend the judge on the disagreements that the report lists, or have more outputs labelled so that the bound is closer".to_owned(),
    }
    };
    let id = (tier, RequirementId::RealOutputAgreement);
    evidence.requirement(id, measured, required, met, mend)
}

/// Whether the grader lies within this margin with each person who counts; absent where that cannot be said. The margin
/// is that of the tier, which need not be the one that the report's figures were made with.
fn within(agreement: &Agreement, margin: f64) -> Option<bool> {
    let bounds: Vec<_> = lower_bounds(agreement).collect();
    if bounds.iter().flatten().any(|bound| *bound <= -margin) {
        return Some(false);
    }
    (!bounds.is_empty() && bounds.iter().all(Option::is_some)).then_some(true)
}

fn lower_bounds(agreement: &Agreement) -> impl Iterator<Item = Option<f64>> {
    let counting = agreement.people.iter().filter(|person| person.counts);
    let bound = |person: &Person| person.compared.value.as_ref().map(|it| it.lower_bound);
    counting.map(bound)
}

fn fact(agreement: &Agreement, (own, bar): (f64, f64), margin: f64) -> String {
    let with = |kappa: Option<f64>| {
        kappa.map_or("—".to_owned(), |kappa| decimal(kappa, 2, Way::Nearest))
    };
    let people = agreement.people.iter().filter(|person| person.counts);
    let kappas: Vec<_> = people
        .map(|person| with(person.with_grader.value.as_ref().map(|kappa| kappa.kappa)))
        .collect();
    let lowest = lower_bounds(agreement).flatten().min_by(f64::total_cmp);
    format!(
        "people's own {}; the judge's with each of them {}; lower bound of the difference {}",
        beside(own, bar, 2),
        kappas.join(", "),
        lowest.map_or("—".to_owned(), |lowest| beside(lowest, -margin, 2))
    )
}
