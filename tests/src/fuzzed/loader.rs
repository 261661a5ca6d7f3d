//! A component file from a stranger: inspected, never compiled.

use accredit_core::id::Digest;
use accredit_engine::{Limits, inspect};

use super::{Reached, assert_tame, assert_tame_line};

/// Inspects the bytes.
///
/// # Panics
/// When a promise of the loader is broken.
pub fn run(bytes: &[u8]) -> Reached {
    let limits = Limits::default();
    let found = match inspect(bytes, &limits) {
        Ok(found) => found,
        Err(error) => {
            assert_tame(&error);
            return Reached::Refused;
        }
    };
    assert_eq!((found.digest, found.size), (Digest::of(bytes), bytes.len()));
    for import in &found.imports {
        assert_tame_line(&import.name);
        assert_tame_line(import.access.refusal().unwrap_or_default());
    }
    found.exports.iter().chain(&found.contract).for_each(|name| assert_tame_line(name));
    found.obstacles.iter().for_each(assert_tame);
    let refused = found.imports.iter().any(|import| import.access.refusal().is_some());
    let loads = found.obstacles.is_empty();
    assert!(!(loads && (refused || found.contract.is_none())), "{found:?}");
    if loads { Reached::Taken } else { Reached::Refused }
}
