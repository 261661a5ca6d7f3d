//! What a file is that somebody is about to sign.

use std::fs;
use std::path::Path;

use accredit_core::keys::{AllowedSigners, POLICY, PROMOTION, ROOT, Root, SIGNERS};
use accredit_core::ledger::{Moment, Payload};
use accredit_core::policy::{Policy, Waiver};
use accredit_core::statement::Statement;

use crate::failure::Failure;
use crate::read;
use crate::trust::{POLICY_PATH, ROOT_PATH, SIGNERS_PATH};

/// Nothing that people sign is longer.
pub(super) const LONGEST: u64 = 16 * 1024 * 1024;

/// What is signed.
pub(super) enum What {
    Statement(Box<Statement>),
    Payload(Box<Payload>),
    Policy(Box<Policy>),
    Signers(AllowedSigners),
    Root(Root),
}

/// What this file is, and whether it is the register's own.
pub(super) fn recognised(
    file: &Path,
    bytes: &[u8],
    register: &Path,
    namespace: Option<&str>,
) -> Result<(What, bool), Failure> {
    let name = file.display().to_string();
    let place = [(POLICY_PATH, POLICY), (SIGNERS_PATH, SIGNERS), (ROOT_PATH, ROOT)];
    let place = place.into_iter().find(|(path, _)| is_same(file, &register.join(path)));
    let asked = namespace.filter(|name| [POLICY, SIGNERS, ROOT].contains(name));
    let what = match place.map(|(_, own)| own).or(asked) {
        Some(POLICY) => What::Policy(Box::new(read::policy_of(&name, bytes)?.policy)),
        Some(SIGNERS) => What::Signers(read::signers_of(&name, bytes)?),
        Some(_) => What::Root(read::root_of(&name, bytes)?),
        None => json(&name, bytes)?,
    };
    let own = what.namespace();
    match namespace {
        Some(other) if other != own => Err(Failure::Usage(format!(
            "{name}: this is {}, which is signed for `{own}`: leave --namespace out",
            what.called()
        ))),
        _ => Ok((what, place.is_some())),
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn json(name: &str, bytes: &[u8]) -> Result<What, Failure> {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let members: Option<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_str(text).ok();
    let Some(members) = members else {
        return Err(Failure::Usage(format!(
            "{name}: this is nothing that accredit has signed: name a promotion's statement, an entry's payload, or {POLICY_PATH}, {SIGNERS_PATH} or {ROOT_PATH} of the register (--register DIR). A copy of one of these three elsewhere needs --namespace"
        )));
    };
    if members.contains_key("_type") {
        let statement = serde_json::from_str(text).map_err(|error| {
            Failure::Usage(format!("{name}: this is no statement of a promotion: {error}"))
        })?;
        return Ok(What::Statement(Box::new(statement)));
    }
    let payload =
        Payload::parse(text).map_err(|fault| Failure::Usage(format!("{name}: {fault}")))?;
    // A ledger holds the payload without them, and a signature covers every byte.
    if text.trim() != text || text.contains(['\n', '\r']) {
        return Err(Failure::Usage(format!(
            "{name}: a payload is one line without a space or line end around it, as it will stand in the ledger: take them out, or the signature will not hold there"
        )));
    }
    Ok(What::Payload(Box::new(payload)))
}

impl What {
    pub(super) fn namespace(&self) -> &'static str {
        match self {
            Self::Statement(_) => PROMOTION,
            Self::Policy(_) => POLICY,
            Self::Signers(_) => SIGNERS,
            Self::Root(_) => ROOT,
            Self::Payload(payload) => match **payload {
                Payload::Registered(_) => "registered.v1@accredit",
                Payload::Looked(_) => "looked.v1@accredit",
                Payload::Promoted(_) => "promoted.v1@accredit",
                Payload::Verified(_) => "verified.v1@accredit",
                Payload::FailedVerification(_) => "failed-verification.v1@accredit",
                Payload::Revoked(_) => "revoked.v1@accredit",
                Payload::Superseded(_) => "superseded.v1@accredit",
                Payload::Noted(_) => "noted.v1@accredit",
                Payload::Decided(_) => "decided.v1@accredit",
            },
        }
    }

    fn called(&self) -> &'static str {
        match self {
            Self::Statement(_) => "a promotion's statement",
            Self::Payload(_) => "the payload of a ledger entry",
            Self::Policy(_) => "the policy",
            Self::Signers(_) => "the list of those who may sign",
            Self::Root(_) => "the root of trust",
        }
    }

    /// The version that it states, where it is a file of the register.
    pub(super) fn version(&self) -> u64 {
        match self {
            Self::Policy(policy) => policy.version,
            Self::Signers(file) => file.version,
            Self::Root(root) => root.version,
            Self::Statement(_) | Self::Payload(_) => 0,
        }
    }

    /// Refuses what no signature would make of use.
    pub(super) fn may_be_signed(&self, now: Moment) -> Result<(), Failure> {
        let Self::Statement(statement) = self else { return Ok(()) };
        let predicate = &statement.predicate;
        let why = if statement.component().is_none() {
            "it is of no kind that this version of accredit knows, or leaves a tier out"
        } else if predicate.not_after < now {
            "it has run out"
        } else {
            return Ok(());
        };
        Err(Failure::Usage(format!(
            "the statement grants nothing: {why}. Make it again with `accredit promote`"
        )))
    }

    /// What is signed, in a line or a few.
    pub(super) fn told(&self) -> Vec<String> {
        match self {
            Self::Statement(statement) => statement_told(statement),
            Self::Payload(payload) => {
                vec![format!("signing a `{}` entry of `{}`", payload.kind(), payload.grader())]
            }
            Self::Policy(policy) => {
                let who = &policy.sign_off;
                let first = format!(
                    "signing the policy, version {}: {} to sign for gating, {} for characterization; promoters: {}; verifiers: {}",
                    policy.version,
                    who.gating,
                    who.characterization,
                    listed(&who.promoters),
                    listed(&who.verifiers)
                );
                let judges: Vec<_> = policy.judges.iter().map(|it| it.to_string()).collect();
                let judges = (!judges.is_empty()).then(|| {
                    format!(
                        "held to a judge's bars, and blocking pending a person where the gate may err: {}",
                        judges.join(", ")
                    )
                });
                let looser = policy.looser_than_default();
                let looser = (!looser.is_empty()).then(|| {
                    format!("it asks for less than the built-in one: {}", looser.join("; "))
                });
                std::iter::once(first)
                    .chain(judges)
                    .chain(looser)
                    .chain(waived(&policy.waivers))
                    .collect()
            }
            Self::Signers(file) => {
                let names = file.allowed.iter().flat_map(|allowed| allowed.principals.clone());
                let names: std::collections::BTreeSet<_> = names.collect();
                let names: Vec<_> = names.into_iter().collect();
                vec![format!(
                    "signing the list of those who may sign, version {}: {}",
                    file.version,
                    listed(&names)
                )]
            }
            Self::Root(root) => {
                let names: Vec<_> = root.principals().into_iter().map(str::to_owned).collect();
                vec![format!(
                    "signing the root of trust, version {}: {} of {} must sign from then on",
                    root.version,
                    root.quorum,
                    listed(&names)
                )]
            }
        }
    }
}

fn statement_told(statement: &Statement) -> Vec<String> {
    let predicate = &statement.predicate;
    let component = statement.component().map_or_else(String::new, |it| it.short());
    let first = format!(
        "signing that the {} grader `{}` (component {component}, rubric `{}`) is promoted to {}, until {}",
        predicate.kind, predicate.grader, predicate.rubric, predicate.tier, predicate.not_after
    );
    std::iter::once(first).chain(waived(&predicate.waivers)).collect()
}

/// What stands on a waiver, each in a line.
fn waived(waivers: &[Waiver]) -> impl Iterator<Item = String> {
    waivers.iter().map(|waiver| {
        format!("waived for {}: {}, because {}", waiver.tier, waiver.requirement, waiver.reason)
    })
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "nobody".to_owned() } else { names.join(", ") }
}
