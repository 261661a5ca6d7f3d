//! The replay: what each entry does, and what today leaves of it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Act, Authority, Fact, Reason, Rules, Seconds, Signer, Today};
use crate::id::{Digest, RubricId};
use crate::ledger::Work;
use crate::statement::Statement;
use crate::verdict::Tier;

/// The last promotion of some component, and what came after.
struct Promotion<'a> {
    entry: u64,
    at: Seconds,
    statement: &'a Statement,
    component: Option<Digest>,
    signers: Vec<&'a Signer>,
}

/// A component and its controls, with everyone who wrote them.
struct Registration<'a> {
    component: Digest,
    controls: Digest,
    wrote: &'a [Work],
    /// The persons who are named or signed.
    authors: BTreeSet<&'a str>,
    /// The persons who signed.
    signed: BTreeSet<&'a str>,
}

impl Registration<'_> {
    /// Whether it tells of the author of this work, of this component and these controls.
    fn tells_of(&self, work: Work, component: Digest, controls: Digest) -> bool {
        let same = match work {
            Work::Grader => self.component == component,
            Work::Controls => self.controls == controls,
        };
        same && self.wrote.contains(&work)
    }
}

/// A component met its bars again.
#[derive(Clone, Copy)]
struct Verification {
    at: Seconds,
    semantics: Digest,
    regression: Option<Digest>,
}

