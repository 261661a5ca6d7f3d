//! Tells refusals and denials from answers.

use crate::language::edges::Edges;
use crate::language::lists::{DENIALS, UNCLEAR, UNKNOWNS};
use crate::language::phrases::{any_at, find_any, is_one_of, phrase_at, words};
use crate::language::refusals::{ADVERBS, IDIOMS, REFUSALS, REPORTS, SUPPOSES};
use crate::language::text::trim;
use crate::markers::marker::Surety;

/// What may stand before a denial.
const FILLERS: &[&str] = &[
    "unfortunately",
    "sorry",
    "i'm sorry",
    "i am sorry",
    "but",
    "it",
    "this",
    "that",
    "the answer",
    "the value",
    "the result",
    "is",
    "simply",
    "just",
    "still",
    "currently",
    "as yet",
    "apologies",
    "well",
    "honestly",
    "actually",
    "however",
    "i'm afraid",
    "i am afraid",
    "regrettably",
    "as an ai language model",
    "as an ai model",
    "as an ai",
    "as a language model",
    "as an assistant",
];

/// Phrases that begin with `not` and state a bound.
const BOUNDS: &[&str] = &[
    "not more than",
    "not less than",
    "not fewer than",
    "not exceeding",
    "not greater than",
    "not only",
];

/// Words that lead in a reason.
pub(crate) const REASONS: &[&str] = &["because", "since"];

/// What stands behind a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denial {
    /// Nothing of the kind.
    None,
    /// It denies or refuses an answer.
    Sure,
    /// It may.
    Perhaps,
}

/// Whether a text refuses in the first person.
pub(crate) fn refuses(text: &str) -> Surety {
    let mut found = Surety::No;
    for (at, word) in words(text) {
        if !word.opens(|c| matches!(c, 'i' | 'I')) {
            continue;
        }
        match refusal_at(&text[at..]) {
            Surety::Yes if !is_reported(&text[..at]) => return Surety::Yes,
            Surety::Yes | Surety::Perhaps => found = Surety::Perhaps,
            Surety::No => {}
        }
    }
    found
}

/// Whether a refusal begins a text: "I can't predict it" does, "I can't believe it" may not.
fn refusal_at(text: &str) -> Surety {
    match refusal_length(text) {
        None => Surety::No,
        Some(length) if any_at(after_adverbs(&text[length..]), IDIOMS).is_some() => Surety::Perhaps,
        Some(_) => Surety::Yes,
    }
}

/// The length of a refusal of the list, perhaps with an adverb behind its "I".
fn refusal_length(text: &str) -> Option<usize> {
    if let Some((_, length)) = any_at(text, REFUSALS) {
        return Some(length);
    }
    let behind = after_adverbs(&text[phrase_at(text, "i")?..]);
    let length =
        REFUSALS.iter().find_map(|phrase| phrase_at(behind, phrase.strip_prefix("i ")?))?;
    Some(text.len() - behind.len() + length)
}

fn after_adverbs(text: &str) -> &str {
    let gap = [' ', '\t', '*', '_'];
    let mut rest = text.trim_start_matches(gap);
    while let Some((_, length)) = any_at(rest, ADVERBS) {
        rest = rest[length..].trim_start_matches(gap);
    }
    rest
}

/// Whether the words right before a refusal report or suppose it: "she says I can't", "if I can't".
fn is_reported(before: &str) -> bool {
    const NEAR: usize = 4;
    let before = near_end(before);
    let clause = before.rsplit(['.', '!', '?', ';', ':']).next().unwrap_or(before);
    let near: Vec<&str> = words(clause).map(|(_, word)| word).collect();
    let near = &near[near.len().saturating_sub(NEAR)..];
    let reports = near.iter().any(|word| is_one_of(word, REPORTS));
    let speaks = near.iter().any(|word| is_one_of(word, &["i"]));
    (reports && !speaks) || near.last().is_some_and(|word| is_one_of(word, SUPPOSES))
}

/// The end of a text, as far as it is looked at.
fn near_end(text: &str) -> &str {
    const LONGEST: usize = 80;
    let mut start = text.len().saturating_sub(LONGEST);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

/// Whether an answer behind a marker denies that there is one. The text is bare of LaTeX, quotes and emphasis.
pub(crate) fn denial(text: &str) -> Denial {
    let mut rest = text;
    let mut fillers = 0;
    loop {
        match begins(rest) {
            Denial::None => {}
            found => return found,
        }
        let Some((_, length)) = any_at(rest, FILLERS).filter(|_| fillers < 8) else { break };
        rest = rest[length..]
            .trim_start_of(|c| c.is_whitespace() || matches!(c, ',' | '—' | '-' | ':' | '*' | '_'));
        fillers += 1;
    }
    inside(text)
}

/// A denial that begins the text.
fn begins(text: &str) -> Denial {
    if any_at(text, DENIALS).is_some() {
        return Denial::Sure;
    }
    match refusal_at(text) {
        Surety::Yes => return Denial::Sure,
        Surety::Perhaps => return Denial::Perhaps,
        Surety::No => {}
    }
    if any_at(text, BOUNDS).is_some() || phrase_at(text, "not").is_none() {
        return Denial::None;
    }
    let goes_on = words(text).any(|(_, word)| word.eq_ignore_ascii_case("but"));
    let is_unknown = any_at(text, UNKNOWNS).is_some();
    if goes_on && !is_unknown { Denial::Perhaps } else { Denial::Sure }
}

/// A denial further on in the text; a reason behind the answer does not count.
fn inside(text: &str) -> Denial {
    let reason = find_any(text, REASONS).map_or(text.len(), |(at, _)| at);
    let text = &text[..reason];
    if let Some((at, _)) = find_any(text, &DENIALS[..5]) {
        let before = &text[..at];
        let bare = !before.has(|c| c.is_ascii_digit() || matches!(c, ',' | ';' | '('))
            && !before.contains(" but ");
        return if bare { Denial::Sure } else { Denial::Perhaps };
    }
    let unclear = find_any(text, UNCLEAR).is_some()
        || find_any(text, DENIALS).is_some()
        || find_any(text, UNKNOWNS).is_some();
    if unclear || refuses(text) != Surety::No { Denial::Perhaps } else { Denial::None }
}

/// Whether a reference says itself that there is no answer, or denies something.
pub(crate) fn is_denial(reference: &str) -> bool {
    let bare = trim(reference);
    begins(bare) != Denial::None
        || find_any(bare, UNCLEAR).is_some()
        || find_any(bare, DENIALS).is_some()
}
