//! From a ledger's remarks to failures.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Failure, Guard, Judged, State};
use crate::control::set::{Control, Expectation};
use crate::id::{ControlId, Digest};
use crate::ledger::{Chain, Entry, FailureNote, Noted, Payload};
use crate::run::event::CaseTexts;
use crate::untrusted::Untrusted;

/// How much of one text of a case is told.
const TEXT_BYTES: usize = 2 << 10;

/// A failure whose control is not what it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The control, by its last name.
    pub control: ControlId,
    /// The digest of its case's content.
    pub content: Digest,
    /// What is missing of it.
    pub why: WhyMissing,
}

/// What is missing of a failure's control.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhyMissing {
    /// No control has its case.
    Gone,
    /// The control of its case expects something else than what was found to be right.
    ExpectsOtherwise {
        /// What was found to be right.
        found: Expectation,
        /// What the control expects.
        expects: Expectation,
    },
}

impl fmt::Display for WhyMissing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone => f.write_str("no control has its case"),
            Self::ExpectsOtherwise { found, expects } => {
                let (expects, found) = (said(expects), said(found));
                write!(f, "its control expects {expects}, and {found} was found to be right")
            }
        }
    }
}

fn said(expect: &Expectation) -> String {
    match &expect.rule {
        Some(rule) => format!("`{}` by `{rule}`", expect.verdict),
        None => format!("`{}`", expect.verdict),
    }
}

/// What was checked of a ledger's remarks on failures. What was not is believed of none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// Remarks that were withdrawn: see [`withdrawn`].
    pub withdrawn: BTreeSet<Digest>,
    /// The entries of guards whose two records are in the store and bear them out: see [`guards`].
    pub guards: BTreeSet<u64>,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.control, self.content.short(), self.why)
    }
}

/// What a ledger says of one failure.
struct Kept<'c> {
    /// Every time it was found, with the remark.
    found: Vec<(Entry<'c>, &'c Noted)>,
    /// The last guard that came after the last time.
    guard: Option<Guard>,
    /// Whether every one of these was withdrawn.
    withdrawn: bool,
}

/// The digests of remarks on failures that were withdrawn: a later remark corrects them, and is one of those
/// that somebody who may sign remarks signed, by their numbers.
#[must_use]
pub fn withdrawn(chain: &Chain, signed: &BTreeSet<u64>) -> BTreeSet<Digest> {
    let corrected = chain.entries().filter(|entry| signed.contains(&entry.seq()));
    corrected
        .filter_map(|entry| match entry.payload() {
            Payload::Noted(it) => Some(chain.referred(it.corrects?, entry.seq())?.payload_digest()),
            _ => None,
        })
        .collect()
}

/// The contents of the cases of all failures that a ledger keeps and that nobody withdrew.
#[must_use]
pub fn contents(chain: &Chain, withdrawn: &BTreeSet<Digest>) -> BTreeSet<Digest> {
    let checked = Checked { withdrawn: withdrawn.clone(), guards: BTreeSet::new() };
    let all = kept(chain, &checked);
    all.into_iter().filter(|(_, kept)| !kept.withdrawn).map(|(content, _)| content).collect()
}

/// Whether a ledger keeps any failure.
#[must_use]
pub fn keeps(chain: &Chain) -> bool {
    let is_found = |entry: Entry<'_>| {
        matches!(
            entry.payload(),
            Payload::Noted(Noted { failure: Some(FailureNote::Found { .. }), .. })
        )
    };
    chain.entries().any(is_found)
}

/// Every guard that a ledger tells of, with the digest of its case's content.
#[must_use]
pub fn guards(chain: &Chain) -> Vec<(Digest, Guard)> {
    let of = |entry: Entry<'_>| match entry.payload() {
        Payload::Noted(it) => guard(it.failure.as_ref()?, entry.seq()),
        _ => None,
    };
    chain.entries().filter_map(of).collect()
}

/// A guard, if it is one that tells two components apart.
fn guard(note: &FailureNote, entry: u64) -> Option<(Digest, Guard)> {
    match *note {
        FailureNote::Guarded { content, catches, passes, caught, passed, .. }
            if catches != passes =>
        {
            Some((content, Guard { catches, passes, caught, passed, entry }))
        }
        _ => None,
    }
}

/// Every failure, by its case's content.
fn kept<'c>(chain: &'c Chain, checked: &Checked) -> BTreeMap<Digest, Kept<'c>> {
    let mut kept: BTreeMap<Digest, Kept<'c>> = BTreeMap::new();
    for entry in chain.entries() {
        let Payload::Noted(noted) = entry.payload() else { continue };
        match &noted.failure {
            Some(FailureNote::Found { content, .. }) => {
                let gone = checked.withdrawn.contains(&entry.payload_digest());
                let first = || Kept { found: Vec::new(), guard: None, withdrawn: true };
                let one = kept.entry(*content).or_insert_with(first);
                // What was withdrawn is told only where nothing else is left of the failure.
                match (gone, one.withdrawn) {
                    (true, false) => continue,
                    (false, true) => one.found.clear(),
                    _ => {}
                }
                one.withdrawn = gone;
                one.found.push((entry, noted));
                // It was seen in spite of whatever guarded it.
                if !gone {
                    one.guard = None;
                }
            }
            Some(note) if checked.guards.contains(&entry.seq()) => {
                if let Some((content, guard)) = guard(note, entry.seq())
                    && let Some(one) = kept.get_mut(&content)
                {
                    one.guard = Some(guard);
                }
            }
            _ => {}
        }
    }
    kept
}

