//! From checks to steps, runs and cases: the worst part decides, whatever the order they come in.
//!
//! One run passes a case if every check that decides passes at every step; of several runs the worst decides. Only
//! graders with gating authority decide. What is not there is missing, never a smaller total. Every fold is a
//! maximum, so that neither the order of runs nor that of graders can matter.

mod asked;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::asked::Asked;
use super::inventory::{Check, Inventory, Selected, Serious};
use super::judged::{GateGrader, Judgement, Said, Why};
use super::kind::{Evaluates, Place};
use super::record::{Purpose, SutRun};
use super::standing::{Standing, Truth};
use super::status::{Approval, Status};
use crate::findings::Citation;
use crate::id::{CaseId, Digest, GraderName, RuleId, RunId, StepId};
use crate::untrusted::Untrusted;
use crate::verdict::{GraderKind, RuleTier, Tier};

pub(in crate::gate) use self::asked::Asking;

/// How a case stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseResult {
    /// The case.
    pub case: CaseId,
    /// What it was run for.
    pub purpose: Purpose,
    /// What it comes to.
    pub verdict: Truth,
    /// How it stands: the worst of its runs.
    pub standing: Standing,
    /// How far along it is: planned where none of its runs is there, measured where all of them are.
    pub status: Status,
    /// Who approved it, and when; absent where nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<Approval>,
    /// Its runs, in the inventory's order.
    pub runs: Vec<RunResult>,
}

/// How a run stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunResult {
    /// The run.
    pub run: RunId,
    /// The digest of its record as it was made; absent where it is missing.
    pub record: Option<Digest>,
    /// Which version of the system ran.
    pub version: Option<Digest>,
    /// How it stands: the worst of its steps.
    pub standing: Standing,
    /// How far along it is.
    pub status: Status,
    /// Its steps.
    pub steps: Vec<StepResult>,
    /// What it cost, where it says so.
    pub cost: Option<f64>,
    /// How long it took, where it says so.
    pub latency_ms: Option<u64>,
}

/// How a step stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepResult {
    /// The step.
    pub step: StepId,
    /// How it stands: the worst of what decides.
    pub standing: Standing,
}

/// A rule that failed on a step.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Failed {
    /// The case.
    pub case: CaseId,
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: StepId,
    /// The grader.
    pub grader: GraderName,
    /// Code or judge.
    pub kind: GraderKind,
    /// What the grader may do now.
    pub authority: Tier,
    /// The rule.
    pub rule: RuleId,
    /// How much the rule weighs.
    pub tier: RuleTier,
    /// The claim, for an `each-claim` rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Untrusted>,
    /// What was evaluated.
    #[serde(default)]
    pub evaluates: Evaluates,
    /// What it is, where it is serious.
    pub serious: Option<Serious>,
    /// Whether it blocks pending a person: a judge's word where this gate may too easily be wrong.
    pub pending_person: bool,
    /// What the grader said; nothing of held-out cases.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub rationale: Untrusted,
    /// What it rests that on; nothing of held-out cases. The texts of a report hold the evidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
}

/// Something that should have a verdict and has none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Open {
    /// The case.
    pub case: CaseId,
    /// The run; absent where it is the whole case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<StepId>,
    /// The grader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grader: Option<GraderName>,
    /// The rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleId>,
    /// The claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Untrusted>,
    /// What was to be evaluated, where a grader was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluates: Option<Evaluates>,
    /// Unproven, unresolved or missing.
    pub standing: Standing,
    /// Why.
    pub why: Why,
}

/// One decided rule of one step, for weighing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decided {
    /// The case.
    pub case: CaseId,
    /// The grader.
    pub grader: GraderName,
    /// The rule.
    pub rule: RuleId,
    /// Passed or failed.
    pub passed: bool,
}

