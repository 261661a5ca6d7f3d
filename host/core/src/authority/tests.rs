//! What no history may do, over random ones, and what each kind of entry does.

use proptest::prelude::*;

use super::*;
use crate::ledger::{Moment, Work};
use crate::statement::{
    Evidence, PREDICATE, Predicate, Subject, SubjectDigest, TYPE, TrustVersions,
};
use crate::verdict::GraderKind;

pub(crate) const DAY: Seconds = 86_400;

pub(crate) fn digest(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

pub(crate) fn signer(name: &str) -> Signer {
    Signer { principal: name.into(), key: format!("key of {name}"), person: name.into() }
}

pub(crate) fn today() -> Today {
    Today {
        grader: "g".parse().expect("an id"),
        component: digest("component"),
        controls: digest("controls"),
        regression: None,
        policy: digest("policy"),
        policy_signed: true,
        root_pinned: true,
        contract: digest("contract"),
        semantics: digest("semantics"),
        ledger: digest("ledger"),
        root: Some(digest("root")),
        failures_missing: 0,
        now: 10 * DAY,
    }
}

pub(crate) fn rules() -> Rules {
    Rules {
        gating_quorum: 1,
        characterization_quorum: 1,
        independent_authors: true,
        promoters: vec!["paula".into(), "pete".into(), "anna".into()],
        verifiers: vec!["robot".into()],
        admins: vec!["admin".into()],
        verified_within: 7 * DAY,
    }
}

pub(crate) fn statement(component: &str, tier: Tier) -> Statement {
    let met = [Tier::Characterization, Tier::Gating].into_iter().filter(|it| *it <= tier).collect();
    Statement {
        of_type: TYPE.into(),
        subject: vec![Subject {
            name: "g.wasm".into(),
            digest: SubjectDigest { sha256: String::new(), blake3: digest(component).hex() },
        }],
        predicate_type: PREDICATE.into(),
        predicate: Predicate {
            grader: "g".parse().expect("an id"),
            rubric: "r".parse().expect("an id"),
            kind: GraderKind::Code,
            tier,
            tiers_met: met,
            waivers: vec![],
            evidence: Evidence {
                report: digest("report"),
                record: digest("record"),
                replay: digest("replay"),
                regression: None,
                held_out: None,
                controls: digest("controls"),
                policy: digest("policy"),
                contract: digest("contract"),
                semantics: digest("semantics"),
            },
            ledger: digest("ledger"),
            root: Some(digest("root")),
            trust: TrustVersions { policy: 1, signers: 1 },
            made_at: moment(9 * DAY),
            not_after: moment(100 * DAY),
            nonce: String::new(),
        },
    }
}

pub(crate) fn fact(seq: u64, at: Seconds, by: &[&str], act: Act) -> Fact {
    Fact { seq, at, signers: by.iter().map(|name| signer(name)).collect(), act }
}

fn moment(seconds: Seconds) -> Moment {
    Moment::from_seconds(seconds).expect("a moment")
}

fn registered(component: &str) -> Act {
    Act::Registered {
        component: digest(component),
        controls: digest("controls"),
        wrote: vec![Work::Grader],
        authors: vec!["anna".into()],
    }
}

fn controlled(component: &str) -> Act {
    Act::Registered {
        component: digest(component),
        controls: digest("controls"),
        wrote: vec![Work::Controls],
        authors: vec!["carl".into()],
    }
}

fn verified(component: &str, semantics: &str, day: i64) -> Act {
    Act::Verified {
        component: digest(component),
        ledger: digest("ledger"),
        semantics: digest(semantics),
        regression: None,
        held: Tier::Gating,
        at: day * DAY,
    }
}

fn promoted(component: &str, tier: Tier) -> Act {
    let statement = Box::new(statement(component, tier));
    Act::Promoted { statement }
}

/// Registered, promoted to gating by `paula`, on day 9.
pub(crate) fn sound() -> Vec<Fact> {
    vec![
        fact(1, 9 * DAY, &["anna"], registered("component")),
        fact(2, 9 * DAY, &["carl"], controlled("component")),
        fact(3, 9 * DAY + 1, &["paula"], promoted("component", Tier::Gating)),
    ]
}

fn tier(facts: &[Fact]) -> Tier {
    authority(facts, &today(), &rules()).tier
}

#[test]
fn a_signed_promotion_grants_what_it_says() {
    let held = authority(&sound(), &today(), &rules());
    assert_eq!((held.tier, held.reasons.len()), (Tier::Gating, 0));
    assert_eq!(held.ends_at, Some(16 * DAY), "verification ends before the statement does");
    assert!(!held.is_stale());
}

#[test]
fn whatever_changes_takes_it_away() {
    type Change = fn(&mut Today);
    let changes: [(Change, &str); 8] = [
        (|today| today.component = digest("x"), "the component changed"),
        (|today| today.controls = digest("x"), "the controls changed"),
        (|today| today.policy = digest("x"), "the policy changed"),
        (|today| today.contract = digest("x"), "the contract changed"),
        (|today| today.semantics = digest("x"), "the engine's semantics changed"),
        (|today| today.root = None, "the root changed"),
        (|today| today.now = 17 * DAY, "not verified within 7 days"),
        (|today| today.now = 8 * DAY, "the clock is behind"),
    ];
    for (change, why) in changes {
        let mut today = today();
        change(&mut today);
        let held = authority(&sound(), &today, &rules());
        assert_eq!(held.tier, Tier::Advisory, "{why}");
        assert!(held.is_stale(), "{why}");
        assert!(
            held.reasons.iter().any(|reason| reason.text().contains(why)),
            "{:?}",
            held.reasons
        );
    }
    let other_ledger = Today { ledger: digest("x"), ..today() };
    assert_eq!(authority(&sound(), &other_ledger, &rules()).tier, Tier::Advisory, "a replay");
}

#[test]
fn an_unsigned_policy_grants_no_gating() {
    let held = authority(&sound(), &Today { policy_signed: false, ..today() }, &rules());
    assert_eq!((held.tier, held.is_stale()), (Tier::Characterization, true));
}

#[test]
fn an_author_signs_for_nobody_also_under_another_name() {
    let mut facts = sound();
    facts[2].signers = vec![signer("anna")];
    assert_eq!(tier(&facts), Tier::Advisory);
    facts[2].signers = vec![Signer { principal: "pete".into(), ..signer("anna") }];
    assert_eq!(tier(&facts), Tier::Advisory, "another principal of the same person");
    facts[2].signers = vec![signer("paula"), signer("anna")];
    assert_eq!(tier(&facts), Tier::Advisory, "an author's signature beside another");
}

#[test]
fn an_unknown_author_never_gates() {
    let mut facts = sound();
    facts[1].signers.clear();
    assert_eq!(tier(&facts), Tier::Advisory, "of the controls");
    facts[0].signers.clear();
    assert_eq!(tier(&facts), Tier::Advisory);
    facts[2].act = promoted("component", Tier::Characterization);
    assert_eq!(tier(&facts), Tier::Characterization);
}

#[test]
fn two_keys_of_one_person_are_one_signature() {
    let mut facts = sound();
    let again = Signer { principal: "pete".into(), key: "another".into(), person: "paula".into() };
    facts[2].signers = vec![signer("paula"), again];
    let rules = Rules { gating_quorum: 2, ..rules() };
    assert_eq!(authority(&facts, &today(), &rules).tier, Tier::Advisory);
    facts[2].signers = vec![signer("paula"), signer("pete")];
    assert_eq!(authority(&facts, &today(), &rules).tier, Tier::Gating);
}

#[test]
fn a_revocation_survives_a_new_promotion_until_it_is_lifted() {
    let mut facts = sound();
    let revoked = Act::Revoked { component: digest("component"), reason: "wrong".into() };
    facts.push(fact(4, 9 * DAY + 2, &[], revoked));
    facts.push(fact(5, 9 * DAY + 3, &["paula"], promoted("component", Tier::Gating)));
    assert_eq!(tier(&facts), Tier::Advisory);
    facts.push(fact(6, 9 * DAY + 4, &["paula"], Act::Lifted { revocation: 4 }));
    assert_eq!(tier(&facts), Tier::Advisory, "only an admin lifts it");
    facts.push(fact(7, 9 * DAY + 5, &["admin"], Act::Lifted { revocation: 4 }));
    assert_eq!(tier(&facts), Tier::Gating);
}

#[test]
fn a_failed_verification_counts_until_the_next_that_holds() {
    let mut facts = sound();
    let broke = vec!["reproducible-record".to_owned()];
    let failed = Act::FailedVerification { component: digest("component"), broke };
    facts.push(fact(4, 9 * DAY + 2, &[], failed));
    assert_eq!(tier(&facts), Tier::Advisory);
    let verified = verified("component", "semantics", 10);
    facts.push(fact(5, 9 * DAY + 3, &["paula"], verified.clone()));
    assert_eq!(tier(&facts), Tier::Advisory, "not by a verifier");
    facts.push(fact(6, 9 * DAY + 4, &["robot"], verified));
    assert_eq!(tier(&facts), Tier::Gating);
}

#[test]
fn new_semantics_ask_for_a_verification_and_no_signature() {
    let today = Today { semantics: digest("new"), ..today() };
    let mut facts = sound();
    assert_eq!(authority(&facts, &today, &rules()).tier, Tier::Advisory);
    let verified = verified("component", "new", 10);
    facts.push(fact(4, 9 * DAY + 2, &["robot"], verified));
    assert_eq!(authority(&facts, &today, &rules()).tier, Tier::Gating);
}

#[test]
fn an_old_verification_put_there_again_is_not_new() {
    let mut facts = sound();
    let late = Today { now: 17 * DAY, ..today() };
    facts.push(fact(4, 16 * DAY, &["robot"], verified("component", "semantics", 9)));
    let replayed = authority(&facts, &late, &rules());
    assert_eq!(replayed.tier, Tier::Advisory, "{:?}", replayed.reasons);
    facts.push(fact(5, 16 * DAY, &["robot"], verified("component", "semantics", 16)));
    assert_eq!(authority(&facts, &late, &rules()).tier, Tier::Gating);
}

#[test]
fn an_old_verification_does_not_undo_a_failure() {
    let mut facts = sound();
    let broke = vec!["reproducible-record".to_owned()];
    let failed = Act::FailedVerification { component: digest("component"), broke };
    facts.push(fact(4, 9 * DAY + 50, &[], failed));
    facts.push(fact(5, 9 * DAY + 60, &["robot"], verified("component", "semantics", 9)));
    assert_eq!(tier(&facts), Tier::Advisory);
}

#[test]
fn a_failure_told_again_with_an_earlier_time_is_no_older() {
    let mut facts = sound();
    let broke = vec!["reproducible-record".to_owned()];
    let failed = Act::FailedVerification { component: digest("component"), broke };
    facts.push(fact(4, 9 * DAY + 50, &["robot"], failed.clone()));
    facts.push(fact(5, 9 * DAY + 10, &[], failed));
    // The last verification before it, put there again.
    facts.push(fact(6, 10 * DAY, &["robot"], verified("component", "semantics", 9)));
    assert_eq!(tier(&facts), Tier::Advisory);
}

#[test]
fn a_verification_of_another_ledger_or_of_less_says_nothing() {
    let broke = vec!["reproducible-record".to_owned()];
    let failed = Act::FailedVerification { component: digest("component"), broke };
    let other = |change: &dyn Fn(&mut Digest, &mut Tier)| {
        let mut facts = sound();
        facts.push(fact(4, 9 * DAY + 50, &[], failed.clone()));
        let mut act = verified("component", "semantics", 10);
        if let Act::Verified { ledger, held, .. } = &mut act {
            change(ledger, held);
        }
        facts.push(fact(5, 10 * DAY, &["robot"], act));
        tier(&facts)
    };
    assert_eq!(other(&|_, _| {}), Tier::Gating);
    assert_eq!(other(&|ledger, _| *ledger = digest("another")), Tier::Advisory);
    assert_eq!(other(&|_, held| *held = Tier::Characterization), Tier::Advisory);
}

#[test]
fn a_promotion_that_nobody_signed_changes_nothing() {
    for component in ["component", "other"] {
        let mut facts = sound();
        facts.push(fact(4, 9 * DAY + 5, &[], promoted(component, Tier::Gating)));
        let held = authority(&facts, &today(), &rules());
        assert_eq!((held.tier, held.by_entry), (Tier::Gating, Some(3)), "{component}");
    }
}

#[test]
fn the_promotion_of_another_component_takes_the_place_of_the_first() {
    let mut facts = sound();
    facts.push(fact(4, 9 * DAY + 2, &["greta"], registered("other")));
    facts.push(fact(5, 9 * DAY + 3, &["paula"], promoted("other", Tier::Gating)));
    let held = authority(&facts, &today(), &rules());
    assert!(matches!(held.reasons[..], [Reason::Superseded { entry: 5, .. }]), "{held:?}");
    // Promoted again, it is the one that counts.
    facts.push(fact(6, 9 * DAY + 4, &["paula"], promoted("component", Tier::Gating)));
    assert_eq!(tier(&facts), Tier::Gating);
}

#[test]
fn regression_controls_are_run_before_they_count() {
    let mut facts = sound();
    let today = Today { regression: Some(digest("one more")), ..today() };
    let held = authority(&facts, &today, &rules());
    assert_eq!((held.tier, held.reasons), (Tier::Advisory, vec![Reason::RegressionNotRun]));
    let Act::Verified { component, ledger, semantics, held, at, .. } =
        verified("component", "semantics", 10)
    else {
        unreachable!("as it was made")
    };
    let regression = Some(digest("one more"));
    let act = Act::Verified { component, ledger, semantics, regression, held, at };
    facts.push(fact(4, 10 * DAY, &["robot"], act));
    assert_eq!(authority(&facts, &today, &rules()).tier, Tier::Gating);
}

#[test]
fn one_person_does_not_sign_for_both_grader_and_controls() {
    let mut facts = sound();
    facts[1].signers = vec![signer("anna")];
    assert_eq!(tier(&facts), Tier::Advisory);
    let rules = Rules { independent_authors: false, ..rules() };
    assert_eq!(authority(&facts, &today(), &rules).tier, Tier::Gating);
}

#[test]
fn a_root_that_is_pinned_nowhere_grants_no_gating() {
    let held = authority(&sound(), &Today { root_pinned: false, ..today() }, &rules());
    assert_eq!((held.tier, held.reasons), (Tier::Characterization, vec![Reason::RootNotPinned]));
}

#[test]
fn a_statement_that_leaves_a_tier_out_grants_nothing() {
    let mut facts = sound();
    let mut bent = statement("component", Tier::Gating);
    bent.predicate.tiers_met = vec![Tier::Gating];
    facts[2].act = Act::Promoted { statement: Box::new(bent) };
    assert_eq!(tier(&facts), Tier::Advisory);
}

fn any_act() -> impl Strategy<Value = Act> {
    let component = prop_oneof![Just("component"), Just("other")];
    let tiers = prop_oneof![Just(Tier::Characterization), Just(Tier::Gating)];
    prop_oneof![
        component.clone().prop_map(registered),
        (component.clone(), tiers).prop_map(|(it, tier)| promoted(it, tier)),
        component.clone().prop_map(|it| verified(it, "semantics", 9)),
        component.clone().prop_map(controlled),
        component.clone().prop_map(|it| Act::FailedVerification {
            component: digest(it),
            broke: vec!["x".into()],
        }),
        component.prop_map(|it| Act::Revoked { component: digest(it), reason: "x".into() }),
        (1_u64..12).prop_map(|revocation| Act::Lifted { revocation }),
        Just(Act::Other),
    ]
}

fn history() -> impl Strategy<Value = Vec<Fact>> {
    let names = ["paula", "pete", "anna", "robot", "admin", "nobody"];
    let by = proptest::sample::subsequence(names.to_vec(), 0..=3);
    proptest::collection::vec((any_act(), by, 0..12_i64), 0..12).prop_map(|all| {
        let one =
            |(seq, (act, by, day)): (u64, (Act, Vec<&str>, i64))| fact(seq, day * DAY, &by, act);
        (1..).zip(all).map(one).collect()
    })
}

fn is_promoter(signer: &Signer) -> bool {
    rules().promoters.contains(&signer.principal)
}

proptest! {
    #[test]
    fn no_gating_without_a_valid_signature(facts in history()) {
        let granted = authority(&facts, &today(), &rules());
        if granted.tier > Tier::Advisory {
            let by = facts.iter().find(|it| Some(it.seq) == granted.by_entry).expect("an entry");
            prop_assert!(by.signers.iter().any(is_promoter));
            // Anna registers the grader wherever it is registered: then it is not she who promotes it.
            let hers = facts.iter().any(|it| it.act == registered("component"));
            prop_assert!(!hers || by.signers.iter().all(|signer| signer.person != "anna"));
        }
        let unsigned: Vec<_> = facts.into_iter().map(|it| Fact { signers: vec![], ..it }).collect();
        prop_assert_eq!(tier(&unsigned), Tier::Advisory);
    }

    #[test]
    fn a_revocation_never_raises(facts in history(), at in 0_i64..12) {
        let before = tier(&facts);
        let act = Act::Revoked { component: digest("component"), reason: "x".into() };
        let mut after = facts;
        after.push(fact(after.len() as u64 + 1, at * DAY, &["admin"], act));
        prop_assert!(tier(&after) <= before);
        prop_assert_eq!(tier(&after), Tier::Advisory);
    }

    #[test]
    fn any_change_lowers_to_advisory(facts in history(), which in 0..4) {
        let mut changed = today();
        match which {
            0 => changed.component = digest("never seen"),
            1 => changed.controls = digest("x"),
            2 => changed.policy = digest("x"),
            _ => changed.contract = digest("x"),
        }
        prop_assert_eq!(authority(&facts, &changed, &rules()).tier, Tier::Advisory);
    }

    #[test]
    fn entries_on_others_do_not_matter(facts in history(), day in 0_i64..9, at in 0_usize..12) {
        let before = tier(&facts);
        let act = Act::Revoked { component: digest("unrelated"), reason: "x".into() };
        let mut after = facts;
        let at = at.min(after.len());
        after.insert(at, fact(99, day * DAY, &["admin"], act));
        prop_assert_eq!(tier(&after), before);
    }

    #[test]
    fn time_set_back_never_grants(facts in history(), back in 1_i64..12) {
        let now = today();
        let earlier = Today { now: now.now - back * DAY, ..now };
        let latest = facts.iter().map(|it| it.at).max().unwrap_or(0);
        if earlier.now < latest {
            prop_assert_eq!(authority(&facts, &earlier, &rules()).tier, Tier::Advisory);
        }
    }
}
