//! Whether a file is signed under the root.

use std::collections::BTreeSet;

use accredit_core::id::Digest;
use accredit_core::keys::{Quorum, Root, Signature, SignatureFault, quorum};

use super::kept::Kept;
use crate::failure::Failure;

/// A file that the root's administrators sign, and who did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    /// The digest of its bytes.
    pub digest: Digest,
    /// The version that it states.
    pub version: u64,
    /// Who signed; nobody where there is no root.
    pub by: BTreeSet<String>,
    /// Who may still sign.
    pub open: BTreeSet<String>,
    /// How many must; absent where there is no root.
    pub asked: Option<u64>,
}

impl Signed {
    /// How this file stands under this root.
    ///
    /// # Errors
    /// With exit code 5 when a signature does not hold over it.
    pub(super) fn of(
        namespace: &str,
        bytes: &[u8],
        version: u64,
        root: Option<&Root>,
        kept: &Kept,
    ) -> Result<Self, Failure> {
        let digest = Digest::of(bytes);
        let none =
            Self { digest, version, by: BTreeSet::new(), open: BTreeSet::new(), asked: None };
        let Some(root) = root else { return Ok(none) };
        let signatures = kept.signatures(digest)?;
        let Quorum { asked, signed, missing, .. } = counted(root, namespace, bytes, &signatures)?;
        Ok(Self { by: signed, open: missing, asked: Some(asked), ..none })
    }

    /// Whether enough administrators signed it.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.asked.is_some_and(|asked| self.by.len() as u64 >= asked)
    }

    /// What is missing, in words.
    pub(super) fn missing(&self, path: &str) -> Option<String> {
        let asked = self.asked.filter(|_| !self.holds())?;
        let open: Vec<_> = self.open.iter().map(String::as_str).collect();
        let (signed, open) = (self.by.len(), open.join(", "));
        Some(format!(
            "{path} is signed by {signed} of {asked} administrators: one of {open} runs `accredit sign {path} --key KEY`"
        ))
    }
}

/// Who of the root's administrators signed; a signature in the folder of these bytes that does not hold over
/// them was put there by somebody, or is damaged.
pub(super) fn counted(
    root: &Root,
    namespace: &str,
    bytes: &[u8],
    signatures: &[Signature],
) -> Result<Quorum, Failure> {
    let quorum = quorum(root, namespace, bytes, signatures);
    match quorum.refused.iter().find(|(_, fault)| *fault == SignatureFault::Wrong) {
        None => Ok(quorum),
        Some((key, fault)) => Err(Failure::Integrity(format!(
            "a signature by {key} over the bytes of {}: {fault}. Put the folder of signatures back from version control",
            Digest::of(bytes)
        ))),
    }
}
