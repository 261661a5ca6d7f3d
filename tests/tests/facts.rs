//! From a ledger to the facts of authority: which signatures count, and what is no longer what it was.

use std::cell::Cell;
use std::collections::HashMap;

use accredit::exit::Exit;
use accredit::failure::Failure;
use accredit::trust::facts::{About, facts, named_versions};
use accredit_core::authority::{Act, Fact};
use accredit_core::id::{Digest, GraderName};
use accredit_core::keys::{AllowedSigners, Signers};
use accredit_core::ledger::{
    Book, Chain, Invariant, Moment, Noted, Payload, Promoted, Registered, Revoked, V1, Verified,
    Work,
};
use accredit_core::statement::{Statement, TrustVersions};
use accredit_core::verdict::{GraderKind, Tier};
use accredit_tests::keys::Keys;
use accredit_tests::statements::{moment, statement};

/// Two books, objects and keys.
struct Books {
    keys: Keys,
    main: Chain,
    verified: Chain,
    objects: HashMap<Digest, Vec<u8>>,
    signers: Signers,
    read: Cell<usize>,
}

fn digest(text: &str) -> Digest {
    Digest::of(text.as_bytes())
}

fn grader() -> GraderName {
    "g".parse().expect("an id")
}

impl Books {
    /// ada, bob and robot may sign; bob only in 2026.
    fn new() -> Option<Self> {
        let keys = Keys::new()?;
        for name in ["ada", "bob", "robot"] {
            keys.make(name, &["ed25519"]);
        }
        let line = |name: &str, options: &str| format!("{name} {options} {}\n", keys.public(name));
        let text = [
            "# accredit: version 1\n",
            &line("ada", ""),
            &line("bob", "valid-after=\"20260101Z\",valid-before=\"20270101Z\""),
            &line("robot", "namespaces=\"verified.v1@accredit\""),
        ]
        .concat();
        let file = AllowedSigners::parse(text.as_bytes()).expect("a file of signers");
        Some(Self {
            main: Chain::empty(grader(), Book::Main),
            verified: Chain::empty(grader(), Book::Verified),
            objects: HashMap::new(),
            signers: Signers::new(file, None),
            read: Cell::new(0),
            keys,
        })
    }

    fn add(&mut self, payload: &Payload, at: &str, by: &[&str]) -> u64 {
        let text = payload.to_json();
        let namespace = payload.kind().namespace();
        let sign = |name: &&str| self.keys.sign(name, &namespace, text.as_bytes());
        let signatures: Vec<_> = by.iter().map(sign).collect();
        let book = match payload {
            Payload::Verified(_) => &mut self.verified,
            _ => &mut self.main,
        };
        book.append(&text, &signatures, moment(at)).expect("an entry");
        book.len()
    }

    fn keep(&mut self, bytes: &[u8]) -> Digest {
        let digest = Digest::of(bytes);
        self.objects.insert(digest, bytes.to_vec());
        digest
    }

    fn promoted(&mut self, statement: &Statement, by: &[&str]) -> Promoted {
        let bytes = serde_json::to_vec_pretty(statement).expect("JSON");
        let signatures: Vec<_> =
            by.iter().map(|name| self.keys.sign(name, "promotion.v1@accredit", &bytes)).collect();
        Promoted {
            v: V1,
            grader: grader(),
            component: statement.component().expect("a statement that is known"),
            tier: statement.predicate.tier,
            statement: self.keep(&bytes),
            signatures: signatures.iter().map(|it| self.keep(it.as_bytes())).collect(),
        }
    }

    fn facts(&self) -> Result<Vec<Fact>, Failure> {
        let objects = |digest| {
            self.read.set(self.read.get() + 1);
            Ok(self.objects.get(&digest).cloned())
        };
        let verifiers = ["robot".to_owned()];
        let about = About { component: digest("component"), verifiers: &verifiers };
        facts(&self.main, &self.verified, &self.signers, &objects, about)
    }

    #[track_caller]
    fn damaged(&self, said: &str) {
        let failure = self.facts().expect_err("a fault");
        assert_eq!(failure.exit(), Exit::Integrity, "{failure}");
        assert!(failure.to_string().contains(said), "{failure}");
    }
}

fn names(fact: &Fact) -> Vec<&str> {
    fact.signers.iter().map(|signer| signer.principal.as_str()).collect()
}

