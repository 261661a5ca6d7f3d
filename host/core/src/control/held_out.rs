//! Controls held out from a grader's author, and how an open set commits to them without showing them.
//!
//! An open set lists one commitment for each held-out control: a digest of what the control is, with a salt
//! that stays with the held-out set. Without the salt nobody can try guesses against it; with it anyone can
//! check that the controls which were run are the ones that were promised.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::plan::variants;
use super::set::{Control, Expectation, Kind};
use super::transform::Transform;
use crate::id::{ControlId, Digest, FamilyId, RuleId};

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

/// What of a control is committed to.
#[derive(Debug, Clone, Copy)]
pub struct Committed<'a> {
    /// Its id.
    pub id: &'a ControlId,
    /// Its kind.
    pub kind: Kind,
    /// Its family, which is what is counted, once alike cases are one family.
    pub family: &'a FamilyId,
    /// The control it varies.
    pub base: Option<&'a ControlId>,
    /// The pair it is half of.
    pub pair: Option<&'a ControlId>,
    /// What it must get.
    pub expect: &'a Expectation,
    /// Rules that may fail with the expected one.
    pub also: &'a [RuleId],
    /// The digest of its case's content.
    pub content: Digest,
    /// The transforms under which it is shown as well.
    pub variants: &'a [Transform],
}

impl Committed<'_> {
    /// The commitment: a digest of all of it under the salt.
    #[must_use]
    pub fn commitment(&self, salt: &Salt) -> Digest {
        let rule = self.expect.rule.as_ref().map_or("", RuleId::as_str);
        let variants: Vec<_> = self.variants.iter().map(|it| it.name()).collect();
        let also: Vec<_> = self.also.iter().map(RuleId::as_str).collect();
        Digest::of_parts([
            b"accredit held-out commitment".as_slice(),
            salt.as_str().as_bytes(),
            self.id.as_str().as_bytes(),
            self.kind.name().as_bytes(),
            self.family.as_str().as_bytes(),
            self.base.map_or("", ControlId::as_str).as_bytes(),
            self.pair.map_or("", ControlId::as_str).as_bytes(),
            self.expect.verdict.name().as_bytes(),
            rule.as_bytes(),
            also.join(" ").as_bytes(),
            self.content.as_bytes(),
            variants.join(" ").as_bytes(),
        ])
    }
}

/// The commitments to the controls of a set, sorted, whose transforms these are; alike cases have been made one
/// family before.
#[must_use]
pub fn commitments_of(controls: &[Control], transforms: &[Transform], salt: &Salt) -> Vec<Digest> {
    let variants: Vec<Vec<_>> = controls
        .iter()
        .map(|control| variants(control, transforms).map(|(transform, _)| transform).collect())
        .collect();
    commitments(controls.iter().zip(&variants).map(|(it, variants)| committed(it, variants)), salt)
}

/// The commitments to these controls, sorted.
#[must_use]
pub fn commitments<'a>(
    controls: impl IntoIterator<Item = Committed<'a>>,
    salt: &Salt,
) -> Vec<Digest> {
    let mut all: Vec<_> = controls.into_iter().map(|it| it.commitment(salt)).collect();
    all.sort_unstable();
    all
}

/// What of a control file's control is committed to.
fn committed<'a>(control: &'a Control, variants: &'a [Transform]) -> Committed<'a> {
    Committed {
        id: &control.entry.id,
        kind: control.kind,
        family: &control.entry.family,
        base: control.entry.base.as_ref(),
        pair: control.entry.pair.as_ref(),
        expect: &control.entry.expect,
        also: &control.entry.also,
        content: control.entry.case.content_digest(),
        variants,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    #[test]
    fn a_commitment_changes_with_whatever_the_control_is() {
        let salt = Salt::new(format!("{:064x}", 0x00ab_cdef_u64)).expect("a salt");
        let control = example::control(Kind::KnownBad, "a", "x");
        let of = |control: &Control| committed(control, &[]).commitment(&salt);
        let mut others = vec![control.clone(); 5];
        others[4].entry.family = "another".parse().expect("valid");
        others[0].entry.case.output = "y".into();
        others[1].kind = Kind::Adversarial;
        others[2].entry.expect = example::expect(crate::verdict::Verdict::Fail, Some("r2"));
        others[3].entry.id = "b".parse().expect("valid");
        assert_eq!(of(&control), of(&control.clone()));
        assert!(others.iter().all(|other| of(other) != of(&control)));
        let other = Salt::new(format!("{:064x}", 0x00ab_cdee_u64)).expect("a salt");
        assert_ne!(committed(&control, &[]).commitment(&other), of(&control));
        let shown = [Transform::LineEndings];
        assert_ne!(committed(&control, &shown).commitment(&salt), of(&control));
    }

    #[test]
    fn a_salt_is_checked() {
        assert_eq!(Salt::new("15".repeat(32)), Ok(Salt::of([0x15; 32])));
        for bad in ["", "ab", &"0".repeat(64), &"G".repeat(64), &"AB".repeat(32)] {
            assert_eq!(Salt::new(bad), Err(InvalidSalt), "{bad}");
        }
    }
}
