//! Assessments of a few outputs, by hand.

use super::*;
use crate::control::label::{Label, Opinion, PersonLabel};
use crate::id::FamilyId;
use crate::stats::correction::Corrected;
use crate::stats::effective::ClusteredRate;
use crate::untrusted::Untrusted;
use Opinion::{Fail, Pass, Unsure};

/// An output in a family of its own, on which annotators said this and the grader that.
fn output(number: usize, said: &[Opinion], verdict: Option<Verdict>) -> Output {
    let id = format!("o{number}");
    let person = |(place, label): (usize, &Opinion)| PersonLabel {
        by: Untrusted::new(format!("annotator-{}", place + 1)),
        label: *label,
        critique: Untrusted::default(),
        again: None,
        blind: true,
    };
    Output {
        id: ControlId::new(id.clone()).expect("a valid id"),
        family: FamilyId::new(id).expect("a valid id"),
        label: Label {
            source: Untrusted::new("x"),
            annotators: said.len(),
            hard: false,
            by: LabelsBy::People,
            adjudicated: None,
            people: said.iter().enumerate().map(person).collect(),
        },
        verdict,
        steady: true,
        score: None,
        rationale: Untrusted::default(),
        texts: None,
    }
}

/// As many outputs of each kind: what two people said and what the grader said.
fn outputs(kinds: &[(usize, [Opinion; 2], Verdict)]) -> Vec<Output> {
    let all = kinds.iter().flat_map(|(n, said, verdict)| std::iter::repeat_n((said, verdict), *n));
    all.enumerate().map(|(number, (said, verdict))| output(number, said, Some(*verdict))).collect()
}

fn assessed(outputs: &[Output]) -> Assessment {
    assessed_by(outputs, &Policy::default(), &[])
}

fn assessed_by(outputs: &[Output], policy: &Policy, samples: &[SampleFacts]) -> Assessment {
    assess(outputs, &Terms::new(policy, &policy.judge.gating, samples))
}

fn sample(outputs: u64) -> SampleFacts {
    let rule = Untrusted::new("each tenth");
    SampleFacts { declared: Sample { rule, seed: 7, population: None }, outputs, held_out: false }
}

/// 84 both pass, 6 and 4 differ, 6 both fail: raw agreement .90, kappa .49.
fn people_of(verdict: impl Fn([Opinion; 2]) -> Verdict) -> Vec<Output> {
    let kinds = [(84, [Pass, Pass]), (6, [Pass, Fail]), (4, [Fail, Pass]), (6, [Fail, Fail])];
    outputs(&kinds.map(|(n, said)| (n, said, verdict(said))))
}

fn first_person(said: [Opinion; 2]) -> Verdict {
    said[0].verdict().expect("was sure")
}

#[test]
fn whatever_is_no_right_verdict_is_a_miss_and_ties_count_apart() {
    let mut all = outputs(&[
        (3, [Fail, Fail], Verdict::Fail),
        (1, [Fail, Fail], Verdict::Pass),
        (1, [Fail, Fail], Verdict::Unproven),
        (2, [Pass, Pass], Verdict::Pass),
        (1, [Pass, Fail], Verdict::Fail),
        (1, [Unsure, Pass], Verdict::Pass),
    ]);
    all.push(output(90, &[Fail, Fail], None));
    all.push(output(91, &[], Some(Verdict::Pass)));
    let it = assessed(&all);
    let rate = |known: &Known<ClusteredRate>| {
        let count = known.value.as_ref().expect("is known").count;
        (count.right, count.of)
    };
    assert_eq!(rate(&it.catch.outputs), (3, 6));
    assert_eq!((it.catch.wrong, it.catch.undecided, it.catch.without_verdict), (1, 1, 1));
    assert_eq!(rate(&it.pass.outputs), (2, 2));
    assert_eq!(rate(&it.catch.with_ties), (3, 8));
    assert_eq!(rate(&it.pass.with_ties), (2, 4));
    let ties: Vec<_> = it.ties.iter().map(ControlId::as_str).collect();
    assert_eq!(ties, ["o7", "o8"]);
    assert_eq!(it.truth.get(&Basis::Unlabelled), Some(&1));
    assert_eq!(it.disagreements.len(), 3);
    let sure = assessed(&outputs(&[(2, [Pass, Pass], Verdict::Pass)]));
    assert!(sure.catch.outputs.value.is_none() && sure.catch.outputs.absent.is_some());
    assert!(sure.pass.with_ties.value.is_none());
}

#[test]
fn a_family_is_right_only_if_all_of_it_is_every_time() {
    let mut all = outputs(&[(4, [Fail, Fail], Verdict::Fail)]);
    all[1].family = all[0].family.clone();
    all[1].verdict = Some(Verdict::Pass);
    all[2].steady = false;
    let catch = assessed(&all).catch;
    assert_eq!((catch.families.count.right, catch.families.count.of), (1, 3));
    let rate = catch.outputs.value.expect("is known");
    assert_eq!((rate.count.right, rate.count.of, rate.clusters), (3, 4, 3));
}

