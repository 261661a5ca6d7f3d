//! Signatures that ssh-keygen made (`tests/vectors/`), files that OpenSSH reads and files that nobody should,
//! and roots of trust one after the other.

mod chains;
mod files;
mod signatures;

use super::*;
use crate::ledger::Moment;

/// The bytes that the vectors sign, for [`POLICY`].
const SIGNED: &[u8] = b"what is signed\n";

/// The keys of the vectors that are taken.
const KEYS: [(&str, &str); 6] = [
    (include_str!("tests/vectors/ed25519.pub"), include_str!("tests/vectors/ed25519.sig")),
    (include_str!("tests/vectors/p256.pub"), include_str!("tests/vectors/p256.sig")),
    (include_str!("tests/vectors/p384.pub"), include_str!("tests/vectors/p384.sig")),
    (include_str!("tests/vectors/p521.pub"), include_str!("tests/vectors/p521.sig")),
    (include_str!("tests/vectors/rsa2048.pub"), include_str!("tests/vectors/rsa2048.sig")),
    (include_str!("tests/vectors/other.pub"), include_str!("tests/vectors/other.sig")),
];

fn key(at: usize) -> &'static str {
    KEYS[at].0.trim_end()
}

fn signature(at: usize) -> Signature {
    Signature::parse(KEYS[at].1.as_bytes()).expect("a signature")
}

fn moment(text: &str) -> Moment {
    text.parse().expect("a moment")
}
