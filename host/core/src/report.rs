//! The promotion report: one model that every rendering reads. No renderer computes a number.

mod confusion;
mod held_out;
mod misses;
mod tables;
mod unproven;

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assess::Assessment;
use crate::contamination::Contamination;
use crate::control::select::Only;
use crate::control::set::Kind;
use crate::control::transform::Transform;
use crate::decision::{Decision, Judged, RateFigure, decide, decide_parts, held_out_results};
use crate::findings::{FaultKind, ViolationKind};
use crate::id::{ControlId, Digest, FamilyId, GraderName, RubricId, RuleId};
use crate::policy::Bars;
use crate::run::event::CaseTexts;
use crate::run::fold::Run;
use crate::run::part;
use crate::stats::trials::Repeats;
use crate::untrusted::Untrusted;
use crate::verdict::{GraderKind, RuleTier, Tier, Verdict};

pub use confusion::ConfusionLine;
pub use held_out::{HeldOutLine, HeldOutShown};
pub use unproven::Unproven;

/// The version of the report format.
pub const FORMAT: u32 = 1;

/// What every report says of its own reach.
pub const REACH: &str = "This report proves performance on cases like these controls. It does not prove performance in use.";

/// What a report says of use where nothing measured it.
const IN_USE_ABSENT: &str = "the policy states an [in_use], and no real outputs were run: give a probability sample of labelled ones (--real-output FILE, its first line declaring the sample)";

/// What a run proved, against a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The report format, [`FORMAT`].
    pub format: u32,
    /// For whom it is.
    pub audience: Audience,
    /// What was run.
    pub grader: GraderLine,
    /// Everything the evidence rests on.
    pub digests: Digests,
    /// The control set.
    pub set: SetLine,
    /// How it was run.
    pub run: RunLine,
    /// Failures found in use that are open: regression controls judged wrong. They come first.
    pub failures: Vec<Miss>,
    /// How some controls were chosen; absent where all of them were run. Such a report promotes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Only>,
    /// What it earned.
    pub decision: Decision,
    /// Counts by kind of control.
    pub kinds: Vec<KindLine>,
    /// Counts by rule.
    pub rules: Vec<RuleLine>,
    /// Adversarial families by tactic.
    pub tactics: Vec<TacticLine>,
    /// Families by what sort of case they are, where controls say so.
    pub segments: Vec<SegmentLine>,
    /// Rules, tactics and segments with too little evidence of their own.
    pub unproven: Vec<Unproven>,
    /// Near-miss pairs.
    pub pairs: Vec<PairLine>,
    /// Controls held out from the author, where any were run.
    pub held_out: Option<HeldOutLine>,
    /// Which texts of the open controls stand in the component's bytes; absent in a record without a scan.
    pub contamination: Option<Contamination>,
    /// Real outputs, where any were run.
    pub real_output: Option<RealOutputLine>,
    /// Why nothing is said of use, where the policy states it in `[in_use]` and no real outputs were run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_use_absent: Option<String>,
    /// What the baselines did on the same controls.
    pub baselines: Vec<BaselineLine>,
    /// Faults, refusals and broken rules of the contract.
    pub faults: Faults,
    /// Families whose repeats differ.
    pub noise: Noise,
    /// Verdicts that moved where the meaning did not.
    pub moved: Vec<Moved>,
    /// The same by transform, for those that the set declares and that changed a control at all.
    pub transforms: Vec<TransformLine>,
    /// What became of the controls, by kind and by the verdict they must get.
    pub confusion: Vec<ConfusionLine>,
    /// Controls that should fail (or be left open) and passed.
    pub false_passes: Vec<Miss>,
    /// Controls that should pass (or be left open) and failed.
    pub false_fails: Vec<Miss>,
    /// Controls that failed by another rule than the one that must catch them.
    pub wrong_rule: Vec<Miss>,
    /// Controls that got no verdict where one was due.
    pub undecided: Vec<Miss>,
    /// The texts of the controls above.
    pub texts: BTreeMap<ControlId, CaseTexts>,
    /// What the report does not prove.
    pub reach: String,
}

