//! A reader's profile: a `.toml` or `.json` file.

use std::path::Path;

use accredit_core::gate::profile::{Profile, Weight};

use super::fault::ReadFaults;
use super::fields::{At, Fields, Shape, Sink, id, text};
use super::inventory::check;
use super::node::Value;
use super::run_record::small;
use super::source::{self, Source};
use super::{from_json, from_toml};

pub(super) const PROFILE: Shape =
    Shape { what: "a profile", keys: &["format", "name", "adds", "weights"] };
pub(super) const WEIGHT: Shape = Shape { what: "a weight", keys: &["grader", "rule", "weight"] };

/// Reads a profile.
///
/// # Errors
/// Every fault of the file.
pub fn profile(path: &Path) -> Result<Profile, ReadFaults> {
    let (folder, name) = source::split(path);
    let mut sink = Sink::new(&name);
    let read = source::keep(Source::read(path, &name), &mut sink)
        .and_then(|source| of_source(&source, &mut sink));
    read.filter(|_| sink.faults.is_empty()).ok_or_else(|| ReadFaults::new(folder, sink.faults))
}

fn of_source(source: &Source, sink: &mut Sink) -> Option<Profile> {
    let text = source::keep(source.text(), sink)?;
    let json = Path::new(&source.name).extension().is_some_and(|ending| ending == "json");
    let parsed = if json { from_json::parse(text, 1) } else { from_toml::parse(text) };
    match parsed {
        Ok(node) => {
            let read = sink.clean(|sink| whole(&At::root(&node), sink))?;
            for fault in read.faults() {
                sink.push("unsound-profile", node.line, fault.to_string(), "mend the profile");
            }
            Some(read)
        }
        Err(syntax) => {
            let mend = "mend the syntax here; the rest of the file was not read";
            sink.push("syntax", syntax.line, syntax.message, mend);
            None
        }
    }
}

fn whole(at: &At<'_>, sink: &mut Sink) -> Option<Profile> {
    let fields = Fields::open(at, &PROFILE, sink)?;
    let format = fields.required("format", sink, small);
    let name = fields.required("name", sink, text);
    let adds = fields.list("adds", sink, check);
    let weights = fields.list("weights", sink, weight);
    Some(Profile { format: format?, name: name?, adds, weights })
}

fn weight(at: &At<'_>, sink: &mut Sink) -> Option<Weight> {
    let fields = Fields::open(at, &WEIGHT, sink)?;
    let grader = fields.required("grader", sink, id);
    let rule = fields.optional("rule", sink, id);
    let weight = fields.required("weight", sink, number);
    Some(Weight { grader: grader?, rule, weight: weight? })
}

fn number(at: &At<'_>, sink: &mut Sink) -> Option<f64> {
    match &at.node.value {
        Value::Number(number) if number.as_f64().is_some() => number.as_f64(),
        _ => at.wrong("a number above 0", "write it as 2.0", sink),
    }
}
