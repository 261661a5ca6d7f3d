//! A person's word on what waits for one; and the texts behind failures.

use super::make::*;
use crate::case::{Evidence, Message};
use crate::findings::{Citation, Outcome};
use crate::gate::persons::{Choice, Heard};
use crate::gate::record::Purpose;
use crate::gate::standing::Truth;
use crate::id::Digest;
use crate::ledger::{Decided, V1};
use crate::untrusted::Untrusted;
use crate::verdict::GraderKind;
use crate::verdict::Verdict::{Fail, Pass, Unproven};

/// A gate whose one grader is a judge that fails a run, and may too easily be wrong.
fn pending() -> World {
    let mut gate = world(&[("a", &[Pass, Fail]), ("b", &[Pass, Pass])]);
    gate.graders[0].kind = GraderKind::Judge;
    gate.graders[0].authors = vec!["greta".into()];
    gate.policy.sign_off.promoters = vec!["paula".into(), "greta".into(), "pete".into()];
    gate
}

fn word(gate: &World, choice: Choice, by: &str, moment: &str) -> Heard {
    Heard {
        said: Decided {
            v: V1,
            grader: id("g"),
            at: at(moment),
            decides: gate.report().decides,
            report: Digest::of(b"as read"),
            choice,
            because: Untrusted::new("read it: the judge misread a date"),
        },
        by: vec![(by.into(), by.into())],
        why_not: None,
    }
}

const THEN: &str = "2026-11-30T21:00:00Z";
const LATER: &str = "2026-11-30T21:30:00Z";

#[test]
fn a_person_lets_go_what_waits_for_one_and_it_stays_counted() {
    let mut gate = pending();
    let before = gate.report();
    assert!(before.release.pending_person);
    assert_eq!((before.release.verdict, before.blocking.len()), (Truth::False, 1));
    gate.words = vec![word(&gate, Choice::Release, "paula", THEN)];
    let after = gate.report();
    assert_eq!(after.release.verdict, Truth::True);
    assert_eq!((after.blocking.len(), after.let_go.len()), (0, 1));
    assert_eq!(after.summary, before.summary, "nothing is judged anew");
    let decided = after.decided.expect("decided");
    assert_eq!((decided.by.raw(), decided.choice), ("paula", Choice::Release));
    let approved = after.cases[0].approved.as_ref().expect("approved");
    assert_eq!((approved.by.raw(), approved.at), ("paula", at(THEN)));
    assert_eq!((after.statuses.measured, after.statuses.approved), (2, 1), "what was let go");
    assert!(!after.let_go[0].pending_person, "nobody is waited for");
    assert!(before.cases.iter().all(|case| case.approved.is_none()));
    // A later word counts more, and of one moment the stricter.
    for moment in [THEN, LATER] {
        gate.words.truncate(1);
        let hold = word(&gate, Choice::Hold, "pete", moment);
        gate.words.insert(0, hold);
        let held = gate.report();
        assert_eq!((held.release.verdict, held.release.pending_person), (Truth::False, false));
        assert_eq!(held.blocking.len(), 1);
    }
}

#[test]
fn a_word_counts_by_a_promoter_who_wrote_nothing_of_it_on_this_very_gate() {
    let gate = pending();
    let told = |word: Heard| {
        let mut gate = gate.clone();
        gate.words = vec![word];
        let report = gate.report();
        assert_eq!(report.release.verdict, Truth::False);
        assert!(report.decided.is_none());
        report.not_counted.first().map(|it| it.why.raw().to_owned())
    };
    let of = |by| word(&gate, Choice::Release, by, THEN);
    assert!(told(of("mallory")).expect("told").contains("promoters"));
    assert!(told(of("greta")).expect("told").contains("wrote the grader `g`"));
    let future = word(&gate, Choice::Release, "paula", "2026-11-30T22:00:01Z");
    assert!(told(future).expect("told").contains("yet to come"));
    let mut unsigned = of("paula");
    unsigned.why_not = Some("nobody signed it".into());
    assert_eq!(told(unsigned).as_deref(), Some("nobody signed it"));
    // Of another gate: nothing is told of it either.
    let mut other = of("paula");
    other.said.decides = Digest::of(b"another");
    assert_eq!(told(other), None);
}

#[test]
fn a_hold_holds_what_passes_too_and_whatever_the_clock_says() {
    let mut gate = pending();
    let release = word(&gate, Choice::Release, "paula", THEN);
    // Dated after now: of a release that would not count.
    gate.words = vec![release, word(&gate, Choice::Hold, "pete", "2026-11-30T22:00:09Z")];
    assert_eq!(gate.report().release.verdict, Truth::False);
    let mut passes = world(&[("a", &[Pass])]);
    passes.policy.sign_off.promoters = vec!["paula".into()];
    passes.words = vec![word(&passes, Choice::Release, "paula", THEN)];
    assert_eq!(passes.report().statuses.approved, 1);
    passes.words.push(word(&passes, Choice::Hold, "paula", LATER));
    let report = passes.report();
    assert_eq!((report.release.verdict, report.statuses.approved), (Truth::False, 0));
}

