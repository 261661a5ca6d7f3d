//! Whether a signature that was just made counts, and who else must sign.

use std::collections::BTreeSet;

use accredit_core::id::Digest;
use accredit_core::keys::{People, Quorum, Root, Signature, Signer, Signers, quorum};
use accredit_core::ledger::{Book, Chain, Moment, Payload, Registered, Work};
use accredit_core::policy::{Policy, SignOff};
use accredit_core::statement::{Statement, TrustVersions};
use accredit_core::verdict::Tier;

use super::Job;
use super::what::What;
use crate::failure::Failure;
use crate::read;
use crate::trust::{self, Kept, ROOT_PATH, Trust, facts};

/// What is told at the end.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) lines: Vec<String>,
    pub(super) warnings: Vec<String>,
    /// Whether the signature counts for anything.
    pub(super) counts: bool,
}

/// The root whose administrators sign this file: the one in force, or for a root the one before it.
pub(super) fn governing(job: &Job<'_>) -> Result<Root, Failure> {
    let objects = |digest| trust::object(job.register, digest);
    if let What::Root(root) = job.what {
        let Some(previous) = root.previous else { return Ok(root.clone()) };
        let bytes = objects(previous)?.ok_or_else(|| {
            Failure::Signing(format!(
                "{}: it takes the place of {previous}, which is not among the register's objects: put that root's file there first",
                job.file.display()
            ))
        })?;
        let before = read::root_of("the root before it", &bytes)?;
        if before.version.checked_add(1) != Some(root.version) {
            return Err(Failure::Signing(format!(
                "{}: its version is {}, and the root before it has {}: count up by one",
                job.file.display(),
                root.version,
                before.version
            )));
        }
        return Ok(before);
    }
    let named = TrustVersions { policy: 0, signers: 0 };
    let trust = Trust::load(job.register, job.pinned, named, &objects)?;
    let Some((_, root)) = trust.root.root() else {
        return Err(Failure::Signing(format!(
            "there is no root of trust ({ROOT_PATH}): `accredit init` makes one, and its administrators sign this file"
        )));
    };
    let version = (job.what.version(), Digest::of(job.bytes));
    let kept = Kept::new(job.register);
    match trust::signed_otherwise(root, job.what.namespace(), version, &kept, &objects)? {
        None => Ok(root.clone()),
        Some(other) => Err(Failure::Signing(format!(
            "{}: version {} was signed before, with other bytes ({other}): count the version up, then sign",
            job.file.display(),
            version.0
        ))),
    }
}

/// How a file of the register stands.
pub(super) fn of_administrators(job: &Job<'_>, root: &Root, signatures: &[Signature]) -> Told {
    let Quorum { asked, signed, missing, .. } =
        quorum(root, job.what.namespace(), job.bytes, signatures);
    let mut told = Told { counts: true, ..Told::default() };
    let count = signed.len() as u64;
    let names: Vec<_> = signed.into_iter().collect();
    told.lines.push(format!("signed by {} ({count} of {asked} administrators)", names.join(", ")));
    if count < asked {
        let open: Vec<_> = missing.into_iter().collect();
        told.lines.push(format!(
            "{} more of {} must sign: `accredit sign {} --key KEY`",
            asked - count,
            open.join(", "),
            job.file.display()
        ));
    } else if matches!(job.what, What::Root(root) if root.previous.is_none()) {
        let digest = Digest::of(job.bytes);
        told.lines.push(format!(
            "the first root needs no signature: it is believed where its digest is pinned, {digest}"
        ));
    } else {
        told.lines.push("nobody else must sign it".to_owned());
    }
    told
}

/// How a statement or an entry stands: `own` was made last, or before by the same key.
pub(super) fn of_signers(
    job: &Job<'_>,
    own: &Signature,
    signatures: &[Signature],
) -> Result<Told, Failure> {
    if !job.register.join(".accredit").is_dir() {
        let warning =
            "there is no register here (--register DIR): whether the signature counts is not known";
        return Ok(Told { warnings: vec![warning.to_owned()], counts: true, ..Told::default() });
    }
    let objects = |digest| trust::object(job.register, digest);
    let named = TrustVersions { policy: 0, signers: 0 };
    let trust = Trust::load(job.register, job.pinned, named, &objects)?;
    let mut told = Told::default();
    told.warnings.extend(trust.missing());
    let own = match job.by(own, &trust.signers) {
        Ok(own) => own,
        Err(why) => {
            told.warnings.push(format!("this signature counts for nobody: {why}"));
            return Ok(told);
        }
    };
    let names: Vec<_> = own.iter().map(|signer| signer.principal.as_str()).collect();
    told.lines.push(format!("signed by {}", names.join(", ")));
    told.counts = true;
    let sign_off = policy(job)?.sign_off;
    match job.what {
        What::Statement(statement) => {
            let all = signatures.iter().filter_map(|it| job.by(it, &trust.signers).ok()).flatten();
            let all: Vec<_> = all.collect();
            let authors = authors(job, statement, &trust.signers)?;
            let tier = (statement.predicate.tier, &sign_off);
            promotion(tier, &own, &all, &authors, trust.signers.people(), &mut told);
            outdated(statement, &trust, &mut told);
        }
        What::Payload(payload) => entry(payload, &sign_off, &trust, &own, &mut told),
        What::Policy(_) | What::Signers(_) | What::Root(_) => {}
    }
    Ok(told)
}

