//! Run records of the system under test: a folder of `*.json` (one record each) and `*.jsonl` (one a line).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use accredit_core::control::lint::LintFault;
use accredit_core::gate::record::SutRun;

use super::fault::ReadFaults;
use super::fields::Sink;
use super::from_json;
use super::inventory::INVENTORY_FILES;
use super::real_output::json_lines;
use super::run_record::one;
use super::source::{self, Source};

/// Reads every run record of a folder, in the order of the files' names. An inventory beside them is none.
///
/// # Errors
/// Every fault of every file, and an id that stands twice.
pub fn run_records(folder: &Path) -> Result<Vec<SutRun>, ReadFaults> {
    Ok(placed_records(folder)?.into_iter().map(|placed| placed.run).collect())
}

/// A run record, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The record.
    pub run: SutRun,
    /// Its file.
    pub path: PathBuf,
    /// The line it begins on, from 1.
    pub line: usize,
}

/// The same, each with its place.
///
/// # Errors
/// As [`run_records`].
pub fn placed_records(folder: &Path) -> Result<Vec<Placed>, ReadFaults> {
    let files = record_files(folder).map_err(|fault| ReadFaults::new("", vec![*fault]))?;
    read_all(folder, files)
}

/// Reads the run records of these files and folders.
///
/// # Errors
/// As [`run_records`].
pub fn run_records_at(paths: &[PathBuf]) -> Result<Vec<SutRun>, ReadFaults> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push((path.display().to_string(), path.clone()));
            continue;
        }
        let within = record_files(path).map_err(|fault| ReadFaults::new("", vec![*fault]))?;
        files.extend(within.into_iter().map(|(_, path)| (path.display().to_string(), path)));
    }
    let placed = read_all(Path::new(""), files)?;
    Ok(placed.into_iter().map(|placed| placed.run).collect())
}

fn read_all(folder: &Path, files: Vec<(String, PathBuf)>) -> Result<Vec<Placed>, ReadFaults> {
    let (mut runs, mut faults) = (Vec::new(), Vec::new());
    for (name, path) in files {
        let mut sink = Sink::new(&name);
        let Some(source) = source::keep(Source::read(&path, &name), &mut sink) else {
            faults.extend(sink.faults);
            continue;
        };
        let read = of_source(&source, &mut sink);
        let placed = |(line, run)| (sink.place(line), Placed { run, path: path.clone(), line });
        runs.extend(read.into_iter().map(placed));
        faults.extend(sink.faults);
    }
    let mut seen = BTreeMap::new();
    for (place, Placed { run, .. }) in &runs {
        if let Some(first) = seen.insert(&run.id, place) {
            let message = format!(
                "run `{}` is recorded twice: in {}:{} as well",
                run.id, first.file, first.line
            );
            let mend = "keep the original; what is learnt later is added to it with its date";
            faults.push(LintFault::error("duplicate-run", place.clone(), message, mend));
        }
    }
    if faults.is_empty() {
        Ok(runs.into_iter().map(|(_, run)| run).collect())
    } else {
        Err(ReadFaults::new(folder, faults))
    }
}

/// The records of one file that is held in memory.
///
/// # Errors
/// As [`run_records`].
pub fn run_records_of(name: &str, bytes: &[u8]) -> Result<Vec<SutRun>, ReadFaults> {
    let source = Source { name: name.to_owned(), bytes: bytes.to_vec() };
    let mut sink = Sink::new(name);
    let runs = of_source(&source, &mut sink);
    match sink.faults.is_empty() {
        true => Ok(runs.into_iter().map(|(_, run)| run).collect()),
        false => Err(ReadFaults::new("", sink.faults)),
    }
}

fn record_files(folder: &Path) -> Result<Vec<(String, PathBuf)>, Box<LintFault>> {
    let called = folder.display().to_string();
    let fail = |error: &std::io::Error| source::unreadable(folder, &called, error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| fail(&error))? {
        let path = entry.map_err(|error| fail(&error))?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        let (_, name) = source::split(&path);
        let is_record = matches!(ending, Some("json" | "jsonl"));
        if is_record && !name.starts_with('.') && !INVENTORY_FILES.contains(&name.as_str()) {
            files.push((name, path));
        }
    }
    files.sort();
    Ok(files)
}

/// The sound records of a file, each with its line.
fn of_source(source: &Source, sink: &mut Sink) -> Vec<(usize, SutRun)> {
    let Some(text) = source::keep(source.text(), sink) else { return Vec::new() };
    let lines = Path::new(&source.name).extension().is_some_and(|ending| ending == "jsonl");
    let nodes = match lines {
        true => json_lines(text, sink),
        false => match from_json::parse(text, 1) {
            Ok(node) => vec![node],
            Err(syntax) => {
                let mend = "mend the syntax here; the rest of the file was not read";
                sink.push("syntax", syntax.line, syntax.message, mend);
                Vec::new()
            }
        },
    };
    nodes.iter().filter_map(|node| one(node, sink).map(|run| (node.line, run))).collect()
}