/// A component broke an invariant.
#[derive(Clone, Copy)]
struct Failed<'a> {
    entry: u64,
    at: Seconds,
    broke: &'a [String],
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
    /// The last verification of today's component.
    verified: Option<Verification>,
    /// The last entry on verification, where it is a failure.
    failed: Option<Failed<'a>>,
    /// Revocations of today's component that nobody lifted.
    revoked: BTreeMap<u64, &'a str>,
    /// The last entry by which another component took the place of today's.
    superseded: Option<(u64, Digest)>,
    looks: BTreeMap<(&'a RubricId, Digest), BTreeSet<Digest>>,
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
            superseded: None,
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
            Act::Registered { component, controls, wrote, authors } => {
                let named = authors.iter().map(String::as_str);
                let signed: BTreeSet<_> =
                    fact.signers.iter().map(|it| it.person.as_str()).collect();
                self.registrations.push(Registration {
                    component: *component,
                    controls: *controls,
                    wrote,
                    authors: named.chain(signed.iter().copied()).collect(),
                    signed,
                });
            }
            Act::Promoted { statement } => self.promotions.push(Promotion {
                entry: fact.seq,
                at,
                component: statement.component(),
                statement,
                signers: fact.signers.iter().collect(),
            }),
            Act::Verified { component, ledger, semantics, regression, held, at: signed_at }
                if *component == ours =>
            {
                // One of another ledger, or that held less than what was promoted, says nothing here.
                let is_of_this = *ledger == self.today.ledger && *held >= self.promoted_to();
                if is_of_this && signed_by(&fact.signers, &self.rules.verifiers) {
                    // What is signed, and not when it was put there: an old one is not new again.
                    let at = at.min(*signed_at);
                    let (semantics, regression) = (*semantics, *regression);
                    let newer = self.verified.is_none_or(|it| it.at <= at);
                    if newer {
                        self.verified = Some(Verification { at, semantics, regression });
                    }
                    if newer && self.failed.is_some_and(|failed| failed.at <= at) {
                        self.failed = None;
                    }
                }
            }
            // A failure counts whoever tells of it.
            Act::FailedVerification { component, broke } if *component == ours => {
                // Nobody signs an entry's time: a failure is no older than anything that stands before it.
                self.failed = Some(Failed { entry: fact.seq, at: self.latest, broke });
            }
            Act::Superseded { component, by } if *component == ours => {
                self.superseded = Some((fact.seq, *by));
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
            Act::Looked { rubric, held_out, run } => {
                self.looks.entry((rubric, *held_out)).or_default().insert(*run);
            }
            Act::Verified { .. }
            | Act::FailedVerification { .. }
            | Act::Revoked { .. }
            | Act::Superseded { .. }
            | Act::Other => {}
        }
    }

    /// Why the promotion in this entry does not count.
    pub(super) fn why_not(&self, entry: u64) -> Vec<Reason> {
        let promotion = self.promotions.iter().find(|it| it.entry == entry);
        promotion.map_or_else(|| vec![Reason::NotPromoted], |it| self.counted(it))
    }

    /// The highest tier that today's component was promoted to so far.
    fn promoted_to(&self) -> Tier {
        let ours = self.promotions.iter().filter(|it| it.component == Some(self.today.component));
        ours.map(|it| it.statement.predicate.tier).max().unwrap_or(Tier::Advisory)
    }

    /// The last of these promotions that counts, else the last: one that does not count takes nothing away.
    fn last<'s>(
        &'s self,
        of: impl Fn(&Promotion<'a>) -> bool + Clone,
    ) -> Option<&'s Promotion<'a>> {
        let mut counted = self.promotions.iter().rev().filter(|it| of(it));
        let found = counted.find(|it| self.counted(it).is_empty());
        found.or_else(|| self.promotions.iter().rev().find(|it| of(it)))
    }

    /// The promotion of another component that counts and came after this one.
    fn superseding(&self, promotion: &Promotion<'a>) -> Option<(u64, Digest)> {
        let after =
            |it: &&Promotion<'a>| it.entry > promotion.entry && it.component != promotion.component;
        let mut after = self.promotions.iter().rev().filter(after);
        let found = after.find(|it| self.counted(it).is_empty())?;
        Some((found.entry, found.component?))
    }

    /// What today leaves of it.
    pub(super) fn authority(&self) -> Authority {
        let ours = self.today.component;
        let last = self.last(|it| it.component == Some(ours));
        let other = self.last(|it| it.component.is_some());
        let looks = self
            .looks
            .iter()
            .map(|((rubric, set), runs)| ((*rubric).clone(), *set, runs.len() as u64));
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
                    let changed = Reason::ComponentChanged { promoted };
                    none(vec![changed], Some(tier), Some(other.entry))
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
            // It may have counted, by another policy or other signers: what it was promoted to shows either way.
            let promoted_to = Some(promotion.statement.predicate.tier);
            return none(never, promoted_to, Some(promotion.entry));
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
    fn completed(&self, promotion: &Promotion<'a>, mut authority: Authority) -> Authority {
        let verified = self.verified_at(promotion);
        let promoted_to = promotion.statement.predicate.tier;
        // Without a root of trust that holds nothing above characterization is granted, and no less.
        let caps =
            |reason: &Reason| matches!(reason, Reason::PolicyUnsigned | Reason::RootNotPinned);
        authority.tier = match authority.reasons.as_slice() {
            [] => promoted_to,
            reasons if reasons.iter().all(caps) => promoted_to.min(Tier::Characterization),
            _ => Tier::Advisory,
        };
        authority.since = (authority.tier > Tier::Advisory).then_some(promotion.at);
        authority.waivers.clone_from(&promotion.statement.predicate.waivers);
        authority.signers = promotion.signers.iter().map(|it| it.principal.clone()).collect();
        authority.verified_at = Some(verified);
        let not_after = promotion.statement.predicate.not_after.seconds();
        let ends = not_after.min(verified.saturating_add(self.rules.verified_within));
        authority.ends_at = (authority.tier > Tier::Advisory).then_some(ends);
        authority
    }

    /// When the component was last verified; its promotion is a verification too, of the time that was signed.
    fn verified_at(&self, promotion: &Promotion<'_>) -> Seconds {
        let made = promotion.statement.predicate.made_at.seconds().min(promotion.at);
        self.verified.map_or(made, |it| it.at.max(made))
    }

    /// The regression controls that the component was last run against.
    fn regression_run(&self, promotion: &Promotion<'_>) -> Option<Digest> {
        let predicate = &promotion.statement.predicate;
        match self.verified.filter(|it| it.at >= predicate.made_at.seconds()) {
            Some(verified) => verified.regression,
            None => predicate.evidence.regression,
        }
    }

    /// The registrations that tell of the author of this work.
    fn telling(
        &self,
        work: Work,
        component: Digest,
        controls: Digest,
    ) -> impl Iterator<Item = &Registration<'a>> {
        self.registrations.iter().filter(move |it| it.tells_of(work, component, controls))
    }

    /// The persons who wrote a component or its controls.
    pub(super) fn authors(&self, component: Digest, controls: Digest) -> BTreeSet<&'a str> {
        let of = |work| self.telling(work, component, controls);
        let all = [Work::Grader, Work::Controls].into_iter().flat_map(of);
        all.flat_map(|it| it.authors.iter().copied()).collect()
    }

    /// Why a promotion never counted.
    fn counted(&self, promotion: &Promotion<'_>) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if promotion.component.is_none() {
            reasons.push(Reason::StatementUnknown);
        }
        let (tier, evidence) =
            (promotion.statement.predicate.tier, &promotion.statement.predicate.evidence);
        let component = promotion.component.unwrap_or(self.today.component);
        let telling = |work| self.telling(work, component, evidence.controls);
        let authors = self.authors(component, evidence.controls);
        let is_author = |signer: &&Signer| authors.contains(signer.person.as_str());
        for signer in promotion.signers.iter().copied().filter(is_author) {
            reasons.push(Reason::SignedByAuthor { principal: signer.principal.clone() });
        }
        if !self.registrations.iter().any(|it| it.component == component) {
            reasons.push(Reason::NotRegistered);
        }
        if tier == Tier::Gating {
            let signed = |work| -> BTreeSet<&str> {
                telling(work).flat_map(|it| it.signed.iter().copied()).collect()
            };
            reasons.extend(self.authorship(&signed(Work::Grader), &signed(Work::Controls)));
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

    /// What is wrong with those who signed as authors of the grader and of its controls.
    fn authorship(&self, grader: &BTreeSet<&str>, controls: &BTreeSet<&str>) -> Vec<Reason> {
        let mut reasons = Vec::new();
        for (of, signed) in [(Work::Grader, grader), (Work::Controls, controls)] {
            if signed.is_empty() {
                reasons.push(Reason::AuthorUnknown { of });
            }
        }
        if self.rules.independent_authors {
            let both = grader.intersection(controls);
            let reason =
                |person: &&str| Reason::AuthorsNotIndependent { person: (*person).to_owned() };
            reasons.extend(both.map(reason));
        }
        reasons
    }

    /// What took away the authority of a promotion that counted.
    fn lost(&self, promotion: &Promotion<'a>) -> Vec<Reason> {
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
        let verified_under = self.verified.map(|it| it.semantics);
        if evidence.semantics != today.semantics && verified_under != Some(today.semantics) {
            reasons.push(Reason::SemanticsChanged);
        }
        if today.failures_missing > 0 {
            reasons.push(Reason::FailureMissing { failures: today.failures_missing });
        }
        if self.regression_run(promotion) != today.regression {
            reasons.push(Reason::RegressionNotRun);
        }
        // A statement that was made before the failure says nothing of it, whenever it is entered.
        let made = predicate.made_at.seconds();
        if let Some(Failed { entry, broke, .. }) =
            self.failed.filter(|it| it.entry > promotion.entry || it.at >= made)
        {
            reasons.push(Reason::FailedVerification { entry, broke: broke.to_vec() });
        }
        let told = self.superseded.filter(|(entry, _)| *entry > promotion.entry);
        if let Some((entry, by)) = self.superseding(promotion).or(told) {
            reasons.push(Reason::Superseded { entry, by });
        }
        for (entry, reason) in &self.revoked {
            reasons.push(Reason::Revoked { entry: *entry, reason: (*reason).to_owned() });
        }
        self.too_old(promotion, &mut reasons);
        if predicate.tier == Tier::Gating && !today.policy_signed {
            reasons.push(Reason::PolicyUnsigned);
        }
        if predicate.tier == Tier::Gating && !today.root_pinned {
            reasons.push(Reason::RootNotPinned);
        }
        reasons
    }

    fn too_old(&self, promotion: &Promotion<'_>, reasons: &mut Vec<Reason>) {
        let now = self.today.now;
        if now < self.latest {
            reasons.push(Reason::ClockSetBack { ledger: self.latest, now });
        }
        let not_after = promotion.statement.predicate.not_after.seconds();
        if now > not_after {
            reasons.push(Reason::Expired { at: not_after });
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