fn registered() -> Payload {
    Payload::Registered(Registered {
        v: V1,
        grader: grader(),
        component: digest("component"),
        rubric: "r".parse().expect("an id"),
        grader_kind: GraderKind::Code,
        controls: digest("controls"),
        wrote: vec![Work::Grader, Work::Controls],
        authors: vec!["carl".into(), "BOB".into()],
    })
}

fn verified(component: &str, at: &str) -> Payload {
    Payload::Verified(Verified {
        v: V1,
        grader: grader(),
        component: digest(component),
        ledger: Digest::of(b"ledger"),
        record: digest("record"),
        report: digest("report"),
        semantics: digest("semantics"),
        regression: None,
        at: moment(at),
        held: Tier::Gating,
    })
}

fn revoked(at: &str) -> Payload {
    let component = digest("component");
    Payload::Revoked(Revoked {
        v: V1,
        grader: grader(),
        component,
        at: moment(at),
        reason: accredit_core::untrusted::Untrusted::new("wrong"),
    })
}

fn lift(of: &Payload, at: &str) -> Payload {
    Payload::Noted(Noted {
        v: V1,
        grader: grader(),
        at: moment(at),
        text: accredit_core::untrusted::Untrusted::new("found to be sound"),
        corrects: None,
        lifts: Some(digest(&of.to_json())),
        failure: None,
    })
}

#[test]
fn signatures_count_on_what_decides() {
    let Some(mut books) = Books::new() else { return };
    let (day, next) = ("2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z");
    books.add(&registered(), day, &["ada"]);
    let promoted =
        books.promoted(&statement(digest("component"), digest("controls"), "1"), &["bob"]);
    books.add(&Payload::Promoted(promoted), next, &[]);
    let revocation = revoked(next);
    books.add(&revocation, next, &[]);
    books.add(&lift(&revocation, next), next, &["ada"]);
    books.add(&verified("component", next), next, &["robot"]);
    let facts = books.facts().expect("facts");
    let acts: Vec<_> = facts.iter().map(|fact| &fact.act).collect();
    // The verification was made at the second of the promotion, and comes before it.
    let [
        Act::Registered { authors, .. },
        Act::Verified { .. },
        Act::Promoted { .. },
        Act::Revoked { .. },
        Act::Lifted { revocation: 3 },
    ] = acts.as_slice()
    else {
        panic!("{acts:#?}")
    };
    assert_eq!(authors, &["carl", "bob"], "names come to persons");
    let signers: Vec<_> = facts.iter().map(names).collect();
    assert_eq!(signers, [vec!["ada"], vec!["robot"], vec!["bob"], vec![], vec!["ada"]]);
    let named = named_versions([&books.main], &|digest| Ok(books.objects.get(&digest).cloned()));
    assert_eq!(named.expect("versions"), TrustVersions { policy: 4, signers: 5 });
}

#[test]
fn a_key_must_be_valid_at_the_time_and_where_it_was_set_back_at_both() {
    let Some(mut books) = Books::new() else { return };
    books.add(&registered(), "2027-06-01T00:00:00Z", &["bob"]);
    books.add(&registered(), "2026-06-01T00:00:00Z", &["bob"]);
    let facts = books.facts().expect("facts");
    assert_eq!(facts.iter().map(names).collect::<Vec<_>>(), [[""; 0], [""; 0]]);
    // A robot's key signs nothing but verifications.
    books.add(&registered(), "2027-06-01T00:00:00Z", &["robot", "ada"]);
    assert_eq!(names(&books.facts().expect("facts")[2]), ["ada"]);
}

#[test]
fn a_statement_counts_once_however_often_it_is_put_there() {
    let Some(mut books) = Books::new() else { return };
    let made = statement(digest("component"), digest("controls"), "1");
    let (one, two) = (books.promoted(&made, &["bob"]), books.promoted(&made, &["ada"]));
    let days = ["2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z", "2026-11-03T00:00:00Z"];
    books.add(&Payload::Promoted(one), days[0], &[]);
    let failed = accredit_core::ledger::FailedVerification {
        v: V1,
        grader: grader(),
        component: digest("component"),
        record: None,
        why: vec![Invariant::ReproducibleRecord],
    };
    books.add(&Payload::FailedVerification(failed), days[1], &[]);
    books.add(&Payload::Promoted(two), days[2], &[]);
    let facts = books.facts().expect("facts");
    assert!(matches!(facts[0].act, Act::Promoted { .. }));
    assert_eq!(names(&facts[0]), ["ada", "bob"], "whoever signed the statement signed it");
    assert!(matches!(facts[1].act, Act::FailedVerification { .. }));
    assert_eq!(facts[2].act, Act::Other);
}

