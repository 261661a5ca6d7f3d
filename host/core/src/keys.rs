//! Who signed: OpenSSH keys and signatures, who may sign, and the root of trust above them.
//!
//! A signature is a detached SSHSIG, as `ssh-keygen -Y sign` makes it: an armoured text that holds the key, a
//! namespace and a signature over a digest of the bytes. Who a key belongs to stands in the register's
//! `allowed_signers`, in OpenSSH's format; who may change that file stands in the root of trust.
//!
//! What OpenSSH refuses is refused here. Some of what it takes is refused as well: patterns, local times,
//! certificates, weak keys, a hardware key that nobody touched. Nothing here makes a signature or a key.

mod allowed_signers;
mod chain;
mod check;
mod fault;
mod people;
mod public_key;
mod quorum;
mod root;
mod signature;
#[cfg(test)]
mod tests;
mod window;

pub use allowed_signers::{Allowed, AllowedSigners};
pub use chain::{ChainError, ChainFault, Evidence, RootChain, chain};
pub use check::{NotASigner, Signer, Signers};
pub use fault::{LineFault, line_faults};
pub use people::People;
pub use public_key::{KeyFault, PublicKey};
pub use quorum::{Quorum, quorum};
pub use root::{Admin, AdminText, Root, RootFault, RootText};
pub use signature::{Signature, SignatureFault};
pub use window::Window;

/// The namespace of signatures over a promotion's statement.
pub const PROMOTION: &str = "promotion.v1@accredit";
/// The namespace of signatures over the policy.
pub const POLICY: &str = "policy.v1@accredit";
/// The namespace of signatures over `allowed_signers`.
pub const SIGNERS: &str = "signers.v1@accredit";
/// The namespace of signatures over the root of trust.
pub const ROOT: &str = "root.v1@accredit";

/// Text of a file or a signature, as it may be told: nothing in it acts on a terminal, and it is cut short.
pub(crate) fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}
