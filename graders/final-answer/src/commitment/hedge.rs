//! Tells when several numbers in a sentence are a choice: `or`, `either`, `/`, odds, lists.

use crate::commitment::commit::Sentence;
use crate::commitment::odds::ODDS;
use crate::numbers::token::{Spanned, Token};
use crate::numbers::value::Value;
use crate::same::Same;

/// Whether unequal values are offered as a choice.
pub(crate) fn is_choice(sentence: &Sentence<'_>) -> bool {
    let pairs = sentence.counted.windows(2);
    let joined = pairs
        .clone()
        .any(|pair| is_joined(sentence, pair[0], pair[1]) && differ(sentence, pair[0], pair[1]));
    let either = sentence.tokens.iter().position(|token| token.is_word(&["either"]));
    let chosen = either.is_some_and(|at| {
        sentence.counted.first().is_some_and(|first| at < *first && first - at <= 4)
    });
    joined || chosen || is_list(sentence, 0) || is_odds(sentence)
}

fn differ(sentence: &Sentence<'_>, a: usize, b: usize) -> bool {
    match (sentence.value(a), sentence.value(b)) {
        (Some(a), Some(b)) => !sentence.is_same(a, b),
        _ => false,
    }
}

/// Whether `or` or a slash stands between two values, in one clause.
pub(crate) fn is_joined(sentence: &Sentence<'_>, from: usize, to: usize) -> bool {
    const LONGEST: usize = 12;
    let between = &sentence.tokens[from + 1..to];
    let opened = between.first().is_some_and(|token| matches!(token.token, Token::Open));
    if opened && between.get(1).is_some_and(|token| token.is_word(&["or"])) {
        // "41 (or 42)" is a choice, "5 km (or 3.1 miles)" may convert.
        return between.len() <= LONGEST && units_agree(sentence, from, to);
    }
    let between = unbracketed(between);
    let clause_ends =
        between.iter().any(|token| matches!(token.token, Token::Stop | Token::Close | Token::Open));
    if clause_ends || between.len() > LONGEST {
        return false;
    }
    between.iter().any(|token| token.is_word(&["or"])) || is_slash(&between)
}

/// Whether nothing but a slash and the words that the values count stands there: "12 apples / 14 apples".
fn is_slash(between: &[&Spanned<'_>]) -> bool {
    let slashes =
        between.iter().filter(|token| matches!(token.token, Token::Operator('/'))).count();
    let words = between.iter().filter(|token| matches!(token.token, Token::Word(_))).count();
    slashes == 1 && slashes + words == between.len() && words <= 6
}

/// The tokens without those in brackets that open and close among them.
fn unbracketed<'t, 'a>(tokens: &'t [Spanned<'a>]) -> Vec<&'t Spanned<'a>> {
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let closing = tokens[at..].iter().position(|token| matches!(token.token, Token::Close));
        match closing {
            Some(length) if matches!(token.token, Token::Open) => at += length,
            _ => kept.push(token),
        }
        at += 1;
    }
    kept
}

fn units_agree(sentence: &Sentence<'_>, from: usize, to: usize) -> bool {
    match (sentence.value(from), sentence.value(to)) {
        (Some(a), Some(b)) => a.unit().agrees(b.unit()) == Same::Yes,
        _ => false,
    }
}

/// Whether three or more values stand in a list, from one counted value on.
pub(crate) fn is_list(sentence: &Sentence<'_>, first: usize) -> bool {
    let counted = &sentence.counted[first.min(sentence.counted.len())..];
    let mut run = 1;
    let mut differs = false;
    for pair in counted.windows(2) {
        if is_listed(&sentence.tokens[pair[0] + 1..pair[1]]) {
            run += 1;
            differs |= differ(sentence, pair[0], pair[1]);
        } else {
            run = 1;
            differs = false;
        }
        if run >= 3 && differs {
            return true;
        }
    }
    false
}

/// A comma, semicolon, `and` or `or`, with at most one word, or with a few before it that the first value counts.
fn is_listed(between: &[Spanned<'_>]) -> bool {
    let parts = |token: &Spanned<'_>| {
        matches!(token.token, Token::Comma | Token::Stop) || token.is_word(&["and", "or"])
    };
    let is_word = |token: &Spanned<'_>| matches!(token.token, Token::Word(_));
    let Some(part) = between.iter().position(parts) else { return false };
    let (counted, behind) = between.split_at(part);
    let others: Vec<_> = behind.iter().filter(|token| !parts(token)).collect();
    let are_words = counted.iter().all(is_word) && others.iter().all(|token| is_word(token));
    are_words && (counted.len() + others.len() <= 1 || (counted.len() <= 3 && others.is_empty()))
}

/// Whether per cent odds stand beside two or more candidates.
fn is_odds(sentence: &Sentence<'_>) -> bool {
    let values = || sentence.counted.iter().filter_map(|index| sentence.value(*index));
    let percents = values().filter(|value| value.unit().is_percent()).count();
    let candidates: Vec<&Value> = values().filter(|value| !value.unit().is_percent()).collect();
    let differing = candidates.windows(2).any(|pair| !sentence.is_same(pair[0], pair[1]));
    let spoken = sentence.tokens.iter().any(|token| token.is_word(ODDS));
    // "20% of 210" is a share, not odds.
    let shares = sentence.counted.iter().any(|index| {
        let percent = sentence.value(*index).is_some_and(|value| value.unit().is_percent());
        percent && sentence.tokens.get(index + 1).is_some_and(|token| token.is_word(&["of"]))
    });
    differing && (percents >= 2 || (percents == 1 && spoken)) && !shares
}
