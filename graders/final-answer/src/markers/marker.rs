//! Recognises the marks behind which an answer stands.

use crate::language::cautions::{REMARKS, RESERVATIONS};
use crate::language::edges::Edges;
use crate::language::phrases::{any_at, find_any, is_emphasis, is_one_of, phrase_at, words};
use crate::language::text::trim;
use crate::numbers::value::Value;
use crate::reference::whole_value;

/// How far back a sentence is looked at.
const LONGEST_LEAD: usize = 240;

/// Words before "answer" after which it is perhaps not the one meant.
const OTHERS: &[&str] = &[
    "wrong",
    "incorrect",
    "their",
    "student's",
    "students",
    "user's",
    "his",
    "her",
    "rejected",
    "bad",
    "non",
    "no",
    "false",
    "expected",
    "your",
    "any",
    "every",
    "each",
];

/// Words that make a sentence conditional.
const CONDITIONS: &[&str] = &[
    "if",
    "unless",
    "assuming",
    "suppose",
    "supposing",
    "provided",
    "otherwise",
    "else",
    "whenever",
];

/// Words that may stand before a condition.
const CONNECTIVES: &[&str] =
    &["so", "and", "but", "or", "then", "now", "thus", "hence", "also", "only", "even"];

/// Which marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `Answer:`, `A:` or `Final answer`.
    Label,
    /// `The answer is`.
    Sentence,
    /// `####`
    Hashes,
    /// `\boxed{}`
    Boxed,
}

/// Whether something holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surety {
    /// It does.
    Yes,
    /// It may.
    Perhaps,
    /// It does not.
    No,
}

/// A marker that begins with a word.
pub(crate) struct Found {
    pub(crate) kind: Kind,
    /// From its first letter to where its answer begins.
    pub(crate) length: usize,
    pub(crate) surety: Surety,
}

/// What encloses a boxed answer.
pub(crate) enum Brace {
    /// The closing brace stands at this place.
    Closed(usize),
    /// Another box begins first.
    Nested,
    /// Nothing closes it.
    Open,
}

/// Where on its line a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// Nothing but emphasis is before it.
    Start,
    /// Only signs are before it, as in a heading or list.
    FirstWord,
    /// Anywhere else.
    Inside,
}

/// Reads a marker at the start of a text, which begins with a word.
pub(crate) fn word(text: &str, position: Position, before: &str) -> Option<Found> {
    let doubted = |surety| if is_one_of(before, OTHERS) { Surety::Perhaps } else { surety };
    match text.as_bytes().first()? {
        b'a' | b'A' => {
            let label = phrase_at(text, "answer").and_then(|length| colon(text, length));
            if let Some(length) = label {
                return Some(Found { kind: Kind::Label, length, surety: doubted(Surety::Yes) });
            }
            let length = phrase_at(text, "a")
                .filter(|_| position == Position::Start)
                .and_then(|length| colon(text, length))?;
            Some(Found { kind: Kind::Label, length, surety: Surety::Yes })
        }
        b'f' | b'F' => {
            let (length, surety) = final_answer(text, phrase_at(text, "final answer")?, position);
            Some(Found {
                kind: Kind::Label,
                length,
                surety: if surety == Surety::Yes { doubted(surety) } else { surety },
            })
        }
        b't' | b'T' => {
            let (length, surety) = answer_is(text, phrase_at(text, "the answer is")?);
            let asked = is_one_of(before, &["what", "whatever", "whether"]);
            let supposed = is_one_of(before, &["if", "unless"]);
            let surety = match surety {
                Surety::Yes if supposed || (asked && text[length..].starts_with('.')) => Surety::No,
                Surety::Yes if asked => Surety::Perhaps,
                surety => surety,
            };
            Some(Found { kind: Kind::Sentence, length, surety })
        }
        _ => None,
    }
}

/// The length with emphasis and space behind a word left out, on the same line.
fn skip_gap(text: &str, length: usize) -> usize {
    let rest = &text[length..];
    text.len() - rest.trim_start_of(|c| is_emphasis(c) || matches!(c, ' ' | '\t' | '\u{A0}')).len()
}

/// The length of a word with a colon behind it.
fn colon(text: &str, length: usize) -> Option<usize> {
    let gap = skip_gap(text, length);
    let sign = text[gap..].chars().next().filter(|c| matches!(c, ':' | '：'))?;
    Some(gap + sign.len_utf8())
}

