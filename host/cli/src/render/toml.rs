//! A control as people write it: a `[[control]]` table of a TOML file, made to be read and reviewed.
//!
//! Texts of several lines stand as several lines. Whatever an editor would change or a reader could not see
//! (spaces at the end of a line, carriage returns, characters that hide or reorder others) stands as an escape.

use std::fmt::Write as _;

use accredit_core::case::{Artifact, Case, Claim, Evidence, Message};
use accredit_core::control::set::Entry;

use super::escape::is_hidden;

/// How many bytes of an artifact stand on one line.
const BYTES_A_LINE: usize = 24;

/// The table, from its `[[control]]` to the end of its last line. Keys of other kinds of control are left out.
#[must_use]
pub fn control(entry: &Entry) -> String {
    let Entry { id, family, why, expect, also, case, .. } = entry;
    let mut text = format!("[[control]]\nid = \"{id}\"\nfamily = \"{family}\"\n");
    key(&mut text, "why", why);
    // Writing into a string does not fail.
    let _ = write!(text, "expect = {{ verdict = \"{}\"", expect.verdict);
    if let Some(rule) = &expect.rule {
        let _ = write!(text, ", rule = \"{rule}\"");
    }
    text.push_str(" }\n");
    if !also.is_empty() {
        let also: Vec<_> = also.iter().map(|rule| format!("\"{rule}\"")).collect();
        let _ = writeln!(text, "also = [{}]", also.join(", "));
    }
    text.push_str("\n[control.case]\n");
    put_case(&mut text, case);
    text
}

fn put_case(text: &mut String, case: &Case) {
    let Case {
        id,
        task,
        output,
        output_type,
        reference,
        messages,
        claims,
        evidence,
        artifacts,
        context,
    } = case;
    key_unless(text, "id", id, "");
    key_unless(text, "task", task, "");
    key(text, "output", output);
    key_unless(text, "output_type", output_type, PLAIN);
    if let Some(reference) = reference {
        key(text, "reference", reference);
    }
    key_unless(text, "context", context, "");
    for Message { role, content, extra } in messages {
        text.push_str("\n[[control.case.messages]]\n");
        key(text, "role", role);
        key(text, "content", content);
        key_unless(text, "extra", extra, "");
    }
    for Claim { id, text: claim, extra } in claims {
        text.push_str("\n[[control.case.claims]]\n");
        key(text, "id", id);
        key(text, "text", claim);
        key_unless(text, "extra", extra, "");
    }
    for one in evidence {
        put_evidence(text, one);
    }
    for one in artifacts {
        put_artifact(text, one);
    }
}

/// What a media type is where none is written.
const PLAIN: &str = "text/plain";

fn put_evidence(text: &mut String, evidence: &Evidence) {
    let Evidence { id, kind, source, as_of, media_type, content, extra } = evidence;
    text.push_str("\n[[control.case.evidence]]\n");
    key(text, "id", id);
    key(text, "kind", kind);
    key_unless(text, "source", source, "");
    if let Some(as_of) = as_of {
        key(text, "as_of", as_of);
    }
    key_unless(text, "media_type", media_type, PLAIN);
    key(text, "content", content);
    key_unless(text, "extra", extra, "");
}

fn put_artifact(text: &mut String, artifact: &Artifact) {
    let Artifact { name, media_type, data } = artifact;
    text.push_str("\n[[control.case.artifacts]]\n");
    key(text, "name", name);
    key_unless(text, "media_type", media_type, PLAIN);
    text.push_str("data = [");
    for line in data.chunks(BYTES_A_LINE) {
        let bytes: Vec<_> = line.iter().map(ToString::to_string).collect();
        let _ = write!(text, "\n    {},", bytes.join(", "));
    }
    text.push_str(if data.is_empty() { "]\n" } else { "\n]\n" });
}

fn key(text: &mut String, key: &str, value: &str) {
    let _ = writeln!(text, "{key} = {}", quoted(value));
}

/// The same, where it is not what it would be without.
fn key_unless(text: &mut String, name: &str, value: &str, default: &str) {
    if value != default {
        key(text, name, value);
    }
}

/// A text, in quotes.
fn quoted(text: &str) -> String {
    let unseen = |char: char| is_hidden(char) && char != '\n';
    let is_plain = |line: &str| !line.ends_with([' ', '\t']);
    if !text.contains(unseen) && text.split('\n').all(is_plain) {
        // The library chooses the quotes that need the fewest escapes.
        return toml::Value::String(text.to_owned()).to_string();
    }
    let lines: Vec<_> = text.split('\n').map(escaped).collect();
    match lines.as_slice() {
        [line] => format!("\"{line}\""),
        // The line end behind the quotes is no part of the text.
        lines => format!("\"\"\"\n{}\"\"\"", lines.join("\n")),
    }
}

/// One line of a text, with escapes for whatever is not seen.
fn escaped(line: &str) -> String {
    let kept = line.trim_end_matches([' ', '\t']).len();
    let mut escaped = String::with_capacity(line.len());
    for (at, char) in line.char_indices() {
        match char {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\t' => escaped.push_str("\\t"),
            '\r' => escaped.push_str("\\r"),
            ' ' if at >= kept => escaped.push_str("\\u0020"),
            char if is_hidden(char) => {
                let code = u32::from(char);
                let _ = match code {
                    0..=0xffff => write!(escaped, "\\u{code:04X}"),
                    _ => write!(escaped, "\\U{code:08X}"),
                };
            }
            char => escaped.push(char),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_to_be_read() {
        let table = [
            ("plain", "\"plain\""),
            ("", "\"\""),
            ("say \"x\"", "'say \"x\"'"),
            ("a\\b", "'a\\b'"),
            ("one\ntwo", "\"\"\"\none\ntwo\"\"\""),
            ("\none\n", "\"\"\"\n\none\n\"\"\""),
            ("space \nend", "\"\"\"\nspace\\u0020\nend\"\"\""),
            (" ", "\"\\u0020\""),
            ("a\r\nb", "\"\"\"\na\\r\nb\"\"\""),
            ("pass\u{202e}liaf", "\"pass\\u202Eliaf\""),
            ("tag\u{e0041}", "\"tag\\U000E0041\""),
            ("\u{1b}[31m", "\"\\u001B[31m\""),
        ];
        for (text, expected) in table {
            assert_eq!(quoted(text), expected);
            let back: toml::Table = format!("x = {}", quoted(text)).parse().expect("TOML");
            assert_eq!(back["x"].as_str(), Some(text));
        }
    }
}
