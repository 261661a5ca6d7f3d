//! What was observed of how a run's result was made and checked: `verification` in a run record.

use accredit_core::gate::evidence_grade::{
    Came, ClaimedGrade, Custody, Execution, Grade, History, Judge, Write,
};
use accredit_core::id::Digest;

use super::fields::{At, Fields, Shape, Sink, boolean, id, one_of, text};
use super::run_record::{moment, small};

pub(super) const HISTORY: Shape = Shape {
    what: "a verification",
    keys: &["custody", "judges", "executions", "writes", "claimed_grades"],
};
pub(super) const CUSTODY: Shape = Shape { what: "custody", keys: &["session", "events"] };
pub(super) const JUDGE: Shape =
    Shape { what: "a judge", keys: &["name", "kind", "declared_at", "chain", "kernel"] };
pub(super) const EXECUTION: Shape = Shape {
    what: "an execution",
    keys: &["order", "judge", "session", "result", "transcript", "content"],
};
pub(super) const WRITE: Shape = Shape { what: "a write", keys: &["order", "chain", "content"] };
pub(super) const CLAIMED: Shape = Shape { what: "a claimed grade", keys: &["grade", "by"] };

pub(super) fn history(at: &At<'_>, sink: &mut Sink) -> Option<History> {
    let fields = Fields::open(at, &HISTORY, sink)?;
    Some(History {
        custody: fields.optional("custody", sink, custody),
        judges: fields.list("judges", sink, judge),
        executions: fields.list("executions", sink, execution),
        writes: fields.list("writes", sink, write),
        claimed_grades: fields.list("claimed_grades", sink, claimed),
    })
}

fn custody(at: &At<'_>, sink: &mut Sink) -> Option<Custody> {
    let fields = Fields::open(at, &CUSTODY, sink)?;
    let session = fields.required("session", sink, text);
    let events = fields.required("events", sink, small);
    Some(Custody { session: session?, events: events? })
}

fn judge(at: &At<'_>, sink: &mut Sink) -> Option<Judge> {
    let fields = Fields::open(at, &JUDGE, sink)?;
    let name = fields.required("name", sink, id);
    let kind = fields.required("kind", sink, grade);
    let declared_at = fields.optional("declared_at", sink, moment);
    let chain = fields.list("chain", sink, text);
    let kernel = fields.optional("kernel", sink, boolean).unwrap_or_default();
    Some(Judge { name: name?, kind: kind?, declared_at, chain, kernel })
}

/// A kind of a later version is no fault: it ranks below all.
fn grade(at: &At<'_>, sink: &mut Sink) -> Option<Grade> {
    text(at, sink).map(|name| Grade::named(&name))
}

fn execution(at: &At<'_>, sink: &mut Sink) -> Option<Execution> {
    let fields = Fields::open(at, &EXECUTION, sink)?;
    let order = fields.required("order", sink, small);
    let judge = fields.required("judge", sink, id);
    let session = fields.optional("session", sink, text);
    let result = fields.required("result", sink, came);
    let transcript = fields.optional("transcript", sink, digest);
    let content = fields.optional("content", sink, digest);
    Some(Execution { order: order?, judge: judge?, session, result: result?, transcript, content })
}

fn came(at: &At<'_>, sink: &mut Sink) -> Option<Came> {
    one_of(at, sink, &Came::ALL.map(|came| (came.name(), came)))
}

fn write(at: &At<'_>, sink: &mut Sink) -> Option<Write> {
    let fields = Fields::open(at, &WRITE, sink)?;
    let order = fields.required("order", sink, small);
    let chain = fields.list("chain", sink, text);
    let content = fields.optional("content", sink, digest);
    Some(Write { order: order?, chain, content })
}

fn claimed(at: &At<'_>, sink: &mut Sink) -> Option<ClaimedGrade> {
    let fields = Fields::open(at, &CLAIMED, sink)?;
    let worth = fields.required("grade", sink, grade);
    let by = fields.optional("by", sink, text).unwrap_or_default();
    Some(ClaimedGrade { grade: worth?, by })
}

fn digest(at: &At<'_>, sink: &mut Sink) -> Option<Digest> {
    let written = text(at, sink)?;
    if let Ok(digest) = written.parse() {
        return Some(digest);
    }
    let message = format!("`{}` is no digest", at.path);
    let mend = "write `blake3:` and 64 hexadecimal digits; `accredit grade-evidence --format json` tells the digest of a record's content";
    sink.blame(&at.path);
    sink.push("bad-digest", at.line, message, mend);
    None
}
