//! Tests of thresholds by costs.

use proptest::prelude::*;

use super::*;

const COSTS: Costs = Costs { missed: 200.0, false_alarm: 25.0 };
const STUDY: Study = Study { costs: COSTS, base_rate: None, bar: None, splits: 50, seed: 3 };

/// Units whose score is the true probability that they should fail, each a cluster of its own.
fn honest(n: usize) -> Vec<Scored> {
    let mut random = Random::seeded(11);
    (0..n)
        .map(|cluster| {
            let score = random.unit();
            Scored { score, bad: random.unit() < score, cluster }
        })
        .collect()
}

/// Costs of 25 and 200: flag from 11 % on.
#[test]
fn the_rule_of_costs() {
    let rule = rule_of_costs(COSTS).expect("a rule");
    assert!((rule - 0.111).abs() < 5e-4, "{rule}");
    let none = Costs { missed: 0.0, ..COSTS };
    assert_eq!(rule_of_costs(none), Err(Absent::NoCost));
    assert_eq!(rule_of_costs(Costs { missed: f64::NAN, ..COSTS }), Err(Absent::NotFinite));
}

#[test]
fn with_honest_scores_search_and_rule_agree() {
    let got = thresholds(&honest(3000), STUDY).expect("a study");
    assert_eq!((got.usable, got.unmet), (50, 0));
    let threshold = got.threshold.expect("thresholds");
    assert!((threshold.mean - got.rule).abs() < 0.06, "{threshold:?}");
    let (cost, rule) = (got.cost.expect("costs").mean, got.cost_by_rule.expect("costs").mean);
    assert!((cost / rule - 1.0).abs() < 0.15, "{cost} against {rule}");
    // Flagging everything costs 25 for each good output, half of them.
    assert!((got.cost_of_everything.mean - 12.5).abs() < 1.0);
    assert!((got.cost_of_nothing.mean - 100.0).abs() < 8.0);
    assert!(cost < got.cost_of_everything.mean);
}

#[test]
fn what_is_measured_had_no_part_in_the_choice() {
    // Scores that tell nothing: the search finds something in them, and it is not there.
    let mut random = Random::seeded(5);
    let units: Vec<_> = (0..90)
        .map(|cluster| Scored { score: random.unit(), bad: cluster % 9 == 0, cluster })
        .collect();
    let got = thresholds(&units, Study { splits: 200, ..STUDY }).expect("a study");
    let seemed = got.first.cost_when_chosen.expect("a cost");
    assert!(seemed <= got.first.nothing.cost.min(got.first.everything.cost) + 25.0);
    let best_constant = got.cost_of_nothing.mean.min(got.cost_of_everything.mean);
    assert!(got.cost.expect("costs").mean > best_constant - 0.5, "{got:?}");
}

#[test]
fn a_bar_can_be_out_of_reach() {
    let bar = Some(Bar { catch: 0.99, pass: 0.99, confidence: 0.95 });
    let got = thresholds(&honest(300), Study { bar, ..STUDY }).expect("a study");
    assert_eq!((got.unmet, got.unmet_share, got.cost), (50, 1.0, None));
    let bar = Some(Bar { catch: 0.85, pass: 0.0, confidence: 0.95 });
    let got = thresholds(&honest(300), Study { bar, ..STUDY }).expect("a study");
    assert!(got.unmet < 50 && got.first.chosen.is_some(), "{got:?}");
}

/// In use failures are rare, so that less is worth flagging.
#[test]
fn another_base_rate_moves_the_threshold() {
    let here = thresholds(&honest(3000), STUDY).expect("a study");
    let rare = Study { base_rate: Some(0.02), ..STUDY };
    let there = thresholds(&honest(3000), rare).expect("a study");
    let mean = |got: &Thresholds| got.threshold.expect("thresholds").mean;
    assert!(mean(&there) > mean(&here) + 0.3, "{} {}", mean(&there), mean(&here));
    let rule = there.first.by_rule.and_then(|measured| measured.threshold).expect("a threshold");
    assert!(rule > 0.6, "{rule}");
}

#[test]
fn clusters_stay_together() {
    // Two clusters only: no three parts.
    let units: Vec<_> =
        honest(60).iter().map(|unit| Scored { cluster: unit.cluster % 2, ..*unit }).collect();
    assert_eq!(thresholds(&units, STUDY), Err(Absent::OneKind));
}

#[test]
fn what_cannot_be_studied_says_why() {
    assert_eq!(thresholds(&[], STUDY), Err(Absent::NoUnits));
    let good: Vec<_> = honest(30).iter().map(|unit| Scored { bad: false, ..*unit }).collect();
    assert_eq!(thresholds(&good, STUDY), Err(Absent::OneKind));
    let none = Study { splits: 0, ..STUDY };
    assert_eq!(thresholds(&honest(9), none), Err(Absent::NothingAsked));
    let odd = [Scored { score: f64::NAN, bad: true, cluster: 0 }];
    assert_eq!(thresholds(&odd, STUDY), Err(Absent::NotShare));
    let rate = Study { base_rate: Some(1.1), ..STUDY };
    assert_eq!(thresholds(&honest(9), rate), Err(Absent::NotShare));
    let bar = Some(Bar { catch: 0.9, pass: 0.9, confidence: 1.0 });
    assert_eq!(thresholds(&honest(9), Study { bar, ..STUDY }), Err(Absent::BadConfidence));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn figures_are_finite_or_absent(
        units in proptest::collection::vec((0u8..=4, any::<bool>(), 0usize..30), 0..60),
        base_rate in proptest::option::of(0.0f64..=1.0),
        needed in proptest::option::of(0.0f64..=1.0),
        seed: u64,
    ) {
        let units: Vec<_> = units
            .into_iter()
            .map(|(score, bad, cluster)| Scored { score: f64::from(score) / 4.0, bad, cluster })
            .collect();
        let bar = needed.map(|catch| Bar { catch, pass: catch / 2.0, confidence: 0.9 });
        let study = Study { base_rate, bar, splits: 5, seed, ..STUDY };
        if let Ok(got) = thresholds(&units, study) {
            prop_assert!(got.usable >= 1 && got.unmet <= got.usable);
            for figure in [got.cost, got.cost_by_rule, got.threshold, Some(got.cost_of_nothing)] {
                prop_assert!(figure.is_none_or(|figure| figure.mean.is_finite()
                    && figure.least <= figure.most));
            }
        }
    }
}
