//! `set.toml`.

use std::collections::BTreeSet;

use accredit_core::control::set::SetHeader;
use accredit_core::control::transform::Transform;
use accredit_core::id::RuleId;

use super::entry;
use super::fields::{At, Fields, Shape, Sink, id, text};
use super::node::Node;

pub(super) const SET: Shape =
    Shape { what: "a set", keys: &["id", "version", "rubric", "authors", "rules", "transforms"] };

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
    })
}