/// Everything that checks come to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Combined {
    /// The cases, in the inventory's order.
    pub cases: Vec<CaseResult>,
    /// Rules that failed and decide.
    pub blocking: Vec<Failed>,
    /// Rules that failed and block nothing: of graders without gating authority, optional ones, and those of cases
    /// that only describe the system.
    pub advisory: Vec<Failed>,
    /// What has no verdict and should have one.
    pub open: Vec<Open>,
    /// The rules that were decided by graders that may.
    pub decided: Vec<Decided>,
    /// Of each grader, how many steps it decides something about, in cases that can block.
    pub decisions: BTreeMap<GraderName, u64>,
}

/// What is combined.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// What was selected.
    pub inventory: &'a Inventory,
    /// The run records.
    pub runs: &'a [SutRun],
    /// The graders, with their authority now.
    pub graders: &'a [GateGrader],
    /// What the graders said.
    pub judgements: &'a [Judgement],
}

/// Combines what graders said of the runs that were selected.
#[must_use]
pub fn combine(evidence: Evidence<'_>) -> Combined {
    let asking = Asking::new(evidence);
    let mut combined = Combined::default();
    for selected in &evidence.inventory.cases {
        let case = of_case(&asking, selected, &mut combined);
        combined.cases.push(case);
    }
    combined.blocking.sort();
    combined.advisory.sort();
    combined.open.sort();
    combined.open.dedup();
    combined.decided.sort();
    combined
}

fn of_case(asking: &Asking<'_>, selected: &Selected, into: &mut Combined) -> CaseResult {
    let none = !selected.runs.iter().any(|run| asking.run(run).is_some());
    if none {
        into.open.push(Open::of(selected, None, None, (Standing::Missing, Why::CaseMissing)));
    }
    let runs: Vec<_> = selected
        .runs
        .iter()
        .map(|id| match asking.run(id) {
            Some(run) => of_run(asking, selected, run, into),
            None => {
                if !none {
                    let open = (Standing::Missing, Why::RunMissing);
                    into.open.push(Open::of(selected, Some(id), None, open));
                }
                RunResult::missing(id)
            }
        })
        .collect();
    let standing = Standing::worst(runs.iter().map(|run| run.standing));
    let standing = standing.unwrap_or(Standing::Missing);
    CaseResult {
        case: selected.case.clone(),
        purpose: selected.purpose,
        verdict: standing.truth(),
        standing,
        status: Status::of_all(runs.iter().map(|run| run.status)),
        approved: None,
        runs,
    }
}

fn of_run(
    asking: &Asking<'_>,
    selected: &Selected,
    run: &SutRun,
    into: &mut Combined,
) -> RunResult {
    let mut against = Vec::new();
    for why in asking.against(selected, run) {
        let open = (Standing::Missing, why);
        into.open.push(Open::of(selected, Some(&run.id), None, open));
        against.push(Standing::Missing);
    }
    let own = run.steps_by_id();
    let whole = selected.steps.iter().all(|id| own.contains_key(id));
    let steps: Vec<_> = selected
        .steps
        .iter()
        .map(|id| StepResult {
            step: id.clone(),
            standing: match own.get(id).copied() {
                Some(step) => of_step(asking, selected, Place { run, step, whole }, into),
                None => {
                    let open = (Standing::Missing, Why::StepMissing);
                    into.open.push(Open::of(selected, Some(&run.id), Some(id), open));
                    Standing::Missing
                }
            },
        })
        .collect();
    let standing = Standing::worst(steps.iter().map(|step| step.standing).chain(against));
    let standing = standing.unwrap_or(Standing::Missing);
    RunResult {
        run: run.id.clone(),
        record: Some(run.original()),
        version: Some(run.ran.version()),
        standing,
        status: Status::of(standing, true),
        steps,
        cost: run.cost(),
        latency_ms: run.latency_ms(),
    }
}

