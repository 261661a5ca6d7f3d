//! Statements as they stand in a ledger, for tests that sign them.

use accredit_core::id::{Digest, GraderName};
use accredit_core::ledger::{Book, Moment};
use accredit_core::statement::{
    Evidence, PREDICATE, Predicate, Statement, Subject, SubjectDigest, TYPE, TrustVersions,
};
use accredit_core::verdict::{GraderKind, Tier};

/// The moment that this text states.
///
/// # Panics
/// When it states none.
#[must_use]
pub fn moment(text: &str) -> Moment {
    text.parse().expect("a moment")
}

/// A promotion of a component of the grader `g` to gating, until the end of 2099.
///
/// # Panics
/// Never: every id in it is one.
#[must_use]
pub fn statement(component: Digest, controls: Digest, nonce: &str) -> Statement {
    let grader: GraderName = "g".parse().expect("an id");
    let digest = |text: &str| Digest::of(text.as_bytes());
    Statement {
        of_type: TYPE.into(),
        subject: vec![Subject {
            name: "g.wasm".into(),
            digest: SubjectDigest { sha256: "0".repeat(64), blake3: component.hex() },
        }],
        predicate_type: PREDICATE.into(),
        predicate: Predicate {
            ledger: Book::Main.genesis(&grader),
            grader,
            rubric: "r".parse().expect("an id"),
            kind: GraderKind::Code,
            tier: Tier::Gating,
            tiers_met: vec![Tier::Characterization, Tier::Gating],
            waivers: vec![],
            evidence: Evidence {
                report: digest("report"),
                record: digest("record"),
                replay: digest("replay"),
                controls,
                regression: None,
                held_out: None,
                policy: digest("policy"),
                contract: digest("contract"),
                semantics: digest("semantics"),
            },
            root: None,
            trust: TrustVersions { policy: 4, signers: 5 },
            made_at: moment("2026-11-01T00:00:00Z"),
            not_after: moment("2099-12-31T00:00:00Z"),
            nonce: nonce.into(),
        },
    }
}
