//! Run records of the system under test: a folder of `*.json` (one record each) and `*.jsonl` (one a line).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use accredit_core::control::lint::{LintFault, quoted};
use accredit_core::gate::record::{
    Call, Correction, Effect, ExpectedCheck, Purpose, Ran, Stated, Step, SutRun,
};
use accredit_core::ledger::Moment;
use serde_json::{Map, Value as Json};

use super::case::{artifact, evidence, message, text_plain};
use super::fault::ReadFaults;
use super::fields::{At, Fields, Read, Shape, Sink, boolean, id, one_of, text, texts};
use super::from_json;
use super::history::history;
use super::inventory::INVENTORY_FILES;
use super::later::{explanation, forecast, outcome};
use super::node::{Node, Value, to_map};
use super::real_output::json_lines;
use super::source::{self, Source};

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
/// Reads every run record of a folder, in the order of the files' names. An inventory beside them is none.
///
/// # Errors
/// Every fault of every file, and an id that stands twice.
pub fn run_records(folder: &Path) -> Result<Vec<SutRun>, ReadFaults> {
    Ok(placed_records(folder)?.into_iter().map(|placed| placed.run).collect())
}

/// A run record, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The record.
    pub run: SutRun,
    /// Its file.
    pub path: PathBuf,
    /// The line it begins on, from 1.
    pub line: usize,
}

/// The same, each with its place.
///
/// # Errors
/// As [`run_records`].
pub fn placed_records(folder: &Path) -> Result<Vec<Placed>, ReadFaults> {
    let files = record_files(folder).map_err(|fault| ReadFaults::new("", vec![*fault]))?;
    read_all(folder, files)
}

/// Reads the run records of these files and folders.
///
/// # Errors
/// As [`run_records`].
pub fn run_records_at(paths: &[PathBuf]) -> Result<Vec<SutRun>, ReadFaults> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push((path.display().to_string(), path.clone()));
            continue;
        }
        let within = record_files(path).map_err(|fault| ReadFaults::new("", vec![*fault]))?;
        files.extend(within.into_iter().map(|(_, path)| (path.display().to_string(), path)));
    }
    let placed = read_all(Path::new(""), files)?;
    Ok(placed.into_iter().map(|placed| placed.run).collect())
}

fn read_all(folder: &Path, files: Vec<(String, PathBuf)>) -> Result<Vec<Placed>, ReadFaults> {
    let (mut runs, mut faults) = (Vec::new(), Vec::new());
    for (name, path) in files {
        let mut sink = Sink::new(&name);
        let Some(source) = source::keep(Source::read(&path, &name), &mut sink) else {
            faults.extend(sink.faults);
            continue;
        };
        let read = of_source(&source, &mut sink);
        let placed = |(line, run)| (sink.place(line), Placed { run, path: path.clone(), line });
        runs.extend(read.into_iter().map(placed));
        faults.extend(sink.faults);
    }
    let mut seen = BTreeMap::new();
    for (place, Placed { run, .. }) in &runs {
        if let Some(first) = seen.insert(&run.id, place) {
            let message = format!(
                "run `{}` is recorded twice: in {}:{} as well",
                run.id, first.file, first.line
            );
            let mend = "keep the original; what is learnt later is added to it with its date";
            faults.push(LintFault::error("duplicate-run", place.clone(), message, mend));
        }
    }
    if faults.is_empty() {
        Ok(runs.into_iter().map(|(_, run)| run).collect())
    } else {
        Err(ReadFaults::new(folder, faults))
    }
}

/// The records of one file that is held in memory.
///
/// # Errors
/// As [`run_records`].
pub fn run_records_of(name: &str, bytes: &[u8]) -> Result<Vec<SutRun>, ReadFaults> {
    let source = Source { name: name.to_owned(), bytes: bytes.to_vec() };
    let mut sink = Sink::new(name);
    let runs = of_source(&source, &mut sink);
    match sink.faults.is_empty() {
        true => Ok(runs.into_iter().map(|(_, run)| run).collect()),
        false => Err(ReadFaults::new("", sink.faults)),
    }
}

fn record_files(folder: &Path) -> Result<Vec<(String, PathBuf)>, Box<LintFault>> {
    let called = folder.display().to_string();
    let fail = |error: &std::io::Error| source::unreadable(folder, &called, error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| fail(&error))? {
        let path = entry.map_err(|error| fail(&error))?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        let (_, name) = source::split(&path);
        let is_record = matches!(ending, Some("json" | "jsonl"));
        if is_record && !name.starts_with('.') && !INVENTORY_FILES.contains(&name.as_str()) {
            files.push((name, path));
        }
    }
    files.sort();
    Ok(files)
}

/// The sound records of a file, each with its line.
fn of_source(source: &Source, sink: &mut Sink) -> Vec<(usize, SutRun)> {
    let Some(text) = source::keep(source.text(), sink) else { return Vec::new() };
    let lines = Path::new(&source.name).extension().is_some_and(|ending| ending == "jsonl");
    let nodes = match lines {
        true => json_lines(text, sink),
        false => match from_json::parse(text, 1) {
            Ok(node) => vec![node],
            Err(syntax) => {
                let mend = "mend the syntax here; the rest of the file was not read";
                sink.push("syntax", syntax.line, syntax.message, mend);
                Vec::new()
            }
        },
    };
    nodes.iter().filter_map(|node| one(node, sink).map(|run| (node.line, run))).collect()
}

fn one(node: &Node, sink: &mut Sink) -> Option<SutRun> {
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
    number.or_else(|| at.wrong("a whole number of 0 or more", "write it as 1", sink))
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
