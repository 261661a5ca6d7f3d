//! From a run record to a statement that people can sign, and from a signed statement to a promotion.

use std::fs;
use std::path::{Path, PathBuf};

use accredit_core::authority::{self, Act, Authority, Fact, Reason};
use accredit_core::id::{Digest, GraderName};
use accredit_core::keys::{PROMOTION, Signature, Signer};
use accredit_core::ledger::{Moment, Payload, Promoted, Superseded, V1};
use accredit_core::report::Report;
use accredit_core::run::event::HeldOutFacts;
use accredit_core::run::fold::Run;
use accredit_core::run::part::{evidence_digest, run_digest};
use accredit_core::statement::{Statement, Terms};
use accredit_core::verdict::Tier;
use sha2::{Digest as _, Sha256};

use crate::authority::Registry;
use crate::failure::Failure;
use crate::failures;
use crate::read::GraderFile;
use crate::registered::{FileDigests, Files};
use crate::store::Writing;
use crate::{check, random, record, render, signing};

const DAY: i64 = 86_400;

/// What a statement is made from.
pub struct Evidence {
    /// The run.
    pub run: Run,
    /// Its record's digest.
    pub record: Digest,
    /// The record's lines that are digested; their digest is the record's.
    pub lines: Vec<u8>,
    /// The report.
    pub report: Report,
    /// The report's bytes.
    pub report_bytes: Vec<u8>,
}

impl Evidence {
    /// Reads a record, and makes its report again.
    ///
    /// # Errors
    /// When it cannot be read, is incomplete, or was changed.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let fail = |error| Failure::Record { path: path.to_owned(), error };
        let read = record::read(path, false).map_err(fail)?;
        let bytes = fs::read(path).map_err(|error| Failure::unreadable(path, error))?;
        let lines = record::digested(&bytes);
        if Digest::of(&lines) != read.digest {
            return Err(Failure::Integrity(format!(
                "{}: it was changed while it was read: run the command again",
                path.display()
            )));
        }
        Ok(Self::of(read.run, read.digest, lines))
    }

    /// The evidence in these lines of a record.
    #[must_use]
    pub fn of(run: Run, record: Digest, lines: Vec<u8>) -> Self {
        let report = Report::new(&run, record);
        let report_bytes = render::json::report(&report).into_bytes();
        Self { run, record, lines, report, report_bytes }
    }

    /// Whether it is an author's copy, which leaves out what a promotion rests on.
    #[must_use]
    pub fn is_copy(&self) -> bool {
        self.run.started.held_out.as_ref().is_some_and(HeldOutFacts::is_withheld)
    }

    /// Whether it tells of controls that an author must not see.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.run.started.held_out.is_some()
    }
}

/// Everything that keeps a record from being evidence for what lies in the repository today.
///
/// # Errors
/// All of it at once, with what to do.
pub fn fits(
    registry: &Registry,
    (file, today): (&GraderFile, &FileDigests),
    evidence: &Evidence,
) -> Result<(), Failure> {
    let started = &evidence.run.started;
    let name = &started.grader.manifest.name;
    let differs = differences(registry, (file, today), evidence);
    let mut faults: Vec<_> = differs
        .into_iter()
        .map(|what| format!("{what} is not what the record was made of"))
        .collect();
    if (started.seed, started.repeats) != (file.seed, file.repeats) {
        faults.push(format!(
            "the record was made with seed {} and {} repeats, and the grader is registered with {} and {}: they must be the same for it to be run again",
            started.seed, started.repeats, file.seed, file.repeats
        ));
    }
    if let Some(facts) = &started.held_out {
        let (looks, runs) = registry.looks(&started.set.rubric, facts.digest);
        let allowed = u64::from(registry.policy.policy.looks);
        if !runs.contains(&run_digest(started)) {
            faults.push("its held-out results were opened, and no ledger was told before: `accredit check` tells it with --register".to_owned());
        } else if looks.len() as u64 > allowed {
            faults.push(format!(
                "the held-out set was looked at {} times, and the policy allows {allowed}: it is open now, and takes a fresh one",
                looks.len()
            ));
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "nothing can be promoted on this record:\n  {}\nRun `accredit check` on what is registered as `{name}`, and promote that",
        faults.join("\n  ")
    )))
}

