//! Small histories for tests.

use super::*;
use crate::gate::record::{self, Purpose, Ran, Step, SutRun};
use crate::id::Digest;
use crate::ledger::Moment;

pub(super) const SESSION: &str = "session-1";

pub(super) fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("a valid id")
}

pub(super) fn at(second: u32) -> Moment {
    format!("2026-11-30T22:00:{second:02}Z").parse().expect("a moment")
}

/// A run that began at second 10 and of which nothing was observed.
pub(super) fn run() -> SutRun {
    SutRun {
        format: record::FORMAT,
        id: id("r-1"),
        case: id("r"),
        run: 1,
        purpose: Purpose::Acceptance,
        ran: Ran { code_version: "v1".into(), ..Ran::default() },
        started_at: Some(at(10)),
        ended_at: Some(at(50)),
        steps: vec![Step {
            id: id("s"),
            task: "a task".into(),
            answer: Some("an answer".into()),
            answer_type: "text/plain".into(),
            reference: None,
            messages: None,
            artifacts: None,
            claims: None,
            documents: None,
            calls: None,
            effects: None,
            cost: Some(1.0),
            latency_ms: Some(5),
        }],
        expected: vec![],
        verification: None,
        context: String::new(),
        corrections: vec![],
        outcomes: vec![],
    }
}

/// A judge that was declared before the run, of a chain of its own.
pub(super) fn judge(name: &str, kind: Grade) -> Judge {
    Judge {
        name: id(name),
        kind,
        declared_at: Some(at(0)),
        chain: vec![format!("author-of-{name}")],
        kernel: false,
    }
}

/// A run as it is observed, event by event.
#[derive(Debug, Clone)]
pub(super) struct Story {
    pub(super) run: SutRun,
}

impl Story {
    /// These judges, and one write by `agent-7` for `wanda` that left what is there.
    pub(super) fn new(judges: &[Judge]) -> Self {
        let mut story = Self { run: run() };
        story.run.verification = Some(History {
            custody: Some(Custody { session: SESSION.into(), events: 0 }),
            judges: judges.to_vec(),
            ..History::default()
        });
        story.write(&["agent-7", "wanda"]);
        story
    }

    /// One judge for each of these kinds, `j0`, `j1` and so on, each of which came to this.
    pub(super) fn of(kinds: &[(Grade, Came)]) -> Self {
        let judges: Vec<_> =
            kinds.iter().enumerate().map(|(n, (kind, _))| judge(&format!("j{n}"), *kind)).collect();
        let mut story = Self::new(&judges);
        for (n, (_, came)) in kinds.iter().enumerate() {
            story.execute(&format!("j{n}"), *came);
        }
        story
    }

    pub(super) fn history(&mut self) -> &mut History {
        self.run.verification.as_mut().expect("a history")
    }

    fn next(&mut self) -> u32 {
        let custody = self.history().custody.as_mut().expect("custody");
        custody.events += 1;
        custody.events
    }

    pub(super) fn now(&self) -> Digest {
        content_digest(&self.run)
    }

    /// An execution of a judge on what is there.
    pub(super) fn execute(&mut self, name: &str, came: Came) -> &mut Execution {
        let (order, content) = (self.next(), self.now());
        self.history().executions.push(Execution {
            order,
            judge: id(name),
            session: Some(SESSION.into()),
            result: came,
            transcript: Some(Digest::of(format!("{name} {order}").as_bytes())),
            content: Some(content),
        });
        self.history().executions.last_mut().expect("one")
    }

    /// A write by these, which leaves what is there.
    pub(super) fn write(&mut self, chain: &[&str]) -> &mut Write {
        let (order, content) = (self.next(), self.now());
        let chain = chain.iter().map(|link| (*link).to_owned()).collect();
        self.history().writes.push(Write { order, chain, content: Some(content) });
        self.history().writes.last_mut().expect("one")
    }

    /// Another answer than it was, without a word of it.
    pub(super) fn changed(&mut self, answer: &str) {
        self.run.steps[0].answer = Some(answer.into());
    }

    pub(super) fn graded(&self) -> RunGrade {
        derive(Observed { run: &self.run, by_host: &[] })
    }

    pub(super) fn counted(&self) -> Counters {
        of_records(std::slice::from_ref(&self.run), None).counters
    }
}

impl RunGrade {
    pub(super) fn has(&self, op: Op) -> bool {
        self.operations.iter().any(|it| it.op == op)
    }
}
