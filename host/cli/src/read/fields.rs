//! Reading a value field by field, so that one fault does not hide the next.
//!
//! Every reader returns `None` where it has pushed a fault. What was read counts only if no fault was
//! pushed meanwhile ([`Sink::clean`]).

mod sink;

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use accredit_core::control::lint::{nearest, quoted};
use accredit_core::id::{ControlId, InvalidId};

use super::node::{Member, Node, Value};

pub(super) use sink::Sink;

/// A value and how it is called in messages.
pub(super) struct At<'n> {
    pub(super) node: &'n Node,
    pub(super) path: String,
    /// The line of its key.
    pub(super) line: usize,
}

impl<'n> At<'n> {
    /// The root of a file or of a control: its keys are called by their own names.
    pub(super) fn root(node: &'n Node) -> Self {
        Self { node, path: String::new(), line: node.line }
    }

    /// Tells that another kind of value belongs here.
    pub(super) fn wrong<T>(&self, belongs: &str, mend: &str, sink: &mut Sink) -> Option<T> {
        let message = match self.path.as_str() {
            "" => format!("{} where {belongs} belongs", self.node.kind()),
            path => format!("`{path}` is {} where {belongs} belongs", self.node.kind()),
        };
        sink.blame(&self.path);
        sink.push("wrong-type", self.line, message, mend);
        None
    }
}

/// What a table is called and which keys it has.
pub(super) struct Shape {
    pub(super) what: &'static str,
    pub(super) keys: &'static [&'static str],
}

/// A table whose keys are being read.
pub(super) struct Fields<'n> {
    at: At<'n>,
    what: &'static str,
    members: &'n [Member],
    /// Known keys that an unknown one was probably meant to be: they are not called missing as well.
    meant: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    /// Opens a table, and tells of every key that it does not have or that stands twice.
    pub(super) fn open(at: &At<'n>, shape: &Shape, sink: &mut Sink) -> Option<Self> {
        let Value::Table(members) = &at.node.value else {
            return at.wrong(
                "a table",
                &format!("write the keys of {}: {}", shape.what, listed(shape.keys)),
                sink,
            );
        };
        let at = At { path: at.path.clone(), ..*at };
        let mut fields = Self { at, what: shape.what, members, meant: Vec::new() };
        let mut seen = BTreeSet::new();
        for member in members {
            if !seen.insert(member.key.as_str()) {
                let message = format!("{} stands twice", quoted(&fields.path_of(&member.key)));
                sink.blame(&fields.path_of(&member.key));
                sink.push("duplicate-key", member.line, message, "keep one of the two");
            } else if !shape.keys.contains(&member.key.as_str()) {
                fields.unknown(member, shape, sink);
            }
        }
        Some(fields)
    }

    fn unknown(&mut self, member: &Member, shape: &Shape, sink: &mut Sink) {
        let near = nearest(&member.key, shape.keys.iter().copied())
            .and_then(|near| shape.keys.iter().find(|key| **key == near));
        let mend = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("take it out; {} has {}", shape.what, listed(shape.keys)),
        };
        if let Some(near) = near {
            self.meant.push(near);
            sink.blame(&self.path_of(near));
        }
        let message = format!("{} is no key of {}", quoted(&self.path_of(&member.key)), shape.what);
        sink.push("unknown-key", member.line, message, mend);
    }

    fn path_of(&self, key: &str) -> String {
        if self.at.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.at.path) }
    }

    /// The value of this key, if it is there and not null.
    pub(super) fn get(&self, key: &str) -> Option<At<'n>> {
        let member = self.members.iter().find(|member| member.key == key)?;
        if matches!(member.node.value, Value::Null) {
            return None;
        }
        Some(At { node: &member.node, path: self.path_of(key), line: member.line })
    }

    /// Reads a key that must be there.
    pub(super) fn required<T>(&self, key: &str, sink: &mut Sink, read: Read<T>) -> Option<T> {
        let at = self.get(key).or_else(|| self.missing(key, sink))?;
        read(&at, sink)
    }

    fn missing(&self, key: &str, sink: &mut Sink) -> Option<At<'n>> {
        sink.blame(&self.path_of(key));
        if !self.meant.contains(&key) {
            let message = format!("`{}` is missing", self.path_of(key));
            sink.push(
                "missing-key",
                self.at.line,
                message,
                format!("add `{key}` to {}", self.what),
            );
        }
        None
    }

    /// Reads a key that may be left out.
    pub(super) fn optional<T>(&self, key: &str, sink: &mut Sink, read: Read<T>) -> Option<T> {
        read(&self.get(key)?, sink)
    }

    /// Reads a list that may be left out, each item on its own.
    pub(super) fn list<T>(&self, key: &str, sink: &mut Sink, read: Read<T>) -> Vec<T> {
        self.get(key).map(|at| items(&at, sink, read)).unwrap_or_default()
    }

    /// Reads a list that must be there, each item on its own.
    pub(super) fn required_list<T>(
        &self,
        key: &str,
        sink: &mut Sink,
        read: Read<T>,
    ) -> Option<Vec<T>> {
        let at = self.get(key).or_else(|| self.missing(key, sink))?;
        Some(items(&at, sink, read))
    }
}

