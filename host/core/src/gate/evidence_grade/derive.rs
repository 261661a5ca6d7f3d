//! From what was observed to a grade, with every operation kept.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::history::{Came, History, content_digest};
use super::operation::{Op, Operation};
use super::voice::{SameChain, Scene, Voice, is_declared, unsound, voices};
use super::{Grade, history};
use crate::gate::record::SutRun;
use crate::id::{CaseId, Digest, JudgeName, RunId};

/// What a run is graded by: its record, and what a gate itself ran on it.
#[derive(Debug, Clone, Copy)]
pub struct Observed<'a> {
    /// The record, with what was observed in its `verification`.
    pub run: &'a SutRun,
    /// What the gate ran.
    pub by_host: &'a [ByHost],
}

/// A judge that the gate ran itself, after every write and on the content that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByHost {
    /// The grader.
    pub name: JudgeName,
    /// What its pass is worth.
    pub kind: Grade,
    /// What the inventory calls it; above `kind` where it may not be so much.
    pub stated: Grade,
    /// Whether it was declared before the run.
    pub declared: bool,
    /// Whether its word decides.
    pub may_decide: bool,
    /// Who signed as its author; none where that is not known.
    pub chain: Vec<String>,
    /// What it came to over the whole run.
    pub came: Came,
}

/// The grade of the evidence of one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunGrade {
    /// The case.
    pub case: CaseId,
    /// The run.
    pub run: RunId,
    /// The digest of its record as it was made.
    pub record: Digest,
    /// The digest of the content that is there now.
    pub content_now: Digest,
    /// The digest of the content that was graded: the grade belongs to it.
    pub content: Digest,
    /// What the evidence is worth for the content that was graded.
    pub grade: Grade,
    /// The true kind of the judge that decided; above `grade` where it was capped, demoted or reset. Absent where no
    /// judge that counts passed.
    pub kind: Option<Grade>,
    /// What it is worth for the content that is there now.
    pub effective: Grade,
    /// Whether a judge that was declared ran and failed.
    pub failed_declared_evidence: bool,
    /// Judges that earn the grade alike.
    pub ties: u64,
    /// Everything that was done, in order.
    pub operations: Vec<Operation>,
}

impl RunGrade {
    /// Whether something lowered it below the strongest kind that a declared judge passed it by.
    #[must_use]
    pub fn is_degraded(&self) -> bool {
        let earned = self.operations.iter().filter(|it| it.op == Op::Earned).map(|it| it.to);
        earned.max().is_some_and(|earned| self.effective < earned)
    }

    /// The operations that say why the grade is not more: what lowered it, and what earned nothing.
    pub fn told(&self) -> impl Iterator<Item = &Operation> {
        self.operations.iter().filter(|it| it.op.tells() || it.to < it.from)
    }

    /// The same where the run was graded before, for this content: another content is worth nothing.
    #[must_use]
    pub fn against(mut self, before: Digest) -> Self {
        if before != self.content_now {
            let mut kept = Kept { operations: std::mem::take(&mut self.operations) };
            self.effective = kept.lowered(Op::ContentChanged, None, self.effective);
            self.operations = kept.operations;
        }
        self
    }
}

/// The operations so far.
#[derive(Default)]
struct Kept {
    operations: Vec<Operation>,
}

impl Kept {
    fn keep(
        &mut self,
        op: Op,
        judge: Option<(&JudgeName, bool)>,
        (from, to): (Grade, Grade),
    ) -> Grade {
        self.operations.push(Operation {
            op,
            judge: judge.map(|(name, _)| name.clone()),
            by_gate: judge.is_some_and(|(_, by_gate)| by_gate),
            from,
            to,
            why: op.why().to_owned(),
        });
        to
    }

    /// Something was seen that moves no grade by itself.
    fn seen(&mut self, op: Op, judge: Option<(&JudgeName, bool)>) {
        self.keep(op, judge, (Grade::Unverified, Grade::Unverified));
    }

    fn lowered(&mut self, op: Op, judge: Option<(&JudgeName, bool)>, from: Grade) -> Grade {
        self.keep(op, judge, (from, Grade::Unverified))
    }
}

/// What a judge's word is worth in the end.
struct Word<'a> {
    voice: &'a Voice<'a>,
    worth: Grade,
    passed: bool,
    capped: bool,
}

/// The grade of the evidence of a run.
#[must_use]
pub fn derive(observed: Observed<'_>) -> RunGrade {
    let none = History::default();
    let history = observed.run.verification.as_ref().unwrap_or(&none);
    let mut kept = Kept { operations: events(&observed, history) };
    let now = content_digest(observed.run);
    let voices = voices(&observed, history, now);
    let scene = Scene::new(now, history, &voices);
    let words: Vec<_> = voices.iter().map(|it| word(it, &scene, &voices, &mut kept)).collect();
    let (best, kind) = folded(&words, &mut kept);
    let ties = words.iter().filter(|it| it.passed && it.worth == best && best.is_verified());
    let ties = ties.count() as u64;
    let grade = held(&words, &scene, history, best, &mut kept);
    let effective = match scene.graded == scene.now {
        true => grade,
        false => kept.lowered(Op::ContentChanged, None, grade),
    };
    RunGrade {
        case: observed.run.case.clone(),
        run: observed.run.id.clone(),
        record: observed.run.original(),
        content_now: now,
        content: scene.graded,
        grade,
        kind,
        effective,
        failed_declared_evidence: voices.iter().any(|voice| voice.failed(&scene)),
        ties,
        operations: kept.operations,
    }
}

