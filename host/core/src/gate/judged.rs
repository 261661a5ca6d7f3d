//! What graders said of the steps, and with which authority: one verdict for each rule (and claim) that a check asks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::inventory::{Check, Serious};
use super::kind::{Evaluates, Place, settles};
use super::record::{Stated, Step};
use super::standing::Standing;
use crate::findings::{Citation, Enforced, Finding, Imposed, Outcome, Violation};
use crate::id::{Digest, GraderName, RuleId, RunId, StepId};
use crate::manifest::{Manifest, Rule};
use crate::stats::interval::Count;
use crate::untrusted::Untrusted;
use crate::verdict::{GraderKind, RuleTier, Scope, Tier};

/// A grader as the gate finds it.
#[derive(Debug, Clone, PartialEq)]
pub struct GateGrader {
    /// What it says of itself.
    pub manifest: Manifest,
    /// Its component.
    pub digest: Digest,
    /// Code or judge.
    pub kind: GraderKind,
    /// What it may do now.
    pub tier: Tier,
    /// What it was promoted to; above `tier` where it has lost it.
    pub promoted_to: Option<Tier>,
    /// Why it holds no more than it does.
    pub reasons: Vec<String>,
    /// Who signed as the author of the component, and whom they named: its chain of authorship. None where nobody did.
    pub chain: Vec<String>,
    /// Outputs that should fail, of which it failed so many, as measured on other outputs than these.
    pub catch: Option<Count>,
    /// Outputs that should pass, of which it passed so many, likewise.
    pub pass: Option<Count>,
    /// The persons who wrote it or its controls, as far as the ledger tells.
    pub authors: Vec<String>,
}

impl GateGrader {
    /// Whether its word decides.
    #[must_use]
    pub fn may_block(&self) -> bool {
        self.tier == Tier::Gating
    }

    /// Whether it could block once, and can no more.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.promoted_to.is_some_and(|tier| tier > self.tier)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &GraderName {
        &self.manifest.name
    }
}

/// What came of one grader on one step, after the host's rules were applied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// The grader.
    pub grader: GraderName,
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: StepId,
    /// The repeat, from 0. Of several the worst counts.
    #[serde(default)]
    pub repeat: u32,
    /// What happened.
    pub outcome: Outcome,
    /// What the host set to `unproven`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imposed: Vec<Imposed>,
    /// What broke the contract and was not accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
}

impl Judgement {
    /// The judgement of a grader on a step.
    #[must_use]
    pub fn new(grader: GraderName, (run, step): (RunId, StepId), enforced: Enforced) -> Self {
        let Enforced { outcome, imposed, violations } = enforced;
        Self { grader, run, step, repeat: 0, outcome, imposed, violations }
    }

    fn findings(&self) -> &[Finding] {
        match &self.outcome {
            Outcome::Graded(findings) => findings,
            Outcome::Refused(_) | Outcome::Fault(_) => &[],
        }
    }
}

/// Why something has no verdict.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The grader said so.
    Said,
    /// The grader said nothing of it, declined, or did not answer; or the step lacks what the rule needs.
    Imposed,
    /// The record does not tell of it: no answer, or no list of claims.
    NotObserved,
    /// No check of the inventory is on the step.
    NoCheck,
    /// No grader that checks it has gating authority, or none of its rules decides.
    NoGatingGrader,
    /// The case was selected, and none of its runs is there.
    CaseMissing,
    /// The run was selected and is not there.
    RunMissing,
    /// The run is there, and is of another case or purpose than the inventory says.
    RunMismatch,
    /// The run lacks a step that was selected.
    StepMissing,
    /// The inventory names a grader that is not there.
    GraderMissing,
    /// The inventory, or the record, asks a rule that the grader does not declare.
    RuleMissing,
    /// The grader was not run on the step.
    CheckMissing,
    /// The run's record expects a check that the inventory does not name.
    NotInInventory,
    /// A workflow requirement, and the run has not ended or lacks a step that was selected.
    NotEnded,
    /// Operational performance, and the record did not measure cost and latency of the step.
    NotMeasured,
    /// A forecast or an explanation: a dated entry settles it later.
    SettledLater,
}

impl Why {
    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Said => "the grader says so",
            Self::Imposed => "the grader gave no verdict, or the step lacks what the rule needs",
            Self::NotObserved => "the record does not tell of it",
            Self::NoCheck => "no check of the inventory is on this step",
            Self::NoGatingGrader => "no grader that checks it has gating authority",
            Self::CaseMissing => "the case was selected, and none of its runs is there",
            Self::RunMissing => "the run was selected and is not there",
            Self::RunMismatch => "the run is of another case or purpose than the inventory says",
            Self::StepMissing => "the run lacks a step that was selected",
            Self::GraderMissing => "the inventory names a grader that is not there",
            Self::RuleMissing => "a rule is asked that the grader does not declare",
            Self::CheckMissing => "the grader was not run on this step",
            Self::NotInInventory => {
                "the run's record expects a check that the inventory does not name"
            }
            Self::NotEnded => {
                "a workflow requirement settles when the run has ended with every step that was selected"
            }
            Self::NotMeasured => {
                "operational performance settles where the record measured cost and latency"
            }
            Self::SettledLater => "a dated entry settles it later, beside the gate",
        }
    }
}

