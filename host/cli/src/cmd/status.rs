//! `accredit status`: how the graders of a register stand.

use std::path::PathBuf;

use accredit_core::id::{Digest, GraderName};
use accredit_core::status::{FORMAT, GraderStatus, Status, TrustLine};

use super::Format;
use crate::authority::Registry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{clock, failures, render, terminal};

/// Say what each grader of a register may do now, since when, and what ends it
///
/// Exit 0: none has lost authority that it had. 4: one has, and is shown as stale with the reasons. 5: a ledger,
/// an object or a signature is damaged.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only these graders [default: all]
    graders: Vec<GraderName>,
    /// The root of the repository that holds the register
    #[arg(long, value_name = "DIR", default_value = ".")]
    register: PathBuf,
    /// The digest of the root of trust [default: ACCREDIT_ROOT_DIGEST]
    #[arg(long, value_name = "DIGEST")]
    root_digest: Option<Digest>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let registry = Registry::open(&self.register, self.root_digest, clock::now()?)?;
        let all: Vec<_> = registry.names().cloned().collect();
        let asked = if self.graders.is_empty() { all } else { self.graders };
        let graders = asked.iter().map(|name| grader(&registry, name));
        let graders = graders.collect::<Result<_, _>>()?;
        let status = Status { format: FORMAT, now: registry.now, trust: trust(&registry), graders };
        match self.format {
            Format::Human => terminal::print(&render::human::status(&status))?,
            Format::Json => terminal::print_data(&render::json::pretty(&status))?,
        }
        Ok(if status.is_stale() { Exit::Stale } else { Exit::Met })
    }
}

fn trust(registry: &Registry) -> TrustLine {
    let (trust, policy) = (&registry.trust, &registry.policy);
    TrustLine {
        root: trust.root.root().map(|(digest, _)| digest),
        root_pinned: trust.root.is_pinned(),
        policy: policy.digest,
        policy_version: policy.policy.version,
        signed: trust.policy_signed() && trust.signers_signed(),
        missing: trust.missing(),
    }
}

/// How one grader stands. What cannot be read of its own files takes its authority, and nobody else's.
fn grader(registry: &Registry, name: &GraderName) -> Result<GraderStatus, Failure> {
    registry.books(name)?;
    let (authority, digests) = match registry.authority(name) {
        Ok(found) => found,
        Err(failure @ Failure::Integrity(_)) => return Err(failure),
        Err(failure) => {
            let why = vec![failure.to_string()];
            return Ok(GraderStatus::unreadable(name.clone(), registry.promoted_to(name), why));
        }
    };
    let allowed = registry.policy.policy.looks;
    let failures = failures::counts(registry, name)?;
    let now = (registry.now, allowed);
    Ok(GraderStatus::new(name.clone(), digests.component, &authority, now, failures))
}
