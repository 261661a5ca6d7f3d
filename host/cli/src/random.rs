//! Randomness from the operating system: for salts and nonces, and for nothing that decides.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::failure::Failure;

/// So many random bytes.
///
/// # Errors
/// When the operating system has none.
pub fn bytes<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    let path = Path::new("/dev/urandom");
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|error| Failure::unreadable(path, error))?;
    Ok(bytes)
}

/// So many random bytes, as hexadecimal digits.
///
/// # Errors
/// As [`bytes`].
pub fn hex<const N: usize>() -> Result<String, Failure> {
    Ok(bytes::<N>()?.iter().map(|byte| format!("{byte:02x}")).collect())
}
