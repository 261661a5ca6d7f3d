//! Every grader's ledgers, each read by itself: damage in one is no reason to know nothing of the others.

use std::collections::{BTreeMap, BTreeSet};

use accredit_core::id::GraderName;
use accredit_core::ledger::{Book, Reading};
use accredit_core::verification::{Ends, LedgerEnd};

use crate::authority::Books;
use crate::failure::Failure;
use crate::store::Register;
use crate::trust::facts::named_versions;

/// The ledgers of a register.
pub(super) struct Ledgers {
    /// All graders.
    pub(super) names: BTreeSet<GraderName>,
    /// Where each ends.
    pub(super) ends: Vec<Ends>,
    /// What is wrong with those that cannot be relied upon.
    pub(super) damaged: BTreeMap<GraderName, String>,
    /// Those that can.
    sound: BTreeMap<GraderName, Books>,
}

impl Ledgers {
    /// Reads all of them.
    pub(super) fn read(register: &Register) -> Result<Self, Failure> {
        let names = register.graders()?;
        let (mut sound, mut damaged, mut ends) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        for grader in &names {
            let (mut main, mut verified) = (None, None);
            match read(register, grader) {
                Ok(books) => {
                    main = Some(LedgerEnd::from(books.main.last()));
                    verified = Some(LedgerEnd::from(books.verified.last()));
                    sound.insert(grader.clone(), books);
                }
                Err(Failure::Integrity(damage)) => {
                    damaged.insert(grader.clone(), damage);
                }
                Err(failure) => return Err(failure),
            }
            ends.push(Ends { grader: grader.clone(), main, verified });
        }
        Ok(Self { names, ends, damaged, sound })
    }

    /// The ledgers that can be relied upon.
    pub(super) fn take(&mut self) -> BTreeMap<GraderName, Books> {
        std::mem::take(&mut self.sound)
    }
}

/// Reads one grader's two ledgers, and the statements that its promotions name.
fn read(register: &Register, grader: &GraderName) -> Result<Books, Failure> {
    let book = |book| {
        let file = register.ledger(grader, book)?;
        let Reading { chain, tail } = file.read()?;
        match tail.is_clean() {
            true => Ok(chain),
            false => Err(Failure::Integrity(format!(
                "{file}: a stopped command left something that is not acknowledged: whatever writes here next mends it, such as `accredit verify --key KEY`"
            ))),
        }
    };
    let books = Books { main: book(Book::Main)?, verified: book(Book::Verified)? };
    books.are_there(register, grader)?;
    let objects = register.objects();
    named_versions([&books.main], &|digest| objects.find(digest))?;
    Ok(books)
}
