//! Signing something for a ledger: by ssh-keygen, and checked against who may sign before it is of any use.

use std::path::Path;

use accredit_core::keys::{Signature, Signer};
use accredit_core::ledger::Moment;

use crate::authority::Registry;
use crate::failure::Failure;
use crate::keygen;

/// A signature that was just made.
#[derive(Debug, Clone)]
pub struct Signed {
    /// As it stands in a ledger or a file.
    pub armoured: String,
    /// Whose it is: everyone whose key this is.
    pub signers: Vec<Signer>,
}

impl Signed {
    /// Whose it is, in words.
    #[must_use]
    pub fn who(&self) -> String {
        let names: Vec<_> = self.signers.iter().map(|it| it.principal.as_str()).collect();
        names.join(", ")
    }
}

/// Signs these bytes, and makes sure that the key's owner may sign such things now.
///
/// # Errors
/// When ssh-keygen does not sign, or the signature would count for nobody.
pub fn sign(
    registry: &Registry,
    key: &Path,
    namespace: &str,
    bytes: &[u8],
    at: Moment,
) -> Result<Signed, Failure> {
    let (armoured, signature) = keygen::sign(key, namespace, bytes)?;
    let signers = whose(registry, &signature, namespace, bytes, at)
        .map_err(|why| Failure::Signing(format!("{}: {why}", key.display())))?;
    let armoured = String::from_utf8(armoured)
        .map_err(|_| Failure::Signing(format!("{}: the signature is no text", key.display())))?;
    Ok(Signed { armoured, signers })
}

/// Whose signature this is, if it counts.
///
/// # Errors
/// Why it does not, and what to do about it.
pub fn whose(
    registry: &Registry,
    signature: &Signature,
    namespace: &str,
    bytes: &[u8],
    at: Moment,
) -> Result<Vec<Signer>, String> {
    let checked = registry.trust.signers.check(signature, namespace, bytes, &[at]);
    checked.map_err(|why| {
        format!(
            "{why}. Who may sign stands in .accredit/allowed_signers, which administrators sign"
        )
    })
}
