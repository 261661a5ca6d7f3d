//! `accredit decide`: a person's word on a release that waits for one.

use std::path::{Path, PathBuf};

use accredit_core::gate::GateReport;
use accredit_core::gate::persons::{Asking, Choice, whose};
use accredit_core::gate::standing::Truth;
use accredit_core::id::Digest;
use accredit_core::keys::DECISION;

use super::gate::report_of;
use crate::authority::Registry;
use crate::decisions::{self, Draft};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::escape::terminal_text;
use crate::store::Writing;
use crate::{clock, signing, terminal, trust};

/// No report of a gate is larger.
const LONGEST: u64 = 1 << 30;

/// Let a release go that waits for a person, or hold it
///
/// Where only judges block, and the gate may too easily be wrong, a person reads what they said and decides. The word is
/// signed and kept in the register; the next `accredit gate` over the same runs, graders and policy goes by it. It makes
/// up for nothing else: not for a failure that a code grader found, and not for evidence that is missing.
///
/// A release that passes can be approved by the same word.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The report of the gate that was read: `accredit gate --keep` or --format json leaves one
    report: PathBuf,
    /// It may go
    #[arg(long, conflicts_with = "hold", required_unless_present = "hold")]
    release: bool,
    /// It may not
    #[arg(long)]
    hold: bool,
    /// Why, for those who read it later
    #[arg(long, value_name = "TEXT")]
    because: String,
    /// Your private key, or a public key whose private half is in ssh-agent or on a hardware key
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// The root of the repository that holds the register
    #[arg(long, value_name = "DIR", default_value = ".")]
    register: PathBuf,
    /// The digest of the root of trust [default: ACCREDIT_ROOT_DIGEST]
    #[arg(long, value_name = "DIGEST")]
    root_digest: Option<Digest>,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        if self.because.trim().is_empty() {
            return Err(Failure::Usage(
                "--because is empty: say why, for those who read it later".to_owned(),
            ));
        }
        let bytes = trust::bounded(&self.report, LONGEST)?;
        let report = report_of(&self.report, &bytes)?;
        let register = Writing::open(&self.register)?;
        let registry = Registry::open(&self.register, self.root_digest, clock::now()?)?;
        let choice = if self.hold { Choice::Hold } else { Choice::Release };
        if let Some(stale) = report.kept().stale(registry.policy.digest) {
            terminal::error(&format!("{}: {stale}", self.report.display()));
            return Ok(Exit::Stale);
        }
        if let Some(why) = not_for_a_person(&report, choice) {
            terminal::error(&format!("{}: {why}. Nothing was signed", self.report.display()));
            return Ok(Exit::NotMet);
        }
        let name = self.report.file_name().unwrap_or(self.report.as_os_str());
        let draft = Draft {
            name: name.to_string_lossy().into_owned(),
            report_bytes: &bytes,
            report: &report,
            choice,
            because: self.because,
            now: registry.now,
        };
        let word = draft.word()?;
        let text = word.to_bytes();
        let signed = signing::sign(&registry, &self.key, DECISION, &text, registry.now)?;
        let heard = decisions::as_heard(&registry, &word, &signed.armoured);
        let authors = decisions::authors_of(&registry, &report)?;
        let promoters = &registry.policy.policy.sign_off.promoters;
        let (decides, now) = (report.decides, registry.now);
        match whose(&heard, Asking { decides, promoters, authors: &authors, now }) {
            Err(why) => {
                let why = terminal_text(&why);
                terminal::error(&format!("this word would not count: {why}. Nothing was kept"));
                Ok(Exit::NotMet)
            }
            Ok(by) => {
                let path = decisions::keep(&register, &word, &signed.armoured)?;
                terminal::print(&told(choice, by, &path, &self.register))?;
                Ok(Exit::Met)
            }
        }
    }
}

/// Why this is nothing that a person decides.
fn not_for_a_person(report: &GateReport, choice: Choice) -> Option<String> {
    let release = &report.release;
    if release.pending_person || report.decided.is_some() {
        return None;
    }
    match (release.verdict, choice) {
        (Truth::True, Choice::Release) => None,
        (Truth::True, Choice::Hold) => Some(
            "the release passes: a person's word holds only what waits for a person".to_owned(),
        ),
        (Truth::False, _) => Some(format!(
            "the release does not wait for a person: {}. Of a code grader's failure, or where the gate seldom errs, no word makes a pass",
            release.why
        )),
        (Truth::Undefined, _) => Some(format!(
            "the release is undefined: {}. No word makes up for what nobody evaluated",
            release.why
        )),
    }
}

fn told(choice: Choice, by: &str, path: &str, register: &Path) -> String {
    let flag = match register == Path::new(".") {
        true => String::new(),
        false => format!(" --register {}", register.display()),
    };
    let what = match choice {
        Choice::Release => "lets it go",
        Choice::Hold => "holds it",
    };
    let (by, path) = (terminal_text(by), terminal_text(path));
    format!(
        "{by} {what}: {path}\nCommit it with its signature. `accredit gate`{flag} over the same runs goes by it from now on\n"
    )
}
