//! `accredit decide`: a person's word on a release that waits for one.

use std::path::PathBuf;

use accredit_core::gate::GateReport;
use accredit_core::gate::persons::{Asking, Choice, Heard, whose};
use accredit_core::gate::report::differing;
use accredit_core::gate::standing::Truth;
use accredit_core::id::{Digest, GraderName};
use accredit_core::ledger::{Decided, Moment, Payload, V1};
use accredit_core::untrusted::Untrusted;

use super::gate::{Asked, Gated, report_of};
use crate::authority::Registry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::gate::LONGEST_REPORT;
use crate::render::escape::terminal_text;
use crate::signing::Signed;
use crate::store::Writing;
use crate::{clock, decisions, signing, terminal, trust};

/// Let a release go that waits for a person, or hold it
///
/// Where only judges block, and the gate may too easily be wrong, a person reads what they said and decides. The gate is
/// run again, and must come to the report that was read. The word is signed and entered into the ledger of every grader
/// that decides there; the next `accredit gate` over the same runs, graders and policy goes by it. It makes up for nothing
/// else: not for a failure that a code grader found, and not for evidence that is missing.
///
/// A release that passes is approved, or held, by the same word.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("choice").required(true).args(["release", "hold"])))]
pub(super) struct Args {
    /// The report of the gate that was read: `accredit gate --keep` or --format json leaves one
    report: PathBuf,
    /// The folder of run records that it is of
    #[arg(long, value_name = "DIR")]
    runs: PathBuf,
    /// It may go
    #[arg(long)]
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
    #[command(flatten)]
    asked: Asked,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        if self.because.trim().is_empty() {
            return Err(Failure::Usage(
                "--because is empty: say why, for those who read it later".to_owned(),
            ));
        }
        let shown = terminal_text(&self.report.display().to_string());
        let bytes = trust::bounded(&self.report, LONGEST_REPORT)?;
        let read = report_of(&self.report, &bytes)?;
        let Gated { registry, report } = self.asked.gate(&self.runs, |_| Ok(()))?;
        if let Some(stale) = read.kept().stale(registry.policy.digest) {
            terminal::error(&format!("{shown}: {stale}"));
            return Ok(Exit::Stale);
        }
        let differs = differing(&read, &report);
        if !differs.is_empty() {
            return Err(Failure::Integrity(format!(
                "{shown}: is not what the gate over {} comes to; otherwise are: {}. Read the report of `accredit gate` as it is now. Nothing was signed",
                self.runs.display(),
                differs.join(", ")
            )));
        }
        let choice = if self.hold { Choice::Hold } else { Choice::Release };
        if let Some(why) = not_for_a_person(&report, choice) {
            terminal::error(&format!("{shown}: {why}. Nothing was signed"));
            return Ok(Exit::NotMet);
        }
        self.say(&registry, &report, &bytes, choice)
    }

    /// Signs the word and enters it, where it counts.
    fn say(
        &self,
        registry: &Registry,
        report: &GateReport,
        bytes: &[u8],
        choice: Choice,
    ) -> Result<Exit, Failure> {
        // In a second of its own: of two words of one moment the stricter counts.
        let at = clock::after(decisions::latest(&decisions::heard(registry)?))?;
        let word = |grader: &GraderName| Decided {
            v: V1,
            grader: grader.clone(),
            at,
            decides: report.decides,
            report: Digest::of(bytes),
            choice,
            because: Untrusted::new(&self.because),
        };
        let graders = report.graders.iter().filter(|it| it.may_block);
        let words: Vec<_> = graders.map(|it| word(&it.name)).collect();
        let signed: Vec<(String, Signed)> =
            words.iter().map(|it| self.sign(registry, it, at)).collect::<Result<_, _>>()?;
        let (Some(first), Some((_, whom))) = (words.first(), signed.first()) else {
            return Err(Failure::Usage("no grader of the gate has gating authority now, so that there is nothing to decide on: `accredit status` says why. Nothing was signed".to_owned()));
        };
        let by = whom.signers.iter().map(|it| (it.principal.clone(), it.person.clone()));
        let heard = Heard { said: first.clone(), by: by.collect(), why_not: None };
        let authors = decisions::authors_of(registry, report)?;
        let promoters = &registry.policy.policy.sign_off.promoters;
        let asking = Asking { decides: report.decides, promoters, authors: &authors, now: at };
        let by = match whose(&heard, asking) {
            Ok(by) => terminal_text(by),
            Err(why) => {
                let why = terminal_text(&why);
                terminal::error(&format!("this word would not count: {why}. Nothing was entered"));
                return Ok(Exit::NotMet);
            }
        };
        let mut register = Writing::open(&self.asked.register)?;
        register.put(bytes)?;
        for (payload, signed) in &signed {
            register.append(payload, std::slice::from_ref(&signed.armoured), at)?;
        }
        let names: Vec<_> = words.iter().map(|it| it.grader.to_string()).collect();
        terminal::print(&told(report, choice, &by, &names))?;
        Ok(Exit::Met)
    }

    fn sign(
        &self,
        registry: &Registry,
        word: &Decided,
        at: Moment,
    ) -> Result<(String, Signed), Failure> {
        let payload = Payload::Decided(word.clone());
        let (text, namespace) = (payload.to_json(), payload.kind().namespace());
        let signed = signing::sign(registry, &self.key, &namespace, text.as_bytes(), at)?;
        Ok((text, signed))
    }
}

/// Why this is nothing that a person decides.
fn not_for_a_person(report: &GateReport, choice: Choice) -> Option<String> {
    let release = &report.release;
    if release.pending_person || report.decided.is_some() {
        return None;
    }
    match (release.verdict, choice) {
        (Truth::True, _) => None,
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

fn told(report: &GateReport, choice: Choice, by: &str, graders: &[String]) -> String {
    let open = report.summary.not_evaluated;
    let what = match (choice, open) {
        (Choice::Hold, _) => "holds it".to_owned(),
        (Choice::Release, 0) => "lets it go".to_owned(),
        (Choice::Release, open) => {
            format!(
                "lets go what failed; it stays undefined, since cases were not evaluated: {open}"
            )
        }
    };
    format!(
        "{by} {what}\nentered into the ledger of {}. `accredit gate` over the same runs, graders and policy goes by it from now on\n",
        graders.join(" and ")
    )
}
