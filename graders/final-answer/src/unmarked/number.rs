//! The closing statement, where the reference is a number.

use crate::commitment::commit::{self, Place, Reading, Yield};
use crate::language::cautions::{CONNECTIVES, FOREIGN, HEDGES, IMPERATIVES, PLANS, REJECTIONS};
use crate::language::edges::Edges;
use crate::language::phrases::{any_at, find_any, is_one_of, words};
use crate::language::text::{excerpt, trim};
use crate::markers::marked::{compare, one_ruling};
use crate::numbers::value::Value;
use crate::page::latex::plain;
use crate::page::sentence;
use crate::reference::{Reference, whole_value};
use crate::status::{Judgement, Ruling, Status};
use crate::unmarked::close::{Close, ends_sentence};

/// The closing statement, for a reference that is a number.
pub(crate) fn judge(close: &Close<'_>, reference: &Reference) -> Judgement {
    let said = excerpt(close.line);
    if let Some(value) = whole_value(close.line).filter(Value::is_numeric) {
        let one = if close.has_different_items() { Status::Unproven } else { Status::Pass };
        return committed(close.line, &Reading { one, yields: Yield::One(value) }, reference);
    }
    let goes_on = close.line.opens(char::is_lowercase) && close.paragraph.len() < 2000;
    let sentence = sentence::last(if goes_on { close.paragraph } else { close.line });
    let unwrapped = plain(trim(sentence));
    let has_equals = unwrapped.contains('=');
    if !has_equals && !ends_sentence(&unwrapped) {
        return Judgement::unclear(format!(
            "the closing sentence has no end, so it may be cut off: `{said}`"
        ));
    }
    let reading = commit::read(&unwrapped, Place::Closing, reference);
    let numeric = match &reading.yields {
        Yield::One(value) => value.is_numeric(),
        Yield::Any(values) => values.iter().any(Value::is_numeric),
        _ => false,
    };
    if !numeric {
        return Judgement::unclear(format!("the closing statement commits to no number: `{said}`"));
    }
    // What leads up to an `=` chain may plan it; the chain itself is worked out.
    let plan = match unwrapped.rsplit_once('=') {
        Some((_, behind)) => find_any(behind, PLANS).map(|(_, word)| word),
        None => plan(&unwrapped),
    };
    let doubt = caution(&unwrapped).or(plan);
    if let Some(word) = doubt.filter(|_| reading.one != Status::Fail) {
        return Judgement::unclear(format!("\"{word}\" in `{said}` may plan, guess or reject"));
    }
    committed(trim(sentence), &reading, reference)
}

fn committed(text: &str, reading: &Reading, reference: &Reference) -> Judgement {
    Judgement {
        states: Ruling::new(
            Status::Pass,
            format!("the closing statement commits to a number: `{}`", excerpt(text)),
        ),
        one: one_ruling(reading.one, text),
        matches: compare(text, reading, reference),
    }
}

/// A word that makes a closing sentence a guess or a rejection.
fn caution(sentence: &str) -> Option<&'static str> {
    let found = find_any(sentence, HEDGES).or_else(|| find_any(sentence, REJECTIONS));
    let foreign = || FOREIGN.iter().copied().find(|word| sentence.contains(word));
    found.map(|(_, word)| word).or_else(foreign)
}

/// A word that makes a closing sentence a plan or an order.
fn plan(sentence: &str) -> Option<&'static str> {
    if let Some((_, word)) = find_any(sentence, PLANS) {
        return Some(word);
    }
    let (at, _) = words(sentence).find(|(_, word)| !is_one_of(word, CONNECTIVES))?;
    any_at(&sentence[at..], IMPERATIVES).map(|(word, _)| word)
}
