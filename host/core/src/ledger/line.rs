//! One line of a ledger: reading and writing it.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::damage::{EntryFault, plain};
use super::moment::Moment;
use super::payload::Payload;
use crate::id::Digest;

/// A line that was read; what it is linked to is not checked yet.
pub(super) struct Line {
    pub(super) seq: u64,
    pub(super) at: Moment,
    pub(super) prev: Digest,
    pub(super) payload: Payload,
    /// Where the payload's bytes stand in the line.
    pub(super) raw: Range<usize>,
    /// Where the list of signatures stands in the line.
    pub(super) signatures: Range<usize>,
}

/// The members of a line. What it borrows are slices of the line, so where they stand is known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Members<'t> {
    seq: u64,
    at: Moment,
    prev: Digest,
    #[serde(borrow)]
    payload: &'t RawValue,
    #[serde(borrow)]
    signatures: &'t RawValue,
}

impl Line {
    /// Reads a line, without its end.
    pub(super) fn parse(line: &str) -> Result<Self, EntryFault> {
        let Members { seq, at, prev, payload, signatures } =
            serde_json::from_str(line).map_err(|error| unreadable(line, &error))?;
        let place = |text: &str| {
            let start = (text.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
            start..start + text.len()
        };
        // Looked at now, kept when they are asked for.
        serde_json::from_str::<Texts>(signatures.get())
            .map_err(|error| unreadable(line, &error))?;
        let (raw, signatures) = (place(payload.get()), place(signatures.get()));
        let payload = Payload::parse(payload.get()).map_err(EntryFault::Payload)?;
        Ok(Self { seq, at, prev, payload, raw, signatures })
    }

    /// Writes a line, without its end. The payload stands in it as it is.
    pub(super) fn render(
        seq: u64,
        at: Moment,
        prev: Digest,
        payload: &str,
        signatures: &[String],
    ) -> String {
        // A list of strings: nothing that JSON could refuse.
        let signatures = serde_json::to_string(signatures).unwrap_or_default();
        format!(
            r#"{{"seq":{seq},"at":"{at}","prev":"{prev}","payload":{payload},"signatures":{signatures}}}"#
        )
    }
}

/// A list of texts, none of which is kept.
struct Texts;

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Texts;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of signatures")
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut list: A,
            ) -> Result<Texts, A::Error> {
                while list.next_element::<Text>()?.is_some() {}
                Ok(Texts)
            }
        }
        deserializer.deserialize_seq(Visitor)
    }
}

struct Text;

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Text;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a signature, as a text")
            }
            fn visit_str<E>(self, _: &str) -> Result<Text, E> {
                Ok(Text)
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

/// What a line is linked to, if it says so much.
pub(super) fn link(line: &str) -> Option<Digest> {
    #[derive(Deserialize)]
    struct Link {
        prev: Digest,
    }
    serde_json::from_str::<Link>(line).ok().map(|link| link.prev)
}

fn unreadable(line: &str, error: &serde_json::Error) -> EntryFault {
    let marks = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];
    if marks.iter().any(|mark| line.starts_with(mark)) {
        return EntryFault::Conflict;
    }
    let told = error.to_string();
    EntryFault::Unreadable(plain(told.split(" at line ").next().unwrap_or(&told)))
}
