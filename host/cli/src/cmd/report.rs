//! `accredit report`: the report of a recorded run, derived again with no engine.

use std::path::PathBuf;

use accredit_core::report::authors_copy;

use super::check::Show;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::record;
use crate::{read, terminal};

/// Derive the report of a recorded run again, without running anything
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run record
    record: PathBuf,
    /// Decide by this policy instead of the one the run was made under
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Accept a record that was cut short: it shows what there is, and can promote nothing
    #[arg(long)]
    incomplete: bool,
    /// Write the record that the grader's author may have: without held-out controls
    #[arg(long, value_name = "FILE")]
    authors_copy: Option<PathBuf>,
    #[command(flatten)]
    show: Show,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let read = record::read(&self.record, self.incomplete)
            .map_err(|error| Failure::Record { path: self.record.clone(), error })?;
        let mut run = read.run;
        let mut source = "the one the run was made under".to_owned();
        if let Some(path) = &self.policy {
            let policy = read::policy(path)?;
            if policy.digest != run.started.digests.policy {
                let asked = run.started.digests.policy;
                terminal::warning(&format!(
                    "decided by {}, not by the policy that the run was made under ({asked})",
                    policy.source
                ));
            }
            run.started.digests.policy = policy.digest;
            run.started.policy = policy.policy;
            source = policy.source;
        }
        let report = self.show.report_of(&run, read.digest);
        if let Some(path) = &self.authors_copy {
            record::write_copy(&authors_copy(&run, read.digest), path)?;
        }
        self.show.report(&report, &source, None)
    }
}
