//! No way back: what was signed once is not followed by something older.

use accredit_core::id::Digest;
use accredit_core::keys::{AllowedSigners, POLICY, ROOT, Root, RootChain, SIGNERS};
use accredit_core::statement::TrustVersions;

use super::files::{POLICY_PATH, SIGNERS_PATH};
use super::kept::Kept;
use super::signed::{Signed, counted};
use super::{Objects, Trust};
use crate::failure::Failure;
use crate::read;

/// What was signed before: each version with the digest of its bytes.
type Known = Vec<(u64, Digest)>;

/// Checks that the policy and the signers in place are the newest that are known, by the versions of all that
/// the root's administrators signed and by those that statements name.
pub(super) fn check(
    trust: &Trust,
    named: TrustVersions,
    kept: &Kept,
    objects: Objects<'_>,
) -> Result<(), Failure> {
    let (policies, signers) = match trust.root.root() {
        Some((_, root)) => known(root, kept, objects)?,
        None => (Known::new(), Known::new()),
    };
    newest(POLICY_PATH, trust.policy.as_ref(), &policies, named.policy)?;
    newest(SIGNERS_PATH, trust.signers_file.as_ref(), &signers, named.signers)
}

fn newest(path: &str, file: Option<&Signed>, known: &Known, named: u64) -> Result<(), Failure> {
    let version = file.map_or(0, |file| file.version);
    let signed = known.iter().map(|(version, _)| *version).max().unwrap_or(0);
    for (newer, how) in [(signed, "was signed"), (named, "is named by a promotion")] {
        if newer > version {
            let what =
                if file.is_some() { format!("is version {version}") } else { "is gone".to_owned() };
            return Err(Failure::Integrity(format!(
                "{path} {what}, and version {newer} {how}: an older one was put back. Put version {newer} in its place, or make a later one and have it signed"
            )));
        }
    }
    let Some(file) = file.filter(|file| file.holds()) else { return Ok(()) };
    let same =
        |(version, digest): &&(u64, Digest)| *version == file.version && *digest != file.digest;
    match known.iter().find(same) {
        None => Ok(()),
        Some((version, digest)) => Err(Failure::Integrity(format!(
            "{path}: two files of version {version} were signed, {} and {}: count the version up, and have the right one signed",
            file.digest, digest
        ))),
    }
}

/// The digest of other bytes of this version that were signed under this root, where there are any: a file that
/// is changed is counted up before it is signed.
///
/// # Errors
/// When the signatures or objects cannot be read, or are not what they must be.
pub fn signed_otherwise(
    root: &Root,
    namespace: &str,
    (version, digest): (u64, Digest),
    kept: &Kept,
    objects: Objects<'_>,
) -> Result<Option<Digest>, Failure> {
    let (policies, signers) = known(root, kept, objects)?;
    let known = match namespace {
        POLICY => policies,
        SIGNERS => signers,
        _ => Known::new(),
    };
    let other = known.into_iter().find(|(own, bytes)| *own == version && *bytes != digest);
    Ok(other.map(|(_, bytes)| bytes))
}

/// Every policy and every file of signers that is among the objects and signed under this root.
fn known(root: &Root, kept: &Kept, objects: Objects<'_>) -> Result<(Known, Known), Failure> {
    let (mut policies, mut signers) = (Known::new(), Known::new());
    for digest in kept.signed()? {
        let signatures = kept.signatures(digest)?;
        let is_for = |namespace: &str| signatures.iter().any(|it| it.is_for(namespace).is_ok());
        let (for_policy, for_signers) = (is_for(POLICY), is_for(SIGNERS));
        if !for_policy && !for_signers {
            continue;
        }
        let Some(bytes) = objects(digest)? else { continue };
        let met =
            |namespace| counted(root, namespace, &bytes, &signatures).map(|quorum| quorum.is_met());
        // What states no version cannot come into force.
        if for_policy && met(POLICY)? {
            policies.extend(read::policy_version(&bytes).map(|version| (version, digest)));
        }
        if for_signers && met(SIGNERS)? {
            signers.extend(AllowedSigners::stated_version(&bytes).map(|version| (version, digest)));
        }
    }
    Ok((policies, signers))
}

/// Checks that no root of the chain has a signed successor beside it: the root in place would be an older one,
/// or one of two.
pub(super) fn no_other_root(
    path: &str,
    chain: &RootChain,
    kept: &Kept,
    objects: Objects<'_>,
) -> Result<(), Failure> {
    for digest in kept.signed()? {
        if chain.roots.iter().any(|(own, _)| *own == digest) {
            continue;
        }
        let signatures = kept.signatures(digest)?;
        if !signatures.iter().any(|signature| signature.is_for(ROOT).is_ok()) {
            continue;
        }
        let Some(bytes) = objects(digest)? else { continue };
        let Ok(root) = read::root_of("root.toml", &bytes) else { continue };
        let before = chain.roots.iter().find(|(own, _)| Some(*own) == root.previous);
        let Some((_, before)) = before else { continue };
        let follows = before.version.checked_add(1) == Some(root.version);
        if follows && counted(before, ROOT, &bytes, &signatures)?.is_met() {
            let version = root.version;
            return Err(Failure::Integrity(format!(
                "{path}: its administrators signed another root of version {version} ({digest}), and it is not the one that is followed here: an older root was put back, or two were signed. Put the right one in place"
            )));
        }
    }
    Ok(())
}
