//! Finds words and phrases in a text.

use crate::language::edges::Edges;

/// Whether a character stands for an apostrophe.
pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '‘')
}

/// Whether a letter belongs to a script that writes words, or words and numbers, without spaces between.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' // Thai, Lao
        | '\u{1000}'..='\u{109F}' // Burmese
        | '\u{1780}'..='\u{17FF}' // Khmer
        | '\u{3040}'..='\u{30FF}' // kana
        | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' // ideographs
        | '\u{AC00}'..='\u{D7AF}' // Hangul
    )
}

/// Whether a character is Markdown emphasis.
pub(crate) fn is_emphasis(c: char) -> bool {
    matches!(c, '*' | '_')
}

/// The length of a phrase at the start of the text, as whole words. The phrase is lower-case; a space in it stands for
/// space or emphasis with at most one line break.
#[inline(never)]
pub(crate) fn phrase_at(text: &str, phrase: &str) -> Option<usize> {
    if !may_begin(text, phrase) {
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
    let word_ends = phrase.closes(|c| c.is_alphanumeric());
    if word_ends && rest.opens(|c| c.is_alphanumeric()) {
        return None;
    }
    Some(text.len() - rest.len())
}

/// A quick look: most phrases differ from a text in the first letter already.
#[inline(always)]
fn may_begin(text: &str, phrase: &str) -> bool {
    match (text.as_bytes().first(), phrase.as_bytes().first()) {
        (Some(found), Some(wanted)) => found.to_ascii_lowercase() == *wanted || !found.is_ascii(),
        _ => false,
    }
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
#[inline(never)]
pub(crate) fn any_at(text: &str, phrases: &[&'static str]) -> Option<(&'static str, usize)> {
    for phrase in phrases {
        if may_begin(text, phrase)
            && let Some(length) = phrase_at(text, phrase)
        {
            return Some((*phrase, length));
        }
    }
    None
}

/// Whether a word is one of a list, in any case.
#[inline(never)]
pub(crate) fn is_one_of(word: &str, list: &[&str]) -> bool {
    for known in list {
        if known.len() == word.len() && known.eq_ignore_ascii_case(word) {
            return true;
        }
    }
    false
}

/// Words of a text with their places: letters and digits, with apostrophes inside.
pub(crate) fn words(text: &str) -> Words<'_> {
    Words { text, at: 0 }
}

/// Goes through the words of a text.
pub(crate) struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, &'a str);

    #[inline(never)]
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let mut start = self.at;
        while !in_word(self.text, start)? {
            start += char_len(self.text, start);
        }
        self.at = start + word_len(&self.text[start..]);
        Some((start, &self.text[start..self.at]))
    }
}

/// Whether a letter or digit stands at a place; nothing at the end of the text.
#[inline(always)] // Nearly all text is ASCII, where nothing need be decoded.
fn in_word(text: &str, at: usize) -> Option<bool> {
    let byte = *text.as_bytes().get(at)?;
    Some(if byte.is_ascii() {
        byte.is_ascii_alphanumeric()
    } else {
        text[at..].opens(char::is_alphanumeric)
    })
}

#[inline(always)]
fn char_len(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at) {
        Some(byte) if !byte.is_ascii() => text[at..].chars().next().map_or(1, char::len_utf8),
        _ => 1,
    }
}

/// The length of the word at the start of the text.
#[inline(never)]
pub(crate) fn word_len(text: &str) -> usize {
    let (mut end, mut at) = (0, 0);
    while let Some(belongs) = in_word(text, at) {
        // An apostrophe belongs to the word if another letter follows.
        if !belongs && (end < at || !text[at..].opens(is_apostrophe)) {
            break;
        }
        at += char_len(text, at);
        if belongs {
            end = at;
        }
    }
    end
}

/// Where one of the phrases stands anywhere in the text.
#[inline(never)]
pub(crate) fn find_any(text: &str, phrases: &[&'static str]) -> Option<(usize, &'static str)> {
    let initials = Initials::of(phrases);
    for (at, word) in words(text) {
        if initials.may_begin(word)
            && let Some((phrase, _)) = any_at(&text[at..], phrases)
        {
            return Some((at, phrase));
        }
    }
    None
}

/// The letters with which the phrases of a list begin, one bit each, to pass most words by quickly.
pub(crate) struct Initials(u32);

impl Initials {
    /// Those of a list in lower case.
    pub(crate) fn of(phrases: &[&str]) -> Initials {
        let mut bits = 0;
        for phrase in phrases {
            bits |= Initials::bit(phrase);
        }
        Initials(bits)
    }

    /// Whether a word may begin one of the phrases.
    pub(crate) fn may_begin(&self, word: &str) -> bool {
        self.0 & Initials::bit(word) != 0
    }

    /// All bits for what is no ASCII letter: nothing is known of it.
    fn bit(word: &str) -> u32 {
        match word.as_bytes().first().map(u8::to_ascii_lowercase) {
            Some(letter @ b'a'..=b'z') => 1 << (letter - b'a'),
            _ => u32::MAX,
        }
    }
}
