//! The grade of the evidence behind a verdict. Nobody can mint their own grade.
//!
//! - Only judges that were declared before the run count. A declared judge that never ran grades the evidence
//!   `unverified`; nothing else in it makes up for that.
//! - An edit after the last check resets the grade: what was checked is not what is there.
//! - A judge of the same chain of authorship as what it judges counts for a `constructed_check` at most; a proof that a
//!   kernel checked is exempt, and counted.
//! - A sibling that ran at the same tier and failed demotes the grade by one tier.
//! - Several judges fold by the maximum; ties are counted. Evidence that was declared and failed is a flag of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::ledger::Moment;

/// How strong evidence is, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// A value that this version does not know: below all.
    Unknown,
    /// Nobody who was declared has looked.
    Unverified,
    /// Somebody has read it.
    ReviewOnly,
    /// A check that was made for it passes.
    ConstructedCheck,
    /// Another implementation agrees.
    Interop,
    /// It gives an answer that was known beforehand.
    KnownAnswer,
    /// It is proved.
    Proof,
}

impl<'de> Deserialize<'de> for Grade {
    /// A value that is not known is not an error: it ranks below all.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let known = Self::KNOWN.into_iter().find(|grade| grade.name() == name);
        Ok(known.unwrap_or(Self::Unknown))
    }
}

impl Grade {
    /// Every grade that can be earned, the weakest first.
    pub const KNOWN: [Self; 6] = [
        Self::Unverified,
        Self::ReviewOnly,
        Self::ConstructedCheck,
        Self::Interop,
        Self::KnownAnswer,
        Self::Proof,
    ];

    /// The name used in files and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Unverified => "unverified",
            Self::ReviewOnly => "review_only",
            Self::ConstructedCheck => "constructed_check",
            Self::Interop => "interop",
            Self::KnownAnswer => "known_answer",
            Self::Proof => "proof",
        }
    }

    /// One tier lower; what is unverified stays so.
    fn demoted(self) -> Self {
        let below = Self::KNOWN.into_iter().rev().find(|grade| *grade < self);
        below.unwrap_or(self)
    }
}

/// One judge of a piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Judge {
    /// Its name.
    pub name: String,
    /// How strong its word is.
    pub grade: Grade,
    /// When it was declared; absent where it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_at: Option<Moment>,
    /// When it ran; absent where it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ran_at: Option<Moment>,
    /// Whether what it judged passed; absent where it said nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
    /// Whether it comes from the chain that wrote what it judges.
    #[serde(default)]
    pub same_chain: bool,
    /// Whether a proof kernel is what checked it.
    #[serde(default)]
    pub kernel: bool,
}

/// The grade of some evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Graded {
    /// The grade.
    pub grade: Grade,
    /// Judges that earn it alike.
    pub ties: u64,
    /// Proofs of the same chain that were not capped, since a kernel checked them.
    pub exempt: u64,
    /// Whether a declared judge ran and failed: a flag on every surface.
    pub failed_declared_evidence: bool,
}

/// The grade of evidence whose run began then, by its judges, and when it was last edited.
#[must_use]
pub fn grade(judges: &[Judge], began: Moment, edited: Option<Moment>) -> Graded {
    let declared: Vec<&Judge> =
        judges.iter().filter(|judge| judge.declared_at.is_some_and(|at| at <= began)).collect();
    let failed = declared.iter().any(|judge| ran(judge) && judge.passed == Some(false));
    let exempt = declared.iter().filter(|judge| counts(judge) && is_exempt(judge)).count() as u64;
    let none =
        Graded { grade: Grade::Unverified, ties: 0, exempt: 0, failed_declared_evidence: failed };
    let last = declared.iter().filter_map(|judge| judge.ran_at).max();
    let is_reset = edited.is_some_and(|edited| last.is_none_or(|last| edited > last));
    if is_reset || declared.iter().any(|judge| !ran(judge)) {
        return none;
    }
    let earned: Vec<Grade> =
        declared.iter().filter(|judge| counts(judge)).map(|it| earned(it, &declared)).collect();
    match earned.iter().max() {
        None => none,
        Some(best) => Graded {
            grade: *best,
            ties: earned.iter().filter(|grade| *grade == best).count() as u64,
            exempt,
            ..none
        },
    }
}

/// A judge that ran and said nothing did not run.
fn ran(judge: &Judge) -> bool {
    judge.ran_at.is_some() && judge.passed.is_some()
}

fn counts(judge: &Judge) -> bool {
    ran(judge) && judge.passed == Some(true)
}

fn is_exempt(judge: &Judge) -> bool {
    judge.same_chain && judge.kernel && judge.grade == Grade::Proof
}

