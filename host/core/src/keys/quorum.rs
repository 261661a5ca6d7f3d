//! Whether enough administrators signed.

use std::collections::BTreeSet;

use super::public_key::PublicKey;
use super::root::Root;
use super::signature::{Signature, SignatureFault};

/// Who of a root's administrators signed some bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quorum {
    /// How many must.
    pub asked: u64,
    /// Who did.
    pub signed: BTreeSet<String>,
    /// Who did not.
    pub missing: BTreeSet<String>,
    /// Signatures that count for nobody: the key's fingerprint, and why.
    pub refused: Vec<(String, SignatureFault)>,
    /// Keys that signed and are no administrator's.
    pub strangers: Vec<PublicKey>,
}

impl Quorum {
    /// Whether enough signed.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.signed.len() as u64 >= self.asked
    }
}

/// Which administrators signed these bytes for this namespace.
#[must_use]
pub fn quorum(root: &Root, namespace: &str, bytes: &[u8], signatures: &[Signature]) -> Quorum {
    let mut quorum = Quorum {
        asked: root.quorum.max(1),
        signed: BTreeSet::new(),
        missing: BTreeSet::new(),
        refused: Vec::new(),
        strangers: Vec::new(),
    };
    for signature in signatures {
        let key = signature.key();
        match (root.owner(key), signature.holds(namespace, bytes)) {
            (_, Err(fault)) => quorum.refused.push((key.fingerprint().to_owned(), fault)),
            (None, Ok(())) => quorum.strangers.push(key.clone()),
            // A root lets nobody have two spellings, and no key two owners.
            (Some(owner), Ok(())) => {
                quorum.signed.insert(owner.to_owned());
            }
        }
    }
    let missing = root.principals().into_iter().filter(|it| !quorum.signed.contains(*it));
    quorum.missing = missing.map(str::to_owned).collect();
    quorum
}
