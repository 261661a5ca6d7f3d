//! Compares the answers behind different markers, and the items of a list behind one.

use crate::commitment::commit::{self, Place, Reading, Yield};
use crate::language::edges::Edges;
use crate::language::phrases::{is_one_of, words};
use crate::language::text::{holds_words, normal, trim};
use crate::markers::ledger::{Candidate, Ending};
use crate::markers::marked::offers_nothing;
use crate::markers::marker::Kind;
use crate::page::latex::plain;
use crate::page::layout::list_item;
use crate::reference::Reference;
use crate::same::Same;

/// The longest text that is surely an answer and not a clause, in words.
const SHORT: usize = 4;

/// Whether an earlier marker offers another answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rivalry<'a> {
    /// None does.
    None,
    /// This one may.
    Unsure(&'a str),
    /// This one does.
    Differs(&'a str),
}

/// The strongest rival of the last answer.
pub(crate) fn strongest<'a>(
    earlier: &[Candidate<'a>],
    last: &Candidate<'_>,
    reading: &Reading,
    reference: &Reference,
) -> Rivalry<'a> {
    let mut found = Rivalry::None;
    for candidate in earlier {
        match rivalry(candidate, last, reading, reference) {
            Rivalry::Differs(text) => return Rivalry::Differs(text),
            Rivalry::Unsure(text) => found = Rivalry::Unsure(text),
            Rivalry::None => {}
        }
    }
    found
}

fn rivalry<'a>(
    candidate: &Candidate<'a>,
    last: &Candidate<'_>,
    reading: &Reading,
    reference: &Reference,
) -> Rivalry<'a> {
    let text = if candidate.ending == Ending::AtMarker {
        unconnected(candidate.text)
    } else {
        candidate.text
    };
    let candidate = Candidate { text, ..*candidate };
    if text.is_empty() || offers_nothing(&candidate) || ends_in_connective(&candidate) {
        return Rivalry::None;
    }
    let (a, b) = (normal(text), normal(last.text));
    if a == b || (reference.equals(text) == Same::Yes && reference.equals(last.text) == Same::Yes) {
        return Rivalry::None;
    }
    match (numbers(text, reference), numbers_of(last, reading, reference)) {
        (Some(Yield::One(a)), Some(Yield::One(b))) => match a.same(&b) {
            Same::Yes => Rivalry::None,
            Same::No => Rivalry::Differs(text),
            Same::Unsure => Rivalry::Unsure(text),
        },
        (Some(Yield::Several), _) => Rivalry::Differs(text),
        (Some(Yield::Any(values)), Some(Yield::One(one)))
        | (Some(Yield::One(one)), Some(Yield::Any(values)))
            if candidate.kind != Kind::Sentence
                && values.iter().all(|value| value.same(&one) == Same::No) =>
        {
            Rivalry::Differs(text)
        }
        (Some(_), Some(_)) => Rivalry::Unsure(text),
        _ => text_rivalry(&candidate, &a, &b, text),
    }
}

fn text_rivalry<'a>(candidate: &Candidate<'_>, a: &str, b: &str, text: &'a str) -> Rivalry<'a> {
    let is_short = words(text).take(SHORT + 1).count() <= SHORT;
    let overlaps = holds_words(a, b) || holds_words(b, a);
    let is_labelled = candidate.kind != Kind::Sentence || a.has(|c| c.is_ascii_digit());
    let is_cut = candidate.ending == Ending::AtMarker;
    let other = plain(text);
    if normal(&other) == *b {
        Rivalry::None
    } else if is_short && !overlaps && !is_cut && (is_labelled || words(text).take(2).count() <= 1)
    {
        Rivalry::Differs(text)
    } else {
        Rivalry::Unsure(text)
    }
}

/// What an earlier answer commits to in numbers.
fn numbers(text: &str, reference: &Reference) -> Option<Yield> {
    if !text.has(|c| c.is_ascii_digit()) || !(reference.is_numeric() || reference.is_absent()) {
        return None;
    }
    match commit::read(&plain(text), Place::Marked, reference).yields {
        Yield::Nothing | Yield::Text => None,
        yields => Some(yields),
    }
}

/// What the last answer commits to in numbers.
fn numbers_of(last: &Candidate<'_>, reading: &Reading, reference: &Reference) -> Option<Yield> {
    match &reading.yields {
        Yield::One(_) | Yield::Any(_) => Some(reading.yields.clone()),
        _ => numbers(last.text, reference),
    }
}

/// The text without the connective that leads on to the next marker.
fn unconnected(text: &str) -> &str {
    let mut text = text.trim_end_of(|c| {
        !c.is_alphanumeric() && !matches!(c, '=' | '%' | ')' | '≈' | '+' | '×' | '$')
    });
    for _ in 0..4 {
        let word = words(text).last().filter(|(at, word)| at + word.len() == text.len());
        let Some((at, word)) = word else { break };
        let connects =
            ["so", "and", "or", "therefore", "thus", "hence", "then", "the", "my", "our"];
        if !is_one_of(word, &connects) {
            break;
        }
        text =
            text[..at].trim_end_of(|c| !c.is_alphanumeric() && !matches!(c, '=' | '%' | ')' | '$'));
    }
    trim(text)
}

/// Whether the text before the next marker only leads up to it: "x =", "which is".
fn ends_in_connective(candidate: &Candidate<'_>) -> bool {
    if candidate.ending != Ending::AtMarker {
        return false;
    }
    let text =
        candidate.text.trim_end_of(|c| matches!(c, ' ' | '$' | '*' | '_' | '(' | '[' | '\\'));
    let last = words(text).last().map_or("", |(_, word)| word);
    let leads = [
        "is",
        "are",
        "equals",
        "gives",
        "be",
        "of",
        "a",
        "box",
        "as",
        "get",
        "in",
        "to",
        "therefore",
        "left",
        "displaystyle",
    ];
    text.closes(|c| matches!(c, '=' | '≈' | ':' | '≥' | '≤' | '<' | '>')) || is_one_of(last, &leads)
}

/// The items of the list that a text begins with.
fn items(list: &str) -> impl Iterator<Item = &str> {
    const MOST: usize = 64;
    list.lines().take(MOST).map_while(|line| list_item(trim(line)))
}

/// Whether the list holds two or more different items.
pub(crate) fn is_open_list(list: &str) -> bool {
    let mut items = items(list);
    let first = items.next().map(normal);
    items.any(|item| Some(normal(item)) != first)
}