/// For whom a report is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Audience {
    /// Whoever decides on authority: everything.
    Platform,
    /// The grader's author: of held-out controls, whether they held.
    Author,
}

/// One segment's counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SegmentLine {
    /// What tells the segments apart.
    pub name: String,
    /// Which of them.
    pub value: String,
    /// Families that must fail, and did by the expected rule.
    pub catch: RateFigure,
    /// Families that must pass, and did.
    pub pass: RateFigure,
}

/// One transform that keeps the meaning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TransformLine {
    /// The transform.
    pub transform: Transform,
    /// Known-good and known-bad controls that were shown under it.
    pub shown: u64,
    /// Those whose verdicts moved.
    pub moved: u64,
    /// The exact one-sided upper bound on the share of families in which one moves.
    pub upper_bound: Option<f64>,
}

/// One near-miss pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PairLine {
    /// The pair.
    pub pair: ControlId,
    /// Its sides that were judged right in every trial.
    pub right: Vec<ControlId>,
    /// Its sides that were not.
    pub wrong: Vec<ControlId>,
}

/// The grader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GraderLine {
    /// Its name.
    pub name: GraderName,
    /// Its version, in its author's words.
    pub version: Untrusted,
    /// The digest of the component.
    pub digest: Digest,
    /// Code or judge.
    pub kind: GraderKind,
    /// The rubric it checks.
    pub rubric: RubricId,
    /// Who wrote it, as the component says.
    pub authors: Vec<Untrusted>,
}

/// Everything the evidence rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Digests {
    /// The open control set (and any real-output files), but for regression controls.
    pub controls: Digest,
    /// The regression controls, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regression: Option<Digest>,
    /// The controls held out from the author, where any were run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<Digest>,
    /// The policy.
    pub policy: Digest,
    /// The contract.
    pub contract: Digest,
    /// The engine's semantics.
    pub semantics: Digest,
    /// The run record.
    pub record: Digest,
}

/// The control set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SetLine {
    /// Its id.
    pub id: RubricId,
    /// Its version.
    pub version: String,
    /// Who wrote it, as it says.
    pub authors: Vec<String>,
    /// How many controls were run, real outputs included.
    pub controls: u64,
    /// How many of them are real outputs.
    #[serde(default)]
    pub real_outputs: u64,
    /// The rest: controls that somebody wrote.
    #[serde(default)]
    pub written: u64,
    /// How many families they make.
    pub families: u64,
}

/// How it was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunLine {
    /// The seed.
    pub seed: u64,
    /// Trials of each shown case.
    pub repeats: u32,
    /// Trials recorded.
    pub trials: u64,
    /// Trials planned.
    pub planned: u64,
    /// Known-good and known-bad controls shown under a transform as well, of all of them.
    pub transformed: crate::stats::interval::Count,
    /// Whether the record holds its end.
    pub complete: bool,
}

/// One kind's counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KindLine {
    /// The kind.
    pub kind: Kind,
    /// Its controls.
    pub controls: u64,
    /// Families right: the figure that decides.
    pub figure: RateFigure,
    /// Controls right at the first repeat as written.
    pub single: crate::stats::interval::Count,
}

/// One rule's counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleLine {
    /// The rule.
    pub rule: RuleId,
    /// How much it weighs.
    pub tier: RuleTier,
    /// Known-bad families that it must catch, and did.
    pub catch: RateFigure,
    /// Families that it must not fail, and did not; the known-bad of other rules among them.
    pub pass: RateFigure,
    /// Controls it failed and must not.
    pub stray_fails: Vec<ControlId>,
}

/// One tactic's counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TacticLine {
    /// The tactic.
    pub tactic: FamilyId,
    /// Families right.
    pub figure: RateFigure,
}

