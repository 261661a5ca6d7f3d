//! Reads sentences with `=`: the number right behind the last one counts.

use crate::commitment::commit::{Place, Reading, Sentence, Yield};
use crate::commitment::hedge;
use crate::numbers::token::Token;
use crate::numbers::value::Value;
use crate::same::Same;
use crate::status::Status;

/// How a sentence with `=` reads; `None` when it has none, or nothing can be told from it.
pub(crate) fn read(sentence: &Sentence<'_>) -> Option<Reading> {
    let is_equals = |index: &usize| matches!(sentence.tokens[*index].token, Token::Equals);
    let equals = (0..sentence.tokens.len()).rev().find(is_equals)?;
    let Some(at) = value_behind(sentence, equals) else {
        return match sentence.place {
            Place::Marked => None,
            Place::Closing => Some(Reading { one: Status::Unproven, yields: Yield::Nothing }),
        };
    };
    let value = sentence.value(at)?;
    if let Some(reading) = sum_behind(sentence, equals, at) {
        return Some(reading);
    }
    if offers_another(sentence, at) || hedged_before(sentence, equals, value) {
        let last = sentence.counted.iter().rev().find_map(|index| sentence.value(*index))?;
        return Some(sentence.failed(last));
    }
    Some(alone(sentence, equals, at))
}

/// The index of the value right behind an `=`.
fn value_behind(sentence: &Sentence<'_>, equals: usize) -> Option<usize> {
    let mut at = equals + 1;
    while matches!(sentence.tokens.get(at)?.token, Token::Approx | Token::Open) {
        at += 1;
    }
    sentence.value(at).filter(|value| value.is_numeric()).map(|_| at)
}

/// A last member that is arithmetic itself: "42 = 6 × 7".
fn sum_behind(sentence: &Sentence<'_>, equals: usize, at: usize) -> Option<Reading> {
    let arithmetic = |index: &usize| {
        matches!(
            sentence.tokens[*index].token,
            Token::Value(_) | Token::Operator(_) | Token::Open | Token::Close
        )
    };
    let mut end = (at..sentence.tokens.len()).take_while(arithmetic).last()?;
    while end > at && sentence.value(end).is_none() && sentence.worked_out((at, end)).is_none() {
        end -= 1;
    }
    let has_operator =
        (at..=end).any(|index| matches!(sentence.tokens[index].token, Token::Operator(_)));
    if !has_operator {
        return None;
    }
    let first = sentence.value(at)?.clone();
    let Some(sum) = sentence.worked_out((at, end)) else {
        return Some(Reading::any(Status::Unproven, sentence.values()));
    };
    let before =
        (0..equals).rev().find(|index| !matches!(sentence.tokens[*index].token, Token::Open));
    if let Some(member) = before.and_then(|index| sentence.value(index))
        && member.same(&sum) == Same::Yes
    {
        return Some(Reading::one(member.clone()));
    }
    Some(Reading::any(Status::Pass, vec![first, sum]))
}

/// Whether another value is joined right behind: "= 42 or 43", "= 1, 2, 3".
fn offers_another(sentence: &Sentence<'_>, at: usize) -> bool {
    let position = sentence.counted.iter().position(|index| *index == at);
    let Some(value) = sentence.value(at) else { return false };
    let others = position.map_or(&[][..], |position| &sentence.counted[position + 1..]);
    let Some(next) = others.first() else { return false };
    let differs = sentence.value(*next).is_some_and(|other| !sentence.is_same(value, other));
    let joined = hedge::is_joined(sentence, at, *next) && differs;
    joined || hedge::is_list(sentence, position.unwrap_or(0))
}

/// Whether an earlier equation offers another value: "x = 2 or x = 3".
fn hedged_before(sentence: &Sentence<'_>, equals: usize, value: &Value) -> bool {
    let is_equals = |index: &usize| matches!(sentence.tokens[*index].token, Token::Equals);
    let Some(earlier) = (0..equals).rev().find(is_equals) else { return false };
    let has_or = (earlier..equals).any(|index| sentence.tokens[index].is_word(&["or"]));
    let Some(other) = value_behind(sentence, earlier).and_then(|index| sentence.value(index))
    else {
        return false;
    };
    has_or && !sentence.is_same(other, value)
}

/// A value behind the last `=` that no other is joined to.
fn alone(sentence: &Sentence<'_>, equals: usize, at: usize) -> Reading {
    let Some(value) = sentence.value(at) else {
        return Reading::any(Status::Unproven, sentence.values());
    };
    let rivals = rivals(sentence, equals, at);
    let differing: Vec<Value> =
        rivals.into_iter().filter(|rival| !sentence.is_same(rival, value)).collect();
    if differing.is_empty() {
        return Reading::one(value.clone());
    }
    let mut values = vec![value.clone()];
    values.extend(differing);
    Reading::any(Status::Unproven, values)
}

/// Values that may be the answer instead behind a marker: one that opens the sentence, one behind `≈`, a value listed
/// behind, and the value of another equation beside the last. In a closing statement the last member is the answer.
fn rivals(sentence: &Sentence<'_>, equals: usize, at: usize) -> Vec<Value> {
    let mut rivals = Vec::new();
    if sentence.place == Place::Closing {
        return rivals;
    }
    let is_sum =
        |token: &Token<'_>| matches!(token, Token::Operator(_) | Token::Equals | Token::Approx);
    let leads = sentence.tokens.get(1).is_some_and(|next| !is_sum(&next.token));
    if leads && sentence.counted.first() == Some(&0) {
        rivals.extend(sentence.value(0).cloned());
    }
    let behind = |index: usize| sentence.tokens.get(index).map(|token| &token.token);
    let listed = matches!(behind(at + 1), Some(Token::Approx | Token::Comma | Token::Operator(_)));
    if listed || sentence.tokens.get(at + 1).is_some_and(|token| token.is_word(&["and"])) {
        rivals.extend(sentence.value(at + 2).cloned());
    }
    let beside = equals >= 2 && matches!(behind(equals - 2), Some(Token::Comma | Token::Stop));
    let and_beside = equals >= 2 && sentence.tokens[equals - 2].is_word(&["and"]);
    if beside || and_beside {
        let earlier =
            (0..equals).rev().find(|index| matches!(sentence.tokens[*index].token, Token::Equals));
        rivals.extend(earlier.and_then(|index| sentence.value(index + 1)).cloned());
    }
    rivals
}
