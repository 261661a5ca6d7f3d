//! `set.toml`.

use std::collections::BTreeSet;

use accredit_core::control::held_out::{Commitments, Salt};
use accredit_core::control::set::SetHeader;
use accredit_core::control::transform::Transform;
use accredit_core::id::{Digest, RuleId};

use super::entry;
use super::fields::{At, Fields, Shape, Sink, id, text};
use super::node::Node;

pub(super) const SET: Shape = Shape {
    what: "a set",
    keys: &["id", "version", "rubric", "authors", "rules", "transforms", "held_out", "salt"],
};
pub(super) const HELD_OUT: Shape = Shape { what: "`held_out`", keys: &["commitments"] };

/// A header as far as it could be read.
#[derive(Default)]
pub(super) struct Header {
    /// What it says. Something neutral stands where a key has a fault.
    pub(super) set: Option<SetHeader>,
    /// The keys that have one.
    pub(super) blamed: BTreeSet<String>,
}

impl Header {
    /// The rules, if these could be read.
    pub(super) fn rules(&self) -> Option<&[RuleId]> {
        let set = self.set.as_ref()?;
        (!self.blamed.contains("rules")).then_some(&set.rules)
    }

    /// The transforms, if these could be read.
    pub(super) fn transforms(&self) -> Option<&[Transform]> {
        let set = self.set.as_ref()?;
        (!self.blamed.contains("transforms")).then_some(&set.transforms)
    }
}

pub(super) fn read(node: &Node, sink: &mut Sink) -> Header {
    let set = fields(node, sink);
    Header { set, blamed: std::mem::take(&mut sink.blamed) }
}

fn fields(node: &Node, sink: &mut Sink) -> Option<SetHeader> {
    let fields = Fields::open(&At::root(node), &SET, sink)?;
    Some(SetHeader {
        id: fields.required("id", sink, id).or_else(|| "unread".parse().ok())?,
        version: fields.required("version", sink, text).unwrap_or_default(),
        rubric: fields.required("rubric", sink, id).or_else(|| "unread".parse().ok())?,
        authors: fields.required_list("authors", sink, text).unwrap_or_default(),
        rules: fields.required_list("rules", sink, id).unwrap_or_default(),
        transforms: fields.list("transforms", sink, entry::transform),
        held_out: fields.optional("held_out", sink, held_out),
        salt: fields.optional("salt", sink, salt),
    })
}

fn held_out(at: &At<'_>, sink: &mut Sink) -> Option<Commitments> {
    let fields = Fields::open(at, &HELD_OUT, sink)?;
    Some(Commitments { commitments: fields.required_list("commitments", sink, digest)? })
}

fn digest(at: &At<'_>, sink: &mut Sink) -> Option<Digest> {
    let written = text(at, sink)?;
    parsed(at, sink, written.parse::<Digest>(), "copy what `accredit controls commit` prints")
}

fn salt(at: &At<'_>, sink: &mut Sink) -> Option<Salt> {
    let written = text(at, sink)?;
    parsed(at, sink, Salt::new(written), "`accredit controls commit` proposes one")
}

fn parsed<T, E: std::fmt::Display>(
    at: &At<'_>,
    sink: &mut Sink,
    parsed: Result<T, E>,
    mend: &str,
) -> Option<T> {
    let why = match parsed {
        Ok(value) => return Some(value),
        Err(why) => why,
    };
    sink.blame(&at.path);
    sink.push("bad-value", at.line, format!("`{}` is not valid: {why}", at.path), mend);
    None
}
