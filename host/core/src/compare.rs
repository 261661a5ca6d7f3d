//! Two records compared: paired by case, never by run.
//!
//! What is counted for people is the case (27 of 30 right in A, 19 of 30 in B); what decides is the family,
//! since cases that share a source are one piece of evidence. In each record a family is *right* (every
//! trial of it is), *wrong* (some shown case of it is wrong in every repeat) or *unsettled* (it moved
//! between repeats of the same thing, or only faults of the machine's are there). Both records are read to
//! the same number of repeats, or the one with more of them would look worse for having been asked more often.
//!
//! A difference is established only if all three hold:
//! 1. McNemar's exact test on the families settled in both records: p at most alpha;
//! 2. Newcombe's interval of the paired difference over the same families, at 1 - alpha, without 0;
//! 3. beyond noise: more families changed sides, net, than are unsettled in either record. The direction
//!    would stand even if every family that moves by itself spoke for the other side.
//!
//! Under the assumption that nothing changed, A and B are exchangeable, so leaving out the unsettled
//! families favours neither. Alpha is 5 % for all cases together and 5 % shared by the kinds; either test
//! is two-sided, so that the chance of an established loss where there is none is at most 5 % in all.

mod changed;
mod judge;
mod pairs;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use changed::{Changed, Move, RuleChange, Said};
pub(crate) use judge::{b_less_a, count, established};
pub use pairs::{ChangedControl, CompareError};

use crate::control::set::Kind;
use crate::id::{ControlId, Digest, FamilyId, GraderName, RubricId};
use crate::run::event::RunStarted;
use crate::run::fold::Run;
use crate::stats::difference::Difference;
use crate::untrusted::Untrusted;
use crate::verdict::GraderKind;

/// The version of this format.
pub const FORMAT: u32 = 1;

/// The confidence of the comparison over all cases, and of those of the kinds together.
pub const CONFIDENCE: f64 = 0.95;

/// A run and the digest of its record.
#[derive(Debug, Clone, Copy)]
pub struct Recorded<'a> {
    /// The run.
    pub run: &'a Run,
    /// The digest of its record.
    pub record: Digest,
}

/// Two runs, paired by case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// The format, [`FORMAT`].
    pub format: u32,
    /// The rubric of both.
    pub rubric: RubricId,
    /// The first record.
    pub a: Side,
    /// The second record.
    pub b: Side,
    /// What else than the grader differs between them.
    pub differs: Vec<Differs>,
    /// Cases that are compared.
    pub cases: u64,
    /// Cases that B has and A has not: in no count.
    pub added: Vec<ControlId>,
    /// Cases with no verdict to be right by (labels that people did not settle, optional rules): in no count.
    pub left_out: Vec<ControlId>,
    /// Repeats of each shown case that are compared, the fewer of the two.
    pub repeats: u32,
    /// What came of it: worse where all cases or any kind is established to be worse.
    pub standing: Standing,
    /// All cases together.
    pub overall: Line,
    /// Each kind of control.
    pub kinds: Vec<KindLine>,
    /// Every case that got another verdict from some rule.
    pub changed: Vec<Changed>,
}

/// One of the two records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// The grader's name.
    pub grader: GraderName,
    /// Its version, in its author's words.
    pub version: Untrusted,
    /// The digest of the component.
    pub digest: Digest,
    /// Code or judge.
    pub kind: GraderKind,
    /// The digest of the record.
    pub record: Digest,
    /// Controls that were run.
    pub controls: u64,
    /// Trials of each shown case.
    pub repeats: u32,
}

/// Something beside the grader that the two records do not share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Differs {
    /// What it is.
    pub what: String,
    /// What it is in A.
    pub a: String,
    /// What it is in B.
    pub b: String,
}

/// What is known of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// B is established to be worse.
    Worse,
    /// B is established to be better.
    Better,
    /// No difference is established. That is not to say that there is none.
    NotEstablished,
    /// Nothing could have established one.
    NotEvaluated,
}

impl Standing {
    /// In words, of B.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Worse => "worse: established",
            Self::Better => "better: established",
            Self::NotEstablished => "not established",
            Self::NotEvaluated => "not evaluated",
        }
    }
}

