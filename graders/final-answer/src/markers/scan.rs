//! Walks an output and finds its markers and what takes them back.

use crate::language::edges::Edges;
use crate::language::phrases::{is_emphasis, word_len};
use crate::language::text::{is_blank, trim};
use crate::markers::ledger::{Ledger, Mark};
use crate::markers::marker::{self, Kind, Position, Surety};
use crate::markers::take_back;
use crate::page::addressed::{self, Address};
use crate::page::layout::{self, Layout, Line, Mask};
use crate::page::lead_in;
use crate::page::quotation::Quotations;
use crate::page::sentence;

/// How doubtful passages are read. Where the two readings differ, nothing is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// They do not count.
    Strict,
    /// They count.
    Loose,
}

/// What was found.
pub(crate) struct Scan<'a> {
    pub(crate) ledger: Ledger<'a>,
    /// Whether the other mode may find something else.
    pub(crate) has_doubt: bool,
}

/// Scans a text.
pub(crate) fn scan(text: &str, mode: Mode) -> Scan<'_> {
    let mut scanner = Scanner {
        text,
        mode,
        quotations: Quotations::new(text),
        scan: Scan { ledger: Ledger::new(text), has_doubt: false },
        resume: 0,
        sentence: 0,
        line: Line { start: 0, end: 0, mask: Mask::Clear },
        before: "",
        first_sign: 0,
        first_word: 0,
    };
    for line in Layout::new(text) {
        scanner.line(line);
    }
    scanner.scan.ledger.settle(text.len());
    scanner.scan
}

struct Scanner<'a> {
    text: &'a str,
    mode: Mode,
    quotations: Quotations<'a>,
    scan: Scan<'a>,
    /// Nothing before this place is looked at any more.
    resume: usize,
    /// Where the present sentence began.
    sentence: usize,
    line: Line,
    /// The word before the present one.
    before: &'a str,
    /// Where the present line begins, emphasis aside, and where its first word does.
    first_sign: usize,
    first_word: usize,
}

impl<'a> Scanner<'a> {
    /// Whether something that only may count is to be counted; notes that there was a doubt.
    fn counts(&mut self, surety: Surety) -> bool {
        match surety {
            Surety::Yes => true,
            Surety::No => false,
            Surety::Perhaps => {
                self.scan.has_doubt = true;
                self.mode == Mode::Loose
            }
        }
    }

    fn line(&mut self, line: Line) {
        let shown = match line.mask {
            Mask::Clear => Surety::Yes,
            Mask::Doubtful => Surety::Perhaps,
            Mask::Hidden | Mask::Addressed => Surety::No,
        };
        let text = &self.text[line.start..line.end];
        if trim(text).is_empty() {
            self.sentence = line.end;
            return;
        }
        if !self.counts(shown) {
            self.sentence = line.end;
            self.resume = self.resume.max(line.end);
            return;
        }
        self.line = line;
        let first =
            |stop: fn(char) -> bool| text.find(stop).map_or(line.end, |length| line.start + length);
        self.first_sign = first(|c| !is_blank(c) && !is_emphasis(c));
        self.first_word = first(char::is_alphanumeric);
        if !self.continues(line) {
            self.sentence = line.start;
            self.before = "";
        }
        self.heed_address(line.start);
        let mut at = line.start.max(self.resume);
        while at < line.end {
            at = self.step(at).max(at + 1);
            at = at.max(self.resume);
            while at < self.text.len() && !self.text.is_char_boundary(at) {
                at += 1;
            }
        }
        self.resume = self.resume.max(at);
    }

    /// Whether a line goes on with the sentence of the line before.
    fn continues(&self, line: Line) -> bool {
        let before = trim(&self.text[self.sentence..line.start]);
        let begins_low = trim(&self.text[line.start..line.end]).opens(char::is_lowercase);
        !before.is_empty() && (begins_low || before.ends_with(','))
    }

    fn begin_sentence(&mut self, at: usize) {
        self.sentence = at;
        self.before = "";
        self.heed_address(at);
    }

    /// Skips the rest of the line if it is addressed to the grader from here on.
    fn heed_address(&mut self, at: usize) {
        if at < self.resume {
            return;
        }
        let rest = &self.text[at..self.line.end];
        let shown = match addressed::read(rest) {
            Address::No => return,
            Address::Perhaps => self.counts(Surety::Perhaps),
            Address::Line => false,
            Address::Sentence if addressed::is_all(rest) => false,
            Address::Sentence => {
                // What follows on the line may be meant for the reader.
                self.scan.ledger.limit(at);
                let end = at + sentence::first(rest).len();
                self.resume = if self.counts(Surety::Perhaps) { end } else { self.line.end };
                return;
            }
        };
        if !shown {
            self.scan.ledger.limit(at);
            self.resume = self.line.end;
        }
    }

    /// Looks at one character and returns where to go on.
    fn step(&mut self, at: usize) -> usize {
        let rest = &self.text[at..self.line.end];
        let Some(c) = rest.chars().next() else { return self.line.end };
        let next = at + c.len_utf8();
        if c.is_alphanumeric() {
            return self.word(at, rest);
        }
        match c {
            '.' | '!' | '?' => self.stop(at, next),
            '。' | '！' | '？' | '｡' => {
                self.begin_sentence(next);
                next
            }
            '#' => self.hashes(at, rest),
            '\\' => self.command(at, rest),
            '`' => self.code(at, rest).map_or(next, |length| at + length),
            _ => self.quotations.end(at).map_or(next, |end| {
                self.resume = self.resume.max(end);
                end
            }),
        }
    }