/// Real outputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RealOutputLine {
    /// Outputs that should fail: how many, and families of them caught.
    pub catch: RealSide,
    /// Outputs that should pass: how many, and families of them passed.
    pub pass: RealSide,
    /// Outputs whose annotators settled on nothing.
    pub unsettled: u64,
    /// Where the labels came from, as the files say, with the number of outputs.
    pub label_sources: Vec<(Untrusted, u64)>,
    /// How many outputs people labelled, as their file states, with at least one annotator each.
    pub labelled_by_people: u64,
    /// What they say of the grader: rates over outputs, agreement with people, scores, disagreements, use.
    pub assessment: Assessment,
}

/// One side of the real outputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RealSide {
    /// Outputs.
    pub outputs: u64,
    /// Outputs right at the first repeat.
    pub right: u64,
    /// Families right.
    pub figure: RateFigure,
}

/// What a baseline did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BaselineLine {
    /// Its name.
    pub name: String,
    /// Families right, by kind.
    pub kinds: BTreeMap<String, crate::stats::interval::Count>,
}

/// What went wrong beside verdicts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Faults {
    /// Trials that ended in a fault, by kind.
    pub by_kind: BTreeMap<String, u64>,
    /// Trials that the grader refused.
    pub refused: u64,
    /// Findings that broke the contract, by rule of the contract.
    pub violations: BTreeMap<String, u64>,
    /// The trials, up to 50 of them.
    pub first: Vec<FaultLine>,
}

/// One trial that went wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FaultLine {
    /// The control.
    pub id: ControlId,
    /// The repeat, from 0.
    pub repeat: u32,
    /// The fault, if it was one.
    pub fault: Option<FaultKind>,
    /// The contract's rule, if one was broken.
    pub violation: Option<ViolationKind>,
    /// In words.
    pub detail: Untrusted,
    /// What the grader had written before.
    pub captured: Untrusted,
}

/// Families whose repeats differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Noise {
    /// Families that were repeated.
    pub families: u64,
    /// Those that differ.
    pub differing: Vec<FamilyId>,
    /// The exact one-sided upper bound on the share that differs.
    pub upper_bound: Option<f64>,
    /// pass@k and pass^k of the controls as written, k being the repeats; absent without repeats.
    pub repeats: Option<Repeats>,
}

/// A verdict that moved where the meaning did not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Moved {
    /// The family of an invariance base, or of a transformed control.
    pub family: FamilyId,
    /// The transformed control, where it is one.
    pub id: Option<ControlId>,
    /// The transform, where the host made the variant.
    pub transform: Option<Transform>,
}

/// One control that was judged wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Miss {
    /// The control.
    pub id: ControlId,
    /// Its kind.
    pub kind: Kind,
    /// The rule: the one that should have caught it, or the one that failed it. Absent where the label is
    /// on the case as a whole and no rule failed it.
    pub rule: Option<RuleId>,
    /// The rules that failed it, in the first wrong trial.
    pub failed: Vec<RuleId>,
    /// Those of them that nothing is wrong with: neither the rule that must catch it nor one that may fail with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stray: Vec<RuleId>,
    /// Its family.
    pub family: FamilyId,
    /// What it should have got.
    pub expected: Verdict,
    /// What that rule (or the case) got in the first wrong trial.
    pub got: Verdict,
    /// Wrong trials of it.
    pub wrong_trials: u64,
    /// All trials of it.
    pub trials: u64,
    /// The transforms under which it was wrong; none where it is wrong as written.
    pub only_under: Vec<Transform>,
    /// adversarial: its tactic.
    pub tactic: Option<FamilyId>,
    /// Marked as hard before any grader ran.
    pub hard: bool,
    /// Why the control is there.
    pub why: String,
    /// What the grader said, in the first wrong trial.
    pub rationale: Untrusted,
}

impl Miss {
    /// Whether the rule that must catch it did, and what is wrong is that another failed as well.
    #[must_use]
    pub fn is_caught(&self) -> bool {
        self.expected == Verdict::Fail && self.got == Verdict::Fail && !self.stray.is_empty()
    }
}

impl Report {
    /// Whether every control that was run is right, and nothing went wrong beside.
    #[must_use]
    pub fn is_all_right(&self) -> bool {
        let lists = [&self.false_passes, &self.false_fails, &self.wrong_rule, &self.undecided];
        let faults = &self.faults;
        lists.iter().all(|list| list.is_empty())
            && faults.by_kind.is_empty()
            && faults.violations.is_empty()
    }

