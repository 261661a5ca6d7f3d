//! The time, read once a command and handed on.

use accredit_core::ledger::Moment;

use crate::failure::Failure;

/// Now, to the second.
///
/// # Errors
/// When the clock stands outside of the years 0000 to 9999.
pub fn now() -> Result<Moment, Failure> {
    let seconds = jiff::Timestamp::now().as_second();
    Moment::from_seconds(seconds).ok_or_else(|| {
        Failure::Integrity(format!("the clock says {seconds} seconds since 1970: set it"))
    })
}
