//! `accredit verify`: every grader run again, every promise checked, and one line that says so.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use accredit_core::id::{Digest, GraderName};
use accredit_core::verification::{Breach, Part, Verification};
use clap::ValueEnum;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, Readers};
use crate::verify::{Ask, verify};
use crate::{render, terminal};

/// Run every registered grader again and check every promise: ends with PASS, or FAIL and what broke
///
/// Components and controls are taken from the register's store. Without --key nothing is written; with the key of a
/// verifier what is found goes into each grader's ledger: `verified`, or `failed-verification`, which takes its authority.
///
/// Exit 0: PASS. 1: a promise broke. 4: a ledger claims authority that there is not any more. 5: a ledger, an object, a
/// signature or the sandbox is not whole.
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
    /// Run a grader's held-out controls as well; may be given for several. Without it the signed statement's word is
    /// taken for them
    #[arg(long, value_name = "NAME=DIR", value_parser = named_folder)]
    held_out: Vec<(GraderName, PathBuf)>,
    /// A verifier's key: append what is found to the ledgers
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Trials at one time, of all graders together [default: one for each core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Only part K of N of the graders: for several machines, whose parts `accredit merge` puts together
    #[arg(long, value_name = "hash:K/N")]
    partition: Option<Part>,
    /// Write the verification as JSON into this file as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How to show it
    #[arg(long, value_enum, default_value_t = VerificationFormat::Human)]
    format: VerificationFormat,
    /// Print the JSON Schema of `--format json` instead
    #[arg(long, exclusive = true)]
    schema: bool,
}

/// The formats of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum VerificationFormat {
    /// For people
    Human,
    /// For programs, and for `accredit merge`
    Json,
    /// For CI servers: a test case a promise and grader
    Junit,
    /// For GitHub Actions: an annotation a broken promise, and a summary
    Github,
}

fn named_folder(text: &str) -> Result<(GraderName, PathBuf), String> {
    let wrong = "write a grader's name, `=` and a folder: final-answer=../held-out/final-answer";
    let (name, folder) = text.split_once('=').filter(|(_, it)| !it.is_empty()).ok_or(wrong)?;
    Ok((name.parse().map_err(|_| wrong)?, folder.into()))
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        if self.schema {
            terminal::print_data(&format!("{:#}\n", render::json::verification_schema()))?;
            return Ok(Exit::Met);
        }
        self.out.as_deref().map_or(Ok(()), output::ready)?;
        let mut held_out = BTreeMap::new();
        for (name, folder) in self.held_out {
            if held_out.insert(name.clone(), folder).is_some() {
                return Err(Failure::Usage(format!("--held-out names `{name}` twice")));
            }
        }
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let jobs = self.jobs.and_then(|jobs| NonZeroUsize::new(usize::from(jobs)));
        let verification = verify(&Ask {
            register: &self.register,
            root_digest: self.root_digest,
            names: &self.graders,
            held_out: &held_out,
            key: self.key.as_deref(),
            jobs: jobs.unwrap_or(cores),
            part: self.partition,
        })?;
        self.format.show(&verification, self.out.as_deref())?;
        Ok(exit(&verification))
    }
}

impl VerificationFormat {
    /// Shows a verification, and writes it where a file is named.
    pub(super) fn show(self, of: &Verification, out: Option<&Path>) -> Result<(), Failure> {
        if let Some(path) = out {
            output::write(path, render::json::pretty(of).as_bytes(), Readers::Umask)?;
        }
        match self {
            Self::Human => terminal::print(&render::human::verification(of)),
            Self::Json => terminal::print_data(&render::json::pretty(of)),
            Self::Junit => terminal::print_data(&render::junit::verification(of)),
            Self::Github => terminal::print_data(&render::github::verification(of)),
        }
    }
}

/// The gravest breach.
pub(super) fn exit(verification: &Verification) -> Exit {
    match verification.breach() {
        None => Exit::Met,
        Some(Breach::NotMet) => Exit::NotMet,
        Some(Breach::Stale) => Exit::Stale,
        Some(Breach::Integrity) => Exit::Integrity,
    }
}