    /// The whole report of a run, whose record has this digest. Of an author's copy of a record it is the
    /// author's report.
    #[must_use]
    pub fn new(run: &Run, record: Digest) -> Self {
        let (open, held_out) = Judged::parts(run);
        let decision = decide_parts(&open, held_out.as_ref());
        Self::of(&open, held_out.as_ref(), record, decision)
    }

    /// The report of a run in parts, by a decision on it.
    fn of(
        open: &Judged<'_>,
        held_out: Option<&Judged<'_>>,
        record: Digest,
        decision: Decision,
    ) -> Self {
        let started = &open.run.started;
        let (rules, bars) = (&started.grader.manifest.rules, gating_bars(&open.run));
        let (measures, confidence) = (&open.measures, started.policy.confidence);
        let misses = misses::find(&open.run, &open.table);
        let by_rule = tables::rules(rules, measures, confidence);
        let tactics = tables::tactics(measures, confidence);
        let segments = tables::segments(measures, confidence);
        let withheld = started.held_out.as_ref().filter(|facts| facts.is_withheld());
        Self {
            format: FORMAT,
            audience: if withheld.is_some() { Audience::Author } else { Audience::Platform },
            grader: tables::grader(&open.run),
            digests: tables::digests(&open.run, record),
            set: tables::set(&open.run),
            run: tables::run(&open.run, measures),
            failures: misses.of_kind(Kind::Regression),
            only: started.only.clone(),
            kinds: tables::kinds(measures, confidence),
            unproven: unproven::find((&by_rule, &tactics, &segments), bars, confidence),
            rules: by_rule,
            tactics,
            segments,
            pairs: tables::pairs(measures),
            held_out: held_out::line(open, held_out, &decision),
            contamination: open.run.contamination.clone(),
            real_output: tables::real_output(
                &open.run,
                measures,
                open.assessment.clone(),
                confidence,
            ),
            in_use_absent: (started.policy.in_use.is_some() && open.assessment.is_none())
                .then(|| IN_USE_ABSENT.to_owned()),
            baselines: tables::baselines(&open.run, &open.baselines),
            faults: tables::faults(&open.run),
            noise: tables::noise(open, confidence),
            moved: tables::moved(&open.run, measures),
            transforms: tables::transforms(&open.run, measures, confidence),
            confusion: confusion::confusion(&open.run, &open.table),
            false_passes: misses.false_passes,
            false_fails: misses.false_fails,
            wrong_rule: misses.wrong_rule,
            undecided: misses.undecided,
            texts: open.run.kept.clone(),
            reach: REACH.to_owned(),
            decision,
        }
    }

    /// The report that the grader's author may see. Of a whole run it knows whether the held-out controls held;
    /// of an author's copy only what the copy says of it.
    #[must_use]
    pub fn for_author(run: &Run, record: Digest) -> Self {
        let copy = authors_copy(run, record);
        let report = match &copy {
            Cow::Borrowed(run) => Self::new(run, record),
            Cow::Owned(copy) => {
                let (open, _) = Judged::parts(copy);
                let mut report = Self::of(&open, None, record, held_out::told_of(decide(run)));
                if let Some(line) = &mut report.held_out {
                    (line.is_claim, line.whole) = (false, None);
                }
                report
            }
        };
        Self { audience: Audience::Author, ..report }
    }
}

/// The run as an author may have it; `record` is the digest of the whole one's record.
#[must_use]
pub fn authors_copy(run: &Run, record: Digest) -> Cow<'_, Run> {
    let has_any = run.started.controls.iter().any(|facts| facts.held_out);
    let results = if has_any { held_out_results(&decide(run)) } else { Vec::new() };
    part::for_author(run, results, record)
}

/// What gating asks of this kind of grader.
fn gating_bars(run: &Run) -> Option<&Bars> {
    run.started.policy.bars(run.started.kind(), Tier::Gating)
}