fn final_answer(text: &str, length: usize, position: Position) -> (usize, Surety) {
    if let Some(length) = colon(text, length) {
        return (length, Surety::Yes);
    }
    let gap = skip_gap(text, length);
    let rest = &text[gap..];
    if let Some(taken) = ["is", "was"].iter().find_map(|verb| phrase_at(rest, verb)) {
        let end = gap + taken;
        return (colon(text, end).unwrap_or(end), Surety::Yes);
    }
    let parted = rest.chars().next().filter(|c| matches!(c, '=' | '-' | '–' | '—' | '→'));
    if let Some(sign) = parted.filter(|sign| rest[sign.len_utf8()..].opens(char::is_whitespace)) {
        return (gap + sign.len_utf8(), Surety::Yes);
    }
    let first = rest.chars().next();
    let starts_value = |c: char| {
        c.is_ascii_digit() || matches!(c, '$' | '\\' | '"' | '“' | '€' | '£' | '\n' | '\r')
    };
    let sure = position != Position::Inside || first.is_some_and(starts_value);
    (gap, if sure { Surety::Yes } else { Surety::Perhaps })
}

fn answer_is(text: &str, length: usize) -> (usize, Surety) {
    if let Some(length) = colon(text, length) {
        return (length, Surety::Yes);
    }
    let rest = &text[length..];
    let mut ahead = rest.chars();
    match (ahead.next(), ahead.next()) {
        (Some(','), _) => (length + 1, Surety::Yes),
        (Some('?' | '!' | ';' | ')'), _) => (length, Surety::No),
        _ => (length, Surety::Yes),
    }
}

/// Whether `####` marks an answer: a value, or the end of the output; with more text below, words are a heading.
pub(crate) fn hashes(behind: &str, line: usize, starts_line: bool) -> Surety {
    let rest = trim(&behind[..line]);
    if !starts_line || rest.is_empty() {
        return Surety::Yes;
    }
    let below = trim(&behind[line..]);
    // A heading has something under it; a run of such lines is one of answers.
    let more = !below.is_empty() && !below.starts_with("####");
    let value = whole_value(rest).filter(Value::is_numeric);
    match (value.is_some(), more) {
        (_, false) => Surety::Yes,
        (true, true) if words(rest).count() > 1 => Surety::Perhaps,
        (true, true) => Surety::Yes,
        (false, true) => Surety::No,
    }
}

/// The length up to and with the opening brace of a boxed answer.
pub(crate) fn boxed(text: &str) -> Option<usize> {
    const NAME: &str = "\\boxed";
    let name = text.get(..NAME.len())?;
    if !name.eq_ignore_ascii_case(NAME) {
        return None;
    }
    let rest = text[NAME.len()..].trim_start_matches(' ');
    rest.starts_with('{').then(|| text.len() - rest.len() + 1)
}

/// Finds what closes a box whose inside begins the text.
pub(crate) fn closing_brace(text: &str) -> Brace {
    let mut depth = 0usize;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        match c {
            '\\' if boxed(&text[at..]).is_some() => return Brace::Nested,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' if depth == 0 => return Brace::Closed(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    Brace::Open
}

/// The last part of a sentence before a marker.
pub(crate) fn lead(sentence: &str) -> &str {
    let mut start = sentence.len().saturating_sub(LONGEST_LEAD);
    while !sentence.is_char_boundary(start) {
        start += 1;
    }
    &sentence[start..]
}

/// Whether the words right before "the answer is" guess, deny, or say what others hold.
pub(crate) fn is_reserved(lead: &str) -> bool {
    const NEAR: usize = 48;
    let mut start = lead.len().saturating_sub(NEAR);
    while !lead.is_char_boundary(start) {
        start += 1;
    }
    find_any(&lead[start..], RESERVATIONS).is_some()
}

/// Whether "the answer is" only says how good the answer is: "the answer is correct."
pub(crate) fn is_remark(body: &str) -> bool {
    let Some((_, length)) = any_at(body.trim_start(), REMARKS) else { return false };
    let behind = body.trim_start()[length..].trim_start_of(|c| matches!(c, ' ' | '*' | '_'));
    !behind.opens(char::is_alphanumeric)
        || any_at(behind, &["and", "because", "as", "since", "for", "to", "now"]).is_some()
}

/// Whether what stands before a marker in its sentence makes it conditional.
pub(crate) fn is_conditional(lead: &str) -> Surety {
    let mut first = true;
    let mut found = Surety::No;
    for (_, word) in words(lead) {
        if is_one_of(word, CONDITIONS) {
            let parted = trim(lead).closes(|c| matches!(c, ',' | ':'))
                || words(lead)
                    .last()
                    .is_some_and(|(_, last)| is_one_of(last, &["then", "otherwise", "else"]));
            return if first || parted { Surety::Yes } else { Surety::Perhaps };
        }
        if first && is_one_of(word, &["when"]) {
            found = Surety::Perhaps;
        }
        first &= is_one_of(word, CONNECTIVES);
    }
    found
}
