//! `accredit ledger note`: a remark, which may correct an earlier entry.

use std::path::PathBuf;

use accredit_core::id::{Digest, GraderName};
use accredit_core::ledger::{FailureNote, Noted, Payload};

use crate::authority::Registry;
use crate::cmd::revoke::{entry, noted};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::store::Writing;
use crate::{clock, signing, terminal};

/// What is remarked.
#[derive(Debug, clap::Args)]
pub(in crate::cmd) struct Args {
    /// The grader
    name: GraderName,
    /// The remark
    #[arg(long, value_name = "TEXT")]
    text: String,
    /// The entry that it corrects: its number, or its payload's digest. A failure found in use that is corrected
    /// is withdrawn, if the remark is signed
    #[arg(long, value_name = "ENTRY")]
    corrects: Option<String>,
    /// The key it is signed with
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The folder that `.accredit` stands in
    #[arg(long, value_name = "DIR", default_value = ".")]
    register: PathBuf,
    /// The digest of the root of trust [default: ACCREDIT_ROOT_DIGEST]
    #[arg(long, value_name = "DIGEST")]
    root_digest: Option<Digest>,
}

impl Args {
    pub(in crate::cmd) fn run(self) -> Result<Exit, Failure> {
        let registry = Registry::open(&self.register, self.root_digest, clock::now()?)?;
        let chain = &registry.books(&self.name)?.main;
        let corrected = self.corrects.as_deref().map(|meant| entry(chain, meant)).transpose()?;
        let is_failure = corrected.is_some_and(|entry| {
            let found = |it: &Noted| matches!(it.failure, Some(FailureNote::Found { .. }));
            matches!(entry.payload(), Payload::Noted(it) if found(it))
        });
        if is_failure && self.key.is_none() {
            return Err(Failure::Usage(
                "whoever withdraws a failure signs for it: give --key".to_owned(),
            ));
        }
        let corrects = corrected.map(|entry| entry.payload_digest());
        let payload = noted(&self.name, registry.now, &self.text, corrects, None);
        let (text, namespace) = (payload.to_json(), payload.kind().namespace());
        let sign = |key| signing::sign(&registry, key, &namespace, text.as_bytes(), registry.now);
        let signed = self.key.as_deref().map(sign).transpose()?;
        let signatures: Vec<_> = signed.into_iter().map(|it| it.armoured).collect();
        let last = Writing::open(&self.register)?.append(&text, &signatures, registry.now)?;
        terminal::print(&format!("noted: entry {} of the ledger of {}\n", last.seq, self.name))?;
        Ok(Exit::Met)
    }
}
