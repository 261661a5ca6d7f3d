//! Recognises headings and lead-ins that say example, hypothetical or sample.

use crate::language::edges::Edges;
use crate::language::phrases::{any_at, is_emphasis, is_one_of, words};
use crate::language::text::trim;
use crate::page::sentence;

/// How a sentence begins that surely leads an example in.
const OPENINGS: &[&str] = &[
    "for example",
    "example",
    "examples",
    "as an example",
    "here is an example",
    "here's an example",
    "an example",
    "sample",
    "samples",
    "a sample",
    "hypothetical",
    "hypothetically",
    "a hypothetical",
    "in a hypothetical",
    "worked example",
    "recalling a worked sample",
    "consider the example",
    "consider an example",
    "consider this example",
    "in this hypothetical",
    "consider a hypothetical",
    "take an example",
    "to give an example",
    "by way of example",
    "let's take an example",
];

/// Longest phrase before a colon that is a lead-in, in words.
const SHORT: usize = 7;

/// What a line leads in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeadIn {
    /// Nothing.
    None,
    /// The next paragraph.
    Block,
    /// At least the next paragraph, perhaps more.
    Blocks,
    /// The rest of this line.
    Line,
    /// The rest of this paragraph.
    Paragraph,
    /// The rest of this line, and perhaps of the paragraph.
    Perhaps,
}

/// Whether words name an example, a hypothetical or a sample.
pub(crate) fn says_example(text: &str) -> bool {
    mentions(text) && words(text).any(|(_, word)| is_example_word(word))
}

/// Whether a sentence begins as one that surely leads an example in, or ends in "sample" or the like, as in
/// "sample answer".
pub(crate) fn surely_leads(sentence: &str) -> bool {
    let bare = sentence
        .trim_start_of(|c| c.is_whitespace() || is_emphasis(c) || matches!(c, '(' | '-' | '•'));
    let last = words(sentence).last();
    any_at(bare, OPENINGS).is_some() || last.is_some_and(|(_, word)| is_example_word(word))
}

/// What a line leads in.
pub(crate) fn read(bare: &str) -> LeadIn {
    if !mentions(bare) {
        return LeadIn::None;
    }
    let line = trim(bare.trim_matches(is_emphasis));
    if let Some((before, behind)) = line.split_once(':') {
        let behind = trim(behind.trim_start_of(is_emphasis));
        let is_one_clause = !before.has(|c| matches!(c, '.' | '!' | '?'));
        if is_one_clause && is_lead(before) {
            return if behind.is_empty() { block(before) } else { same_line(line, behind) };
        }
        let last = line
            .strip_suffix(':')
            .filter(|all| is_lead(all.rsplit(['.', ':', ',']).next().unwrap_or(all)));
        return last.map_or(LeadIn::None, block);
    }
    let is_title = !line.closes(|c| matches!(c, '.' | '!' | '?' | ',')) && words(line).count() <= 4;
    if is_title && is_lead(line) && any_at(line, OPENINGS).is_some() {
        block(line)
    } else {
        LeadIn::None
    }
}

fn block(before: &str) -> LeadIn {
    let plural = words(before).any(|(_, word)| is_one_of(word, &["examples", "samples"]));
    if plural { LeadIn::Blocks } else { LeadIn::Block }
}

fn same_line(line: &str, behind: &str) -> LeadIn {
    let has_marker = |text: &str| {
        ["answer", "####", "\\boxed"].iter().any(|mark| contains_ignoring_case(text, mark))
    };
    if has_marker(sentence::first(line)) {
        // The sentence itself is known to be an example; what follows it may be the real answer.
        LeadIn::None
    } else if has_marker(behind) {
        LeadIn::Line
    } else if behind.ends_with('?') {
        LeadIn::Paragraph
    } else {
        LeadIn::Perhaps
    }
}

/// Whether a short phrase names an example, and no marker or negation.
fn is_lead(phrase: &str) -> bool {
    let mut count = 0;
    let mut names = false;
    for (_, word) in words(phrase) {
        count += 1;
        names |= is_example_word(word);
        if count > SHORT || is_one_of(word, &["not", "real", "actual", "size", "final"]) {
            return false;
        }
    }
    names
}

fn is_example_word(word: &str) -> bool {
    let known = [
        "example",
        "examples",
        "hypothetical",
        "hypothetically",
        "hypotheticals",
        "sample",
        "samples",
    ];
    is_one_of(word, &known)
}

fn mentions(text: &str) -> bool {
    contains_ignoring_case(text, "ample") || contains_ignoring_case(text, "hypothetical")
}

/// Whether ASCII text stands anywhere, in any case.
pub(crate) fn contains_ignoring_case(text: &str, needle: &str) -> bool {
    let (text, needle) = (text.as_bytes(), needle.as_bytes());
    let Some(first) = needle.first().map(u8::to_ascii_lowercase) else { return true };
    let mut rest = text;
    while let [byte, behind @ ..] = rest {
        if byte.to_ascii_lowercase() == first
            && rest.get(..needle.len()).is_some_and(|found| found.eq_ignore_ascii_case(needle))
        {
            return true;
        }
        rest = behind;
    }
    false
}
