//! Records that are whole, cut, doubled and foreign.

use std::collections::BTreeMap;

use super::*;
use crate::control::set::Kind;
use crate::example;
use crate::run::event::RunFinished;

fn trial(control: &str, variant: Option<Transform>, repeat: u32) -> Event {
    Event::TrialFinished(Box::new(TrialFinished {
        control: ControlId::new(control).expect("valid"),
        variant,
        repeat,
        outcome: Outcome::Graded(vec![]),
        imposed: vec![],
        violations: vec![],
        fuel: 0,
        inert: BTreeMap::new(),
        captured: crate::untrusted::Untrusted::default(),
        captured_truncated: false,
    }))
}

fn whole() -> Vec<Event> {
    let controls = [
        example::control(Kind::KnownBad, "b", "1\n2"),
        example::control(Kind::KnownGood, "a", "1"),
    ];
    vec![
        Event::RunStarted(Box::new(example::started(&controls, 2, &[Transform::LineEndings]))),
        trial("a", None, 1),
        trial("b", Some(Transform::LineEndings), 0),
        trial("b", None, 1),
        trial("a", None, 0),
        trial("b", Some(Transform::LineEndings), 1),
        trial("b", None, 0),
        Event::RunFinished(RunFinished { trials: 6 }),
    ]
}

#[test]
fn arrival_does_not_matter() {
    let run = fold(whole()).expect("folds");
    assert!(run.complete);
    let mut other = whole();
    other[1..7].reverse();
    assert_eq!(fold(other), Ok(run));
}

#[test]
fn what_repeats_share_is_held_once_and_told_apart() {
    let run = fold(whole()).expect("folds");
    let shown: Vec<_> =
        run.results[0].all().map(|trial| (trial.variant, trial.repeat, trial.recorded())).collect();
    let ends = Some(Transform::LineEndings);
    let keys: Vec<_> = shown.iter().map(|(variant, repeat, _)| (*variant, *repeat)).collect();
    assert_eq!(keys, [(None, 0), (None, 1), (ends, 0), (ends, 1)]);
    assert!(shown.iter().all(|(variant, repeat, recorded)| {
        (*variant, *repeat) == (recorded.variant, recorded.repeat)
    }));
    assert_eq!(run.results[0].came.len(), 1);
    let mut other = whole();
    let Event::TrialFinished(trial) = &mut other[3] else { panic!("a trial") };
    trial.fuel = 1;
    let other = fold(other).expect("folds");
    assert_eq!(other.results[0].came.len(), 2);
    assert_eq!(other.results[0].all().map(|trial| trial.fuel).collect::<Vec<_>>(), [0, 1, 0, 0]);
    assert_ne!(other, run);
}

#[test]
fn a_record_that_stops_early_is_incomplete() {
    for keep in 1..8 {
        let run = fold(whole().into_iter().take(keep)).expect("folds");
        assert!(!run.complete, "{keep} events");
    }
}

#[test]
fn what_makes_no_run() {
    let with = |place: usize, event: Event| {
        let mut events = whole();
        events.insert(place, event);
        fold(events).expect_err("no run")
    };
    assert_eq!(fold([]), Err(FoldError::NoStart));
    assert_eq!(fold(whole().into_iter().skip(1)), Err(FoldError::NoStart));
    assert_eq!(with(3, whole().remove(0)), FoldError::SecondStart(4));
    assert_eq!(with(8, trial("a", None, 0)), FoldError::AfterEnd(9));
    assert!(matches!(with(3, trial("c", None, 0)), FoldError::Unplanned { at: 4, .. }));
    assert!(matches!(with(3, trial("a", None, 2)), FoldError::Unplanned { .. }));
    let nfd = Some(Transform::UnicodeNfd);
    assert!(matches!(with(3, trial("a", nfd, 0)), FoldError::Unplanned { .. }));
    assert!(matches!(with(7, trial("a", None, 0)), FoldError::Twice { at: 8, .. }));
    let mut cut = whole();
    cut.remove(2);
    assert_eq!(fold(cut), Err(FoldError::Count { said: 6, held: 5 }));
}

#[test]
fn events_survive_their_json() {
    for event in whole() {
        let text = serde_json::to_string(&event).expect("serialises");
        assert_eq!(serde_json::from_str::<Event>(&text).expect("parses"), event);
    }
}

#[test]
fn the_case_comes_to_its_worst_deciding_rule() {
    use Verdict::{Fail, NotApplicable, Pass, Unproven, Unresolved};
    let rules = example::manifest(&["r1", "r2"]).rules;
    for (verdicts, whole) in [
        ([Pass, Pass], Pass),
        ([Pass, NotApplicable], Pass),
        ([NotApplicable, NotApplicable], NotApplicable),
        ([Pass, Unproven], Unproven),
        ([Unresolved, Pass], Unresolved),
        ([Fail, Unproven], Fail),
    ] {
        assert_eq!(case_verdict(&rules, &verdicts), whole, "{verdicts:?}");
    }
}
