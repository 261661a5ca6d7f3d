//! `set.toml`.

use accredit_core::control::set::SetHeader;
use accredit_core::control::transform::Transform;
use accredit_core::id::RuleId;

use super::entry;
use super::fields::{At, Fields, Shape, Sink, id, text};
use super::node::Node;

pub(super) const SET: Shape = Shape {
    what: "a set",
    keys: &["id", "version", "rubric", "authors", "rules", "transforms"],
};

/// What could be read of a header.
#[derive(Default)]
pub(super) struct Header {
    /// All of it.
    pub(super) whole: Option<SetHeader>,
    /// The rules, if these have no fault.
    pub(super) rules: Option<Vec<RuleId>>,
    /// The transforms, if these have no fault.
    pub(super) transforms: Option<Vec<Transform>>,
}

pub(super) fn read(node: &Node, sink: &mut Sink) -> Header {
    let mut header = Header::default();
    header.whole = sink.clean(|sink| fields(node, sink, &mut header.rules, &mut header.transforms));
    header
}

fn fields(
    node: &Node,
    sink: &mut Sink,
    rules: &mut Option<Vec<RuleId>>,
    transforms: &mut Option<Vec<Transform>>,
) -> Option<SetHeader> {
    let fields = Fields::open(&At::root(node), &SET, sink)?;
    let set = fields.required("id", sink, id);
    let version = fields.required("version", sink, text);
    let rubric = fields.required("rubric", sink, id);
    let authors = fields.required_list("authors", sink, text);
    *rules = sink.clean(|sink| fields.required_list("rules", sink, id));
    *transforms = sink.clean(|sink| Some(fields.list("transforms", sink, entry::transform)));
    Some(SetHeader {
        id: set?,
        version: version?,
        rubric: rubric?,
        authors: authors?,
        rules: rules.clone()?,
        transforms: transforms.clone()?,
    })
}
