//! What came of a verification, in the ledger.

use std::path::Path;

use accredit_core::authority::{Authority, Reason};
use accredit_core::id::{Digest, GraderName};
use accredit_core::ledger::{FailedVerification, Invariant, Payload, PayloadKind, V1, Verified};
use accredit_core::verdict::Tier;

use super::Ask;
use super::rerun::Done;
use crate::authority::Registry;
use crate::clock;
use crate::failure::Failure;
use crate::store::Writing;
use crate::{signing, terminal};

/// Appends entries, signed by a verifier.
pub(super) struct Recorder<'a> {
    ask: &'a Ask<'a>,
    registry: &'a Registry,
    key: &'a Path,
}

impl<'a> Recorder<'a> {
    /// With this key.
    ///
    /// # Errors
    /// When its owner may not say that a grader was verified: found out before anything is run.
    pub(super) fn new(
        ask: &'a Ask<'a>,
        registry: &'a Registry,
        key: &'a Path,
    ) -> Result<Self, Failure> {
        let namespace = PayloadKind::Verified.namespace();
        let tried = b"accredit verify: may this key sign?";
        let signed = signing::sign(registry, key, &namespace, tried, registry.now)?;
        let verifiers = &registry.policy.policy.sign_off.verifiers;
        if signed.signers.iter().any(|signer| verifiers.contains(&signer.principal)) {
            return Ok(Self { ask, registry, key });
        }
        Err(Failure::Signing(format!(
            "{}: belongs to {}, who is no verifier: name one under [sign_off] in accredit.toml, or leave --key out",
            key.display(),
            signed.who()
        )))
    }

    /// A grader kept every promise.
    pub(super) fn verified(
        &self,
        (grader, component): (&GraderName, Digest),
        done: &Done,
        held: Tier,
    ) -> Result<(), Failure> {
        let at = clock::now()?;
        let digests = &done.run.started.digests;
        let payload = Payload::Verified(Verified {
            v: V1,
            grader: grader.clone(),
            component,
            ledger: self.registry.ledger(grader),
            record: done.record,
            report: Digest::of(&done.report),
            semantics: digests.semantics,
            regression: digests.regression,
            at,
            held,
        });
        let text = payload.to_json();
        let namespace = payload.kind().namespace();
        let signed = signing::sign(self.registry, self.key, &namespace, text.as_bytes(), at)?;
        self.append(&text, &[signed.armoured], Some(done))
    }

    /// A grader broke some. That counts without a signature too.
    pub(super) fn failed(
        &self,
        (grader, component): (&GraderName, Digest),
        done: Option<&Done>,
        why: Vec<Invariant>,
    ) -> Result<(), Failure> {
        let payload = Payload::FailedVerification(FailedVerification {
            v: V1,
            grader: grader.clone(),
            component,
            record: done.map(|done| done.record),
            why,
        });
        let (text, at) = (payload.to_json(), clock::now()?);
        let namespace = payload.kind().namespace();
        let signatures = match signing::sign(
            self.registry,
            self.key,
            &namespace,
            text.as_bytes(),
            at,
        ) {
            Ok(signed) => vec![signed.armoured],
            Err(failure) => {
                terminal::warning(&format!(
                    "{failure}\nThat {grader} failed is entered unsigned: it counts all the same"
                ));
                Vec::new()
            }
        };
        self.append(&text, &signatures, done)
    }

    /// The entry that says the same already, and that nothing has taken back since.
    pub(super) fn is_told(&self, authority: &Authority, broke: &[Invariant]) -> Option<u64> {
        // That it failed before is what keeps it from being fresh: no news either.
        let news = |broke: &[&str]| -> Vec<String> {
            let stale = Invariant::VerificationIsFresh.name();
            broke.iter().filter(|it| **it != stale).map(|it| (*it).to_owned()).collect()
        };
        let now: Vec<_> = broke.iter().map(|it| it.name()).collect();
        authority.reasons.iter().find_map(|reason| match reason {
            Reason::FailedVerification { entry, broke } => {
                let then: Vec<_> = broke.iter().map(String::as_str).collect();
                (news(&then) == news(&now)).then_some(*entry)
            }
            _ => None,
        })
    }

    /// The objects first, so that no entry names what is not there.
    fn append(
        &self,
        payload: &str,
        signatures: &[String],
        done: Option<&Done>,
    ) -> Result<(), Failure> {
        let mut register = Writing::open(self.ask.register)?;
        if let Some(done) = done {
            for object in done.files.objects() {
                register.put(&object)?;
            }
            if let Some(lines) = &done.lines {
                register.put(lines)?;
            }
            register.put(&done.report)?;
        }
        register.append(payload, signatures, clock::now()?)?;
        Ok(())
    }
}
