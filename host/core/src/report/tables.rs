//! The report's tables, each from what was measured.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    BaselineLine, Digests, FaultLine, Faults, GraderLine, KindLine, Moved, Noise, PairLine,
    RealOutputLine, RealSide, RuleLine, RunLine, SegmentLine, SetLine, TacticLine, TransformLine,
};
use crate::assess::Assessment;
use crate::control::set::Kind;
use crate::control::transform::Transform;
use crate::decision::{Judged, RateFigure};
use crate::findings::Outcome;
use crate::id::{ControlId, Digest};
use crate::manifest::Rule;
use crate::measure::{KindMeasure, Measures, PairMeasure, SegmentMeasure};
use crate::run::event::ControlFacts;
use crate::run::fold::{Run, Tried};
use crate::score::{Mark, Row, mark};
use crate::stats::interval::{Count, exact_upper};
use crate::stats::trials::{Repeats, over};
use crate::untrusted::Untrusted;
use crate::verdict::Verdict;

/// How many faulty trials a report shows in full.
const FAULTS_SHOWN: usize = 50;

pub(super) fn grader(run: &Run) -> GraderLine {
    let grader = &run.started.grader;
    GraderLine {
        name: grader.manifest.name.clone(),
        version: grader.manifest.version.clone(),
        digest: grader.digest,
        kind: run.started.kind(),
        rubric: grader.manifest.rubric.clone(),
        authors: grader.authors.clone(),
    }
}

pub(super) fn digests(run: &Run, record: Digest) -> Digests {
    let digests = &run.started.digests;
    Digests {
        controls: digests.controls,
        regression: digests.regression,
        held_out: run.started.held_out.as_ref().map(|facts| facts.digest),
        policy: digests.policy,
        contract: digests.contract,
        semantics: digests.semantics,
        record,
    }
}

pub(super) fn set(run: &Run) -> SetLine {
    let (set, controls) = (&run.started.set, &run.started.controls);
    let families: BTreeSet<_> = controls.iter().map(|facts| &facts.family).collect();
    let real = controls.iter().filter(|facts| facts.kind == Kind::RealOutput).count();
    SetLine {
        real_outputs: real as u64,
        written: (controls.len() - real) as u64,
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

pub(super) fn segments(measures: &Measures, confidence: f64) -> Vec<SegmentLine> {
    let line = |((name, value), measure): (&(String, String), &SegmentMeasure)| SegmentLine {
        name: name.clone(),
        value: value.clone(),
        catch: RateFigure::new(measure.catch, confidence),
        pass: RateFigure::new(measure.pass, confidence),
    };
    measures.segments.iter().map(line).collect()
}

pub(super) fn pairs(measures: &Measures) -> Vec<PairLine> {
    let line = |(pair, measure): (&ControlId, &PairMeasure)| PairLine {
        pair: pair.clone(),
        right: measure.right.clone(),
        wrong: measure.wrong.clone(),
    };
    measures.pairs.iter().map(line).collect()
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

pub(super) fn baselines(run: &Run, measures: &[Measures]) -> Vec<BaselineLine> {
    run.baselines
        .iter()
        .zip(measures)
        .map(|(baseline, measures)| {
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
        count_faults(&mut faults, &trial);
    }
    faults
}

fn count_faults(faults: &mut Faults, trial: &Tried<'_>) {
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

pub(super) fn noise(judged: &Judged<'_>, confidence: f64) -> Noise {
    let stability = &judged.measures.stability;
    let differing = stability.differing.len() as u64;
    Noise {
        families: stability.repeated,
        differing: stability.differing.clone(),
        upper_bound: exact_upper(
            Count::new(differing.min(stability.repeated), stability.repeated),
            confidence,
        ),
        repeats: repeats(judged),
    }
}

/// What the repeats of the controls as written come to, all kinds together; absent without repeats.
fn repeats(judged: &Judged<'_>) -> Option<Repeats> {
    let started = &judged.run.started;
    let rules = &started.grader.manifest.rules;
    let trials = |(facts, rows): (&ControlFacts, &Vec<Row>)| {
        let written = rows.iter().filter(|row| row.variant.is_none());
        let right = written.clone().filter(|row| mark(facts, rules, row) == Mark::Right).count();
        Count::new(right as u64, written.count() as u64)
    };
    let known = |facts: &ControlFacts| {
        facts.kind != Kind::RealOutput || facts.expect.verdict != Verdict::Unresolved
    };
    let all = started.controls.iter().zip(&judged.table).filter(|(facts, _)| known(facts));
    let cases: Vec<_> = all.map(trials).collect();
    (started.repeats > 1).then(|| over(&cases, u64::from(started.repeats)).ok()).flatten()
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

pub(super) fn transforms(run: &Run, measures: &Measures, confidence: f64) -> Vec<TransformLine> {
    let controls = &run.started.controls;
    let of = |transform: Transform| {
        let shown = || controls.iter().filter(move |facts| facts.variants.contains(&transform));
        let by_it = measures.stability.moved.iter().filter(|(_, by)| *by == transform);
        let ids: BTreeSet<_> = by_it.map(|(id, _)| id).collect();
        let moved = |facts: &&ControlFacts| ids.contains(&facts.id);
        let families = |controls: &mut dyn Iterator<Item = &ControlFacts>| {
            controls.map(|facts| &facts.family).collect::<BTreeSet<_>>().len() as u64
        };
        let (all, bad) = (families(&mut shown()), families(&mut shown().filter(moved)));
        TransformLine {
            transform,
            shown: shown().count() as u64,
            moved: shown().filter(moved).count() as u64,
            upper_bound: exact_upper(Count::new(bad, all), confidence),
        }
    };
    Transform::ALL.into_iter().map(of).filter(|line| line.shown > 0).collect()
}
