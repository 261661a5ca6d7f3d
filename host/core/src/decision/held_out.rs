//! Do the bounds hold on controls that the grader's author has not seen?

use super::{Evidence, Measured, NamedRate, Required, Requirement, bites, rates, rest};
use crate::id::Digest;
use crate::policy::{Bars, RequirementId};
use crate::run::event::{HeldOutFacts, HeldOutResult};
use crate::run::fold::Run;
use crate::run::promise::commitments;
use crate::verdict::Tier;

/// How the held-out controls of a run stand to what its open set promised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The open set promises none.
    Uncommitted,
    /// They are not the ones that the open set promised.
    Broken,
    /// They are.
    Committed,
}

/// Recomputes the commitments from a whole record.
pub(crate) fn standing(open: &Run, held_out: &Run, facts: &HeldOutFacts) -> Standing {
    let (Some(promised), Some(salt)) = (&open.started.set.held_out, &facts.salt) else {
        return Standing::Uncommitted;
    };
    let mut promised = promised.commitments.clone();
    promised.sort_unstable();
    match commitments(&held_out.started.controls, salt) == promised {
        true => Standing::Committed,
        false => Standing::Broken,
    }
}

/// What came of the held-out controls at one tier, and the mend where they are not met.
struct Outcome {
    measured: Option<Measured>,
    met: Option<bool>,
    mend: String,
}

pub(super) fn requirement(evidence: &Evidence<'_>, tier: Tier, bars: &Bars) -> Requirement {
    let outcome = match (&evidence.run.started.held_out, evidence.held_out) {
        (Some(facts), None) if facts.is_withheld() => {
            withheld(facts, tier, evidence.run.started.digests.policy)
        }
        (Some(facts), Some(held_out)) => match standing(evidence.run, held_out.run, facts) {
            Standing::Uncommitted => Outcome {
                measured: None,
                met: None,
                mend: "promise the held-out controls in the open set: put what `accredit controls commit DIR` prints into its set.toml".to_owned(),
            },
            Standing::Broken => Outcome {
                measured: Some(Measured::Fact("not the controls that were promised".to_owned())),
                met: Some(false),
                mend: "run the held-out controls that the open set's commitments promise".to_owned(),
            },
            Standing::Committed => judged(held_out, tier, bars),
        },
        _ => Outcome {
            measured: None,
            met: None,
            mend: "run controls that the grader's author has not seen: --held-out DIR".to_owned(),
        },
    };
    let required = Required::Fact("bounds on controls unseen by its author".to_owned());
    let Outcome { measured, met, mend } = outcome;
    evidence.requirement((tier, RequirementId::HeldOut), measured, required, met, || mend)
}

/// What authors are told to do about held-out controls that did not hold.
pub(crate) const MEND_FOR_AUTHORS: &str = "the held-out controls are not shown to authors: mend the grader in general, not to fit them. Whoever keeps the whole record can show that it holds";

/// What an author's copy says of the held-out controls, where that was decided by the policy in force; of another
/// policy nothing is known.
pub(crate) fn claimed(facts: &HeldOutFacts, policy: Digest) -> Vec<HeldOutResult> {
    let known = facts.policy == Some(policy);
    let of =
        |result: &HeldOutResult| HeldOutResult { met: result.met.filter(|_| known), ..*result };
    facts.results.iter().map(of).collect()
}

/// An author's copy says what the whole record came to, and holds nothing that it came from. Anybody could have
/// written it, so it is not evaluated.
fn withheld(facts: &HeldOutFacts, tier: Tier, policy: Digest) -> Outcome {
    let claimed = claimed(facts, policy);
    let met = claimed.iter().find(|result| result.tier == tier).and_then(|it| it.met);
    let fact = match met {
        Some(true) => "said to have held, by an author's copy; nothing here bears it out",
        Some(false) => "said not to have held, by an author's copy; nothing here bears it out",
        None => "not evaluated: this is an author's copy",
    };
    let measured = Some(Measured::Fact(fact.to_owned()));
    Outcome { measured, met: None, mend: MEND_FOR_AUTHORS.to_owned() }
}

/// Every rate of the tier, faults, noise and the baselines, over the held-out controls alone.
fn judged(held_out: &Evidence<'_>, tier: Tier, bars: &Bars) -> Outcome {
    let mut asked = rates::requirements(held_out, tier, bars);
    let figures = asked.iter().flat_map(figures).collect();
    asked.extend(rest::steady(held_out, tier, bars));
    asked.push(bites::baselines(held_out, tier, bars));
    let open: Vec<_> = asked.iter().filter(|requirement| !requirement.is_satisfied()).collect();
    let met = match open.iter().any(|requirement| requirement.met == Some(false)) {
        true => Some(false),
        false => open.is_empty().then_some(true),
    };
    let mend = |requirement: &&Requirement| {
        format!("{}: {}", requirement.id, requirement.mend.as_deref().unwrap_or_default())
    };
    Outcome {
        measured: Some(Measured::Rates(figures)),
        met,
        mend: open.iter().map(mend).collect::<Vec<_>>().join("; "),
    }
}

fn figures(requirement: &Requirement) -> Vec<NamedRate> {
    match &requirement.measured {
        Some(Measured::Rate(figure)) => {
            vec![NamedRate { of: requirement.id.to_string(), figure: *figure }]
        }
        Some(Measured::Rates(figures)) => figures.clone(),
        _ => Vec::new(),
    }
}
