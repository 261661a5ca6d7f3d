//! Finds where a quotation ends, each character looked at once.

use crate::language::phrases::is_apostrophe;

/// Kinds of quotation marks: what opens, what closes.
const KINDS: [(char, char); 7] =
    [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('‘', '’'), ('\'', '\''), ('「', '」')];

/// Finds quotations in one text, front to back.
pub(crate) struct Quotations<'a> {
    text: &'a str,
    /// For each kind, up to where it is known that nothing closes it.
    barren: [usize; KINDS.len()],
}

impl<'a> Quotations<'a> {
    /// A finder for a text.
    pub(crate) fn new(text: &'a str) -> Quotations<'a> {
        Quotations { text, barren: [0; KINDS.len()] }
    }

    /// If a quotation opens at `at`, the place just behind what closes it, in the same paragraph.
    pub(crate) fn end(&mut self, at: usize) -> Option<usize> {
        let c = self.text[at..].chars().next()?;
        let kind = KINDS.iter().position(|(open, _)| *open == c)?;
        let (open, close) = KINDS[kind];
        let inner = at + open.len_utf8();
        if at < self.barren[kind] || !self.opens(at, inner, open) {
            return None;
        }
        let single_line = matches!(open, '\'' | '‘');
        let (found, seen) = self.closing(inner, close, single_line);
        if found.is_none() {
            self.barren[kind] = seen;
        }
        found
    }

    /// A straight mark opens only where a word begins.
    fn opens(&self, at: usize, inner: usize, open: char) -> bool {
        let before = self.text[..at].chars().next_back();
        let behind = self.text[inner..].chars().next();
        let fits = |c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '(' | '[' | '{' | '*' | '_' | '-' | '—' | ':' | '=' | ',' | '“' | '"'
                )
        };
        let starts = before.is_none_or(fits);
        (!matches!(open, '"' | '\'') || starts) && behind.is_some_and(|c| !c.is_whitespace())
    }

    /// Looks for the closing mark until the paragraph ends; also says how far was looked.
    fn closing(&self, from: usize, close: char, single_line: bool) -> (Option<usize>, usize) {
        let mut breaks = 0;
        let mut before = ' ';
        for (offset, c) in self.text[from..].char_indices() {
            let at = from + offset;
            if c == '\n' {
                breaks += 1;
            } else if !c.is_whitespace() {
                breaks = 0;
            }
            if breaks > usize::from(!single_line) {
                return (None, at);
            }
            let behind = at + c.len_utf8();
            if c == close && !before.is_whitespace() && self.closes(behind, close) {
                return (Some(behind), at);
            }
            before = c;
        }
        (None, self.text.len())
    }

    /// An apostrophe inside a word closes nothing.
    fn closes(&self, behind: usize, close: char) -> bool {
        let next = self.text[behind..].chars().next();
        !is_apostrophe(close) || !next.is_some_and(char::is_alphanumeric)
    }
}
