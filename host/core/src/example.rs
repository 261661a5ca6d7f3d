//! Small sound values for the tests of this crate.

use crate::case::Case;
use crate::control::plan::Plan;
use crate::control::set::{Control, Entry, Expectation, Kind, Place, SetHeader};
use crate::control::transform::Transform;
use crate::findings::{Finding, Outcome};
use crate::id::{ControlId, Digest, FamilyId, RubricId, RuleId};
use crate::manifest::{Manifest, RawManifest, RawRule};
use crate::policy::Policy;
use crate::run::event::{
    ControlFacts, Event, FORMAT, GraderFacts, RunDigests, RunFinished, RunStarted, TrialFinished,
};
use crate::run::fold::Run;
use crate::untrusted::Untrusted;
use crate::verdict::{GraderKind, RuleTier, Scope, Verdict};

/// A control of this kind and id, in a family of its own, expecting rule `r1` to fail where its kind must
/// fail, and the case to pass otherwise.
pub(crate) fn control(kind: Kind, id: &str, output: &str) -> Control {
    let fails = matches!(kind, Kind::KnownBad | Kind::Adversarial);
    Control {
        kind,
        at: Place { file: format!("{kind}.toml"), line: 1 },
        label: None,
        held_out: false,
        entry: Entry {
            id: ControlId::new(id).expect("a valid id"),
            family: FamilyId::new(id).expect("a valid id"),
            why: "an example".into(),
            expect: if fails {
                expect(Verdict::Fail, Some("r1"))
            } else {
                expect(Verdict::Pass, None)
            },
            also: vec![],
            pair: None,
            tactic: None,
            base: None,
            variation: None,
            skip_transforms: vec![],
            segment: std::collections::BTreeMap::new(),
            case: Case { output: output.into(), ..Case::default() },
        },
    }
}

/// An expectation.
pub(crate) fn expect(verdict: Verdict, rule: Option<&str>) -> Expectation {
    Expectation { verdict, rule: rule.map(|rule| RuleId::new(rule).expect("a valid id")) }
}

/// A manifest with these essential rules, each judging the output.
pub(crate) fn manifest(rules: &[&str]) -> Manifest {
    let rule = |id: &&str| RawRule {
        id: (*id).to_owned(),
        text: String::new(),
        tier: RuleTier::Essential,
        scope: Scope::Output,
        needs: vec![],
    };
    RawManifest {
        name: "example".into(),
        version: "1".into(),
        rubric: "example".into(),
        rules: rules.iter().map(rule).collect(),
        extra: String::new(),
    }
    .check()
    .expect("a sound manifest")
}

/// A run of these controls, each with the verdicts of rules `r1` and `r2` at each of its repeats, under
/// the default policy.
pub(crate) fn run(controls: &[(Control, Vec<[Verdict; 2]>)]) -> Run {
    let repeats = controls.iter().map(|(_, repeats)| repeats.len()).max().unwrap_or(1).max(1);
    let repeats = u32::try_from(repeats).expect("few repeats");
    let list: Vec<_> = controls.iter().map(|(control, _)| control.clone()).collect();
    let mut started = started(&list, repeats, &[]);
    started.set.authors = vec!["control authors".into()];
    started.grader.authors = vec![Untrusted::new("grader authors")];
    let mut events = vec![Event::RunStarted(Box::new(started))];
    let rules = manifest(&["r1", "r2"]).rules;
    events.extend(crate::baseline::all(&list, &rules, 0).into_iter().map(Event::BaselineFinished));
    let mut trials = 0;
    for (control, verdicts) in controls {
        for (repeat, verdicts) in (0..).zip(verdicts) {
            trials += 1;
            events.push(trial(control.entry.id.as_str(), repeat, *verdicts));
        }
    }
    events.push(Event::RunFinished(RunFinished { trials }));
    crate::run::fold::fold(events).expect("the events make a run")
}

/// The beginning of such a run, its controls shown under these transforms as well.
pub(crate) fn started(controls: &[Control], repeats: u32, transforms: &[Transform]) -> RunStarted {
    let plan = Plan::new(controls, transforms, repeats, 0);
    let variants = |index: usize| {
        plan.shown.iter().filter(|s| s.control == index).filter_map(|s| s.variant).collect()
    };
    let digest = Digest::of(b"");
    let rubric = RubricId::new("example").expect("a valid id");
    RunStarted {
        format: FORMAT,
        grader: GraderFacts {
            manifest: manifest(&["r1", "r2"]),
            digest,
            kind: GraderKind::Code,
            authors: vec![],
        },
        digests: RunDigests {
            controls: digest,
            regression: None,
            policy: digest,
            contract: digest,
            semantics: digest,
        },
        set: SetHeader {
            id: rubric.clone(),
            version: "1".into(),
            rubric,
            authors: vec![],
            rules: vec![],
            transforms: vec![],
            held_out: None,
            salt: None,
        },
        policy: Policy::default(),
        seed: 0,
        repeats,
        trials: plan.trials.len() as u64,
        only: None,
        samples: vec![],
        controls: controls
            .iter()
            .enumerate()
            .map(|(index, control)| ControlFacts::new(control, variants(index)))
            .collect(),
        held_out: None,
    }
}

/// A trial in which rules `r1` and `r2` got these verdicts.
pub(crate) fn trial(control: &str, repeat: u32, verdicts: [Verdict; 2]) -> Event {
    let finding = |(rule, verdict): (&str, Verdict)| Finding {
        rule: Untrusted::new(rule),
        claim: None,
        verdict,
        rationale: Untrusted::new(format!("{rule} says {verdict}")),
        citations: vec![],
        score: None,
        extra: Untrusted::default(),
    };
    let findings = ["r1", "r2"].into_iter().zip(verdicts).map(finding).collect();
    finished(control, repeat, Outcome::Graded(findings))
}

/// A trial with this outcome.
pub(crate) fn finished(control: &str, repeat: u32, outcome: Outcome) -> Event {
    Event::TrialFinished(Box::new(TrialFinished {
        control: ControlId::new(control).expect("a valid id"),
        variant: None,
        repeat,
        outcome,
        imposed: vec![],
        violations: vec![],
        fuel: 0,
        inert: std::collections::BTreeMap::new(),
        captured: Untrusted::default(),
        captured_truncated: false,
    }))
}
