//! What a ledger claims: signatures, authors, digests and age.

use super::super::*;
use crate::authority::tests as ledger;
use crate::authority::tests::{DAY, digest, fact, rules, signer, sound, today};
use crate::authority::{Act, Authority, Fact, Reason, Rules, Today, authority};
use crate::example;
use crate::run::event::RunStarted;

/// Asks about the promotion in these facts, as it stands on this day.
fn asked<T>(facts: &[Fact], today: &Today, ask: impl FnOnce(&Claim<'_>) -> T) -> T {
    let grants = |facts: &[Fact], today: &Today| authority(facts, today, &rules());
    asked_of(facts, today, &grants, ask)
}

fn asked_of<T>(
    facts: &[Fact],
    today: &Today,
    grants: &dyn Fn(&[Fact], &Today) -> Authority,
    ask: impl FnOnce(&Claim<'_>) -> T,
) -> T {
    let statement = facts.iter().rev().find_map(|fact| match &fact.act {
        Act::Promoted { statement } => Some(statement.as_ref().clone()),
        _ => None,
    });
    let statement = statement.expect("a promotion");
    let here = Some(digest("component"));
    ask(&Claim { facts, today, here, statement: &statement, grants })
}

/// The beginning of a run of what the statement of these tests is about.
fn started() -> RunStarted {
    let mut started = example::started(&[], 3, &[]);
    started.grader.digest = digest("component");
    started.digests.controls = digest("controls");
    started.digests.policy = digest("policy");
    started.digests.contract = digest("contract");
    started
}

#[test]
fn a_sound_promotion_keeps_every_promise() {
    asked(&sound(), &today(), |claim| {
        let checks = [
            claim.no_authority_without_sign_off(),
            claim.no_self_certification(),
            claim.authority_follows_digest(Some(&started())),
            claim.verification_is_fresh(Freshness::AsItStands),
        ];
        assert!(checks.iter().all(|check| check.held), "{checks:?}");
        assert_eq!(claim.taken_back(), None);
    });
}

#[test]
fn a_promotion_that_nobody_signed_who_may_is_no_promotion() {
    let mut facts = sound();
    facts[2].signers = vec![signer("nobody")];
    let check = asked(&facts, &today(), |it| it.no_authority_without_sign_off());
    assert_eq!((check.held, check.breach), (false, Some(Breach::NotMet)));
    assert!(check.detail.contains("takes 1 signatures"), "{}", check.detail);
}

#[test]
fn what_would_grant_without_signatures_is_found_out() {
    let lax = Authority { tier: Tier::Gating, ..authority(&sound(), &today(), &rules()) };
    let check =
        asked_of(&sound(), &today(), &|_, _| lax.clone(), |it| it.no_authority_without_sign_off());
    assert_eq!(check.breach, Some(Breach::Integrity));
    assert!(check.detail.contains("without any signature"), "{}", check.detail);
    let check = asked_of(&sound(), &today(), &|_, _| lax.clone(), |claim| {
        claim.authority_follows_digest(Some(&started()))
    });
    assert_eq!(check.breach, Some(Breach::Integrity));
    for what in ["component", "controls", "policy", "contract"] {
        assert!(check.detail.contains(&format!("with other {what}")), "{}", check.detail);
    }
}

#[test]
fn without_a_pinned_root_and_a_signed_policy_nothing_gates() {
    for today in
        [Today { root_pinned: false, ..today() }, Today { policy_signed: false, ..today() }]
    {
        let check = asked(&sound(), &today, |it| it.no_authority_without_sign_off());
        assert_eq!((check.held, check.breach), (false, Some(Breach::Stale)), "{}", check.detail);
    }
}

#[test]
fn nobody_certifies_what_they_wrote() {
    let mut by_author = sound();
    by_author[2].signers = vec![signer("anna"), signer("paula")];
    let mut unknown = sound();
    unknown[0].signers = vec![];
    let mut one_person = sound();
    one_person[1].signers = vec![signer("anna")];
    for facts in [by_author, unknown, one_person] {
        let check = asked(&facts, &today(), |it| it.no_self_certification());
        assert_eq!(check.breach, Some(Breach::NotMet), "{}", check.detail);
    }
}

#[test]
fn other_bytes_than_the_signed_ones_are_found() {
    type Change = fn(&mut Today);
    let changes: [(Change, &str); 4] = [
        (|today| today.controls = digest("x"), "the controls changed"),
        (|today| today.policy = digest("x"), "the policy changed"),
        (|today| today.contract = digest("x"), "the contract changed"),
        (|today| today.root = None, "the root changed"),
    ];
    for (change, why) in changes {
        let mut today = today();
        change(&mut today);
        let check =
            asked(&sound(), &today, |claim| claim.authority_follows_digest(Some(&started())));
        assert_eq!(check.breach, Some(Breach::Stale), "{why}");
        assert!(check.detail.contains(why), "{}", check.detail);
    }
    let moved = |here| {
        asked(&sound(), &today(), |claim| {
            let claim = Claim { here, ..Claim { ..*claim } };
            claim.authority_follows_digest(Some(&started()))
        })
    };
    assert_eq!(moved(Some(digest("x"))).breach, Some(Breach::Stale));
    assert_eq!(moved(None).breach, Some(Breach::Stale));
}

#[test]
fn the_run_must_be_of_what_was_signed_for() {
    type Change = fn(&mut RunStarted);
    let changes: [(Change, &str); 4] = [
        (|it| it.grader.digest = digest("x"), "the component that was run"),
        (|it| it.digests.controls = digest("x"), "the controls that was run"),
        (|it| it.digests.policy = digest("x"), "the policy that was run"),
        (|it| it.digests.contract = digest("x"), "the contract that was run"),
    ];
    for (change, why) in changes {
        let mut started = started();
        change(&mut started);
        let check =
            asked(&sound(), &today(), |claim| claim.authority_follows_digest(Some(&started)));
        assert!(!check.held && check.detail.contains(why), "{}", check.detail);
    }
    let check = asked(&sound(), &today(), |claim| claim.authority_follows_digest(None));
    assert!(!check.held && check.detail.contains("could not be run"), "{}", check.detail);
}

#[test]
fn what_is_old_is_fresh_only_if_this_verification_counts() {
    let failed =
        Act::FailedVerification { component: digest("component"), broke: vec!["x".into()] };
    let mut broken = sound();
    broken.push(fact(4, 9 * DAY + 60, &[], failed));
    let later = Today { now: 30 * DAY, ..today() };
    let engine = Today { semantics: digest("new"), ..today() };
    let regression = Today { regression: Some(digest("one more")), ..today() };
    for (facts, today) in
        [(&sound(), later), (&sound(), engine), (&sound(), regression), (&broken, today())]
    {
        let fresh = |this| asked(facts, &today, |claim| claim.verification_is_fresh(this));
        assert_eq!(fresh(Freshness::AsItStands).breach, Some(Breach::Stale));
        assert!(fresh(Freshness::Recorded).held, "{}", fresh(Freshness::Recorded).detail);
    }
    let expired = Today { now: 101 * DAY, ..today() };
    let check = asked(&sound(), &expired, |claim| claim.verification_is_fresh(Freshness::Recorded));
    assert_eq!(check.breach, Some(Breach::Stale), "a statement that has run out is not made new");
    let back = Today { now: 8 * DAY, ..today() };
    let check = asked(&sound(), &back, |claim| claim.verification_is_fresh(Freshness::Recorded));
    assert_eq!(check.breach, Some(Breach::Integrity), "the clock");
}

#[test]
fn what_was_taken_back_is_no_claim() {
    let component = digest("component");
    let revoked = Act::Revoked { component, reason: "x".into() };
    let superseded = Act::Superseded { component, by: digest("other") };
    for act in [revoked.clone(), superseded] {
        let mut facts = sound();
        facts.push(fact(4, 9 * DAY + 2, &[], act));
        assert!(asked(&facts, &today(), |it| it.taken_back()).is_some());
    }
    // One that never counted can be taken back as well.
    let mut facts = sound();
    facts[2].signers = vec![];
    facts.push(fact(4, 9 * DAY + 2, &[], revoked));
    assert!(asked(&facts, &today(), |it| it.taken_back()).is_some());
    facts.push(fact(5, 9 * DAY + 3, &["nobody"], Act::Lifted { revocation: 4 }));
    assert_eq!(asked(&facts, &today(), |it| it.taken_back()), None);
}

/// No reason is left out: whatever lowers authority breaks a promise, unless it says that nothing is claimed.
#[test]
fn every_loss_breaks_a_promise() {
    let lost = |facts: &[Fact], today: &Today, rules: &Rules| {
        let grants = |facts: &[Fact], today: &Today| authority(facts, today, rules);
        asked_of(facts, today, &grants, |claim| {
            let checks = [
                claim.no_authority_without_sign_off(),
                claim.no_self_certification(),
                claim.authority_follows_digest(Some(&started())),
                claim.verification_is_fresh(Freshness::AsItStands),
            ];
            claim.taken_back().is_some() || checks.iter().any(|check| !check.held)
        })
    };
    let mut leaves_out = sound();
    let mut bent = ledger::statement("component", Tier::Gating);
    bent.predicate.tiers_met = vec![Tier::Gating];
    leaves_out[2].act = Act::Promoted { statement: Box::new(bent) };
    assert!(lost(&leaves_out, &today(), &rules()));
    assert!(lost(&sound()[1..], &today(), &rules()), "not registered");
    assert!(lost(&sound(), &Today { ledger: digest("x"), ..today() }, &rules()), "a replay");
    assert!(lost(&sound(), &today(), &Rules { gating_quorum: 2, ..rules() }));
    assert!(!lost(&sound(), &today(), &rules()));
    let silent = |facts: &[Fact], today: &Today| Authority {
        tier: Tier::Advisory,
        reasons: Vec::<Reason>::new(),
        ..authority(facts, today, &rules())
    };
    let check = asked_of(&sound(), &today(), &silent, |it| it.no_authority_without_sign_off());
    assert!(!check.held, "a loss without a reason");
}
