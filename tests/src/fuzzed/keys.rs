//! Signatures, `allowed_signers` and roots of trust, as whoever can write to a register may have left them.

use accredit::read;
use accredit_core::keys::{AllowedSigners, POLICY, PublicKey, Signature};

use super::{Reached, assert_tame};

/// Bytes that no seed signs.
const UNSIGNED: &[u8] = b"nobody signed this";

/// Reads the bytes as each of the three.
///
/// # Panics
/// When a promise of one of them is broken.
pub fn run(bytes: &[u8]) -> Reached {
    let taken = [signature(bytes), signers(bytes), root(bytes)];
    if taken.contains(&true) { Reached::Taken } else { Reached::Refused }
}

fn signature(bytes: &[u8]) -> bool {
    match Signature::parse(bytes) {
        Ok(signature) => {
            let fault = signature.holds(POLICY, UNSIGNED).expect_err("nobody signed it");
            assert_tame(&fault);
            let own = signature.namespace().to_owned();
            assert!(signature.holds(&own, UNSIGNED).is_err(), "nobody signed it");
            same_key(signature.key());
            true
        }
        Err(fault) => {
            assert_tame(&fault);
            false
        }
    }
}

fn signers(bytes: &[u8]) -> bool {
    match AllowedSigners::parse(bytes) {
        Ok(file) => {
            assert_eq!(AllowedSigners::stated_version(bytes), Some(file.version));
            for allowed in &file.allowed {
                assert!(!allowed.principals.is_empty());
                assert_tame(&allowed.principals.join(" "));
                same_key(&allowed.key);
            }
            true
        }
        Err(faults) => {
            assert!(!faults.is_empty());
            faults.iter().for_each(assert_tame);
            false
        }
    }
}

fn root(bytes: &[u8]) -> bool {
    match read::root_of("root.toml", bytes) {
        Ok(root) => {
            assert!((1..=root.principals().len() as u64).contains(&root.quorum));
            assert_eq!(root.version == 1, root.previous.is_none());
            root.admins.iter().for_each(|admin| same_key(&admin.key));
            true
        }
        Err(faults) => {
            assert_tame(&faults);
            false
        }
    }
}

/// A key that is taken is written so that it is read again.
fn same_key(key: &PublicKey) {
    assert_eq!(PublicKey::parse(&key.to_openssh()).as_ref(), Ok(key));
}
