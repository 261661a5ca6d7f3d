//! Joins the tokens of ranges and bounds into one value each.

use crate::language::phrases::{any_at, phrase_at};
use crate::numbers::token::{Spanned, Token, tokens};
use crate::numbers::value::{Limit, Quantity, Value};

/// Phrases before a number that make it a bound.
const BOUNDS_BEFORE: &[(&str, Limit)] = &[
    ("no more than", Limit::AtMost),
    ("not more than", Limit::AtMost),
    ("no greater than", Limit::AtMost),
    ("not exceeding", Limit::AtMost),
    ("at most", Limit::AtMost),
    ("up to", Limit::AtMost),
    ("maximum of", Limit::AtMost),
    ("less than or equal to", Limit::AtMost),
    ("no less than", Limit::AtLeast),
    ("not less than", Limit::AtLeast),
    ("no fewer than", Limit::AtLeast),
    ("not fewer than", Limit::AtLeast),
    ("at least", Limit::AtLeast),
    ("minimum of", Limit::AtLeast),
    ("greater than or equal to", Limit::AtLeast),
    ("more than or equal to", Limit::AtLeast),
    ("more than", Limit::MoreThan),
    ("greater than", Limit::MoreThan),
    ("larger than", Limit::MoreThan),
    ("over", Limit::MoreThan),
    ("above", Limit::MoreThan),
    ("exceeds", Limit::MoreThan),
    ("exceeding", Limit::MoreThan),
    ("less than", Limit::LessThan),
    ("fewer than", Limit::LessThan),
    ("smaller than", Limit::LessThan),
    ("under", Limit::LessThan),
    ("below", Limit::LessThan),
];

/// Phrases behind a number that make it a bound.
const BOUNDS_BEHIND: &[(&str, Limit)] = &[
    ("or more", Limit::AtLeast),
    ("or greater", Limit::AtLeast),
    ("or higher", Limit::AtLeast),
    ("or above", Limit::AtLeast),
    ("or over", Limit::AtLeast),
    ("or larger", Limit::AtLeast),
    ("or later", Limit::AtLeast),
    ("and above", Limit::AtLeast),
    ("at least", Limit::AtLeast),
    ("minimum", Limit::AtLeast),
    ("or less", Limit::AtMost),
    ("or fewer", Limit::AtMost),
    ("or lower", Limit::AtMost),
    ("or below", Limit::AtMost),
    ("or under", Limit::AtMost),
    ("or smaller", Limit::AtMost),
    ("and below", Limit::AtMost),
    ("at most", Limit::AtMost),
    ("maximum", Limit::AtMost),
];

/// Words that only say a number is rounded.
const ABOUT: &[&str] = &[
    "about",
    "approximately",
    "approx",
    "roughly",
    "around",
    "circa",
    "ca",
    "or so",
    "exactly",
    "only",
    "just",
];

/// What becomes of the tokens from one on.
enum Step<'a> {
    /// The token stays as it is.
    Keep,
    /// The tokens before this index are left out.
    Skip(usize),
    /// The tokens before this index become one.
    Join(Spanned<'a>, usize),
}

/// The tokens of a text with its ranges and bounds joined, and "about" left out.
pub(crate) fn folded(text: &str) -> Vec<Spanned<'_>> {
    let raw = tokens(text);
    let mut out: Vec<Spanned<'_>> = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(token) = raw.get(at) {
        match step(text, &raw, at, out.last()) {
            Step::Keep => {
                out.push(token.clone());
                at += 1;
            }
            Step::Skip(next) => at = next.max(at + 1),
            Step::Join(token, next) => {
                out.push(token);
                at = next.max(at + 1);
            }
        }
    }
    out
}

fn step<'a>(text: &str, raw: &[Spanned<'a>], at: usize, before: Option<&Spanned<'a>>) -> Step<'a> {
    let joined = match &raw[at].token {
        Token::Word(_) => return word(text, raw, at),
        Token::Compare(limit) if before.is_none_or(|token| token.value().is_none()) => {
            bound(raw, at, at + 1, *limit)
        }
        Token::Value(Value::Number(_)) => {
            range(raw, at, before).or_else(|| bound_behind(text, raw, at))
        }
        _ => None,
    };
    joined.map_or(Step::Keep, |(token, next)| Step::Join(token, next))
}

