//! Judges an output without a marker by how it ends.

mod close;
mod line;
mod number;
pub(crate) mod rest;

use crate::language::edges::Edges;
use crate::language::text::{excerpt, trim};
use crate::markers::marker::Surety;
use crate::page::break_off::{breaks_off, unemphasised};
use crate::page::layout::Mask;
use crate::page::sentence;
use crate::reference::Reference;
use crate::same::Same;
use crate::status::{Judgement, Ruling, Status};
use crate::unmarked::close::Close;

/// Judges a text without a marker.
pub(crate) fn judge(text: &str, reference: &Reference) -> Judgement {
    if trim(text).is_empty() {
        return Judgement::nothing("the output is empty");
    }
    let bare = unemphasised(text);
    let ends_open = bare.closes(|c| matches!(c, '?' | '？' | ':' | '：')) || breaks_off(bare);
    let last = bare.chars().next_back();
    let as_reference =
        !ends_open || reference.any_text(|known| trim(known).chars().next_back() == last);
    if as_reference && reference.equals(text) == Same::Yes {
        return whole(text);
    }
    let close = close::read(text);
    if let Some(judgement) = uncommitted(&close) {
        return judgement;
    }
    let by_line = line::judge(&close, reference);
    if reference.is_numeric() && by_line.states.status != Status::Pass {
        return number::judge(&close, reference);
    }
    by_line
}

/// The judgement on an output that refuses, asks, breaks off, or ends in what does not count.
fn uncommitted(close: &Close<'_>) -> Option<Judgement> {
    let said = excerpt(close.line);
    let end = unemphasised(close.line);
    let asks = |text: &str| text.closes(|c| matches!(c, '?' | '？'));
    Some(if close.refusal == Surety::Yes {
        Judgement::nothing("the output refuses to answer")
    } else if close.refusal == Surety::Perhaps {
        Judgement::unclear("the output may refuse to answer")
    } else if close.line.is_empty() {
        let why = "nothing in the output is for the reader";
        if close.is_cut { Judgement::unclear(why) } else { Judgement::nothing(why) }
    } else if close.mask != Mask::Clear {
        Judgement::unclear(format!("the output ends in code, a quotation or an example: `{said}`"))
    } else if asks(end) {
        Judgement::nothing(format!("the output ends in a question: `{said}`"))
    } else if asks(end.trim_end_of(sentence::is_closer)) {
        Judgement::unclear(format!("the output may end in a question: `{said}`"))
    } else if end.closes(|c| matches!(c, ':' | '：')) || breaks_off(close.line) {
        Judgement::nothing(format!("the output breaks off: `{said}`"))
    } else {
        return None;
    })
}

fn whole(text: &str) -> Judgement {
    let said = excerpt(text);
    Judgement {
        states: Ruling::new(Status::Pass, format!("the output closes with `{said}`")),
        one: Ruling::new(Status::Pass, "one answer"),
        matches: Ruling::new(Status::Pass, format!("`{said}` equals the reference")),
    }
}
