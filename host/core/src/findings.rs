//! What came of one trial, and what the host enforces on a grader's findings.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::id::RuleId;
use crate::manifest::{Manifest, is_object_or_empty};
use crate::untrusted::Untrusted;
use crate::verdict::{Scope, Verdict};

/// What the host saw happen in one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The grader returned findings.
    Graded(Vec<Finding>),
    /// The grader declined the case.
    Refused(Refusal),
    /// The grader did not answer.
    Fault(Fault),
}

/// One rule's verdict, on the output or on one claim, as the grader returned it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The rule, not yet known to be declared.
    pub rule: Untrusted,
    /// The claim, for an `each-claim` rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Untrusted>,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, for people.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub rationale: Untrusted,
    /// What the verdict rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<Citation>,
    /// The probability that the rule is broken, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// A JSON object as text, or empty.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub extra: Untrusted,
}

/// What a finding rests on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Citation {
    /// The id of one evidence of the case.
    pub evidence: Untrusted,
    /// Text that stands in that evidence, byte for byte.
    pub quote: Untrusted,
}

/// Why a grader declined a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// The kind.
    pub kind: RefusalKind,
    /// In the grader's words.
    pub message: Untrusted,
}

/// The kinds of refusal the contract knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalKind {
    /// Well made, but not of a kind this grader judges.
    UnsupportedCase,
    /// The case cannot be read.
    MalformedCase,
    /// A fault the grader noticed in itself.
    InternalError,
}

/// A grader that did not answer as the contract says. Data, never an error of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// In words: the limit that was met, the trap's name.
    pub detail: Untrusted,
    /// Whether another machine might not have seen it (native stack, wall clock, host memory). A run
    /// with such a fault cannot promote.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub machine_dependent: bool,
}

/// The kinds of fault.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// Unreachable, out of bounds, a panic, an exit, a stack that overflowed.
    Trap,
    /// The fuel, or the wall clock behind it, ran out.
    Deadline,
    /// More memory, tables or instances than allowed.
    Memory,
    /// The findings, or what they hold, were larger than allowed.
    OutputTooLarge,
    /// The answer was no value of the contract: invalid UTF-8, a case that no enum has.
    Malformed,
    /// A well-formed answer that breaks a rule of the contract.
    ContractViolation,
}

impl FaultKind {
    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Trap => "trap",
            Self::Deadline => "deadline",
            Self::Memory => "memory",
            Self::OutputTooLarge => "output-too-large",
            Self::Malformed => "malformed",
            Self::ContractViolation => "contract-violation",
        }
    }
}

/// A finding that broke a rule of the contract, and was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Violation {
    /// Which rule of the contract.
    pub kind: ViolationKind,
    /// The finding's rule, as the grader wrote it.
    pub rule: Untrusted,
    /// The offending text: a claim, an evidence id, a quote, a score.
    pub detail: Untrusted,
}

/// The rules of the contract that a well-formed finding can still break.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ViolationKind {
    /// A rule that the manifest does not declare.
    UndeclaredRule,
    /// A claim that the case does not hold, or a claim where the rule judges the output.
    UnknownClaim,
    /// Two findings for one rule and claim.
    TwoVerdicts,
    /// A citation of evidence that was not in the case.
    UnknownEvidence,
    /// A quote that does not stand in the evidence it names.
    QuoteNotFound,
    /// A score that is no number from 0 to 1.
    ScoreOutOfRange,
    /// An `extra` that is neither empty nor a JSON object.
    BadExtra,
}

impl ViolationKind {
    /// What it means, for people.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::UndeclaredRule => "a finding for a rule that the manifest does not declare",
            Self::UnknownClaim => "a finding for a claim that the case does not hold",
            Self::TwoVerdicts => "two findings for one rule and claim",
            Self::UnknownEvidence => "a citation of evidence that was not in the case",
            Self::QuoteNotFound => "a quote that does not stand in the evidence it names",
            Self::ScoreOutOfRange => "a score that is no number from 0 to 1",
            Self::BadExtra => "an `extra` that is neither empty nor a JSON object",
        }
    }
}

/// A rule (and claim) that the host itself set to `unproven`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Imposed {
    /// The rule.
    pub rule: RuleId,
    /// The claim, for an `each-claim` rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<Untrusted>,
    /// Why.
    pub because: Because,
}

/// Why the host set a rule to `unproven`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// The grader said nothing of it.
    Silence,
    /// The case lacks what the rule needs.
    NeedsAbsent,
    /// Its finding broke the contract.
    Violation,
    /// The grader declined the case.
    Refused,
    /// The grader did not answer.
    Fault,
}

/// An outcome after the host's rules were applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Enforced {
    /// The outcome, holding only findings that keep the contract.
    pub outcome: Outcome,
    /// What the host set to `unproven`. With the findings: one verdict for every rule (and claim).
    pub imposed: Vec<Imposed>,
    /// What was not accepted.
    pub violations: Vec<Violation>,
}

