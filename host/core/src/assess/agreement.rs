//! Does the grader agree with people about as well as they agree with one another?
//!
//! With each person separately, on the labels that were given blind. What a person can say is `pass`, `fail` or
//! `unsure`; `unproven` and `unresolved` say as much as `unsure`, and no verdict agrees with nobody. A person who
//! labelled less than half of the outputs (to settle a dispute, or as a spot check) is shown and stands apart: what
//! was picked for them is not like the rest. Where nobody or one person labelled as many, all of them count.
//!
//! The grader is not inferior by a margin if, for each person, the lower bound of (its kappa with them, less the other
//! people's kappa with them) lies above minus that margin. All must hold, which needs no correction.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::known::Known;
use super::output::{Families, Output};
use super::{RESAMPLES, SEED, Terms, labels_by};
use crate::control::label::{LabelsBy, Opinion};
use crate::stats::fleiss::fleiss;
use crate::stats::interval::Span;
use crate::stats::kappa::{Kappa, cohen, table};
use crate::stats::kappa_difference::{KappaDifference, Rated, Resampling, kappa_difference};
use crate::stats::krippendorff::{Level, alpha};
use crate::untrusted::Untrusted;
use crate::verdict::Verdict;

/// Agreement with people, and theirs with one another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Agreement {
    /// Whether the file states that the labels are people's. If it does not, no requirement rests on this.
    pub labels_by: LabelsBy,
    /// Outputs with at least one label that was given blind.
    pub outputs: u64,
    /// Each person, those who labelled most first.
    pub people: Vec<Person>,
    /// How well people agree with one another.
    pub own: Known<PeoplesOwn>,
    /// Agreement with what people settled on: not independent of the people, so it decides nothing.
    pub with_truth: Known<Kappa>,
    /// How far below people's own agreement the policy lets the grader's lie.
    pub margin: Option<f64>,
    /// Whether it is shown to lie no farther below, with each person; absent where that cannot be said.
    pub not_inferior: Option<bool>,
}

/// One person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Person {
    /// Who.
    pub by: Untrusted,
    /// Outputs they labelled blind.
    pub outputs: u64,
    /// Whether they count among those whose agreement is people's own.
    pub counts: bool,
    /// The grader's agreement with them. Its interval takes outputs to be independent; that of `compared` does not.
    pub with_grader: Known<Kappa>,
    /// The grader's agreement with them beside other people's, on the outputs that another person labelled as well.
    pub compared: Known<KappaDifference>,
    /// Whether the grader is shown not to be inferior by more than the margin; absent where that cannot be said.
    pub not_inferior: Option<bool>,
    /// Their agreement with themselves, where they labelled outputs again.
    pub again: Known<Kappa>,
}

/// How well people agree with one another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeoplesOwn {
    /// Which figure it is.
    pub statistic: Statistic,
    /// How many people count.
    pub people: u64,
    /// Outputs that at least two of them labelled.
    pub outputs: u64,
    /// The figure: 1 is full agreement, 0 what chance would give.
    pub value: f64,
    /// Its interval, by drawing families again; known for two people only.
    pub interval: Option<Span>,
    /// The share of pairs of labels of one output that agree.
    pub raw: f64,
}

/// A figure of agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// Cohen's kappa, for two people.
    Cohen,
    /// Fleiss' kappa, for more, each of whom labelled every output.
    Fleiss,
    /// Krippendorff's alpha, for more, some of whom labelled a part.
    Krippendorff,
}

/// How many labels there are: pass, fail, cannot tell, no verdict.
const LABELS: usize = 4;

fn of_opinion(opinion: Opinion) -> usize {
    match opinion {
        Opinion::Pass => 0,
        Opinion::Fail => 1,
        Opinion::Unsure => 2,
    }
}

fn of_verdict(verdict: Option<Verdict>) -> usize {
    match verdict {
        Some(Verdict::Pass) => 0,
        Some(Verdict::Fail) => 1,
        Some(Verdict::Unproven | Verdict::Unresolved) => 2,
        Some(Verdict::NotApplicable) | None => 3,
    }
}

