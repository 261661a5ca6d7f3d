//! Several files as one: each part's length and its bytes, which is what [`Digest::of_parts`] digests. So the
//! digest of a bundle's bytes is that of its parts, and a bundle can be kept under it.
//!
//! A length is eight bytes, the least first.

use crate::id::Digest;

/// Why bytes are no bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is no bundle of files: at byte {at} a part is longer than what is left")]
pub struct NoBundle {
    at: usize,
}

/// Puts parts together.
#[must_use]
pub fn bundle<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
        bytes.extend_from_slice(part);
    }
    bytes
}

/// Takes parts apart again.
///
/// # Errors
/// When the bytes are not what [`bundle`] makes of any parts.
pub fn unbundle(bytes: &[u8]) -> Result<Vec<&[u8]>, NoBundle> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let no_bundle = NoBundle { at: bytes.len() - rest.len() };
        let (length, after) = rest.split_first_chunk::<8>().ok_or(no_bundle)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| no_bundle)?;
        let (part, after) = after.split_at_checked(length).ok_or(no_bundle)?;
        parts.push(part);
        rest = after;
    }
    Ok(parts)
}

/// The digest that a bundle of these parts has.
#[must_use]
pub fn digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Digest {
    Digest::of_parts(parts)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_come_back_and_the_digest_is_theirs(parts: Vec<Vec<u8>>) {
            let slices: Vec<_> = parts.iter().map(Vec::as_slice).collect();
            let bytes = bundle(slices.iter().copied());
            prop_assert_eq!(Digest::of(&bytes), digest(slices.iter().copied()));
            prop_assert_eq!(unbundle(&bytes), Ok(slices));
        }

        #[test]
        fn whatever_is_read_is_what_would_be_written(bytes: Vec<u8>) {
            if let Ok(parts) = unbundle(&bytes) {
                prop_assert_eq!(bundle(parts), bytes);
            }
        }
    }

    #[test]
    fn what_was_cut_is_refused() {
        let bytes = bundle([b"one".as_slice(), b"two"]);
        for end in 1..bytes.len() {
            let cut = unbundle(&bytes[..end]);
            assert_eq!(cut.is_ok(), end == 11, "{end}");
        }
        assert!(unbundle(&[0xff; 16]).is_err());
    }
}
