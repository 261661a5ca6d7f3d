//! Ledgers and what a register keeps, for a terminal.

use accredit_core::keys::Signature;
use accredit_core::ledger::{Chain, Entry, FailureNote, Payload};

use super::counted;
use crate::render::escape::{terminal_line, terminal_text};
use crate::store::Survey;
use crate::terminal::FAINT;

/// How much of a key's fingerprint is shown: enough for people, too little to compare by.
const KEY: usize = 19;

/// A line of text in which names and paths may stand.
#[must_use]
pub fn plain(line: &str) -> String {
    format!("{}\n", terminal_text(line))
}

/// Every entry of a ledger, one a line: number, time, kind, component, who is said to have signed.
#[must_use]
pub fn ledger(chain: &Chain) -> String {
    let mut text = String::new();
    for entry in chain.entries() {
        let (number, at, kind) = (entry.seq(), entry.at(), entry.payload().kind());
        let component = component(entry.payload()).unwrap_or_else(|| "-".to_owned());
        let stated = terminal_text(&stated(entry));
        text.push_str(&format!("{number:>5}  {at}  {kind:<19}  {component:<12}  {stated}\n"));
    }
    text.push_str(&format!(
        "{FAINT}{}. Nothing of this was checked but that the chain is whole{FAINT:#}\n",
        counted(chain.len(), "entry")
    ));
    text
}

/// The component that an entry is about, in short.
fn component(payload: &Payload) -> Option<String> {
    let component = match payload {
        Payload::Registered(it) => it.component,
        Payload::Looked(it) => it.component,
        Payload::Promoted(it) => it.component,
        Payload::Verified(it) => it.component,
        Payload::FailedVerification(it) => it.component,
        Payload::Revoked(it) => it.component,
        Payload::Superseded(it) => it.component,
        Payload::Decided(_) => return None,
        Payload::Noted(it) => match it.failure.as_ref()? {
            FailureNote::Found { component, .. } => *component,
            FailureNote::Guarded { passes, .. } => *passes,
        },
    };
    Some(component.short())
}

/// Who is said to have signed an entry, and what it says beside.
fn stated(entry: Entry<'_>) -> String {
    let mut stated: Vec<_> = entry.signatures().iter().map(|it| key(it)).collect();
    match entry.payload() {
        Payload::Registered(it) if !it.authors.is_empty() => {
            stated.push(format!("by {}", it.authors.join(", ")));
        }
        Payload::Promoted(it) => {
            let signatures = counted(it.signatures.len() as u64, "signature");
            stated.push(format!("to {}, {signatures} on its statement", it.tier));
        }
        Payload::Revoked(it) => stated.push(format!("\"{}\"", terminal_line(&it.reason))),
        Payload::Noted(it) => stated.push(format!("\"{}\"", terminal_line(&it.text))),
        Payload::Decided(it) => {
            let (choice, gate) = (it.choice.name(), it.decides.short());
            stated.push(format!("{choice} of gate {gate}: \"{}\"", terminal_line(&it.because)));
        }
        _ => {}
    }
    if !entry.is_signed() {
        stated.insert(0, "unsigned".to_owned());
    }
    if let Some(before) = entry.set_back() {
        stated.push(format!("its time is before that of an earlier entry ({before})"));
    }
    stated.join("; ")
}

/// The key that a signature says it is of, in short.
fn key(signature: &str) -> String {
    match Signature::parse(signature.as_bytes()) {
        Ok(signature) => signature.key().fingerprint().chars().take(KEY).collect(),
        Err(_) => "a signature that cannot be read".to_owned(),
    }
}

/// What is in the store, and what went or could go.
#[must_use]
pub fn survey(survey: &Survey, dry_run: bool) -> String {
    let mut text = String::new();
    for object in &survey.garbage {
        text.push_str(&format!("{}  {} bytes\n", object.digest, object.bytes));
    }
    let objects = counted(survey.garbage.len() as u64, "object");
    let done = if dry_run { "would be taken away" } else { "taken away" };
    let named = counted(survey.named as u64, "object");
    text.push_str(&format!("{objects} {done}; {named} named and kept"));
    if survey.young > 0 {
        let young = counted(survey.young as u64, "object");
        text.push_str(&format!(
            "; {young} that nothing names, kept for a day (--all takes them too)"
        ));
    }
    text.push('\n');
    text
}
