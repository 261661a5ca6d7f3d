//! Finds words and phrases in a text.

/// Whether a character stands for an apostrophe.
pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '‘')
}

/// Whether a character is Markdown emphasis.
pub(crate) fn is_emphasis(c: char) -> bool {
    matches!(c, '*' | '_')
}

/// The length of a phrase at the start of the text, as whole words. The phrase is lower-case; a space in it stands for
/// space or emphasis with at most one line break.
pub(crate) fn phrase_at(text: &str, phrase: &str) -> Option<usize> {
    // Most phrases differ in the first letter already.
    let first = text.as_bytes().first()?.to_ascii_lowercase();
    if first != phrase.as_bytes()[0] && first.is_ascii() {
        return None;
    }
    let mut rest = text;
    for expected in phrase.chars() {
        if expected == ' ' {
            rest = &rest[gap(rest)?..];
            continue;
        }
        let found = rest.chars().next()?;
        let fits =
            found.to_ascii_lowercase() == expected || (expected == '\'' && is_apostrophe(found));
        if !fits {
            return None;
        }
        rest = &rest[found.len_utf8()..];
    }
    let word_ends = phrase.ends_with(|c: char| c.is_alphanumeric());
    if word_ends && rest.starts_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    Some(text.len() - rest.len())
}

/// The length of the space or emphasis between two words of a phrase.
fn gap(text: &str) -> Option<usize> {
    let mut breaks = 0;
    let mut spaces = 0;
    for (at, c) in text.char_indices() {
        if c == '\n' {
            breaks += 1;
        }
        if breaks > 1 {
            return None;
        }
        if c.is_whitespace() {
            spaces += 1;
        } else if !is_emphasis(c) {
            return (spaces > 0).then_some(at);
        }
    }
    None
}

/// The first of several phrases at the start of the text, with its length.
pub(crate) fn any_at(text: &str, phrases: &[&'static str]) -> Option<(&'static str, usize)> {
    phrases.iter().find_map(|phrase| Some((*phrase, phrase_at(text, phrase)?)))
}

/// Words of a text with their places: letters and digits, with apostrophes inside.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].find(|c: char| c.is_alphanumeric())?;
        let start = at;
        at += word_len(&text[at..]);
        Some((start, &text[start..at]))
    })
}

/// The length of the word at the start of the text.
pub(crate) fn word_len(text: &str) -> usize {
    let mut end = 0;
    for (at, c) in text.char_indices() {
        if c.is_alphanumeric() {
            end = at + c.len_utf8();
        } else if !is_apostrophe(c) || end != at {
            break;
        }
    }
    end
}

/// Where one of the phrases stands anywhere in the text.
pub(crate) fn find_any(text: &str, phrases: &[&'static str]) -> Option<(usize, &'static str)> {
    words(text).find_map(|(at, _)| Some((at, any_at(&text[at..], phrases)?.0)))
}
