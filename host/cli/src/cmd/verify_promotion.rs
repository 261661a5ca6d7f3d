//! `accredit verify-promotion`: check a promotion again, offline, changing nothing.

use std::fs;
use std::path::{Path, PathBuf};

use accredit_core::authority::{Act, Authority, Reason};
use accredit_core::id::{Digest, GraderName};
use accredit_core::ledger::{Payload, Promoted};
use accredit_core::run::fold::Run;
use accredit_core::run::part::evidence_digest;
use accredit_core::statement::Statement;
use accredit_core::verdict::Tier;
use serde::Serialize;

use super::{Format, record_at};
use crate::authority::Registry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::promotion::{self, Evidence};
use crate::registered::{FileDigests, Files};
use crate::{clock, record, render, terminal};

/// Check a grader's last promotion again: its statement, signatures, evidence, and what holds today
///
/// Reads the register and the repository, writes nothing and needs no network. Exit 0: it holds today. 1: it never
/// counted. 4: it counted, and something it rests on has changed or run out. 5: a digest, chain or signature is
/// wrong.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The grader
    grader: GraderName,
    /// The record that the promotion rests on, where the register does not keep it since it tells of held-out
    /// controls: a file, or the folder that `check --out` left
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
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

/// What came of the checks.
#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    /// The grader.
    pub(crate) grader: GraderName,
    /// The entry of its ledger.
    pub(crate) entry: u64,
    /// The statement.
    pub(crate) statement: Digest,
    /// The tier that was promoted to.
    pub(crate) promoted_to: Tier,
    /// What it grants today.
    pub(crate) tier: Tier,
    /// Every check.
    pub(crate) checks: Vec<Line>,
}

/// One check.
#[derive(Debug, Serialize)]
pub(crate) struct Line {
    /// What was checked.
    pub(crate) what: &'static str,
    /// Whether it holds; absent where it could not be looked at.
    pub(crate) holds: Option<bool>,
    /// What was seen.
    pub(crate) detail: String,
    /// The exit code where it does not hold.
    #[serde(skip)]
    exit: Exit,
}

impl Args {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let registry = Registry::open(&self.register, self.root_digest, clock::now()?)?;
        let (entry, promoted) = last(&registry, &self.grader)?;
        let bytes = registry.register.objects().get(promoted.statement)?;
        let statement = promotion::statement(Path::new("the statement"), &bytes)?;
        let evidence = self.evidence(&registry, &statement)?;
        let mut checks = evidence_lines(&registry, &statement, evidence.as_ref())?;
        let (authority, _) = registry.authority(&self.grader)?;
        let (counted, signers) =
            signed_off(&registry, &self.grader, &authority, entry, &statement)?;
        let reasons: Vec<_> = authority.reasons.iter().map(|it| it.text()).collect();
        checks.push(Line {
            what: "signed by those who may, none of them an author",
            holds: Some(counted),
            detail: if counted { signers } else { reasons.join("; ") },
            exit: Exit::NotMet,
        });
        let holds_today = authority.tier >= promoted.tier;
        checks.push(Line {
            what: "holds today",
            holds: Some(holds_today),
            detail: match (holds_today, counted) {
                (true, _) => format!("{} until {}", authority.tier, ends(authority.ends_at)),
                (false, true) => reasons.join("; "),
                (false, false) => "it never counted".to_owned(),
            },
            exit: if counted { Exit::Stale } else { Exit::NotMet },
        });
        let outcome = Outcome {
            grader: self.grader,
            entry,
            statement: promoted.statement,
            promoted_to: promoted.tier,
            tier: authority.tier,
            checks,
        };
        match self.format {
            Format::Human => terminal::print(&render::human::promotion(&outcome))?,
            Format::Json => terminal::print_data(&render::json::pretty(&outcome))?,
        }
        let failed = outcome.checks.iter().filter(|line| line.holds == Some(false));
        Ok(failed.fold(Exit::Met, |exit, line| exit.worst(line.exit)))
    }

    /// The record that the promotion rests on: the register's, or the one that was given.
    fn evidence(
        &self,
        registry: &Registry,
        statement: &Statement,
    ) -> Result<Option<Evidence>, Failure> {
        if let Some(path) = &self.record {
            return Evidence::read(&record_at(path)).map(Some);
        }
        let digest = statement.predicate.evidence.record;
        let Some(lines) = registry.register.objects().find(digest)? else { return Ok(None) };
        let run = run_of(digest, &lines)?;
        Ok(Some(Evidence::of(run, digest, lines)))
    }
}

/// The run in the lines of a record that are digested.
pub(crate) fn run_of(digest: Digest, lines: &[u8]) -> Result<Run, Failure> {
    let read = record::read_from(lines, true)
        .map_err(|error| Failure::Record { path: format!("the object {digest}").into(), error })?;
    match read.run.complete && read.digest == digest {
        true => Ok(read.run),
        false => Err(Failure::Integrity(format!("the object {digest} is no whole record"))),
    }
}

