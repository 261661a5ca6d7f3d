//! Forecasts and explanations: fingerprints, the book, and what no outcome changes.

mod at_gate;
mod table;

use proptest::prelude::*;

use super::make::*;
use crate::gate::judged::Why;
use crate::gate::kind::Evaluates;
use crate::gate::record::{
    Baseline, Correction, Dimension, Dimensions, Explanation, Forecast, LaterOutcome, RecordFault,
    Rival, Stands, Stated, SutRun,
};
use crate::gate::settlement::{
    Book, BookFault, Came, Line, Refusal, Refused, Registration, Settled, SettlementReport, State,
    What, lines,
};
use crate::gate::standing::{Standing, Truth};
use crate::untrusted::Untrusted;
use crate::verdict::Verdict::{Fail, NotApplicable, Pass, Unproven};
use crate::verdict::{RuleTier, Scope, Tier};

const REGISTERED: &str = "2026-11-02T00:00:00Z";
const HORIZON: &str = "2026-11-10T00:00:00Z";
const NOW: &str = "2026-11-30T22:00:00Z";

fn forecast(name: &str, probability: Option<f64>) -> Stated {
    Stated {
        forecast: Some(Forecast {
            horizon: at(HORIZON),
            source_of_truth: "the release page".into(),
            baseline: Baseline {
                says: "3 of the last 10 shipped on time".into(),
                expects: None,
                probability: Some(0.3),
            },
            call: true,
            probability,
        }),
        text: "version 2 ships before 10 November".into(),
        ..claim(name, true)
    }
}

fn five(stands: Stands) -> Dimensions {
    let of = |remark: &str| Dimension { stands, remark: Untrusted::new(remark) };
    Dimensions {
        chronology: of("by the log"),
        relative_move: of(""),
        mechanism: of(""),
        competing: of(""),
        contradictions: of(""),
    }
}

fn explanation(name: &str) -> Stated {
    Stated {
        explanation: Some(Explanation {
            horizon: at(HORIZON),
            source_of_truth: "the incident's report".into(),
            baseline: Rival { says: "a coincidence".into() },
            assessment: five(Stands::Holds),
        }),
        text: "the deploy caused the outage".into(),
        ..claim(name, true)
    }
}

/// A run `a-1` with a forecast `f` and an explanation `e` in its step `s`.
fn run() -> SutRun {
    let mut run = sut_run("a", 1, &["s"]);
    run.steps[0].claims = Some(vec![forecast("f", Some(0.7)), explanation("e")]);
    run
}

fn registration(run: &SutRun, claim: &str) -> Registration {
    let found = run.open_claims().find(|(_, it)| it.id == claim).expect("is there");
    Registration::of(run, found.0, found.1).expect("is one")
}

fn registered(run: &SutRun) -> Book {
    let mut book = Book::default();
    for claim in ["f", "e"] {
        let what = What::Registered(registration(run, claim));
        book.append(what, at(REGISTERED)).expect("is taken");
    }
    book
}

fn outcome(claim: &str, when: &str, came: bool) -> LaterOutcome {
    let is_forecast = claim == "f";
    LaterOutcome {
        at: at(when),
        by: "desk".into(),
        step: id("s"),
        claim: claim.into(),
        came: is_forecast.then_some(came),
        later: (!is_forecast).then(|| five(if came { Stands::Holds } else { Stands::Fails })),
        source: "the release page, 11 November".into(),
    }
}

fn came(run: &SutRun, outcome: LaterOutcome) -> Came {
    let fingerprint = registration(run, &outcome.claim).fingerprint;
    Came { run: run.id.clone(), fingerprint, outcome, correction: None }
}

/// Enters an outcome into both.
fn settle(run: &mut SutRun, book: &mut Book, outcome: LaterOutcome) {
    let entry = came(run, outcome.clone());
    book.append(What::Came(entry), outcome.at).expect("is taken");
    run.outcomes.push(outcome);
}

fn line(run: &SutRun, book: &Book, claim: &str) -> Line {
    let lines = lines(std::slice::from_ref(run), book, at(NOW));
    lines.into_iter().find(|it| it.claim.raw() == claim).expect("is there")
}

