//! TOML to a tree with lines.

use serde_json::Number;
use toml::de::{DeInteger, DeTable, DeValue};

use super::node::{Lines, Member, Node, Value};

/// Why a text could not be parsed.
#[derive(Debug, Clone)]
pub(super) struct Syntax {
    pub(super) line: usize,
    pub(super) message: String,
}

/// Parses a whole file. Line ends of the file are read as LF, so that a set means the same however it was
/// checked out; a CR that belongs to a text is written `\r`.
pub(super) fn parse(text: &str) -> Result<Node, Syntax> {
    let text = text.replace("\r\n", "\n");
    let lines = Lines::of(&text);
    match DeTable::parse(&text) {
        Ok(table) => {
            let mut root = Node { line: 1, value: table_of(table.into_inner(), &lines) };
            root.line = 1;
            Ok(root)
        }
        Err(error) => Err(Syntax {
            line: error.span().map_or(1, |span| lines.at(span.start)),
            message: error.message().to_owned(),
        }),
    }
}

fn table_of(table: DeTable<'_>, lines: &Lines) -> Value {
    let mut members: Vec<Member> = table
        .into_iter()
        .map(|(key, value)| {
            let line = lines.at(key.span().start);
            let span = value.span();
            let own = if span.is_empty() { line } else { lines.at(span.start) };
            let node = Node { line: own, value: value_of(value.into_inner(), lines) };
            Member { key: key.into_inner().into_owned(), line, node }
        })
        .collect();
    members.sort_by_key(|member| member.line);
    Value::Table(members)
}

fn value_of(value: DeValue<'_>, lines: &Lines) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Boolean(bool) => Value::Bool(bool),
        DeValue::Integer(integer) => integer_of(&integer),
        DeValue::Float(float) => {
            let number = float.as_str().parse().ok().and_then(Number::from_f64);
            number.map_or(Value::Other("a number that is not finite"), Value::Number)
        }
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(items) => {
            let node = |item: toml::Spanned<DeValue<'_>>| Node {
                line: lines.at(item.span().start),
                value: value_of(item.into_inner(), lines),
            };
            Value::List(items.into_iter().map(node).collect())
        }
        DeValue::Table(table) => table_of(table, lines),
    }
}

fn integer_of(integer: &DeInteger<'_>) -> Value {
    i64::from_str_radix(integer.as_str(), integer.radix())
        .map_or(Value::Other("a number out of range"), |number| Value::Number(number.into()))
}
