//! What runs earn, requirement by requirement.

use Verdict::{Fail, Pass, Unproven};

use super::*;
use crate::control::set::{Control, Kind};
use crate::example;
use crate::findings::{Fault, FaultKind, Outcome};
use crate::policy::Policy;
use crate::run::event::{Event, RunFinished};
use crate::untrusted::Untrusted;
use crate::verdict::Verdict;

pub(crate) type Judged = (Control, Vec<[Verdict; 2]>);

/// `count` controls of a kind, judged right at three repeats.
fn right(kind: Kind, count: usize) -> Vec<Judged> {
    (0..count)
        .map(|n| {
            // Outputs that no surface cue tells apart.
            let mut control = example::control(kind, &format!("{kind}-{n}"), "the same words");
            let fails = control.entry.expect.verdict == Fail;
            let mut verdicts = [Pass, Pass];
            if fails {
                let rule = n % 2;
                control.entry.expect = example::expect(Fail, Some(["r1", "r2"][rule]));
                verdicts[rule] = Fail;
            }
            (control, vec![verdicts; 3])
        })
        .collect()
}

/// Near-miss pairs and invariance bases, judged right.
fn pairs_and_bases() -> Vec<Judged> {
    let mut all = Vec::new();
    for n in 0..14 {
        for (side, expect, verdicts) in
            [("a", (Fail, Some("r1")), [Fail, Pass]), ("b", (Pass, None), [Pass, Pass])]
        {
            let mut half = example::control(Kind::NearMiss, &format!("nm-{n}-{side}"), "w");
            half.entry.family = format!("nm-{n}").parse().expect("valid");
            half.entry.expect = example::expect(expect.0, expect.1);
            all.push((half, vec![verdicts; 3]));
        }
    }
    for n in 0..10 {
        let base = example::control(Kind::Invariance, &format!("inv-{n}"), "w");
        let mut variant = example::control(Kind::Invariance, &format!("inv-{n}-v"), "w w");
        variant.entry.family = base.entry.family.clone();
        variant.entry.base = Some(base.entry.id.clone());
        all.extend([base, variant].map(|control| (control, vec![[Pass, Pass]; 3])));
    }
    all
}

/// A set that is just enough for gating, judged right throughout.
pub(crate) fn sound() -> Vec<Judged> {
    let mut all = right(Kind::KnownBad, 59);
    all.extend(right(Kind::KnownGood, 29));
    all.extend(right(Kind::HardPositive, 14));
    all.extend(right(Kind::Adversarial, 14));
    all.extend(pairs_and_bases());
    all
}

fn decided(judged: &[Judged]) -> Decision {
    decide(&example::run(judged))
}

fn waive(judged: &[Judged], requirements: &[RequirementId]) -> Decision {
    let mut run = example::run(judged);
    run.started.policy.waivers = requirements
        .iter()
        .map(|requirement| Waiver {
            tier: Tier::Gating,
            requirement: *requirement,
            reason: "a test".into(),
        })
        .collect();
    decide(&run)
}

const UNMEASURED: [RequirementId; 2] = [RequirementId::RealOutput, RequirementId::HeldOut];

fn met(decision: &Decision, id: RequirementId) -> Option<bool> {
    decision.requirements.iter().find(|r| r.id == id && r.tier == Tier::Gating).expect("listed").met
}

#[test]
fn a_sound_grader_is_eligible_once_the_unmeasured_is_waived() {
    let decision = decided(&sound());
    assert_eq!(decision.eligible_tier, Tier::Characterization);
    assert_eq!(decision.under_waivers, 0);
    for id in UNMEASURED {
        assert_eq!(met(&decision, id), None, "{id}: not evaluated is not met");
    }
    let decision = waive(&sound(), &UNMEASURED);
    assert_eq!(decision.eligible_tier, Tier::Gating);
    assert_eq!((decision.under_waivers, decision.waivers.len()), (2, 2));
    assert_eq!(met(&decision, RequirementId::HeldOut), None, "a waiver does not make it met");
}

