//! Keeps the answers that markers offered, until something takes them back.

use crate::language::edges::Edges;
use crate::language::phrases::is_emphasis;
use crate::language::text::{is_blank, trim};
use crate::markers::marker::Kind;
use crate::markers::scan::is_frame;
use crate::page::addressed::{self, Address};
use crate::page::layout::heading;
use crate::page::sentence;

/// More answers than this are several whatever they say; the first ones and the last are kept.
const MOST: usize = 256;

/// A marker as it was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) kind: Kind,
    /// Where the marker begins.
    pub(crate) at: usize,
    /// Where its answer begins.
    pub(crate) body: usize,
    pub(crate) line_start: usize,
    pub(crate) line_end: usize,
    pub(crate) conditional: bool,
}

/// How an answer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// At the end of its sentence or line, with more text behind.
    Within,
    /// At the end of the output.
    OfOutput,
    /// At the next marker.
    AtMarker,
    /// In a box that nothing closes, or at a heading.
    Broken,
}

/// What a marker offers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) kind: Kind,
    /// The sentence behind the marker.
    pub(crate) text: &'a str,
    /// The whole line behind the marker; for a box, the line it stands in.
    pub(crate) line: &'a str,
    pub(crate) ending: Ending,
    /// Whether the next line opens a list with this answer, and that list.
    pub(crate) list: Option<&'a str>,
}

/// The answers offered so far.
pub(crate) struct Ledger<'a> {
    text: &'a str,
    /// Behind the last letter or digit of the text.
    last_word: usize,
    pending: Option<Mark>,
    limit: Option<usize>,
    open: bool,
    firm: Vec<Candidate<'a>>,
    conditional: Vec<Candidate<'a>>,
    /// The answer that was taken back last, and where the words that did so end.
    pub(crate) withdrawn: Option<(Candidate<'a>, usize)>,
}

impl<'a> Ledger<'a> {
    /// An empty ledger for a text.
    pub(crate) fn new(text: &'a str) -> Ledger<'a> {
        let last_word = text.trim_end_of(|c| !c.is_alphanumeric()).len();
        Ledger {
            text,
            last_word,
            pending: None,
            limit: None,
            open: false,
            firm: Vec::new(),
            conditional: Vec::new(),
            withdrawn: None,
        }
    }

    /// The answers that stand: the unconditional ones, or else the conditional ones.
    pub(crate) fn standing(&self) -> &[Candidate<'a>] {
        if self.firm.is_empty() { &self.conditional } else { &self.firm }
    }

    /// Whether there is anything to take back.
    pub(crate) fn has_marks(&self) -> bool {
        self.pending.is_some() || !self.firm.is_empty() || !self.conditional.is_empty()
    }

    /// A new marker; the one before it ends here.
    pub(crate) fn mark(&mut self, mark: Mark) {
        self.settle(mark.at);
        self.limit = None;
        self.open = false;
        self.pending = Some(mark);
    }

    /// The present answer goes no further than this.
    pub(crate) fn limit(&mut self, at: usize) {
        if self.pending.is_some() {
            self.limit = Some(self.limit.map_or(at, |known| known.min(at)));
        }
    }

    /// The present box closes here.
    pub(crate) fn close(&mut self, at: usize) {
        self.limit(at);
    }

    /// The present box is never closed.
    pub(crate) fn leave_open(&mut self) {
        self.open = true;
    }

    /// Whether nothing but signs stands between the present marker and a place.
    pub(crate) fn is_body_start(&self, at: usize) -> bool {
        let Some(mark) = self.pending.filter(|mark| mark.body <= at) else { return false };
        let between = &self.text[mark.body..at];
        between.len() < 40 && !between.has(char::is_alphanumeric)
    }

    /// Whether "wrong" behind the present marker speaks of an answer rather than being one.
    pub(crate) fn reads_as_take_back(&self) -> bool {
        self.pending.is_some_and(|mark| mark.kind == Kind::Sentence)
    }

    /// Takes back what was offered before `at`; what follows `end` counts from now on.
    pub(crate) fn take_back(&mut self, at: usize, end: usize) {
        if self.is_body_start(at) {
            self.pending = None;
        }
        self.settle(at);
        let last = self.firm.last().or(self.conditional.last()).copied();
        if let Some(last) = last.or(self.withdrawn.map(|(candidate, _)| candidate)) {
            self.withdrawn = Some((last, end));
        }
        self.firm.clear();
        self.conditional.clear();
    }

    /// Ends the present answer at `end` at the latest.
    pub(crate) fn settle(&mut self, end: usize) {
        let Some(mark) = self.pending.take() else { return };
        let limit = self.limit.take().map_or(end, |limit| limit.min(end));
        let open = std::mem::take(&mut self.open);
        let candidate = self.resolve(mark, limit, open);
        let list = if mark.conditional { &mut self.conditional } else { &mut self.firm };
        if list.len() >= MOST
            || list
                .last()
                .is_some_and(|last| last.text == candidate.text && !candidate.text.is_empty())
        {
            list.pop();
        }
        list.push(candidate);
    }

    fn resolve(&self, mark: Mark, limit: usize, open: bool) -> Candidate<'a> {
        if mark.kind == Kind::Boxed {
            let ending = if open { Ending::Broken } else { Ending::Within };
            let text = &self.text[mark.body..limit.max(mark.body)];
            let line_end = mark.line_end.max(limit.min(self.text.len()));
            let line = &self.text[mark.line_start..line_end];
            return Candidate { kind: mark.kind, text, line, ending, list: None };
        }
        let line = self.undangled(mark, &self.text[mark.body..mark.line_end.max(mark.body)]);
        if !is_frame(line) {
            return self.sentence(mark, line, limit, None);
        }
        self.next_line(mark, limit)
    }

