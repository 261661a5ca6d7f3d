//! A parsed file as a tree in which every value and key knows its line, whatever the format.

use serde_json::{Map, Number};

/// A value and the line where it starts.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) value: Value,
}

/// What TOML and JSON can hold.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    Table(Vec<Member>),
    /// What no control has a use for, in words: a date, a number out of range.
    Other(&'static str),
}

/// A key of a table with its value.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) key: String,
    pub(super) line: usize,
    pub(super) node: Node,
}

impl Node {
    /// What kind of value this is, for a message.
    pub(super) fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other(kind) => kind,
        }
    }

    /// The member of this key, if this is a table that has it.
    pub(super) fn member(&self, key: &str) -> Option<&Member> {
        match &self.value {
            Value::Table(members) => members.iter().find(|member| member.key == key),
            _ => None,
        }
    }

    /// The text of this key, if this is a table that holds one there.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        match &self.member(key)?.node.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The line of a dotted key, or of the last part of it that is there; the node's own line without one.
    pub(super) fn line_of(&self, path: &str) -> usize {
        let (mut node, mut line) = (self, self.line);
        for key in path.split('.') {
            let Some(member) = node.member(key) else {
                break;
            };
            (node, line) = (&member.node, member.line);
        }
        line
    }

    /// The plain value, without lines.
    pub(super) fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match &self.value {
            Value::Null | Value::Other(_) => Json::Null,
            Value::Bool(bool) => Json::Bool(*bool),
            Value::Number(number) => Json::Number(number.clone()),
            Value::Text(text) => Json::String(text.clone()),
            Value::List(items) => items.iter().map(Self::to_json).collect(),
            Value::Table(members) => Json::Object(to_map(members)),
        }
    }
}

/// A table's members as a plain map.
pub(super) fn to_map(members: &[Member]) -> Map<String, serde_json::Value> {
    members.iter().map(|member| (member.key.clone(), member.node.to_json())).collect()
}

/// Where the lines of a text start.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// The line, counted from 1, of a byte.
    pub(super) fn at(&self, byte: usize) -> usize {
        self.0.partition_point(|newline| *newline < byte) + 1
    }
}