/// One output with its blind labels, by person.
struct Labelled<'a> {
    family: usize,
    grader: usize,
    truth: Option<usize>,
    labels: BTreeMap<&'a Untrusted, usize>,
    again: Vec<(&'a Untrusted, usize, usize)>,
}

/// Agreement on the outputs that people labelled. Where no file states whose labels they are, on those of which
/// nothing is stated.
pub(super) fn agreement(
    outputs: &[Output],
    families: &Families,
    terms: &Terms<'_>,
) -> Known<Agreement> {
    let any = |by| outputs.iter().any(|o| labels_by(o) == by && !o.label.people.is_empty());
    let by = match (any(LabelsBy::People), any(LabelsBy::NotStated)) {
        (true, _) => LabelsBy::People,
        (false, true) => LabelsBy::NotStated,
        (false, false) => return Known::absent("the files list nobody's own labels"),
    };
    let labelled: Vec<_> = outputs
        .iter()
        .zip(&families.of)
        .filter(|(output, _)| labels_by(output) == by)
        .map(|(output, family)| labelled(output, *family))
        .filter(|output| !output.labels.is_empty())
        .collect();
    if labelled.is_empty() {
        return Known::absent("no label was given blind");
    }
    let people = people(&labelled, terms);
    let own = own(&labelled, &people);
    let counting = || people.iter().filter(|person| person.counts);
    let not_inferior = match own.value {
        None => None,
        Some(_) if counting().any(|person| person.not_inferior == Some(false)) => Some(false),
        Some(_) if counting().all(|person| person.not_inferior == Some(true)) => Some(true),
        Some(_) => None,
    };
    Known::of(Agreement {
        labels_by: by,
        outputs: labelled.len() as u64,
        with_truth: kappa(labelled.iter().filter_map(|it| Some((it.grader, it.truth?))), terms),
        own,
        margin: terms.bars.kappa_margin,
        not_inferior,
        people,
    })
}

fn labelled(output: &Output, family: usize) -> Labelled<'_> {
    let blind = || output.label.people.iter().filter(|person| person.blind);
    let truth = output.truth().map(|verdict| of_verdict(Some(verdict)));
    Labelled {
        family,
        grader: of_verdict(output.verdict),
        truth,
        labels: blind().map(|person| (&person.by, of_opinion(person.label))).collect(),
        again: blind()
            .filter_map(|it| Some((&it.by, of_opinion(it.label), of_opinion(it.again?))))
            .collect(),
    }
}

fn kappa(pairs: impl Iterator<Item = (usize, usize)>, terms: &Terms<'_>) -> Known<Kappa> {
    table(pairs, LABELS).and_then(|table| cohen(&table, terms.confidence)).into()
}

