//! Judges an output by the answers behind its markers.

use crate::commitment::commit::{self, Place, Reading, Yield};
use crate::commitment::odds;
use crate::language::cautions::HEDGES;
use crate::language::choice::{self, Choice};
use crate::language::edges::Edges;
use crate::language::lists::{POINTERS, PREAMBLES};
use crate::language::phrases::{any_at, find_any, is_one_of, words};
use crate::language::refusal::{self, Denial};
use crate::language::text::{excerpt, strip_outer, trim};
use crate::markers::ledger::{Candidate, Ending};
use crate::markers::marker::Kind;
use crate::markers::rival::{self, Rivalry};
use crate::page::break_off::breaks_off;
use crate::page::latex::plain;
use crate::page::sentence::{self, Surety};
use crate::reference::Reference;
use crate::same::Same;
use crate::status::{Judgement, Ruling, Status};

/// Judges the standing answers, of which there is at least one.
pub(crate) fn judge(standing: &[Candidate<'_>], reference: &Reference) -> Judgement {
    let Some((last, earlier)) = standing.split_last() else {
        return Judgement::unclear("no marker stands");
    };
    if standing.iter().any(|candidate| is_whole(candidate, standing, reference)) {
        return matched("the line as a whole equals the reference");
    }
    let said = excerpt(last.text);
    let (reading, matches) = if let Some(text) = equals(last, reference) {
        let why = format!("the answer `{}` equals the reference", excerpt(text));
        let one = if opens_list(last) { Status::Unproven } else { Status::Pass };
        (Reading { one, yields: Yield::Text }, Ruling::new(Status::Pass, why))
    } else {
        if let Some(judgement) = uncommitted(last, reference) {
            return judgement;
        }
        let reading = read(last, reference);
        if let Some(why) = guessed(last, &reading) {
            return Judgement::unclear(why);
        }
        let matches = compare(body(last, reference), &reading, reference);
        (reading, matches)
    };
    let one = match rival::strongest(earlier, last, &reading, reference) {
        Rivalry::Differs(other) => Ruling::new(
            Status::Fail,
            format!("markers offer both `{}` and `{said}`, none taken back", excerpt(other)),
        ),
        Rivalry::Unsure(other) if reading.one == Status::Pass => Ruling::new(
            Status::Unproven,
            format!("an earlier marker says `{}`, which may be another answer", excerpt(other)),
        ),
        _ => one_ruling(reading.one, last.text),
    };
    Judgement {
        states: Ruling::new(Status::Pass, format!("the last marker commits to `{said}`")),
        one,
        matches,
    }
}

fn matched(why: &str) -> Judgement {
    Judgement {
        states: Ruling::new(Status::Pass, why),
        one: Ruling::new(Status::Pass, "one answer"),
        matches: Ruling::new(Status::Pass, why),
    }
}

/// The verdict on `one-answer` that a reading gives by itself.
pub(crate) fn one_ruling(one: Status, text: &str) -> Ruling {
    let said = excerpt(text);
    let why = match one {
        Status::Fail => format!("`{said}` offers several different answers"),
        Status::Unproven => {
            format!("`{said}` holds several values; code cannot tell which one is meant")
        }
        _ => "one answer".to_owned(),
    };
    Ruling::new(one, why)
}

/// Whether the line of an answer holds all that stand and equals the reference as a whole: "\boxed{2} or \boxed{3}".
fn is_whole(candidate: &Candidate<'_>, standing: &[Candidate<'_>], reference: &Reference) -> bool {
    const LONGEST: usize = 2000;
    let line = candidate.line.as_bytes().as_ptr_range();
    let holds = |other: &Candidate<'_>| {
        let text = other.text.as_bytes().as_ptr_range();
        other.text.is_empty() || (line.start <= text.start && text.end <= line.end)
    };
    let composed = candidate.kind == Kind::Boxed || candidate.ending == Ending::AtMarker;
    composed
        && standing.len() > 1
        && candidate.line.len() < LONGEST
        && standing.iter().all(holds)
        && reference.equals(&plain(candidate.line)) == Same::Yes
}

/// Whether the answer is the first of several different items of a list.
fn opens_list(candidate: &Candidate<'_>) -> bool {
    candidate.list.is_some_and(rival::is_open_list)
}

