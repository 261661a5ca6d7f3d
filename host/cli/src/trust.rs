//! Whose word counts in a register: the root of trust, and what its administrators signed.
//!
//! Everything is read again each time and nothing is remembered: what a register says of itself is believed
//! only as far as signatures bear it out, up to the digest that was pinned outside. A digest, a signature or a
//! version that is wrong ends the command with exit code 5; what is merely unsigned grants less, and says so.

pub mod facts;
mod files;
mod kept;
mod signed;
mod versions;

use std::collections::BTreeSet;
use std::env;
use std::path::Path;

use accredit_core::id::Digest;
use accredit_core::keys::{
    AllowedSigners, ChainError, Evidence, POLICY, Root, SIGNERS, Signature, Signers, chain,
};
use accredit_core::statement::TrustVersions;

use crate::failure::Failure;
use crate::read;

pub use files::{
    POLICY_PATH, ROOT_PATH, SIGNATURES_PATH, SIGNERS_PATH, bounded, object, object_path, put_new,
};
pub use kept::Kept;
pub use signed::Signed;
pub use versions::signed_otherwise;

/// The variable that pins a root where no flag does.
pub const ROOT_DIGEST: &str = "ACCREDIT_ROOT_DIGEST";

/// How objects are had: the bytes of a digest, checked against it; none where there is no such object.
pub type Objects<'a> = &'a dyn Fn(Digest) -> Result<Option<Vec<u8>>, Failure>;

/// The digest that is pinned: the flag's, else that of `ACCREDIT_ROOT_DIGEST`.
///
/// # Errors
/// When what is pinned is no digest.
pub fn pinned(flag: Option<Digest>) -> Result<Option<Digest>, Failure> {
    if flag.is_some() {
        return Ok(flag);
    }
    let Some(value) = env::var_os(ROOT_DIGEST).filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    let digest = value.to_str().and_then(|text| text.parse().ok());
    let wrong = || {
        Failure::Usage(format!(
            "{ROOT_DIGEST} is no digest: set it to `blake3:` and 64 hexadecimal digits"
        ))
    };
    digest.map(Some).ok_or_else(wrong)
}

/// The root of trust.
#[derive(Debug, Clone, PartialEq)]
pub enum RootState {
    /// There is none.
    Absent,
    /// There is one, and nothing outside says that it is the right one.
    NotPinned {
        /// Its digest.
        digest: Digest,
        /// The root.
        root: Root,
    },
    /// It is the pinned one, or its successor by signed steps.
    Pinned {
        /// What was pinned.
        pinned: Digest,
        /// Its digest.
        digest: Digest,
        /// The root.
        root: Root,
    },
}

impl RootState {
    /// The root and its digest, pinned or not.
    #[must_use]
    pub fn root(&self) -> Option<(Digest, &Root)> {
        match self {
            Self::Absent => None,
            Self::NotPinned { digest, root } | Self::Pinned { digest, root, .. } => {
                Some((*digest, root))
            }
        }
    }

    /// Whether it comes from a digest that was pinned outside.
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        matches!(self, Self::Pinned { .. })
    }

    /// Its administrators, by principal.
    #[must_use]
    pub fn admins(&self) -> BTreeSet<String> {
        let names = self.root().map(|(_, root)| root.principals()).unwrap_or_default();
        names.into_iter().map(str::to_owned).collect()
    }
}

/// Whose word counts in a register, today.
#[derive(Debug, Clone, PartialEq)]
pub struct Trust {
    /// The root of trust.
    pub root: RootState,
    /// The policy; absent where the register has none of its own.
    pub policy: Option<Signed>,
    /// The file `allowed_signers`; absent where there is none.
    pub signers_file: Option<Signed>,
    /// Who may sign; nobody where there is no such file.
    pub signers: Signers,
}

