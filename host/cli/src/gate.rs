//! The graders of a register run on the steps of run records, with the authority that they hold now.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

use accredit_core::authority::{Act, Authority, Fact, authors};
use accredit_core::case::Case;
use accredit_core::control::plan::trial_seed;
use accredit_core::findings::enforce;
use accredit_core::gate::case::build;
use accredit_core::gate::inventory::{Check, Inventory};
use accredit_core::gate::judged::{GateGrader, Judgement};
use accredit_core::gate::measured::{Measured, measured};
use accredit_core::gate::record::SutRun;
use accredit_core::id::{Digest, GraderName, RunId, StepId};
use accredit_core::ledger::Work;
use accredit_core::manifest::Manifest;
use accredit_core::report::Report;
use accredit_engine::{Grader, Trial, TrialInput};

use crate::authority::Registry;
use crate::check::CLOCK_UNIX_S;
use crate::failure::Failure;
use crate::place;
use crate::read::GraderFile;
use crate::registered::Files;

/// No report of a gate is larger, and none that is is kept.
pub(crate) const LONGEST_REPORT: u64 = 1 << 30;

/// The graders that an inventory names, and what they said.
#[derive(Debug, Default)]
pub struct Graded {
    /// The graders that are registered; of the others core says that they are missing.
    pub graders: Vec<GateGrader>,
    /// What they said of each step that they check.
    pub judgements: Vec<Judgement>,
}

/// Runs every grader that an inventory names, as it is registered to be run, on the steps that it checks.
///
/// # Errors
/// When a registered grader cannot be read or loaded, or with exit code 5 when something its ledger names is damaged.
pub fn grade(
    registry: &Registry,
    inventory: &Inventory,
    runs: &[SutRun],
    jobs: usize,
) -> Result<Graded, Failure> {
    let checks = inventory.cases.iter().flat_map(|selected| inventory.checks_of(selected));
    let named: BTreeSet<&GraderName> = checks.map(|check| &check.grader).collect();
    let registered: BTreeSet<&GraderName> = registry.names().collect();
    let mut graded = Graded::default();
    for name in named.intersection(&registered) {
        let file = registry.file(name)?;
        let files = Files::in_repository(registry.register.repository(), &file)?;
        let path = registry.register.repository().join(&file.component);
        let (_engine, grader) =
            place::load_bytes(&path, &files.component, file.limits.clone(), jobs)?;
        named_so(&path, name, grader.manifest())?;
        let facts = registry.facts(name, files.digests().component)?;
        let today = registry.today(name, &files.digests(), &file);
        let authority = registry.by(&facts, &today);
        let errs = errs(registry, &facts, &authority)?;
        let shown = shown(name, inventory, runs, grader.manifest());
        graded.judgements.extend(judge((name, &grader), &file, &shown, jobs));
        graded.graders.push(GateGrader {
            manifest: grader.manifest().clone(),
            digest: grader.digest(),
            kind: registry.policy.policy.kind_of(name, grader.kind()),
            tier: authority.tier,
            promoted_to: authority.promoted_to,
            chain: chain(&facts, grader.digest()),
            reasons: authority.reasons.iter().map(|reason| reason.text()).collect(),
            catch: errs.catch,
            pass: errs.pass,
            authors: authors(&facts, &today, &registry.rules()),
        });
    }
    Ok(graded)
}

fn named_so(path: &Path, name: &GraderName, manifest: &Manifest) -> Result<(), Failure> {
    if manifest.name == *name {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{}: the component calls itself `{}`, and is registered as `{name}`. Put back the component that was registered, or register this one",
        path.display(),
        manifest.name
    )))
}

/// Who signed as an author of a component, and whom they named beside them; nobody where none signed.
fn chain(facts: &[Fact], of: Digest) -> Vec<String> {
    let mut authors = BTreeSet::new();
    for fact in facts.iter().filter(|fact| !fact.signers.is_empty()) {
        let Act::Registered { component, wrote, authors: named, .. } = &fact.act else { continue };
        if *component == of && wrote.contains(&Work::Grader) {
            let signed = fact.signers.iter().flat_map(|it| [&it.principal, &it.person]);
            authors.extend(signed.chain(named).cloned());
        }
    }
    authors.into_iter().collect()
}

/// How often a grader errs, by the report that its promotion rests on; nothing where that is not kept.
fn errs(registry: &Registry, facts: &[Fact], authority: &Authority) -> Result<Measured, Failure> {
    let promoted = facts.iter().find(|fact| Some(fact.seq) == authority.by_entry);
    let Some(Act::Promoted { statement }) = promoted.map(|fact| &fact.act) else {
        return Ok(Measured::default());
    };
    let evidence = &statement.predicate.evidence;
    let Some(bytes) = registry.register.objects().find(evidence.report)? else {
        // What tells of held-out controls is kept elsewhere.
        if evidence.held_out.is_some() {
            return Ok(Measured::default());
        }
        return Err(Failure::Integrity(format!(
            "the report {} that `{}` was promoted on is gone from the register: how often the grader errs is not known without it. Restore it from version control",
            evidence.report, statement.predicate.grader
        )));
    };
    let report = serde_json::from_slice::<Report>(&bytes).ok();
    Ok(report.map(|report| measured(&report)).unwrap_or_default())
}

/// A step as one grader is shown it.
struct Shown {
    run: RunId,
    step: StepId,
    case: Case,
}

/// The steps that a grader checks, of the runs that are there.
fn shown(
    name: &GraderName,
    inventory: &Inventory,
    runs: &[SutRun],
    manifest: &Manifest,
) -> Vec<Shown> {
    let mut shown = Vec::new();
    let runs: BTreeMap<&RunId, &SutRun> = runs.iter().map(|run| (&run.id, run)).collect();
    for selected in &inventory.cases {
        let checks: Vec<&Check> =
            inventory.checks_of(selected).filter(|check| check.grader == *name).collect();
        for run in selected.runs.iter().filter_map(|id| runs.get(id)) {
            let own = run.steps_by_id();
            let steps = selected.steps.iter().filter_map(|id| own.get(id).copied());
            let asked = steps.filter(|step| checks.iter().any(|check| check.covers(&step.id)));
            shown.extend(asked.filter_map(|step| {
                let case = build(run, step, manifest)?;
                Some(Shown { run: run.id.clone(), step: step.id.clone(), case })
            }));
        }
    }
    shown
}

/// What a grader says of the steps: one trial of each, by the rule that controls are tried by.
fn judge(
    (name, grader): (&GraderName, &Grader),
    file: &GraderFile,
    shown: &[Shown],
    jobs: usize,
) -> Vec<Judgement> {
    let input = |index: usize| {
        let case = &shown[index].case;
        let seed = trial_seed(file.seed, case.content_digest(), 0);
        TrialInput { case, seed, clock_unix_s: CLOCK_UNIX_S }
    };
    let mut judgements = Vec::with_capacity(shown.len());
    let mut sink = |index: usize, trial: Trial| {
        let Shown { run, step, case } = &shown[index];
        let enforced = enforce(grader.manifest(), case, trial.outcome);
        judgements.push(Judgement::new(name.clone(), (run.clone(), step.clone()), enforced));
        ControlFlow::Continue(())
    };
    accredit_engine::run(grader, shown.len(), &input, jobs, &mut sink);
    judgements
}
