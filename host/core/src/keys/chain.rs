//! From the root that was pinned to the one in force.

use super::ROOT;
use super::quorum::quorum;
use super::root::Root;
use super::signature::Signature;
use crate::id::Digest;

/// Nobody changes a root so often.
const LONGEST: usize = 1000;

/// What a chain of roots is checked by.
pub trait Evidence {
    /// Why it could not be had.
    type Error;

    /// The object of this digest.
    ///
    /// # Errors
    /// When it cannot be read.
    fn object(&self, digest: Digest) -> Result<Option<Vec<u8>>, Self::Error>;

    /// The signatures over the bytes of this digest.
    ///
    /// # Errors
    /// When they cannot be read.
    fn signatures(&self, digest: Digest) -> Result<Vec<Signature>, Self::Error>;

    /// The root that these bytes are, or what is wrong with them.
    ///
    /// # Errors
    /// What is wrong, in words.
    fn root(&self, bytes: &[u8]) -> Result<Root, String>;
}

/// The roots from the pinned one to the one in force.
#[derive(Debug, Clone, PartialEq)]
pub struct RootChain {
    /// The pinned one first. There is at least one.
    pub roots: Vec<(Digest, Root)>,
}

/// Why the root in force is not the pinned one's successor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChainFault {
    /// It is another root altogether.
    #[error(
        "the root in force does not come from the pinned one ({pinned}): the first root before it is {first}. Check the pinned digest; if it is right, the register was given another root"
    )]
    NotAnAncestor {
        /// The pinned root.
        pinned: Digest,
        /// Where the chain begins.
        first: Digest,
    },
    /// A root on the way is not there.
    #[error("the root {0} is not among the objects: put back what the register has lost")]
    Missing(Digest),
    /// A root on the way is not what its digest says.
    #[error("the object {0} is not what its name says: it was changed")]
    Changed(Digest),
    /// A root on the way is no root.
    #[error("the root {digest} cannot be used: {why}")]
    Unusable {
        /// Which.
        digest: Digest,
        /// Why, in words.
        why: String,
    },
    /// The count is wrong.
    #[error(
        "the root {digest} has version {found}, and the one before it {before}: count up by one"
    )]
    Version {
        /// Which.
        digest: Digest,
        /// Its version.
        found: u64,
        /// The version of the one before it.
        before: u64,
    },
    /// Too few of those before it signed it.
    #[error(
        "the root {digest} is signed by {signed} of the {asked} administrators that the root before it asks for. Missing may sign: {missing}"
    )]
    NotSigned {
        /// Which.
        digest: Digest,
        /// How many signed.
        signed: u64,
        /// How many must.
        asked: u64,
        /// Who may still sign.
        missing: String,
    },
    /// It goes on for too long.
    #[error(
        "more than 1000 roots lie between the pinned one and the one in force: pin a later one"
    )]
    TooLong,
}

/// Why a chain is not known to hold.
#[derive(Debug)]
pub enum ChainError<E> {
    /// It does not.
    Fault(ChainFault),
    /// What would show it cannot be read.
    Evidence(E),
}

impl<E> From<ChainFault> for ChainError<E> {
    fn from(fault: ChainFault) -> Self {
        Self::Fault(fault)
    }
}

/// Follows the roots from the one in force back to the pinned one, and checks each step: the version is one
/// more, `previous` names the one before, and the quorum of the one before signed it.
///
/// # Errors
/// Names the first step that does not hold.
pub fn chain<V: Evidence>(
    pinned: Digest,
    current: &[u8],
    evidence: &V,
) -> Result<RootChain, ChainError<V::Error>> {
    let mut digest = Digest::of(current);
    let mut root = usable(digest, current, evidence)?;
    let mut roots: Vec<(Digest, Root)> = Vec::new();
    while digest != pinned {
        let Some(previous) = root.previous else {
            return Err(ChainFault::NotAnAncestor { pinned, first: digest }.into());
        };
        if roots.len() >= LONGEST {
            return Err(ChainFault::TooLong.into());
        }
        let bytes = evidence.object(previous).map_err(ChainError::Evidence)?;
        let bytes = bytes.ok_or(ChainFault::Missing(previous))?;
        if Digest::of(&bytes) != previous {
            return Err(ChainFault::Changed(previous).into());
        }
        let before = usable(previous, &bytes, evidence)?;
        if before.version.checked_add(1) != Some(root.version) {
            let (found, before) = (root.version, before.version);
            return Err(ChainFault::Version { digest, found, before }.into());
        }
        roots.push((digest, root));
        (digest, root) = (previous, before);
    }
    roots.push((digest, root));
    roots.reverse();
    for step in roots.windows(2) {
        if let [(_, before), (digest, _)] = step {
            let bytes = if *digest == Digest::of(current) {
                current.to_vec()
            } else {
                let bytes = evidence.object(*digest).map_err(ChainError::Evidence)?;
                bytes.ok_or(ChainFault::Missing(*digest))?
            };
            signed(before, *digest, &bytes, evidence)?;
        }
    }
    Ok(RootChain { roots })
}

fn usable<V: Evidence>(
    digest: Digest,
    bytes: &[u8],
    evidence: &V,
) -> Result<Root, ChainError<V::Error>> {
    let usable = evidence.root(bytes);
    usable.map_err(|why| ChainFault::Unusable { digest, why }.into())
}

fn signed<V: Evidence>(
    before: &Root,
    digest: Digest,
    bytes: &[u8],
    evidence: &V,
) -> Result<(), ChainError<V::Error>> {
    let signatures = evidence.signatures(digest).map_err(ChainError::Evidence)?;
    let quorum = quorum(before, ROOT, bytes, &signatures);
    if quorum.is_met() {
        return Ok(());
    }
    let missing: Vec<_> = quorum.missing.iter().map(String::as_str).collect();
    let (signed, asked) = (quorum.signed.len() as u64, quorum.asked);
    Err(ChainFault::NotSigned { digest, signed, asked, missing: missing.join(", ") }.into())
}

impl RootChain {
    /// The pinned root.
    #[must_use]
    pub fn pinned(&self) -> Option<&(Digest, Root)> {
        self.roots.first()
    }

    /// The root in force.
    #[must_use]
    pub fn in_force(&self) -> Option<&(Digest, Root)> {
        self.roots.last()
    }
}
