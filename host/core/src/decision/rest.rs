//! The requirements that are no rates: stability, faults, the record itself, real outputs, independence.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;

use super::{
    Evidence, Measured, NamedRate, RateFigure, Required, Requirement, agreement, held_out,
};
use crate::control::set::Kind;
use crate::findings::Outcome;
use crate::policy::{Bars, RequirementId};
use crate::run::fold::Tried;
use crate::stats::interval::{Count, exact_upper};
use crate::untrusted::Untrusted;
use crate::verdict::Tier;

/// Every requirement of one tier that is no rate over controls.
pub(super) fn requirements(evidence: &Evidence<'_>, tier: Tier, bars: &Bars) -> Vec<Requirement> {
    let mut requirements = vec![reproducible(evidence, tier)];
    requirements.extend(regression(evidence, tier));
    if let Some(bases) = bars.invariance_bases {
        requirements.push(invariance(evidence, tier, bars, bases));
    }
    requirements.extend(steady(evidence, tier, bars));
    if let (Some(bound), Some(units)) = (bars.real_output, bars.real_outputs) {
        requirements.push(real_output(evidence, tier, bound, units));
    }
    if let (Some(kappa), Some(margin)) = (bars.people_kappa, bars.kappa_margin) {
        requirements.push(agreement::requirement(evidence, tier, kappa, margin));
    }
    if bars.held_out {
        requirements.push(held_out::requirement(evidence, tier, bars));
    }
    if bars.independent_authors {
        requirements.push(independent_authors(evidence, tier));
    }
    requirements
}

/// Whether the grader answers, and the same each time.
pub(super) fn steady(evidence: &Evidence<'_>, tier: Tier, bars: &Bars) -> Vec<Requirement> {
    let noise = bars.instability.map(|_| noise(evidence, tier, bars));
    let faults = bars.faults.map(|allowed| faults(evidence, tier, allowed));
    noise.into_iter().chain(faults).collect()
}

/// Whether so many occurrences are few enough: none at all for a limit of 0, else by the exact upper bound.
fn few_enough(evidence: &Evidence<'_>, found: u64, among: u64, limit: f64) -> Option<bool> {
    if among == 0 {
        return None;
    }
    if limit <= 0.0 {
        return Some(found == 0);
    }
    exact_upper(Count::new(found.min(among), among), evidence.confidence)
        .map(|bound| bound <= limit)
}

fn invariance(evidence: &Evidence<'_>, tier: Tier, bars: &Bars, needed: u64) -> Requirement {
    let stability = &evidence.measures.stability;
    let mut which: Vec<_> = stability.moved_bases.iter().map(ToString::to_string).collect();
    which.extend(
        stability.moved.iter().map(|(id, transform)| format!("{id} under {}", transform.name())),
    );
    let found = which.len() as u64;
    let bases = stability.bases;
    let few = few_enough(
        evidence,
        found,
        bases + stability.transformed.right,
        bars.instability.unwrap_or(0.0),
    );
    let met = few.filter(|_| bases > 0).map(|few| few && bases >= needed);
    let mend = || {
        if found > 0 {
            "mend the grader: its verdict moved, or was missing, where the meaning was the same"
                .to_owned()
        } else {
            format!("add invariance bases with variants: {bases} of the {needed} needed are there")
        }
    };
    let measured = (bases > 0).then_some(Measured::Occurrences { found, among: bases, which });
    let required = Required::AtMost { found: 0, among: needed };
    evidence.requirement((tier, RequirementId::Invariance), measured, required, met, mend)
}

fn noise(evidence: &Evidence<'_>, tier: Tier, bars: &Bars) -> Requirement {
    let stability = &evidence.measures.stability;
    let (found, among) = (stability.differing.len() as u64, stability.repeated);
    let met = few_enough(evidence, found, among, bars.instability.unwrap_or(0.0));
    let which: Vec<_> = stability.differing.iter().map(ToString::to_string).collect();
    let measured = met.map(|_| Measured::Occurrences { found, among, which });
    let mend = || {
        if among == 0 {
            "run each case at least twice: --repeats 3".to_owned()
        } else {
            format!(
                "mend the grader: {found} of {among} families got other verdicts from one repeat to the next"
            )
        }
    };
    let required = Required::AtMost { found: 0, among: 1 };
    evidence.requirement((tier, RequirementId::Noise), measured, required, met, mend)
}

fn regression(evidence: &Evidence<'_>, tier: Tier) -> Option<Requirement> {
    let measure = evidence.measures.kinds.get(&Kind::Regression)?;
    let wrong = measure.families.missed();
    let measured =
        Measured::Occurrences { found: wrong, among: measure.families.of, which: Vec::new() };
    let mend = || format!("mend the grader: failures found in use are back, in families: {wrong}");
    let required = Required::AtMost { found: 0, among: 0 };
    let id = (tier, RequirementId::Regression);
    Some(evidence.requirement(id, Some(measured), required, Some(wrong == 0), mend))
}

fn trials<'a>(evidence: &'a Evidence<'_>) -> impl Iterator<Item = Tried<'a>> {
    evidence.run.results.iter().flat_map(|control| control.all())
}

fn faults(evidence: &Evidence<'_>, tier: Tier, allowed: u64) -> Requirement {
    let faulty = |trial: &Tried<'_>| {
        let own = matches!(&trial.outcome, Outcome::Fault(fault) if !fault.machine_dependent);
        own || !trial.violations.is_empty()
    };
    let found = trials(evidence).filter(faulty).count() as u64;
    let among = trials(evidence).count() as u64;
    let met = (among > 0).then_some(found <= allowed);
    let measured = met.map(|_| Measured::Occurrences { found, among, which: Vec::new() });
    let mend = || match among {
        0 => "run the check to its end: the record holds no trial".to_owned(),
        _ => format!(
            "mend the grader: {found} of {among} trials ended in a fault or broke the contract"
        ),
    };
    let required = Required::AtMost { found: allowed, among: 1 };
    evidence.requirement((tier, RequirementId::Faults), measured, required, met, mend)
}

