//! Real outputs with people's labels: JSON Lines.

use std::path::Path;

use accredit_core::control::label::{LabelsBy, Opinion, RealOutputHeader, Sample};
use accredit_core::control::lint::{Lint, LintFault, quoted};
use accredit_core::control::real_output::{GivenLabel, NamedLabel, RealOutput};
use accredit_core::control::set::Control;
use accredit_core::id::ControlId;
use accredit_core::untrusted::Untrusted;

use super::fault::ReadFaults;
use super::fields::{At, Fields, Shape, Sink, bad_id, boolean, id, one_of, text, texts};
use super::from_json;
use super::node::{Node, Value, to_map};
use super::source::{self, Source};

pub(super) const REAL_OUTPUT: Shape = Shape {
    what: "a real output",
    keys: &[
        "id",
        "task",
        "output",
        "reference",
        "human_label",
        "labels",
        "labels_by",
        "hard",
        "family",
        "segment",
        "meta",
    ],
};
pub(super) const LABEL: Shape =
    Shape { what: "a label", keys: &["by", "label", "critique", "again", "blind"] };
pub(super) const HEADER: Shape =
    Shape { what: "the header line of real outputs", keys: &["sample", "labels_by"] };
pub(super) const SAMPLE: Shape = Shape { what: "a sample", keys: &["rule", "seed", "population"] };

/// The real outputs of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct RealOutputs {
    /// The outputs, as controls.
    pub controls: Vec<Control>,
    /// How they were drawn, where the file declares a probability sample.
    pub sample: Option<Sample>,
    /// The file's bytes.
    pub bytes: Vec<u8>,
}

/// Reads a JSON Lines file of real outputs.
///
/// # Errors
/// Every bad line, and every id that stands twice.
pub fn real_outputs(path: &Path) -> Result<RealOutputs, ReadFaults> {
    let (folder, name) = source::split(path);
    let read = Source::read(path, &name).map_err(|fault| vec![*fault]);
    read.and_then(|source| of_source(&source)).map_err(|faults| ReadFaults::new(folder, faults))
}

/// The same for a file that is held in memory: its name and its bytes.
///
/// # Errors
/// As [`real_outputs`].
pub fn real_outputs_of(name: &str, bytes: &[u8]) -> Result<RealOutputs, ReadFaults> {
    let source = Source { name: name.to_owned(), bytes: bytes.to_vec() };
    of_source(&source).map_err(|faults| ReadFaults::new("", faults))
}

pub(super) fn of_source(source: &Source) -> Result<RealOutputs, Vec<LintFault>> {
    let mut sink = Sink::new(&source.name);
    let text = source.text().map_err(|fault| vec![*fault])?;
    let mut nodes = json_lines(text, &mut sink);
    let header = take_header(&mut nodes, &mut sink);
    let by = header.labels_by;
    let controls: Vec<_> = nodes.iter().filter_map(|node| read(node, by, &mut sink)).collect();
    let lint =
        Lint { header: None, rules: None, transforms: None, controls: &controls, unread: &[] };
    sink.faults.extend(lint.faults().into_iter().filter(LintFault::is_error));
    if sink.faults.is_empty() {
        Ok(RealOutputs { controls, sample: header.sample, bytes: source.bytes.clone() })
    } else {
        Err(sink.faults)
    }
}

/// Takes off the first line, where it is a header: it says what holds for the file and is no output.
pub(super) fn take_header(nodes: &mut Vec<Node>, sink: &mut Sink) -> RealOutputHeader {
    let is_header = nodes.first().is_some_and(|node| {
        let has = |key: &&str| node.member(key).is_some();
        HEADER.keys.iter().any(has) && !["id", "task", "output"].iter().any(has)
    });
    if !is_header {
        return RealOutputHeader::default();
    }
    let node = nodes.remove(0);
    let header = Fields::open(&At::root(&node), &HEADER, sink).map(|fields| RealOutputHeader {
        sample: fields.optional("sample", sink, sample),
        labels_by: fields
            .optional("labels_by", sink, |at, sink| one_of(at, sink, &LabelsBy::STATED))
            .unwrap_or_default(),
    });
    header.unwrap_or_default()
}

fn sample(at: &At<'_>, sink: &mut Sink) -> Option<Sample> {
    let fields = Fields::open(at, &SAMPLE, sink)?;
    let rule = fields.required("rule", sink, said);
    let seed = fields.required("seed", sink, whole_number);
    let population = fields.optional("population", sink, whole_number);
    Some(Sample { rule: Untrusted::new(rule?), seed: seed?, population })
}

