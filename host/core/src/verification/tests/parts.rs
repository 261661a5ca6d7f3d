//! Summaries, and parts put together.

use super::super::*;
use crate::authority::tests::digest;

fn of_register() -> Vec<Check> {
    OF_REGISTER.map(|invariant| Check::held(invariant, "looked at")).into()
}

fn of_grader(name: &str) -> GraderVerification {
    let checks = OF_CLAIM.map(|invariant| Check::held(invariant, "looked at")).into();
    let name = name.parse().expect("an id");
    GraderVerification { claims: Some(Tier::Gating), checks, ..GraderVerification::new(name) }
}

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

fn state() -> RegisterState {
    let end = |name: &str| Some(LedgerEnd { entry: 3, digest: digest(name) });
    let ends = |name: &&str| Ends {
        grader: name.parse().expect("an id"),
        main: end(name),
        verified: end("verified"),
    };
    RegisterState {
        root: Some(digest("root")),
        root_pinned: true,
        policy: digest("policy"),
        graders: NAMES.iter().map(ends).collect(),
    }
}

/// A verification of these graders, whole or a part.
fn verified(part: Option<Part>, bend: impl Fn(&mut GraderVerification)) -> Verification {
    let asked: BTreeSet<GraderName> = NAMES.iter().map(|it| it.parse().expect("an id")).collect();
    let ours = asked.iter().filter(|name| part.is_none_or(|part| part.holds(name)));
    let mut graders: Vec<_> = ours.map(|name| of_grader(name.as_str())).collect();
    graders.iter_mut().for_each(bend);
    graders.reverse();
    let checks = if part.is_none_or(Part::is_first) { of_register() } else { vec![] };
    Verification::new(part, state(), asked, checks, graders)
}

fn parts(of: u32, bend: impl Fn(&mut GraderVerification) + Copy) -> Vec<(String, Verification)> {
    let part = |part| (format!("part-{part}.json"), verified(Some(Part { part, of }), bend));
    (1..=of).map(part).collect()
}

fn broken(grader: &mut GraderVerification) {
    match grader.name.as_str() {
        "b" => {
            let check = &mut grader.checks[8];
            *check = Check::broke(check.invariant, Breach::Stale, "long ago");
        }
        "e" => {
            *grader = GraderVerification::damaged(grader.name.clone(), "entry 2: it was changed");
        }
        _ => {}
    }
}

#[test]
fn the_summary_names_what_broke_in_one_order() {
    let whole = verified(None, |_| {});
    assert_eq!((whole.summary.as_str(), whole.breach()), ("PASS", None));
    let whole = verified(None, broken);
    assert_eq!(whole.summary, "FAIL: ledger-intact, verification-is-fresh");
    assert_eq!(whole.breach(), Some(Breach::Integrity));
    assert_eq!(whole.graders[1].broke(), [Invariant::VerificationIsFresh]);
}

#[test]
fn what_nobody_looked_at_is_broken() {
    let whole = verified(None, |grader| grader.checks.truncate(3));
    assert!(
        whole.summary.starts_with("FAIL: no-authority-without-sign-off, "),
        "{}",
        whole.summary
    );
    let none = Verification::new(None, state(), BTreeSet::new(), vec![], vec![]);
    assert_eq!(
        none.summary,
        "FAIL: absence-is-never-green, ledger-intact, sandbox-holds, evidence-is-graded"
    );
}

#[test]
fn parts_come_to_what_the_whole_would_have_been() {
    let bytes = |it: &Verification| serde_json::to_vec_pretty(it).expect("plain data");
    let read = |it: &Verification| -> Verification {
        serde_json::from_slice(&bytes(it)).expect("it is read again")
    };
    for of in [1, 2, 4, 9] {
        for bend in [broken, |_: &mut GraderVerification| {}] {
            let mut all: Vec<_> = parts(of, bend);
            all = all.into_iter().map(|(name, it)| (name, read(&it))).collect();
            all.reverse();
            let merged = merge(&all).expect("they fit");
            assert_eq!(bytes(&merged), bytes(&verified(None, bend)), "{of}");
        }
    }
}

#[test]
fn parts_that_make_no_whole_are_named() {
    let refused = |parts: &[(String, Verification)], says: &str| {
        let told = merge(parts).expect_err("they do not fit").to_string();
        assert!(told.contains(says), "{says}: {told}");
    };
    let all = || parts(4, |_| {});
    refused(&[], "no part");
    refused(&all()[..3], "part 4 of 4 is missing");
    refused(&[all()[0].clone(), all()[3].clone()], "part 2 of 4 is missing");
    let mut doubled = all();
    doubled.push(("again.json".into(), doubled[1].1.clone()));
    refused(&doubled, "again.json: is part 2 of 4, and so is part-2.json");
    refused(&[("w.json".into(), verified(None, |_| {}))], "w.json: is no part");
    let mut cut = all();
    cut[2] = parts(3, |_| {})[2].clone();
    refused(&cut, "part-3.json: is one of 3 parts, and part-1.json is one of 4");
    type Bend = fn(&mut Verification);
    let foreign: [(Bend, &str); 6] = [
        (|it| it.register.root = None, "the root of trust differs"),
        (|it| it.register.policy = digest("x"), "the policy differs"),
        (|it| it.register.graders[0].main = None, "the ledger of `a` differs"),
        (|it| it.register.graders.truncate(5), "the list of graders differs"),
        (|it| it.summary = "PASS:".into(), "it says \"PASS:\""),
        (|it| it.format = 2, "is of format 2"),
    ];
    for (bend, says) in foreign {
        let mut bent = all();
        bend(&mut bent[1].1);
        refused(
            &bent,
            &format!("part-2.json: {}", if says.contains("differs") { "was made" } else { says }),
        );
        refused(&bent, says);
    }
}

#[test]
fn a_part_that_says_more_than_its_checks_is_refused() {
    let refused = |part: usize, bend: &dyn Fn(&mut Verification), says: &str| {
        let mut all = parts(2, |_| {});
        bend(&mut all[part].1);
        let told = merge(&all).expect_err("it is not what it says").to_string();
        assert!(told.contains(says), "{says}: {told}");
    };
    refused(0, &|it| it.checks.clear(), "a check of absence-is-never-green is missing");
    refused(1, &|it| it.checks = of_register(), "only the first part");
    for part in 0..2 {
        refused(part, &|it| it.graders[0].checks.truncate(4), "is missing");
        refused(part, &|it| it.graders[0].checks[0].held = false, "both held and broke");
        refused(part, &|it| it.graders.clear(), "holds the graders none");
        refused(
            part,
            &|it| {
                it.asked.pop_first();
            },
            "",
        );
    }
}
