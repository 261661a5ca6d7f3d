//! One control: the same reader for a `[[control]]` table and for a line of JSON.

use std::collections::BTreeSet;

use accredit_core::control::lint::Unread;
use accredit_core::control::set::{Entry, Expectation, Kind, Place, Variation};
use accredit_core::control::transform::Transform;
use accredit_core::verdict::Verdict;

use super::case;
use super::fields::{At, Fields, Shape, Sink, id, one_of, text, texts};
use super::node::Node;

pub(super) const CONTROL: Shape = Shape {
    what: "a control",
    keys: &[
        "id",
        "family",
        "why",
        "expect",
        "also",
        "pair",
        "tactic",
        "base",
        "variation",
        "skip_transforms",
        "segment",
        "case",
    ],
};
pub(super) const EXPECT: Shape = Shape { what: "an expectation", keys: &["verdict", "rule"] };

pub(super) const VARIATIONS: [(&str, Variation); 4] = [
    ("reworded", Variation::Reworded),
    ("reordered", Variation::Reordered),
    ("lengthened", Variation::Lengthened),
    ("anonymized", Variation::Anonymized),
];

/// A control as far as it could be read.
pub(super) enum Reading {
    Whole(Entry),
    /// Some keys have faults; in the entry something neutral stands in their place.
    Part(Entry, BTreeSet<String>),
    /// Not even a table.
    Nothing,
}

/// Reads one control; its faults bear its id, where it has a valid one.
pub(super) fn read(node: &Node, sink: &mut Sink) -> Reading {
    sink.control = node.text("id").and_then(|id| id.parse().ok());
    let before = sink.faults.len();
    let entry = fields(&At::root(node), sink);
    sink.control = None;
    let mut blamed = std::mem::take(&mut sink.blamed);
    match entry {
        Some(entry) if sink.faults.len() == before => Reading::Whole(entry),
        Some(entry) => {
            // These two are judged together.
            if ["base", "variation"].iter().any(|key| blamed.contains(*key)) {
                blamed.extend(["base".to_owned(), "variation".to_owned()]);
            }
            Reading::Part(entry, blamed)
        }
        None => Reading::Nothing,
    }
}

fn fields(at: &At<'_>, sink: &mut Sink) -> Option<Entry> {
    let fields = Fields::open(at, &CONTROL, sink)?;
    Some(Entry {
        id: fields.required("id", sink, id).or_else(|| "unread".parse().ok())?,
        family: fields.required("family", sink, id).or_else(|| "unread".parse().ok())?,
        why: fields.required("why", sink, text).unwrap_or_default(),
        expect: fields
            .required("expect", sink, expectation)
            .unwrap_or(Expectation { verdict: Verdict::Fail, rule: None }),
        also: fields.list("also", sink, id),
        pair: fields.optional("pair", sink, id),
        tactic: fields.optional("tactic", sink, id),
        base: fields.optional("base", sink, id),
        variation: fields.optional("variation", sink, |at, sink| one_of(at, sink, &VARIATIONS)),
        skip_transforms: fields.list("skip_transforms", sink, transform),
        segment: fields.optional("segment", sink, texts).unwrap_or_default(),
        case: fields.required("case", sink, case::read).unwrap_or_default(),
    })
}

fn expectation(at: &At<'_>, sink: &mut Sink) -> Option<Expectation> {
    let fields = Fields::open(at, &EXPECT, sink)?;
    let verdict = fields.required("verdict", sink, |at, sink| {
        one_of(at, sink, &Verdict::ALL.map(|verdict| (verdict.name(), verdict)))
    });
    let rule = fields.optional("rule", sink, id);
    Some(Expectation { verdict: verdict?, rule })
}

/// Reads a transform's name.
pub(super) fn transform(at: &At<'_>, sink: &mut Sink) -> Option<Transform> {
    one_of(at, sink, &Transform::ALL.map(|transform| (transform.name(), transform)))
}

/// What is known of a control that could not be read.
pub(super) fn unread(kind: Kind, at: Place, node: &Node) -> Unread {
    let rule = node.member("expect").and_then(|expect| expect.node.text("rule"));
    Unread {
        kind,
        at,
        id: node.text("id").and_then(|id| id.parse().ok()),
        pair: node.text("pair").and_then(|pair| pair.parse().ok()),
        rule: rule.and_then(|rule| rule.parse().ok()),
    }
}
