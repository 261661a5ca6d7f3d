//! The promotion statement: what a person signs.
//!
//! An in-toto Statement (in-toto Attestation Framework, Statement v1: `_type`, `subject`, `predicateType`,
//! `predicate`), signed as a file by a detached OpenSSH signature over its exact bytes. It is not wrapped in
//! DSSE.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{Digest, GraderName, RubricId};
use crate::ledger::Moment;
use crate::policy::{RequirementId, Waiver};
use crate::report::{Audience, Report};
use crate::verdict::{GraderKind, Tier};

/// `_type` of every in-toto statement.
pub const TYPE: &str = "https://in-toto.io/Statement/v1";

/// What kind of predicate it is.
pub const PREDICATE: &str = "urn:accredit:promotion:v1";

/// What is promoted, on what evidence, and for how long.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// [`TYPE`].
    #[serde(rename = "_type")]
    pub of_type: String,
    /// The component, alone.
    pub subject: Vec<Subject>,
    /// [`PREDICATE`].
    #[serde(rename = "predicateType")]
    pub predicate_type: String,
    /// What is said of it.
    pub predicate: Predicate,
}

/// What a statement is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// The grader's name and `.wasm`.
    pub name: String,
    /// The digests of its bytes.
    pub digest: SubjectDigest,
}

/// Digests by algorithm, in hexadecimal digits without a prefix, as in-toto writes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SubjectDigest {
    /// SHA-256, so that tools which know no BLAKE3 can check it.
    pub sha256: String,
    /// BLAKE3.
    pub blake3: String,
}

/// What a promotion rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Predicate {
    /// The grader's name.
    pub grader: GraderName,
    /// The rubric.
    pub rubric: RubricId,
    /// Code or judge.
    pub kind: GraderKind,
    /// The tier it is promoted to.
    pub tier: Tier,
    /// Every tier whose requirements are met or waived, the lowest first; no tier below `tier` is missing.
    pub tiers_met: Vec<Tier>,
    /// What is waived at those tiers.
    pub waivers: Vec<Waiver>,
    /// What the evidence is.
    pub evidence: Evidence,
    /// The first entry of the grader's ledger: a statement is of no use in another ledger.
    pub ledger: Digest,
    /// The root of trust in force; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<Digest>,
    /// The versions of policy and signers in force: older ones are refused from then on.
    pub trust: TrustVersions,
    /// When it was made, RFC 3339 in UTC.
    pub made_at: Moment,
    /// The moment after which it grants nothing, RFC 3339 in UTC.
    pub not_after: Moment,
    /// 32 random hexadecimal digits: no two statements are the same.
    pub nonce: String,
}

/// The versions of what is signed under the root of trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrustVersions {
    /// The policy's.
    pub policy: u64,
    /// That of the file `allowed_signers`.
    pub signers: u64,
}

/// The digests of all that the promotion rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The promotion report's bytes.
    pub report: Digest,
    /// The run record.
    pub record: Digest,
    /// What a later run of the same controls must come to again: `evidence_digest`.
    pub replay: Digest,
    /// The open controls, without the regression controls.
    pub controls: Digest,
    /// The regression controls, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regression: Option<Digest>,
    /// The controls held out from the author, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<Digest>,
    /// The policy.
    pub policy: Digest,
    /// The contract.
    pub contract: Digest,
    /// The engine's semantics.
    pub semantics: Digest,
}

/// What a report does not say and a statement must.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The tier asked for.
    pub tier: Tier,
    /// SHA-256 of the component, in hexadecimal digits.
    pub sha256: String,
    /// The digest of the report's bytes.
    pub report: Digest,
    /// See [`Evidence`].
    pub replay: Digest,
    /// See [`Predicate`].
    pub ledger: Digest,
    /// See [`Predicate`].
    pub root: Option<Digest>,
    /// See [`Predicate`].
    pub trust: TrustVersions,
    /// See [`Predicate`].
    pub made_at: Moment,
    /// See [`Predicate`].
    pub not_after: Moment,
    /// See [`Predicate`].
    pub nonce: String,
}