    /// The part of a line that answers: up to the end of its first sentence, or the limit.
    fn sentence(
        &self,
        mark: Mark,
        line: &'a str,
        limit: usize,
        list: Option<&'a str>,
    ) -> Candidate<'a> {
        let start = line.as_ptr() as usize - self.text.as_ptr() as usize;
        let room = limit.saturating_sub(start).min(line.len());
        let first = sentence::first(&line[..room]);
        let end = start + first.len();
        let ending = if room < line.len() && first.len() == room && limit < self.text.len() {
            Ending::AtMarker
        } else if end >= self.last_word {
            Ending::OfOutput
        } else {
            Ending::Within
        };
        let text = unbracketed(&self.text[..mark.at], trim(first));
        Candidate { kind: mark.kind, text, line: trim(line), ending, list }
    }

    /// The next line that is not empty, where the rest of the marker's line is.
    fn next_line(&self, mark: Mark, limit: usize) -> Candidate<'a> {
        let mut at = mark.line_end;
        while at < limit {
            let rest = &self.text[at..];
            let length = rest.find('\n').unwrap_or(rest.len());
            let line = &rest[..length];
            at += length + 1;
            if is_frame(line) || matches!(addressed::read(line), Address::Sentence | Address::Line)
            {
                continue;
            }
            let bare = trim(line).trim_start_matches('>');
            if heading(trim(bare)).is_some_and(|(level, _)| level != 4) {
                return Candidate {
                    kind: mark.kind,
                    text: "",
                    line: "",
                    ending: Ending::Broken,
                    list: None,
                };
            }
            let item = crate::page::layout::list_item(trim(bare));
            let list = item.map(|_| rest);
            let line = item.unwrap_or(bare).trim_start_matches("#### ");
            return self.sentence(mark, trim(line), limit, list);
        }
        let ending = if limit < self.text.len() { Ending::AtMarker } else { Ending::OfOutput };
        Candidate { kind: mark.kind, text: "", line: "", ending, list: None }
    }

    /// The line without emphasis that opened before the marker and closes here.
    fn undangled(&self, mark: Mark, line: &'a str) -> &'a str {
        let Some(run) = opened_run(self.text[..mark.at].trim_end_of(is_blank)) else {
            return line;
        };
        let line = line.trim_start_matches(' ');
        if let Some(rest) = line.strip_prefix(run) {
            return rest;
        }
        let bare = line.trim_end_of(is_blank);
        let point = bare.strip_suffix(['.', ':', ',']).unwrap_or(bare);
        let closes = bare.matches(run).take(9).count() % 2 == 1;
        match bare.strip_suffix(run).or(point.strip_suffix(run)) {
            Some(rest) if closes => rest,
            _ => line,
        }
    }
}

/// The emphasis that is open at the end of a text: directly there ("**Answer"), or around other words of the
/// line ("**Correct answer").
fn opened_run(before: &str) -> Option<&str> {
    let opened = before.len() - before.trim_end_of(is_emphasis).len();
    if (1..=3).contains(&opened) {
        return Some(&before[before.len() - opened..]);
    }
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    let is_short = line.len() <= 200;
    ["**", "__"].into_iter().find(|run| is_short && line.matches(run).count() % 2 == 1)
}

/// An answer without the bracket that closes one before its marker: "(Answer: 42)".
fn unbracketed<'a>(before: &str, text: &'a str) -> &'a str {
    let opened = before.trim_end_of(is_emphasis).chars().next_back();
    let closing = match opened {
        Some('(') => ')',
        Some('[') => ']',
        _ => return text,
    };
    let point = text.strip_suffix('.').unwrap_or(text);
    point.strip_suffix(closing).map_or(text, trim)
}
