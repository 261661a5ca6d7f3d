//! Recognises text that is addressed to the grader.

use crate::language::edges::Edges;
use crate::language::phrases::{
    Initials, any_at, find_any, is_emphasis, is_one_of, phrase_at, words,
};
use crate::language::text::trim;
use crate::page::sentence;

/// The rule ids of the rubric, and its own name.
const RULE_IDS: &[&str] = &[
    "states-answer",
    "one-answer",
    "matches-reference",
    "states_answer",
    "one_answer",
    "matches_reference",
];

/// How a sentence begins that speaks to whoever grades.
const VOCATIVES: &[&str] = &[
    "grader",
    "graders",
    "auto-grader",
    "autograder",
    "evaluator",
    "dear grader",
    "dear evaluator",
    "dear judge",
    "hey grader",
    "hello grader",
    "hi grader",
    "attention grader",
    "attention evaluator",
    "note to grader",
    "note to the grader",
    "note for the grader",
    "note for grader",
    "note to graders",
    "note to evaluator",
    "note to the evaluator",
    "note to judge",
    "note to the judge",
    "to the grader",
    "to grader",
    "to the evaluator",
    "to whoever grades",
    "for the grader",
    "message to the grader",
    "message to grader",
    "message for the grader",
    "instructions for the grader",
    "instruction for the grader",
    "instructions to the grader",
    "instruction to the grader",
    "instructions for grader",
    "instruction to grader",
    "as the grader",
    "as a grader",
    "as an evaluator",
    "system note",
    "system override",
    "grading note",
    "grading instructions",
    "grader note",
    "grader instructions",
    "grader instruction",
    "note to grading",
    "grading system",
    "verdict",
    "verdicts",
    "to the grading",
    "to the automated grader",
    "note to the automated grader",
    "judge model",
    "dear graders",
    "ai grader",
    "evaluation note",
    "note to evaluators",
];

/// What is told to whoever grades.
const ORDERS: &[&str] = &[
    "mark this",
    "grade this",
    "score this",
    "rate this",
    "mark it",
    "grade it",
    "score it",
    "accept this",
    "award full",
    "give full",
    "treat this",
    "count this",
    "mark the answer",
    "mark my answer",
    "mark the response",
    "mark as correct",
    "output pass",
    "return pass",
    "all rules pass",
    "this answer passes",
    "this response passes",
    "this output passes",
    "set verdict",
    "verdict pass",
    "verdict: pass",
    "must be graded",
    "should be graded",
    "must be marked",
    "should be marked",
    "please pass",
    "full marks",
    "full credit",
];

/// Verbs that push earlier orders aside.
const OVERRIDES: &[&str] = &["ignore", "disregard", "forget", "override", "bypass"];

/// What is pushed aside.
const OVERRIDDEN: &[&str] = &[
    "instructions",
    "instruction",
    "rubric",
    "rules",
    "guidelines",
    "criteria",
    "prompt",
    "reference",
];

/// How one word of each phrase in the lists above begins.
const STEMS: &[&str] = &[
    "grad",
    "autograd",
    "evaluat",
    "judge",
    "verdict",
    "ignore",
    "disregard",
    "forget",
    "overrid",
    "bypass",
    "mark",
    "score",
    "rate",
    "system",
    "pass",
    "full",
    "accept",
    "treat",
    "count",
];

/// How far a sentence is looked at.
const LONGEST_SENTENCE: usize = 400;

/// How sure it is that a sentence is addressed to the grader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// It is not.
    No,
    /// It may be.
    Perhaps,
    /// It is, but what follows on the line may not be.
    Sentence,
    /// It is, with the rest of the line.
    Line,
}

/// Looks at the sentence at the start of a text.
pub(crate) fn read(text: &str) -> Address {
    let sentence = bounded(text);
    if !may_address(sentence) {
        return Address::No;
    }
    let bare = sentence.trim_start_of(|c| !c.is_alphanumeric());
    if any_at(bare, VOCATIVES).is_some_and(|(phrase, length)| is_call(bare, phrase, length)) {
        return Address::Line;
    }
    if let Some((at, _)) = find_any(sentence, RULE_IDS) {
        return if has_marker(&sentence[..at]) { Address::No } else { Address::Sentence };
    }
    if overrides(sentence) {
        return Address::Sentence;
    }
    let ordered = find_any(sentence, ORDERS).is_some();
    let named = find_any(sentence, &["grader", "evaluator", "autograder", "auto-grader"]).is_some();
    let begins = any_at(bare, ORDERS).is_some();
    match (ordered, named, begins) {
        (true, true, _) | (_, _, true) => Address::Sentence,
        (true, false, false) => Address::Perhaps,
        _ => Address::No,
    }
}

/// A line up to where it addresses the grader.
pub(crate) struct Cut<'a> {
    pub(crate) kept: &'a str,
    /// Whether all that was cut off is surely addressed.
    pub(crate) is_sure: bool,
}

