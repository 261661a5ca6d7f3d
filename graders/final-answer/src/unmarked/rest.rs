//! What follows words that took an answer back.

use crate::commitment::commit::{self, Place, Yield};
use crate::language::edges::Edges;
use crate::language::lists::NO_VALUES;
use crate::language::phrases::{is_one_of, words};
use crate::language::text::excerpt;
use crate::markers::marker::Surety;
use crate::page::latex::plain;
use crate::page::sentence;
use crate::reference::Reference;
use crate::same::Same;
use crate::status::{Judgement, Ruling, Status};
use crate::unmarked::{self, close};

/// Judges the rest of an output by the rules without a marker.
pub(crate) fn judge(rest: &str, withdrawn: &str, reference: &Reference) -> Judgement {
    if close::refusal(rest) != Surety::No {
        return Judgement::unclear("the answer was taken back, and a refusal may follow");
    }
    if !holds_value(rest, reference) {
        return taken_back(withdrawn);
    }
    if sentence::ends(rest).count() < 2 && repeats(rest, withdrawn, reference) {
        return Judgement::unclear("what follows the take-back names the same value again");
    }
    unmarked::judge(rest, reference)
}

fn holds_value(rest: &str, reference: &Reference) -> bool {
    if reference.is_numeric() {
        return rest.has(|c| c.is_ascii_digit() || ('０'..='９').contains(&c));
    }
    words(rest).any(|(_, word)| !is_one_of(word, NO_VALUES))
}

fn taken_back(withdrawn: &str) -> Judgement {
    let states = format!("`{}` was offered and taken back", excerpt(withdrawn));
    let matches = "the answer was taken back, and no other follows";
    Judgement {
        states: Ruling::new(Status::Pass, states),
        one: Ruling::new(Status::Pass, "nothing else is offered"),
        matches: Ruling::new(Status::Unproven, matches),
    }
}

/// Whether the number that was taken back is the one that follows: "I was wrong about 41."
fn repeats(rest: &str, withdrawn: &str, reference: &Reference) -> bool {
    let old = commit::read(&plain(withdrawn), Place::Marked, reference).yields;
    let new = commit::read(&plain(sentence::last(rest)), Place::Closing, reference).yields;
    match (old, new) {
        (Yield::One(old), Yield::One(new)) => reference.is_numeric() && old.same(&new) != Same::No,
        _ => false,
    }
}