#[test]
fn a_word_is_bound_to_all_that_it_was_said_of() {
    let gate = pending();
    let decides = gate.report().decides;
    let mut changes: Vec<World> = vec![gate.clone(); 6];
    changes[0].runs[0].steps[0].answer = Some("another".into());
    changes[1].graders[0].digest = Digest::of(b"another component");
    changes[2].inventory.cases[0].purpose = Purpose::Regression;
    changes[2].runs.iter_mut().take(2).for_each(|run| run.purpose = Purpose::Regression);
    changes[3].judgements[0] = judgement("g", "a-1", "s", &[("r", None, Fail)]);
    changes[4].judgements[2] = judgement("g", "b-1", "s", &[("r", None, Unproven)]);
    changes[5].runs.pop();
    for (at, changed) in changes.iter().enumerate() {
        assert_ne!(changed.report().decides, decides, "{at}");
    }
    // What a grader says beside its verdict, and when the gate ran, is nothing that is decided.
    let mut same = gate;
    same.runs.reverse();
    if let Outcome::Graded(findings) = &mut same.judgements[1].outcome {
        findings[0].rationale = Untrusted::new("in other words");
    }
    assert_eq!(same.report().decides, decides);
}

#[test]
fn no_word_makes_up_for_a_code_graders_failure_or_for_missing_evidence() {
    let mut gate = pending();
    gate.add("h", crate::verdict::RuleTier::Essential, crate::verdict::Tier::Gating, Fail);
    gate.words = vec![word(&gate, Choice::Release, "paula", THEN)];
    let report = gate.report();
    assert_eq!((report.release.verdict, report.let_go.len()), (Truth::False, 0));

    let mut gate = pending();
    gate.runs.pop();
    gate.words = vec![word(&gate, Choice::Release, "paula", THEN)];
    let report = gate.report();
    assert_eq!(report.release.verdict, Truth::Undefined, "{}", report.release.why);
    assert_eq!(report.let_go.len(), 1);
}

#[test]
fn a_failure_leads_to_the_words_it_rests_on() {
    let mut gate = world(&[("a", &[Fail]), ("b", &[Pass])]);
    let evidence = |id: &str| Evidence {
        id: id.into(),
        kind: "filing".into(),
        source: "10-K".into(),
        content: format!("the whole of {id}"),
        ..Evidence::default()
    };
    gate.runs[0].steps[0].documents = Some(vec![evidence("e1"), evidence("e2")]);
    let turn =
        Message { role: "user".into(), content: "a turn before".into(), ..Message::default() };
    gate.runs[0].steps[0].messages = Some(vec![turn]);
    if let Outcome::Graded(findings) = &mut gate.judgements[0].outcome {
        let quote = Untrusted::new("whole of e2");
        findings[0].citations = vec![Citation { evidence: Untrusted::new("e2"), quote }];
    }
    let report = gate.report();
    assert_eq!(report.blocking[0].citations[0].quote.raw(), "whole of e2");
    let [texts] = report.texts.as_slice() else { panic!("{:?}", report.texts) };
    assert_eq!((texts.run.as_str(), texts.task.raw()), ("a-1", "a task"));
    let shown: Vec<_> = texts.evidence.iter().map(|it| it.content.raw()).collect();
    assert_eq!(shown, ["the whole of e1", "the whole of e2"]);
    assert_eq!(texts.messages[0].1.raw(), "a turn before");
    // Nothing of a held-out case is told.
    gate.inventory.cases[0].purpose = Purpose::HeldOut;
    gate.runs[0].purpose = Purpose::HeldOut;
    let report = gate.report();
    assert!(report.texts.is_empty() && report.blocking[0].citations.is_empty());
}

#[test]
fn a_word_in_several_ledgers_is_told_once_and_what_is_tolerated_stays_so() {
    let mut gate = pending();
    let word_of = |by, moment| word(&gate, Choice::Release, by, moment);
    let two = [word_of("mallory", THEN), word_of("mallory", LATER)];
    gate.words = [&two[..], &two[..]].concat();
    assert_eq!(gate.report().not_counted.len(), 2);

    let mut loose = world(&[("a", &[Pass]), ("b", &[Pass])]);
    loose.policy.gate.pass_rate = 0.5;
    loose.policy.sign_off.promoters = vec!["paula".into()];
    loose.add("h", crate::verdict::RuleTier::Important, crate::verdict::Tier::Gating, Pass);
    let failed = judgement("h", "b-1", "s", &[("r", None, Fail)]);
    let at_b = loose.judgements.len() - 1;
    loose.judgements[at_b] = failed;
    let before = loose.report();
    assert_eq!((before.release.verdict, before.tolerated.len()), (Truth::True, 1));
    loose.words = vec![word(&loose, Choice::Hold, "paula", THEN)];
    let held = loose.report();
    assert_eq!((held.release.verdict, held.tolerated.len()), (Truth::False, 1));
    assert_eq!(crate::gate::report::differing(&before, &held), Vec::<String>::new());
}
