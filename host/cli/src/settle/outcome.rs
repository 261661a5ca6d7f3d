//! How one forecast or explanation came out: into the book, and into its record.

use std::path::Path;

use accredit_core::gate::record::{Correction, Dimensions, LaterOutcome, SutRun};
use accredit_core::gate::settlement::{Book, Came, Line, Refusal, Registration, What, lines};
use accredit_core::id::{RunId, StepId};
use accredit_core::ledger::Moment;
use serde::Serialize;

use super::{book, entry, keep};
use crate::failure::Failure;
use crate::read::{self, Placed};
use crate::store::Writing;
use crate::{clock, terminal};

/// What is to be entered.
#[derive(Debug)]
pub struct Asked {
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: StepId,
    /// The claim.
    pub claim: String,
    /// Of a forecast: whether its statement came true.
    pub came: Option<bool>,
    /// Of an explanation: how it stands by what is known now.
    pub later: Option<Dimensions>,
    /// Who enters it.
    pub by: String,
    /// Where it was read.
    pub source: String,
    /// Why it came out otherwise than was entered before.
    pub correct: Option<String>,
}

/// What was entered.
#[derive(Debug, Serialize)]
pub struct Entered {
    /// False where the same stands there already.
    pub new: bool,
    /// The file of its record.
    pub file: String,
    /// How it stands now.
    pub line: Line,
}

/// Enters how a forecast or an explanation came out.
///
/// # Errors
/// With exit code 5 when it was not registered before its horizon, or is not what was registered; with 2 when there is
/// none, it is too early, or what came out does not fit. Nothing was entered then.
pub fn enter(register: &Writing, folder: &Path, asked: &Asked) -> Result<Entered, Failure> {
    let mut book = book(register)?;
    let records = read::placed_records(folder)?;
    let placed = records.iter().find(|it| it.run.id == asked.run).ok_or_else(|| no_run(asked))?;
    // In a second of its own: entries of a record are in the order of their dates.
    let now = clock::after(book.latest())?;
    let registration = registration(&placed.run, asked)?;
    sound(&book, &registration, now)?;
    let run = restored(&book, placed)?;
    let came = came(&book, &run, asked, (&registration, now))?;
    let Some(came) = came else { return told(placed, &run, &book, (asked, now, false)) };
    book.append(What::Came(came.clone()), now).map_err(|refusal| refused(asked, &refusal))?;
    let next = entry::with(&run, &came);
    // Whatever would be wrong with the record is known before anything is written.
    let bytes = entry::prepared(&placed.path, placed.line, &run, &next, &came)?;
    keep(register, &book)?;
    entry::put(&placed.path, &bytes)?;
    told(placed, &next, &book, (asked, now, true))
}

fn told(
    placed: &Placed,
    run: &SutRun,
    book: &Book,
    (asked, now, new): (&Asked, Moment, bool),
) -> Result<Entered, Failure> {
    let lines = lines(std::slice::from_ref(run), book, now);
    let is = |it: &Line| it.step == asked.step && it.claim.raw() == asked.claim;
    let line = lines.into_iter().find(is).ok_or_else(|| no_claim(run, asked))?;
    Ok(Entered { new, file: placed.path.display().to_string(), line })
}

fn no_run(asked: &Asked) -> Failure {
    let run = &asked.run;
    Failure::Usage(format!("no run `{run}` is recorded in that folder: see its records' ids"))
}

fn no_claim(run: &SutRun, asked: &Asked) -> Failure {
    let known: Vec<_> =
        run.open_claims().map(|(step, claim)| format!("`{} {}`", step.id, claim.id)).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Failure::Usage(format!(
        "`{}` of step `{}` is no forecast and no explanation of run `{}`. It has: {known}",
        asked.claim, asked.step, asked.run
    ))
}

fn registration(run: &SutRun, asked: &Asked) -> Result<Registration, Failure> {
    let mut claims = run.open_claims();
    let found = claims.find(|(step, claim)| step.id == asked.step && claim.id == asked.claim);
    let found = found.and_then(|(step, claim)| Registration::of(run, step, claim));
    found.ok_or_else(|| no_claim(run, asked))
}

