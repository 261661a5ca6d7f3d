//! One run record of the system under test, key by key.

use std::collections::BTreeSet;

use accredit_core::control::lint::quoted;
use accredit_core::gate::record::{
    Call, Correction, Effect, ExpectedCheck, Purpose, Ran, Stated, Step, SutRun,
};
use accredit_core::ledger::Moment;
use serde_json::{Map, Value as Json};

use super::case::{artifact, evidence, message, text_plain};
use super::fields::{At, Fields, Read, Shape, Sink, boolean, id, one_of, text, texts};
use super::history::history;
use super::later::{explanation, forecast, outcome};
use super::node::{Node, Value, to_map};

pub(super) const RUN: Shape = Shape {
    what: "a run record",
    keys: &[
        "format",
        "id",
        "case",
        "run",
        "purpose",
        "ran",
        "started_at",
        "ended_at",
        "steps",
        "expected",
        "verification",
        "context",
        "corrections",
        "outcomes",
    ],
};
pub(super) const RAN: Shape = Shape {
    what: "what ran",
    keys: &[
        "code_version",
        "model",
        "provider",
        "settings",
        "prompt_version",
        "skills",
        "tools",
        "data_snapshot",
        "clock",
        "session",
        "training_cutoff",
    ],
};
pub(super) const STEP: Shape = Shape {
    what: "a step",
    keys: &[
        "id",
        "task",
        "answer",
        "answer_type",
        "reference",
        "messages",
        "artifacts",
        "claims",
        "documents",
        "calls",
        "effects",
        "cost",
        "latency_ms",
    ],
};
pub(super) const STATED: Shape = Shape {
    what: "a claim",
    keys: &["id", "text", "important", "extra", "forecast", "explanation"],
};
pub(super) const CALL: Shape =
    Shape { what: "a call", keys: &["order", "tool", "arguments", "result"] };
pub(super) const EFFECT: Shape =
    Shape { what: "an effect", keys: &["order", "target", "before", "after"] };
pub(super) const EXPECTED: Shape =
    Shape { what: "an expected check", keys: &["grader", "rules", "written_at"] };
pub(super) const CORRECTION: Shape =
    Shape { what: "a correction", keys: &["at", "by", "step", "what"] };

/// One record, with what makes it unsound.
pub(super) fn one(node: &Node, sink: &mut Sink) -> Option<SutRun> {
    let read = sink.clean(|sink| run(&At::root(node), sink))?;
    let faults = read.faults();
    for fault in &faults {
        sink.push(
            "unsound-record",
            node.line,
            fault.to_string(),
            "mend the record, or take it out",
        );
    }
    faults.is_empty().then_some(read)
}

fn run(at: &At<'_>, sink: &mut Sink) -> Option<SutRun> {
    let fields = Fields::open(at, &RUN, sink)?;
    let format = fields.required("format", sink, small);
    let id_of = fields.required("id", sink, id);
    let case = fields.required("case", sink, id);
    let number = fields.required("run", sink, small);
    let why = fields.required("purpose", sink, purpose);
    let what = fields.required("ran", sink, ran);
    let steps = fields.required_list("steps", sink, step);
    Some(SutRun {
        started_at: fields.optional("started_at", sink, moment),
        ended_at: fields.optional("ended_at", sink, moment),
        expected: fields.list("expected", sink, expected),
        verification: fields.optional("verification", sink, history),
        context: fields.optional("context", sink, text).unwrap_or_default(),
        corrections: fields.list("corrections", sink, correction),
        outcomes: fields.list("outcomes", sink, outcome),
        format: format?,
        id: id_of?,
        case: case?,
        run: number?,
        purpose: why?,
        ran: what?,
        steps: steps?,
    })
}

fn ran(at: &At<'_>, sink: &mut Sink) -> Option<Ran> {
    let fields = Fields::open(at, &RAN, sink)?;
    let mut word = |key| fields.optional(key, sink, text).unwrap_or_default();
    let (code_version, model, provider) = (word("code_version"), word("model"), word("provider"));
    let (prompt_version, data_snapshot) = (word("prompt_version"), word("data_snapshot"));
    let (session, training_cutoff) = (word("session"), word("training_cutoff"));
    Some(Ran {
        code_version,
        model,
        provider,
        settings: fields.optional("settings", sink, object).unwrap_or_default(),
        prompt_version,
        skills: fields.optional("skills", sink, texts).unwrap_or_default(),
        tools: fields.optional("tools", sink, texts).unwrap_or_default(),
        data_snapshot,
        clock: fields.optional("clock", sink, moment),
        session,
        training_cutoff,
    })
}

fn step(at: &At<'_>, sink: &mut Sink) -> Option<Step> {
    let fields = Fields::open(at, &STEP, sink)?;
    let id_of = fields.required("id", sink, id);
    Some(Step {
        task: fields.optional("task", sink, text).unwrap_or_default(),
        answer: fields.optional("answer", sink, text),
        answer_type: fields.optional("answer_type", sink, text).unwrap_or_else(text_plain),
        reference: fields.optional("reference", sink, text),
        messages: observed(&fields, "messages", sink, message),
        artifacts: observed(&fields, "artifacts", sink, artifact),
        claims: observed(&fields, "claims", sink, stated),
        documents: observed(&fields, "documents", sink, evidence),
        calls: observed(&fields, "calls", sink, call),
        effects: observed(&fields, "effects", sink, effect),
        cost: fields.optional("cost", sink, cost),
        latency_ms: fields.optional("latency_ms", sink, whole),
        id: id_of?,
    })
}

