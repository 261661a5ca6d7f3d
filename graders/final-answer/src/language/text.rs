//! The normal form in which texts are compared, and the search for whole words in it.

use crate::language::decompose::{is_mark, nfd};
use crate::language::edges::Edges;
use std::borrow::Cow;

/// How many layers of quotes, brackets and emphasis are taken off.
const MAX_LAYERS: usize = 64;

/// Pairs that are taken off when they enclose the whole text.
const PAIRS: &[(&str, &str)] = &[
    ("\"", "\""),
    ("'", "'"),
    ("`", "`"),
    ("“", "”"),
    ("„", "“"),
    ("„", "”"),
    ("‘", "’"),
    ("‚", "‘"),
    ("«", "»"),
    ("‹", "›"),
    ("「", "」"),
    ("***", "***"),
    ("**", "**"),
    ("*", "*"),
    ("__", "__"),
    ("_", "_"),
    ("~~", "~~"),
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
];

/// Characters that show nothing and stand at an edge only by accident.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}')
}

/// Whether a character is space, or shows nothing.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_invisible(c) || c.is_control()
}

/// The text without blank edges.
#[inline(never)] // Called everywhere: one copy keeps the component small.
pub(crate) fn trim(text: &str) -> &str {
    match text.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        _ => text.trim_matches(is_blank),
    }
}

/// The text without outer quotes, brackets, emphasis, full stops, commas and colons.
pub(crate) fn strip_outer(text: &str) -> &str {
    let whole = trim(text);
    let mut rest = whole;
    for _ in 0..MAX_LAYERS {
        let before = rest.len();
        rest = trim(strip_points(rest));
        rest = strip_pair(rest);
        if rest.len() == before {
            break;
        }
    }
    if rest.is_empty() { whole } else { rest }
}

/// Full stops, commas and colons of either width.
const POINTS: [char; 9] = ['.', ',', ':', '。', '．', '｡', '，', '、', '：'];

fn strip_points(text: &str) -> &str {
    let text = text.trim_end_matches(POINTS);
    let rest = text.trim_start_matches(POINTS);
    // ".5" is a number, not a five behind a full stop.
    if rest.len() < text.len() && rest.opens(|c| c.is_ascii_digit()) { text } else { rest }
}

fn strip_pair(text: &str) -> &str {
    for (open, close) in PAIRS {
        if text.len() < open.len() + close.len()
            || !text.starts_with(open)
            || !text.ends_with(close)
        {
            continue;
        }
        let inner = &text[open.len()..text.len() - close.len()];
        if encloses(inner, open, close) && !trim(inner).is_empty() {
            return inner;
        }
    }
    text
}

/// Whether a pair around `inner` belongs together, as in `(a)(b)` it does not.
fn encloses(inner: &str, open: &str, close: &str) -> bool {
    if !matches!(open, "(" | "[" | "{") {
        return !inner.contains(open) && !inner.contains(close);
    }
    let mut depth = 0usize;
    for (at, _) in inner
        .match_indices([open.chars().next().unwrap_or('('), close.chars().next().unwrap_or(')')])
    {
        if inner[at..].starts_with(open) {
            depth += 1;
        } else if depth == 0 {
            return false;
        } else {
            depth -= 1;
        }
    }
    depth == 0
}

/// `\text{…}` replaced by what its braces hold.
pub(crate) fn unwrap_text(text: &str) -> Cow<'_, str> {
    if !text.contains("\\text{") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    // One entry an open brace: whether its closing brace is dropped.
    let mut braces: Vec<bool> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("\\text{") {
            braces.push(true);
            rest = after;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '{' => braces.push(false),
            '}' if braces.pop() == Some(true) => continue,
            _ => {}
        }
        out.push(c);
    }
    Cow::Owned(out)
}

/// The normal form: canonical, case folded, single spaces, bare edges, no leading article.
pub(crate) fn normal(text: &str) -> String {
    let unwrapped = unwrap_text(text);
    if unwrapped.is_ascii() {
        return finish(&unwrapped.to_ascii_lowercase());
    }
    let mut folded = String::with_capacity(unwrapped.len());
    nfd(&unwrapped).chars().for_each(|c| fold(c, &mut folded));
    finish(&nfd(&folded))
}

/// Case folding by way of upper case, with ASCII letters in lower case. The dotless i stays what it is; two capitals
/// have small forms that share another capital.
fn fold(c: char, out: &mut String) {
    match c {
        'ı' => out.push(c),
        'ẞ' => out.push_str("ss"),
        'ϴ' => out.push('Θ'),
        _ => out.extend(c.to_uppercase().map(|c| c.to_ascii_lowercase())),
    }
}

fn finish(folded: &str) -> String {
    let bare = strip_outer(folded);
    let bare = match ["a", "an", "the"].iter().find_map(|article| after_article(bare, article)) {
        Some(rest) => strip_outer(rest),
        None => bare,
    };
    let mut out = String::with_capacity(bare.len());
    for word in bare.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

fn after_article<'a>(text: &'a str, article: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(article)?;
    (rest.opens(char::is_whitespace) && !trim(rest).is_empty()).then_some(rest)
}

/// Whether a sign that begins the text belongs to the word before it: "C++", "F#" and "A-" hold no "C", "F" or "A".
fn goes_on(text: &str) -> bool {
    let behind_dash = text.strip_prefix(['-', '−']);
    let joins = |c: char| c.is_alphanumeric() || is_mark(c) || matches!(c, '+' | '#' | '♯' | '♭');
    text.starts_with(joins) || behind_dash.is_some_and(|rest| !rest.opens(char::is_alphanumeric))
}

/// Whether `needle` stands in `text` as whole words; both in normal form.
pub(crate) fn holds_words(text: &str, needle: &str) -> bool {
    if needle.is_empty() {
        return false;
    }
    text.match_indices(needle).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + needle.len()..]);
        !before.closes(char::is_alphanumeric)
            && !before.closes(|c| matches!(c, '#' | '+'))
            && !goes_on(after)
    })
}

/// A short quotation for a rationale.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut out = String::new();
    let mut chars = trim(text).chars();
    for c in chars.by_ref().take(LONGEST) {
        out.push(if c.is_whitespace() || c.is_control() { ' ' } else { c });
    }
    if chars.next().is_some() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Upper case alone would keep apart what both cases together bring to one form.
    #[test]
    fn folding_by_upper_case_is_full() {
        for c in (0..0x11_0000).filter_map(char::from_u32).filter(|c| *c != 'ı') {
            let both: String = c.to_lowercase().flat_map(char::to_uppercase).collect();
            let folded = |text: &str| {
                let mut out = String::new();
                nfd(text).chars().for_each(|c| fold(c, &mut out));
                nfd(&out)
            };
            assert_eq!(folded(&c.to_string()), folded(&both), "{c:?}");
        }
    }
}
