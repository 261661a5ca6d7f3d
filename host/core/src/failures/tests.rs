//! How failures stand.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::control::set::{Control, Kind};
use crate::example;
use crate::ledger::{Book, Chain, FailureNote, Noted, Payload, V1};

const SOON: i64 = 1_796_076_000;

fn at(seconds: i64) -> Moment {
    Moment::from_seconds(SOON + seconds).expect("a moment")
}

fn control(id: &str, output: &str) -> Control {
    let mut control = example::control(Kind::Regression, id, output);
    control.entry.expect = example::expect(Verdict::Fail, Some("r1"));
    control
}

fn old() -> Digest {
    Digest::of(b"old")
}

fn new() -> Digest {
    Digest::of(b"new")
}

/// A ledger that is being written, an entry a second.
struct Ledger(Chain);

impl Ledger {
    fn new() -> Self {
        Self(Chain::empty("g".parse().expect("an id"), Book::Main))
    }

    /// Appends a remark, and returns its payload's digest.
    fn note(
        &mut self,
        text: &str,
        corrects: Option<Digest>,
        failure: Option<FailureNote>,
    ) -> Digest {
        let at = at(i64::try_from(self.0.len()).expect("few"));
        let (v, grader, text) = (V1, self.0.grader().clone(), Untrusted::new(text));
        let payload = Noted { v, grader, at, text, corrects, lifts: None, failure };
        let payload = Payload::Noted(payload).to_json();
        self.0.append(&payload, &[], at).expect("a sound entry");
        Digest::of(payload.as_bytes())
    }

    fn found(&mut self, control: &Control, component: Digest, cause: &str) -> Digest {
        let entry = &control.entry;
        let failure = FailureNote::Found {
            control: entry.id.clone(),
            content: entry.case.content_digest(),
            component,
            expected: entry.expect.verdict,
            rule: entry.expect.rule.clone(),
            got: Some(Verdict::Pass),
            requirement: Untrusted::new("never a wrong sum"),
            cause: Untrusted::new(cause),
        };
        self.note("the sum was wrong", None, Some(failure))
    }

    fn guarded(&mut self, control: &Control, catches: Digest, passes: Digest) {
        let (control, content) = (control.entry.id.clone(), control.entry.case.content_digest());
        let failure = FailureNote::Guarded {
            control,
            content,
            catches,
            passes,
            caught: Digest::of(b"caught"),
            passed: Digest::of(b"passed"),
        };
        self.note("", None, Some(failure));
    }

    fn stands(&self, controls: &[Control], right: &[&str]) -> Vec<Failure> {
        self.stands_without(controls, right, &BTreeSet::new())
    }

    /// Where a control is not among `right`, it is wrong.
    fn stands_without(
        &self,
        controls: &[Control],
        right: &[&str],
        withdrawn: &BTreeSet<Digest>,
    ) -> Vec<Failure> {
        let judged = |control: &Control| {
            let right = right.contains(&control.entry.id.as_str());
            let said = Some(if right { Verdict::Fail } else { Verdict::Pass });
            let judged = Judged { right, said, machine_dependent: false };
            (control.entry.id.clone(), judged)
        };
        let judged: BTreeMap<_, _> = controls.iter().map(judged).collect();
        failures(&self.0, controls, &judged, &self.checked(withdrawn))
    }

    /// Every guard is borne out.
    fn checked(&self, withdrawn: &BTreeSet<Digest>) -> Checked {
        let guards = guards(&self.0).iter().map(|(_, guard)| guard.entry).collect();
        Checked { withdrawn: withdrawn.clone(), guards }
    }

    fn states(&self, controls: &[Control], right: &[&str]) -> Vec<(String, State, u64)> {
        let all = self.stands(controls, right);
        all.into_iter().map(|it| (it.control.to_string(), it.state, it.seen)).collect()
    }
}

#[test]
fn a_failure_is_open_then_fixed_then_guarded_and_no_sooner() {
    let (mut ledger, a) = (Ledger::new(), control("a", "1"));
    let set = [a.clone()];
    ledger.found(&a, old(), "a slip");
    let open = &ledger.stands(&set, &[])[0];
    assert_eq!((open.state, open.seen, open.got), (State::Open, 1, Some(Verdict::Pass)));
    assert_eq!((open.first, open.last, open.components.as_slice()), (at(0), at(0), &[old()][..]));
    assert_eq!((open.saw.raw(), open.cause.raw()), ("the sum was wrong", "a slip"));
    assert_eq!(open.texts.as_ref().map(|it| it.output.raw()), Some("1"));
    assert_eq!(ledger.stands(&set, &["a"])[0].state, State::Fixed);
    // One component on both sides tells nothing apart.
    ledger.guarded(&a, new(), new());
    assert_eq!(ledger.stands(&set, &["a"])[0].state, State::Fixed);
    ledger.guarded(&a, old(), new());
    let guarded = &ledger.stands(&set, &["a"])[0];
    assert_eq!(guarded.state, State::Guarded);
    let told = guarded.guard.map(|it| (it.catches, it.passes, it.entry));
    assert_eq!(told, Some((old(), new(), 3)));
    // A guard whose records were not seen to bear it out is none.
    let right = Judged { right: true, said: None, machine_dependent: false };
    let judged = BTreeMap::from([(a.entry.id.clone(), right)]);
    let unchecked = failures(&ledger.0, &set, &judged, &Checked::default());
    assert_eq!(unchecked[0].state, State::Fixed);
    // What guards it does not make it right.
    assert_eq!(ledger.stands(&set, &[])[0].state, State::Open);
    // Seen once more, it is guarded no more.
    ledger.found(&a, new(), "");
    let again = &ledger.stands(&set, &["a"])[0];
    assert_eq!((again.state, again.seen, again.guard), (State::Fixed, 2, None));
    assert_eq!((again.first, again.last), (at(0), at(3)));
    assert_eq!(again.components, [new(), old()]);
    assert_eq!(again.cause.raw(), "a slip", "the last that anybody told");
    ledger.guarded(&a, new(), Digest::of(b"newer"));
    assert_eq!(ledger.stands(&set, &["a"])[0].state, State::Guarded);
}