/// Reads one value.
pub(super) type Read<T> = fn(&At<'_>, &mut Sink) -> Option<T>;

fn items<T>(at: &At<'_>, sink: &mut Sink, read: Read<T>) -> Vec<T> {
    let Value::List(items) = &at.node.value else {
        at.wrong::<T>("a list", "write a list, between [ and ]", sink);
        return Vec::new();
    };
    let item = |(count, node)| {
        let node: &Node = node;
        read(&At { node, path: format!("{}[{count}]", at.path), line: node.line }, sink)
    };
    items.iter().enumerate().filter_map(item).collect()
}

/// Reads a text.
pub(super) fn text(at: &At<'_>, sink: &mut Sink) -> Option<String> {
    match &at.node.value {
        Value::Text(text) => Some(text.clone()),
        _ => at.wrong("a text", "write a text, in quotes", sink),
    }
}

/// Reads a table of texts.
pub(super) fn texts(at: &At<'_>, sink: &mut Sink) -> Option<BTreeMap<String, String>> {
    let mend = "write names and their texts, for example { language = \"en\" }";
    let Value::Table(members) = &at.node.value else {
        return at.wrong("a table of texts", mend, sink);
    };
    let member = |member: &Member| {
        let path = format!("{}.{}", at.path, member.key);
        let value = text(&At { node: &member.node, path, line: member.line }, sink)?;
        Some((member.key.clone(), value))
    };
    Some(members.iter().filter_map(member).collect())
}

/// Reads true or false.
pub(super) fn boolean(at: &At<'_>, sink: &mut Sink) -> Option<bool> {
    match at.node.value {
        Value::Bool(bool) => Some(bool),
        _ => at.wrong("true or false", "write true or false, without quotes", sink),
    }
}

/// Reads bytes, written as a list of numbers.
pub(super) fn bytes(at: &At<'_>, sink: &mut Sink) -> Option<Vec<u8>> {
    let mend = "write the bytes as a list of numbers from 0 to 255";
    let Value::List(items) = &at.node.value else {
        return at.wrong("a list of bytes", mend, sink);
    };
    let byte = |node: &Node| match &node.value {
        Value::Number(number) => number.as_u64().and_then(|number| u8::try_from(number).ok()),
        _ => None,
    };
    let bytes: Vec<u8> = items.iter().map_while(byte).collect();
    if let Some(wrong) = items.get(bytes.len()) {
        let message = format!("`{}[{}]` is no byte", at.path, bytes.len());
        sink.blame(&at.path);
        sink.push("wrong-type", wrong.line, message, mend);
        return None;
    }
    Some(bytes)
}

/// Reads an id of any kind.
pub(super) fn id<T: FromStr<Err = InvalidId>>(at: &At<'_>, sink: &mut Sink) -> Option<T> {
    let written = text(at, sink)?;
    if let Ok(id) = written.parse() {
        return Some(id);
    }
    bad_id(at, &written, sink);
    None
}

/// Tells that this text is no id, and which one is like it.
pub(super) fn bad_id(at: &At<'_>, written: &str, sink: &mut Sink) {
    let rule =
        "use 1 to 64 lower-case letters, digits, '.', '_' or '-', starting with a letter or digit";
    let mend = match slug(written) {
        Some(slug) => format!("{rule}: for example `{slug}`"),
        None => rule.to_owned(),
    };
    sink.blame(&at.path);
    sink.push(
        "bad-id",
        at.line,
        format!("`{}` is no valid id: {}", at.path, quoted(written)),
        mend,
    );
}

fn slug(written: &str) -> Option<String> {
    let allowed = |char: char| match char.to_ascii_lowercase() {
        char if char.is_ascii_alphanumeric() || matches!(char, '.' | '_') => char,
        _ => '-',
    };
    let slug: String = written.trim().chars().take(64).map(allowed).collect();
    let slug = slug.trim_matches(['-', '.', '_']).to_owned();
    ControlId::new(slug.clone()).is_ok().then_some(slug)
}

/// Reads one of these names.
pub(super) fn one_of<T: Copy>(at: &At<'_>, sink: &mut Sink, names: &[(&str, T)]) -> Option<T> {
    let written = text(at, sink)?;
    if let Some((_, value)) = names.iter().find(|(name, _)| *name == written) {
        return Some(*value);
    }
    let known: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
    let mend = match nearest(&written, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of {}", listed(&known)),
    };
    let message = format!("{} is no value of `{}`", quoted(&written), at.path);
    sink.blame(&at.path);
    sink.push("unknown-value", at.line, message, mend);
    None
}

fn listed(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
