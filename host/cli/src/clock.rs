//! The time, read once a command and handed on.

use std::thread;
use std::time::Duration;

use accredit_core::ledger::Moment;

use crate::failure::Failure;

/// Now, and in a later second than this moment where it is the present one: what is entered into a ledger now is then
/// told apart by its time from what was entered a moment ago.
///
/// # Errors
/// As [`now`].
pub fn after(moment: Option<Moment>) -> Result<Moment, Failure> {
    // A second has fifty of these waits at most.
    for _ in 0..50 {
        let now = now()?;
        if moment != Some(now) {
            return Ok(now);
        }
        thread::sleep(Duration::from_millis(20));
    }
    now()
}

/// Now, to the second.
///
/// # Errors
/// When the clock stands outside of the years 0000 to 9999.
pub fn now() -> Result<Moment, Failure> {
    let now = std::time::SystemTime::now();
    let since = |it: std::time::Duration| i64::try_from(it.as_secs()).unwrap_or(i64::MAX);
    let seconds = match now.duration_since(std::time::UNIX_EPOCH) {
        Ok(after) => since(after),
        Err(before) => -since(before.duration()),
    };
    Moment::from_seconds(seconds).ok_or_else(|| {
        Failure::Integrity(format!("the clock says {seconds} seconds since 1970: set it"))
    })
}
