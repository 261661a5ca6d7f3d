//! Grading in bulk: what is written of each case, and what all of it comes to.
//!
//! A file of verdicts is JSON Lines: an [`Opening`], one line a case in the order of the input ([`Judged`], or
//! [`Bad`] where the line was no case), and a [`Closing`].

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::findings::{Fault, Finding, Imposed, Outcome, Refusal, Violation};
use crate::id::{Digest, GraderName, RuleId};
use crate::manifest::{Manifest, Rule};
use crate::run::event::TrialFinished;
use crate::run::fold::{case_verdict, rule_verdicts};
use crate::untrusted::Untrusted;
use crate::verdict::{GraderKind, Verdict};

/// The version of the format of verdict lines.
pub const FORMAT: u32 = 1;

/// Any line of a file of verdicts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Line {
    /// The first.
    Opening(Opening),
    /// A case.
    Judged(Box<Judged>),
    /// A line that was no case.
    Bad(Bad),
    /// The last. A file without it is of a run that did not end.
    Closing(Closing),
}

/// The first line: what gave the verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// What gave the verdicts.
    pub grading: Header,
}

/// Everything that the verdicts rest on beside the cases. Two runs with one header give a case the same verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of this format.
    pub format: u32,
    /// The grader.
    pub grader: Named,
    /// The contract's digest.
    pub contract: Digest,
    /// The fingerprint of the sandbox and of the limits that decide.
    pub semantics: Digest,
    /// The seed of everything random that the grader sees.
    pub seed: u64,
    /// Whether lines hold the findings.
    pub findings: bool,
}

/// A grader by name and digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// Its name.
    pub name: GraderName,
    /// Its version, as it says.
    pub version: Untrusted,
    /// The digest of the component's bytes.
    pub digest: Digest,
    /// Derived from its imports.
    pub kind: GraderKind,
}

/// What came of one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// The line of the input, counted from 1.
    pub line: u64,
    /// The case's id, as the input has it; empty where it has none.
    pub case: Untrusted,
    /// The digest of what the case holds, without its id.
    pub content: Digest,
    /// What the rules come to.
    pub verdict: Verdict,
    /// Each rule's verdict.
    pub rules: BTreeMap<RuleId, Verdict>,
    /// What happened.
    pub outcome: Ended,
    /// Why the grader declined the case, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<Refusal>,
    /// How the grader failed to answer, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// What the grader returned, where findings are asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What the host set to `unproven`, where findings are asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imposed: Vec<Imposed>,
    /// What broke the contract and was not accepted, where findings are asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<Violation>,
    /// What the grader wrote to diagnostics, stdout and stderr, where findings are asked for.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub captured: Untrusted,
}

/// How a trial ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// The grader returned findings.
    Graded,
    /// The grader declined the case.
    Refused,
    /// The grader did not answer.
    Fault,
}

/// A line of the input that is no case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bad {
    /// The line of the input, counted from 1.
    pub line: u64,
    /// What is wrong with it, and the mend.
    pub error: String,
}

/// The last line: what all cases come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Closing {
    /// What all cases come to.
    pub finished: Totals,
}

/// What cases come to. Each is in one of the verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Cases that the grader was given.
    pub cases: u64,
    /// Those that pass or fail.
    pub judged: u64,
    /// How many came to each verdict.
    pub verdicts: BTreeMap<Verdict, u64>,
    /// Cases on which the grader did not answer; they are unproven.
    pub faults: u64,
    /// Cases that it declined; they are unproven.
    pub refused: u64,
    /// Lines that are no case.
    pub bad: u64,
}

