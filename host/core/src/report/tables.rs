//! The report's tables, each from what was measured.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    BaselineLine, Digests, FaultLine, Faults, GraderLine, KindLine, Moved, Noise, RealOutputLine,
    RealSide, RuleLine, RunLine, SetLine, TacticLine,
};
use crate::assess::Assessment;
use crate::control::set::Kind;
use crate::decision::RateFigure;
use crate::findings::Outcome;
use crate::id::Digest;
use crate::manifest::Rule;
use crate::measure::{KindMeasure, Measures, measure};
use crate::run::event::TrialFinished;
use crate::run::fold::Run;
use crate::score::baseline_table;
use crate::stats::interval::{Count, exact_upper};
use crate::untrusted::Untrusted;

/// How many faulty trials a report shows in full.
const FAULTS_SHOWN: usize = 50;

pub(super) fn grader(run: &Run) -> GraderLine {
    let grader = &run.started.grader;
    GraderLine {
        name: grader.manifest.name.clone(),
        version: grader.manifest.version.clone(),
        digest: grader.digest,
        kind: grader.kind,
        rubric: grader.manifest.rubric.clone(),
        authors: grader.authors.clone(),
    }
}

pub(super) fn digests(run: &Run, record: Digest) -> Digests {
    let digests = &run.started.digests;
    Digests {
        controls: digests.controls,
        policy: digests.policy,
        contract: digests.contract,
        semantics: digests.semantics,
        record,
    }
}

pub(super) fn set(run: &Run) -> SetLine {
    let (set, controls) = (&run.started.set, &run.started.controls);
    let families: BTreeSet<_> = controls.iter().map(|facts| &facts.family).collect();
    SetLine {
        id: set.id.clone(),
        version: set.version.clone(),
        authors: set.authors.clone(),
        controls: controls.len() as u64,
        families: families.len() as u64,
    }
}

pub(super) fn run(run: &Run, measures: &Measures) -> RunLine {
    RunLine {
        seed: run.started.seed,
        repeats: run.started.repeats,
        trials: run.results.iter().map(|control| control.all().count() as u64).sum(),
        planned: run.started.trials,
        transformed: measures.stability.transformed,
        complete: run.complete,
    }
}

pub(super) fn kinds(measures: &Measures, confidence: f64) -> Vec<KindLine> {
    let line = |(kind, measure): (&Kind, &KindMeasure)| KindLine {
        kind: *kind,
        controls: measure.controls,
        figure: RateFigure::new(measure.families, confidence),
        single: measure.single,
    };
    measures.kinds.iter().map(line).collect()
}

pub(super) fn rules(rules: &[Rule], measures: &Measures, confidence: f64) -> Vec<RuleLine> {
    rules
        .iter()
        .zip(&measures.rules)
        .map(|(rule, measure)| RuleLine {
            rule: rule.id.clone(),
            tier: rule.tier,
            catch: RateFigure::new(measure.catch, confidence),
            pass: RateFigure::new(measure.pass, confidence),
            stray_fails: measure.stray_fails.clone(),
        })
        .collect()
}

pub(super) fn tactics(measures: &Measures, confidence: f64) -> Vec<TacticLine> {
    measures
        .tactics
        .iter()
        .map(|(tactic, count)| TacticLine {
            tactic: tactic.clone(),
            figure: RateFigure::new(*count, confidence),
        })
        .collect()
}

pub(super) fn real_output(
    run: &Run,
    measures: &Measures,
    assessment: Option<Assessment>,
    confidence: f64,
) -> Option<RealOutputLine> {
    let assessment = assessment?;
    let labels: Vec<_> =
        run.started.controls.iter().filter_map(|facts| facts.label.as_ref()).collect();
    let mut sources: BTreeMap<&Untrusted, u64> = BTreeMap::new();
    for label in &labels {
        *sources.entry(&label.source).or_insert(0) += 1;
    }
    let side = |measure: &KindMeasure| RealSide {
        outputs: measure.controls,
        right: measure.single.right,
        figure: RateFigure::new(measure.families, confidence),
    };
    Some(RealOutputLine {
        catch: side(&measures.real.catch),
        pass: side(&measures.real.pass),
        unsettled: measures.real.unsettled,
        label_sources: sources.into_iter().map(|(source, count)| (source.clone(), count)).collect(),
        labelled_by_people: labels.iter().filter(|label| label.is_peoples()).count() as u64,
        assessment,
    })
}

pub(super) fn baselines(run: &Run) -> Vec<BaselineLine> {
    let started = &run.started;
    run.baselines
        .iter()
        .map(|baseline| {
            let rules = &started.grader.manifest.rules;
            let table = baseline_table(baseline, &started.controls, rules);
            let measures = measure(&started.controls, rules, &table);
            let kind =
                |(kind, measure): (&Kind, &KindMeasure)| (kind.name().to_owned(), measure.families);
            BaselineLine {
                name: baseline.name.clone(),
                kinds: measures.kinds.iter().map(kind).collect(),
            }
        })
        .collect()
}

pub(super) fn faults(run: &Run) -> Faults {
    let mut faults = Faults {
        by_kind: BTreeMap::new(),
        refused: 0,
        violations: BTreeMap::new(),
        first: Vec::new(),
    };
    for trial in run.results.iter().flat_map(|control| control.all()) {
        count_faults(&mut faults, trial);
    }
    faults
}

fn count_faults(faults: &mut Faults, trial: &TrialFinished) {
    let line = |detail: &Untrusted| FaultLine {
        id: trial.control.clone(),
        repeat: trial.repeat,
        fault: None,
        violation: None,
        detail: detail.clone(),
        captured: trial.captured.clone(),
    };
    let mut lines = Vec::new();
    match &trial.outcome {
        Outcome::Graded(_) => {}
        Outcome::Refused(refusal) => {
            faults.refused += 1;
            lines.push(line(&refusal.message));
        }
        Outcome::Fault(fault) => {
            *faults.by_kind.entry(fault.kind.name().to_owned()).or_insert(0) += 1;
            lines.push(FaultLine { fault: Some(fault.kind), ..line(&fault.detail) });
        }
    }
    for violation in &trial.violations {
        *faults.violations.entry(violation.kind.text().to_owned()).or_insert(0) += 1;
        lines.push(FaultLine { violation: Some(violation.kind), ..line(&violation.detail) });
    }
    let room = FAULTS_SHOWN.saturating_sub(faults.first.len());
    faults.first.extend(lines.into_iter().take(room));
}

pub(super) fn noise(measures: &Measures, confidence: f64) -> Noise {
    let stability = &measures.stability;
    let differing = stability.differing.len() as u64;
    Noise {
        families: stability.repeated,
        differing: stability.differing.clone(),
        upper_bound: exact_upper(
            Count::new(differing.min(stability.repeated), stability.repeated),
            confidence,
        ),
    }
}

pub(super) fn moved(run: &Run, measures: &Measures) -> Vec<Moved> {
    let stability = &measures.stability;
    let bases = stability.moved_bases.iter().map(|family| Moved {
        family: family.clone(),
        id: None,
        transform: None,
    });
    let variants = stability.moved.iter().filter_map(|(id, transform)| {
        let facts = run.started.controls.iter().find(|facts| facts.id == *id)?;
        Some(Moved {
            family: facts.family.clone(),
            id: Some(id.clone()),
            transform: Some(*transform),
        })
    });
    bases.chain(variants).collect()
}
