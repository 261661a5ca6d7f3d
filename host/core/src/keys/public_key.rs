//! A public key that may sign.

use std::fmt;

use ssh_key::public::KeyData;
use ssh_key::{Algorithm, HashAlg};

use super::shown;

/// RSA keys shorter than this are refused.
const RSA_BITS: usize = 2048;
/// RSA keys longer than this are refused: nobody can check them here.
const RSA_BITS_MOST: usize = 4096;

/// A public key of a kind that is strong enough and that can be checked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PublicKey {
    data: KeyData,
    fingerprint: String,
}

/// Why a key is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyFault {
    /// It is no key.
    #[error(
        "this is no public key: write its kind and its data as they stand in a .pub file, `ssh-ed25519 AAAA...`"
    )]
    Unreadable,
    /// A private key stands where a public one belongs.
    #[error(
        "this is a private key: write the public one, from the .pub file, and let nobody read this file"
    )]
    Private,
    /// It is a certificate.
    #[error(
        "`{0}` is a certificate: certificates are not taken, write the public key that it certifies"
    )]
    Certificate(String),
    /// Its kind cannot be checked.
    #[error(
        "keys of the kind `{0}` are not taken: use ssh-ed25519, ecdsa-sha2-nistp256, -nistp384 or -nistp521, ssh-rsa of 2048 to 4096 bits, or a hardware key (sk-ssh-ed25519, sk-ecdsa-sha2-nistp256)"
    )]
    Kind(String),
    /// An RSA key of a length that is too weak or cannot be checked.
    #[error("an RSA key of {bits} bits is not taken: use 2048 to 4096 bits, or ssh-ed25519")]
    RsaLength {
        /// How long it is.
        bits: usize,
    },
}

impl PublicKey {
    /// Reads a key as a `.pub` file or a line of `allowed_signers` has it: kind, data, and perhaps a comment.
    ///
    /// # Errors
    /// When it is no key, or one that is not taken.
    pub fn parse(text: &str) -> Result<Self, KeyFault> {
        if text.contains("PRIVATE KEY") {
            return Err(KeyFault::Private);
        }
        let mut words = text.split_ascii_whitespace();
        let (Some(kind), Some(data)) = (words.next(), words.next()) else {
            return Err(KeyFault::Unreadable);
        };
        if kind.ends_with("-cert-v01@openssh.com") {
            return Err(KeyFault::Certificate(shown(kind)));
        }
        // ssh-key knows these words, so that other text before the data is told apart from them.
        let known = matches!(Algorithm::new(kind), Ok(algorithm) if !matches!(algorithm, Algorithm::Other(_)));
        match ssh_key::PublicKey::from_openssh(&format!("{kind} {data}")) {
            Ok(key) => Self::of(key.key_data().clone()),
            Err(_) if !known && is_kind(kind) => Err(KeyFault::Kind(shown(kind))),
            Err(_) => Err(KeyFault::Unreadable),
        }
    }

    pub(super) fn of(data: KeyData) -> Result<Self, KeyFault> {
        match &data {
            KeyData::Ed25519(_)
            | KeyData::Ecdsa(_)
            | KeyData::SkEd25519(_)
            | KeyData::SkEcdsaSha2NistP256(_) => {}
            KeyData::Rsa(rsa) => {
                let modulus = rsa.n.as_positive_bytes().unwrap_or_default();
                let bits = bits(modulus);
                if !(RSA_BITS..=RSA_BITS_MOST).contains(&bits) {
                    return Err(KeyFault::RsaLength { bits });
                }
            }
            other => return Err(KeyFault::Kind(shown(other.algorithm().as_str()))),
        }
        let fingerprint = data.fingerprint(HashAlg::Sha256).to_string();
        Ok(Self { data, fingerprint })
    }

    /// `SHA256:` and the digest of its data, as `ssh-keygen -l` shows it.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Its kind, as OpenSSH calls it.
    #[must_use]
    pub fn kind(&self) -> String {
        self.data.algorithm().as_str().to_owned()
    }

    /// Whether its private half lives on a hardware key.
    #[must_use]
    pub fn is_hardware(&self) -> bool {
        matches!(self.data, KeyData::SkEd25519(_) | KeyData::SkEcdsaSha2NistP256(_))
    }

    /// Kind and data, as in a `.pub` file, without a comment.
    #[must_use]
    pub fn to_openssh(&self) -> String {
        let key = ssh_key::PublicKey::new(self.data.clone(), "");
        key.to_openssh().map(|text| text.trim_end().to_owned()).unwrap_or_default()
    }

    pub(super) fn data(&self) -> &KeyData {
        &self.data
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind(), self.fingerprint)
    }
}

/// How many bits a positive number of these bytes has.
fn bits(bytes: &[u8]) -> usize {
    let Some(first) = bytes.first() else { return 0 };
    bytes.len() * 8 - first.leading_zeros() as usize
}

/// Whether a word may be the name of a kind of key.
fn is_kind(word: &str) -> bool {
    let start = ["ssh-", "ecdsa-", "sk-", "rsa-", "webauthn-"];
    start.iter().any(|start| word.starts_with(start))
}