/// Every failure whose control is no longer in the set, or expects something else. Absence is never green: as
/// long as there is one, the set does not show that what was found in use does not happen again.
#[must_use]
pub fn missing(chain: &Chain, controls: &[Control], withdrawn: &BTreeSet<Digest>) -> Vec<Missing> {
    let checked = Checked { withdrawn: withdrawn.clone(), guards: BTreeSet::new() };
    let all = failures(chain, controls, &BTreeMap::new(), &checked).into_iter();
    all.filter_map(|it| {
        Some(Missing { control: it.control, content: it.content, why: it.why_missing? })
    })
    .collect()
}

/// Every failure that a ledger keeps, as it stands: with today's controls, and with what today's component did
/// with them. What is not among the latter was not run.
#[must_use]
pub fn failures(
    chain: &Chain,
    controls: &[Control],
    judged: &BTreeMap<ControlId, Judged>,
    checked: &Checked,
) -> Vec<Failure> {
    let today: BTreeMap<Digest, &Control> =
        controls.iter().rev().map(|it| (it.entry.case.content_digest(), it)).collect();
    let kept = kept(chain, checked);
    let of = |(content, kept): (&Digest, &Kept<'_>)| {
        let control = today.get(content).copied();
        failure(*content, kept, control, judged)
    };
    let mut failures: Vec<_> = kept.iter().filter_map(of).collect();
    failures.sort_by_key(|it| (it.state, Reverse(it.seen), Reverse(it.last), it.control.clone()));
    failures
}

/// What one failure comes to; absent where nothing was found.
fn failure(
    content: Digest,
    kept: &Kept<'_>,
    control: Option<&Control>,
    judged: &BTreeMap<ControlId, Judged>,
) -> Option<Failure> {
    let (last_entry, noted) = kept.found.last()?;
    let Some(FailureNote::Found { control: named, expected, rule, got, .. }) = &noted.failure
    else {
        return None;
    };
    let found = Expectation { verdict: *expected, rule: rule.clone() };
    let why_missing = match control.map(|it| &it.entry.expect) {
        _ if kept.withdrawn => None,
        None => Some(WhyMissing::Gone),
        // Every finding binds that nobody withdrew: a later one does not turn an earlier one round.
        Some(expects) => findings(kept)
            .find(|found| found != expects)
            .map(|found| WhyMissing::ExpectsOtherwise { found, expects: expects.clone() }),
    };
    let today = control.and_then(|it| judged.get(&it.entry.id));
    let state = match (&why_missing, today) {
        _ if kept.withdrawn => State::Withdrawn,
        (Some(_), _) => State::Missing,
        (None, Some(today)) if today.right => match kept.guard {
            Some(_) => State::Guarded,
            None => State::Fixed,
        },
        (None, _) => State::Open,
    };
    Some(Failure {
        control: control.map_or(named, |it| &it.entry.id).clone(),
        content,
        state,
        why_missing,
        seen: kept.found.len() as u64,
        first: kept.found.first().map_or(last_entry.at(), |(entry, _)| entry.at()),
        last: last_entry.at(),
        components: components(kept),
        expected: found,
        got: *got,
        says: today.and_then(|it| it.said),
        saw: noted.text.clone(),
        requirement: last_told(kept, |(requirement, _)| requirement),
        cause: last_told(kept, |(_, cause)| cause),
        at: control.map(|it| it.at.clone()),
        expects: control.map(|it| it.entry.expect.clone()),
        texts: control.map(|it| CaseTexts::of(&it.entry.case, TEXT_BYTES)),
        guard: kept.guard,
    })
}

/// What the case must get, by each time that it was found.
fn findings<'k>(kept: &'k Kept<'_>) -> impl Iterator<Item = Expectation> + 'k {
    kept.found.iter().filter_map(|(_, noted)| match &noted.failure {
        Some(FailureNote::Found { expected, rule, .. }) => {
            Some(Expectation { verdict: *expected, rule: rule.clone() })
        }
        _ => None,
    })
}

/// The components that it was seen with, each once, the last one first.
fn components(kept: &Kept<'_>) -> Vec<Digest> {
    let mut components = Vec::new();
    for (_, noted) in kept.found.iter().rev() {
        if let Some(FailureNote::Found { component, .. }) = &noted.failure
            && !components.contains(component)
        {
            components.push(*component);
        }
    }
    components
}

/// A text of the last remark that has one: whoever sees a failure again need not say all of it again.
fn last_told<'c>(
    kept: &Kept<'c>,
    text: impl Fn((&'c Untrusted, &'c Untrusted)) -> &'c Untrusted,
) -> Untrusted {
    let told = |(_, noted): &(Entry<'c>, &'c Noted)| match &noted.failure {
        Some(FailureNote::Found { requirement, cause, .. }) => Some(text((requirement, cause))),
        _ => None,
    };
    let mut told = kept.found.iter().rev().filter_map(told);
    told.find(|it| !it.is_empty()).cloned().unwrap_or_default()
}
