//! Parts of a register's graders, so that several machines can share a verification: `hash:K/N`.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{Digest, GraderName};

/// Most parts.
const MOST: u32 = 1000;

/// Part K of N, from 1. A grader belongs to one of them by the digest of its name, whatever other graders there are.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Which, from 1.
    pub part: u32,
    /// Of how many.
    pub of: u32,
}

impl Part {
    /// Whether it is the first: the one that holds the checks of the register as a whole.
    #[must_use]
    pub fn is_first(self) -> bool {
        self.part == 1
    }

    /// Whether it is one that there can be.
    pub(super) fn is_sound(self) -> bool {
        (1..=MOST).contains(&self.of) && (1..=self.of).contains(&self.part)
    }

    /// Whether the grader belongs to it.
    #[must_use]
    pub fn holds(self, grader: &GraderName) -> bool {
        let digest = Digest::of(grader.as_str().as_bytes());
        let (head, _) = digest.as_bytes().split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
        let of = u64::from(self.of.max(1));
        u64::from_le_bytes(*head) % of + 1 == u64::from(self.part)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hash:{}/{}", self.part, self.of)
    }
}

/// Why a text names no part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write `hash:K/N`, part K of N graders' parts, as in hash:1/4; N is at most 1000")]
pub struct InvalidPart;

impl FromStr for Part {
    type Err = InvalidPart;

    fn from_str(text: &str) -> Result<Self, InvalidPart> {
        let number = |text: &str| {
            let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u32>().ok().filter(|_| plain)
        };
        let parsed = text.strip_prefix("hash:").and_then(|rest| rest.split_once('/'));
        let part =
            parsed.and_then(|(part, of)| Some(Self { part: number(part)?, of: number(of)? }));
        part.filter(|part| part.is_sound()).ok_or(InvalidPart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_a_part() {
        for (text, part, of) in
            [("hash:1/1", 1, 1), ("hash:2/4", 2, 4), ("hash:1000/1000", 1000, 1000)]
        {
            let parsed: Part = text.parse().expect("a part");
            assert_eq!((parsed, parsed.to_string()), (Part { part, of }, text.to_owned()));
        }
        for text in [
            "",
            "1/4",
            "hash:0/4",
            "hash:5/4",
            "hash:1/0",
            "hash:+1/4",
            "hash:1/1001",
            "hash:1",
            "hash:1/4/2",
        ] {
            assert_eq!(text.parse::<Part>(), Err(InvalidPart), "{text}");
        }
    }

    #[test]
    fn every_grader_is_in_one_part() {
        for of in 1..=7 {
            let mut sizes = vec![0; of as usize];
            for number in 0..500 {
                let grader = format!("grader-{number}").parse().expect("an id");
                let parts: Vec<_> =
                    (1..=of).filter(|part| Part { part: *part, of }.holds(&grader)).collect();
                assert_eq!(parts.len(), 1, "{grader} of {of}");
                sizes[parts[0] as usize - 1] += 1;
            }
            let least = 500 / of / 2;
            assert!(sizes.iter().all(|size| *size >= least), "{sizes:?}");
        }
    }
}