impl Job<'_> {
    /// Who made this signature, if it counts now.
    fn by(&self, signature: &Signature, signers: &Signers) -> Result<Vec<Signer>, String> {
        let stated = match self.what {
            What::Payload(payload) => match &**payload {
                Payload::Verified(it) => Some(it.at),
                Payload::Revoked(it) => Some(it.at),
                Payload::Noted(it) => Some(it.at),
                Payload::Decided(it) => Some(it.at),
                _ => None,
            },
            _ => None,
        };
        let moments: Vec<Moment> = [Some(self.now), stated].into_iter().flatten().collect();
        signers
            .check(signature, self.what.namespace(), self.bytes, &moments)
            .map_err(|fault| fault.to_string())
    }
}

fn policy(job: &Job<'_>) -> Result<Policy, Failure> {
    let path = job.register.join(trust::POLICY_PATH);
    if path.exists() { Ok(read::policy(&path)?.policy) } else { Ok(Policy::default()) }
}

/// Whether the promotion has the signatures that the policy asks for: `own` is the one in question, `all` are
/// those that there are.
fn promotion(
    (tier, sign_off): (Tier, &SignOff),
    own: &[Signer],
    all: &[Signer],
    authors: &BTreeSet<String>,
    people: &People,
    told: &mut Told,
) {
    let asked = match tier {
        Tier::Gating => sign_off.gating.max(1),
        _ => sign_off.characterization.max(1),
    } as usize;
    let may = |signer: &&Signer| sign_off.promoters.contains(&signer.principal);
    if let Some(author) = own.iter().find(|signer| authors.contains(&signer.person)) {
        told.counts = false;
        told.warnings.push(format!(
            "{} wrote the grader or its controls: the promotion does not count while it bears this signature",
            author.principal
        ));
    } else if !own.iter().any(|signer| may(&signer)) {
        told.counts = false;
        let who = "this signer may not promote: [sign_off] promoters in accredit.toml names others";
        told.warnings.push(who.to_owned());
    }
    let signed: BTreeSet<_> = all
        .iter()
        .filter(may)
        .filter(|signer| !authors.contains(&signer.person))
        .map(|signer| signer.person.as_str())
        .collect();
    told.lines.push(format!("{tier} takes {asked} that count, and has {}", signed.len()));
    let open = sign_off.promoters.iter().filter(|name| {
        let person = people.person(name);
        !signed.contains(person) && !authors.contains(person)
    });
    let open: Vec<_> = open.map(String::as_str).collect();
    told.lines.push(match asked.saturating_sub(signed.len()) {
        0 => "nobody else must sign it".to_owned(),
        more if open.is_empty() => {
            format!("{more} more must sign, and the policy names nobody else who may")
        }
        more => format!("{more} more must sign: one of {}", open.join(", ")),
    });
}

/// What the statement rests on that is another by now.
fn outdated(statement: &Statement, trust: &Trust, told: &mut Told) {
    let predicate = &statement.predicate;
    let root = trust.root.root().map(|(digest, _)| digest);
    if predicate.root != root || predicate.trust != trust.versions() {
        told.warnings.push(
            "the root, the policy or the signers in force are not those that the statement names: make it again with `accredit promote`".to_owned(),
        );
    }
}

/// What a signature on an entry is worth.
fn entry(payload: &Payload, sign_off: &SignOff, trust: &Trust, own: &[Signer], told: &mut Told) {
    let is = |names: &[String]| own.iter().any(|signer| names.contains(&signer.principal));
    let admins: Vec<_> = trust.root.admins().into_iter().collect();
    let (counts, who) = match payload {
        Payload::Verified(_) => {
            (is(&sign_off.verifiers), "a verifier ([sign_off] verifiers in accredit.toml)")
        }
        Payload::Decided(_) => {
            (is(&sign_off.promoters), "a promoter ([sign_off] promoters in accredit.toml)")
        }
        Payload::Noted(noted) if noted.lifts.is_some() => {
            (is(&admins), "an administrator of the root of trust, to lift a revocation")
        }
        _ => (true, ""),
    };
    if !counts {
        told.counts = false;
        told.warnings.push(format!("this signer is not {who}: the signature changes nothing"));
    }
}

/// The persons who wrote the component or its controls, as far as the ledger tells.
fn authors(
    job: &Job<'_>,
    statement: &Statement,
    signers: &Signers,
) -> Result<BTreeSet<String>, Failure> {
    let grader = &statement.predicate.grader;
    let folder = job.register.join(".accredit/ledger");
    let path = folder.join(format!("{grader}.jsonl"));
    if !path.exists() {
        return Ok(BTreeSet::new());
    }
    let (bytes, head) = (
        trust::bounded(&path, LEDGER)?,
        trust::bounded(&folder.join(format!("{grader}.head")), LEDGER)?,
    );
    let reading = Chain::read(grader.clone(), Book::Main, bytes, Some(&head))
        .map_err(|damage| Failure::Integrity(format!("{}: {damage}", path.display())))?;
    let (component, controls) = (statement.component(), statement.predicate.evidence.controls);
    let mut authors = BTreeSet::new();
    for entry in reading.chain.entries() {
        let Payload::Registered(it) = entry.payload() else { continue };
        if !concerns(it, component, controls) {
            continue;
        }
        authors.extend(it.authors.iter().map(|name| signers.people().person(name).to_owned()));
        let signed = facts::signatures(entry, signers).into_iter().flatten().flatten();
        authors.extend(signed.map(|signer| signer.person));
    }
    Ok(authors)
}

/// Whether a registration tells who wrote this component, or these controls.
fn concerns(it: &Registered, component: Option<Digest>, controls: Digest) -> bool {
    let wrote = |work| it.wrote.contains(&work);
    (wrote(Work::Grader) && Some(it.component) == component)
        || (wrote(Work::Controls) && it.controls == controls)
}

/// No ledger is longer.
const LEDGER: u64 = 1024 * 1024 * 1024;
