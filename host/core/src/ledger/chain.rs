//! A chain of entries that was checked, and adding to it.

use std::ops::Range;

use super::Book;
use super::damage::{Damage, EntryFault};
use super::head::{Head, Last};
use super::line::Line;
use super::moment::Moment;
use super::payload::{Payload, PayloadFault, PayloadKind};
use crate::id::{Digest, GraderName};

/// A grader's ledger. Every link in it holds, and every payload is of a known kind and version.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    pub(super) grader: GraderName,
    pub(super) book: Book,
    /// The file: whole lines.
    pub(super) text: String,
    pub(super) held: Vec<Held>,
}

/// What is kept of an entry beside its text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Held {
    at: Moment,
    digest: Digest,
    payload: Payload,
    /// Where the list of its signatures stands in the text.
    signatures: Range<usize>,
    /// Where the line stands in the text, without its end.
    line: Range<usize>,
    /// Where the payload does.
    raw: Range<usize>,
    /// The latest moment of this entry and all before it.
    latest: Moment,
}

/// An entry of a chain.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'c> {
    chain: &'c Chain,
    index: usize,
}

/// An entry that may be written: its line, and the head that acknowledges it.
#[derive(Debug, Clone, PartialEq)]
pub struct Next {
    /// The line to append to the file, with its end.
    pub line: String,
    /// What the head is to say when the line is safe.
    pub head: Head,
    prev: Digest,
    held: Held,
}

/// Why an entry is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The payload is not one line of JSON as it would stand in the ledger.
    #[error(
        "the payload must be one line of JSON, with no space or line end around it: what is signed is what stands in the ledger"
    )]
    NotOneLine,
    /// The payload cannot be read.
    #[error("{0}")]
    Payload(#[from] PayloadFault),
    /// It speaks of another grader.
    #[error("the payload speaks of `{found}`, and this is the ledger of `{expected}`")]
    Grader {
        /// The grader it speaks of.
        found: GraderName,
        /// Whose ledger it is.
        expected: GraderName,
    },
    /// It belongs in the other book.
    #[error(
        "`{0}` entries do not belong in this book: `verified` ones are kept apart from all others"
    )]
    Book(PayloadKind),
    /// It was prepared for another state of the chain.
    #[error("the ledger has changed since the entry was prepared: prepare it again")]
    Moved,
}

impl Chain {
    /// A ledger without entries.
    #[must_use]
    pub fn empty(grader: GraderName, book: Book) -> Self {
        Self { grader, book, text: String::new(), held: Vec::new() }
    }

    /// Whose ledger it is.
    #[must_use]
    pub fn grader(&self) -> &GraderName {
        &self.grader
    }

    /// Which of the grader's two books.
    #[must_use]
    pub fn book(&self) -> Book {
        self.book
    }

    /// What the first entry is linked to.
    #[must_use]
    pub fn genesis(&self) -> Digest {
        self.book.genesis(&self.grader)
    }

    /// The file's text: whole lines.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many entries there are: also the number of the last.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.held.len() as u64
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// The last entry; the genesis where there is none.
    #[must_use]
    pub fn last(&self) -> Last {
        Last { seq: self.len(), digest: self.held.last().map_or(self.genesis(), |it| it.digest) }
    }

    /// What its head file says when every entry is acknowledged.
    #[must_use]
    pub fn head(&self) -> Head {
        Head::of(self.last())
    }

    /// The latest moment that any entry states. A clock that is behind it is wrong, or the entry's was.
    #[must_use]
    pub fn latest(&self) -> Option<Moment> {
        self.held.last().map(|held| held.latest)
    }

