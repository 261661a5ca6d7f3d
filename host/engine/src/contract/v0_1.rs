//! Contract 0.1: its types as they cross the sandbox's wall, and their conversions to and from core's.

use std::collections::BTreeMap;

use accredit_core::case::Case;
use accredit_core::findings::{self, Outcome};
use accredit_core::manifest::{RawManifest, RawRule};
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict;
use wasmtime::component::{ComponentType, Lift, Lower};

use crate::fault::too_large;
use crate::limits::Limits;

/// The parameters of `grade`.
pub(crate) type GradeParams<'a> = (GradingCase<'a>,);
/// The result of `grade`.
pub(crate) type GradeResult = (Result<Vec<Finding>, Refusal>,);
/// The result of `describe`.
pub(crate) type DescribeResult = (Manifest,);

#[derive(ComponentType, Lower)]
#[component(record)]
pub(crate) struct Evidence<'a> {
    id: &'a str,
    kind: &'a str,
    source: &'a str,
    #[component(name = "as-of")]
    as_of: Option<&'a str>,
    #[component(name = "media-type")]
    media_type: &'a str,
    content: &'a str,
    extra: &'a str,
}

#[derive(ComponentType, Lower)]
#[component(record)]
pub(crate) struct Artifact<'a> {
    name: &'a str,
    #[component(name = "media-type")]
    media_type: &'a str,
    data: &'a [u8],
}

#[derive(ComponentType, Lower)]
#[component(record)]
pub(crate) struct Message<'a> {
    role: &'a str,
    content: &'a str,
    extra: &'a str,
}

#[derive(ComponentType, Lower)]
#[component(record)]
pub(crate) struct Claim<'a> {
    id: &'a str,
    text: &'a str,
    extra: &'a str,
}

/// A case as it is copied into the guest; borrows everything.
#[derive(ComponentType, Lower)]
#[component(record)]
pub(crate) struct GradingCase<'a> {
    id: &'a str,
    task: &'a str,
    output: &'a str,
    #[component(name = "output-type")]
    output_type: &'a str,
    reference: Option<&'a str>,
    messages: Vec<Message<'a>>,
    claims: Vec<Claim<'a>>,
    evidence: Vec<Evidence<'a>>,
    artifacts: Vec<Artifact<'a>>,
    context: &'a str,
}

impl<'a> GradingCase<'a> {
    pub(crate) fn of(case: &'a Case) -> Self {
        Self {
            id: &case.id,
            task: &case.task,
            output: &case.output,
            output_type: &case.output_type,
            reference: case.reference.as_deref(),
            messages: case.messages.iter().map(Message::of).collect(),
            claims: case.claims.iter().map(Claim::of).collect(),
            evidence: case.evidence.iter().map(Evidence::of).collect(),
            artifacts: case.artifacts.iter().map(Artifact::of).collect(),
            context: &case.context,
        }
    }

    /// Bytes of all text and data in it.
    pub(crate) fn bytes(&self) -> usize {
        let own = [
            self.id,
            self.task,
            self.output,
            self.output_type,
            self.reference.unwrap_or(""),
            self.context,
        ];
        let messages = self.messages.iter().map(|m| m.role.len() + m.content.len() + m.extra.len());
        let claims = self.claims.iter().map(|c| c.id.len() + c.text.len() + c.extra.len());
        let evidence = self.evidence.iter().map(|e| {
            [e.id, e.kind, e.source, e.as_of.unwrap_or(""), e.media_type, e.content, e.extra]
                .map(str::len)
                .iter()
                .sum()
        });
        let artifacts =
            self.artifacts.iter().map(|a| a.name.len() + a.media_type.len() + a.data.len());
        own.map(str::len)
            .into_iter()
            .chain(messages)
            .chain(claims)
            .chain(evidence)
            .chain(artifacts)
            .sum()
    }
}

impl<'a> Evidence<'a> {
    fn of(evidence: &'a accredit_core::case::Evidence) -> Self {
        Self {
            id: &evidence.id,
            kind: &evidence.kind,
            source: &evidence.source,
            as_of: evidence.as_of.as_deref(),
            media_type: &evidence.media_type,
            content: &evidence.content,
            extra: &evidence.extra,
        }
    }
}

impl<'a> Artifact<'a> {
    fn of(artifact: &'a accredit_core::case::Artifact) -> Self {
        Self { name: &artifact.name, media_type: &artifact.media_type, data: &artifact.data }
    }
}

impl<'a> Message<'a> {
    fn of(message: &'a accredit_core::case::Message) -> Self {
        Self { role: &message.role, content: &message.content, extra: &message.extra }
    }
}

impl<'a> Claim<'a> {
    fn of(claim: &'a accredit_core::case::Claim) -> Self {
        Self { id: &claim.id, text: &claim.text, extra: &claim.extra }
    }
}

#[derive(ComponentType, Lift, Clone, Copy)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "values come from the guest")]
pub(crate) enum Verdict {
    #[component(name = "pass")]
    Pass,
    #[component(name = "fail")]
    Fail,
    #[component(name = "not-applicable")]
    NotApplicable,
    #[component(name = "unproven")]
    Unproven,
    #[component(name = "unresolved")]
    Unresolved,
}

impl From<Verdict> for verdict::Verdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass,
            Verdict::Fail => Self::Fail,
            Verdict::NotApplicable => Self::NotApplicable,
            Verdict::Unproven => Self::Unproven,
            Verdict::Unresolved => Self::Unresolved,
        }
    }
}

#[derive(ComponentType, Lift)]
#[component(record)]
pub(crate) struct Citation {
    evidence: String,
    quote: String,
}