/// Whether it is what was registered before its horizon, and due.
fn sound(book: &Book, is: &Registration, now: Moment) -> Result<(), Failure> {
    let place = format!("`{}` of step `{}` of run `{}`", is.claim, is.step, is.run);
    let horizon = is.horizon;
    let Some(held) = book.of(&is.run, &is.step, &is.claim) else {
        if now < horizon {
            return Err(Failure::Usage(format!(
                "{place} is not registered, and its horizon is {horizon}: run `accredit settle register` before that"
            )));
        }
        return Err(Failure::Integrity(format!(
            "{place}: its horizon, {horizon}, passed before it was registered: what is known is no forecast, and it stays unresolved"
        )));
    };
    let differs = is.differs(&held.registration);
    if !differs.is_empty() {
        return Err(Failure::Integrity(format!(
            "{place} is not what was registered at {}: {} changed. Put the original record back",
            held.at,
            differs.join(" and ")
        )));
    }
    if now < horizon {
        return Err(Failure::Usage(format!(
            "{place} is due at {horizon}, and it is only {now}: enter how it came out then"
        )));
    }
    Ok(())
}

/// The record with every entry that the book holds of it: a command may have been stopped before it wrote them.
fn restored(book: &Book, placed: &Placed) -> Result<SutRun, Failure> {
    let mut run = placed.run.clone();
    let of_run = book.standings().filter(|it| it.registration.run == run.id);
    let mut lost: Vec<&Came> =
        of_run.flat_map(|it| &it.came).filter(|it| !it.is_in(&run)).collect();
    lost.sort_by_key(|it| it.outcome.at);
    for came in lost {
        let next = entry::with(&run, came);
        let bytes = entry::prepared(&placed.path, placed.line, &run, &next, came)?;
        entry::put(&placed.path, &bytes)?;
        terminal::note(&format!(
            "{}: lacked the entry of {} that the book holds, and has it now",
            placed.path.display(),
            came.outcome.at
        ));
        run = next;
    }
    Ok(run)
}

/// The entry for the book; absent where the same stands there already.
fn came(
    book: &Book,
    run: &SutRun,
    asked: &Asked,
    (is, now): (&Registration, Moment),
) -> Result<Option<Came>, Failure> {
    let outcome = LaterOutcome {
        at: now,
        by: asked.by.clone(),
        step: asked.step.clone(),
        claim: asked.claim.clone(),
        came: asked.came,
        later: asked.later.clone(),
        source: asked.source.clone(),
    };
    let before = book.of(&is.run, &is.step, &is.claim).and_then(|it| it.came.last());
    if let Some(before) = before {
        let same = LaterOutcome { at: now, ..before.outcome.clone() } == outcome;
        if same && (asked.correct.is_none() || before.correction.is_some()) {
            return Ok(None);
        }
    }
    let correction = asked.correct.as_ref().map(|why| Correction {
        at: now,
        by: asked.by.clone(),
        step: Some(asked.step.clone()),
        what: match before {
            Some(before) => format!(
                "how claim `{}` came out was entered wrongly at {}: {why}",
                asked.claim, before.outcome.at
            ),
            None => why.clone(),
        },
    });
    let (run, fingerprint) = (run.id.clone(), is.fingerprint);
    Ok(Some(Came { run, fingerprint, outcome, correction }))
}

fn refused(asked: &Asked, refusal: &Refusal) -> Failure {
    let told =
        format!("`{}` of step `{}` of run `{}`: {refusal}", asked.claim, asked.step, asked.run);
    match refusal {
        Refusal::CameBefore(_) => Failure::Usage(format!("{told} (--correct WHY)")),
        Refusal::NothingToCorrect => Failure::Usage(format!("{told}. Leave --correct out")),
        Refusal::Early { .. } => Failure::Usage(told),
        _ => Failure::Integrity(told),
    }
}