    /// A sentence ends where space follows.
    fn stop(&mut self, at: usize, next: usize) -> usize {
        let behind = &self.text[next..self.line.end];
        let ahead = behind.trim_start_of(sentence::is_closer);
        if ahead.opens(char::is_whitespace) && !self.text[..at].ends_with('.') {
            self.begin_sentence(next);
        }
        next
    }

    /// Inline code in a sentence quotes a marker; as a line of its own it may only be set off.
    fn code(&mut self, at: usize, rest: &str) -> Option<usize> {
        const LONGEST: usize = 400;
        let inner = &rest[1..];
        let length = inner.bytes().take(LONGEST).position(|byte| byte == b'`')?;
        let holds_marker = ["nswer", "####", "boxed", "a:"]
            .iter()
            .any(|mark| lead_in::contains_ignoring_case(&inner[..length], mark));
        let is_whole_line = at == self.first_sign && trim(&inner[length + 1..]).is_empty();
        let shown = if is_whole_line { Surety::Perhaps } else { Surety::No };
        (length > 0 && holds_marker && !self.counts(shown)).then_some(length + 2)
    }

    fn position(&self, at: usize) -> Position {
        if at == self.first_sign {
            Position::Start
        } else if at == self.first_word {
            Position::FirstWord
        } else {
            Position::Inside
        }
    }

    fn hashes(&mut self, at: usize, rest: &str) -> usize {
        let count = rest.bytes().take_while(|byte| *byte == b'#').count();
        if count == 4 {
            let starts_line = at == self.first_sign;
            let found = marker::hashes(&self.text[at + 4..], self.line.end - at - 4, starts_line);
            self.mark(Kind::Hashes, at, at + 4, found);
        }
        at + count
    }

    fn command(&mut self, at: usize, rest: &str) -> usize {
        let Some(open) = marker::boxed(rest) else { return at + 1 };
        let body = at + open;
        self.mark(Kind::Boxed, at, body, Surety::Yes);
        match marker::closing_brace(&self.text[body..]) {
            marker::Brace::Closed(length) => {
                self.scan.ledger.close(body + length);
                self.resume = self.resume.max(body + length);
            }
            marker::Brace::Nested => {}
            marker::Brace::Open => self.scan.ledger.leave_open(),
        }
        body
    }

    fn word(&mut self, at: usize, rest: &'a str) -> usize {
        let length = word_len(rest).max(rest.chars().next().map_or(1, char::len_utf8));
        let mut end = at + length;
        // "one-answer" and "sub_answer" are words of their own.
        let before = self.text[..at].strip_suffix(['-', '_']).unwrap_or("");
        let is_joined = before.closes(char::is_alphanumeric);
        if is_joined {
            // No marker, and no words that take anything back.
        } else if let Some(found) = marker::word(&self.text[at..], self.position(at), self.before) {
            let body = at + found.length;
            self.mark(found.kind, at, body, found.surety);
            end = body;
        } else if self.scan.ledger.has_marks() && take_back::may_begin(rest) {
            self.take_back(at, rest);
        }
        self.before = &rest[..length];
        end
    }

    fn mark(&mut self, kind: Kind, at: usize, body: usize, surety: Surety) {
        let start = self.sentence.min(at);
        let lead = marker::lead(&self.text[start..at]);
        let shown = if lead_in::says_example(lead) {
            if lead_in::surely_leads(lead) { Surety::No } else { Surety::Perhaps }
        } else {
            Surety::Yes
        };
        let committed = self.commits(kind, lead, &self.text[body..self.line.end.max(body)]);
        if !self.counts(surety) || !self.counts(shown) || !self.counts(committed) {
            return;
        }
        let conditional = marker::is_conditional(lead);
        let is_conditional = self.counts_against(conditional);
        let line_end = self.line.end.max(body);
        let mark = Mark {
            kind,
            at,
            body,
            line_start: self.line.start,
            line_end,
            conditional: is_conditional,
        };
        self.scan.ledger.mark(mark);
        let body_text = addressed::near(&self.text[body..line_end], 160);
        if addressed::begins(body_text) {
            self.scan.ledger.limit(body);
        } else if let Some(id) = addressed::rule_id(sentence::first(body_text)) {
            self.scan.ledger.limit(body + id);
        }
    }

    /// Whether "the answer is" commits to something here, as the other markers always do.
    fn commits(&self, kind: Kind, lead: &str, body: &str) -> Surety {
        if kind != Kind::Sentence {
            Surety::Yes
        } else if self.scan.ledger.has_marks() && marker::is_remark(body) {
            Surety::No
        } else if marker::is_reserved(lead) {
            Surety::Perhaps
        } else {
            Surety::Yes
        }
    }

    /// A doubtful condition is one in the strict reading only.
    fn counts_against(&mut self, surety: Surety) -> bool {
        match surety {
            Surety::Yes => true,
            Surety::No => false,
            Surety::Perhaps => {
                self.scan.has_doubt = true;
                self.mode == Mode::Strict
            }
        }
    }

    fn take_back(&mut self, at: usize, rest: &str) {
        let sentence = &self.text[self.sentence.min(at)..at];
        let Some((surety, length)) = take_back::read(marker::lead(sentence), rest) else { return };
        if self.scan.ledger.is_body_start(at) && !self.scan.ledger.reads_as_take_back() {
            return;
        }
        if self.counts(surety) {
            self.scan.ledger.take_back(at, at + length);
        }
    }
}

/// Whether a line only opens or closes a fence or formula, or rules the page off.
pub(crate) fn is_frame(line: &str) -> bool {
    const LONGEST: usize = 200;
    let bare = trim(line).trim_matches(is_emphasis);
    if bare.is_empty() || bare.len() > LONGEST {
        return bare.is_empty();
    }
    matches!(bare, "$$" | "\\[" | "\\]" | "\\(" | "\\)")
        || layout::fence(line).is_some()
        || layout::is_rule(trim(line))
}