#[test]
fn what_is_not_what_an_entry_says_is_told_by_the_entry() {
    let Some(mut books) = Books::new() else { return };
    let at = "2026-11-01T00:00:00Z";
    let made = statement(digest("component"), digest("controls"), "1");
    let good = books.promoted(&made, &["bob"]);
    let put = |books: &mut Books, promoted: &Promoted| {
        books.main = Chain::empty(grader(), Book::Main);
        books.add(&registered(), at, &["ada"]);
        books.add(&Payload::Promoted(promoted.clone()), at, &[]);
    };
    put(&mut books, &good);
    assert!(books.facts().is_ok());
    let lost = books.objects.remove(&good.statement).expect("the statement");
    books.damaged("entry 2 (promoted): its statement");
    books.objects.insert(good.statement, b"changed".to_vec());
    books.damaged("is not what its digest says");
    books.objects.insert(good.statement, lost);
    let signature = books.objects.remove(&good.signatures[0]).expect("the signature");
    books.damaged("its signature");
    books.objects.insert(good.signatures[0], signature);

    let junk = books.keep(b"{}");
    put(&mut books, &Promoted { statement: junk, ..good.clone() });
    books.damaged("its statement cannot be read");
    put(&mut books, &Promoted { tier: Tier::Characterization, ..good.clone() });
    books.damaged("another grader, component or tier");
    put(&mut books, &Promoted { component: digest("other"), ..good.clone() });
    books.damaged("another grader, component or tier");
    put(&mut books, &Promoted { signatures: vec![junk], ..good.clone() });
    books.damaged("not one armoured SSH signature");
    let other = books.keys.sign("bob", "promotion.v1@accredit", b"other");
    let other = books.keep(other.as_bytes());
    put(&mut books, &Promoted { signatures: vec![other], ..good.clone() });
    books.damaged("does not hold");
    // One made for something else counts for nobody.
    let bytes = books.objects[&good.statement].clone();
    let elsewhere = books.keys.sign("bob", "policy.v1@accredit", &bytes);
    let elsewhere = books.keep(elsewhere.as_bytes());
    put(&mut books, &Promoted { signatures: vec![elsewhere], ..good });
    assert_eq!(names(&books.facts().expect("facts")[1]), [""; 0]);
}

#[test]
fn the_newest_verification_by_a_verifier_is_found_among_many_entries() {
    let Some(mut books) = Books::new() else { return };
    books.add(&registered(), "2026-01-01T00:00:00Z", &["ada"]);
    let old = "2026-01-02T00:00:00Z";
    books.add(&verified("component", old), old, &["robot"]);
    let signed = "2026-01-03T00:00:00Z";
    books.add(&verified("component", signed), signed, &["robot"]);
    // An old one that is put there again as if it were new is as old as what was signed.
    books.add(&verified("component", old), "2026-01-04T00:00:00Z", &["robot"]);
    // One that no verifier signed, and many that nobody did.
    let later = "2026-01-05T00:00:00Z";
    books.add(&verified("component", later), later, &["ada"]);
    let unsigned = verified("component", later).to_json();
    let (start, count) = (moment("2026-01-06T00:00:00Z").seconds(), many());
    for second in 0..count {
        let at = Moment::from_seconds(start + second).expect("a moment");
        books.verified.append(&unsigned, &[], at).expect("an entry");
    }
    let begun = std::time::Instant::now();
    let facts = books.facts().expect("facts");
    if count > 10_000 {
        eprintln!("{count} entries: {:?}", begun.elapsed());
    }
    let [_, found, last] = facts.as_slice() else { panic!("{facts:#?}") };
    assert_eq!((found.seq, names(found)), (2, vec!["robot"]));
    assert_eq!((last.at, &last.act), (start + count - 1, &Act::Other), "the clock is known");
    assert_eq!(books.read.get(), 0, "no object was asked for");
}

/// How many entries: more where somebody wants to see how long they take.
fn many() -> i64 {
    std::env::var("ACCREDIT_MANY").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000)
}
