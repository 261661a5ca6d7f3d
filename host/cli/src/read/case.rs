//! A case: within a control, or a file of its own.

use std::path::{Path, PathBuf};

use accredit_core::case::{Artifact, Case, Claim, Evidence, Message};
use accredit_core::control::lint::{LintFault, case_faults};

use super::fault::ReadFaults;
use super::fields::{self, At, Fields, Shape, Sink, text};
use super::source::{self, Source};
use super::{from_json, from_toml};

pub(super) const CASE: Shape = Shape {
    what: "a case",
    keys: &[
        "id",
        "task",
        "output",
        "output_type",
        "reference",
        "messages",
        "claims",
        "evidence",
        "artifacts",
        "context",
    ],
};
pub(super) const EVIDENCE: Shape = Shape {
    what: "a piece of evidence",
    keys: &["id", "kind", "source", "as_of", "media_type", "content", "extra"],
};
pub(super) const MESSAGE: Shape = Shape { what: "a message", keys: &["role", "content", "extra"] };
pub(super) const CLAIM: Shape = Shape { what: "a claim", keys: &["id", "text", "extra"] };
pub(super) const ARTIFACT: Shape =
    Shape { what: "an artifact", keys: &["name", "media_type", "data"] };

/// Reads one case from a `.json` or `.toml` file.
///
/// # Errors
/// Every fault of the file, and every fault of the case in it.
pub fn case(path: &Path) -> Result<Case, ReadFaults> {
    let (folder, name) = source::split(path);
    opened(folder, &name, || Source::read(path, &name))
}

/// The same for a file that is held in memory: its name and its bytes.
///
/// # Errors
/// As [`case`].
pub fn case_of(name: &str, bytes: &[u8]) -> Result<Case, ReadFaults> {
    opened(PathBuf::new(), name, || Ok(Source { name: name.to_owned(), bytes: bytes.to_vec() }))
}

fn opened(
    folder: PathBuf,
    name: &str,
    open: impl FnOnce() -> Result<Source, Box<LintFault>>,
) -> Result<Case, ReadFaults> {
    let mut sink = Sink::new(name);
    match read_file(name, open, &mut sink) {
        Some(case) if sink.faults.is_empty() => Ok(case),
        _ => Err(ReadFaults::new(folder, sink.faults)),
    }
}

fn read_file(
    name: &str,
    open: impl FnOnce() -> Result<Source, Box<LintFault>>,
    sink: &mut Sink,
) -> Option<Case> {
    let parse = match Path::new(name).extension().and_then(|ending| ending.to_str()) {
        Some("toml") => from_toml::parse,
        Some("json") => |text: &str| from_json::parse(text, 1),
        _ => {
            let mend = "name it *.json or *.toml, by what it holds";
            sink.push("unknown-file", 0, "a case is a JSON or a TOML file", mend);
            return None;
        }
    };
    let source = source::keep(open(), sink)?;
    let text = source::keep(source.text(), sink)?;
    let node = match parse(text) {
        Ok(node) => node,
        Err(syntax) => {
            sink.push(
                "syntax",
                syntax.line,
                syntax.message,
                "mend the syntax here; the rest was not read",
            );
            return None;
        }
    };
    let case = read(&At::root(&node), sink)?;
    for mut fault in case_faults(&case, &sink.place(node.line), None) {
        fault.at.line = node.line_of(fault.key.trim_start_matches("case."));
        sink.faults.push(fault);
    }
    Some(case)
}

/// Reads a case.
pub(super) fn read(at: &At<'_>, sink: &mut Sink) -> Option<Case> {
    let fields = Fields::open(at, &CASE, sink)?;
    let output = fields.required("output", sink, text);
    Some(Case {
        id: fields.optional("id", sink, text).unwrap_or_default(),
        task: fields.optional("task", sink, text).unwrap_or_default(),
        output_type: fields.optional("output_type", sink, text).unwrap_or_else(text_plain),
        reference: fields.optional("reference", sink, text),
        messages: fields.list("messages", sink, message),
        claims: fields.list("claims", sink, claim),
        evidence: fields.list("evidence", sink, evidence),
        artifacts: fields.list("artifacts", sink, artifact),
        context: fields.optional("context", sink, text).unwrap_or_default(),
        output: output?,
    })
}

pub(super) fn text_plain() -> String {
    "text/plain".to_owned()
}

pub(super) fn evidence(at: &At<'_>, sink: &mut Sink) -> Option<Evidence> {
    let fields = Fields::open(at, &EVIDENCE, sink)?;
    let id = fields.required("id", sink, text);
    let kind = fields.required("kind", sink, text);
    let content = fields.required("content", sink, text);
    Some(Evidence {
        source: fields.optional("source", sink, text).unwrap_or_default(),
        as_of: fields.optional("as_of", sink, text),
        media_type: fields.optional("media_type", sink, text).unwrap_or_else(text_plain),
        extra: fields.optional("extra", sink, text).unwrap_or_default(),
        id: id?,
        kind: kind?,
        content: content?,
    })
}

pub(super) fn message(at: &At<'_>, sink: &mut Sink) -> Option<Message> {
    let fields = Fields::open(at, &MESSAGE, sink)?;
    let role = fields.required("role", sink, text);
    let content = fields.required("content", sink, text);
    let extra = fields.optional("extra", sink, text).unwrap_or_default();
    Some(Message { role: role?, content: content?, extra })
}

fn claim(at: &At<'_>, sink: &mut Sink) -> Option<Claim> {
    let fields = Fields::open(at, &CLAIM, sink)?;
    let id = fields.required("id", sink, text);
    let claim = fields.required("text", sink, text);
    let extra = fields.optional("extra", sink, text).unwrap_or_default();
    Some(Claim { id: id?, text: claim?, extra })
}

pub(super) fn artifact(at: &At<'_>, sink: &mut Sink) -> Option<Artifact> {
    let fields = Fields::open(at, &ARTIFACT, sink)?;
    let name = fields.required("name", sink, text);
    let data = fields.required("data", sink, fields::bytes);
    let media_type = fields.optional("media_type", sink, text).unwrap_or_else(text_plain);
    Some(Artifact { name: name?, media_type, data: data? })
}
