//! The declared judges of a run, what was heard of each, and what it is held against.

use std::collections::BTreeSet;

use super::derive::{ByHost, Observed};
use super::history::{Came, Execution, History, Judge, links};
use super::{Grade, Op};
use crate::id::{Digest, JudgeName};

/// The place of what a gate runs itself: behind everything that was observed.
const BEHIND_ALL: u64 = u32::MAX as u64 + 1;

/// One execution of a declared judge.
pub(super) struct Heard {
    order: u64,
    came: Came,
    content: Option<Digest>,
    /// Whether the session observed it, and it has a transcript.
    sound: bool,
}

/// A declared judge.
pub(super) struct Voice<'a> {
    pub(super) name: &'a JudgeName,
    pub(super) by_gate: bool,
    pub(super) kind: Grade,
    chain: Option<BTreeSet<String>>,
    kernel: bool,
    heard: Vec<Heard>,
}

/// Whether a judge is of the chain that wrote the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SameChain {
    Yes,
    No,
    Indeterminate,
}

/// What judges are held against.
pub(super) struct Scene {
    /// The content that is there now.
    pub(super) now: Digest,
    /// The content that is graded.
    pub(super) graded: Digest,
    last_write: u64,
    /// The known links of all who wrote.
    writers: BTreeSet<String>,
    /// Whether every writer is known.
    all_known: bool,
}

impl Scene {
    pub(super) fn new(now: Digest, history: &History, voices: &[Voice<'_>]) -> Self {
        let last = history.writes.iter().max_by_key(|write| write.order);
        let last_write = last.map_or(0, |write| u64::from(write.order));
        let chains: Vec<_> = history.writes.iter().map(|write| links(&write.chain)).collect();
        let observed = history.session().is_some() && !history.lost();
        let named = last.and_then(|write| write.content);
        Self {
            now,
            graded: named.or_else(|| agreed(voices, last_write)).unwrap_or(now),
            last_write,
            all_known: observed && !chains.is_empty() && chains.iter().all(Option::is_some),
            writers: chains.into_iter().flatten().flatten().collect(),
        }
    }
}

/// The one content that everything since the last write was run on; absent where there is none, or several.
fn agreed(voices: &[Voice<'_>], last_write: u64) -> Option<Digest> {
    let heard = voices.iter().flat_map(|voice| &voice.heard);
    let since = heard.filter(|it| it.sound && it.came != Came::None && it.order > last_write);
    let contents: BTreeSet<Digest> = since.filter_map(|it| it.content).collect();
    match contents.len() {
        1 => contents.into_iter().next(),
        _ => None,
    }
}

/// The judges that count, by name: those that were declared before the run.
pub(super) fn voices<'a>(
    observed: &Observed<'a>,
    history: &'a History,
    now: Digest,
) -> Vec<Voice<'a>> {
    let declared = history.judges.iter().filter(|judge| is_declared(judge, observed));
    let of_gate = observed.by_host.iter().filter(|it| it.declared && it.may_decide);
    let mut voices: Vec<_> = declared
        .map(|judge| Voice::of_record(judge, history))
        .chain(of_gate.map(|it| Voice::of_gate(it, now)))
        .collect();
    voices.sort_by_key(|voice| (voice.name, voice.by_gate));
    voices
}

/// Whether a judge was declared before the run: what is not dated is not known to be before. A record's word on a grader
/// that the gate runs itself is none: the gate's own counts.
pub(super) fn is_declared(judge: &Judge, observed: &Observed<'_>) -> bool {
    if observed.by_host.iter().any(|by| by.name == judge.name) {
        return false;
    }
    let declared = judge.declared_at.zip(observed.run.started_at);
    declared.is_some_and(|(declared, began)| declared <= began)
}

/// Why an execution earns nothing, if it does not.
pub(super) fn unsound(execution: &Execution, history: &History) -> Option<Op> {
    let session = execution.session.as_deref().map(str::trim);
    match (history.session(), session) {
        (Some(ours), Some(its)) if ours == its => {
            execution.transcript.is_none().then_some(Op::NoTranscript)
        }
        _ => Some(Op::SkippedNoSession),
    }
}

impl<'a> Voice<'a> {
    fn of_record(judge: &'a Judge, history: &History) -> Self {
        let its = history.executions.iter().filter(|it| it.judge == judge.name);
        Self {
            name: &judge.name,
            by_gate: false,
            kind: judge.kind,
            chain: links(&judge.chain),
            kernel: judge.kernel,
            heard: its
                .map(|it| Heard {
                    order: u64::from(it.order),
                    came: it.result,
                    content: it.content,
                    sound: unsound(it, history).is_none(),
                })
                .collect(),
        }
    }

    fn of_gate(by: &'a ByHost, now: Digest) -> Self {
        let heard = Heard { order: BEHIND_ALL, came: by.came, content: Some(now), sound: true };
        Self {
            name: &by.name,
            by_gate: true,
            kind: by.kind,
            chain: links(&by.chain),
            kernel: false,
            heard: vec![heard],
        }
    }

    /// What it came to since the last write, on the content that is graded.
    fn stands<'v>(&'v self, scene: &'v Scene) -> impl Iterator<Item = Came> + 'v {
        let stands = |it: &&Heard| it.order > scene.last_write && it.content == Some(scene.graded);
        self.resolved().filter(stands).map(|it| it.came)
    }

    /// Its executions that came to something and can be relied upon.
    fn resolved(&self) -> impl Iterator<Item = &Heard> {
        self.heard.iter().filter(|it| it.sound && it.came != Came::None)
    }

    /// Whether it ran on what is graded.
    pub(super) fn ran(&self, scene: &Scene) -> bool {
        self.stands(scene).next().is_some()
    }

    /// Whether it ever ran.
    pub(super) fn ever_ran(&self) -> bool {
        self.resolved().next().is_some()
    }

    /// Whether it passed what is graded.
    pub(super) fn passed(&self, scene: &Scene) -> bool {
        self.stands(scene).any(|came| came == Came::Pass)
    }

    /// Whether it ever passed.
    pub(super) fn ever_passed(&self) -> bool {
        self.resolved().any(|it| it.came == Came::Pass && it.content.is_some())
    }

    /// Whether it passed since the last write, if only on another content.
    pub(super) fn passed_since(&self, scene: &Scene) -> bool {
        self.resolved().any(|it| it.came == Came::Pass && it.order > scene.last_write)
    }

    /// Whether a failure of it stands. One that is told without a session, transcript or content stands as well: what
    /// is left out must not hide it. Only a later pass of the same judge, of what was written since, takes it back.
    pub(super) fn failed(&self, scene: &Scene) -> bool {
        let passed = self.passed(scene);
        let replaced = |content: Digest| content != scene.graded && content != scene.now;
        let taken_back =
            |it: &Heard| passed && it.order < scene.last_write && it.content.is_some_and(replaced);
        self.heard.iter().any(|it| it.came == Came::Fail && !taken_back(it))
    }

    /// Whether it is of the chain that wrote.
    pub(super) fn same_chain(&self, scene: &Scene) -> SameChain {
        match &self.chain {
            Some(chain) if !chain.is_disjoint(&scene.writers) => SameChain::Yes,
            Some(_) if scene.all_known => SameChain::No,
            _ => SameChain::Indeterminate,
        }
    }

    /// Whether no cap holds for it.
    pub(super) fn is_exempt(&self) -> bool {
        self.kernel && self.kind == Grade::Proof
    }
}