fn earned(judge: &Judge, all: &[&Judge]) -> Grade {
    let capped = judge.same_chain && !is_exempt(judge);
    let grade = if capped { judge.grade.min(Grade::ConstructedCheck) } else { judge.grade };
    let failed = |other: &&&Judge| other.grade == judge.grade && other.passed == Some(false);
    if all.iter().any(|other| failed(&other)) { grade.demoted() } else { grade }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u32) -> Moment {
        format!("2026-11-30T22:00:{second:02}Z").parse().expect("a moment")
    }

    fn judge(grade: Grade, passed: bool) -> Judge {
        Judge {
            name: "j".into(),
            grade,
            declared_at: Some(at(0)),
            ran_at: Some(at(20)),
            passed: Some(passed),
            same_chain: false,
            kernel: false,
        }
    }

    fn of(judges: &[Judge]) -> Graded {
        grade(judges, at(10), Some(at(15)))
    }

    #[test]
    fn grades_are_ordered_and_an_unknown_value_ranks_below_all() {
        assert!(Grade::KNOWN.is_sorted());
        let names = Grade::KNOWN.map(Grade::name).join(" < ");
        assert_eq!(
            names,
            "unverified < review_only < constructed_check < interop < known_answer < proof"
        );
        for known in Grade::KNOWN {
            let read: Grade = serde_json::from_str(&format!("\"{}\"", known.name())).expect("one");
            assert_eq!(read, known);
            assert!(Grade::Unknown < known);
        }
        let made_up: Grade = serde_json::from_str("\"super_proof\"").expect("is read");
        assert_eq!(made_up, Grade::Unknown);
    }

    #[test]
    fn ties_fold_by_max_and_are_counted() {
        let judges = [Grade::Interop, Grade::Proof, Grade::ReviewOnly, Grade::Proof];
        let graded = of(&judges.map(|grade| judge(grade, true)));
        assert_eq!((graded.grade, graded.ties), (Grade::Proof, 2));
        assert_eq!(of(&[]).grade, Grade::Unverified);
    }

    #[test]
    fn only_judges_that_were_declared_before_the_run_count() {
        let mut late = judge(Grade::Proof, true);
        late.declared_at = Some(at(11));
        let mut undeclared = judge(Grade::Proof, true);
        undeclared.declared_at = None;
        let graded = of(&[late, undeclared, judge(Grade::ReviewOnly, true)]);
        assert_eq!(graded.grade, Grade::ReviewOnly);
    }

    #[test]
    fn a_declared_judge_that_never_ran_grades_unverified() {
        let mut absent = judge(Grade::ReviewOnly, true);
        absent.ran_at = None;
        assert_eq!(of(&[absent, judge(Grade::Proof, true)]).grade, Grade::Unverified);
        let mut silent = judge(Grade::ReviewOnly, true);
        silent.passed = None;
        assert_eq!(of(&[silent, judge(Grade::Proof, true)]).grade, Grade::Unverified);
    }

    #[test]
    fn edits_after_the_last_check_reset_it() {
        let judges = [judge(Grade::Proof, true)];
        assert_eq!(grade(&judges, at(10), None).grade, Grade::Proof);
        assert_eq!(grade(&judges, at(10), Some(at(20))).grade, Grade::Proof);
        assert_eq!(grade(&judges, at(10), Some(at(21))).grade, Grade::Unverified);
    }

    #[test]
    fn the_same_chain_caps_but_for_a_kernels_proof() {
        let own = |grade, kernel| Judge { same_chain: true, kernel, ..judge(grade, true) };
        let capped = of(&[own(Grade::KnownAnswer, false)]);
        assert_eq!((capped.grade, capped.exempt), (Grade::ConstructedCheck, 0));
        assert_eq!(of(&[own(Grade::Proof, false)]).grade, Grade::ConstructedCheck);
        assert_eq!(of(&[own(Grade::KnownAnswer, true)]).grade, Grade::ConstructedCheck);
        assert_eq!(
            of(&[own(Grade::ReviewOnly, false)]).grade,
            Grade::ReviewOnly,
            "caps, never lifts"
        );
        let exempt = of(&[own(Grade::Proof, true)]);
        assert_eq!((exempt.grade, exempt.exempt), (Grade::Proof, 1));
    }

    #[test]
    fn a_sibling_that_failed_at_the_same_tier_demotes_one_tier_and_is_a_flag() {
        let graded = of(&[judge(Grade::KnownAnswer, true), judge(Grade::KnownAnswer, false)]);
        assert_eq!((graded.grade, graded.failed_declared_evidence), (Grade::Interop, true));
        let other = of(&[judge(Grade::KnownAnswer, true), judge(Grade::Interop, false)]);
        assert_eq!((other.grade, other.failed_declared_evidence), (Grade::KnownAnswer, true));
        let lowest = of(&[judge(Grade::Unverified, true), judge(Grade::Unverified, false)]);
        assert_eq!(lowest.grade, Grade::Unverified);
    }
}
