//! What persons said of results of the gate: where it is kept in a register, and whose signature is on it.

use std::collections::BTreeMap;

use accredit_core::authority::authors;
use accredit_core::gate::GateReport;
use accredit_core::gate::persons::{Choice, Heard, Said, Word};
use accredit_core::id::{Digest, GraderName};
use accredit_core::keys::{DECISION, Signature};
use accredit_core::ledger::Moment;
use accredit_core::statement::{Subject, SubjectDigest};
use sha2::{Digest as _, Sha256};

use crate::authority::Registry;
use crate::failure::Failure;
use crate::registered::Files;
use crate::store::{Writing, place};
use crate::{random, signing};

/// No word and no signature is longer.
const LONGEST: u64 = 1 << 20;

/// Every word that a register holds, each with whose signature is on it.
///
/// # Errors
/// With exit code 5, when one of them is none, or others can write it.
pub fn heard(registry: &Registry) -> Result<Vec<Heard>, Failure> {
    let names = registry.register.names(place::DECISIONS)?;
    let words = names.iter().filter(|name| name.ends_with(".json"));
    words.map(|name| one(registry, name)).collect()
}

fn one(registry: &Registry, name: &str) -> Result<Heard, Failure> {
    let within = format!("{}/{name}", place::DECISIONS);
    let shown = registry.register.folder().join(&within);
    let bytes = registry.register.read(&within, LONGEST)?.unwrap_or_default();
    let word: Option<Word> = serde_json::from_slice(&bytes).ok();
    let word = word.filter(Word::is_known).ok_or_else(|| {
        Failure::Integrity(format!(
            "{}: is no decision on a gate that this version knows: restore it from version control, or take it out",
            shown.display()
        ))
    })?;
    let signature = registry.register.read(format!("{within}.sig"), LONGEST)?;
    let signature = signature.ok_or("nobody signed it".to_owned());
    let signature =
        signature.and_then(|it| Signature::parse(&it).map_err(|fault| fault.to_string()));
    Ok(signed(registry, word.predicate, &bytes, signature))
}

/// What was said, with whose signature is on it.
fn signed(
    registry: &Registry,
    said: Said,
    bytes: &[u8],
    signature: Result<Signature, String>,
) -> Heard {
    let at = said.made_at;
    let by = signature.and_then(|it| signing::whose(registry, &it, DECISION, bytes, at));
    match by {
        Ok(by) => {
            let by = by.into_iter().map(|signer| (signer.principal, signer.person)).collect();
            Heard { said, by, why_not: None }
        }
        Err(why) => Heard { said, by: Vec::new(), why_not: Some(why) },
    }
}

/// Of each grader of a gate the persons who wrote it or its controls.
///
/// # Errors
/// When a ledger or a grader's files cannot be read.
pub fn authors_of(
    registry: &Registry,
    report: &GateReport,
) -> Result<BTreeMap<GraderName, Vec<String>>, Failure> {
    let of = |name: &GraderName| -> Result<Vec<String>, Failure> {
        let file = registry.file(name)?;
        let digests = Files::in_repository(registry.register.repository(), &file)?.digests();
        let facts = registry.facts(name, digests.component)?;
        Ok(authors(&facts, &registry.today(name, &digests, &file), &registry.rules()))
    };
    report.graders.iter().map(|it| Ok((it.name.clone(), of(&it.name)?))).collect()
}

/// A word that is about to be signed.
#[derive(Debug, Clone)]
pub struct Draft<'a> {
    /// The report's file, by its name alone.
    pub name: String,
    /// Its bytes.
    pub report_bytes: &'a [u8],
    /// What it says.
    pub report: &'a GateReport,
    /// What the person chose.
    pub choice: Choice,
    /// Why.
    pub because: String,
    /// Now.
    pub now: Moment,
}

impl Draft<'_> {
    /// The word.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn word(&self) -> Result<Word, Failure> {
        let sha256 = Sha256::digest(self.report_bytes);
        let subject = Subject {
            name: self.name.clone(),
            digest: SubjectDigest {
                sha256: sha256.iter().map(|byte| format!("{byte:02x}")).collect(),
                blake3: Digest::of(self.report_bytes).hex(),
            },
        };
        Ok(Word::new(
            subject,
            Said {
                decides: self.report.decides,
                choice: self.choice,
                because: self.because.clone(),
                inventory: self.report.inventory.digest,
                policy: self.report.policy.digest,
                made_at: self.now,
                nonce: random::hex::<16>()?,
            },
        ))
    }
}

/// Keeps a signed word in the register; returns its path there.
///
/// # Errors
/// When the register cannot be written.
pub fn keep(register: &Writing, word: &Word, armoured: &str) -> Result<String, Failure> {
    let said = &word.predicate;
    let moment = said.made_at.to_string().replace([':', '-'], "");
    let name = format!("{moment}-{}-{}", said.choice.name(), &said.nonce[..8]);
    let within = format!("{}/{name}.json", place::DECISIONS);
    // The signature first: a word without one would be told as unsigned.
    register.write_new(&format!("{within}.sig"), armoured.as_bytes())?;
    register.write_new(&within, &word.to_bytes())?;
    Ok(register.folder().join(within).display().to_string())
}

/// What was said, as the register would hear it.
#[must_use]
pub fn as_heard(registry: &Registry, word: &Word, armoured: &str) -> Heard {
    let signature = Signature::parse(armoured.as_bytes()).map_err(|fault| fault.to_string());
    signed(registry, word.predicate.clone(), &word.to_bytes(), signature)
}