#[test]
fn one_control_short_is_not_enough() {
    for (kind, id) in [
        (Kind::KnownBad, RequirementId::KnownBad),
        (Kind::KnownGood, RequirementId::KnownGood),
        (Kind::HardPositive, RequirementId::HardPositive),
        (Kind::Adversarial, RequirementId::Adversarial),
    ] {
        let mut judged = sound();
        let place = judged.iter().position(|(control, _)| control.kind == kind).expect("there");
        judged.remove(place);
        let decision = waive(&judged, &UNMEASURED);
        assert_eq!(met(&decision, id), Some(false), "{id}");
        assert!(decision.eligible_tier < Tier::Gating);
    }
}

#[test]
fn one_wrong_repeat_makes_its_family_wrong_and_the_grader_noisy() {
    let mut judged = sound();
    judged[0].1[2] = [Pass, Pass];
    let decision = waive(&judged, &UNMEASURED);
    assert_eq!(met(&decision, RequirementId::KnownBad), Some(false));
    assert_eq!(met(&decision, RequirementId::Noise), Some(false));
}

#[test]
fn abstaining_is_no_catch() {
    let mut judged = sound();
    judged[0].1 = vec![[Unproven, Pass]; 3];
    assert_eq!(met(&waive(&judged, &UNMEASURED), RequirementId::KnownBad), Some(false));
}

#[test]
fn a_kind_without_controls_is_not_evaluated() {
    let mut judged = sound();
    judged.retain(|(control, _)| control.kind != Kind::HardPositive);
    let decision = waive(&judged, &UNMEASURED);
    assert_eq!(met(&decision, RequirementId::HardPositive), None);
    assert_eq!(decision.eligible_tier, Tier::Characterization);
}

#[test]
fn a_variant_that_moves_breaks_invariance() {
    let mut judged = sound();
    let last = judged.len() - 1;
    judged[last].1 = vec![[Pass, Unproven]; 3];
    assert_eq!(met(&waive(&judged, &UNMEASURED), RequirementId::Invariance), Some(false));
}

#[test]
fn a_rule_that_no_control_needs_is_found_by_replay() {
    let mut judged = sound();
    for (control, verdicts) in judged.iter_mut().filter(|(c, _)| c.kind == Kind::KnownBad) {
        control.entry.expect = example::expect(Fail, Some("r1"));
        *verdicts = vec![[Fail, Pass]; 3];
    }
    judged.retain(|(control, verdicts)| {
        control.kind != Kind::Adversarial || verdicts[0] == [Fail, Pass]
    });
    for extra in right(Kind::Adversarial, 28).into_iter().filter(|(_, v)| v[0] == [Fail, Pass]) {
        if judged.iter().all(|(control, _)| control.entry.id != extra.0.entry.id) {
            judged.push(extra);
        }
    }
    let decision = waive(&judged, &UNMEASURED);
    let rules = decision.requirements.iter().find(|r| r.id == RequirementId::RulesNeeded);
    let rules = rules.expect("listed");
    assert_eq!(rules.met, Some(false));
    let mend = rules.mend.as_deref().expect("a mend");
    assert!(mend.contains("r2") && !mend.contains("r1"), "{mend}");
}

#[test]
fn a_set_that_a_baseline_passes_promotes_nothing() {
    let good = || right(Kind::KnownGood, 29);
    let mut run = example::run(&good());
    run.started.policy = Policy::default();
    run.started.policy.code.characterization.known_bad = None;
    let decision = decide(&run);
    let baselines = decision
        .requirements
        .iter()
        .find(|r| r.id == RequirementId::Baselines && r.tier == Tier::Characterization)
        .expect("listed");
    assert_eq!(baselines.met, Some(false), "always-pass meets known-good alone");
    assert_eq!(decision.eligible_tier, Tier::Advisory);
}

/// The sound run with the first trial's outcome replaced.
fn with_fault(machine_dependent: bool) -> Decision {
    let judged = sound();
    let run = example::run(&judged);
    let mut started = run.started.clone();
    started.policy.waivers = UNMEASURED
        .map(|requirement| Waiver { tier: Tier::Gating, requirement, reason: "a test".into() })
        .into();
    let fault = Outcome::Fault(Fault {
        kind: FaultKind::Trap,
        detail: Untrusted::new("stack overflow"),
        machine_dependent,
    });
    let mut trials: Vec<_> = run
        .results
        .iter()
        .flat_map(|control| control.all().map(|trial| trial.recorded()))
        .collect();
    trials[0].outcome = fault;
    let count = trials.len() as u64;
    let mut events = vec![Event::RunStarted(Box::new(started))];
    events.extend(run.baselines.into_iter().map(Event::BaselineFinished));
    events.extend(trials.into_iter().map(|trial| Event::TrialFinished(Box::new(trial))));
    events.push(Event::RunFinished(RunFinished { trials: count }));
    decide(&crate::run::fold::fold(events).expect("folds"))
}