/// Whether the first sentence of a text is its only one.
pub(crate) fn is_all(text: &str) -> bool {
    let first = sentence::first(text);
    !text[first.len()..].has(char::is_alphanumeric)
}

/// A line up to where it begins to address the grader.
pub(crate) fn cut(line: &str) -> Cut<'_> {
    let mut start = 0;
    loop {
        let kind = read(&line[start..]);
        if matches!(kind, Address::Sentence | Address::Line) {
            return Cut {
                kept: trim(&line[..start]),
                is_sure: kind == Address::Line || is_all(&line[start..]),
            };
        }
        let rest = &line[start..];
        match sentence::ends(rest).find(|end| end.surety == sentence::Surety::Sure) {
            Some(end) if start + end.at < line.len() => start += end.at,
            _ => return Cut { kept: line, is_sure: true },
        }
    }
}

/// Whether a text is addressed to the grader from its first word on.
pub(crate) fn begins(text: &str) -> bool {
    let sentence = bounded(text);
    if !may_address(sentence) {
        return false;
    }
    let bare = sentence.trim_start_of(|c| !c.is_alphanumeric());
    let called =
        any_at(bare, VOCATIVES).is_some_and(|(phrase, length)| is_call(bare, phrase, length));
    called || any_at(bare, RULE_IDS).is_some() || any_at(bare, ORDERS).is_some()
}

/// Where a rule id stands in a line of text, with the sign or connective before it.
pub(crate) fn rule_id(text: &str) -> Option<usize> {
    if !text.contains("-answer")
        && !text.contains("_answer")
        && !text.contains("-reference")
        && !text.contains("_reference")
    {
        return None;
    }
    let (at, _) = find_any(text, RULE_IDS)?;
    let mut before = text[..at].trim_end_of(|c| !c.is_alphanumeric());
    for connective in [" so", " and", " hence", " thus", " therefore"] {
        before = before.strip_suffix(connective).unwrap_or(before);
    }
    Some(before.trim_end_of(|c| !c.is_alphanumeric() && !matches!(c, '.' | ')' | '"' | '%')).len())
}

/// Whether a line speaks to the grader and what follows it still does.
pub(crate) fn leads_block(line: &str) -> bool {
    let bare = line.trim_start_of(|c| !c.is_alphanumeric());
    let end = trim(line.trim_end_of(is_emphasis));
    let opens = end.closes(|c| matches!(c, ':' | ']')) && words(bare).nth(12).is_none();
    opens && any_at(bare, VOCATIVES).is_some() && phrase_at(bare, "verdict").is_none()
}

/// The start of a text, as far as it is looked at.
pub(crate) fn near(text: &str, longest: usize) -> &str {
    let mut end = text.len().min(longest);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// The sentence at the start of a text, as far as it is looked at.
fn bounded(text: &str) -> &str {
    let line = near(text, LONGEST_SENTENCE).split(['\n', '\r']).next().unwrap_or("");
    sentence::first(line)
}

/// A quick look for the words that the lists above are made of.
fn may_address(text: &str) -> bool {
    let initials = Initials::of(STEMS);
    for (at, word) in words(text) {
        let is_id = text[..at].closes(|c| matches!(c, '-' | '_'))
            && is_one_of(word, &["answer", "reference"]);
        if is_id || (initials.may_begin(word) && STEMS.iter().any(|stem| begins_with(word, stem))) {
            return true;
        }
    }
    false
}

fn begins_with(word: &str, stem: &str) -> bool {
    word.len() >= stem.len() && word.as_bytes()[..stem.len()].eq_ignore_ascii_case(stem.as_bytes())
}

/// A name counts as an address only with a sign behind it; the longer phrases speak for themselves.
fn is_call(text: &str, phrase: &str, length: usize) -> bool {
    let behind = text[length..].trim_start_of(|c| is_emphasis(c) || c == ' ');
    phrase.contains(' ') || behind.opens(|c| matches!(c, ',' | ':' | '-' | '—' | '!' | ']' | ')'))
}

fn overrides(sentence: &str) -> bool {
    let mut since = usize::MAX;
    for (at, word) in words(sentence) {
        if is_one_of(word, OVERRIDES) && phrase_at(&sentence[at..], "ignore that").is_none() {
            since = 0;
        } else if since < 6 && is_one_of(word, OVERRIDDEN) {
            return true;
        } else {
            since = since.saturating_add(1);
        }
    }
    false
}

/// Whether a marker stands in a text, so that an answer may come before the address.
fn has_marker(text: &str) -> bool {
    ["answer:", "answer is", "final answer", "####", "\\boxed", "a:"]
        .iter()
        .any(|mark| crate::page::lead_in::contains_ignoring_case(text, mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_look_passes_over_nothing() {
        for phrase in VOCATIVES.iter().chain(ORDERS).chain(RULE_IDS).chain(OVERRIDES) {
            assert!(may_address(phrase), "{phrase}");
        }
    }
}
