//! The inventory of a gate: `inventory.toml` or `inventory.json`.

use std::path::{Path, PathBuf};

use accredit_core::gate::evidence_grade::Grade;
use accredit_core::gate::inventory::{Check, Inventory, Selected, Selection, Serious};
use accredit_core::gate::kind::Evaluates;

use super::fault::ReadFaults;
use super::fields::{At, Fields, Shape, Sink, id, one_of, text};
use super::run_record::{moment, purpose, small, whole};
use super::source::{self, Source};
use super::{from_json, from_toml};

/// The names that an inventory has beside run records.
pub(super) const INVENTORY_FILES: [&str; 2] = ["inventory.toml", "inventory.json"];

pub(super) const INVENTORY: Shape = Shape {
    what: "an inventory",
    keys: &["format", "selection", "written_at", "cost_unit", "checks", "cases"],
};
pub(super) const SELECTION: Shape = Shape { what: "a selection", keys: &["rule", "seed", "of"] };
pub(super) const SELECTED: Shape =
    Shape { what: "a selected case", keys: &["case", "purpose", "runs", "steps", "checks"] };
pub(super) const CHECK: Shape = Shape {
    what: "a check",
    keys: &["grader", "rules", "steps", "serious", "evidence", "evaluates"],
};

/// The inventory in a folder of run records.
///
/// # Errors
/// When there is none, or two.
pub fn inventory_in(folder: &Path) -> Result<PathBuf, ReadFaults> {
    let there: Vec<_> = INVENTORY_FILES
        .map(|name| folder.join(name))
        .into_iter()
        .filter(|it| it.exists())
        .collect();
    if let [one] = there.as_slice() {
        return Ok(one.clone());
    }
    let mut sink = Sink::new("");
    let message = if there.is_empty() { "holds no inventory" } else { "holds two inventories" };
    let mend = "put one inventory.toml there, or name it with --inventory: it says what was selected, so that nothing can be missing unseen";
    sink.push("inventory", 0, message, mend);
    Err(ReadFaults::new(folder, sink.faults))
}

/// Reads an inventory.
///
/// # Errors
/// Every fault of the file.
pub fn inventory(path: &Path) -> Result<Inventory, ReadFaults> {
    let (folder, name) = source::split(path);
    let mut sink = Sink::new(&name);
    let read = source::keep(Source::read(path, &name), &mut sink)
        .and_then(|source| of_source(&source, &mut sink));
    read.filter(|_| sink.faults.is_empty()).ok_or_else(|| ReadFaults::new(folder, sink.faults))
}

/// The same for a file that is held in memory: its name and its bytes.
///
/// # Errors
/// As [`inventory`].
pub fn inventory_of(name: &str, bytes: &[u8]) -> Result<Inventory, ReadFaults> {
    let source = Source { name: name.to_owned(), bytes: bytes.to_vec() };
    let mut sink = Sink::new(name);
    let read = of_source(&source, &mut sink);
    read.filter(|_| sink.faults.is_empty()).ok_or_else(|| ReadFaults::new("", sink.faults))
}

fn of_source(source: &Source, sink: &mut Sink) -> Option<Inventory> {
    let text = source::keep(source.text(), sink)?;
    let json = Path::new(&source.name).extension().is_some_and(|ending| ending == "json");
    let parsed = if json { from_json::parse(text, 1) } else { from_toml::parse(text) };
    let node = match parsed {
        Ok(node) => node,
        Err(syntax) => {
            let mend = "mend the syntax here; the rest of the file was not read";
            sink.push("syntax", syntax.line, syntax.message, mend);
            return None;
        }
    };
    let read = sink.clean(|sink| whole_of(&At::root(&node), sink))?;
    for fault in read.faults() {
        sink.push("unsound-inventory", node.line, fault.to_string(), "mend the inventory");
    }
    Some(read)
}

fn whole_of(at: &At<'_>, sink: &mut Sink) -> Option<Inventory> {
    let fields = Fields::open(at, &INVENTORY, sink)?;
    let format = fields.required("format", sink, small);
    let how = fields.required("selection", sink, selection);
    let cases = fields.required_list("cases", sink, selected);
    Some(Inventory {
        written_at: fields.optional("written_at", sink, moment),
        cost_unit: fields.optional("cost_unit", sink, text).unwrap_or_default(),
        checks: fields.list("checks", sink, check),
        format: format?,
        selection: how?,
        cases: cases?,
    })
}

fn selection(at: &At<'_>, sink: &mut Sink) -> Option<Selection> {
    let fields = Fields::open(at, &SELECTION, sink)?;
    let rule = fields.required("rule", sink, text);
    let seed = fields.optional("seed", sink, whole);
    let of = fields.optional("of", sink, whole);
    Some(Selection { rule: rule?, seed, of })
}

fn selected(at: &At<'_>, sink: &mut Sink) -> Option<Selected> {
    let fields = Fields::open(at, &SELECTED, sink)?;
    let case = fields.required("case", sink, id);
    let why = fields.required("purpose", sink, purpose);
    let runs = fields.required_list("runs", sink, id);
    let steps = fields.required_list("steps", sink, id);
    let checks = fields.list("checks", sink, check);
    Some(Selected { case: case?, purpose: why?, runs: runs?, steps: steps?, checks })
}

pub(super) fn check(at: &At<'_>, sink: &mut Sink) -> Option<Check> {
    let fields = Fields::open(at, &CHECK, sink)?;
    let grader = fields.required("grader", sink, id);
    let rules = fields.list("rules", sink, id);
    let steps = fields.list("steps", sink, id);
    let serious = fields.optional("serious", sink, serious);
    let evidence = fields.optional("evidence", sink, evidence);
    let evaluates = fields.optional("evaluates", sink, evaluates);
    Some(Check { grader: grader?, rules, steps, serious, evidence, evaluates })
}

fn evidence(at: &At<'_>, sink: &mut Sink) -> Option<Grade> {
    one_of(at, sink, &Grade::KNOWN.map(|grade| (grade.name(), grade)))
}

fn evaluates(at: &At<'_>, sink: &mut Sink) -> Option<Evaluates> {
    one_of(at, sink, &Evaluates::ALL.map(|kind| (kind.name(), kind)))
}

fn serious(at: &At<'_>, sink: &mut Sink) -> Option<Serious> {
    const ALL: [Serious; 5] = [
        Serious::Essential,
        Serious::MustNot,
        Serious::Entitlement,
        Serious::RequiredNumber,
        Serious::ImportantClaim,
    ];
    one_of(at, sink, &ALL.map(|serious| (serious.name(), serious)))
}
