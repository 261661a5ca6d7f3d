//! Controls held out from a grader's author, and how an open set commits to them without showing them.
//!
//! An open set lists one commitment for each held-out control: a digest of what the control is, with a salt
//! that stays with the held-out set. Without the salt nobody can try guesses against it; with it anyone can
//! check that the controls which were run are the ones that were promised.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::id::Digest;

/// `[held_out]` in the `set.toml` of an open set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Commitments {
    /// One for each held-out control, sorted: `accredit controls commit DIR` prints them.
    pub commitments: Vec<Digest>,
}

/// 256 secret bits, written as 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Salt(#[schemars(regex(pattern = r"^[0-9a-f]{64}$"))] String);

/// Why a text is no salt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a salt is 64 lower-case hexadecimal digits, not all the same")]
pub struct InvalidSalt;

impl Salt {
    /// Checks the text.
    ///
    /// # Errors
    /// When it is not 64 lower-case hexadecimal digits, or one digit 64 times over.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidSalt> {
        let text = text.into();
        let plain = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let same = text.bytes().all(|byte| Some(byte) == text.bytes().next());
        if text.len() == 64 && text.bytes().all(plain) && !same {
            Ok(Self(text))
        } else {
            Err(InvalidSalt)
        }
    }

    /// The salt of these bytes.
    #[must_use]
    pub fn of(bytes: [u8; 32]) -> Self {
        Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Salt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_salt_is_checked() {
        assert_eq!(Salt::new("15".repeat(32)), Ok(Salt::of([0x15; 32])));
        for bad in ["", "ab", &"0".repeat(64), &"G".repeat(64), &"AB".repeat(32)] {
            assert_eq!(Salt::new(bad), Err(InvalidSalt), "{bad}");
        }
    }
}
