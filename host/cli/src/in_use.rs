//! A wrong verdict in use, entered into a register: the control is run at once on the component that is in use,
//! and what comes of it stands in the grader's ledger.

use std::collections::BTreeSet;
use std::path::Path;

use accredit_core::authority::{Authority, Reason};
use accredit_core::control::set::Kind;
use accredit_core::failures::Judged;
use accredit_core::id::{ControlId, Digest, GraderName};
use accredit_core::keys::Signature;
use accredit_core::ledger::{
    FailedVerification, FailureNote, Invariant, Moment, Noted, Payload, PayloadKind, V1, Verified,
};
use accredit_core::untrusted::Untrusted;

use crate::addition::{self, Addition, Held};
use crate::authority::Registry;
use crate::failure::Failure;
use crate::read::GraderFile;
use crate::registered::{FileDigests, Files};
use crate::rerun::{self, Rerun, Terms};
use crate::store::Writing;
use crate::{clock, signing, terminal};

/// A registered grader in whose use a wrong verdict was seen. Nobody else writes the register meanwhile.
pub struct InUse {
    writing: Writing,
    registry: Registry,
    pinned: Option<Digest>,
    name: GraderName,
    file: GraderFile,
}

/// What a user says of a failure.
pub struct Words<'a> {
    /// What they saw.
    pub saw: &'a str,
    /// Which requirement of the product it broke.
    pub requirement: &'a str,
    /// Why it came to it.
    pub cause: &'a str,
}

/// What came of it.
pub struct Kept {
    /// The component that the controls were run on.
    pub component: Digest,
    /// What it did with the control.
    pub judged: Judged,
    /// The controls that were run.
    pub run: usize,
    /// Those that were wrong.
    pub wrong: Vec<ControlId>,
    /// The entry that keeps the failure.
    pub entry: u64,
    /// How often it was seen by now.
    pub seen: u64,
    /// The entry that says that the component failed, or is as good as it was.
    pub decided: Option<u64>,
    /// What the grader may do now.
    pub authority: Authority,
}

impl Kept {
    /// Whether a control was wrong only by what another machine might not have seen.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        !self.wrong.is_empty() && self.decided.is_none()
    }
}

/// An entry that was signed before anything is written.
struct Ready {
    payload: String,
    signatures: Vec<String>,
}

impl InUse {
    /// Opens the register, and makes sure that this is the grader's control set.
    ///
    /// # Errors
    /// When there is no such grader, or its control set is another; and as [`Registry::open`].
    pub fn open(
        repository: &Path,
        pinned: Option<Digest>,
        name: &GraderName,
        set: &Path,
    ) -> Result<Self, Failure> {
        let writing = Writing::open(repository)?;
        let registry = Registry::open(repository, pinned, clock::now()?)?;
        registry.books(name)?;
        let file = registry.file(name)?;
        let registered = repository.join(&file.controls);
        let whole =
            |path: &Path| path.canonicalize().map_err(|error| Failure::unreadable(path, error));
        if whole(&registered)? != whole(set)? {
            return Err(Failure::Usage(format!(
                "{}: is not the control set that `{name}` is registered with, which is {}: give that one",
                set.display(),
                registered.display()
            )));
        }
        Ok(Self { writing, registry, pinned, name: name.clone(), file })
    }