/// Changes one part of what a fingerprint covers.
fn altered(mut run: SutRun, what: usize) -> SutRun {
    const PARTS: usize = 17;
    let claims = run.steps[0].claims.as_mut().expect("claims");
    let explained = claims[1].explanation.clone();
    let forecast = claims[0].forecast.as_mut().expect("a forecast");
    match what % PARTS {
        0 => claims[0].text.push('.'),
        1 => forecast.horizon = at("2026-11-10T00:00:01Z"),
        2 => forecast.source_of_truth.push('!'),
        3 => forecast.baseline.says.push('!'),
        4 => forecast.baseline.probability = Some(0.31),
        5 => forecast.baseline.probability = None,
        6 => forecast.baseline.expects = Some(false),
        7 => forecast.call = false,
        8 => forecast.probability = Some(0.71),
        9 => forecast.probability = None,
        10 => {
            claims[0].forecast = None;
            claims[0].explanation = explained;
        }
        11 => run.ran.model = "another".into(),
        12 => run.steps[0].answer = Some("another".into()),
        13 => run.case = id("b"),
        14 => run.ran.data_snapshot = "another".into(),
        15 => claims[0].important = false,
        _ => run.steps[0].cost = Some(3.0),
    }
    run
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_was_said_alters_the_fingerprint_when_it_changes(what: usize) {
        let (before, after) = (run(), altered(run(), what));
        let (was, is) = (registration(&before, "f"), registration(&after, "f"));
        prop_assert_ne!(was.fingerprint, is.fingerprint);
        prop_assert!(!is.differs(&was).is_empty());
        let mut book = registered(&before);
        let refused = book.append(What::Registered(is), at(REGISTERED)).expect_err("altered");
        let is_altered = matches!(refused, Refusal::Altered { .. });
        prop_assert!(is_altered, "{refused:?}");
        let line = line(&after, &registered(&before), "f");
        prop_assert_eq!(line.state, State::Refused);
        prop_assert!(line.refused.is_some_and(|it| it.is_tampering()));
    }

    /// In a book nothing can be changed, however small: not even at its end.
    #[test]
    fn a_book_with_any_byte_changed_is_refused(place: usize, byte: u8) {
        let mut run = run();
        let mut book = registered(&run);
        settle(&mut run, &mut book, outcome("f", "2026-11-11T00:00:00Z", true));
        let text = book.text().as_bytes();
        prop_assert_eq!(&Book::read(text).expect("whole"), &book);
        let mut bytes = text.to_vec();
        let at = place % bytes.len();
        prop_assume!(bytes[at] != byte);
        bytes[at] = byte;
        prop_assert!(Book::read(&bytes).is_err(), "at {at}");
        // Neither can a line be taken out, moved or cut, but for whole ones at the end, which a reference shows.
        let lines: Vec<&str> = book.text().split_inclusive('\n').collect();
        let gone = place % (lines.len() - 1);
        let without: String =
            lines.iter().enumerate().filter(|(n, _)| *n != gone).map(|(_, line)| *line).collect();
        prop_assert!(Book::read(without.as_bytes()).is_err());
        prop_assert!(Book::read(&text[..text.len() - 1 - place % 40]).is_err());
        let shorter = Book::read(lines[..2].concat().as_bytes()).expect("whole");
        prop_assert_eq!(book.extends(&shorter), Ok(1));
        prop_assert!(shorter.extends(&book).is_err());
    }

    /// Outcomes are only added, and change neither the original, nor any standing, nor the release.
    #[test]
    fn no_outcome_changes_a_gate(kinds in proptest::collection::vec(0..5usize, 1..4), ways: [bool; 4]) {
        let mut gate = world(&[("a", &[Pass]), ("b", &[Pass])]);
        gate.runs[0] = run();
        for (number, kind) in kinds.iter().enumerate() {
            let (name, says) = (format!("h{number}"), if ways[3] { Pass } else { Fail });
            gate.add(&name, RuleTier::Essential, Tier::Gating, says);
            gate.inventory.checks.last_mut().expect("one").evaluates = Some(Evaluates::ALL[*kind]);
        }
        gate.book = registered(&gate.runs[0]);
        let before = gate.report();
        let original = gate.runs[0].clone();
        for (at, came) in [("2026-11-11T00:00:00Z", ways[0]), ("2026-11-12T00:00:00Z", ways[1])] {
            for claim in ["f", "e"] {
                let is_first = at.contains("-11-11");
                if !is_first {
                    continue;
                }
                settle(&mut gate.runs[0], &mut gate.book, outcome(claim, at, came));
            }
        }
        if ways[2] {
            let correction = Correction {
                at: at("2026-11-13T00:00:00Z"), by: "desk".into(), step: None, what: "misread".into(),
            };
            let outcome = outcome("f", "2026-11-13T00:00:00Z", !ways[0]);
            let mut entry = came(&gate.runs[0], outcome.clone());
            entry.correction = Some(correction.clone());
            gate.book.append(What::Came(entry), outcome.at).expect("is taken");
            gate.runs[0].outcomes.push(outcome);
            gate.runs[0].corrections.push(correction);
        }
        let after = gate.report();
        prop_assert_eq!(gate.runs[0].original(), original.original());
        prop_assert_eq!(gate.runs[0].continues(&original), Ok(()));
        prop_assert_eq!(&before.cases, &after.cases);
        prop_assert_eq!(&before.release, &after.release);
        prop_assert_eq!(before.summary, after.summary);
        prop_assert_eq!(&before.not_evaluated, &after.not_evaluated);
        prop_assert_eq!(after.settled.came.len(), 2);
        prop_assert_eq!(before.settled.unresolved, 2);
    }
}

