//! `accredit revoke`: take a grader's authority away, at once; or lift a revocation.

use std::path::PathBuf;

use accredit_core::id::{Digest, GraderName};
use accredit_core::ledger::{Chain, Entry, Moment, Noted, Payload, Revoked, V1};
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::Tier;

use crate::authority::Registry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::in_use::components;
use crate::render::escape::terminal_text;
use crate::signing::{self, Signed};
use crate::store::Writing;
use crate::{clock, terminal};

/// Take a grader's authority away, at once; or lift a revocation
///
/// A revocation is of one component, and whoever may sign one may revoke. It is lifted with --lift by an
/// administrator of the root of trust.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The grader
    grader: GraderName,
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// The key: a private key, or a public one whose private half an agent or a hardware key holds
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The component [default: the one that lies there; else the last that was promoted, else registered]
    #[arg(long, value_name = "DIGEST", conflicts_with = "lift")]
    component: Option<Digest>,
    /// Lift the revocation of this entry: its number, or its payload's digest
    #[arg(long, value_name = "ENTRY")]
    lift: Option<String>,
    /// The root of the repository that holds the register
    #[arg(long, value_name = "DIR", default_value = ".")]
    register: PathBuf,
    /// The digest of the root of trust [default: ACCREDIT_ROOT_DIGEST]
    #[arg(long, value_name = "DIGEST")]
    root_digest: Option<Digest>,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        if self.reason.trim().is_empty() {
            return Err(Failure::Usage("--reason is empty: say why".to_owned()));
        }
        let registry = Registry::open(&self.register, self.root_digest, clock::now()?)?;
        let (payload, told) = match &self.lift {
            None => self.revocation(&registry)?,
            Some(lifted) => self.lifting(&registry, lifted)?,
        };
        let text = payload.to_json();
        let namespace = payload.kind().namespace();
        let signed =
            signing::sign(&registry, &self.key, &namespace, text.as_bytes(), registry.now)?;
        if self.lift.is_some() {
            by_admin(&registry, &signed)?;
        }
        let mut writing = Writing::open(&self.register)?;
        let who = terminal_text(&signed.who());
        let last = writing.append(&text, &[signed.armoured], registry.now)?;
        drop(writing);
        let now = Registry::open(&self.register, self.root_digest, registry.now)?;
        let mut left = Tier::Advisory;
        let stands = match now.authority(&self.grader) {
            Ok((authority, _)) => {
                left = authority.tier;
                let reasons: Vec<_> = authority.reasons.iter().map(|it| it.text()).collect();
                let because = if reasons.is_empty() { "" } else { ": " };
                format!("{}{because}{}", authority.tier, terminal_text(&reasons.join("; ")))
            }
            Err(failure) => format!("advisory: {}", terminal_text(&failure.to_string())),
        };
        terminal::print(&format!(
            "{told} by {who}: entry {} of the ledger of {}\n{} is now {stands}\n",
            last.seq, self.grader, self.grader
        ))?;
        if self.lift.is_none() && self.component.is_none() && left > Tier::Advisory {
            terminal::error(&format!(
                "{} still holds {left}: what was revoked is not what holds it. Name the component with --component",
                self.grader
            ));
            return Ok(Exit::NotMet);
        }
        Ok(Exit::Met)
    }

    fn revocation(&self, registry: &Registry) -> Result<(Payload, String), Failure> {
        let known = components(registry, &self.grader)?;
        let component = match self.component {
            Some(named) if known.iter().any(|(it, _)| *it == named) => named,
            Some(named) => {
                return Err(Failure::Usage(format!(
                    "{named}: is no component that the ledger of `{}` knows: `accredit ledger show {}` lists them",
                    self.grader, self.grader
                )));
            }
            None if known.iter().any(|(it, _)| Some(*it) == here(registry, &self.grader)) => {
                here(registry, &self.grader).unwrap_or(known[0].0)
            }
            None => known
                .iter()
                .find(|(_, promoted)| *promoted)
                .or_else(|| known.first())
                .map(|(component, _)| *component)
                .ok_or_else(|| {
                    Failure::Usage(format!(
                        "no component of `{}` was registered: there is nothing to revoke",
                        self.grader
                    ))
                })?,
        };
        let payload = Payload::Revoked(Revoked {
            v: V1,
            grader: self.grader.clone(),
            component,
            at: registry.now,
            reason: Untrusted::new(self.reason.as_str()),
        });
        Ok((payload, format!("component {} is revoked", component.short())))
    }

    fn lifting(&self, registry: &Registry, lifted: &str) -> Result<(Payload, String), Failure> {
        let chain = &registry.books(&self.grader)?.main;
        let entry = entry(chain, lifted)?;
        let Payload::Revoked(revoked) = entry.payload() else {
            return Err(Failure::Usage(format!(
                "entry {} of the ledger of `{}` is no revocation but a `{}` entry: `accredit ledger show {}` lists them",
                entry.seq(),
                self.grader,
                entry.payload().kind(),
                self.grader
            )));
        };
        let payload =
            noted(&self.grader, registry.now, &self.reason, None, Some(entry.payload_digest()));
        let (component, seq) = (revoked.component.short(), entry.seq());
        Ok((payload, format!("the revocation of component {component} (entry {seq}) is lifted")))
    }
}

/// A remark.
pub(super) fn noted(
    grader: &GraderName,
    at: Moment,
    text: &str,
    corrects: Option<Digest>,
    lifts: Option<Digest>,
) -> Payload {
    let (grader, text) = (grader.clone(), Untrusted::new(text));
    Payload::Noted(Noted { v: V1, grader, at, text, corrects, lifts, failure: None })
}

/// The entry that is meant: by its number, or by its payload's digest.
pub(super) fn entry<'c>(chain: &'c Chain, meant: &str) -> Result<Entry<'c>, Failure> {
    let found = match (meant.parse::<u64>(), meant.parse::<Digest>()) {
        (Ok(seq), _) => chain.entry(seq),
        (_, Ok(digest)) => chain.referred(digest, u64::MAX),
        _ => None,
    };
    found.ok_or_else(|| {
        Failure::Usage(format!(
            "the ledger of `{}` has no such entry: give its number, from 1 to {}, or its payload's digest",
            chain.grader(),
            chain.len()
        ))
    })
}

/// Only an administrator lifts.
fn by_admin(registry: &Registry, signed: &Signed) -> Result<(), Failure> {
    let admins = registry.trust.root.admins();
    if signed.signers.iter().any(|signer| admins.contains(&signer.principal)) {
        return Ok(());
    }
    let admins: Vec<_> = admins.into_iter().collect();
    let admins = if admins.is_empty() { "nobody yet".to_owned() } else { admins.join(", ") };
    Err(Failure::Signing(format!(
        "{} may not lift a revocation: administrators of the root of trust do ({admins}). Nothing was appended",
        signed.who()
    )))
}

/// The component that lies in the repository.
fn here(registry: &Registry, name: &GraderName) -> Option<Digest> {
    let file = registry.file(name).ok()?;
    Some(registry.files_today(&file).ok()?.component)
}