/// Why a report promotes nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotPromotable {
    /// Everything is advisory from the start.
    #[error("every grader is advisory: promote to characterization or gating")]
    Advisory,
    /// The report does not reach so far.
    #[error(
        "the report reaches {eligible}, not {asked}. Open: {open}. `accredit report` shows what would meet them"
    )]
    OutOfReach {
        /// What it reaches.
        eligible: Tier,
        /// What was asked.
        asked: Tier,
        /// The requirements that are neither met nor waived, in words.
        open: String,
    },
    /// An author's copy leaves out what it rests on.
    #[error("this is the report that authors see: promote by the whole one (--audience platform)")]
    AuthorsCopy,
}

impl Statement {
    /// The statement of a promotion by this report.
    ///
    /// # Errors
    /// When the report does not reach the tier, or is an author's.
    pub fn new(report: &Report, terms: Terms) -> Result<Self, NotPromotable> {
        let decision = &report.decision;
        if terms.tier == Tier::Advisory {
            return Err(NotPromotable::Advisory);
        }
        if report.audience == Audience::Author {
            return Err(NotPromotable::AuthorsCopy);
        }
        if decision.eligible_tier < terms.tier {
            return Err(NotPromotable::OutOfReach {
                eligible: decision.eligible_tier,
                asked: terms.tier,
                open: open(report, terms.tier),
            });
        }
        let asked = |tier: &Tier| *tier > Tier::Advisory && *tier <= terms.tier;
        let waived = |waiver: &&Waiver| waiver.tier <= terms.tier;
        Ok(Self {
            of_type: TYPE.to_owned(),
            subject: vec![Subject {
                name: format!("{}.wasm", report.grader.name),
                digest: SubjectDigest { sha256: terms.sha256, blake3: report.grader.digest.hex() },
            }],
            predicate_type: PREDICATE.to_owned(),
            predicate: Predicate {
                grader: report.grader.name.clone(),
                rubric: report.grader.rubric.clone(),
                kind: report.grader.kind,
                tier: terms.tier,
                tiers_met: Tier::ALL.into_iter().filter(asked).collect(),
                waivers: decision.waivers.iter().filter(waived).cloned().collect(),
                evidence: Evidence {
                    report: terms.report,
                    record: report.digests.record,
                    replay: terms.replay,
                    controls: report.digests.controls,
                    regression: report.digests.regression,
                    held_out: report.digests.held_out,
                    policy: report.digests.policy,
                    contract: report.digests.contract,
                    semantics: report.digests.semantics,
                },
                ledger: terms.ledger,
                root: terms.root,
                trust: terms.trust,
                made_at: terms.made_at,
                not_after: terms.not_after,
                nonce: terms.nonce,
            },
        })
    }

    /// The bytes that are signed: indented JSON and a line end.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        // Plain data: nothing that JSON could refuse.
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// The component's digest, if the statement is one that this version knows: of this type, about one
    /// component, with no tier left out.
    #[must_use]
    pub fn component(&self) -> Option<Digest> {
        let known = self.of_type == TYPE && self.predicate_type == PREDICATE;
        let tier = self.predicate.tier;
        let below = Tier::ALL.into_iter().filter(|it| *it > Tier::Advisory && *it <= tier);
        let whole = below.eq(self.predicate.tiers_met.iter().copied());
        match self.subject.as_slice() {
            [subject] if known && whole && tier > Tier::Advisory => {
                format!("blake3:{}", subject.digest.blake3).parse().ok()
            }
            _ => None,
        }
    }
}

/// The requirements up to this tier that are open, in words.
fn open(report: &Report, tier: Tier) -> String {
    let open = report.decision.requirements.iter().filter(|r| r.tier <= tier && !r.is_satisfied());
    let word = |(id, tier): (RequirementId, Tier)| format!("{id} ({tier})");
    open.map(|requirement| word((requirement.id, requirement.tier))).collect::<Vec<_>>().join(", ")
}
