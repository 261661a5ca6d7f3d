//! Names and digests as types: a value of one of these has already been checked.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// Why a text is not a valid id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a valid {what}: use 1 to 64 lower-case letters, digits, '.', '_' or '-', starting with a letter or digit"
)]
pub struct InvalidId {
    what: &'static str,
    text: String,
}

/// `[a-z0-9][a-z0-9._-]{0,63}`, for every kind of id.
fn well_formed(text: &str) -> bool {
    let bytes = text.as_bytes();
    let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    (1..=64).contains(&bytes.len())
        && plain(&bytes[0])
        && bytes.iter().all(|b| plain(b) || matches!(b, b'.' | b'_' | b'-'))
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(#[schemars(regex(pattern = r"^[a-z0-9][a-z0-9._-]{0,63}$"))] String);

        impl $name {
            /// Checks the text.
            ///
            /// # Errors
            /// When it does not match `[a-z0-9][a-z0-9._-]{0,63}`.
            pub fn new(text: impl Into<String>) -> Result<Self, InvalidId> {
                let text = text.into();
                if well_formed(&text) {
                    Ok(Self(text))
                } else {
                    let text = text.chars().take(80).flat_map(char::escape_debug).collect();
                    Err(InvalidId { what: $what, text })
                }
            }

            /// The id as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                Self::new(text)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::new(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
            }
        }
    };
}

id!(
    /// A control's id, unique in its set.
    ControlId,
    "control id"
);
id!(
    /// Controls that share a source, a base or a template are one family: the unit that is counted.
    FamilyId,
    "family"
);
id!(
    /// A rule's id, as the grader's manifest declares it.
    RuleId,
    "rule id"
);
id!(
    /// A rubric's id; grader and control set name the same one.
    RubricId,
    "rubric id"
);
id!(
    /// A grader's name.
    GraderName,
    "grader name"
);

id!(
    /// A case that the system under test was given; an inventory selects cases by it.
    CaseId,
    "case id"
);
id!(
    /// One run of the system under test at one case.
    RunId,
    "run id"
);
id!(
    /// One step of a run: a turn of a conversation, a phase of a job.
    StepId,
    "step id"
);
id!(
    /// A judge of a run's result, as whoever ran the system declares it.
    JudgeName,
    "judge's name"
);

impl From<&GraderName> for JudgeName {
    fn from(name: &GraderName) -> Self {
        Self(name.0.clone())
    }
}

/// A BLAKE3 digest, written `blake3:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The digest of a sequence of parts; each part's length is part of what is digested, so that
    /// moving a byte from one part to the next changes it.
    #[must_use]
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(*hasher.finalize().as_bytes())
    }

    /// The digest's bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// 64 hexadecimal digits, without the prefix.
    #[must_use]
    pub fn hex(&self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }

    /// The first 12 hexadecimal digits, for people. Never compare by it.
    #[must_use]
    pub fn short(&self) -> String {
        self.hex()[..12].to_owned()
    }
}

impl From<blake3::Hash> for Digest {
    fn from(hash: blake3::Hash) -> Self {
        Self(*hash.as_bytes())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "blake3:{}", self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Why a text is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a digest: write `blake3:` and 64 hexadecimal digits")]
pub struct InvalidDigest(String);

impl FromStr for Digest {
    type Err = InvalidDigest;
    fn from_str(text: &str) -> Result<Self, InvalidDigest> {
        // A digest is written in one way only, so that texts can be compared and searched for.
        let hex = text.strip_prefix("blake3:").map(str::as_bytes);
        let parsed = hex.and_then(|hex| <&[u8; 64]>::try_from(hex).ok()).and_then(bytes_of);
        parsed.map(Self).ok_or_else(|| InvalidDigest(text.to_owned()))
    }
}

/// The bytes that 64 lower-case hexadecimal digits stand for. A ledger of 100,000 entries has half a million digests.
fn bytes_of(hex: &[u8; 64]) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(hex.as_chunks::<2>().0) {
        *byte = nibble(pair[0])? << 4 | nibble(pair[1])?;
    }
    Some(bytes)
}

fn nibble(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer).map(|it| it.0)
    }
}

/// Reads a digest from a text without keeping the text.
struct Written(Digest);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Written;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a digest, `blake3:` and 64 hexadecimal digits")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Written, E> {
                text.parse().map(Written).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

impl JsonSchema for Digest {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Digest".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^blake3:[0-9a-f]{64}$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_checked() {
        for good in ["a", "0", "kb-1.3_x", &"a".repeat(64)] {
            assert!(ControlId::new(good).is_ok(), "{good}");
        }
        for bad in ["", "-a", ".a", "A", "a b", "a/b", "é", "../x", &"a".repeat(65)] {
            assert!(ControlId::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_digest_survives_its_text() {
        let digest = Digest::of(b"x");
        assert_eq!(digest.to_string().parse(), Ok(digest));
        assert!("blake3:00".parse::<Digest>().is_err());
        assert!("sha256:".parse::<Digest>().is_err());
        let upper = format!("blake3:{}", digest.hex().to_uppercase());
        assert!(upper.parse::<Digest>().is_err(), "one way to write it");
    }

    #[test]
    fn parts_are_told_apart() {
        let ab_c = Digest::of_parts([b"ab".as_slice(), b"c"]);
        let a_bc = Digest::of_parts([b"a".as_slice(), b"bc"]);
        assert_ne!(ab_c, a_bc);
    }
}