    /// Runs the regression controls, the new one among them; then keeps the control and enters the failure.
    ///
    /// # Errors
    /// When nothing can be run, or the key signs nothing that counts: then nothing was written. And when it cannot
    /// be written.
    pub fn keep(
        mut self,
        held: &Held,
        addition: &Addition,
        words: &Words<'_>,
        component: Option<Digest>,
        key: Option<&Path>,
    ) -> Result<Kept, Failure> {
        let mut files = Files::in_repository(self.registry.register.repository(), &self.file)?;
        if let Some(bytes) = &addition.bytes {
            files.regression.insert(addition::FILE.to_owned(), bytes.clone());
        }
        let digests = files.digests();
        for object in files.objects() {
            self.writing.put(&object)?;
        }
        let component = match component {
            Some(named) => named,
            None => in_use(&self.registry, &self.name, digests.component)?,
        };
        let rerun = self.run(&files, component, &addition.control.entry.id)?;
        let is_wrong = |(_, judged): &(&ControlId, &Judged)| !judged.right;
        let wrong: Vec<_> =
            rerun.judged.iter().filter(is_wrong).map(|(id, _)| id.clone()).collect();
        let ready = match wrong.is_empty() {
            true if component == digests.component => self.verified(&rerun, &digests, key)?,
            true => None,
            false => self.failed(&rerun, component, key),
        };
        held.write(addition)?;
        self.writing.put(&rerun.evidence.lines)?;
        self.writing.put(&rerun.evidence.report_bytes)?;
        let judged = self.judged(&rerun, addition);
        let found = self.found(addition, component, judged, words);
        let entry = self.append(&Ready { payload: found, signatures: Vec::new() })?;
        let decided = ready.map(|ready| self.append(&ready)).transpose()?;
        let content = addition.control.entry.case.content_digest();
        let seen = 1 + seen(&self.registry, &self.name, content);
        let repository = self.registry.register.repository();
        let now = Registry::open(repository, self.pinned, self.registry.now)?;
        let (authority, _) = now.authority(&self.name)?;
        Ok(Kept {
            component,
            judged,
            run: rerun.judged.len(),
            wrong,
            entry,
            seen,
            decided,
            authority,
        })
    }

    /// Runs the regression controls and this one.
    fn run(&self, files: &Files, component: Digest, control: &ControlId) -> Result<Rerun, Failure> {
        let bytes = self.writing.objects().get(component)?;
        let asked = rerun::asked(files, Path::new(&self.file.controls))?;
        let regression = asked.controls.iter().filter(|it| it.kind == Kind::Regression);
        let mut ids: BTreeSet<_> = regression.map(|it| it.entry.id.clone()).collect();
        ids.insert(control.clone());
        let terms = Terms::registered(&self.file, &self.registry.policy);
        rerun::rerun((&rerun::called(component), &bytes), asked, &ids, &terms)
    }

    fn judged(&self, rerun: &Rerun, addition: &Addition) -> Judged {
        let nothing = Judged { right: false, said: None, machine_dependent: false };
        rerun.judged.get(&addition.control.entry.id).copied().unwrap_or(nothing)
    }

    fn append(&mut self, ready: &Ready) -> Result<u64, Failure> {
        let last = self.writing.append(&ready.payload, &ready.signatures, self.registry.now)?;
        Ok(last.seq)
    }

    fn found(
        &self,
        addition: &Addition,
        component: Digest,
        judged: Judged,
        words: &Words<'_>,
    ) -> String {
        let entry = &addition.control.entry;
        let failure = FailureNote::Found {
            control: entry.id.clone(),
            content: entry.case.content_digest(),
            component,
            expected: entry.expect.verdict,
            rule: entry.expect.rule.clone(),
            got: judged.said,
            requirement: Untrusted::new(words.requirement),
            cause: Untrusted::new(words.cause),
        };
        Payload::Noted(Noted {
            v: V1,
            grader: self.name.clone(),
            at: self.registry.now,
            text: Untrusted::new(words.saw),
            corrects: None,
            lifts: None,
            failure: Some(failure),
        })
        .to_json()
    }

    /// That the component failed, where that is its own doing. It counts whoever tells of it, also unsigned.
    fn failed(&self, rerun: &Rerun, component: Digest, key: Option<&Path>) -> Option<Ready> {
        rerun.judged.values().any(|it| it.is_caught()).then(|| {
            let payload = Payload::FailedVerification(FailedVerification {
                v: V1,
                grader: self.name.clone(),
                component,
                record: Some(rerun.evidence.record),
                why: vec![Invariant::SeriousFailureNeverAveraged],
            })
            .to_json();
            let namespace = PayloadKind::FailedVerification.namespace();
            let sign = |key| {
                let bytes = payload.as_bytes();
                signing::sign(&self.registry, key, &namespace, bytes, self.registry.now)
            };
            let signatures = match key.map(sign) {
                Some(Ok(signed)) => vec![signed.armoured],
                Some(Err(failure)) => {
                    terminal::warning(&format!(
                        "{failure}\nThat it failed is entered unsigned: it counts all the same"
                    ));
                    Vec::new()
                }
                None => Vec::new(),
            };
            Ready { payload, signatures }
        })
    }