/// Whether those who signed a promotion suffice today, and who they are.
fn signed_off(
    registry: &Registry,
    name: &GraderName,
    authority: &Authority,
    entry: u64,
    statement: &Statement,
) -> Result<(bool, String), Failure> {
    let component = statement.component().unwrap_or_else(|| Digest::of(b""));
    let facts = registry.facts(name, component)?;
    let of_entry =
        facts.iter().find(|fact| fact.seq == entry && matches!(fact.act, Act::Promoted { .. }));
    let mut names: Vec<_> = of_entry
        .iter()
        .flat_map(|fact| fact.signers.iter().map(|it| it.principal.clone()))
        .collect();
    names.dedup();
    let suffices = !names.is_empty() && !authority.reasons.iter().any(Reason::is_of_sign_off);
    Ok((suffices, names.join(", ")))
}

/// The last promotion in a grader's ledger.
fn last<'r>(registry: &'r Registry, name: &GraderName) -> Result<(u64, &'r Promoted), Failure> {
    let mut entries = registry.books(name)?.main.entries().rev();
    let found = entries.find_map(|entry| match entry.payload() {
        Payload::Promoted(promoted) => Some((entry.seq(), promoted)),
        _ => None,
    });
    found.ok_or_else(|| Failure::Usage(format!("`{name}` was never promoted")))
}

/// Whether the evidence is what the statement says, and comes to what it says.
fn evidence_lines(
    registry: &Registry,
    statement: &Statement,
    evidence: Option<&Evidence>,
) -> Result<Vec<Line>, Failure> {
    let said = &statement.predicate.evidence;
    let line = |what, holds, detail: &str| Line {
        what,
        holds,
        detail: detail.to_owned(),
        exit: Exit::Integrity,
    };
    let mut lines = vec![subject(registry, statement)?, kept(registry, statement)?];
    let Some(evidence) = evidence else {
        lines.push(line(
            "the record and the report made from it",
            None,
            "the register does not keep them, since they tell of held-out controls: give --record",
        ));
        return Ok(lines);
    };
    let record = evidence.record == said.record;
    lines.push(line(
        "the record is the one that was signed for",
        Some(record),
        &evidence.record.short(),
    ));
    let report = Digest::of(&evidence.report_bytes) == said.report;
    let detail = "made again from the record, byte for byte";
    lines.push(line("the report follows from the record", Some(report), detail));
    let replay = evidence_digest(&evidence.run) == said.replay;
    lines.push(line(
        "what later runs are held to follows from the record",
        Some(replay),
        &said.replay.short(),
    ));
    let reaches = evidence.report.decision.eligible_tier;
    let detail = format!("the record reaches {reaches}");
    lines.push(line(
        "the record reaches the tier",
        Some(reaches >= statement.predicate.tier),
        &detail,
    ));
    Ok(lines)
}

/// Whether everything that the promotion rests on is kept, unchanged; what tells of held-out controls is not kept.
fn kept(registry: &Registry, statement: &Statement) -> Result<Line, Failure> {
    let said = &statement.predicate.evidence;
    let objects = registry.register.objects();
    let digests = FileDigests {
        component: statement.component().unwrap_or(said.controls),
        controls: said.controls,
        regression: said.regression,
    };
    let files = Files::kept(&digests, &|digest| objects.get(digest))?;
    objects.get(said.policy)?;
    if said.held_out.is_none() {
        objects.get(said.record)?;
        objects.get(said.report)?;
    }
    let detail = format!(
        "component, {} files of controls, policy",
        files.set.len() + files.regression.len()
    );
    let what = "what it rests on is kept, unchanged";
    Ok(Line { what, holds: Some(files.digests() == digests), detail, exit: Exit::Integrity })
}

/// Whether the component that lies in the repository is the one that was signed for, by both digests.
fn subject(registry: &Registry, statement: &Statement) -> Result<Line, Failure> {
    use sha2::{Digest as _, Sha256};
    let what = "the component has the digests that were signed";
    let file = registry.file(&statement.predicate.grader)?;
    let path = registry.register.repository().join(&file.component);
    let bytes = fs::read(&path).map_err(|error| Failure::unreadable(&path, error))?;
    let sha256: String = Sha256::digest(&bytes).iter().map(|it| format!("{it:02x}")).collect();
    let blake3 = Digest::of(&bytes);
    let holds = statement.component() == Some(blake3)
        && statement.subject.iter().all(|it| it.digest.sha256 == sha256);
    let detail = format!("{}: blake3 {}, sha256 {}", file.component, blake3.short(), &sha256[..12]);
    Ok(Line { what, holds: Some(holds), detail, exit: Exit::Stale })
}

fn ends(at: Option<i64>) -> String {
    let moment = at.and_then(accredit_core::ledger::Moment::from_seconds);
    moment.map_or_else(|| "its end".to_owned(), |it| it.to_string())
}
