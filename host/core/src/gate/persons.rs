//! A person's word on a gate: where judges alone block and may too easily be wrong, somebody reads what they said, and
//! lets the release go or holds it.
//!
//! The word is a signed entry in the ledger of every grader that decides there. It is bound to everything that the
//! verdict rests on, by [`what_is_decided`]: with another run, grader, policy or failure it is of no use. It lets go of
//! what waits for a person, and of nothing else: no word makes up for evidence that is missing, or for the failure that a
//! code grader found.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::combine::{CaseResult, Failed};
use super::inventory::Serious;
use super::judged::GateGrader;
use super::release::Release;
use super::standing::{Standing, Truth};
use crate::id::{CaseId, Digest, GraderName, RuleId, RunId, StepId};
use crate::ledger::{self, Moment};

pub use crate::ledger::Choice;
use crate::untrusted::Untrusted;
use crate::verdict::Tier;

/// A word whose signature was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// The word.
    pub said: ledger::Decided,
    /// Who signed it: principal and person, for each whose key it is; nobody where no signature counts.
    pub by: Vec<(String, String)>,
    /// Why no signature counts, where none does.
    pub why_not: Option<String>,
}

/// A person's word that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decided {
    /// Who.
    pub by: Untrusted,
    /// When.
    pub at: Moment,
    /// What.
    pub choice: Choice,
    /// Why.
    pub because: Untrusted,
}

/// A word on this gate that does not count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct NotCounted {
    /// When it says that it was made.
    pub at: Moment,
    /// What it says.
    pub choice: Choice,
    /// Why it does not count.
    pub why: Untrusted,
}

/// The digest of everything that a person decides on: policy, inventory with what profiles add, the records as they were made, the graders with
/// what they may do, how every case stands, and what failed. When the gate ran, and what graders say beside a verdict,
/// is no part of it.
#[must_use]
pub fn what_is_decided(
    policy: Digest,
    inventory: Digest,
    graders: &[GateGrader],
    cases: &[CaseResult],
    blocking: &[Failed],
) -> Digest {
    #[derive(Serialize)]
    struct Whole<'a> {
        policy: Digest,
        inventory: Digest,
        graders: Vec<(&'a GraderName, Digest, Tier)>,
        cases: Vec<(&'a CaseId, Standing, Vec<Recorded<'a>>)>,
        failed: Vec<Place<'a>>,
    }
    type Recorded<'a> = (&'a RunId, Option<Digest>);
    type Place<'a> = (
        (&'a CaseId, &'a RunId, &'a StepId),
        (&'a GraderName, &'a RuleId, Option<&'a Untrusted>),
        Option<Serious>,
    );
    let mut graders: Vec<_> = graders.iter().map(|it| (it.name(), it.digest, it.tier)).collect();
    graders.sort();
    let cases = cases.iter().map(|case| {
        let runs = case.runs.iter().map(|run| (&run.run, run.record)).collect();
        (&case.case, case.standing, runs)
    });
    let failed = blocking.iter().map(|it| {
        let by = (&it.grader, &it.rule, it.claim.as_ref());
        ((&it.case, &it.run, &it.step), by, it.serious)
    });
    let (cases, failed) = (cases.collect(), failed.collect());
    let json = serde_json::to_vec(&Whole { policy, inventory, graders, cases, failed });
    Digest::of(&json.unwrap_or_else(|_| unreachable!("names and digests are plain data")))
}

/// Whose word may count.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// What is decided on.
    pub decides: Digest,
    /// Who may, by principal: those who sign promotions.
    pub promoters: &'a [String],
    /// Of each grader of the gate the persons who wrote it or its controls: they do not decide on its word.
    pub authors: &'a BTreeMap<GraderName, Vec<String>>,
    /// Now.
    pub now: Moment,
}

/// The last word on this gate that counts, and those on it that do not.
#[must_use]
pub fn decided(heard: &[Heard], asking: Asking<'_>) -> (Option<Decided>, Vec<NotCounted>) {
    let (mut counts, mut not) = (Vec::new(), Vec::new());
    for heard in heard.iter().filter(|it| it.said.decides == asking.decides) {
        let ledger::Decided { at, choice, because, .. } = &heard.said;
        match whose(heard, asking) {
            Ok(by) => counts.push(Decided {
                by: Untrusted::new(by),
                at: *at,
                choice: *choice,
                because: because.clone(),
            }),
            Err(why) => {
                let why = Untrusted::new(why);
                not.push(NotCounted { at: *at, choice: *choice, why });
            }
        }
    }
    // One word stands in several ledgers.
    not.sort();
    not.dedup();
    (counts.into_iter().max_by_key(|it| (it.at, it.choice)), not)
}

/// Who said it, if it counts.
///
/// # Errors
/// Why it does not, in words.
pub fn whose<'h>(heard: &'h Heard, asking: Asking<'_>) -> Result<&'h str, String> {
    if let Some(why) = &heard.why_not {
        return Err(why.clone());
    }
    // One that holds counts all the same: a clock that is behind must not let go what is held.
    if heard.said.at > asking.now && heard.said.choice == Choice::Release {
        return Err(format!("it is dated {}, which is yet to come", heard.said.at));
    }
    let wrote = |person: &String| asking.authors.iter().find(|it| it.1.contains(person));
    let author = heard.by.iter().find_map(|(name, person)| Some((name, wrote(person)?.0)));
    if let Some((name, grader)) = author {
        return Err(format!("{name} wrote the grader `{grader}` or its controls"));
    }
    let may = heard.by.iter().find(|(name, _)| asking.promoters.contains(name));
    may.map(|(name, _)| name.as_str()).ok_or_else(|| {
        "its signer is none of those who sign promotions: [sign_off] promoters of the policy"
            .to_owned()
    })
}

/// What a release comes to by this word. `not_evaluated` counts cases without a verdict.
#[must_use]
pub fn applied(release: Release, decided: Option<&Decided>, not_evaluated: u64) -> Release {
    let holds = |it: &Decided| it.choice == Choice::Hold && release.verdict == Truth::True;
    let decided = decided.filter(|it| release.pending_person || holds(it));
    let Some(decided) = decided else { return release };
    let Release { why, .. } = release;
    let (verdict, why) = match (decided.choice, not_evaluated) {
        (Choice::Hold, _) => (Truth::False, format!("{why}, and a person holds it")),
        (Choice::Release, 1..) => {
            (Truth::Undefined, format!("{why}; a person lets go what failed, and nothing more"))
        }
        (Choice::Release, 0) => {
            (Truth::True, format!("{why}, by the word of judges alone, and a person lets it go"))
        }
    };
    Release { verdict, why, pending_person: false }
}
