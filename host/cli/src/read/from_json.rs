//! JSON to a tree with lines. serde_json tells no positions, but a borrowed raw value is a slice of the
//! text, so where it starts is known.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::from_toml::Syntax;
use super::node::{Lines, Member, Node, Value};

/// Parses one JSON text, which starts on this line of its file.
pub(super) fn parse(text: &str, first_line: usize) -> Result<Node, Syntax> {
    // The first pass finds syntax errors, and bounds the depth that the second one follows.
    if let Err(error) = serde_json::from_str::<Sound>(text) {
        let told = error.to_string();
        let message = told.split(" at line ").next().unwrap_or(&told).to_owned();
        return Err(Syntax { line: first_line - 1 + error.line().max(1), message });
    }
    let tree = Tree { text, lines: Lines::of(text), first_line };
    serde_json::from_str::<&RawValue>(text)
        .and_then(|raw| tree.node(raw))
        .map_err(|error| Syntax { line: first_line, message: error.to_string() })
}

struct Tree<'t> {
    text: &'t str,
    lines: Lines,
    first_line: usize,
}

impl<'t> Tree<'t> {
    fn node(&self, raw: &'t RawValue) -> Result<Node, serde_json::Error> {
        let offset = (raw.get().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let line = self.lines.at(offset) + self.first_line - 1;
        let value = match raw.get().as_bytes().first() {
            Some(b'{') => self.table(serde_json::from_str(raw.get())?)?,
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(raw.get())?;
                Value::List(
                    items.into_iter().map(|item| self.node(item)).collect::<Result<_, _>>()?,
                )
            }
            _ => match serde_json::from_str(raw.get())? {
                serde_json::Value::Bool(bool) => Value::Bool(bool),
                serde_json::Value::Number(number) => Value::Number(number),
                serde_json::Value::String(text) => Value::Text(text),
                _ => Value::Null,
            },
        };
        Ok(Node { line, value })
    }

    fn table(&self, Members(members): Members<'t>) -> Result<Value, serde_json::Error> {
        let member = |(key, raw): (String, &'t RawValue)| {
            let node = self.node(raw)?;
            Ok(Member { key, line: node.line, node })
        };
        Ok(Value::Table(members.into_iter().map(member).collect::<Result<_, serde_json::Error>>()?))
    }
}

/// A value that can be read to its end, whatever it is. serde_json's own `Value` would take an object with a
/// certain key for JSON within JSON, and count lines in there.
struct Sound;

impl<'de> Deserialize<'de> for Sound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Sound)
    }
}

impl<'de> Visitor<'de> for Sound {
    type Value = Sound;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_unit<E>(self) -> Result<Sound, E> {
        Ok(Sound)
    }
    fn visit_bool<E>(self, _: bool) -> Result<Sound, E> {
        Ok(Sound)
    }
    fn visit_i64<E>(self, _: i64) -> Result<Sound, E> {
        Ok(Sound)
    }
    fn visit_u64<E>(self, _: u64) -> Result<Sound, E> {
        Ok(Sound)
    }
    fn visit_f64<E>(self, _: f64) -> Result<Sound, E> {
        Ok(Sound)
    }
    fn visit_str<E>(self, _: &str) -> Result<Sound, E> {
        Ok(Sound)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Sound, A::Error> {
        while items.next_element::<Sound>()?.is_some() {}
        Ok(Sound)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Sound, A::Error> {
        while members.next_entry::<Sound, Sound>()?.is_some() {}
        Ok(Sound)
    }
}

/// An object's members in order; a key that stands twice is kept twice.
pub(super) struct Members<'t>(pub(super) Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}
