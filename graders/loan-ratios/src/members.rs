//! Picks named members out of one object, and tells a missing one from a repeated one.

use crate::json::{Fault, Member, read_object};

/// What an object has under one key of its own.
#[derive(Clone, Copy, Debug)]
pub enum Found<'a> {
    /// No such member.
    Missing,
    /// Exactly one.
    Once(Member<'a>),
    /// More than one, however the keys were escaped.
    Repeated,
}

/// Reads the object that begins at byte `start` of `text` and looks for `names` among its own
/// members. Returns the offset just after the object, and what was found, in the order of `names`.
pub fn find_members<'a, const N: usize>(
    text: &'a str,
    start: usize,
    names: &[&str; N],
) -> Result<(usize, [Found<'a>; N]), Fault> {
    let mut found = [Found::Missing; N];
    let end = read_object(text, start, |member| {
        for (slot, name) in found.iter_mut().zip(names) {
            if key_is(member.key, name) {
                *slot = match slot {
                    Found::Missing => Found::Once(member),
                    Found::Once(_) | Found::Repeated => Found::Repeated,
                };
            }
        }
    })?;
    Ok((end, found))
}

/// Whether a key, unescaped, is exactly `name`, which must be ASCII.
pub fn key_is(key: &str, name: &str) -> bool {
    let mut rest = key.as_bytes();
    for wanted in name.bytes() {
        let (found, after) = match rest {
            [b'\\', b'u', a, b, c, d, after @ ..] => (unescape([*a, *b, *c, *d]), after),
            // No other escape stands for a letter, digit or underscore.
            [found, after @ ..] => (u32::from(*found), after),
            [] => return false,
        };
        if found != u32::from(wanted) {
            return false;
        }
        rest = after;
    }
    rest.is_empty()
}

fn unescape(hex: [u8; 4]) -> u32 {
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0);
    hex.into_iter().fold(0, |code, byte| code * 16 + digit(byte))
}