/// A text that says something.
fn said(at: &At<'_>, sink: &mut Sink) -> Option<String> {
    let written = text(at, sink)?;
    if written.trim().is_empty() {
        let message = format!("`{}` is blank", at.path);
        sink.push("blank-text", at.line, message, "say it in words, or take it out");
        return None;
    }
    Some(written)
}

fn whole_number(at: &At<'_>, sink: &mut Sink) -> Option<u64> {
    match &at.node.value {
        Value::Number(number) if number.as_u64().is_some() => number.as_u64(),
        _ => at.wrong("a whole number of 0 or more", "write it as 7", sink),
    }
}

/// The JSON of each line that is not blank; a line that is no JSON is a fault.
pub(super) fn json_lines(text: &str, sink: &mut Sink) -> Vec<Node> {
    let mut nodes = Vec::new();
    for (count, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match from_json::parse(line, count + 1) {
            Ok(node) => nodes.push(node),
            Err(syntax) => {
                let mend = "write one JSON object a line; this line was not read";
                sink.push("syntax", syntax.line, syntax.message, mend);
            }
        }
    }
    nodes
}

/// Reads one line; `by` is what the file's header says of who made the labels.
pub(super) fn read(node: &Node, by: LabelsBy, sink: &mut Sink) -> Option<Control> {
    let place = sink.place(node.line);
    sink.control = node.text("id").and_then(|id| ControlId::new(id.to_ascii_lowercase()).ok());
    let line = sink.clean(|sink| fields(&At::root(node), sink));
    let control = line.and_then(|line| match line.into_control(place, by) {
        Ok(control) => Some(control),
        Err(error) => {
            let message = format!("the line makes no control: {}", quoted(&error.to_string()));
            sink.push("bad-real-output", node.line, message, "mend this line");
            None
        }
    });
    sink.control = None;
    control
}

fn fields(at: &At<'_>, sink: &mut Sink) -> Option<RealOutput> {
    let fields = Fields::open(at, &REAL_OUTPUT, sink)?;
    let id_text = fields.required("id", sink, control_id);
    let task = fields.required("task", sink, text);
    let output = fields.required("output", sink, text);
    let makers = |at: &At<'_>, sink: &mut Sink| one_of(at, sink, &LabelsBy::STATED);
    Some(RealOutput {
        reference: fields.get("reference").map(|at| at.node.to_json()).unwrap_or_default(),
        human_label: fields.optional("human_label", sink, opinion),
        labels: fields.list("labels", sink, label),
        labels_by: fields.optional("labels_by", sink, makers).map(|by| by.name().to_owned()),
        hard: fields.optional("hard", sink, boolean).unwrap_or_default(),
        family: fields.optional("family", sink, id),
        segment: fields.optional("segment", sink, texts).unwrap_or_default(),
        meta: fields.optional("meta", sink, meta).unwrap_or_default(),
        id: id_text?,
        task: task?,
        output: output?,
    })
}

/// Capitals are made small, so that ids from elsewhere can stay as they are.
pub(super) fn control_id(at: &At<'_>, sink: &mut Sink) -> Option<String> {
    let written = text(at, sink)?;
    if ControlId::new(written.to_ascii_lowercase()).is_err() {
        bad_id(at, &written, sink);
        return None;
    }
    Some(written)
}

fn opinion(at: &At<'_>, sink: &mut Sink) -> Option<String> {
    one_of(at, sink, &Opinion::NAMES).map(|opinion| opinion.name().to_owned())
}

/// A word, or an object that says who.
fn label(at: &At<'_>, sink: &mut Sink) -> Option<GivenLabel> {
    if !matches!(at.node.value, Value::Table(_)) {
        return opinion(at, sink).map(GivenLabel::Word);
    }
    let fields = Fields::open(at, &LABEL, sink)?;
    let by = fields.required("by", sink, said);
    let label = fields.required("label", sink, opinion);
    Some(GivenLabel::Named(NamedLabel {
        critique: fields.optional("critique", sink, text).unwrap_or_default(),
        again: fields.optional("again", sink, opinion),
        blind: fields.optional("blind", sink, boolean).unwrap_or(true),
        by: by?,
        label: label?,
    }))
}

fn meta(at: &At<'_>, sink: &mut Sink) -> Option<serde_json::Map<String, serde_json::Value>> {
    match &at.node.value {
        Value::Table(members) => Some(to_map(members)),
        _ => at.wrong("an object", "write a JSON object", sink),
    }
}