/// What differs between the record and today.
fn differences(
    registry: &Registry,
    (file, today): (&GraderFile, &FileDigests),
    evidence: &Evidence,
) -> Vec<&'static str> {
    let started = &evidence.run.started;
    let digests = &started.digests;
    let semantics = accredit_engine::Semantics::of(&file.limits).fingerprint;
    [
        ("the component", started.grader.digest == today.component),
        ("the control set", digests.controls == today.controls),
        ("the set's regression controls", digests.regression == today.regression),
        ("the policy (accredit.toml)", digests.policy == registry.policy.digest),
        ("the contract", digests.contract == check::contract()),
        (
            "the engine with its limits (accredit's version, --fuel and the like)",
            digests.semantics == semantics,
        ),
    ]
    .into_iter()
    .filter(|(_, same)| !same)
    .map(|(what, _)| what)
    .collect()
}

/// A statement that waits for signatures.
pub struct Proposal {
    /// What is to be signed.
    pub statement: Statement,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Where it stands.
    pub path: PathBuf,
}

/// Makes the statement of a promotion, and puts everything that it rests on into the register. What tells of
/// held-out controls is left out: the register is where authors can read it.
///
/// # Errors
/// When the report does not reach the tier, or the record is not of what lies there today.
pub fn propose(
    registry: &Registry,
    register: &Writing,
    evidence: &Evidence,
    tier: Tier,
) -> Result<Proposal, Failure> {
    let name = &evidence.run.started.grader.manifest.name;
    registry.books(name)?;
    let file = registry.file(name)?;
    let files = Files::in_repository(registry.register.repository(), &file)?;
    fits(registry, (&file, &files.digests()), evidence)?;
    let open = failures::wrong_in(registry, name, &evidence.run)?;
    if !open.is_empty() {
        return Err(Failure::Usage(format!(
            "nothing is promoted while failures found in use are open: the record has these wrong: {}. Mend the grader, and check again",
            open.join(", ")
        )));
    }
    let missing = failures::counts(registry, name)?.missing;
    if missing > 0 {
        return Err(Failure::Usage(format!(
            "nothing is promoted while failures found in use are in no control ({missing}): `accredit failures {name}` names them. Put their controls back, and check again"
        )));
    }
    let days = i64::from(registry.policy.policy.promotion_days);
    let not_after = registry.now.seconds().saturating_add(days.saturating_mul(DAY));
    let terms = Terms {
        tier,
        sha256: Sha256::digest(&files.component).iter().map(|byte| format!("{byte:02x}")).collect(),
        report: Digest::of(&evidence.report_bytes),
        replay: evidence_digest(&evidence.run),
        ledger: registry.ledger(name),
        root: registry.trust.root.root().map(|(digest, _)| digest),
        trust: registry.trust.versions(),
        made_at: registry.now,
        not_after: Moment::from_seconds(not_after).unwrap_or(registry.now),
        nonce: random::hex::<16>()?,
    };
    let statement = Statement::new(&evidence.report, terms)?;
    let bytes = statement.to_bytes();
    for object in files.objects() {
        register.put(&object)?;
    }
    register.put(&registry.policy.bundle())?;
    if !evidence.is_private() {
        register.put(&evidence.lines)?;
        register.put(&evidence.report_bytes)?;
    }
    let within = format!("pending/{name}-{tier}-{}.json", &statement.predicate.nonce[..8]);
    register.write_new(&within, &bytes)?;
    Ok(Proposal { statement, bytes, path: register.folder().join(within) })
}

/// What a statement with its signatures comes to.
pub struct Checked {
    /// What is signed.
    pub statement: Statement,
    /// Whose signatures count.
    pub signers: Vec<Signer>,
    /// What each that does not count is wrong with.
    pub refused: Vec<String>,
    /// What would be granted.
    pub authority: Authority,
    /// The component that lies there.
    pub component: Digest,
}

/// Reads a statement's file.
///
/// # Errors
/// When it is none.
pub fn statement(path: &Path, bytes: &[u8]) -> Result<Statement, Failure> {
    serde_json::from_slice(bytes).map_err(|error| {
        Failure::Usage(format!(
            "{}: is no statement of a promotion: {error}. `accredit promote RECORD --to TIER` makes one",
            path.display()
        ))
    })
}

