//! Reading a ledger against its head.
//!
//! What the head acknowledges must be there, byte for byte. Beyond it the file may have a tail, left by a
//! command that was stopped: whole entries are adopted, and a last line that was not written to its end is
//! left out. Anything else is damage.

use super::Book;
use super::chain::Chain;
use super::damage::{Damage, EntryFault, HeadFault};
use super::head::Head;
use super::line::link;
use crate::id::{Digest, GraderName};

/// A ledger that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Its entries.
    pub chain: Chain,
    /// What a stopped command left behind.
    pub tail: Tail,
}

/// What a stopped command left behind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tail {
    /// Whole entries that the head does not acknowledge yet. They are part of the chain.
    pub adopted: u64,
    /// Bytes of a line that was not written to its end. They are not part of the chain.
    pub torn: usize,
    /// Whether the ledger was being replaced by one that was linked anew.
    pub replacement: Option<Replacement>,
}

/// How far a replacement came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replacement {
    /// The new ledger is there.
    Done,
    /// The old one still is.
    Undone,
}

impl Tail {
    /// Whether there is none: nothing is to be mended.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        *self == Self::default()
    }
}

impl Chain {
    /// Reads a ledger file against its head file; absent where there is no such file. No file at all is a ledger
    /// without entries; a ledger with bytes in it has a head from before its first entry on.
    ///
    /// # Errors
    /// Names the first entry that is damaged, or what is wrong with the head.
    pub fn read(
        grader: GraderName,
        book: Book,
        bytes: Vec<u8>,
        head: Option<&[u8]>,
    ) -> Result<Reading, Damage> {
        let empty = Self::empty(grader, book);
        let head = match head {
            Some(head) => Head::parse(head).map_err(Damage::Head)?,
            None if bytes.is_empty() => {
                return Ok(Reading { chain: empty, tail: Tail::default() });
            }
            None => return Err(Damage::Head(HeadFault::Missing)),
        };
        // While a ledger is being replaced nothing is appended: nothing is beyond either head.
        let acknowledged = if head.replaces.is_some() { u64::MAX } else { head.seq };
        let (chain, torn) = lines(empty, bytes, acknowledged, Some(&head))?;
        let (adopted, replacement) = against(&chain, &head).map_err(|fault| match fault {
            Mismatch::Head(fault) => Damage::Head(fault),
            Mismatch::Entry => Damage::Entry { entry: head.seq, fault: EntryFault::Changed },
        })?;
        Ok(Reading { chain, tail: Tail { adopted, torn, replacement } })
    }
}

/// Reads a ledger of which every line must be whole.
pub(super) fn whole(empty: Chain, bytes: Vec<u8>) -> Result<Chain, Damage> {
    lines(empty, bytes, u64::MAX, None).map(|(chain, _)| chain)
}

enum Mismatch {
    Head(HeadFault),
    Entry,
}

/// Compares the chain with its head: how many entries are beyond it, and how a replacement stands.
fn against(chain: &Chain, head: &Head) -> Result<(u64, Option<Replacement>), Mismatch> {
    if let Some(replaces) = head.replaces {
        return match chain.last() {
            last if last == head.last() => Ok((0, Some(Replacement::Done))),
            last if last == replaces => Ok((0, Some(Replacement::Undone))),
            _ => Err(Mismatch::Head(HeadFault::Replacing)),
        };
    }
    let (acknowledged, found) = (head.seq, chain.len());
    if acknowledged > found {
        return Err(Mismatch::Head(HeadFault::Beyond { acknowledged, found }));
    }
    let digest = chain.entry(acknowledged).map_or(chain.genesis(), |entry| entry.digest());
    match found - acknowledged {
        beyond if digest == head.digest => Ok((beyond, None)),
        // The entry after it, and the genesis, bear the entry out against the head.
        0 if acknowledged > 0 => Err(Mismatch::Entry),
        _ => Err(Mismatch::Head(HeadFault::Differs { acknowledged })),
    }
}

/// Takes line after line. The second value is how many bytes of a torn line were left out.
fn lines(
    mut chain: Chain,
    bytes: Vec<u8>,
    acknowledged: u64,
    head: Option<&Head>,
) -> Result<(Chain, usize), Damage> {
    let total = bytes.len();
    // What is not UTF-8 can only be behind the text that is.
    let rest;
    (chain.text, rest) = split(bytes);
    let mut at = 0;
    while let Some(length) = chain.text[at..].find('\n') {
        let line = at..at + length;
        if let Err(fault) = chain.take(line.clone()) {
            let last = line.end + 1 == total;
            let torn = last && matches!(fault, EntryFault::Unreadable(_));
            if torn && chain.len() >= acknowledged {
                return Ok(cut(chain, at, total));
            }
            let fault = blamed(&chain, at, length, fault, head);
            return Err(fault);
        }
        at = line.end + 1;
    }
    if at == total {
        return Ok((chain, 0));
    }
    let ends = rest.iter().position(|byte| *byte == b'\n').is_none_or(|end| end + 1 == rest.len());
    if ends && chain.len() >= acknowledged {
        return Ok(cut(chain, at, total));
    }
    let entry = chain.len() + 1;
    let fault = match head {
        _ if rest.contains(&b'\n') => EntryFault::Unreadable("it is not UTF-8".to_owned()),
        Some(head) => EntryFault::Cut { acknowledged: head.seq },
        None => EntryFault::Unreadable("the file ends within it".to_owned()),
    };
    Err(Damage::Entry { entry, fault })
}

/// The text up to the first byte that is not UTF-8, and what follows.
fn split(bytes: Vec<u8>) -> (String, Vec<u8>) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, Vec::new()),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let mut bytes = error.into_bytes();
            let rest = bytes.split_off(valid);
            (String::from_utf8(bytes).unwrap_or_default(), rest)
        }
    }
}

/// Leaves out what follows the last whole line.
fn cut(mut chain: Chain, at: usize, total: usize) -> (Chain, usize) {
    chain.text.truncate(at);
    (chain, total - at)
}

/// Which of two entries is to blame when a link does not hold: if what follows the second bears it out, the
/// first was changed; else the second was.
fn blamed(
    chain: &Chain,
    at: usize,
    length: usize,
    fault: EntryFault,
    head: Option<&Head>,
) -> Damage {
    let entry = chain.len() + 1;
    if fault != EntryFault::Link {
        return Damage::Entry { entry, fault };
    }
    let digest = Digest::of(&chain.text.as_bytes()[at..at + length]);
    let after = &chain.text[at + length + 1..];
    let borne_out = match after.lines().next() {
        Some(next) => link(next) == Some(digest),
        None => head.is_some_and(|head| head.seq == entry && head.digest == digest),
    };
    match (borne_out, entry) {
        (_, 1) => Damage::Entry { entry, fault: EntryFault::Genesis(chain.grader.clone()) },
        (true, _) => Damage::Entry { entry: entry - 1, fault: EntryFault::Changed },
        (false, _) => Damage::Entry { entry, fault: EntryFault::Link },
    }
}