#[test]
fn the_book_takes_what_was_said_before_and_what_came_after() {
    let run = run();
    let mut book = Book::default();
    let register = |book: &mut Book, when: &str| {
        book.append(What::Registered(registration(&run, "f")), at(when))
    };
    let late = register(&mut book, HORIZON).expect_err("what is known is no forecast");
    assert!(matches!(late, Refusal::Late { .. }) && book.is_empty());
    register(&mut book, REGISTERED).expect("in time");
    assert_eq!(register(&mut book, REGISTERED), Err(Refusal::Again(at(REGISTERED))));
    let enter = |book: &mut Book, when: &str, correct: bool| {
        let mut entry = came(&run, outcome("f", when, true));
        entry.correction = correct.then(|| Correction {
            at: at(when),
            by: "desk".into(),
            step: None,
            what: "misread".into(),
        });
        book.append(What::Came(entry), at(when))
    };
    let early = enter(&mut book, "2026-11-09T23:59:59Z", false);
    assert!(matches!(early, Err(Refusal::Early { .. })), "{early:?}");
    let (day, next) = ("2026-11-11T00:00:00Z", "2026-11-12T00:00:00Z");
    assert_eq!(enter(&mut book, day, true), Err(Refusal::NothingToCorrect));
    enter(&mut book, day, false).expect("due");
    assert_eq!(enter(&mut book, next, false), Err(Refusal::CameBefore(at(day))));
    enter(&mut book, next, true).expect("corrected");
    let back = enter(&mut book, day, true);
    assert!(matches!(back, Err(Refusal::SetBack { .. })), "{back:?}");
    let unknown = came(&run, outcome("e", next, true));
    assert_eq!(book.append(What::Came(unknown), at(next)), Err(Refusal::NotRegistered));
    let other = outcome("f", next, true);
    let other = Came { fingerprint: registration(&run, "e").fingerprint, ..came(&run, other) };
    assert!(matches!(book.append(What::Came(other), at(next)), Err(Refusal::Altered { .. })));
    let undated = came(&run, outcome("f", day, true));
    assert_eq!(book.append(What::Came(undated), at(next)), Err(Refusal::OtherTime));
    assert_eq!((book.len(), Book::read(book.text().as_bytes())), (3, Ok(book.clone())));
    let broken = Registration { horizon: at(NOW), ..registration(&run, "e") };
    assert_eq!(book.append(What::Registered(broken), at(next)), Err(Refusal::Broken));
}

#[test]
fn what_is_no_book_says_what_is_wrong() {
    let book = registered(&run());
    let text = book.text();
    let read = |text: &str| Book::read(text.as_bytes()).expect_err("a fault");
    assert_eq!(Book::read(&[0xff]), Err(BookFault::NotText));
    assert_eq!(read(text.trim_end()), BookFault::Cut(2));
    assert_eq!(read(&text.replacen("{\"seq\"", "{ \"seq\"", 1)), BookFault::Changed(1));
    assert_eq!(read(&text.replacen("\"seq\":1", "\"seq\":3", 1)), BookFault::Changed(1));
    assert!(matches!(read("x\n"), BookFault::Unreadable { seq: 1, .. }));
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    assert_eq!(read(lines[1]), BookFault::Link(1));
    assert_eq!(read(&format!("{}{}", lines[0], lines[0])), BookFault::Link(2));
    assert_eq!(Book::read(b""), Ok(Book::default()));
}