fn reproducible(evidence: &Evidence<'_>, tier: Tier) -> Requirement {
    let machine = trials(evidence)
        .filter(|trial| matches!(&trial.outcome, Outcome::Fault(fault) if fault.machine_dependent))
        .count();
    let complete = evidence.run.complete;
    let part = evidence.run.started.only.is_some();
    let fact = match (complete, machine) {
        (false, _) => "the record is incomplete".to_owned(),
        (true, 0) if part => "a part of the controls was run".to_owned(),
        (true, 0) => "complete".to_owned(),
        (true, machine) => format!("{machine} faults depended on the machine"),
    };
    let met = match complete && machine == 0 {
        true if part => None,
        held => Some(held),
    };
    let mend = || {
        if met.is_none() {
            "run all of the controls".to_owned()
        } else if complete {
            "run again with more time, stack or memory for the host, or mend the grader".to_owned()
        } else {
            "run the check to its end".to_owned()
        }
    };
    let required = Required::Fact("complete, no fault of the machine's".to_owned());
    let id = (tier, RequirementId::Reproducible);
    evidence.requirement(id, Some(Measured::Fact(fact)), required, met, mend)
}

fn real_output(evidence: &Evidence<'_>, tier: Tier, bound: f64, units: u64) -> Requirement {
    let real = &evidence.measures.real;
    let sides = [("people-fail", &real.people_catch), ("people-pass", &real.people_pass)];
    let rate = |(of, measure): (&str, &crate::measure::KindMeasure)| NamedRate {
        of: of.to_owned(),
        figure: RateFigure::new(measure.families, evidence.confidence),
    };
    let figures: Vec<_> = sides.into_iter().map(rate).collect();
    let enough = sides.iter().all(|(_, measure)| measure.controls >= units);
    let any = sides.iter().any(|(_, measure)| measure.controls > 0);
    let holds = figures.iter().all(|rate| rate.figure.lower_bound.is_some_and(|low| low >= bound));
    let met = enough.then_some(holds);
    let mend = || {
        if enough {
            "mend the grader on the real outputs listed as false passes and false fails".to_owned()
        } else {
            format!(
                "give real outputs labelled by people (--real-output FILE): at least {units} that they fail and {units} that they pass; the file states `labels_by` people and lists the annotators of each"
            )
        }
    };
    let required = Required::LowerBoundOverAtLeast { bound, units };
    let measured = any.then_some(Measured::Rates(figures));
    evidence.requirement((tier, RequirementId::RealOutput), measured, required, met, mend)
}

fn independent_authors(evidence: &Evidence<'_>, tier: Tier) -> Requirement {
    let started = &evidence.run.started;
    let graders = all_names(started.grader.authors.iter().map(Untrusted::raw));
    let open = all_names(started.set.authors.iter().map(String::as_str));
    let unseen = started.held_out.as_ref().map(|facts| {
        let authors = all_names(facts.authors.iter().map(String::as_str));
        (authors, facts.is_withheld())
    });
    let of_held_out = unseen.iter().flat_map(|(authors, _)| authors);
    let controls: BTreeSet<_> = open.iter().chain(of_held_out).collect();
    let shared: Vec<_> = controls
        .iter()
        .filter(|author| graders.contains(**author))
        .map(|it| (*it).clone())
        .collect();
    let withheld = unseen.as_ref().is_some_and(|(_, withheld)| *withheld);
    let nameless = unseen.as_ref().is_some_and(|(authors, _)| authors.is_empty());
    let known = !graders.is_empty() && !open.is_empty() && !nameless;
    // Who is the same is the same, whoever else there is.
    let met = match shared.is_empty() {
        true => known.then_some(true),
        false => Some(false),
    };
    let measured = met.map(|met| match met {
        true => Measured::Fact(AUTHORS_DIFFER.to_owned()),
        false => Measured::Occurrences {
            found: shared.len() as u64,
            among: controls.len() as u64,
            which: shared,
        },
    });
    let mend = || {
        let mend = match (met, withheld) {
            (Some(_), _) => AUTHORS_MEND,
            (None, true) => {
                "an author's copy does not say who wrote the held-out controls: whoever keeps the whole record can show it"
            }
            (None, false) => {
                "name the authors: `authors` in each set.toml, and in the component's metadata"
            }
        };
        mend.to_owned()
    };
    let required = Required::Fact("controls by other authors".to_owned());
    evidence.requirement((tier, RequirementId::IndependentAuthors), measured, required, met, mend)
}

/// What is said where no author of the grader wrote a control, as far as they are declared.
const AUTHORS_DIFFER: &str = "declared authors differ (unsigned)";

const AUTHORS_MEND: &str = "have the controls written by people who did not write the grader";

fn all_names<'a>(authors: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    authors.flat_map(names).collect()
}

/// The names in an `authors` text, to compare by: several stand between `,`, `;` or `&`, a mail address in
/// angle brackets is no part of a name, and neither are capitals, spacing or characters that do not show.
fn names(authors: &str) -> Vec<String> {
    let name = |text: &str| {
        let text = text.split('<').next().unwrap_or_default();
        let shown = text.nfkc().filter(|char| char.is_alphanumeric() || char.is_whitespace());
        let shown: String = shown.collect();
        shown.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    authors.split([',', ';', '&']).map(name).filter(|name| !name.is_empty()).collect()
}