#[test]
fn a_fault_is_the_graders_unless_it_is_the_machines() {
    let own = with_fault(false);
    assert_eq!(met(&own, RequirementId::Faults), Some(false));
    assert_eq!(met(&own, RequirementId::Reproducible), Some(true));
    let machine = with_fault(true);
    assert_eq!(met(&machine, RequirementId::Faults), Some(true));
    assert_eq!(met(&machine, RequirementId::Noise), Some(true), "never the grader's noise");
    assert_eq!(met(&machine, RequirementId::Reproducible), Some(false));
    assert_eq!(machine.eligible_tier, Tier::Advisory);
}

#[test]
fn authors_who_are_the_same_or_unknown_do_not_gate() {
    for (grader, met_) in [
        ("Control Authors ", Some(false)),
        ("Somebody; control\u{200b}  authors <c@example.org>", Some(false)),
        ("others", Some(true)),
    ] {
        let mut run = example::run(&sound());
        run.started.grader.authors = vec![Untrusted::new(grader)];
        assert_eq!(met(&decide(&run), RequirementId::IndependentAuthors), met_);
    }
    let mut run = example::run(&sound());
    run.started.grader.authors.clear();
    assert_eq!(met(&decide(&run), RequirementId::IndependentAuthors), None);
}

#[test]
fn no_waiver_reaches_the_requirements_that_guard_the_evidence() {
    let mut run = example::run(&sound());
    run.complete = false;
    run.started.policy.waivers = vec![Waiver {
        tier: Tier::Characterization,
        requirement: RequirementId::Reproducible,
        reason: "forged".into(),
    }];
    assert_eq!(decide(&run).eligible_tier, Tier::Advisory);
}

#[test]
fn a_tier_is_not_skipped() {
    let mut run = example::run(&sound());
    run.started.policy.code.characterization.known_good = Some(0.99);
    run.started.policy.waivers = UNMEASURED
        .map(|requirement| Waiver { tier: Tier::Gating, requirement, reason: "a test".into() })
        .into();
    assert_eq!(decide(&run).eligible_tier, Tier::Advisory);
}

#[test]
fn failing_every_rule_on_any_suspicion_catches_nothing() {
    let mut judged = sound();
    for (control, verdicts) in &mut judged {
        if control.kind == Kind::KnownBad {
            *verdicts = vec![[Fail, Fail]; 3];
        }
    }
    let decision = waive(&judged, &UNMEASURED);
    assert_eq!(met(&decision, RequirementId::KnownBad), Some(false));
}

#[test]
fn rules_that_decide_nothing_earn_nothing() {
    let mut run = example::run(&sound());
    for rule in &mut run.started.grader.manifest.rules {
        rule.tier = crate::verdict::RuleTier::Optional;
    }
    let decision = decide(&run);
    assert_eq!(met(&decision, RequirementId::KnownBad), None, "no control decides a case");
    assert_eq!(decision.eligible_tier, Tier::Advisory);
}

#[test]
fn bases_without_variants_and_bases_without_answers_show_no_invariance() {
    let mut judged = sound();
    judged.retain(|(control, _)| control.entry.base.is_none());
    assert_eq!(met(&waive(&judged, &UNMEASURED), RequirementId::Invariance), None);
    let mut run = example::run(&sound());
    let place = run.started.controls.iter().position(|facts| facts.kind == Kind::Invariance);
    let refused = Outcome::Refused(crate::findings::Refusal {
        kind: crate::findings::RefusalKind::UnsupportedCase,
        message: Untrusted::default(),
    });
    run.results[place.expect("there")].answer_all(&refused);
    assert_eq!(met(&decide(&run), RequirementId::Invariance), Some(false));
}
