//! The replay: what each entry does, and what today leaves of it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Act, Authority, Fact, Reason, Rules, Seconds, Signer, Today};
use crate::id::{Digest, RubricId};
use crate::statement::Statement;
use crate::verdict::Tier;

/// The last promotion of some component, and what came after.
struct Promotion<'a> {
    entry: u64,
    at: Seconds,
    statement: &'a Statement,
    not_after: Seconds,
    component: Option<Digest>,
    signers: Vec<&'a Signer>,
}

/// A component and its controls, with everyone who wrote them.
struct Registration<'a> {
    component: Digest,
    controls: Digest,
    authors: BTreeSet<&'a str>,
    signed: bool,
}

/// What the entries come to.
pub(super) struct Standing<'a> {
    today: &'a Today,
    rules: &'a Rules,
    /// The latest moment that any entry knows.
    latest: Seconds,
    registrations: Vec<Registration<'a>>,
    /// Every promotion, in order.
    promotions: Vec<Promotion<'a>>,
    /// The last verification of today's component, and under which semantics.
    verified: Option<(Seconds, Digest)>,
    /// The last entry on verification, where it is a failure.
    failed: Option<(u64, &'a [String])>,
    /// Revocations of today's component that nobody lifted.
    revoked: BTreeMap<u64, &'a str>,
    looks: BTreeMap<(&'a RubricId, Digest), u64>,
}

impl<'a> Standing<'a> {
    pub(super) fn of(facts: &'a [Fact], today: &'a Today, rules: &'a Rules) -> Self {
        let mut standing = Self {
            today,
            rules,
            latest: Seconds::MIN,
            registrations: Vec::new(),
            promotions: Vec::new(),
            verified: None,
            failed: None,
            revoked: BTreeMap::new(),
            looks: BTreeMap::new(),
        };
        for fact in facts {
            standing.latest = standing.latest.max(fact.at);
            standing.take(fact);
        }
        standing
    }

    fn take(&mut self, fact: &'a Fact) {
        // An entry dated before an earlier one is taken at its word: that only makes its evidence older.
        let (ours, at) = (self.today.component, fact.at);
        match &fact.act {
            Act::Registered { component, controls, authors } => {
                let named = authors.iter().map(String::as_str);
                let signed = fact.signers.iter().map(|it| it.person.as_str());
                self.registrations.push(Registration {
                    component: *component,
                    controls: *controls,
                    authors: named.chain(signed).collect(),
                    signed: !fact.signers.is_empty(),
                });
            }
            Act::Promoted { statement, not_after } => self.promotions.push(Promotion {
                entry: fact.seq,
                at,
                component: statement.component(),
                statement,
                not_after: *not_after,
                signers: fact.signers.iter().collect(),
            }),
            Act::Verified { component, semantics } if *component == ours => {
                if signed_by(&fact.signers, &self.rules.verifiers) {
                    self.verified = Some((at, *semantics));
                    self.failed = None;
                }
            }
            // A failure counts whoever tells of it.
            Act::FailedVerification { component, broke } if *component == ours => {
                self.failed = Some((fact.seq, broke));
            }
            // So does a revocation: it only ever lowers.
            Act::Revoked { component, reason } if *component == ours => {
                self.revoked.insert(fact.seq, reason);
            }
            Act::Lifted { revocation } => {
                if signed_by(&fact.signers, &self.rules.admins) {
                    self.revoked.remove(revocation);
                }
            }
            Act::Looked { rubric, held_out } => {
                *self.looks.entry((rubric, *held_out)).or_insert(0) += 1;
            }
            Act::Verified { .. }
            | Act::FailedVerification { .. }
            | Act::Revoked { .. }
            | Act::Other => {}
        }
    }

    /// What today leaves of it.
    pub(super) fn authority(&self) -> Authority {
        let last =
            self.promotions.iter().rev().find(|it| it.component == Some(self.today.component));
        let other = self.promotions.iter().rev().find(|it| it.component.is_some());
        let looks = self.looks.iter().map(|((rubric, set), n)| ((*rubric).clone(), *set, *n));
        let none = |reasons, promoted_to, by_entry| Authority {
            tier: Tier::Advisory,
            promoted_to,
            by_entry,
            since: None,
            reasons,
            waivers: Vec::new(),
            signers: Vec::new(),
            verified_at: None,
            ends_at: None,
            looks: looks.clone().collect(),
        };
        let Some(promotion) = last else {
            return match other {
                Some(other) => {
                    let promoted = other.component.unwrap_or(self.today.component);
                    let tier = other.statement.predicate.tier;
                    // The other component's promotion counts as a loss only if it held at all.
                    let held = self.counted(other).is_empty();
                    let changed = Reason::ComponentChanged { promoted };
                    none(vec![changed], held.then_some(tier), Some(other.entry))
                }
                None if self
                    .registrations
                    .iter()
                    .any(|it| it.component == self.today.component) =>
                {
                    none(vec![Reason::NotPromoted], None, None)
                }
                None => none(vec![Reason::NotRegistered], None, None),
            };
        };
        let never = self.counted(promotion);
        if !never.is_empty() {
            return none(never, None, Some(promotion.entry));
        }
        self.completed(
            promotion,
            none(
                self.lost(promotion),
                Some(promotion.statement.predicate.tier),
                Some(promotion.entry),
            ),
        )
    }

    /// Completes the authority of a promotion that was validly made; its reasons say what was lost since.
    fn completed(&self, promotion: &Promotion<'_>, mut authority: Authority) -> Authority {
        let verified = self.verified_at(promotion);
        authority.tier = match authority.reasons.as_slice() {
            [] => promotion.statement.predicate.tier,
            [Reason::PolicyUnsigned] => {
                promotion.statement.predicate.tier.min(Tier::Characterization)
            }
            _ => Tier::Advisory,
        };
        authority.since = (authority.tier > Tier::Advisory).then_some(promotion.at);
        authority.waivers.clone_from(&promotion.statement.predicate.waivers);
        authority.signers = promotion.signers.iter().map(|it| it.principal.clone()).collect();
        authority.verified_at = Some(verified);
        let ends = promotion.not_after.min(verified.saturating_add(self.rules.verified_within));
        authority.ends_at = (authority.tier > Tier::Advisory).then_some(ends);
        authority
    }

    /// When the component was last verified; its promotion is a verification too.
    fn verified_at(&self, promotion: &Promotion<'_>) -> Seconds {
        let verified = self.verified.map_or(promotion.at, |(at, _)| at);
        verified.max(promotion.at)
    }

    /// Why a promotion never counted.
    fn counted(&self, promotion: &Promotion<'_>) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if promotion.component.is_none() {
            reasons.push(Reason::StatementUnknown);
        }
        let (tier, evidence) =
            (promotion.statement.predicate.tier, &promotion.statement.predicate.evidence);
        let of_component = |it: &&Registration<'_>| Some(it.component) == promotion.component;
        let concerned = self
            .registrations
            .iter()
            .filter(|it| of_component(it) || it.controls == evidence.controls);
        let authors: BTreeSet<_> = concerned.flat_map(|it| it.authors.iter().copied()).collect();
        let author_signed = self.registrations.iter().filter(of_component).any(|it| it.signed);
        let is_author = |signer: &&Signer| authors.contains(signer.person.as_str());
        for signer in promotion.signers.iter().copied().filter(is_author) {
            reasons.push(Reason::SignedByAuthor { principal: signer.principal.clone() });
        }
        if !self.registrations.iter().any(|it| of_component(&it)) {
            reasons.push(Reason::NotRegistered);
        }
        if tier == Tier::Gating && !author_signed {
            reasons.push(Reason::AuthorUnknown);
        }
        let may = |signer: &&&Signer| self.rules.promoters.contains(&signer.principal);
        let people: BTreeSet<_> = promotion
            .signers
            .iter()
            .filter(may)
            .filter(|signer| !is_author(signer))
            .map(|signer| signer.person.as_str())
            .collect();
        let asked = match tier {
            Tier::Gating => self.rules.gating_quorum.max(1),
            Tier::Characterization => self.rules.characterization_quorum.max(1),
            Tier::Advisory => 0,
        };
        let signed = people.len() as u64;
        if signed < asked {
            reasons.push(Reason::TooFewSigners { tier, signed, asked });
        }
        let ledger = promotion.statement.predicate.ledger;
        if ledger != self.today.ledger {
            reasons.push(changed("ledger", Some(ledger), Some(self.today.ledger)));
        }
        reasons
    }

    /// What took away the authority of a promotion that counted.
    fn lost(&self, promotion: &Promotion<'_>) -> Vec<Reason> {
        let (today, predicate) = (self.today, &promotion.statement.predicate);
        let evidence = &predicate.evidence;
        let mut reasons = Vec::new();
        for (what, then, now) in [
            ("controls", evidence.controls, today.controls),
            ("policy", evidence.policy, today.policy),
            ("contract", evidence.contract, today.contract),
        ] {
            if then != now {
                reasons.push(changed(what, Some(then), Some(now)));
            }
        }
        if predicate.root != today.root {
            reasons.push(changed("root", predicate.root, today.root));
        }
        let verified_under = self.verified.map(|(_, semantics)| semantics);
        if evidence.semantics != today.semantics && verified_under != Some(today.semantics) {
            reasons.push(Reason::SemanticsChanged);
        }
        if let Some((entry, broke)) = self.failed.filter(|(entry, _)| *entry > promotion.entry) {
            reasons.push(Reason::FailedVerification { entry, broke: broke.to_vec() });
        }
        for (entry, reason) in &self.revoked {
            reasons.push(Reason::Revoked { entry: *entry, reason: (*reason).to_owned() });
        }
        self.too_old(promotion, &mut reasons);
        if predicate.tier == Tier::Gating && !today.policy_signed {
            reasons.push(Reason::PolicyUnsigned);
        }
        reasons
    }

    fn too_old(&self, promotion: &Promotion<'_>, reasons: &mut Vec<Reason>) {
        let now = self.today.now;
        if now < self.latest {
            reasons.push(Reason::ClockSetBack { ledger: self.latest, now });
        }
        if now > promotion.not_after {
            reasons.push(Reason::Expired { at: promotion.not_after });
        }
        let (last, within) = (self.verified_at(promotion), self.rules.verified_within);
        if now > last.saturating_add(within) {
            reasons.push(Reason::NotVerified { last, within });
        }
    }
}

fn changed(what: &str, promoted: Option<Digest>, today: Option<Digest>) -> Reason {
    Reason::Changed { what: what.to_owned(), promoted, today }
}

/// Whether one of these may say so.
fn signed_by(signers: &[Signer], allowed: &[String]) -> bool {
    signers.iter().any(|signer| allowed.contains(&signer.principal))
}
