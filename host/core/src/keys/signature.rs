//! One SSHSIG signature: reading it strictly, and whether it holds over some bytes.

use ssh_key::public::KeyData;
use ssh_key::{Algorithm, LineEnding, SshSig};

use super::public_key::{KeyFault, PublicKey};
use super::shown;

const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----";

/// No signature of a key that is taken comes near this.
const LONGEST: usize = 64 * 1024;

/// The flag of a hardware key's signature that says that somebody touched it.
const TOUCHED: u8 = 1;

/// A signature that was read. Whether it holds is another question: [`Signature::holds`].
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    sig: SshSig,
    key: PublicKey,
}

/// What is wrong with a signature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureFault {
    /// Something other than one signature.
    #[error(
        "this is not one armoured SSH signature, from `{BEGIN}` to `{END}` with nothing before or after it: make it with `accredit sign` or `ssh-keygen -Y sign`"
    )]
    NotOne,
    /// More than one.
    #[error(
        "several signatures stand in one text: keep one a file, ssh-keygen reads only the first"
    )]
    Several,
    /// Its content cannot be read.
    #[error(
        "the signature cannot be read: it is damaged, or of a kind or version that is not known"
    )]
    Unreadable,
    /// It is written in another way than ssh-keygen writes it.
    #[error(
        "the signature is not written as ssh-keygen writes it: another way to write the same would let a changed byte pass"
    )]
    NotCanonical,
    /// Its key is not taken.
    #[error("the signature's key is not taken: {0}")]
    Key(#[from] KeyFault),
    /// The key signs in another way.
    #[error(
        "the signature is of the kind `{signature}`, which keys of the kind `{key}` do not make"
    )]
    Kind {
        /// The signature's.
        signature: String,
        /// The key's.
        key: String,
    },
    /// A hardware key signed without being touched.
    #[error(
        "the hardware key signed without being touched: a program may have used it alone. Make the key without `no-touch-required` and sign again"
    )]
    NotTouched,
    /// It was made for something else.
    #[error(
        "the signature was made for `{found}` and not for `{expected}`: sign again with that namespace"
    )]
    Namespace {
        /// What it was made for; escaped.
        found: String,
        /// What it had to be made for.
        expected: String,
    },
    /// It does not hold over the bytes.
    #[error(
        "the signature does not hold: the bytes are not those that were signed, or the key did not sign them"
    )]
    Wrong,
}

impl Signature {
    /// Reads an armoured signature: one, with nothing before or after it but white space.
    ///
    /// # Errors
    /// When it is something else, damaged, or made by a key that is not taken.
    pub fn parse(bytes: &[u8]) -> Result<Self, SignatureFault> {
        if bytes.len() > LONGEST {
            return Err(SignatureFault::NotOne);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| SignatureFault::NotOne)?;
        let text = text.trim_matches([' ', '\t', '\r', '\n']);
        if text.matches(BEGIN).count() > 1 {
            return Err(SignatureFault::Several);
        }
        if !text.starts_with(BEGIN) || !text.ends_with(END) {
            return Err(SignatureFault::NotOne);
        }
        let sig = SshSig::from_pem(text).map_err(|_| SignatureFault::Unreadable)?;
        // The version is not signed: SshSig takes 0 as well.
        if sig.version() != SshSig::VERSION {
            return Err(SignatureFault::Unreadable);
        }
        // SshSig does not write what it reads of this kind; its reader takes no second way to write it.
        let written_back = !matches!(sig.algorithm(), Algorithm::SkEcdsaSha2NistP256);
        if written_back
            && sig.to_pem(LineEnding::LF).ok().as_deref().map(str::trim_end) != Some(text)
        {
            return Err(SignatureFault::NotCanonical);
        }
        let key = PublicKey::of(sig.public_key().clone())?;
        let signature = Self { sig, key };
        signature.fits()?;
        Ok(signature)
    }

    /// Whether the key makes such signatures, and somebody was there when a hardware key did.
    fn fits(&self) -> Result<(), SignatureFault> {
        let (key, own) = (self.key.data().algorithm(), self.sig.algorithm());
        let fits = match (self.key.data(), &own) {
            // SHA-1 is the signature kind `ssh-rsa`; what SshSig reads has one of the two SHA-2 kinds.
            (KeyData::Rsa(_), Algorithm::Rsa { hash }) => hash.is_some(),
            _ => key == own,
        };
        if !fits {
            let (signature, key) = (shown(own.as_str()), shown(key.as_str()));
            return Err(SignatureFault::Kind { signature, key });
        }
        if self.key.is_hardware() {
            let bytes = self.sig.signature_bytes();
            // One byte of flags and four of a counter are at the end.
            let flags = bytes.len().checked_sub(5).and_then(|at| bytes.get(at)).copied();
            if flags.is_none_or(|flags| flags & TOUCHED == 0) {
                return Err(SignatureFault::NotTouched);
            }
        }
        Ok(())
    }

    /// The key that is said to have signed.
    #[must_use]
    pub fn key(&self) -> &PublicKey {
        &self.key
    }

    /// What it is said to have been made for: raw, from whoever made it.
    #[must_use]
    pub fn namespace(&self) -> &str {
        self.sig.namespace()
    }

    /// Whether it was made for this namespace. It is quick, and says nothing of the bytes.
    ///
    /// # Errors
    /// Names the namespace that it was made for.
    pub fn is_for(&self, namespace: &str) -> Result<(), SignatureFault> {
        if self.namespace() == namespace {
            return Ok(());
        }
        let (found, expected) = (shown(self.namespace()), namespace.to_owned());
        Err(SignatureFault::Namespace { found, expected })
    }

    /// Whether its key signed exactly these bytes for this namespace.
    ///
    /// # Errors
    /// When it did not.
    pub fn holds(&self, namespace: &str, bytes: &[u8]) -> Result<(), SignatureFault> {
        self.is_for(namespace)?;
        let key = ssh_key::PublicKey::new(self.key.data().clone(), "");
        key.verify(namespace, bytes, &self.sig).map_err(|_| SignatureFault::Wrong)
    }
}
