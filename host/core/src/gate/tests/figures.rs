//! Counts, rates and chances.

use super::make::*;
use crate::gate::profile::{self, Profile, Weight};
use crate::gate::standing::Truth;
use crate::id::Digest;
use crate::stats::interval::Count;
use crate::verdict::Verdict::{self, Fail, Pass, Unresolved};
use crate::verdict::{RuleTier, Tier};

/// 100 cases, of which 50 were never judged: 41 of 50, never 41 of 100.
#[test]
fn the_pass_rate_is_over_what_was_judged() {
    let ids: Vec<String> = (0..100).map(|n| format!("c{n:03}")).collect();
    let said: Vec<[Verdict; 1]> = (0..100).map(|n| if n < 41 { [Pass] } else { [Fail] }).collect();
    let cases: Vec<_> = ids.iter().zip(&said).map(|(id, said)| (id.as_str(), &said[..])).collect();
    let mut gate = world(&cases);
    gate.judgements.truncate(50);
    let report = gate.report();
    let summary = report.summary;
    assert_eq!((summary.cases, summary.verdicted, summary.not_evaluated), (100, 50, 50));
    assert_eq!((summary.passed, summary.pass_rate), (41, Some(0.82)));
    assert_eq!(report.release.verdict, Truth::False);
}

#[test]
fn over_nothing_there_is_no_rate() {
    let mut gate = world(&[("a", &[Pass])]);
    gate.judgements.clear();
    let report = gate.report();
    assert_eq!((report.summary.verdicted, report.summary.pass_rate), (0, None));
    assert_eq!(report.trials.pass_at_1.value, None);
    assert_eq!(report.false_block.measured, None);
}

#[test]
fn a_summary_of_another_policy_is_stale() {
    let kept = world(&[("a", &[Pass])]).report().kept();
    assert_eq!(kept.stale(Digest::of(b"policy")), None);
    let stale = kept.stale(Digest::of(b"another")).expect("stale");
    assert!(stale.starts_with("stale"), "{stale}");
    let json = serde_json::to_string(&kept).expect("JSON");
    assert_eq!(serde_json::from_str::<crate::gate::summary::Kept>(&json).expect("kept"), kept);
}

/// A grader that wrongly fails 1 % of good outputs blocks a good release of 100 cases x 3 runs 95 % of the time.
#[test]
fn the_chance_of_a_false_block() {
    let ids: Vec<String> = (0..100).map(|n| format!("c{n:03}")).collect();
    let cases: Vec<_> = ids.iter().map(|id| (id.as_str(), &[Pass, Pass, Pass][..])).collect();
    let gate = world(&cases);
    let chance = gate.report().false_block;
    assert_eq!(chance.graders[0].decisions, 300);
    assert!((chance.measured.expect("measured") - 0.951).abs() < 5e-4, "{chance:?}");
    assert!(chance.at_most > chance.measured && chance.past);

    let mut two = world(&[("a", &[Pass])]);
    two.add("h", RuleTier::Essential, Tier::Gating, Pass);
    let chance = two.report().false_block;
    assert!((chance.measured.expect("measured") - (1.0 - 0.99 * 0.99)).abs() < 1e-12);
    two.graders[1].pass = None;
    assert_eq!(two.report().false_block.measured, None, "not all was measured");
    two.graders[1].tier = Tier::Advisory;
    assert!(two.report().false_block.measured.is_some(), "it cannot block");
}

#[test]
fn trials_tell_always_sometimes_and_never() {
    let report = world(&[
        ("a", &[Pass, Pass, Pass]),
        ("b", &[Pass, Fail, Pass]),
        ("c", &[Fail, Fail, Fail]),
        ("d", &[Unresolved, Unresolved, Unresolved]),
    ])
    .report();
    let trials = report.trials;
    assert_eq!(trials.never_fail, [id("a")]);
    assert_eq!(trials.sometimes_fail, [id("b")]);
    assert_eq!(trials.always_fail, [id("c")]);
    assert_eq!(trials.not_evaluated, [id("d")]);
    let close = |got: Option<f64>, want: f64| {
        assert!((got.expect("a figure") - want).abs() < 1e-9, "{got:?}");
    };
    close(trials.pass_at_1.value, 5.0 / 9.0);
    let repeats = trials.repeats.value.expect("three runs of each");
    assert_eq!(repeats.k, 3);
    close(Some(repeats.at_least_once), 2.0 / 3.0);
    close(Some(repeats.every_time), 1.0 / 3.0);
    assert_eq!(trials.consistent, Count::new(2, 3));
    // Three clean runs still allow a failure rate of 63 %.
    assert_eq!((trials.clean[0].runs, trials.clean[0].cases), (3, 1));
    close(trials.clean[0].failure_rate_at_most, 1.0 - 0.05_f64.powf(1.0 / 3.0));
}

