//! The book of settlements: what was registered and how it came out, in a chain of lines that only grows.
//!
//! ```text
//! {"seq":1,"at":"2026-10-01T00:00:00Z","prev":"blake3:...","what":{"registered":{...}},"digest":"blake3:..."}
//! ```
//!
//! Each line holds the digest of the line before and its own, so that no line can be changed, moved, taken out or put in
//! without a break that shows. The chain proves an order. That its times are honest, and that no lines were cut off at
//! the end, follows from the history that the register is kept in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::registration::{Key, Registration};
use crate::gate::record::{Correction, LaterOutcome, SutRun};
use crate::id::{Digest, RunId, StepId};
use crate::ledger::Moment;

/// What an entry says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// A forecast or an explanation was registered.
    Registered(Registration),
    /// One that was registered came out.
    Came(Came),
}

/// How something came out that was registered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Came {
    /// The run.
    pub run: RunId,
    /// What was registered.
    pub fingerprint: Digest,
    /// The entry that its record got.
    pub outcome: LaterOutcome,
    /// The correction that its record got, where it came out before in another way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<Correction>,
}

impl Came {
    /// Whether the record has the entry, and the correction that goes with it.
    #[must_use]
    pub fn is_in(&self, run: &SutRun) -> bool {
        let entries: Vec<_> = run.outcomes.iter().collect();
        self.is_among(&entries, &run.corrections)
    }

    /// The same for the entries on its claim, and a record's corrections.
    pub(super) fn is_among(&self, entries: &[&LaterOutcome], corrections: &[Correction]) -> bool {
        entries.contains(&&self.outcome)
            && self.correction.as_ref().is_none_or(|it| corrections.contains(it))
    }
}

/// A line, without what follows from the others.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    seq: u64,
    at: Moment,
    prev: Digest,
    what: What,
    digest: Digest,
}

/// What the book holds of one forecast or explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// When it was registered.
    pub at: Moment,
    /// What was registered.
    pub registration: Registration,
    /// How it came out, oldest first; the last counts.
    pub came: Vec<Came>,
}

/// The book, every link of which holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Book {
    text: String,
    len: u64,
    last: Option<(Moment, Digest)>,
    held: BTreeMap<Key, Standing>,
}

/// Why a book is not what was written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BookFault {
    /// It is no text.
    #[error("it is not UTF-8: restore it from version control")]
    NotText,
    /// Its last line is cut.
    #[error("entry {0}, its last, is cut short: restore it from version control")]
    Cut(u64),
    /// A line is no entry.
    #[error("entry {seq} cannot be read: {why}. Restore it from version control")]
    Unreadable {
        /// Which.
        seq: u64,
        /// Why.
        why: String,
    },
    /// A line is not as it was written.
    #[error("entry {0} was changed: restore it from version control")]
    Changed(u64),
    /// It does not follow the line before.
    #[error(
        "entry {0} does not follow the one before it: entries were changed, moved or taken out. Restore it from version control"
    )]
    Link(u64),
    /// An entry that could not have been written.
    #[error("entry {seq} cannot be: {refused}")]
    Refused {
        /// Which.
        seq: u64,
        /// Why.
        refused: Refusal,
    },
}

/// Why an entry is not taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The clock is behind the book.
    #[error("it is dated {at}, and the entry before it {before}: a clock was set back")]
    SetBack {
        /// Its time.
        at: Moment,
        /// The time of the entry before.
        before: Moment,
    },
    /// Registered too late.
    #[error("its horizon, {horizon}, had passed by {at}: what is known is no forecast")]
    Late {
        /// Its horizon.
        horizon: Moment,
        /// When it was to be registered.
        at: Moment,
    },
    /// Not what was registered.
    #[error("it was registered at {at} as something else: {} changed", .differs.join(" and "))]
    Altered {
        /// When it was registered.
        at: Moment,
        /// What differs.
        differs: Vec<&'static str>,
    },
    /// It stands there.
    #[error("it was registered at {0} already")]
    Again(Moment),
    /// Its fingerprint is not that of its parts.
    #[error("its fingerprint is not that of its parts")]
    Broken,
    /// Nothing of it was registered.
    #[error("it was never registered, so nothing says what was forecast before it came out")]
    NotRegistered,
    /// It came out before its time.
    #[error("its horizon is {horizon}, and it is only {at}")]
    Early {
        /// Its horizon.
        horizon: Moment,
        /// When it was to be entered.
        at: Moment,
    },
    /// It came out before.
    #[error("how it came out was entered at {0} already: correct that, and say why")]
    CameBefore(Moment),
    /// There is nothing to correct.
    #[error("how it came out was not entered yet: there is nothing to correct")]
    NothingToCorrect,
    /// The entry is of another time than it says.
    #[error("it says another time than the book")]
    OtherTime,
}

/// Why a book does not go on from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "it does not go on from that: entry {0} there is another one here, or is missing. The book only grows: restore it, and enter again what is new"
)]
pub struct NotAfter(pub u64);

impl Book {
    /// What the first entry is linked to.
    #[must_use]
    pub fn genesis() -> Digest {
        Digest::of(b"accredit settlements")
    }

