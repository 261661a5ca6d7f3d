//! A dated entry put into a run record's file: the file whole or not at all, and every other byte as it was.

use std::fs;
use std::path::Path;

use accredit_core::gate::record::{Correction, SutRun};
use accredit_core::gate::settlement::Came;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{self, Readers};
use crate::read;

/// The record with an entry, and the correction that goes with it.
pub(super) fn with(run: &SutRun, came: &Came) -> SutRun {
    let mut next = run.clone();
    if !run.outcomes.contains(&came.outcome) {
        next.outcomes.push(came.outcome.clone());
    }
    next.corrections.extend(correction(run, came).cloned());
    next
}

/// The correction, where the record lacks it.
fn correction<'a>(run: &SutRun, came: &'a Came) -> Option<&'a Correction> {
    came.correction.as_ref().filter(|it| !run.corrections.contains(it))
}

/// What the record's file is to hold: this record, which begins on this line, has the entry then. Nothing is written.
pub(super) fn prepared(
    path: &Path,
    line: usize,
    run: &SutRun,
    next: &SutRun,
    came: &Came,
) -> Result<Vec<u8>, Failure> {
    let faults: Vec<_> = next.faults().iter().map(ToString::to_string).collect();
    if !faults.is_empty() {
        return Err(Failure::Usage(format!("{}. Nothing was entered", faults.join("\n"))));
    }
    next.continues(run).map_err(|fault| Failure::Integrity(fault.to_string()))?;
    let shown = path.display();
    let bytes = fs::read(path).map_err(|error| Failure::unreadable(path, error))?;
    let changed =
        || Failure::Usage(format!("{shown}: was changed while it was read: run it again"));
    let text = String::from_utf8(bytes).map_err(|_| changed())?;
    let added = added(&text, (path, line), run, came).ok_or_else(changed)?;
    // Read back: one record has one entry more, and every other is what it was.
    let name = shown.to_string();
    let before = read::run_records_of(&name, text.as_bytes())?;
    let after = read::run_records_of(&name, added.as_bytes())?;
    let is_so = before.len() == after.len()
        && before.iter().zip(&after).all(|(old, new)| match old.id == run.id {
            true => old == run && new == next,
            false => old == new,
        });
    if is_so { Ok(added.into_bytes()) } else { Err(changed()) }
}

/// Puts the file in its place.
pub(super) fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    output::write(path, bytes, Readers::Umask)
}

fn added(text: &str, (path, line): (&Path, usize), run: &SutRun, came: &Came) -> Option<String> {
    let plain = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = &text[..text.len() - plain.len()];
    if path.extension().is_none_or(|ending| ending != "jsonl") {
        return entered(plain, run, came).map(|plain| format!("{mark}{plain}"));
    }
    let mut lines: Vec<String> = plain.split_inclusive('\n').map(str::to_owned).collect();
    let of_run = lines.get_mut(line.checked_sub(1)?)?;
    let object = of_run.trim_end_matches(['\n', '\r']);
    let end = of_run[object.len()..].to_owned();
    *of_run = entered(object, run, came)? + &end;
    Some(mark.to_owned() + &lines.concat())
}

fn entered(text: &str, run: &SutRun, came: &Came) -> Option<String> {
    let mut text = text.to_owned();
    if !run.outcomes.contains(&came.outcome) {
        text = read::with_item(&text, "outcomes", &json(&came.outcome))?;
    }
    match correction(run, came) {
        Some(correction) => read::with_item(&text, "corrections", &json(correction)),
        None => Some(text),
    }
}

fn json(entry: &impl Serialize) -> String {
    serde_json::to_string(entry).unwrap_or_else(|_| unreachable!("an entry is plain data"))
}
