//! Tells when words offer several candidates.

use crate::language::edges::Edges;
use crate::language::phrases::{any_at, is_one_of, words};
use crate::language::text::{normal, strip_outer, trim};

/// The longest candidate that is surely one, in words.
const LONGEST: usize = 3;

/// Words that no bare candidate holds: they make a clause.
const CLAUSE_WORDS: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "am",
    "we",
    "i",
    "you",
    "he",
    "she",
    "they",
    "it",
    "its",
    "then",
    "so",
    "because",
    "since",
    "which",
    "who",
    "whom",
    "whose",
    "that",
    "this",
    "these",
    "those",
    "if",
    "when",
    "where",
    "while",
    "not",
    "but",
    "to",
    "has",
    "have",
    "had",
    "do",
    "does",
    "did",
    "can",
    "could",
    "will",
    "would",
    "should",
    "may",
    "might",
    "must",
    "also",
    "however",
    "therefore",
    "thus",
    "hence",
    "well",
    "yes",
    "no",
    "okay",
    "ok",
    "sure",
    "first",
    "second",
    "next",
    "finally",
    "for",
    "with",
    "more",
    "precisely",
    "rather",
    "actually",
    "really",
    "course",
    "indeed",
    "as",
    "such",
    "please",
    "thanks",
    "capital",
    "including",
    "namely",
    "specifically",
];

/// What may stand before the first candidate.
const LEADS: &[&str] = &[
    "either",
    "it is either",
    "it's either",
    "it is",
    "it's",
    "that is",
    "this is",
    "probably",
    "maybe",
    "perhaps",
    "possibly",
    "likely",
    "most likely",
    "is",
    "could be",
    "might be",
    "may be",
    "it could be",
    "it might be",
    "it may be",
    "it must be",
];

/// How many candidates words offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// One.
    Single,
    /// Several.
    Several,
    /// Perhaps several.
    Unsure,
}

/// How many candidates a line or sentence offers.
pub(crate) fn candidates(text: &str) -> Choice {
    let mut bare = strip_outer(text);
    while let Some((_, length)) = any_at(bare, LEADS) {
        let rest = trim(&bare[length..]);
        if rest.is_empty() {
            break;
        }
        bare = rest;
    }
    let commas = bare.matches([',', ';']).count();
    let alternatives = split_word(bare, "or");
    if commas == 0 && alternatives.len() == 2 {
        return two(&alternatives);
    }
    if commas == 0 && alternatives.len() < 2 {
        return if is_slashed(bare) { Choice::Unsure } else { Choice::Single };
    }
    let items = items(bare);
    if items.len() >= 3 && items.iter().all(|item| is_candidate(item, LONGEST)) {
        let first = normal(items[0]);
        let differ = items.iter().any(|item| normal(item) != first);
        return if differ { Choice::Several } else { Choice::Single };
    }
    if items.len() == 2 && alternatives.len() == 2 {
        return two(&[items[0], items[1]]);
    }
    if items.len() >= 3 || alternatives.len() >= 2 { Choice::Unsure } else { Choice::Single }
}

/// Whether a line is a bare candidate and no sentence.
pub(crate) fn is_bare(line: &str) -> bool {
    !line.closes(|c| matches!(c, '.' | '!' | '?' | ':' | '。' | '！' | '？' | '：'))
        && is_candidate(line, LONGEST)
}

/// Whether several bare candidates stand one a line.
pub(crate) fn are_candidates<'a>(items: impl Iterator<Item = &'a str>) -> bool {
    items.into_iter().all(|item| is_candidate(item, LONGEST + 1))
}

/// Whether a slash parts what may be two candidates: "A/B", "yes/no", "Paris / Lyon", not "AC/DC".
fn is_slashed(text: &str) -> bool {
    let Some((left, right)) = text.split_once('/') else { return false };
    let is_short = |side: &str| {
        let side = normal(side);
        side.chars().count() == 1 || matches!(side.as_str(), "yes" | "no" | "true" | "false")
    };
    let is_spaced = left.ends_with(' ') && right.starts_with(' ');
    let are_candidates = is_candidate(left, LONGEST) && is_candidate(right, LONGEST);
    (is_spaced && are_candidates) || (is_short(left) && is_short(right))
}

fn two(sides: &[&str]) -> Choice {
    // Alone, yes and no are answers and not interjections.
    let is_yes_or_no = |side: &&str| matches!(normal(side).as_str(), "yes" | "no");
    if sides.iter().all(is_yes_or_no) && normal(sides[0]) != normal(sides[1]) {
        return Choice::Several;
    }
    if !sides.iter().all(|side| is_candidate(side, LONGEST + 1)) {
        return Choice::Unsure;
    }
    if normal(sides[0]) == normal(sides[1]) { Choice::Single } else { Choice::Several }
}

/// Whether a text is a few words that make no clause.
pub(crate) fn is_candidate(text: &str, longest: usize) -> bool {
    let mut count = 0;
    for (_, word) in words(text) {
        count += 1;
        if count > longest || is_one_of(word, CLAUSE_WORDS) {
            return false;
        }
    }
    count > 0
}

/// The items between commas and semicolons; `and` or `or` may part the last two.
fn items(text: &str) -> Vec<&str> {
    const MOST: usize = 4096;
    let mut items: Vec<&str> =
        text.split([',', ';']).map(trim).filter(|item| !item.is_empty()).take(MOST).collect();
    let Some(last) = items.pop() else { return items };
    for joint in ["or", "and"] {
        if let Some((_, length)) = any_at(last, &[joint]) {
            items.push(trim(&last[length..]));
            return items;
        }
        let parts = split_word(last, joint);
        if parts.len() == 2 {
            items.extend(parts);
            return items;
        }
    }
    items.push(last);
    items
}

/// The parts of a text around a word, at most three.
fn split_word<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, found) in words(text) {
        if found.eq_ignore_ascii_case(word) && parts.len() < 2 && !trim(&text[start..at]).is_empty()
        {
            parts.push(trim(&text[start..at]));
            start = at + found.len();
        }
    }
    parts.push(trim(&text[start..]));
    parts.retain(|part| !part.is_empty());
    parts
}