/// Checks a statement with these signatures against the register as it stands today: what appending it would
/// grant.
///
/// # Errors
/// When the grader's files cannot be read, or the register is damaged.
pub fn check(
    registry: &Registry,
    statement: Statement,
    bytes: &[u8],
    signatures: &[Signature],
) -> Result<Checked, Failure> {
    let name = statement.predicate.grader.clone();
    let (mut signers, mut refused) = (Vec::new(), Vec::new());
    for signature in signatures {
        match signing::whose(registry, signature, PROMOTION, bytes, registry.now) {
            Ok(found) => signers.extend(found),
            Err(why) => refused.push(why),
        }
    }
    signers.sort();
    signers.dedup();
    let file = registry.file(&name)?;
    let files = registry.files_today(&file)?;
    let mut facts = registry.facts(&name, files.component)?;
    let seq = registry.books(&name)?.main.len() + 1;
    let act = Act::Promoted { statement: Box::new(statement.clone()) };
    facts.push(Fact { seq, at: registry.now.seconds(), signers: signers.clone(), act });
    let today = registry.today(&name, &files, &file);
    let mut authority = registry.by(&facts, &today);
    // Another promotion may hold meanwhile: what is asked is what this one would come to.
    let never = authority::why_not(&facts, &today, &registry.rules(), seq);
    if !never.is_empty() {
        (authority.tier, authority.reasons) = (Tier::Advisory, never);
    }
    let component = files.component;
    Ok(Checked { statement, signers, refused, authority, component })
}

/// What would stand in the way of a statement, however many sign it.
///
/// # Errors
/// As [`check`].
pub fn in_the_way(registry: &Registry, proposal: &Proposal) -> Result<Vec<String>, Failure> {
    let checked = check(registry, proposal.statement.clone(), &proposal.bytes, &[])?;
    let reasons = checked.authority.reasons.iter();
    let others = reasons.filter(|reason| !matches!(reason, Reason::TooFewSigners { .. }));
    let mut told: Vec<_> = others.map(Reason::text).collect();
    // Those who sign may suffice, and something else still take it away at once.
    let facts = registry.facts(&proposal.statement.predicate.grader, checked.component)?;
    let revoked = facts.iter().filter_map(|fact| match &fact.act {
        Act::Revoked { component, .. } if *component == checked.component => Some(fact.seq),
        _ => None,
    });
    let lifted = |entry: &u64| {
        facts
            .iter()
            .any(|fact| matches!(fact.act, Act::Lifted { revocation } if revocation == *entry))
    };
    told.extend(revoked.filter(|entry| !lifted(entry)).map(|entry| {
        format!("it was revoked (entry {entry}): an administrator lifts that with `accredit revoke --lift {entry}`")
    }));
    Ok(told)
}

/// Whether the statement is in the grader's ledger already.
#[must_use]
pub fn is_entered(registry: &Registry, name: &GraderName, statement: Digest) -> Option<u64> {
    let books = registry.books(name).ok()?;
    let entry = books.main.entries().find(
        |entry| matches!(entry.payload(), Payload::Promoted(it) if it.statement == statement),
    )?;
    Some(entry.seq())
}

/// Appends a promotion, and what says that it takes the place of another component. Returns its entry.
///
/// # Errors
/// When the register cannot be written.
pub fn append(
    registry: &Registry,
    register: &mut Writing,
    (statement, bytes): (&Statement, &[u8]),
    armoured: &[Vec<u8>],
) -> Result<u64, Failure> {
    let grader = statement.predicate.grader.clone();
    let component = statement.component().ok_or_else(|| {
        Failure::Usage("the statement is of no kind that this version knows".to_owned())
    })?;
    let before = promoted_last(registry, &grader)?;
    let digest = register.put(bytes)?;
    let signatures = armoured.iter().map(|it| register.put(it)).collect::<Result<_, _>>()?;
    let tier = statement.predicate.tier;
    let promoted =
        Promoted { v: V1, grader: grader.clone(), component, tier, statement: digest, signatures };
    let last = register.append(&Payload::Promoted(promoted).to_json(), &[], registry.now)?;
    if let Some(before) = before.filter(|before| *before != component) {
        let superseded = Superseded { v: V1, grader, component: before, by: component };
        register.append(&Payload::Superseded(superseded).to_json(), &[], registry.now)?;
    }
    Ok(last.seq)
}

/// The component that was promoted last.
fn promoted_last(registry: &Registry, name: &GraderName) -> Result<Option<Digest>, Failure> {
    let entries = registry.books(name)?.main.entries();
    Ok(entries.rev().find_map(|entry| match entry.payload() {
        Payload::Promoted(it) => Some(it.component),
        _ => None,
    }))
}
