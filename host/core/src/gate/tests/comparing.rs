//! Two versions compared.

use super::make::*;
use crate::compare::Standing;
use crate::gate::compare::{GateCompareError, compare};
use crate::id::Digest;
use crate::stats::interval::Count;
use crate::verdict::Verdict::{self, Fail, Pass, Unproven};

fn of(right: usize, of: usize, runs: usize) -> World {
    let ids: Vec<String> = (0..of).map(|n| format!("c{n:03}")).collect();
    let said: Vec<Vec<Verdict>> =
        (0..of).map(|n| vec![if n < right { Pass } else { Fail }; runs]).collect();
    let cases: Vec<_> = ids.iter().zip(&said).map(|(id, said)| (id.as_str(), &said[..])).collect();
    world(&cases)
}

#[test]
fn a_loss_beyond_noise_is_established_with_its_denominators() {
    let (a, b) = (of(27, 30, 3).report(), of(19, 30, 3).report());
    let found = compare(&a, &b, 0.95).expect("a comparison");
    assert_eq!((found.a.right, found.b.right), (Count::new(27, 30), Count::new(19, 30)));
    assert_eq!((found.standing, found.lost.len(), found.missing.len()), (Standing::Worse, 8, 0));
    let back = compare(&b, &a, 0.95).expect("a comparison");
    assert_eq!(back.standing, Standing::Better);
    let same = compare(&a, &a, 0.95).expect("a comparison");
    assert_eq!(same.standing, Standing::NotEstablished);
}

#[test]
fn one_run_of_each_shows_no_noise() {
    let found = compare(&of(27, 30, 1).report(), &of(19, 30, 1).report(), 0.95).expect("one");
    assert_eq!(found.standing, Standing::NotEvaluated);
}

#[test]
fn a_loss_within_the_noise_of_one_version_is_not_established() {
    let (a, mut b) = (of(30, 40, 2), of(22, 40, 2));
    // Eight other cases of B disagree between its own two runs.
    for place in 0..8 {
        let run = format!("c{place:03}-2");
        let said = b.judgements.iter_mut().find(|it| it.run.as_str() == run).expect("a judgement");
        *said = judgement("g", &run, "s", &[("r", None, Fail)]);
    }
    let found = compare(&a.report(), &b.report(), 0.95).expect("a comparison");
    assert_eq!((found.standing, found.unsettled.len()), (Standing::NotEstablished, 8));
    assert!(found.why.contains("unsettled"), "{}", found.why);
}

#[test]
fn what_is_missing_is_told_and_in_no_pair() {
    let (a, mut b) = (of(27, 30, 2), of(27, 30, 2));
    b.judgements[0] = judgement("g", "c000-1", "s", &[("r", None, Unproven)]);
    b.inventory.cases.pop();
    let found = compare(&a.report(), &b.report(), 0.95).expect("a comparison");
    assert_eq!(found.missing, [id("c000"), id("c029")]);
    assert_eq!((found.a.right.of, found.b.right.of), (28, 28));
    assert_eq!(found.differs[0].what, "inventory");
}

#[test]
fn another_meaning_of_pass_stops_the_comparison() {
    let (a, mut b) = (of(2, 3, 2).report(), of(2, 3, 2).report());
    b.policy.digest = Digest::of(b"another");
    assert!(matches!(compare(&a, &b, 0.95), Err(GateCompareError::Policy(..))));
    b.policy.digest = a.policy.digest;
    b.format = 9;
    assert_eq!(compare(&a, &b, 0.95), Err(GateCompareError::Format(9)));
}

/// There is no sixth verdict: what says so is not read.
#[test]
fn a_sixth_verdict_stops_it() {
    let json = serde_json::to_string(&judgement("g", "a-1", "s", &[("r", None, Pass)]));
    let json = json.expect("JSON").replace("\"pass\"", "\"mostly-pass\"");
    assert!(serde_json::from_str::<crate::gate::judged::Judgement>(&json).is_err());
}