    /// Reads a book.
    ///
    /// # Errors
    /// At the first line that is not as it was written.
    pub fn read(bytes: &[u8]) -> Result<Self, BookFault> {
        let text = std::str::from_utf8(bytes).map_err(|_| BookFault::NotText)?;
        let mut book = Self::default();
        for line in text.split_inclusive('\n') {
            let seq = book.len + 1;
            let line = line.strip_suffix('\n').ok_or(BookFault::Cut(seq))?;
            let read: Written = serde_json::from_str(line).map_err(|error| {
                let told = error.to_string();
                let why = told.chars().flat_map(char::escape_debug).take(200).collect();
                BookFault::Unreadable { seq, why }
            })?;
            let (again, _) = render(read.seq, read.at, read.prev, &read.what);
            if again != line {
                return Err(BookFault::Changed(seq));
            }
            if read.seq != seq || read.prev != book.last_digest() {
                return Err(BookFault::Link(seq));
            }
            let refused = |refused| BookFault::Refused { seq, refused };
            book.append(read.what, read.at).map_err(refused)?;
        }
        Ok(book)
    }

    /// The file's text: whole lines.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// When its last entry was made.
    #[must_use]
    pub fn latest(&self) -> Option<Moment> {
        self.last.map(|(at, _)| at)
    }

    fn last_digest(&self) -> Digest {
        self.last.map_or_else(Self::genesis, |(_, digest)| digest)
    }

    /// What it holds of a claim, if anything.
    #[must_use]
    pub fn of(&self, run: &RunId, step: &StepId, claim: &str) -> Option<&Standing> {
        self.held.get(&(run.clone(), step.clone(), claim.to_owned()))
    }

    /// Everything that was registered, by run, step and claim.
    pub fn standings(&self) -> impl Iterator<Item = &Standing> {
        self.held.values()
    }

    /// Adds an entry at this time.
    ///
    /// # Errors
    /// When the book cannot hold it; it is then what it was.
    pub fn append(&mut self, what: What, at: Moment) -> Result<(), Refusal> {
        if let Some((before, _)) = self.last.filter(|(before, _)| at < *before) {
            // What is registered already is told as that, whatever the clock says.
            if let What::Registered(it) = &what
                && let Some(held) = self.held.get(&it.key())
                && it.differs(&held.registration).is_empty()
            {
                return Err(Refusal::Again(held.at));
            }
            return Err(Refusal::SetBack { at, before });
        }
        let (line, digest) = render(self.len + 1, at, self.last_digest(), &what);
        match what {
            What::Registered(registration) => self.register(registration, at)?,
            What::Came(came) => self.enter(came, at)?,
        }
        self.last = Some((at, digest));
        self.len += 1;
        self.text.push_str(&line);
        self.text.push('\n');
        Ok(())
    }

    fn register(&mut self, registration: Registration, at: Moment) -> Result<(), Refusal> {
        if !registration.is_whole() {
            return Err(Refusal::Broken);
        }
        let key = registration.key();
        if let Some(held) = self.held.get(&key) {
            let differs = registration.differs(&held.registration);
            return Err(match differs.is_empty() {
                true => Refusal::Again(held.at),
                false => Refusal::Altered { at: held.at, differs },
            });
        }
        let horizon = registration.horizon;
        if at >= horizon {
            return Err(Refusal::Late { horizon, at });
        }
        self.held.insert(key, Standing { at, registration, came: Vec::new() });
        Ok(())
    }

    fn enter(&mut self, came: Came, at: Moment) -> Result<(), Refusal> {
        let outcome = &came.outcome;
        let key = (came.run.clone(), outcome.step.clone(), outcome.claim.clone());
        let held = self.held.get_mut(&key).ok_or(Refusal::NotRegistered)?;
        if held.registration.fingerprint != came.fingerprint {
            return Err(Refusal::Altered { at: held.at, differs: vec!["its fingerprint"] });
        }
        let dated = came.correction.as_ref().is_none_or(|it| it.at == at);
        if outcome.at != at || !dated {
            return Err(Refusal::OtherTime);
        }
        let horizon = held.registration.horizon;
        if at < horizon {
            return Err(Refusal::Early { horizon, at });
        }
        match (held.came.last(), &came.correction) {
            (Some(before), None) => return Err(Refusal::CameBefore(before.outcome.at)),
            (None, Some(_)) => return Err(Refusal::NothingToCorrect),
            _ => held.came.push(came),
        }
        Ok(())
    }

    /// Whether this book is the other with nothing or more entries behind it. Returns how many more.
    ///
    /// # Errors
    /// Names the first entry of the other that this one lacks.
    pub fn extends(&self, other: &Self) -> Result<u64, NotAfter> {
        let same = self.text.lines().zip(other.text.lines()).take_while(|(a, b)| a == b);
        let same = same.count() as u64;
        if same == other.len { Ok(self.len - same) } else { Err(NotAfter(same + 1)) }
    }
}

/// A line, without its end, and the digest that it holds: of all that stands before it.
fn render(seq: u64, at: Moment, prev: Digest, what: &What) -> (String, Digest) {
    let json = serde_json::to_string(what);
    let what = json.unwrap_or_else(|_| unreachable!("an entry is plain data"));
    let line = format!(r#"{{"seq":{seq},"at":"{at}","prev":"{prev}","what":{what}"#);
    let digest = Digest::of(line.as_bytes());
    (format!(r#"{line},"digest":"{digest}"}}"#), digest)
}