fn of_step(
    asking: &Asking<'_>,
    selected: &Selected,
    at: Place<'_>,
    into: &mut Combined,
) -> Standing {
    let Place { run, step, .. } = at;
    let mut decides = Vec::new();
    let open = |standing| Open::of(selected, Some(&run.id), Some(&step.id), standing);
    let checks: Vec<&Check> =
        asking.inventory.checks_of(selected).filter(|check| check.covers(&step.id)).collect();
    for (grader, asked) in asking.on_step(&checks, at) {
        let Asked { grader: by, said, missing } = asked;
        for (rule, why) in missing {
            let grader = Some(grader.clone());
            into.open.push(Open { grader, rule, ..open((Standing::Missing, why)) });
            decides.push(Standing::Missing);
        }
        let Some(by) = by else { continue };
        let before = decides.len();
        for said in said {
            if by.may_block() && said.decides() {
                decides.push(said.standing);
                take(&said, by, selected, &open, into);
            } else if said.standing == Standing::Failed {
                into.advisory.push(failed(&said, by, selected, (&run.id, &step.id)));
            }
        }
        if decides.len() > before && selected.purpose.blocks() {
            *into.decisions.entry(grader).or_default() += 1;
        }
    }
    Standing::worst(decides).unwrap_or_else(|| {
        let why = if checks.is_empty() { Why::NoCheck } else { Why::NoGatingGrader };
        into.open.push(open((Standing::Unproven, why)));
        Standing::Unproven
    })
}

/// Files a verdict that decides.
fn take(
    said: &Said,
    by: &GateGrader,
    selected: &Selected,
    open: &impl Fn((Standing, Why)) -> Open,
    into: &mut Combined,
) {
    let unsettled = open((said.standing, said.why));
    match said.standing {
        Standing::NotApplicable => {}
        Standing::Passed | Standing::Failed => {
            let (passed, blocks) = (said.standing == Standing::Passed, selected.purpose.blocks());
            if blocks {
                into.decided.push(Decided {
                    case: selected.case.clone(),
                    grader: by.name().clone(),
                    rule: said.rule.clone(),
                    passed,
                });
            }
            if let (false, Some(run), Some(step)) = (passed, &unsettled.run, &unsettled.step) {
                let list = if blocks { &mut into.blocking } else { &mut into.advisory };
                list.push(failed(said, by, selected, (run, step)));
            }
        }
        Standing::Unresolved | Standing::Unproven | Standing::Missing => into.open.push(Open {
            grader: Some(by.name().clone()),
            rule: Some(said.rule.clone()),
            claim: said.claim.clone(),
            evaluates: Some(said.evaluates),
            ..unsettled
        }),
    }
}

fn failed(
    said: &Said,
    by: &GateGrader,
    selected: &Selected,
    (run, step): (&RunId, &StepId),
) -> Failed {
    let told = selected.purpose != Purpose::HeldOut;
    Failed {
        case: selected.case.clone(),
        run: run.clone(),
        step: step.clone(),
        grader: by.name().clone(),
        kind: by.kind,
        authority: by.tier,
        rule: said.rule.clone(),
        tier: said.tier,
        claim: said.claim.clone(),
        evaluates: said.evaluates,
        serious: said.serious,
        pending_person: false,
        rationale: if told { said.rationale.clone() } else { Untrusted::default() },
        citations: if told { said.citations.clone() } else { Vec::new() },
    }
}

impl Open {
    fn of(
        selected: &Selected,
        run: Option<&RunId>,
        step: Option<&StepId>,
        (standing, why): (Standing, Why),
    ) -> Self {
        Self {
            case: selected.case.clone(),
            run: run.cloned(),
            step: step.cloned(),
            grader: None,
            rule: None,
            claim: None,
            evaluates: None,
            standing,
            why,
        }
    }
}

impl RunResult {
    fn missing(run: &RunId) -> Self {
        Self {
            run: run.clone(),
            record: None,
            version: None,
            standing: Standing::Missing,
            status: Status::Planned,
            steps: Vec::new(),
            cost: None,
            latency_ms: None,
        }
    }
}