/// What was seen of single events, in an order that is none of theirs.
fn events(observed: &Observed<'_>, history: &History) -> Vec<Operation> {
    let mut kept = Kept::default();
    for claimed in &history.claimed_grades {
        kept.lowered(Op::MintRejected, None, claimed.grade);
    }
    for _ in history.writes.iter().filter(|write| history::links(&write.chain).is_none()) {
        kept.seen(Op::AuthorUnbound, None);
    }
    for execution in &history.executions {
        let judge = Some((&execution.judge, false));
        let resolved = match execution.result {
            Came::Pass | Came::Fail => Op::ResolvedRan,
            Came::None => Op::SaidNothing,
        };
        kept.seen(unsound(execution, history).unwrap_or(resolved), judge);
        if execution.content.is_none() {
            kept.seen(Op::Unbindable, judge);
        }
        let mut its = history.judges.iter().filter(|it| it.name == execution.judge);
        if !its.any(|it| is_declared(it, observed)) {
            kept.seen(Op::Undeclared, judge);
        }
    }
    for by in observed.by_host {
        let judge = Some((&by.name, true));
        kept.seen(
            match by.came {
                Came::Pass | Came::Fail => Op::ResolvedRan,
                Came::None => Op::SaidNothing,
            },
            judge,
        );
        if by.stated > by.kind {
            kept.keep(Op::KindCapped, judge, (by.stated, by.kind));
        }
        if !by.may_decide {
            kept.seen(Op::NoAuthority, judge);
        } else if !by.declared {
            kept.seen(Op::Undeclared, judge);
        }
    }
    kept.operations.sort();
    kept.operations
}

/// What one judge's word is worth.
fn word<'a>(voice: &'a Voice<'a>, scene: &Scene, all: &[Voice<'_>], kept: &mut Kept) -> Word<'a> {
    let judge = Some((voice.name, voice.by_gate));
    let mut word =
        Word { voice, worth: Grade::Unverified, passed: voice.passed(scene), capped: false };
    if voice.ever_passed() {
        word.worth = kept.keep(Op::Earned, judge, (word.worth, voice.kind));
        if voice.kind == Grade::Unknown {
            word.worth = kept.lowered(Op::UnknownKind, judge, word.worth);
        }
        if word.passed {
            chained(&mut word, scene, kept);
            let failed = |it: &Voice<'_>| {
                let at =
                    it.kind == voice.kind || it.kind == word.worth || it.kind == Grade::Unknown;
                at && it.failed(scene)
            };
            if word.worth.is_verified() && all.iter().any(failed) {
                let steps = (word.worth, word.worth.demoted());
                word.worth = kept.keep(Op::Demoted, judge, steps);
            }
        } else {
            let since = voice.passed_since(scene);
            let op = if since { Op::OtherContent } else { Op::Reset };
            word.worth = kept.lowered(op, judge, word.worth);
        }
    }
    if voice.failed(scene) {
        kept.keep(Op::Failed, judge, (word.worth, word.worth));
    }
    word
}

/// Caps a word by the chain of authorship.
fn chained(word: &mut Word<'_>, scene: &Scene, kept: &mut Kept) {
    let (voice, worth) = (word.voice, word.worth);
    let judge = Some((voice.name, voice.by_gate));
    let op = match voice.same_chain(scene) {
        SameChain::No => return,
        SameChain::Yes => Op::SameChain,
        SameChain::Indeterminate => Op::ChainIndeterminate,
    };
    if voice.is_exempt() {
        kept.keep(op, judge, (worth, worth));
        kept.keep(Op::KernelExempt, judge, (worth, worth));
        return;
    }
    word.worth = kept.keep(op, judge, (worth, worth.capped()));
    word.capped = word.worth != worth;
}

/// The maximum of all words, and the true kind of the judge that it is of: of several the least, which claims nothing
/// beyond.
fn folded(words: &[Word<'_>], kept: &mut Kept) -> (Grade, Option<Grade>) {
    let mut best = Grade::Unverified;
    for word in words.iter().filter(|word| word.passed) {
        let judge = Some((word.voice.name, word.voice.by_gate));
        best = kept.keep(Op::Folded, judge, (best, best.max(word.worth)));
    }
    let deciding = || words.iter().filter(|it| it.passed && it.worth == best && best.is_verified());
    for word in deciding().skip(1) {
        kept.keep(Op::Tied, Some((word.voice.name, word.voice.by_gate)), (best, best));
    }
    let capped: BTreeSet<Grade> =
        words.iter().filter(|it| it.capped).map(|it| it.voice.kind).collect();
    let mut told = BTreeSet::new();
    for word in words.iter().filter(|it| it.passed && !it.capped) {
        if capped.contains(&word.voice.kind) && told.insert(word.voice.kind) {
            kept.keep(Op::TiedUncapped, Some((word.voice.name, word.voice.by_gate)), (best, best));
        }
    }
    let kind = deciding().map(|word| word.voice.kind).min();
    (best, kind)
}

/// What is left of a grade where a declared judge did not run on what is graded, or an event was lost.
fn held(
    words: &[Word<'_>],
    scene: &Scene,
    history: &History,
    best: Grade,
    kept: &mut Kept,
) -> Grade {
    let mut grade = best;
    if words.is_empty() {
        grade = kept.lowered(Op::NoJudge, None, grade);
    }
    for Word { voice, .. } in words.iter().filter(|word| !word.voice.ran(scene)) {
        let op = if voice.ever_ran() { Op::NotSinceTheEdit } else { Op::NeverRan };
        grade = kept.lowered(op, Some((voice.name, voice.by_gate)), grade);
    }
    if history.lost() {
        grade = kept.lowered(Op::CustodyBroken, None, grade);
    }
    grade
}