/// Applies the contract's rules to one outcome. Every declared rule (and claim of an `each-claim` rule)
/// ends with exactly one verdict; whatever the grader left open is `unproven`.
#[must_use]
pub fn enforce(manifest: &Manifest, case: &Case, outcome: Outcome) -> Enforced {
    let because = match &outcome {
        Outcome::Graded(_) => Because::Silence,
        Outcome::Refused(_) => Because::Refused,
        Outcome::Fault(_) => Because::Fault,
    };
    let findings: &[Finding] = match &outcome {
        Outcome::Graded(findings) => findings,
        Outcome::Refused(_) | Outcome::Fault(_) => &[],
    };
    let judged = judge(manifest, case, findings);
    let mut imposed = Vec::new();
    for rule in &manifest.rules {
        let absent = rule.needs.iter().any(|need| !case.has(need.raw()));
        let mut owe = |claim: Option<&str>| {
            let because = match judged.slots.get(&(rule.id.as_str(), claim)) {
                _ if absent => Because::NeedsAbsent,
                Some(Slot::Accepted) => return,
                Some(Slot::Spoilt) => Because::Violation,
                None => because,
            };
            let claim = claim.map(Untrusted::new);
            imposed.push(Imposed { rule: rule.id.clone(), claim, because });
        };
        match rule.scope {
            Scope::Output => owe(None),
            Scope::EachClaim => case.claims.iter().for_each(|claim| owe(Some(&claim.id))),
        }
    }
    let Judged { broken, .. } = judged;
    let outcome = standing(outcome, &broken, &imposed);
    Enforced { outcome, imposed, violations: broken.into_iter().flatten().collect() }
}

/// Whether a rule and claim have a verdict that stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    Accepted,
    Spoilt,
}

struct Judged<'a> {
    /// Each rule (and claim) that has a finding.
    slots: BTreeMap<(&'a str, Option<&'a str>), Slot>,
    /// Of each finding in order, how it broke the contract, if it did.
    broken: Vec<Option<Violation>>,
}

fn judge<'a>(manifest: &Manifest, case: &Case, findings: &'a [Finding]) -> Judged<'a> {
    let mut slots = BTreeMap::new();
    let mut broken = Vec::with_capacity(findings.len());
    for finding in findings {
        let claim = finding.claim.as_ref().map(Untrusted::raw);
        let key = (finding.rule.raw(), claim);
        let violation = if slots.contains_key(&key) {
            Some(violation(ViolationKind::TwoVerdicts, finding, claim.unwrap_or("")))
        } else {
            first_violation(manifest, case, finding)
        };
        slots.insert(key, if violation.is_none() { Slot::Accepted } else { Slot::Spoilt });
        broken.push(violation);
    }
    Judged { slots, broken }
}

/// The findings that broke nothing. One for a rule that was set to `unproven` does not stand beside it.
fn standing(outcome: Outcome, broken: &[Option<Violation>], imposed: &[Imposed]) -> Outcome {
    let Outcome::Graded(mut findings) = outcome else {
        return outcome;
    };
    let imposed: BTreeSet<_> =
        imposed.iter().map(|imposed| (imposed.rule.as_str(), imposed.claim.as_ref())).collect();
    let mut broken = broken.iter();
    findings.retain(|finding| {
        broken.next().is_some_and(Option::is_none)
            && !imposed.contains(&(finding.rule.raw(), finding.claim.as_ref()))
    });
    Outcome::Graded(findings)
}

fn violation(kind: ViolationKind, finding: &Finding, detail: impl Into<String>) -> Violation {
    Violation { kind, rule: finding.rule.clone(), detail: Untrusted::new(detail) }
}

fn first_violation(manifest: &Manifest, case: &Case, finding: &Finding) -> Option<Violation> {
    let Some(rule) = manifest.rule(finding.rule.raw()) else {
        return Some(violation(ViolationKind::UndeclaredRule, finding, ""));
    };
    let claim = finding.claim.as_ref().map(Untrusted::raw);
    let is_owed = match rule.scope {
        Scope::Output => claim.is_none(),
        Scope::EachClaim => case.claims.iter().any(|it| Some(it.id.as_str()) == claim),
    };
    if !is_owed {
        return Some(violation(ViolationKind::UnknownClaim, finding, claim.unwrap_or("(none)")));
    }
    if let Some(score) = finding.score.filter(|score| !(0.0..=1.0).contains(score)) {
        return Some(violation(ViolationKind::ScoreOutOfRange, finding, score.to_string()));
    }
    if !is_object_or_empty(finding.extra.raw()) {
        return Some(violation(ViolationKind::BadExtra, finding, finding.extra.raw()));
    }
    finding.citations.iter().find_map(|citation| {
        let id = citation.evidence.raw();
        let mut named = case.evidence.iter().filter(|evidence| evidence.id == id).peekable();
        if named.peek().is_none() {
            Some(violation(ViolationKind::UnknownEvidence, finding, id))
        } else if !named.any(|evidence| evidence.content.contains(citation.quote.raw())) {
            Some(violation(ViolationKind::QuoteNotFound, finding, citation.quote.raw()))
        } else {
            None
        }
    })
}

#[cfg(test)]
#[path = "findings_tests.rs"]
mod tests;