fn people(labelled: &[Labelled<'_>], terms: &Terms<'_>) -> Vec<Person> {
    let mut counts: BTreeMap<&Untrusted, u64> = BTreeMap::new();
    for by in labelled.iter().flat_map(|output| output.labels.keys()) {
        *counts.entry(by).or_insert(0) += 1;
    }
    let most = |count: u64| 2 * count >= labelled.len() as u64;
    let enough = counts.values().filter(|count| most(**count)).count() >= 2;
    let counting: Vec<_> =
        counts.iter().filter(|(_, n)| !enough || most(**n)).map(|(by, _)| *by).collect();
    let mut people: Vec<_> = counts
        .iter()
        .map(|(by, outputs)| person(labelled, by, *outputs, &counting, terms))
        .collect();
    people.sort_by(|a, b| b.outputs.cmp(&a.outputs).then_with(|| a.by.cmp(&b.by)));
    people
}

fn person(
    labelled: &[Labelled<'_>],
    by: &Untrusted,
    outputs: u64,
    counting: &[&Untrusted],
    terms: &Terms<'_>,
) -> Person {
    let own = labelled.iter().filter_map(|output| Some((output.grader, *output.labels.get(by)?)));
    let again = labelled.iter().flat_map(|output| &output.again);
    let again = again.filter(|(who, ..)| *who == by).map(|(_, first, later)| (*first, *later));
    let counts = counting.contains(&by);
    let compared = match counts {
        true => compared(labelled, by, counting, terms),
        false => Known::absent("they labelled less than half of the outputs"),
    };
    let above = |margin: f64| compared.value.as_ref().map(|it| it.lower_bound > -margin);
    Person {
        by: by.clone(),
        outputs,
        counts,
        with_grader: kappa(own, terms),
        not_inferior: terms.bars.kappa_margin.and_then(above),
        compared,
        again: kappa(again, terms),
    }
}

/// The grader's agreement with a person beside that of everyone else who counts, over the outputs that both the person
/// and another labelled.
fn compared(
    labelled: &[Labelled<'_>],
    by: &Untrusted,
    counting: &[&Untrusted],
    terms: &Terms<'_>,
) -> Known<KappaDifference> {
    let mut units = Vec::new();
    for output in labelled {
        let Some(own) = output.labels.get(by).copied() else { continue };
        let others: Vec<_> = counting
            .iter()
            .filter(|other| **other != by)
            .filter_map(|other| output.labels.get(*other))
            .collect();
        for (place, other) in others.into_iter().enumerate() {
            units.push(Rated {
                cluster: output.family,
                first: (place == 0).then_some((output.grader, own)),
                second: Some((*other, own)),
            });
        }
    }
    if units.is_empty() {
        return Known::absent("no other person labelled the same outputs");
    }
    let resampling = Resampling { confidence: terms.confidence, resamples: RESAMPLES, seed: SEED };
    kappa_difference(&units, LABELS, resampling).into()
}

fn own(labelled: &[Labelled<'_>], people: &[Person]) -> Known<PeoplesOwn> {
    let counting: Vec<_> = people.iter().filter(|person| person.counts).collect();
    let all: Vec<Vec<usize>> = labelled
        .iter()
        .map(|it| counting.iter().filter_map(|p| it.labels.get(&p.by).copied()).collect())
        .filter(|labels: &Vec<usize>| labels.len() >= 2)
        .collect();
    let of = |statistic, value, interval, raw| {
        let (people, outputs) = (counting.len() as u64, all.len() as u64);
        Known::of(PeoplesOwn { statistic, people, outputs, value, interval, raw })
    };
    match counting.len() {
        0 | 1 => Known::absent("one person alone cannot agree with another"),
        2 => {
            let pairs = table(all.iter().map(|labels| (labels[0], labels[1])), LABELS);
            let interval =
                || counting[0].compared.value.as_ref().map(|compared| compared.second.interval);
            match pairs.and_then(|table| cohen(&table, 0.95)) {
                Ok(it) => of(Statistic::Cohen, it.kappa, interval(), it.observed),
                Err(reason) => Known::absent(reason),
            }
        }
        many if all.len() == labelled.len() && all.iter().all(|it| it.len() == many) => {
            match fleiss(&all.iter().map(|labels| tally(labels)).collect::<Vec<_>>()) {
                Ok(it) => of(Statistic::Fleiss, it.kappa, None, it.observed),
                Err(reason) => Known::absent(reason),
            }
        }
        _ => match alpha(
            &all.iter().map(|labels| numbers(labels)).collect::<Vec<_>>(),
            Level::Nominal,
        ) {
            Ok(it) => of(Statistic::Krippendorff, it.alpha, None, 1.0 - it.observed),
            Err(reason) => Known::absent(reason),
        },
    }
}

fn tally(labels: &[usize]) -> Vec<u64> {
    let count = |label| labels.iter().filter(|given| **given == label).count() as u64;
    (0..LABELS).map(count).collect()
}

fn numbers(labels: &[usize]) -> Vec<Option<f64>> {
    labels.iter().map(|label| u32::try_from(*label).ok().map(f64::from)).collect()
}
