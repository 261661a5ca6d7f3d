//! What nothing names any more.
//!
//! An object stays when a file of the register names it, or an object that stays. A file names what it holds 64
//! hexadecimal digits of, whatever its format: a mistake keeps an object too long, and takes none away.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, SystemTime};

use accredit_core::id::Digest;

use super::objects::Stored;
use super::register::Register;
use super::writing::Writing;
use super::{named, place};
use crate::cmd::POLICY_FILE;
use crate::failure::Failure;
use crate::place::read_bounded;

/// What is younger may be of work in progress.
const YOUNG: Duration = Duration::from_secs(24 * 60 * 60);

/// No other file of a register is larger.
const FILE_BYTES: usize = 1 << 26;

/// What is in the store, and what could go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// What nothing names, by digest.
    pub garbage: Vec<Stored>,
    /// How many objects are named.
    pub named: usize,
    /// How many are not, and are too young to go.
    pub young: usize,
}

/// Looks for objects that nothing names; those put within a day before `now` stay, unless `all`.
///
/// # Errors
/// When a ledger or an object that is named is damaged: what it named cannot be known then.
pub fn survey(register: &Register, now: SystemTime, all: bool) -> Result<Survey, Failure> {
    let stored = register.objects().list()?;
    let stored: BTreeMap<_, _> = stored.into_iter().map(|it| (it.digest, it)).collect();
    let mut open = roots(register)?;
    let mut reached = BTreeSet::new();
    while let Some(digest) = open.pop_first() {
        if stored.contains_key(&digest) && reached.insert(digest) {
            let named = named::digests(&register.objects().get(digest)?);
            open.extend(named.difference(&reached));
        }
    }
    let mut survey = Survey { named: reached.len(), ..Survey::default() };
    for (digest, object) in stored {
        if reached.contains(&digest) {
            continue;
        }
        let is_old = now.duration_since(object.put).is_ok_and(|age| age >= YOUNG);
        if all || is_old { survey.garbage.push(object) } else { survey.young += 1 }
    }
    Ok(survey)
}

impl Writing {
    /// Takes away what a survey finds.
    ///
    /// # Errors
    /// As [`survey`], and when an object cannot be removed. Nothing is removed after the first failure.
    pub fn collect(&self, now: SystemTime, all: bool) -> Result<Survey, Failure> {
        let survey = survey(self, now, all)?;
        for object in &survey.garbage {
            self.discard(object.digest)?;
        }
        Ok(survey)
    }
}

/// What the register's files name, without its objects.
fn roots(register: &Register) -> Result<BTreeSet<Digest>, Failure> {
    let mut roots = BTreeSet::new();
    for (grader, book) in register.ledgers()? {
        let chain = register.ledger(&grader, book)?.read()?.chain;
        roots.extend(named::digests(chain.text().as_bytes()));
        for entry in chain.entries() {
            // However somebody else's tool has written it.
            roots.extend(named::digests(entry.payload().to_json().as_bytes()));
            roots.insert(entry.payload_digest());
        }
    }
    for file in [place::ROOT, place::SIGNERS] {
        mention(register, Path::new(file), &mut roots)?;
    }
    for folder in [place::GRADERS, place::PENDING] {
        for name in register.names(folder)? {
            mention(register, &Path::new(folder).join(name), &mut roots)?;
        }
    }
    // Whatever was signed is kept: a later version of the policy or of the signers is known by its object.
    for signed in register.names(place::SIGNATURES)? {
        let Ok(digest) = format!("blake3:{signed}").parse::<Digest>() else { continue };
        roots.insert(digest);
        let signatures = register.names(Path::new(place::SIGNATURES).join(signed))?;
        roots.extend(signatures.iter().flat_map(|name| named::digests(name.as_bytes())));
    }
    let policy = register.repository().join(POLICY_FILE);
    if policy.is_file() {
        let bytes = read_bounded(&policy, FILE_BYTES)?;
        roots.insert(Digest::of(&bytes));
        roots.extend(named::digests(&bytes));
    }
    Ok(roots)
}

fn mention(register: &Register, file: &Path, roots: &mut BTreeSet<Digest>) -> Result<(), Failure> {
    if let Some(bytes) = register.read(file, FILE_BYTES as u64)? {
        roots.insert(Digest::of(&bytes));
        roots.extend(named::digests(&bytes));
    }
    Ok(())
}