    /// That the component is as good as it was with one regression control more. The moment of its evidence stays
    /// what it was: a run of a few controls makes the evidence no younger.
    fn verified(
        &self,
        rerun: &Rerun,
        digests: &FileDigests,
        key: Option<&Path>,
    ) -> Result<Option<Ready>, Failure> {
        let facts = self.registry.facts(&self.name, digests.component)?;
        let today = self.registry.today(&self.name, digests, &self.file);
        let authority = self.registry.by(&facts, &today);
        let of_evidence = authority.verified_at.and_then(Moment::from_seconds);
        let (Some(held), Some(at)) = (authority.promoted_to, of_evidence) else { return Ok(None) };
        let is_due = authority.reasons.contains(&Reason::RegressionNotRun);
        if !is_due || authority.reasons.contains(&Reason::SemanticsChanged) {
            return Ok(None);
        }
        let Some(key) = key else { return Ok(None) };
        let payload = Payload::Verified(Verified {
            v: V1,
            grader: self.name.clone(),
            component: digests.component,
            ledger: self.registry.ledger(&self.name),
            record: rerun.evidence.record,
            report: Digest::of(&rerun.evidence.report_bytes),
            semantics: today.semantics,
            regression: digests.regression,
            at,
            held,
        })
        .to_json();
        let armoured = self.sign_verified(key, &payload, at)?;
        Ok(Some(Ready { payload, signatures: vec![armoured] }))
    }

    /// Signs a verification whose evidence is of that moment, by somebody who may say so.
    fn sign_verified(&self, key: &Path, payload: &str, at: Moment) -> Result<String, Failure> {
        let namespace = PayloadKind::Verified.namespace();
        let (registry, bytes) = (&self.registry, payload.as_bytes());
        let signed = signing::sign(registry, key, &namespace, bytes, registry.now)?;
        let wrong = |why: &dyn std::fmt::Display| {
            Failure::Signing(format!("{}: {why}. Nothing was written", key.display()))
        };
        let signature = Signature::parse(signed.armoured.as_bytes()).map_err(|it| wrong(&it))?;
        let signers =
            registry.trust.signers.check(&signature, &namespace, bytes, &[registry.now, at]);
        let signers = signers.map_err(|why| {
            wrong(&format!(
                "{why}: the evidence is of {at}, and the key must have been valid then as well; `accredit verify` makes new evidence"
            ))
        })?;
        let verifiers = &registry.policy.policy.sign_off.verifiers;
        match signers.iter().any(|it| verifiers.contains(&it.principal)) {
            true => Ok(signed.armoured),
            false => {
                Err(wrong(&format!("{} is not among the `verifiers` of the policy", signed.who())))
            }
        }
    }
}

/// The component that is in use: today's where the ledger knows it, else the last that was promoted, else the
/// last that was registered.
fn in_use(registry: &Registry, name: &GraderName, today: Digest) -> Result<Digest, Failure> {
    let known: Vec<_> = components(registry, name)?;
    let promoted = || known.iter().find(|(_, promoted)| *promoted);
    let component = known
        .iter()
        .find(|(component, _)| *component == today)
        .or_else(promoted)
        .or_else(|| known.first());
    component.map(|(component, _)| *component).ok_or_else(|| {
        Failure::Usage(format!(
            "no component of `{name}` is registered: `accredit register` enters it, or name the one that gave the verdict with --component"
        ))
    })
}

/// Every component that a grader's ledger registered or promoted, the last one first, and whether it promoted it.
///
/// # Errors
/// When there is no such grader.
pub fn components(registry: &Registry, name: &GraderName) -> Result<Vec<(Digest, bool)>, Failure> {
    let entries = registry.books(name)?.main.entries().rev();
    let of = |payload: &Payload| match payload {
        Payload::Promoted(it) => Some((it.component, true)),
        Payload::Registered(it) => Some((it.component, false)),
        _ => None,
    };
    Ok(entries.filter_map(|entry| of(entry.payload())).collect())
}

/// How often the ledger as it was read tells of a failure with this case.
fn seen(registry: &Registry, name: &GraderName, content: Digest) -> u64 {
    let Ok(books) = registry.books(name) else { return 0 };
    let same = |payload: &Payload| matches!(payload, Payload::Noted(Noted { failure: Some(FailureNote::Found { content: it, .. }), .. }) if *it == content);
    books.main.entries().filter(|entry| same(entry.payload())).count() as u64
}
