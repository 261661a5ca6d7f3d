//! What decides of the book of verifications.

use std::cmp::Reverse;

use accredit_core::authority::{Act, Fact};
use accredit_core::keys::Signers;
use accredit_core::ledger::{Chain, Entry, Moment, Payload, Verified};

use super::{About, act, checked, fact};
use crate::failure::Failure;

/// How many verifications are looked at for one that a verifier signed. Where none of the newest is, there is
/// none: what is doubtful grants nothing, and a flood of entries costs no time.
const TRIED: usize = 256;

/// Puts the newest verification of the component that a verifier signed among the facts, and the latest entry
/// of the book, each before what was made at the same time or later.
pub(super) fn merge(
    facts: &mut Vec<Fact>,
    main: &Chain,
    verified: &Chain,
    signers: &Signers,
    about: About<'_>,
) -> Result<(), Failure> {
    let newest = newest(verified, signers, about)?;
    let decides = newest.as_ref().map(|(entry, _)| entry.seq());
    let latest = verified.entries().max_by_key(|entry| entry.at());
    let latest = latest.filter(|entry| Some(entry.seq()) != decides);
    let latest = latest.map(|entry| (entry, fact(entry, Act::Other, Vec::new())));
    let mut merged: Vec<_> = [newest, latest].into_iter().flatten().collect();
    merged.sort_by_key(|(entry, _)| Reverse(reached(*entry)));
    // The latest goes in first, so that no place moves before it is used.
    let end = facts.len();
    for (entry, fact) in merged {
        // What is told at the same second as a verification may have come after it, and counts.
        let later = |other: Entry<'_>| reached(other) >= reached(entry);
        let at = main.entries().position(later).unwrap_or(end);
        facts.insert(at, fact);
    }
    Ok(())
}

/// The latest moment of this entry and all before it.
fn reached(entry: Entry<'_>) -> Moment {
    entry.set_back().unwrap_or(entry.at())
}

fn newest<'c>(
    verified: &'c Chain,
    signers: &Signers,
    about: About<'_>,
) -> Result<Option<(Entry<'c>, Fact)>, Failure> {
    let of = |entry: Entry<'c>| match entry.payload() {
        Payload::Verified(it) if it.component == about.component => Some((told(entry, it), entry)),
        _ => None,
    };
    let mut candidates: Vec<_> = verified.entries().filter_map(of).collect();
    candidates.sort_by_key(|(told, entry)| Reverse((*told, entry.seq())));
    let signed = candidates.into_iter().filter(|(_, entry)| entry.is_signed());
    for (_, entry) in signed.take(TRIED) {
        let checked = checked(entry, signers)?;
        if checked.iter().any(|signer| about.verifiers.contains(&signer.principal)) {
            let act = act(entry, signers, &std::collections::BTreeMap::new());
            return Ok(Some((entry, fact(entry, act, checked))));
        }
    }
    Ok(None)
}

/// When it was verified: the earlier of what was signed and what the entry says.
fn told(entry: Entry<'_>, verified: &Verified) -> Moment {
    verified.at.min(entry.at())
}