/// The part of an answer that equals the reference: the sentence, its line, or a part that an abbreviation may end.
fn equals<'a>(candidate: &Candidate<'a>, reference: &Reference) -> Option<&'a str> {
    let text = candidate.text;
    if reference.is_absent() || text.is_empty() || candidate.ending == Ending::Broken {
        return None;
    }
    let ends_alike = |known: &str| trim(known).chars().next_back() == text.chars().next_back();
    if breaks_off(text) && !reference.any_text(ends_alike) {
        return None;
    }
    if reference.equals(text) == Same::Yes {
        return Some(text);
    }
    if candidate.kind != Kind::Boxed
        && candidate.ending != Ending::AtMarker
        && reference.equals(candidate.line) == Same::Yes
    {
        return Some(candidate.line);
    }
    let doubtful = sentence::ends(text).filter(|end| end.surety == Surety::Doubtful).take(8);
    let parts: Vec<&str> = doubtful.map(|end| &text[..end.at]).collect();
    parts.into_iter().find(|part| reference.equals(part) == Same::Yes)
}

/// The answer with "B. Because …" cut to its letter, where the reference is a letter too.
fn body<'a>(candidate: &Candidate<'a>, reference: &Reference) -> &'a str {
    let text = candidate.text;
    let first = sentence::ends(text).next().map_or(text, |end| &text[..end.at]);
    let is_letter = first.trim_end_matches('.').chars().count() == 1;
    if is_letter && reference.is_letter() { first } else { text }
}

/// The judgement on an answer that commits to nothing, or may not.
fn uncommitted(last: &Candidate<'_>, reference: &Reference) -> Option<Judgement> {
    if last.ending == Ending::Broken {
        return Some(Judgement::unclear("what the last marker offers is broken off or a heading"));
    }
    let unwrapped = plain(last.text);
    let bare = strip_outer(&unwrapped);
    let said = excerpt(last.text);
    if is_nothing(bare) {
        return Some(Judgement::nothing("nothing stands behind the last marker"));
    }
    match refusal::denial(bare) {
        Denial::Sure if !reference.any_text(refusal::is_denial) => {
            return Some(Judgement::nothing(format!(
                "behind the last marker stands no answer: `{said}`"
            )));
        }
        Denial::None => {}
        _ => return Some(Judgement::unclear(format!("`{said}` may or may not be an answer"))),
    }
    if breaks_off(trim(last.text)) {
        return Some(Judgement::nothing(format!("the answer breaks off: `{said}`")));
    }
    if bare.closes(|c| matches!(c, '?' | '？')) {
        return Some(Judgement::unclear(format!(
            "the last marker asks instead of answering: `{said}`"
        )));
    }
    let points = any_at(bare, POINTERS).is_some() && !bare.has(|c| c.is_ascii_digit());
    points.then(|| Judgement::unclear(format!("the last marker points elsewhere: `{said}`")))
}

/// Whether a text is only ASCII signs, dots or dashes.
fn is_nothing(text: &str) -> bool {
    text.chars().all(|c| {
        !c.is_alphanumeric() && (c.is_ascii() || c.is_whitespace() || matches!(c, '…' | '—' | '–'))
    })
}

/// How the last answer reads, where it does not equal the reference.
fn read(last: &Candidate<'_>, reference: &Reference) -> Reading {
    let text = body(last, reference);
    let unwrapped = plain(text);
    let (main, condition) = split_condition(&unwrapped);
    let mut reading = read_part(main, reference);
    // The rest of a list is later text, but a list of candidates is not one answer.
    if opens_list(last) && reading.one == Status::Pass {
        reading.one = Status::Unproven;
    }
    let Some(condition) = condition else { return reading };
    match words(condition).any(|(_, word)| {
        word.eq_ignore_ascii_case("otherwise") || word.eq_ignore_ascii_case("else")
    }) {
        true => alternatives(reading, condition, reference),
        false => reading,
    }
}

/// "5 if n is odd, 6 otherwise": the answers on both sides.
fn alternatives(main: Reading, condition: &str, reference: &Reference) -> Reading {
    let other = commit::read(condition, Place::Closing, reference);
    match (&main.yields, &other.yields) {
        (Yield::One(a), Yield::One(b)) if a.same(b) == Same::No => {
            Reading { one: Status::Fail, yields: Yield::Several }
        }
        (Yield::One(a), Yield::One(b)) => {
            Reading::any(Status::Unproven, vec![a.clone(), b.clone()])
        }
        _ => Reading { one: Status::Unproven, yields: main.yields },
    }
}