#[test]
fn agreement_is_with_each_person_beside_their_own() {
    let it = assessed(&people_of(first_person)).agreement.value.expect("is known");
    let own = it.own.value.expect("is known");
    assert_eq!((own.statistic, own.people, own.outputs), (Statistic::Cohen, 2, 100));
    assert!((own.value - 0.4898).abs() < 5e-5 && (own.raw - 0.9).abs() < 1e-12, "{own:?}");
    let kappas: Vec<_> =
        it.people.iter().map(|it| it.with_grader.value.expect("known").kappa).collect();
    assert!((kappas[0] - 1.0).abs() < 1e-12 && (kappas[1] - own.value).abs() < 1e-12);
    assert_eq!(it.not_inferior, Some(true));
    let lax = assessed(&people_of(|_| Verdict::Pass)).agreement.value.expect("is known");
    assert_eq!(lax.not_inferior, Some(false));
    assert_eq!(lax.people[0].with_grader.value.map(|it| it.kappa), Some(0.0));
}

#[test]
fn who_labelled_a_few_stands_apart_and_labels_not_given_blind_count_for_nothing() {
    let mut all = people_of(first_person);
    for it in all.iter_mut().filter(|it| it.label.is_disputed()) {
        let mut third = it.label.people[0].clone();
        third.by = Untrusted::new("third");
        it.label.people.push(third);
    }
    let it = assessed(&all).agreement.value.expect("is known");
    let counts: Vec<_> = it.people.iter().map(|it| (it.by.raw(), it.outputs, it.counts)).collect();
    assert_eq!(
        counts,
        [("annotator-1", 100, true), ("annotator-2", 100, true), ("third", 10, false)]
    );
    assert_eq!(it.own.value.as_ref().map(|own| own.statistic), Some(Statistic::Cohen));
    for person in all.iter_mut().flat_map(|it| &mut it.label.people) {
        person.blind = person.by.raw() == "annotator-1";
    }
    let it = assessed(&all).agreement.value.expect("is known");
    assert_eq!(it.people.len(), 1);
    assert_eq!(it.own.absent.as_deref(), Some("one person alone cannot agree with another"));
    assert_eq!(it.not_inferior, None);
}

#[test]
fn more_people_agree_by_other_figures() {
    let third = |it: &mut Output, number: usize| {
        let mut third = it.label.people[number % 2].clone();
        third.by = Untrusted::new("third");
        it.label.people.push(third);
    };
    let mut all = people_of(first_person);
    all.iter_mut().enumerate().for_each(|(number, it)| third(it, number));
    let statistic = |all: &[Output]| {
        let it = assessed(all).agreement.value.expect("is known");
        it.own.value.expect("is known").statistic
    };
    assert_eq!(statistic(&all), Statistic::Fleiss);
    all[0].label.people.pop();
    assert_eq!(statistic(&all), Statistic::Krippendorff);
}

#[test]
fn a_person_may_be_asked_again() {
    let mut all = people_of(first_person);
    for (number, it) in all.iter_mut().enumerate().filter(|(number, _)| number % 5 == 0) {
        let first = &mut it.label.people[0];
        first.again = Some(if number == 0 { Fail } else { first.label });
    }
    let it = assessed(&all).agreement.value.expect("is known");
    let again = it.people[0].again.value.expect("is known");
    assert_eq!((again.units, again.observed), (20, 0.95));
    assert!(it.people[1].again.value.is_none());
}

#[test]
fn labels_of_code_are_nobodys_and_unstated_ones_are_marked() {
    let mut all = people_of(first_person);
    let set = |all: &mut Vec<Output>, by| all.iter_mut().for_each(|it| it.label.by = by);
    set(&mut all, LabelsBy::Code);
    assert!(assessed(&all).agreement.absent.is_some());
    set(&mut all, LabelsBy::NotStated);
    let it = assessed(&all).agreement.value.expect("is known");
    assert_eq!((it.labels_by, it.outputs), (LabelsBy::NotStated, 100));
    all[99].label.by = LabelsBy::People;
    let it = assessed(&all).agreement.value.expect("is known");
    assert_eq!((it.labels_by, it.outputs), (LabelsBy::People, 1));
}

#[test]
fn the_hardest_disagreements_come_first() {
    let mut all = outputs(&[(4, [Fail, Fail], Verdict::Pass)]);
    for (it, score) in all.iter_mut().zip([Some(0.4), Some(0.1), None, Some(0.3)]) {
        it.score = score;
    }
    all[3].label.hard = true;
    let it = assessed(&all);
    let order: Vec<_> = it.disagreements.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(order, ["o3", "o1", "o0", "o2"]);
}

