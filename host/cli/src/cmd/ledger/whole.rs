//! Whether ledgers are whole, and extend those of a reference.

use std::collections::BTreeSet;

use accredit_core::id::GraderName;
use accredit_core::ledger::{Book, Reading};

use super::absent;
use super::reference::Reference;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render::human;
use crate::render::words::counted;
use crate::settle::book;
use crate::store::Register;
use crate::terminal;

/// Checks them all, and tells every fault.
pub(super) fn check(
    register: &Register,
    names: &[GraderName],
    reference: Option<&Reference>,
) -> Result<Exit, Failure> {
    let mut ledgers = register.ledgers()?;
    ledgers.extend(reference.into_iter().flat_map(|it| it.chains.keys().cloned()));
    ledgers.retain(|(grader, _)| names.is_empty() || names.contains(grader));
    let found: BTreeSet<_> = ledgers.iter().map(|(grader, _)| grader).collect();
    if let Some(missing) = names.iter().find(|name| !found.contains(name)) {
        return Err(absent(register, missing)?);
    }
    if ledgers.is_empty() {
        return Err(Failure::NothingToRun(format!(
            "{}: nothing was checked: there is no ledger yet",
            register.folder().display()
        )));
    }
    let mut exit = Exit::Met;
    for (grader, book) in ledgers {
        match one(register, &grader, book, reference) {
            Ok(line) => terminal::print(&human::plain(&line))?,
            Err(failure) => {
                terminal::error(&failure);
                exit = exit.worst(failure.exit());
            }
        }
    }
    match settlements(register, reference) {
        Ok(line) => line.iter().try_for_each(|it| terminal::print(&human::plain(it)))?,
        Err(failure) => {
            terminal::error(&failure);
            exit = exit.worst(failure.exit());
        }
    }
    if let Some(reference) = reference {
        let lost = reference.signed_and_gone(register)?;
        if !lost.is_empty() {
            let shown = reference.path.display();
            let failure = Failure::Integrity(format!(
                "what was signed in {shown} is not here any more: {}. A policy, a list of signers or a root that was signed stays known, so that no older one is put back: restore it from version control",
                lost.join(", ")
            ));
            terminal::error(&failure);
            exit = exit.worst(failure.exit());
        }
    }
    Ok(exit)
}

/// Checks the book of settlements, and says how it stands; nothing where there is none.
fn settlements(
    register: &Register,
    reference: Option<&Reference>,
) -> Result<Option<String>, Failure> {
    let book = book(register)?;
    let base = reference.map(Reference::settlements).transpose()?.flatten();
    let mut line = match (book.is_empty(), &base) {
        (true, None) => return Ok(None),
        _ => format!("book of settlements: whole, {}", counted(book.len(), "entry")),
    };
    if let (Some(base), Some(reference)) = (base, reference) {
        let shown = reference.path.display();
        match book.extends(&base) {
            Ok(0) => line.push_str(&format!("; the same as in {shown}")),
            Ok(more) => line.push_str(&format!("; extends {shown} by {more}")),
            Err(fault) => {
                return Err(Failure::Integrity(format!(
                    "book of settlements, against {shown}: {fault}"
                )));
            }
        }
    }
    Ok(Some(line))
}

/// Checks one, and says how it stands.
fn one(
    register: &Register,
    grader: &GraderName,
    book: Book,
    reference: Option<&Reference>,
) -> Result<String, Failure> {
    let file = register.ledger(grader, book)?;
    let Reading { chain, tail } = file.read()?;
    let mut line = format!("{file}: whole, {}", counted(chain.len(), "entry"));
    if tail.adopted > 0 {
        line.push_str(&format!(", {} not acknowledged yet", tail.adopted));
    }
    if tail.torn > 0 {
        line.push_str(&format!(
            ", then {} of one not written to its end",
            counted(tail.torn as u64, "byte")
        ));
    }
    let Some(reference) = reference else { return Ok(line) };
    let shown = reference.path.display();
    let Some(base) = reference.chains.get(&(grader.clone(), book)) else {
        line.push_str(&format!("; {shown} has none of it"));
        return Ok(line);
    };
    if chain.is_empty() && !base.is_empty() {
        let entries = counted(base.len(), "entry");
        return Err(Failure::Integrity(format!(
            "{file}: is missing, and {shown} has one with {entries}. A ledger only grows: restore it from version control"
        )));
    }
    match chain.extends(base) {
        Ok(0) => line.push_str(&format!("; the same as in {shown}")),
        Ok(more) => line.push_str(&format!("; extends {shown} by {more}")),
        Err(fault) => return Err(Failure::Integrity(format!("{file}, against {shown}: {fault}"))),
    }
    Ok(line)
}