#[test]
fn one_run_has_no_repeats() {
    let trials = world(&[("a", &[Pass])]).report().trials;
    assert!(trials.repeats.value.is_none() && trials.repeats.absent.is_some());
    assert_eq!(trials.consistent, Count::new(0, 0));
}

#[test]
fn cost_and_latency_stand_beside_the_score_and_dominated_versions_are_named() {
    let mut gate = world(&[("a", &[Pass, Pass]), ("b", &[Pass, Pass])]);
    for run in gate.runs.iter_mut().filter(|run| run.run == 2) {
        run.ran.model = "large".into();
        run.steps[0].cost = Some(3.0);
        run.steps[0].latency_ms = Some(300);
    }
    let versions = gate.report().versions;
    assert_eq!(versions.len(), 2);
    let (cheap, dear) = match versions[0].cost {
        Some(cost) if cost < 2.5 => (&versions[0], &versions[1]),
        _ => (&versions[1], &versions[0]),
    };
    assert_eq!((cheap.pass_rate, cheap.latency_ms, cheap.timed), (Some(1.0), Some(100.0), 2));
    assert_eq!(dear.dominated_by, [cheap.version]);
    assert!(cheap.dominated_by.is_empty());
    // Faster at a higher cost is a choice.
    for run in gate.runs.iter_mut().filter(|run| run.run == 2) {
        run.steps[0].latency_ms = Some(10);
    }
    assert!(gate.report().versions.iter().all(|version| version.dominated_by.is_empty()));
    // Where a run does not say, nothing is known of it.
    gate.runs[0].steps[0].cost = None;
    let timed: u64 = gate.report().versions.iter().map(|version| version.timed).sum();
    assert_eq!(timed, 3);
}

#[test]
fn a_profile_adds_and_weighs_and_never_removes() {
    let mut gate = world(&[("a", &[Pass]), ("b", &[Fail])]);
    gate.add("h", RuleTier::Important, Tier::Gating, Pass);
    let plain = gate.report();
    let weight = |grader: &str, weight| Weight { grader: id(grader), rule: None, weight };
    gate.profiles = vec![Profile {
        format: profile::FORMAT,
        name: "trader".into(),
        adds: vec![],
        weights: vec![weight("g", 0.001)],
    }];
    let weighed = gate.report();
    assert_eq!((&weighed.release, weighed.summary), (&plain.release, plain.summary));
    let share = weighed.weighted[0].pass_rate.expect("a share");
    assert!((share - 2.001 / 2.002).abs() < 1e-12, "{share}");
    // What it adds is asked for, and missing where no grader is there.
    gate.profiles[0].adds.push(check("extra"));
    let added = gate.report();
    assert_eq!(added.summary.cases, 2);
    assert!(added.not_evaluated.iter().any(|open| open.grader == Some(id("extra"))));
    assert_eq!(added.inventory.digest, plain.inventory.digest);
    assert_eq!(added.inventory.profiles, ["trader"]);
    // No weight takes a rule away.
    for bad in [0.0, -1.0, f64::NAN] {
        gate.profiles[0].weights[0].weight = bad;
        assert!(crate::gate::GateReport::new(gate.gate()).is_err());
    }
}

#[test]
fn the_graders_own_error_is_counted_in_the_corrected_rate() {
    let ids: Vec<String> = (0..100).map(|n| format!("c{n:03}")).collect();
    let said: Vec<[Verdict; 1]> = (0..100).map(|n| if n < 70 { [Pass] } else { [Fail] }).collect();
    let cases: Vec<_> = ids.iter().zip(&said).map(|(id, said)| (id.as_str(), &said[..])).collect();
    let mut gate = world(&cases);
    assert!(gate.report().corrected.absent.is_some(), "the catch rate was not measured");
    gate.graders[0].catch = Some(Count::new(90, 100));
    gate.graders[0].pass = Some(Count::new(95, 100));
    let corrected = gate.report().corrected.value.expect("corrected");
    assert!((corrected.corrected - 0.6 / 0.85).abs() < 1e-9, "{corrected:?}");
    gate.inventory.selection.seed = None;
    assert!(gate.report().corrected.absent.is_some(), "no probability sample");
}
