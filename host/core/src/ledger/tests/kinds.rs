//! Every kind of entry, as it is written, and payloads that are of none.

use super::*;
use crate::verdict::Verdict;

fn every_kind() -> Vec<Payload> {
    let (v, component) = (V1, digest("component"));
    let promoted = Promoted {
        v,
        grader: grader(),
        component,
        tier: Tier::Gating,
        statement: digest("statement"),
        signatures: vec![digest("signature")],
    };
    let looked = Looked {
        v,
        grader: grader(),
        component,
        rubric: "final-answer".parse().expect("an id"),
        held_out: digest("held out"),
        run: digest("record"),
    };
    let verified = Verified {
        v,
        grader: grader(),
        component,
        ledger: digest("ledger"),
        record: digest("record"),
        report: digest("report"),
        semantics: digest("semantics"),
        regression: Some(digest("regression")),
        at: at(1),
        held: Tier::Characterization,
    };
    let why = vec![Invariant::ReproducibleRecord, Invariant::ControlsBite];
    let failed = FailedVerification { v, grader: grader(), component, record: None, why };
    let reason = Untrusted::new("wrong on fractions");
    let revoked = Revoked { v, grader: grader(), component, at: at(2), reason };
    let lifts = Some(digest(&Payload::Revoked(revoked.clone()).to_json()));
    let text = Untrusted::new("mended");
    let failure = Some(FailureNote::Found {
        control: "rg-year".parse().expect("an id"),
        content: digest("case"),
        component,
        expected: Verdict::Fail,
        rule: "matches-reference".parse().ok(),
        got: Some(Verdict::Pass),
        requirement: Untrusted::new("dates are exact"),
        cause: Untrusted::default(),
    });
    vec![
        registered(),
        Payload::Looked(looked),
        Payload::Promoted(promoted),
        Payload::Verified(verified),
        Payload::FailedVerification(failed),
        Payload::Revoked(revoked),
        Payload::Superseded(Superseded { v, grader: grader(), component, by: digest("next") }),
        Payload::Noted(Noted {
            v,
            grader: grader(),
            at: at(3),
            text,
            corrects: None,
            lifts,
            failure,
        }),
        Payload::Decided(Decided {
            v,
            grader: grader(),
            at: at(4),
            decides: digest("gate"),
            report: digest("report"),
            choice: Choice::Hold,
            because: Untrusted::new("the judge is right"),
        }),
    ]
}

#[test]
fn every_kind_survives_its_text() {
    let payloads = every_kind();
    let kinds: Vec<_> = payloads.iter().map(Payload::kind).collect();
    assert_eq!(kinds, PayloadKind::ALL);
    for payload in payloads {
        let text = payload.to_json();
        let start =
            format!("{{\"kind\":\"{}\",\"v\":1,\"grader\":\"final-answer\",", payload.kind());
        assert!(text.starts_with(&start), "{text}");
        assert_eq!(Payload::parse(&text), Ok(payload));
    }
    assert_eq!(PayloadKind::FailedVerification.namespace(), "failed-verification.v1@accredit");
}

#[test]
fn what_is_not_known_is_told() {
    let good = registered().to_json();
    let table = [
        (good.replace("registered", "blessed"), "`blessed` is a kind of entry that this version"),
        (good.replace("\"v\":1", "\"v\":2"), "version 2 of a `registered` entry is not known"),
        (
            good.replace("\"v\":1", "\"v\":2,\"new\":0"),
            "version 2 of a `registered` entry is not known",
        ),
        (good.replace("\"v\":1,", ""), "missing field `v`"),
        (good.replace("\"kind\":\"registered\",", ""), "missing field `kind`"),
        (good.replace("\"v\":1", "\"v\":1,\"extra\":0"), "unknown field `extra`"),
        (good.replace("\"v\":1", "\"v\":1,\"v\":1"), "duplicate field `v`"),
        (good.replace("{\"kind\"", "{\"kind\":\"noted\",\"kind\""), "duplicate field `kind`"),
        (good.replace("\"v\":1", "\"v\":\"1\""), "invalid type"),
        (good.replace("code", "clever"), "unknown variant `clever`"),
        (good.replace("blake3:", "sha256:"), "is not a digest"),
        ("null".to_owned(), "invalid type: null"),
        ("\u{1b}[31m".to_owned(), "expected value"),
    ];
    for (bad, told) in table {
        let fault = Payload::parse(&bad).expect_err(&bad).to_string();
        assert!(fault.contains(told), "{bad}: {fault}");
    }
}

#[test]
fn what_a_file_says_reaches_no_terminal() {
    let bad = registered().to_json().replace("registered", "\\u001b[31m\\u202e");
    let fault = Payload::parse(&bad).expect_err("no such kind").to_string();
    assert!(!fault.chars().any(|c| c.is_control() || c == '\u{202e}'), "{fault:?}");
    let long = registered().to_json().replace("registered", &"x".repeat(10_000));
    assert!(Payload::parse(&long).expect_err("no such kind").to_string().len() < 400);
}

#[test]
fn an_unknown_entry_in_a_ledger_is_damage_also_beyond_the_head() {
    let mut text = chain(1).text().to_owned();
    let next = chain(2).entry(2).expect("an entry").line().replace("noted", "blessed");
    text.push_str(&next);
    text.push('\n');
    let damage = read(text, &chain(1).head()).expect_err("a kind from the future");
    assert_eq!(damage.entry(), Some(2));
    assert!(damage.to_string().starts_with("entry 2 (line 2): `blessed` is a kind"), "{damage}");
}