/// Cuts a condition off that stands behind the answer.
fn split_condition(text: &str) -> (&str, Option<&str>) {
    let at = words(text)
        .find(|(at, word)| *at > 0 && is_one_of(word, &["if", "unless", "provided", "assuming"]));
    match at {
        Some((at, _)) if text[..at].has(char::is_alphanumeric) => {
            (trim(&text[..at]), Some(&text[at..]))
        }
        _ => (text, None),
    }
}

fn read_part(text: &str, reference: &Reference) -> Reading {
    let odds = odds::read(text);
    if odds == Choice::Several {
        return Reading { one: Status::Fail, yields: Yield::Several };
    }
    let mut reading = read_one(text, reference);
    if odds == Choice::Unsure && reading.one == Status::Pass {
        reading.one = Status::Unproven;
    }
    reading
}

fn read_one(text: &str, reference: &Reference) -> Reading {
    let has_digit = text.has(|c| c.is_ascii_digit() || ('０'..='９').contains(&c));
    if has_digit && (reference.is_numeric() || reference.is_absent()) {
        let reading = commit::read(text, Place::Marked, reference);
        if !matches!(reading.yields, Yield::Nothing) {
            return exclaimed(reading, text);
        }
    }
    read_words(text)
}

/// How words read: as one answer or several.
pub(crate) fn read_words(text: &str) -> Reading {
    match choice::candidates(text) {
        Choice::Single => Reading { one: Status::Pass, yields: Yield::Text },
        Choice::Several => Reading { one: Status::Fail, yields: Yield::Several },
        Choice::Unsure => Reading { one: Status::Unproven, yields: Yield::Text },
    }
}

/// A bare number with an exclamation mark may be a factorial.
fn exclaimed(reading: Reading, text: &str) -> Reading {
    let bare = trim(text.trim_end_of(|c| matches!(c, '.' | '*' | '_' | ' ')));
    match reading.yields {
        Yield::One(value) if bare.ends_with('!') && !bare.has(char::is_alphabetic) => {
            Reading::any(Status::Pass, vec![value])
        }
        yields => Reading { one: reading.one, yields },
    }
}

/// Why an answer that offers a single value is only a guess.
fn guessed(last: &Candidate<'_>, reading: &Reading) -> Option<String> {
    if reading.one == Status::Fail {
        return None;
    }
    let (main, _) = split_condition(last.text);
    let reason = find_any(main, refusal::REASONS).map_or(main.len(), |(at, _)| at);
    let (_, word) = find_any(&main[..reason], HEDGES)?;
    Some(format!("`{}` is hedged by \"{word}\"", excerpt(last.text)))
}

/// Whether what a reading yields equals the reference.
pub(crate) fn compare(text: &str, reading: &Reading, reference: &Reference) -> Ruling {
    let said = excerpt(text);
    if matches!(reading.yields, Yield::Several) {
        return Ruling::new(Status::Fail, format!("`{said}` holds several unequal values"));
    }
    if reference.is_absent() {
        return Ruling::new(Status::Unproven, "there is no readable reference");
    }
    let same = match &reading.yields {
        Yield::One(value) => reference.equals_value(value),
        Yield::Any(values) => {
            let none = values.iter().all(|value| reference.equals_value(value) == Same::No);
            if none { Same::No } else { Same::Unsure }
        }
        _ => reference.equals(text),
    };
    let same = if same == Same::No && reference.holds(text) { Same::Unsure } else { same };
    match same {
        Same::Yes => Ruling::new(Status::Pass, format!("`{said}` equals the reference")),
        Same::No => Ruling::new(Status::Fail, format!("`{said}` does not equal the reference")),
        Same::Unsure => Ruling::new(
            Status::Unproven,
            format!("code cannot tell whether `{said}` means the reference"),
        ),
    }
}

/// Whether an earlier marker offers no answer of its own.
pub(crate) fn offers_nothing(candidate: &Candidate<'_>) -> bool {
    let unwrapped = plain(candidate.text);
    let bare = strip_outer(&unwrapped);
    let has_digit = bare.has(|c| c.is_ascii_digit());
    let points = any_at(bare, POINTERS).is_some()
        || (candidate.kind == Kind::Sentence && any_at(bare, PREAMBLES).is_some());
    is_nothing(bare)
        || (points && !has_digit)
        || breaks_off(trim(candidate.text))
        || refusal::denial(bare) != Denial::None
}