/// The verdict of one rule (and claim) on one step.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Said {
    /// The rule.
    pub rule: RuleId,
    /// How much it weighs.
    pub tier: RuleTier,
    /// The claim, for an `each-claim` rule.
    pub claim: Option<Untrusted>,
    /// What was evaluated.
    pub evaluates: Evaluates,
    /// The verdict: the worst of the repeats.
    pub standing: Standing,
    /// Why there is none, where there is none.
    pub why: Why,
    /// What a failure of it is, where that is serious.
    pub serious: Option<Serious>,
    /// What the grader said.
    pub rationale: Untrusted,
    /// What it rests that on.
    pub citations: Vec<Citation>,
}

impl Said {
    /// Whether it decides the step, where the grader may.
    #[must_use]
    pub fn decides(&self) -> bool {
        self.tier.decides() || self.serious.is_some()
    }
}

/// The verdicts of the rules that a check asks of a grader on a step. Without any judgement they are unproven.
#[must_use]
pub fn verdicts(manifest: &Manifest, at: Place<'_>, check: &Check, by: &[&Judgement]) -> Vec<Said> {
    let asked = manifest.rules.iter().filter(|rule| check.asks(&rule.id));
    asked.flat_map(|rule| of_rule(rule, at, check, by)).collect()
}

fn of_rule(rule: &Rule, at: Place<'_>, check: &Check, by: &[&Judgement]) -> Vec<Said> {
    let step = at.step;
    let said = |claim: Option<&Stated>| {
        let of_tier = Serious::of_tier(rule.tier);
        let of_claim = claim.filter(|claim| claim.important && rule.tier.decides());
        let Word { standing, why, rationale, citations } = worst(rule, step, claim, by);
        let evaluates = check.evaluates.unwrap_or_else(|| Evaluates::of_claim(claim));
        let meanwhile = settles(evaluates, at).err().filter(|_| standing.is_verdicted());
        let (standing, why) = meanwhile.unwrap_or((standing, why));
        Said {
            rule: rule.id.clone(),
            tier: rule.tier,
            claim: claim.map(|claim| Untrusted::new(&claim.id)),
            evaluates,
            standing,
            why,
            serious: check.serious.or(of_tier).or(of_claim.map(|_| Serious::ImportantClaim)),
            rationale,
            citations,
        }
    };
    match (rule.scope, &step.claims) {
        (Scope::Output, _) => vec![said(None)],
        // Nobody split the answer into claims: what would have been found is not known.
        (Scope::EachClaim, None) => {
            vec![Said { standing: Standing::Unproven, why: Why::NotObserved, ..said(None) }]
        }
        (Scope::EachClaim, Some(claims)) if claims.is_empty() => {
            vec![Said { standing: Standing::NotApplicable, why: Why::Said, ..said(None) }]
        }
        (Scope::EachClaim, Some(claims)) => claims.iter().map(|it| said(Some(it))).collect(),
    }
}

/// What one judgement says of a rule and claim, the best first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Word {
    standing: Standing,
    why: Why,
    rationale: Untrusted,
    citations: Vec<Citation>,
}

impl Word {
    fn unproven(why: Why) -> Self {
        let (rationale, citations) = (Untrusted::default(), Vec::new());
        Self { standing: Standing::Unproven, why, rationale, citations }
    }

    fn of(finding: &Finding) -> Self {
        Self {
            standing: Standing::from(finding.verdict),
            why: Why::Said,
            rationale: finding.rationale.clone(),
            citations: finding.citations.clone(),
        }
    }
}

/// The worst that was said of a rule and claim, over all repeats.
fn worst(rule: &Rule, step: &Step, claim: Option<&Stated>, by: &[&Judgement]) -> Word {
    let claim = claim.map(|claim| claim.id.as_str());
    if step.answer.is_none() {
        return Word::unproven(Why::NotObserved);
    }
    let of_one = |judgement: &&Judgement| {
        let is = |name: &str, on: Option<&Untrusted>| {
            name == rule.id.as_str() && on.map(Untrusted::raw) == claim
        };
        let imposed = judgement.imposed.iter().any(|it| is(it.rule.as_str(), it.claim.as_ref()));
        let found = judgement.findings().iter().filter(|it| is(it.rule.raw(), it.claim.as_ref()));
        let imposed = imposed.then(|| Word::unproven(Why::Imposed));
        found.map(Word::of).chain(imposed).max()
    };
    let worst = by.iter().map(|it| of_one(it).unwrap_or(Word::unproven(Why::Imposed))).max();
    worst.unwrap_or(Word::unproven(Why::Imposed))
}