impl Trust {
    /// Reads what stands in the register at this folder, and checks it: `named` are the highest versions that
    /// any promotion's statement names.
    ///
    /// # Errors
    /// When something cannot be read, and with exit code 5 when a digest, a signature or a version is wrong.
    pub fn load(
        register: &Path,
        pinned: Option<Digest>,
        named: TrustVersions,
        objects: Objects<'_>,
    ) -> Result<Self, Failure> {
        let kept = Kept::new(register);
        let root = root(register, pinned, &kept, objects)?;
        let policy_bytes = files::optional(&register.join(POLICY_PATH))?;
        let signers_bytes = files::optional(&register.join(SIGNERS_PATH))?;
        let admins = root.root().map(|(_, root)| root);
        let file = match &signers_bytes {
            Some(bytes) => read::signers_of(&named_in(register, SIGNERS_PATH), bytes)?,
            None => AllowedSigners { version: 0, allowed: Vec::new() },
        };
        let policy = match &policy_bytes {
            Some(bytes) => {
                let name = named_in(register, POLICY_PATH);
                let version = read::policy_of(&name, bytes)?.policy.version;
                Some(Signed::of(POLICY, bytes, version, admins, &kept)?)
            }
            None => None,
        };
        let signers_file = match &signers_bytes {
            Some(bytes) => Some(Signed::of(SIGNERS, bytes, file.version, admins, &kept)?),
            None => None,
        };
        let signers = Signers::new(file, admins);
        let trust = Self { root, policy, signers_file, signers };
        versions::check(&trust, named, &kept, objects)?;
        Ok(trust)
    }

    /// Whether the policy is signed under the root.
    #[must_use]
    pub fn policy_signed(&self) -> bool {
        self.policy.as_ref().is_some_and(Signed::holds)
    }

    /// Whether those who may sign are signed for under the root.
    #[must_use]
    pub fn signers_signed(&self) -> bool {
        self.signers_file.as_ref().is_some_and(Signed::holds)
    }

    /// The versions in force: what a statement names. 0 where there is no such file.
    #[must_use]
    pub fn versions(&self) -> TrustVersions {
        let version = |file: &Option<Signed>| file.as_ref().map_or(0, |file| file.version);
        TrustVersions { policy: version(&self.policy), signers: version(&self.signers_file) }
    }

    /// What is missing for anything above characterization, in words; none where nothing is.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let mut missing = Vec::new();
        match &self.root {
            RootState::Absent => missing.push(format!("there is no root of trust ({ROOT_PATH})")),
            RootState::NotPinned { digest, .. } => missing.push(format!(
                "the root of trust is not pinned: compare {digest} with what was published, and give it as --root-digest or {ROOT_DIGEST}"
            )),
            RootState::Pinned { .. } => {}
        }
        for (path, file) in [(POLICY_PATH, &self.policy), (SIGNERS_PATH, &self.signers_file)] {
            match file {
                None => missing.push(format!("there is no {path}")),
                Some(file) => missing.extend(file.missing(path)),
            }
        }
        missing
    }
}

/// A file of the register, for messages.
fn named_in(register: &Path, path: &str) -> String {
    register.join(path).display().to_string()
}

fn root(
    register: &Path,
    pinned: Option<Digest>,
    kept: &Kept,
    objects: Objects<'_>,
) -> Result<RootState, Failure> {
    let path = named_in(register, ROOT_PATH);
    let bytes = files::optional(&register.join(ROOT_PATH))?;
    match (pinned, bytes) {
        (None, None) => Ok(RootState::Absent),
        (Some(pinned), None) => Err(Failure::Integrity(format!(
            "{path}: the root of trust is pinned ({pinned}) and is not there: put it back, or check that this is the register that was meant"
        ))),
        (None, Some(bytes)) => {
            let root = read::root_of(&path, &bytes)?;
            Ok(RootState::NotPinned { digest: Digest::of(&bytes), root })
        }
        (Some(pinned), Some(bytes)) => {
            let evidence = Steps { kept, objects };
            let chain = chain(pinned, &bytes, &evidence).map_err(|error| match error {
                ChainError::Fault(fault) => Failure::Integrity(format!("{path}: {fault}")),
                ChainError::Evidence(failure) => failure,
            })?;
            versions::no_other_root(&path, &chain, kept, objects)?;
            let in_force = chain.roots.into_iter().next_back();
            let (digest, root) = in_force.unwrap_or_else(|| unreachable!("a chain has a root"));
            Ok(RootState::Pinned { pinned, digest, root })
        }
    }
}

/// What a chain of roots is checked by: the register's objects and signatures.
struct Steps<'a> {
    kept: &'a Kept,
    objects: Objects<'a>,
}

impl Evidence for Steps<'_> {
    type Error = Failure;

    fn object(&self, digest: Digest) -> Result<Option<Vec<u8>>, Failure> {
        (self.objects)(digest)
    }

    fn signatures(&self, digest: Digest) -> Result<Vec<Signature>, Failure> {
        self.kept.signatures(digest)
    }

    fn root(&self, bytes: &[u8]) -> Result<Root, String> {
        read::root_of("root.toml", bytes).map_err(|faults| faults.to_string())
    }
}