/// A finding as the guest returned it.
#[derive(ComponentType, Lift)]
#[component(record)]
pub(crate) struct Finding {
    rule: String,
    claim: Option<String>,
    verdict: Verdict,
    rationale: String,
    citations: Vec<Citation>,
    score: Option<f64>,
    extra: String,
}

impl Finding {
    fn bytes(&self) -> usize {
        let citations = self.citations.iter().map(|c| c.evidence.len() + c.quote.len());
        let own = [&self.rule, &self.rationale, &self.extra].map(String::len);
        own.into_iter().chain(citations).chain(self.claim.as_ref().map(String::len)).sum()
    }
}

impl From<Finding> for findings::Finding {
    fn from(finding: Finding) -> Self {
        let citation = |c: Citation| findings::Citation {
            evidence: Untrusted::new(c.evidence),
            quote: Untrusted::new(c.quote),
        };
        Self {
            rule: Untrusted::new(finding.rule),
            claim: finding.claim.map(Untrusted::new),
            verdict: finding.verdict.into(),
            rationale: Untrusted::new(finding.rationale),
            citations: finding.citations.into_iter().map(citation).collect(),
            score: finding.score,
            extra: Untrusted::new(finding.extra),
        }
    }
}

#[derive(ComponentType, Lift, Clone, Copy)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "values come from the guest")]
pub(crate) enum RefusalKind {
    #[component(name = "unsupported-case")]
    UnsupportedCase,
    #[component(name = "malformed-case")]
    MalformedCase,
    #[component(name = "internal-error")]
    InternalError,
}

/// A refusal as the guest returned it.
#[derive(ComponentType, Lift)]
#[component(record)]
pub(crate) struct Refusal {
    kind: RefusalKind,
    message: String,
}

impl From<Refusal> for findings::Refusal {
    fn from(refusal: Refusal) -> Self {
        let kind = match refusal.kind {
            RefusalKind::UnsupportedCase => findings::RefusalKind::UnsupportedCase,
            RefusalKind::MalformedCase => findings::RefusalKind::MalformedCase,
            RefusalKind::InternalError => findings::RefusalKind::InternalError,
        };
        Self { kind, message: Untrusted::new(refusal.message) }
    }
}

/// What an answer of `grade` comes to, size limits applied.
pub(crate) fn outcome((answer,): GradeResult, case: &Case, limits: &Limits) -> Outcome {
    let (count, bytes) = match &answer {
        Ok(findings) => (findings.len(), findings.iter().map(Finding::bytes).sum()),
        Err(refusal) => (0, refusal.message.len()),
    };
    if count > limits.findings {
        return Outcome::Fault(too_large(format!(
            "{count} findings, more than the limit of {}",
            limits.findings
        )));
    }
    if bytes > limits.finding_bytes {
        let limit = limits.finding_bytes;
        return Outcome::Fault(too_large(format!(
            "the answer holds {bytes} bytes of text, more than the limit of {limit}"
        )));
    }
    let searched = answer.as_ref().map_or(0, |findings| searched(findings, case));
    if searched > limits.search_bytes {
        return Outcome::Fault(too_large(format!(
            "its quotations ask for {searched} bytes of evidence to be searched, more than the limit of {}",
            limits.search_bytes
        )));
    }
    match answer {
        Ok(findings) => Outcome::Graded(findings.into_iter().map(Into::into).collect()),
        Err(refusal) => Outcome::Refused(refusal.into()),
    }
}

/// Bytes that are read to look for every quotation in the evidence it names.
fn searched(findings: &[Finding], case: &Case) -> u64 {
    let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
    for evidence in &case.evidence {
        *sizes.entry(&evidence.id).or_default() += evidence.content.len() as u64;
    }
    let citations = findings.iter().flat_map(|finding| &finding.citations);
    citations.filter_map(|citation| sizes.get(citation.evidence.as_str())).sum()
}

#[derive(ComponentType, Lift, Clone, Copy)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "values come from the guest")]
pub(crate) enum Tier {
    #[component(name = "essential")]
    Essential,
    #[component(name = "important")]
    Important,
    #[component(name = "optional")]
    Optional,
    #[component(name = "must-not")]
    MustNot,
}

#[derive(ComponentType, Lift, Clone, Copy)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "values come from the guest")]
pub(crate) enum Scope {
    #[component(name = "output")]
    Output,
    #[component(name = "each-claim")]
    EachClaim,
}

#[derive(ComponentType, Lift)]
#[component(record)]
pub(crate) struct Rule {
    id: String,
    text: String,
    tier: Tier,
    scope: Scope,
    needs: Vec<String>,
}

/// A manifest as the guest returned it.
#[derive(ComponentType, Lift)]
#[component(record)]
pub(crate) struct Manifest {
    name: String,
    version: String,
    rubric: String,
    rules: Vec<Rule>,
    extra: String,
}

impl From<Manifest> for RawManifest {
    fn from(manifest: Manifest) -> Self {
        Self {
            name: manifest.name,
            version: manifest.version,
            rubric: manifest.rubric,
            rules: manifest.rules.into_iter().map(raw_rule).collect(),
            extra: manifest.extra,
        }
    }
}

fn raw_rule(rule: Rule) -> RawRule {
    RawRule {
        id: rule.id,
        text: rule.text,
        tier: match rule.tier {
            Tier::Essential => verdict::RuleTier::Essential,
            Tier::Important => verdict::RuleTier::Important,
            Tier::Optional => verdict::RuleTier::Optional,
            Tier::MustNot => verdict::RuleTier::MustNot,
        },
        scope: match rule.scope {
            Scope::Output => verdict::Scope::Output,
            Scope::EachClaim => verdict::Scope::EachClaim,
        },
        needs: rule.needs,
    }
}