/// Pairs, by where they are right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Pairs {
    /// Right in A and in B.
    pub both: u64,
    /// Right in A alone.
    pub only_a: u64,
    /// Right in B alone.
    pub only_b: u64,
    /// Right in neither.
    pub neither: u64,
}

impl Pairs {
    /// All pairs.
    #[must_use]
    pub fn of(self) -> u64 {
        self.both + self.only_a + self.only_b + self.neither
    }
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// Cases right in A.
    pub right_in_a: u64,
    /// Cases right in B.
    pub right_in_b: u64,
    /// Cases, by where every trial of them is right.
    pub cases: Pairs,
    /// Cases right in A alone.
    pub lost: Vec<ControlId>,
    /// Cases right in B alone.
    pub gained: Vec<ControlId>,
    /// Families settled in both records: what decides.
    pub families: Pairs,
    /// Families that moved between repeats of the same thing, in A or in B.
    pub unsettled: Vec<FamilyId>,
    /// Two-sided p of McNemar's exact test over the settled families; absent where none changed sides.
    pub mcnemar_p: Option<f64>,
    /// The share of settled families right in B less that in A, with Newcombe's interval; absent where none
    /// is settled.
    pub difference: Option<Difference>,
    /// The confidence of the interval; p must be at most 1 less this.
    pub confidence: f64,
    /// What is known.
    pub standing: Standing,
    /// Why, in words.
    pub why: String,
}

/// The comparison of one kind of control.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KindLine {
    /// The kind.
    pub kind: Kind,
    /// Its comparison.
    pub line: Line,
}

/// Compares two runs of graders for one rubric, case by case.
///
/// # Errors
/// When they are of two rubrics, when B lacks a case of A, or when a case is another one under the same id.
pub fn compare(a: Recorded<'_>, b: Recorded<'_>) -> Result<Comparison, CompareError> {
    let paired = pairs::pair(a.run, b.run)?;
    let overall = judge::line(&paired, None, CONFIDENCE);
    let kinds = judge::kinds(&paired);
    let worse = |line: &Line| line.standing == Standing::Worse;
    let any_worse = worse(&overall) || kinds.iter().any(|of_kind| worse(&of_kind.line));
    Ok(Comparison {
        format: FORMAT,
        rubric: a.run.started.grader.manifest.rubric.clone(),
        a: side(a),
        b: side(b),
        differs: differs(&a, &b),
        cases: paired.cases.len() as u64,
        changed: changed::changed(&paired),
        added: paired.added,
        left_out: paired.left_out,
        repeats: paired.repeats,
        standing: if any_worse { Standing::Worse } else { overall.standing },
        overall,
        kinds,
    })
}

fn side(of: Recorded<'_>) -> Side {
    let started = &of.run.started;
    Side {
        grader: started.grader.manifest.name.clone(),
        version: started.grader.manifest.version.clone(),
        digest: started.grader.digest,
        kind: started.kind(),
        record: of.record,
        controls: started.controls.len() as u64,
        repeats: started.repeats,
    }
}

fn differs(a: &Recorded<'_>, b: &Recorded<'_>) -> Vec<Differs> {
    let (a, b) = (&a.run.started, &b.run.started);
    let short = |digest: Digest| digest.short();
    let all = [
        (
            "control set",
            format!("{} {}", a.set.id, a.set.version),
            format!("{} {}", b.set.id, b.set.version),
        ),
        ("controls", short(a.digests.controls), short(b.digests.controls)),
        ("policy", short(a.digests.policy), short(b.digests.policy)),
        ("contract", short(a.digests.contract), short(b.digests.contract)),
        ("engine", short(a.digests.semantics), short(b.digests.semantics)),
        ("controls that were run", chosen(a), chosen(b)),
        ("seed", a.seed.to_string(), b.seed.to_string()),
        ("repeats", a.repeats.to_string(), b.repeats.to_string()),
    ];
    all.into_iter()
        .filter(|(_, a, b)| a != b)
        .map(|(what, a, b)| Differs { what: what.to_owned(), a, b })
        .collect()
}

/// Whether all controls were run, or how many of them.
fn chosen(started: &RunStarted) -> String {
    let run = started.controls.len();
    started.only.as_ref().map_or_else(|| "all".to_owned(), |only| format!("{run} of {}", only.of))
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