#[test]
fn what_is_missing_leads_then_what_is_open_and_recurring() {
    let mut ledger = Ledger::new();
    let controls = ["a", "b", "c", "d", "e"].map(|id| control(id, id));
    for place in [0, 1, 2, 3, 4, 2] {
        ledger.found(&controls[place], old(), "");
    }
    ledger.guarded(&controls[0], old(), new());
    let states = ledger.states(&controls[..4], &["a", "b"]);
    let expected = [
        ("e", State::Missing, 1),
        ("c", State::Open, 2),
        ("d", State::Open, 1),
        ("b", State::Fixed, 1),
        ("a", State::Guarded, 1),
    ];
    assert_eq!(states, expected.map(|(id, state, seen)| (id.to_owned(), state, seen)));
}

#[test]
fn a_control_that_was_taken_out_or_turned_round_is_missing() {
    let (mut ledger, a) = (Ledger::new(), control("a", "1"));
    let set = [a.clone()];
    ledger.found(&a, old(), "");
    ledger.guarded(&a, old(), new());
    let none = BTreeSet::new();
    assert_eq!(missing(&ledger.0, &set, &none), []);
    let gone = missing(&ledger.0, &[], &none);
    assert_eq!(gone.len(), 1);
    assert_eq!(gone[0].why, WhyMissing::Gone);
    assert!(gone[0].to_string().starts_with("a ("), "{}", gone[0]);
    let mut turned = a.clone();
    turned.entry.expect = example::expect(Verdict::Pass, None);
    let told = missing(&ledger.0, &[turned.clone()], &none)[0].why.to_string();
    assert_eq!(told, "its control expects `pass`, and `fail` by `r1` was found to be right");
    // Nor may it come to be right by another rule, or by any.
    let mut loose = a.clone();
    loose.entry.expect = example::expect(Verdict::Fail, None);
    assert_eq!(missing(&ledger.0, &[loose], &none).len(), 1);
    assert_eq!(ledger.stands(&[turned], &["a"])[0].state, State::Missing);
    // By another name it is the same.
    let renamed = [control("renamed", "1")];
    assert_eq!(missing(&ledger.0, &renamed, &none), []);
    assert_eq!(ledger.states(&renamed, &["renamed"]), [("renamed".into(), State::Guarded, 1)]);
}

#[test]
fn only_a_remark_that_somebody_signed_withdraws_a_failure() {
    let (mut ledger, a) = (Ledger::new(), control("a", "1"));
    let found = ledger.found(&a, old(), "");
    ledger.note("it was right all along", Some(found), None);
    assert_eq!(withdrawn(&ledger.0, &BTreeSet::new()), BTreeSet::new());
    let gone = withdrawn(&ledger.0, &BTreeSet::from([2]));
    assert_eq!(gone, BTreeSet::from([found]));
    assert_eq!(missing(&ledger.0, &[], &gone), []);
    let stands = ledger.stands_without(&[], &[], &gone);
    assert_eq!((stands[0].state, stands[0].seen), (State::Withdrawn, 1));
    // It is found once more, and counts from there.
    ledger.found(&a, new(), "");
    let stands = ledger.stands_without(&[a], &[], &gone);
    assert_eq!((stands[0].state, stands[0].seen), (State::Open, 1));
    assert_eq!(stands[0].components, [new()]);
}

#[test]
fn what_was_not_run_is_open() {
    let (mut ledger, a) = (Ledger::new(), control("a", "1"));
    assert!(!keeps(&ledger.0));
    ledger.found(&a, old(), "");
    assert!(keeps(&ledger.0));
    let all = failures(&ledger.0, &[a], &BTreeMap::new(), &Checked::default());
    assert_eq!((all[0].state, all[0].says), (State::Open, None));
}

#[test]
fn a_run_tells_what_is_right_what_was_said_and_what_was_caught() {
    let verdicts = |first, second| vec![[first, Verdict::Pass], [second, Verdict::Pass]];
    let run = example::run(&[
        (control("right", "1"), verdicts(Verdict::Fail, Verdict::Fail)),
        (control("caught", "2"), verdicts(Verdict::Pass, Verdict::Pass)),
        (control("wavers", "3"), verdicts(Verdict::Fail, Verdict::Unproven)),
    ]);
    let judged = judged(&run);
    let of = |id: &str| judged[&id.parse().expect("an id")];
    assert_eq!((of("right").right, of("right").said), (true, Some(Verdict::Fail)));
    assert_eq!((of("caught").is_caught(), of("caught").said), (true, Some(Verdict::Pass)));
    assert_eq!((of("wavers").is_caught(), of("wavers").said), (true, Some(Verdict::Unproven)));
    let content = control("caught", "2").entry.case.content_digest();
    let component = run.started.grader.digest;
    let (expected, caught) = bears_out(&run, content, component).expect("it is there");
    assert!(caught.is_caught() && *expected == example::expect(Verdict::Fail, Some("r1")));
    assert_eq!(bears_out(&run, content, new()), None, "another component");
    assert_eq!(bears_out(&run, old(), component), None, "another case");
    let machine = Judged { right: false, said: None, machine_dependent: true };
    assert!(!machine.is_caught());
    let cut = crate::run::fold::Run { complete: false, ..run };
    assert!(!super::judged(&cut)[&"right".parse().expect("an id")].right);
}
