//! Splits an output into lines and tells which of them are fenced, quoted or under an example.

use crate::language::edges::Edges;
use crate::language::text::trim;
use crate::page::addressed;
use crate::page::lead_in::{self, LeadIn};

/// Whether a line counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mask {
    /// It does.
    Clear,
    /// It may stand under an example.
    Doubtful,
    /// Code, a quotation or an example.
    Hidden,
    /// Addressed to the grader.
    Addressed,
}

/// One line with its place, without the line break.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) mask: Mask,
}

/// What an example lead-in covers at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cover {
    None,
    /// The next paragraph.
    Next(Mask),
    /// This paragraph.
    Now(Mask),
}

/// Reads lines one by one.
pub(crate) struct Layout<'a> {
    text: &'a str,
    at: usize,
    /// The fence that is open: its character and length.
    fence: Option<(u8, usize)>,
    /// The level of the heading of an example section.
    section: Option<usize>,
    cover: Cover,
    /// What holds for paragraphs when no lead-in covers them.
    default: Mask,
}

impl<'a> Layout<'a> {
    /// A reader of a text's lines.
    pub(crate) fn new(text: &'a str) -> Layout<'a> {
        Layout { text, at: 0, fence: None, section: None, cover: Cover::None, default: Mask::Clear }
    }

    fn mask(&mut self, line: &str) -> Mask {
        let bare = trim(line);
        if let Some(fence) = fence(line) {
            return self.fenced(fence, bare);
        }
        if self.fence.is_some() {
            return Mask::Hidden;
        }
        if bare.is_empty() {
            if matches!(self.cover, Cover::Now(_)) {
                self.cover = Cover::None;
            }
            return Mask::Clear;
        }
        if bare.starts_with('>') {
            return Mask::Hidden;
        }
        if is_rule(bare) {
            self.section = None;
            self.cover = Cover::None;
            self.default = Mask::Clear;
            return Mask::Clear;
        }
        if let Some((level, title)) = heading(bare) {
            // Four hashes under a lead-in are the answer of its example.
            if level != 4 || self.cover == Cover::None {
                return self.heading(level, title);
            }
        }
        self.plain(bare)
    }

    fn fenced(&mut self, (mark, length): (u8, usize), bare: &str) -> Mask {
        match self.fence {
            None => self.fence = Some((mark, length)),
            Some((open, least)) if open == mark && length >= least && bare.len() == length => {
                self.fence = None;
            }
            Some(_) => {}
        }
        Mask::Hidden
    }

    fn heading(&mut self, level: usize, title: &str) -> Mask {
        if self.section.is_some_and(|open| level <= open) {
            self.section = None;
        }
        self.cover = Cover::None;
        self.default = Mask::Clear;
        if self.section.is_none() && lead_in::says_example(title) {
            self.section = Some(level);
        }
        if self.section.is_some() { Mask::Hidden } else { Mask::Clear }
    }

    fn plain(&mut self, bare: &str) -> Mask {
        if self.section.is_some() {
            return Mask::Hidden;
        }
        if let Cover::Next(mask) = self.cover {
            self.cover = Cover::Now(mask);
        }
        if addressed::leads_block(bare) {
            self.cover = Cover::Next(Mask::Addressed);
            return Mask::Addressed;
        }
        match lead_in::read(bare) {
            LeadIn::None => {}
            LeadIn::Block => return self.lead(Cover::Next(Mask::Hidden), Mask::Hidden),
            LeadIn::Blocks => {
                self.default = Mask::Doubtful;
                return self.lead(Cover::Next(Mask::Hidden), Mask::Hidden);
            }
            LeadIn::Line => return self.lead(Cover::None, Mask::Hidden),
            LeadIn::Paragraph => return self.lead(Cover::Now(Mask::Hidden), Mask::Hidden),
            LeadIn::Perhaps => return self.lead(Cover::Now(Mask::Doubtful), Mask::Hidden),
        }
        match self.cover {
            Cover::Now(mask) => mask,
            _ => self.default,
        }
    }

    fn lead(&mut self, cover: Cover, mask: Mask) -> Mask {
        self.cover = cover;
        mask
    }
}

impl Iterator for Layout<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        if self.at >= self.text.len() {
            return None;
        }
        let start = self.at;
        let end =
            self.text[start..].find(['\n', '\r']).map_or(self.text.len(), |length| start + length);
        let breaks = if self.text[end..].starts_with("\r\n") { 2 } else { 1 };
        self.at = (end + breaks).min(self.text.len());
        let mask = self.mask(&self.text[start..end]);
        Some(Line { start, end, mask })
    }
}

/// The character and length of a code fence.
pub(crate) fn fence(line: &str) -> Option<(u8, usize)> {
    let bare = line.trim_start_of(|c| matches!(c, ' ' | '\t'));
    let mark = *bare.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = bare.bytes().take_while(|byte| *byte == mark).count();
    // "```x```" on one line is inline code.
    let inline = mark == b'`' && bare[length..].contains('`');
    (length >= 3 && !inline).then_some((mark, length))
}

/// The level and title of a heading. `#### 42` may be an answer; it still closes an example of its level.
pub(crate) fn heading(bare: &str) -> Option<(usize, &str)> {
    let level = bare.bytes().take_while(|byte| *byte == b'#').count();
    let title = &bare[level..];
    ((1..=6).contains(&level) && (title.is_empty() || title.opens(|c| matches!(c, ' ' | '\t'))))
        .then(|| (level, title.trim()))
}

/// Whether a line is a horizontal rule.
pub(crate) fn is_rule(bare: &str) -> bool {
    let mark = bare.as_bytes().first().copied().unwrap_or(b' ');
    matches!(mark, b'-' | b'*' | b'_' | b'=')
        && bare.bytes().filter(|byte| *byte == mark).count() >= 3
        && bare.bytes().all(|byte| byte == mark || byte == b' ')
}

/// What stands behind a list mark such as `-` or `2.`.
pub(crate) fn list_item(bare: &str) -> Option<&str> {
    if let Some(rest) = bare.strip_prefix(['-', '*', '+', '•', '–']) {
        return rest.opens(|c| matches!(c, ' ' | '\t')).then(|| rest.trim());
    }
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    let letter = usize::from(digits == 0 && bare.opens(|c| c.is_ascii_alphabetic()));
    let mark = digits + letter;
    if mark == 0 || mark > 3 {
        return None;
    }
    let rest = bare[mark..].strip_prefix(['.', ')'])?;
    rest.opens(|c| matches!(c, ' ' | '\t')).then(|| rest.trim())
}