/// A list that was observed, however long; absent where the record does not tell of it.
fn observed<T>(fields: &Fields<'_>, key: &str, sink: &mut Sink, read: Read<T>) -> Option<Vec<T>> {
    fields.get(key)?;
    Some(fields.list(key, sink, read))
}

fn stated(at: &At<'_>, sink: &mut Sink) -> Option<Stated> {
    let fields = Fields::open(at, &STATED, sink)?;
    let id_of = fields.required("id", sink, text);
    let claim = fields.required("text", sink, text);
    let important = fields.optional("important", sink, boolean).unwrap_or_default();
    let extra = fields.optional("extra", sink, text).unwrap_or_default();
    let forecast = fields.optional("forecast", sink, forecast);
    let explanation = fields.optional("explanation", sink, explanation);
    Some(Stated { id: id_of?, text: claim?, important, extra, forecast, explanation })
}

fn call(at: &At<'_>, sink: &mut Sink) -> Option<Call> {
    let fields = Fields::open(at, &CALL, sink)?;
    let order = fields.required("order", sink, small);
    let tool = fields.required("tool", sink, text);
    let (arguments, result) = (json(&fields, "arguments", sink), json(&fields, "result", sink));
    Some(Call { order: order?, tool: tool?, arguments, result })
}

fn effect(at: &At<'_>, sink: &mut Sink) -> Option<Effect> {
    let fields = Fields::open(at, &EFFECT, sink)?;
    let order = fields.required("order", sink, small);
    let target = fields.required("target", sink, text);
    for key in ["before", "after"] {
        if at.node.member(key).is_none() {
            let message = format!("`{}.{key}` is missing", at.path);
            let mend =
                "write how it was, or null where it was not there: an effect has both snapshots";
            sink.push("missing-key", at.line, message, mend);
        }
    }
    let (before, after) = (json(&fields, "before", sink), json(&fields, "after", sink));
    Some(Effect { order: order?, target: target?, before, after })
}

fn json(fields: &Fields<'_>, key: &str, sink: &mut Sink) -> Json {
    let Some(at) = fields.get(key) else { return Json::Null };
    no_key_twice(&at, at.node, sink);
    at.node.to_json()
}

/// Of two members of one key a map keeps one, and the record would not tell which.
fn no_key_twice(at: &At<'_>, node: &Node, sink: &mut Sink) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match &node.value {
            Value::List(items) => open.extend(items),
            Value::Table(members) => {
                let mut keys = BTreeSet::new();
                if let Some(twice) = members.iter().find(|it| !keys.insert(it.key.as_str())) {
                    let message =
                        format!("`{}` holds the key {} twice", at.path, quoted(&twice.key));
                    sink.push("duplicate-key", at.line, message, "keep one of them");
                }
                open.extend(members.iter().map(|member| &member.node));
            }
            _ => {}
        }
    }
}

fn expected(at: &At<'_>, sink: &mut Sink) -> Option<ExpectedCheck> {
    let fields = Fields::open(at, &EXPECTED, sink)?;
    let grader = fields.required("grader", sink, id);
    let rules = fields.list("rules", sink, id);
    let written_at = fields.optional("written_at", sink, moment);
    Some(ExpectedCheck { grader: grader?, rules, written_at })
}

fn correction(at: &At<'_>, sink: &mut Sink) -> Option<Correction> {
    let fields = Fields::open(at, &CORRECTION, sink)?;
    let when = fields.required("at", sink, moment);
    let by = fields.required("by", sink, text);
    let what = fields.required("what", sink, text);
    let step = fields.optional("step", sink, id);
    Some(Correction { at: when?, by: by?, step, what: what? })
}

pub(super) fn purpose(at: &At<'_>, sink: &mut Sink) -> Option<Purpose> {
    const ALL: [Purpose; 4] =
        [Purpose::Acceptance, Purpose::Regression, Purpose::Characterization, Purpose::HeldOut];
    one_of(at, sink, &ALL.map(|purpose| (purpose.name(), purpose)))
}

pub(super) fn moment(at: &At<'_>, sink: &mut Sink) -> Option<Moment> {
    let written = text(at, sink)?;
    match written.parse() {
        Ok(moment) => Some(moment),
        Err(_) => {
            let message = format!("`{}` is no time: {}", at.path, quoted(&written));
            let mend =
                "write it as 2026-11-30T22:00:00Z: in UTC, to the second, a date that exists";
            sink.push("bad-time", at.line, message, mend);
            None
        }
    }
}

pub(super) fn whole(at: &At<'_>, sink: &mut Sink) -> Option<u64> {
    match &at.node.value {
        Value::Number(number) if number.as_u64().is_some() => number.as_u64(),
        _ => at.wrong("a whole number of 0 or more", "write it as 7", sink),
    }
}

pub(super) fn small(at: &At<'_>, sink: &mut Sink) -> Option<u32> {
    let number = match &at.node.value {
        Value::Number(number) => number.as_u64().and_then(|number| u32::try_from(number).ok()),
        _ => None,
    };
    number.or_else(|| at.wrong("a whole number from 0 to 4294967295", "write it as digits", sink))
}

fn cost(at: &At<'_>, sink: &mut Sink) -> Option<f64> {
    let number = match &at.node.value {
        Value::Number(number) => number.as_f64().filter(|number| number.is_finite()),
        _ => None,
    };
    number.or_else(|| at.wrong("a number of 0 or more", "write it as 0.25", sink))
}

fn object(at: &At<'_>, sink: &mut Sink) -> Option<Map<String, Json>> {
    match &at.node.value {
        Value::Table(members) => {
            no_key_twice(at, at.node, sink);
            Some(to_map(members))
        }
        _ => at.wrong("an object", "write a JSON object", sink),
    }
}
