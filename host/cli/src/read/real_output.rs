//! Real outputs with people's labels: JSON Lines.

use std::path::Path;

use accredit_core::control::lint::{Lint, LintFault, quoted};
use accredit_core::control::real_output::RealOutput;
use accredit_core::control::set::Control;
use accredit_core::id::ControlId;

use super::fault::ReadFaults;
use super::fields::{At, Fields, Shape, Sink, bad_id, boolean, id, one_of, text};
use super::from_json;
use super::node::{Node, Value, to_map};
use super::source::{self, Source};

pub(super) const REAL_OUTPUT: Shape = Shape {
    what: "a real output",
    keys: &["id", "task", "output", "reference", "human_label", "labels", "hard", "family", "meta"],
};

const LABELS: [(&str, &str); 3] = [("pass", "pass"), ("fail", "fail"), ("unsure", "unsure")];

/// Reads a JSON Lines file of real outputs.
///
/// # Errors
/// Every bad line, and every id that stands twice.
pub fn real_outputs(path: &Path) -> Result<Vec<Control>, ReadFaults> {
    let (folder, name) = source::split(path);
    let read = Source::read(path, &name).map_err(|fault| vec![*fault]);
    read.and_then(|source| of_source(&source)).map_err(|faults| ReadFaults::new(folder, faults))
}

/// The same for a file that is held in memory: its name and its bytes.
///
/// # Errors
/// As [`real_outputs`].
pub fn real_outputs_of(name: &str, bytes: &[u8]) -> Result<Vec<Control>, ReadFaults> {
    let source = Source { name: name.to_owned(), bytes: bytes.to_vec() };
    of_source(&source).map_err(|faults| ReadFaults::new("", faults))
}

fn of_source(source: &Source) -> Result<Vec<Control>, Vec<LintFault>> {
    let mut sink = Sink::new(&source.name);
    let text = source.text().map_err(|fault| vec![*fault])?;
    let nodes = json_lines(text, &mut sink);
    let controls: Vec<_> = nodes.iter().filter_map(|node| read(node, &mut sink)).collect();
    let lint =
        Lint { header: None, rules: None, transforms: None, controls: &controls, unread: &[] };
    sink.faults.extend(lint.faults().into_iter().filter(LintFault::is_error));
    if sink.faults.is_empty() { Ok(controls) } else { Err(sink.faults) }
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

/// Reads one line.
pub(super) fn read(node: &Node, sink: &mut Sink) -> Option<Control> {
    let place = sink.place(node.line);
    sink.control = node.text("id").and_then(|id| ControlId::new(id.to_ascii_lowercase()).ok());
    let line = sink.clean(|sink| fields(&At::root(node), sink));
    let control = line.and_then(|line| match line.into_control(place) {
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
    Some(RealOutput {
        reference: fields.get("reference").map(|at| at.node.to_json()).unwrap_or_default(),
        human_label: fields.optional("human_label", sink, label),
        labels: fields.list("labels", sink, label),
        hard: fields.optional("hard", sink, boolean).unwrap_or_default(),
        family: fields.optional("family", sink, id),
        meta: fields.optional("meta", sink, meta).unwrap_or_default(),
        id: id_text?,
        task: task?,
        output: output?,
    })
}

/// Capitals are made small, so that ids from elsewhere can stay as they are.
fn control_id(at: &At<'_>, sink: &mut Sink) -> Option<String> {
    let written = text(at, sink)?;
    if ControlId::new(written.to_ascii_lowercase()).is_err() {
        bad_id(at, &written, sink);
        return None;
    }
    Some(written)
}

fn label(at: &At<'_>, sink: &mut Sink) -> Option<String> {
    one_of(at, sink, &LABELS).map(str::to_owned)
}

fn meta(at: &At<'_>, sink: &mut Sink) -> Option<serde_json::Map<String, serde_json::Value>> {
    match &at.node.value {
        Value::Table(members) => Some(to_map(members)),
        _ => at.wrong("an object", "write a JSON object", sink),
    }
}
