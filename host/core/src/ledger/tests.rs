//! Ledgers that are sound, and what may not be done to them.

mod flips;
mod kinds;
mod merging;

use super::*;
use crate::untrusted::Untrusted;
use crate::verdict::{GraderKind, Tier};

fn grader() -> GraderName {
    "final-answer".parse().expect("an id")
}

fn digest(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

/// So many seconds after 2026-11-30T22:00:00Z.
fn at(seconds: i64) -> Moment {
    Moment::from_seconds(1_796_076_000 + seconds).expect("a moment")
}

fn noted(text: &str) -> Payload {
    let (v, grader, text) = (V1, grader(), Untrusted::new(text));
    Payload::Noted(Noted { v, grader, at: at(0), text, corrects: None, lifts: None, failure: None })
}

fn signature(number: i64) -> Vec<String> {
    vec![format!("-----BEGIN SSH SIGNATURE-----\n{number}\n-----END SSH SIGNATURE-----\n")]
}

/// A ledger with so many entries, one a second.
fn chain(entries: i64) -> Chain {
    let mut chain = Chain::empty(grader(), Book::Main);
    for number in 0..entries {
        let payload = noted(&format!("remark {number}")).to_json();
        chain.append(&payload, &signature(number), at(number)).expect("a sound entry");
    }
    chain
}

fn read(bytes: impl Into<Vec<u8>>, head: &Head) -> Result<Reading, Damage> {
    Chain::read(grader(), Book::Main, bytes.into(), Some(head.to_line().as_bytes()))
}

#[test]
fn what_is_written_is_what_is_read() {
    let chain = chain(3);
    let reading = read(chain.text(), &chain.head()).expect("a sound ledger");
    assert_eq!(reading, Reading { chain: chain.clone(), tail: Tail::default() });
    let entry = chain.entry(2).expect("an entry");
    assert_eq!((entry.seq(), entry.at()), (2, at(1)));
    assert_eq!(entry.payload(), &noted("remark 1"));
    assert_eq!(entry.payload_text(), noted("remark 1").to_json());
    assert_eq!(entry.signatures(), signature(1));
    assert_eq!(entry.digest(), digest(entry.line()));
    assert_eq!(chain.entry(0).map(Entry::seq), None);
    assert_eq!(chain.entry(4).map(Entry::seq), None);
    assert_eq!(chain.entries().map(Entry::seq).collect::<Vec<_>>(), [1, 2, 3]);
}

/// The format is a promise: other tools check a ledger with `jq`, `b3sum` and `ssh-keygen`.
#[test]
fn a_line_is_written_like_this() {
    let mut chain = Chain::empty(grader(), Book::Main);
    let payload = noted("a \"word\"\n").to_json();
    let (line, head) = chain.append(&payload, &["s\n".into()], at(0)).expect("sound");
    let genesis = digest("accredit ledger final-answer");
    assert_eq!(
        line,
        format!(
            r#"{{"seq":1,"at":"2026-11-30T22:00:00Z","prev":"{genesis}","payload":{{"kind":"noted","v":1,"grader":"final-answer","at":"2026-11-30T22:00:00Z","text":"a \"word\"\n"}},"signatures":["s\n"]}}"#
        ) + "\n"
    );
    let digest = digest(line.trim_end());
    assert_eq!(head.to_line(), format!("{{\"seq\":1,\"digest\":\"{digest}\"}}\n"));
}

/// Somebody else's tool may write JSON in another way; what was signed stays as it stands.
#[test]
fn the_bytes_of_a_payload_are_kept() {
    let mut chain = Chain::empty(grader(), Book::Main);
    let payload = r#"{ "v": 1,  "text": "\u0061","at":"2026-11-30T22:00:00Z","grader":"final-answer", "kind":"noted" }"#;
    chain.append(payload, &[], at(0)).expect("sound");
    let again = read(chain.text(), &chain.head()).expect("sound").chain;
    let entry = again.entry(1).expect("an entry");
    assert_eq!(entry.payload_text(), payload);
    assert_eq!(entry.payload_digest(), digest(payload));
    assert_eq!(entry.payload(), &noted("a"));
}

#[test]
fn a_payload_that_would_not_stand_as_it_is_is_refused() {
    let chain = chain(1);
    let good = noted("x").to_json();
    for bad in [format!(" {good}"), format!("{good}\n"), good.replace(",\"v\"", ",\n\"v\"")] {
        assert_eq!(chain.next(&bad, &[], at(0)), Err(Refused::NotOneLine), "{bad}");
    }
    let smuggled = format!(r#"{good},"signatures":[]"#);
    assert!(matches!(chain.next(&smuggled, &[], at(0)), Err(Refused::Payload(_))));
    let other = good.replace("final-answer", "other");
    assert!(matches!(chain.next(&other, &[], at(0)), Err(Refused::Grader { .. })));
}

#[test]
fn an_entry_is_pushed_where_it_was_prepared_for() {
    let mut chain = chain(1);
    let one = chain.next(&noted("one").to_json(), &[], at(5)).expect("sound");
    let two = chain.next(&noted("two").to_json(), &[], at(5)).expect("sound");
    assert_eq!(chain.push(one.clone()), Ok(()));
    assert_eq!(chain.push(two), Err(Refused::Moved));
    assert_eq!(chain.push(one), Err(Refused::Moved));
    assert_eq!(chain.len(), 2);
}

#[test]
fn the_two_books_are_told_apart() {
    let digest = digest("x");
    let verified = Payload::Verified(Verified {
        v: V1,
        grader: grader(),
        component: digest,
        ledger: digest,
        record: digest,
        report: digest,
        semantics: digest,
        regression: None,
        at: at(0),
        held: Tier::Gating,
    });
    let mut routine = Chain::empty(grader(), Book::Verified);
    routine.append(&verified.to_json(), &[], at(0)).expect("sound");
    let refused = routine.next(&noted("x").to_json(), &[], at(0));
    assert_eq!(refused, Err(Refused::Book(PayloadKind::Noted)));
    let refused = chain(0).next(&verified.to_json(), &[], at(0));
    assert_eq!(refused, Err(Refused::Book(PayloadKind::Verified)));
    let swapped = read(routine.text(), &routine.head()).expect_err("the other book");
    assert_eq!(swapped.entry(), Some(1));
    assert!(swapped.to_string().contains("another book"), "{swapped}");
}

#[test]
fn a_time_that_was_set_back_is_kept_and_shows() {
    let mut chain = chain(0);
    for seconds in [10, 0, 5, 10, 11] {
        chain.append(&noted("x").to_json(), &[], at(seconds)).expect("sound");
    }
    let chain = read(chain.text(), &chain.head()).expect("sound").chain;
    let set_back: Vec<_> = chain.entries().map(Entry::set_back).collect();
    assert_eq!(set_back, [None, Some(at(10)), Some(at(10)), None, None]);
    assert_eq!(chain.latest(), Some(at(11)));
}

#[test]
fn a_remark_refers_to_the_last_such_payload_before_it() {
    let mut chain = chain(2);
    chain.append(&noted("remark 0").to_json(), &[], at(9)).expect("sound");
    let payload = digest(&noted("remark 0").to_json());
    let referred = |before| chain.referred(payload, before).map(Entry::seq);
    assert_eq!(
        [referred(1), referred(2), referred(3), referred(4)],
        [None, Some(1), Some(1), Some(3)]
    );
}

#[test]
fn a_ledger_has_a_head_from_the_start() {
    let none = Chain::read(grader(), Book::Main, vec![], None).expect("nothing was written");
    assert!(none.chain.is_empty() && none.tail.is_clean());
    let empty = read("", &chain(0).head()).expect("nothing but a head");
    assert!(empty.chain.is_empty() && empty.tail.is_clean());
    let text = chain(2).text().to_owned();
    let headless = Chain::read(grader(), Book::Main, text.into(), None);
    assert_eq!(headless, Err(Damage::Head(HeadFault::Missing)));
}

fn registered() -> Payload {
    Payload::Registered(Registered {
        v: V1,
        grader: grader(),
        component: digest("component"),
        rubric: "final-answer".parse().expect("an id"),
        grader_kind: GraderKind::Code,
        controls: digest("controls"),
        wrote: vec![Work::Grader],
        authors: vec!["ann@example.org".into()],
    })
}