    /// Every entry, in order.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> + ExactSizeIterator {
        (0..self.held.len()).map(|index| Entry { chain: self, index })
    }

    /// The entry of this number, from 1.
    #[must_use]
    pub fn entry(&self, seq: u64) -> Option<Entry<'_>> {
        let index = usize::try_from(seq.checked_sub(1)?).ok()?;
        (index < self.held.len()).then_some(Entry { chain: self, index })
    }

    /// The last entry before number `before` whose payload has this digest: what a remark refers to.
    #[must_use]
    pub fn referred(&self, payload: Digest, before: u64) -> Option<Entry<'_>> {
        let earlier = self.entries().rev().filter(|entry| entry.seq() < before);
        earlier.into_iter().find(|entry| entry.payload_digest() == payload)
    }

    /// Prepares an entry and leaves the chain as it is: the line can be written first, and [`Chain::push`]ed
    /// when it is safe. A time before that of earlier entries is taken, and shows as [`Entry::set_back`].
    ///
    /// # Errors
    /// When the payload is not what this ledger can hold.
    pub fn next(&self, payload: &str, signatures: &[String], at: Moment) -> Result<Next, Refused> {
        let parsed = Payload::parse(payload)?;
        let outer = |byte: Option<&u8>| byte.is_some_and(|byte| b" \t\r\n".contains(byte));
        let bytes = payload.as_bytes();
        if outer(bytes.first()) || outer(bytes.last()) || payload.contains(['\n', '\r']) {
            return Err(Refused::NotOneLine);
        }
        match belongs(&parsed, &self.grader, self.book) {
            Ok(()) => {}
            Err(EntryFault::Book(kind)) => return Err(Refused::Book(kind)),
            Err(_) => {
                let (found, expected) = (parsed.grader().clone(), self.grader.clone());
                return Err(Refused::Grader { found, expected });
            }
        }
        let Last { seq, digest: prev } = self.last();
        let mut line = Line::render(seq + 1, at, prev, payload, signatures);
        // Behind the payload stand the list, and the brace that closes the line.
        let after = payload_start(&line) + payload.len() + ",\"signatures\":".len();
        let signatures = after..line.len() - 1;
        let digest = Digest::of(line.as_bytes());
        let start = self.text.len();
        let raw = start + payload_start(&line);
        let held = Held {
            at,
            digest,
            payload: parsed,
            signatures: start + signatures.start..start + signatures.end,
            line: start..start + line.len(),
            raw: raw..raw + payload.len(),
            latest: self.latest().map_or(at, |latest| latest.max(at)),
        };
        line.push('\n');
        Ok(Next { line, head: Head::of(Last { seq: seq + 1, digest }), prev, held })
    }

    /// Takes an entry that was prepared.
    ///
    /// # Errors
    /// When the chain is not the one that it was prepared for.
    pub fn push(&mut self, next: Next) -> Result<(), Refused> {
        if self.last().digest != next.prev || self.text.len() != next.held.line.start {
            return Err(Refused::Moved);
        }
        self.text.push_str(&next.line);
        self.held.push(next.held);
        Ok(())
    }

    /// Adds an entry: [`Chain::next`] and [`Chain::push`] in one. Returns the line with its end, and the head.
    ///
    /// # Errors
    /// When the payload is not what this ledger can hold.
    pub fn append(
        &mut self,
        payload: &str,
        signatures: &[String],
        at: Moment,
    ) -> Result<(String, Head), Refused> {
        let next = self.next(payload, signatures, at)?;
        let written = (next.line.clone(), next.head);
        self.push(next)?;
        Ok(written)
    }

    /// Takes the line that stands here in the text: checks its number, its link and that it belongs here.
    pub(super) fn take(&mut self, line: Range<usize>) -> Result<(), EntryFault> {
        let text = &self.text[line.clone()];
        if text.ends_with('\r') {
            return Err(EntryFault::CarriageReturn);
        }
        let read = Line::parse(text)?;
        let Last { seq, digest: prev } = self.last();
        if read.seq != seq + 1 {
            return Err(EntryFault::Number { found: read.seq });
        }
        if read.prev != prev {
            return Err(EntryFault::Link);
        }
        belongs(&read.payload, &self.grader, self.book)?;
        let digest = Digest::of(text.as_bytes());
        self.held.push(Held {
            at: read.at,
            digest,
            payload: read.payload,
            signatures: line.start + read.signatures.start..line.start + read.signatures.end,
            raw: line.start + read.raw.start..line.start + read.raw.end,
            line,
            latest: self.latest().map_or(read.at, |latest| latest.max(read.at)),
        });
        Ok(())
    }

    /// Reads a ledger of which no head is at hand, such as the base branch's, and wants every line whole.
    ///
    /// # Errors
    /// Names the first entry that is damaged.
    pub fn read_whole(grader: GraderName, book: Book, bytes: Vec<u8>) -> Result<Self, Damage> {
        super::read::whole(Self::empty(grader, book), bytes)
    }
}

/// The payload follows this; no text before it can hold a quotation mark or backslash of ours.
fn payload_start(line: &str) -> usize {
    const KEY: &str = "\"payload\":";
    line.find(KEY).map_or(0, |at| at + KEY.len())
}

/// Whether a payload belongs in this ledger.
fn belongs(payload: &Payload, grader: &GraderName, book: Book) -> Result<(), EntryFault> {
    if payload.grader() != grader {
        let (found, expected) = (payload.grader().clone(), grader.clone());
        return Err(EntryFault::Grader { found, expected });
    }
    if book.holds(payload.kind()) { Ok(()) } else { Err(EntryFault::Book(payload.kind())) }
}

impl<'c> Entry<'c> {
    fn held(self) -> &'c Held {
        &self.chain.held[self.index]
    }

    /// Its number, from 1: also that of its line.
    #[must_use]
    pub fn seq(self) -> u64 {
        self.index as u64 + 1
    }

    /// When it was made, as it says. Nobody signs the time.
    #[must_use]
    pub fn at(self) -> Moment {
        self.held().at
    }

    /// Where its time is before that of an earlier entry: the latest time before it. A clock was set back, or
    /// entries were linked anew after a merge. Whether a key was valid must then hold at both times.
    #[must_use]
    pub fn set_back(self) -> Option<Moment> {
        let before = self.index.checked_sub(1).map(|index| self.chain.held[index].latest)?;
        (self.at() < before).then_some(before)
    }

    /// The digest of its line, without the line's end.
    #[must_use]
    pub fn digest(self) -> Digest {
        self.held().digest
    }

    /// What it says.
    #[must_use]
    pub fn payload(self) -> &'c Payload {
        &self.held().payload
    }

    /// The bytes that its signatures cover.
    #[must_use]
    pub fn payload_text(self) -> &'c str {
        &self.chain.text[self.held().raw.clone()]
    }

    /// The digest of those bytes: the entry's name in remarks, whatever its number becomes.
    #[must_use]
    pub fn payload_digest(self) -> Digest {
        Digest::of(self.payload_text().as_bytes())
    }

    /// The signatures as they stand there. None is checked here.
    #[must_use]
    pub fn signatures(self) -> Vec<String> {
        // It was looked at when the line was read.
        serde_json::from_str(&self.chain.text[self.held().signatures.clone()]).unwrap_or_default()
    }

    /// Whether there are any.
    #[must_use]
    pub fn is_signed(self) -> bool {
        !matches!(&self.chain.text[self.held().signatures.clone()], "[]")
    }

    /// Its line, without the line's end.
    #[must_use]
    pub fn line(self) -> &'c str {
        &self.chain.text[self.held().line.clone()]
    }
}
