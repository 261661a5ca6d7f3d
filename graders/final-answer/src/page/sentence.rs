//! Where sentences end.

use crate::language::edges::Edges;
use crate::language::phrases::is_one_of;

/// Words before a full stop that usually do not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "approx", "art", "ave", "bros", "ca", "capt", "cf", "co", "col", "corp", "dept", "dr", "eq",
    "est", "etc", "fig", "fr", "ft", "gen", "gov", "hon", "inc", "jr", "lt", "ltd", "max", "min",
    "mr", "mrs", "ms", "mt", "no", "op", "pres", "prof", "rev", "sec", "sen", "sgt", "sq", "sr",
    "st", "vol", "vs",
];

/// One possible end of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// Just behind the closing mark.
    pub at: usize,
    /// How sure the end is.
    pub surety: Surety,
}

/// How sure an end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surety {
    /// The sentence ends here.
    Sure,
    /// An abbreviation or initial: the sentence may go on.
    Doubtful,
}

/// Whether a character closes quotes, brackets or emphasis behind a full stop.
pub(crate) fn is_closer(c: char) -> bool {
    matches!(
        c,
        '"' | '」' | '）' | '\'' | '”' | '’' | '»' | ')' | ']' | '}' | '*' | '_' | '`' | '$'
    )
}

/// The ends in a text, in order.
pub(crate) fn ends(text: &str) -> impl Iterator<Item = End> + '_ {
    text.char_indices().filter_map(move |(at, c)| match c {
        '。' | '！' | '？' | '｡' => Some(End { at: at + c.len_utf8(), surety: Surety::Sure }),
        '.' | '!' | '?' => end_at(text, at, c),
        _ => None,
    })
}

/// The part of the text up to the first sure end.
pub(crate) fn first(text: &str) -> &str {
    ends(text).find(|end| end.surety == Surety::Sure).map_or(text, |end| &text[..end.at])
}

/// The last sentence that holds a letter or digit.
pub(crate) fn last(text: &str) -> &str {
    let mut kept = "";
    let mut start = 0;
    let sure = ends(text).filter(|end| end.surety == Surety::Sure).map(|end| end.at);
    for end in sure.chain([text.len()]) {
        let piece = &text[start..end];
        if piece.has(char::is_alphanumeric) {
            kept = piece;
        }
        start = end;
    }
    kept
}

fn end_at(text: &str, at: usize, mark: char) -> Option<End> {
    let rest = text[at + 1..].trim_start_of(is_closer);
    let next = rest.chars().next();
    if next.is_some_and(|c| !c.is_whitespace()) {
        return None;
    }
    let ahead = rest.trim_start();
    let end = |surety| Some(End { at: at + 1, surety });
    if mark != '.' || ahead.is_empty() {
        return end(Surety::Sure);
    }
    if text[..at].ends_with('.') {
        return None;
    }
    let word = &text[word_start(text, at)..at];
    let letters = !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || c == '.');
    if letters && (word.contains('.') || word.chars().count() == 1 || is_abbreviation(word)) {
        return end(Surety::Doubtful);
    }
    let surety =
        if letters && ahead.opens(char::is_lowercase) { Surety::Doubtful } else { Surety::Sure };
    end(surety)
}

/// Where the word before `at` begins; long words are cut, as only short ones matter.
fn word_start(text: &str, at: usize) -> usize {
    let before = text[..at].char_indices().rev().take(24);
    before
        .take_while(|(_, c)| c.is_alphanumeric() || *c == '.')
        .last()
        .map_or(at, |(start, _)| start)
}

fn is_abbreviation(word: &str) -> bool {
    is_one_of(word, ABBREVIATIONS)
}
