//! Tells refusals and denials from answers.

use crate::language::lists::{
    DENIALS, REFUSAL_IDIOMS, REFUSALS, REFUSED_ACTS, UNCLEAR, UNKNOWN_OBJECTS, UNKNOWNS,
};
use crate::language::phrases::{any_at, find_any, phrase_at, words};
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
        if !word.starts_with(['i', 'I']) {
            continue;
        }
        match refusal_at(&text[at..]) {
            Surety::Yes => return Surety::Yes,
            Surety::Perhaps => found = Surety::Perhaps,
            Surety::No => {}
        }
    }
    found
}

/// Whether a refusal begins a text, and whether it surely is one: "I can't help" is, "I can't believe it" may not be.
fn refusal_at(text: &str) -> Surety {
    let Some((phrase, length)) = any_at(text, REFUSALS) else { return Surety::No };
    let behind = text[length..].trim_start_matches([' ', '\t', '*', '_']);
    if behind.starts_with(|c: char| !c.is_alphanumeric()) || behind.is_empty() {
        return Surety::Yes;
    }
    let acts = matches!(
        phrase,
        "i can't" | "i cannot" | "i can not" | "i cant" | "i won't" | "i will not"
    );
    let ability = phrase.contains("able");
    let sure = if acts {
        any_at(behind, REFUSED_ACTS).is_some() && any_at(behind, REFUSAL_IDIOMS).is_none()
    } else if ability {
        phrase_at(behind, "to").is_some() || phrase_at(behind, "at").is_some()
    } else if phrase.contains("know") {
        any_at(behind, UNKNOWN_OBJECTS).is_some()
    } else {
        true
    };
    if sure { Surety::Yes } else { Surety::Perhaps }
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
        rest = rest[length..].trim_start_matches(|c: char| {
            c.is_whitespace() || matches!(c, ',' | '—' | '-' | ':' | '*' | '_')
        });
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

/// A denial further on in the text.
fn inside(text: &str) -> Denial {
    if let Some((at, _)) = find_any(text, &DENIALS[..5]) {
        let before = &text[..at];
        let bare = !before.contains(|c: char| c.is_ascii_digit() || matches!(c, ',' | ';' | '('))
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