impl Judged {
    /// What came of the case on this line, under the contract's rules; with the grader's words if `findings` says so.
    #[must_use]
    pub fn new(
        (line, case, content): (u64, Untrusted, Digest),
        rules: &[Rule],
        trial: TrialFinished,
        findings: bool,
    ) -> Self {
        let verdicts = rule_verdicts(rules, &trial);
        let verdict = case_verdict(rules, &verdicts);
        let rules = rules.iter().map(|rule| rule.id.clone()).zip(verdicts).collect();
        let mut judged = Self {
            line,
            case,
            content,
            verdict,
            rules,
            outcome: Ended::Graded,
            refusal: None,
            fault: None,
            findings: Vec::new(),
            imposed: Vec::new(),
            violations: Vec::new(),
            captured: Untrusted::default(),
        };
        match trial.outcome {
            Outcome::Graded(said) if findings => judged.findings = said,
            Outcome::Graded(_) => {}
            Outcome::Refused(refusal) => {
                judged.outcome = Ended::Refused;
                judged.refusal = Some(refusal);
            }
            Outcome::Fault(fault) => {
                judged.outcome = Ended::Fault;
                judged.fault = Some(fault);
            }
        }
        if findings {
            judged.imposed = trial.imposed;
            judged.violations = trial.violations;
            judged.captured = trial.captured;
        }
        judged
    }
}

impl Header {
    /// The header of verdicts by this grader, under today's format.
    #[must_use]
    pub fn new(
        manifest: &Manifest,
        (digest, kind): (Digest, GraderKind),
        (contract, semantics): (Digest, Digest),
        seed: u64,
        findings: bool,
    ) -> Self {
        let (name, version) = (manifest.name.clone(), manifest.version.clone());
        let grader = Named { name, version, digest, kind };
        Self { format: FORMAT, grader, contract, semantics, seed, findings }
    }

    /// In what another header differs, in the words of its keys; empty where it does not.
    #[must_use]
    pub fn differs(&self, other: &Self) -> Vec<&'static str> {
        let table = [
            ("format", self.format != other.format),
            ("grader", self.grader != other.grader),
            ("contract", self.contract != other.contract),
            ("semantics", self.semantics != other.semantics),
            ("seed", self.seed != other.seed),
            ("findings", self.findings != other.findings),
        ];
        table.into_iter().filter(|(_, differs)| *differs).map(|(key, _)| key).collect()
    }
}

impl Default for Totals {
    fn default() -> Self {
        let verdicts = Verdict::ALL.into_iter().map(|verdict| (verdict, 0)).collect();
        Self { cases: 0, judged: 0, verdicts, faults: 0, refused: 0, bad: 0 }
    }
}

impl Totals {
    /// One more case.
    pub fn count(&mut self, verdict: Verdict, ended: Ended) {
        self.cases += 1;
        self.judged += u64::from(matches!(verdict, Verdict::Pass | Verdict::Fail));
        *self.verdicts.entry(verdict).or_default() += 1;
        match ended {
            Ended::Graded => {}
            Ended::Refused => self.refused += 1,
            Ended::Fault => self.faults += 1,
        }
    }

    /// Those of other cases as well.
    pub fn add(&mut self, other: &Self) {
        let Self { cases, judged, verdicts, faults, refused, bad } = other;
        self.cases += cases;
        self.judged += judged;
        for (verdict, count) in verdicts {
            *self.verdicts.entry(*verdict).or_default() += count;
        }
        self.faults += faults;
        self.refused += refused;
        self.bad += bad;
    }

    /// Whether there was something to judge, and every line of it passes or fails.
    #[must_use]
    pub fn is_all_judged(&self) -> bool {
        self.cases > 0 && self.judged == self.cases && self.bad == 0
    }
}

/// What must be read of a verdict that was given before, to know whether it stands.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Earlier<'a> {
    /// The line of the input.
    pub line: u64,
    #[serde(borrow)]
    case: Cow<'a, str>,
    content: Digest,
    /// The verdict.
    pub verdict: Verdict,
    /// How the trial ended.
    pub outcome: Ended,
    fault: Option<Fault>,
}

impl Earlier<'_> {
    /// Whether it is the verdict on this case. One that the machine stood in the way of is given again.
    #[must_use]
    pub fn stands(&self, line: u64, case: &str, content: Digest) -> bool {
        (self.line, self.case.as_ref(), self.content) == (line, case, content)
            && !self.fault.as_ref().is_some_and(|fault| fault.machine_dependent)
    }
}

#[cfg(test)]
#[path = "grading_tests.rs"]
mod tests;
