//! Forecasts and explanations of run records, registered in a register's book and settled by dated entries.
//!
//! The book stands in the register and is written under its lock. An outcome is entered there first, whole, and then in
//! the record's file: where a command was stopped in between, the next one that settles something of that record puts
//! the entry in. The times of all entries are this clock's.

mod entry;
mod outcome;
mod registering;

use accredit_core::gate::settlement::{Book, BookFault};

use crate::failure::Failure;
use crate::store::{Register, Writing, place};

pub use outcome::{Asked, Entered, enter};
pub use registering::{NotTaken, Registering, register};

/// A book is never larger.
pub(crate) const LARGEST: u64 = 1 << 28;

/// The book of a register; an empty one where there is none.
///
/// # Errors
/// When it is not as it was written, when others can write it, or when it cannot be read.
pub fn book(register: &Register) -> Result<Book, Failure> {
    let bytes = register.read(place::SETTLEMENTS, LARGEST)?.unwrap_or_default();
    Book::read(&bytes).map_err(|fault| damaged(register, &fault))
}

fn damaged(register: &Register, fault: &BookFault) -> Failure {
    let path = register.folder().join(place::SETTLEMENTS);
    Failure::Integrity(format!("{}: {fault}", path.display()))
}

fn keep(register: &Writing, book: &Book) -> Result<(), Failure> {
    let bytes = book.text().as_bytes();
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::Usage(format!(
            "the book of what was registered would come to {} bytes, and is read up to {LARGEST}: nothing was written. Keep another register for further systems",
            bytes.len()
        )));
    }
    register.write(place::SETTLEMENTS, bytes)
}
