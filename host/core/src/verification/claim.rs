//! What a ledger claims for a grader, held against its signatures, its digests and its age.

use super::{Breach, Check};
use crate::authority::{Act, Authority, Fact, Reason, Today};
use crate::id::Digest;
use crate::ledger::Invariant;
use crate::run::event::RunStarted;
use crate::statement::Statement;
use crate::verdict::Tier;

/// The last promotion in a grader's ledger, and everything that bears it out.
pub struct Claim<'a> {
    /// The ledger, with the signatures that hold.
    pub facts: &'a [Fact],
    /// Today, as if the component that was promoted lay there.
    pub today: &'a Today,
    /// The component that lies there; absent where none can be read.
    pub here: Option<Digest>,
    /// What was signed.
    pub statement: &'a Statement,
    /// What such facts grant on such a day: [`crate::authority::authority`] under the policy in force.
    pub grants: &'a dyn Fn(&[Fact], &Today) -> Authority,
}

/// Whether this verification itself is one that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It will be in the ledger, signed by a verifier, and nothing else broke.
    Recorded,
    /// The ledger's own verifications must do.
    AsItStands,
}

/// Which promise a reason breaks, and how gravely; none where it says that nothing is claimed any more.
fn breaks(reason: &Reason) -> Option<(Invariant, Breach)> {
    use Invariant as I;
    Some(match reason {
        Reason::Revoked { .. } | Reason::Superseded { .. } => return None,
        Reason::NotRegistered
        | Reason::NotPromoted
        | Reason::TooFewSigners { .. }
        | Reason::StatementUnknown => (I::NoAuthorityWithoutSignOff, Breach::NotMet),
        Reason::RootNotPinned | Reason::PolicyUnsigned => {
            (I::NoAuthorityWithoutSignOff, Breach::Stale)
        }
        Reason::Changed { what, .. } if what == "ledger" => {
            (I::NoAuthorityWithoutSignOff, Breach::NotMet)
        }
        Reason::SignedByAuthor { .. }
        | Reason::AuthorUnknown { .. }
        | Reason::AuthorsNotIndependent { .. } => (I::NoSelfCertification, Breach::NotMet),
        Reason::ComponentChanged { .. } | Reason::Changed { .. } => {
            (I::AuthorityFollowsDigest, Breach::Stale)
        }
        Reason::SemanticsChanged
        | Reason::RegressionNotRun
        | Reason::Expired { .. }
        | Reason::NotVerified { .. }
        | Reason::FailedVerification { .. } => (I::VerificationIsFresh, Breach::Stale),
        Reason::FailureMissing { .. } => (I::AbsenceIsNeverGreen, Breach::NotMet),
        Reason::ClockSetBack { .. } => (I::VerificationIsFresh, Breach::Integrity),
    })
}

/// Whether a verification that held would take the reason away.
fn is_cured(reason: &Reason) -> bool {
    matches!(
        reason,
        Reason::SemanticsChanged
            | Reason::RegressionNotRun
            | Reason::NotVerified { .. }
            | Reason::FailedVerification { .. }
    )
}