fn word<'a>(text: &str, raw: &[Spanned<'a>], at: usize) -> Step<'a> {
    let start = raw[at].start;
    if let Some((phrase, length)) = any_at(&text[start..], ABOUT) {
        let next = index_behind(raw, at, start + length);
        let before_value = raw
            .get(next)
            .is_some_and(|token| token.value().is_some() || matches!(token.token, Token::Approx));
        return if phrase == "or so" || before_value { Step::Skip(next) } else { Step::Keep };
    }
    let between = raw[at].is_word(&["between"])
        && raw.get(at + 2).is_some_and(|token| token.is_word(&["and"]));
    if let (true, Some(low), Some(high)) = (between, quantity(raw, at + 1), quantity(raw, at + 3)) {
        return Step::Join(range_value(raw, at, at + 3, low, high), at + 4);
    }
    for (phrase, limit) in BOUNDS_BEFORE {
        if let Some(length) = phrase_at(&text[start..], phrase) {
            let next = index_behind(raw, at, start + length);
            return bound(raw, at, next, *limit)
                .map_or(Step::Keep, |(token, next)| Step::Join(token, next));
        }
    }
    Step::Keep
}

/// The first token that begins at or behind a place.
fn index_behind(raw: &[Spanned<'_>], at: usize, place: usize) -> usize {
    let ahead = raw[at..].iter().position(|token| token.start >= place);
    ahead.map_or(raw.len(), |steps| at + steps)
}

fn quantity<'t>(raw: &'t [Spanned<'_>], at: usize) -> Option<&'t Quantity> {
    match raw.get(at)?.value()? {
        Value::Number(quantity) => Some(quantity),
        _ => None,
    }
}

/// A bound whose number stands at `number`, perhaps behind an "about".
fn bound<'a>(
    raw: &[Spanned<'a>],
    at: usize,
    number: usize,
    limit: Limit,
) -> Option<(Spanned<'a>, usize)> {
    let about = raw
        .get(number)
        .is_some_and(|token| token.is_word(ABOUT) || matches!(token.token, Token::Approx));
    let number = number + usize::from(about);
    let value = Value::Bound(limit, quantity(raw, number)?.clone());
    let joined = Spanned { token: Token::Value(value), start: raw[at].start, end: raw[number].end };
    Some((joined, number + 1))
}

fn bound_behind<'a>(text: &str, raw: &[Spanned<'a>], at: usize) -> Option<(Spanned<'a>, usize)> {
    let next = raw.get(at + 1)?;
    if !matches!(next.token, Token::Word(_)) {
        return None;
    }
    let (limit, length) = BOUNDS_BEHIND
        .iter()
        .find_map(|(phrase, limit)| Some((*limit, phrase_at(&text[next.start..], phrase)?)))?;
    let end = index_behind(raw, at + 1, next.start + length);
    // "5 or more than 6", "5 at least 6": the phrase belongs to the next number.
    if raw.get(end).is_some_and(|token| token.value().is_some() || token.is_word(&["than"])) {
        return None;
    }
    let value = Value::Bound(limit, quantity(raw, at)?.clone());
    Some((
        Spanned { token: Token::Value(value), start: raw[at].start, end: next.start + length },
        end,
    ))
}

/// "5-7", "5–7", "5 to 7", where the first is the smaller and no sum is written.
fn range<'a>(
    raw: &[Spanned<'a>],
    at: usize,
    before: Option<&Spanned<'a>>,
) -> Option<(Spanned<'a>, usize)> {
    let joint = raw.get(at + 1)?;
    let (low, high) = (quantity(raw, at)?, quantity(raw, at + 2)?);
    let is_tight = joint.start == raw[at].end && raw[at + 2].start == joint.end;
    let joins = match joint.token {
        Token::Operator('-') => is_tight && !is_sum(before, raw.get(at + 3)),
        Token::Dash => !is_sum(before, raw.get(at + 3)),
        Token::Word(word) => word.eq_ignore_ascii_case("to"),
        _ => false,
    };
    if !joins || low.number.below(&high.number) == Some(false) {
        return None;
    }
    Some((range_value(raw, at, at + 2, low, high), at + 3))
}

fn is_sum(before: Option<&Spanned<'_>>, behind: Option<&Spanned<'_>>) -> bool {
    let sums = |token: &Spanned<'_>| matches!(token.token, Token::Operator(_) | Token::Equals);
    before.is_some_and(|token| matches!(token.token, Token::Operator(_)))
        || behind.is_some_and(sums)
}

/// The range of two quantities; a unit that only the second states counts for both.
fn range_value<'a>(
    raw: &[Spanned<'a>],
    from: usize,
    to: usize,
    low: &Quantity,
    high: &Quantity,
) -> Spanned<'a> {
    let (mut low, mut high) = (low.clone(), high.clone());
    if low.unit.is_none() {
        low.unit = high.unit;
    } else if high.unit.is_none() {
        high.unit = low.unit;
    }
    Spanned {
        token: Token::Value(Value::Range(Box::new((low, high)))),
        start: raw[from].start,
        end: raw[to].end,
    }
}
