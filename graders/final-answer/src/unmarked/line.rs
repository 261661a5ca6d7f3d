//! The last line as a whole: the reference, or a list of candidates.

use crate::commitment::commit::{Reading, Yield};
use crate::language::choice::{self, Choice};
use crate::language::text::excerpt;
use crate::markers::marked::{compare, one_ruling};
use crate::reference::{Reference, whole_value};
use crate::same::Same;
use crate::status::{Judgement, Ruling, Status};
use crate::unmarked::close::Close;

/// Judges the closing line, or says that it is unclear.
pub(crate) fn judge(close: &Close<'_>, reference: &Reference) -> Judgement {
    let said = excerpt(close.line);
    let states = Ruling::new(Status::Pass, format!("the output closes with `{said}`"));
    if close.is_bulleted() && close.items.len() >= 3 && is_choice(close, reference) {
        return listed(close, states, reference);
    }
    let is_single_item = close.is_bulleted() && close.items.len() == 1;
    if reference.equals(last_item(close)) != Same::No && !is_single_item {
        return equal(close, states, reference);
    }
    let is_choice = choice::candidates(close.line) == Choice::Several;
    if is_choice && !reference.is_numeric() {
        let reading = Reading { one: Status::Fail, yields: Yield::Several };
        let matches = compare(close.line, &reading, reference);
        return Judgement { states, one: one_ruling(Status::Fail, close.line), matches };
    }
    Judgement::unclear(format!(
        "the closing line is not the reference, and code cannot tell what it commits to: `{said}`"
    ))
}

/// The last line without its list mark.
fn last_item<'a>(close: &Close<'a>) -> &'a str {
    let item = close.items.last().copied().filter(|_| close.is_bulleted());
    item.unwrap_or(close.line)
}

/// Whether a list is one of candidates; for a number each item must be one, as in "Total: 7" it is a step.
fn is_choice(close: &Close<'_>, reference: &Reference) -> bool {
    let mut items = close.items.iter().copied();
    close.has_different_items()
        && match reference.is_numeric() {
            true => items.all(|item| whole_value(item).is_some()),
            false => choice::are_candidates(items),
        }
}

/// A list of candidates; of numbers, the last one is judged.
fn listed(close: &Close<'_>, states: Ruling, reference: &Reference) -> Judgement {
    let why = format!("the output closes with a list of {} candidates", close.items.len());
    let last = last_item(close);
    let matches = match whole_value(last).filter(|_| reference.is_numeric()) {
        Some(value) => compare(last, &Reading::one(value), reference),
        None => Ruling::new(Status::Fail, "the list holds several unequal values"),
    };
    Judgement { states, one: Ruling::new(Status::Fail, why), matches }
}

/// A closing line that equals the reference, or may.
fn equal(close: &Close<'_>, states: Ruling, reference: &Reference) -> Judgement {
    let differ = close.has_different_items();
    let one = if differ { Status::Unproven } else { Status::Pass };
    let matches = if close.is_bulleted() && differ {
        Ruling::new(Status::Unproven, "the last of several items equals the reference")
    } else {
        compare(last_item(close), &Reading { one, yields: Yield::Text }, reference)
    };
    Judgement { states, one: one_ruling(one, close.line), matches }
}