#[test]
fn scores_are_worth_what_they_say() {
    let mut all = outputs(&[(3, [Fail, Fail], Verdict::Fail)]);
    for (it, score) in all.iter_mut().zip([0.9, 0.1, 0.2]) {
        it.score = Some(score);
    }
    for person in &mut all[1].label.people {
        person.label = Pass;
    }
    let scores = assessed(&all).scores.value.expect("is known");
    assert!((scores.calibration.value.expect("is known").brier - 0.22).abs() < 1e-12);
    assert!(scores.thresholds.absent.is_some_and(|reason| reason.contains("cost_of_miss")));
    let none = assessed(&outputs(&[(2, [Pass, Pass], Verdict::Pass)]));
    assert!(none.scores.value.is_none());
}

/// 20 that should fail and 20 that should pass, four of five of each side right, scores to match.
fn scored() -> Vec<Output> {
    let mut all = outputs(&[
        (32, [Fail, Fail], Verdict::Fail),
        (8, [Fail, Fail], Verdict::Pass),
        (32, [Pass, Pass], Verdict::Pass),
        (8, [Pass, Pass], Verdict::Fail),
    ]);
    for (number, it) in all.iter_mut().enumerate() {
        let spread = (number % 8) as f64 / 100.0;
        it.score =
            Some(if it.verdict == Some(Verdict::Fail) { 0.8 + spread } else { 0.1 + spread });
    }
    all
}

fn in_use() -> Policy {
    let stated = InUse {
        base_rate: Some(0.05),
        volume_per_month: Some(10_000.0),
        cost_of_miss: Some(200.0),
        cost_of_false_block: Some(25.0),
        unit: "EUR".into(),
    };
    Policy { in_use: Some(stated), ..Policy::default() }
}

#[test]
fn stated_costs_choose_a_threshold() {
    let scores = assessed_by(&scored(), &in_use(), &[]).scores.value.expect("is known");
    let study = scores.thresholds.value.expect("is known");
    assert!((study.rule - 25.0 / 225.0).abs() < 1e-12);
    assert_eq!(study.study.base_rate, Some(0.05));
    let judged = scores.as_judged.value.expect("is known");
    assert!((judged.cost - (0.05 * 0.2 * 200.0 + 0.95 * 0.2 * 25.0)).abs() < 1e-9);
}

#[test]
fn only_a_declared_sample_stands_for_others() {
    let all = scored();
    let it = assessed_by(&all, &in_use(), &[]);
    for absent in [&it.corrected.absent, &it.in_use.absent, &it.sample.absent] {
        assert!(
            absent
                .as_ref()
                .is_some_and(|why| why.contains("not declared to be a probability sample")),
            "{absent:?}"
        );
    }
    let of = |samples: &[SampleFacts]| assessed_by(&all, &in_use(), samples);
    assert!(of(&[sample(79)]).corrected.absent.is_some_and(|why| why.contains("79 of 80")));
    assert!(of(&[sample(90)]).in_use.absent.is_some_and(|why| why.contains("80 of the 90")));
    assert!(of(&[sample(40), sample(40)]).in_use.value.is_none());
    let it = of(&[sample(80)]);
    let month = it.in_use.value.expect("is known").month;
    assert!((month.missed.value - 100.0).abs() < 1e-9 && month.missed.low < 100.0);
    assert!((month.false_alarms.value - 1900.0).abs() < 1e-9);
    assert!((month.cost.expect("stated").value - (20_000.0 + 47_500.0)).abs() < 1e-6);
    let share = it.corrected.value.expect("is known");
    assert_eq!(share.judged_on, JudgedOn::HalfOfFamilies);
    assert_eq!(share.corrected.judged_good.of, 40);
    assert_eq!(share.by_labels.value.expect("is known").count.right, 40);
    let plain = assessed_by(&all, &Policy::default(), &[sample(80)]);
    assert!(plain.in_use.absent.is_some_and(|why| why.contains("[in_use]")));
}

#[test]
fn what_nobody_labelled_is_judged_by_the_rates_of_the_rest() {
    let mut all = scored();
    all.extend((100..120).map(|number| output(number, &[], Some(Verdict::Pass))));
    all.extend((120..130).map(|number| output(number, &[], Some(Verdict::Fail))));
    let it = assessed_by(&all, &Policy::default(), &[sample(110)]).corrected.value;
    let it = it.expect("is known");
    assert_eq!(it.judged_on, JudgedOn::Unlabelled);
    let Corrected { judged_good, catch, pass, corrected, .. } = it.corrected;
    assert_eq!((judged_good.right, judged_good.of), (20, 30));
    assert_eq!((catch.right, catch.of, pass.right, pass.of), (32, 40, 32, 40));
    assert!((corrected - (2.0 / 3.0 + 0.8 - 1.0) / 0.6).abs() < 1e-12);
    let blind = outputs(&[(9, [Fail, Fail], Verdict::Pass), (9, [Pass, Pass], Verdict::Pass)]);
    let it = assessed_by(&blind, &Policy::default(), &[sample(18)]).corrected;
    assert!(it.absent.is_some_and(|why| why.contains("not shown to tell good from bad")));
}