impl Claim<'_> {
    /// What the facts grant today.
    #[must_use]
    pub fn authority(&self) -> Authority {
        (self.grants)(self.facts, self.today)
    }

    /// Why the promotion does not stand any more, where it was taken back.
    #[must_use]
    pub fn taken_back(&self) -> Option<String> {
        let reasons = self.authority().reasons;
        let told = reasons.iter().find(|reason| breaks(reason).is_none()).map(Reason::text);
        // Also of a promotion that never counted, which gives no such reason.
        told.or_else(|| self.revoked().map(|entry| format!("it was revoked (entry {entry})")))
    }

    /// The entry that revoked the component, if nobody lifted it.
    fn revoked(&self) -> Option<u64> {
        let ours = self.statement.component();
        let lifted = |seq: u64| {
            let lifts =
                |fact: &Fact| matches!(fact.act, Act::Lifted { revocation } if revocation == seq);
            self.facts.iter().any(lifts)
        };
        let revokes = |fact: &&Fact| matches!(&fact.act, Act::Revoked { component, .. } if Some(*component) == ours);
        self.facts.iter().filter(revokes).map(|fact| fact.seq).find(|seq| !lifted(*seq))
    }

    fn tier(&self) -> Tier {
        self.statement.predicate.tier
    }

    /// Today's reasons that break this promise.
    fn found(&self, authority: &Authority, invariant: Invariant) -> Vec<(Breach, String)> {
        let of = |reason: &Reason| {
            breaks(reason)
                .filter(|(of, _)| *of == invariant)
                .map(|(_, breach)| (breach, reason.text()))
        };
        authority.reasons.iter().filter_map(of).collect()
    }

    /// The promotion's signatures hold, and it would be nothing without them.
    #[must_use]
    pub fn no_authority_without_sign_off(&self) -> Check {
        let invariant = Invariant::NoAuthorityWithoutSignOff;
        let authority = self.authority();
        let mut found = self.found(&authority, invariant);
        if authority.reasons.is_empty() && authority.tier < self.tier() {
            found.push((
                Breach::Stale,
                format!("it grants {}, and nobody can say why", authority.tier),
            ));
        }
        let bare = |fact: &Fact| Fact { signers: Vec::new(), ..fact.clone() };
        let unsigned: Vec<_> = self.facts.iter().map(bare).collect();
        let without = (self.grants)(&unsigned, self.today).tier;
        if without > Tier::Advisory {
            found.push((Breach::Integrity, format!("{without} is granted without any signature")));
        }
        let entry = authority.by_entry.map(|it| format!(" (entry {it})")).unwrap_or_default();
        let signers = authority.signers.join(", ");
        Check::of(
            invariant,
            found,
            format!("signed by {signers}{entry}; unsigned, it grants nothing"),
        )
    }

    /// No signer wrote the grader or its controls, and who wrote them is known.
    #[must_use]
    pub fn no_self_certification(&self) -> Check {
        let invariant = Invariant::NoSelfCertification;
        let found = self.found(&self.authority(), invariant);
        let held = match self.tier() {
            Tier::Gating => {
                "no signer is an author; both authors signed, and are two persons where the policy asks for it"
            }
            _ => "no signer is an author",
        };
        Check::of(invariant, found, held)
    }

    /// Authority is that of exact bytes: what lies there, what was signed and what was run are the same, and any
    /// change of them would take it away. `rerun` is the beginning of the run that was made again.
    #[must_use]
    pub fn authority_follows_digest(&self, rerun: Option<&RunStarted>) -> Check {
        let invariant = Invariant::AuthorityFollowsDigest;
        let mut found = self.found(&self.authority(), invariant);
        match (self.here, self.statement.component()) {
            (Some(here), Some(promoted)) if here == promoted => {}
            (Some(here), _) => found.push((
                Breach::Stale,
                format!(
                    "the component that lies there, {}, is not the one that was promoted",
                    here.short()
                ),
            )),
            (None, _) => {
                found.push((Breach::Stale, "no component lies there that can be read".to_owned()));
            }
        }
        found.extend(self.granted_after_a_change());
        match rerun {
            None => found.push((Breach::NotMet, "it could not be run again".to_owned())),
            Some(started) => found.extend(self.other_digests(started)),
        }
        let held = "component, controls, policy and contract are those that were signed, and without any of them it is advisory";
        Check::of(invariant, found, held)
    }

    /// What would still be granted if one digest were another.
    fn granted_after_a_change(&self) -> Vec<(Breach, String)> {
        let never = Digest::of(b"accredit verify: a digest that nothing has");
        type Change = fn(&mut Today, Digest);
        let changes: [(&str, Change); 4] = [
            ("component", |today, digest| today.component = digest),
            ("controls", |today, digest| today.controls = digest),
            ("policy", |today, digest| today.policy = digest),
            ("contract", |today, digest| today.contract = digest),
        ];
        let mut found = Vec::new();
        for (what, change) in changes {
            let mut changed = self.today.clone();
            change(&mut changed, never);
            let tier = (self.grants)(self.facts, &changed).tier;
            if tier > Tier::Advisory {
                found.push((
                    Breach::Integrity,
                    format!("with other {what} it would still be {tier}"),
                ));
            }
        }
        found
    }

    /// Where the run that was made again is not of what was signed for.
    fn other_digests(&self, started: &RunStarted) -> Vec<(Breach, String)> {
        let signed = &self.statement.predicate.evidence;
        let run = &started.digests;
        [
            ("component", self.statement.component() == Some(started.grader.digest)),
            ("controls", signed.controls == run.controls),
            ("policy", signed.policy == run.policy),
            ("contract", signed.contract == run.contract),
        ]
        .into_iter()
        .filter(|(_, same)| !same)
        .map(|(what, _)| {
            (Breach::Stale, format!("the {what} that was run is not the one that was signed for"))
        })
        .collect()
    }

    /// The last verification is not older than the policy allows, and the promotion has not run out.
    #[must_use]
    pub fn verification_is_fresh(&self, this: Freshness) -> Check {
        let invariant = Invariant::VerificationIsFresh;
        let mut authority = self.authority();
        if this == Freshness::Recorded {
            authority.reasons.retain(|reason| !is_cured(reason));
        }
        let found = self.found(&authority, invariant);
        let last = self.facts.iter().rev().find_map(|fact| match &fact.act {
            Act::Verified { at, .. } => crate::ledger::Moment::from_seconds(*at),
            _ => None,
        });
        let held = match (this, last) {
            (Freshness::Recorded, _) => "recorded by this verification".to_owned(),
            (Freshness::AsItStands, Some(last)) => format!("last verified {last}"),
            (Freshness::AsItStands, None) => {
                format!("promoted {}, which counts as verified", self.statement.predicate.made_at)
            }
        };
        Check::of(invariant, found, held)
    }
}
