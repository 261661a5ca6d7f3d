//! A folder of controls.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use accredit_core::control::lint::{Lint, LintFault, SET_FILE, Unread, nearest, quoted};
use accredit_core::control::set::{Control, ControlSet, Kind, Place};
use accredit_core::id::Digest;

use super::fault::ReadFaults;
use super::fields::{At, Fields, Shape, Sink};
use super::header::{self, Header};
use super::node::Node;
use super::source::{Source, unreadable, whole};
use super::{entry, from_toml, real_output};

const FILE: Shape = Shape {
    what: "a file of controls",
    keys: &["control"],
};

/// Reads a control set: `set.toml` and a file for each kind, `<kind>.toml` or `<kind>.jsonl`. Notes
/// (`*.md`) and files whose name starts with a dot are passed over; any other file is a fault. With the
/// set come the warnings that do not stop a run.
///
/// # Errors
/// Every fault of every file and of the set as a whole, with the warnings among them.
pub fn control_set(folder: &Path) -> Result<(ControlSet, Vec<LintFault>), ReadFaults> {
    let mut reading = Reading::default();
    reading.files(folder);
    for at in 0..reading.sources.len() {
        reading.file(at);
    }
    reading.lint();
    let Reading {
        faults,
        sources,
        controls,
        header,
        ..
    } = reading;
    match header.whole {
        Some(header) if !faults.iter().any(LintFault::is_error) => Ok((
            ControlSet {
                header,
                controls,
                digest: digest(&sources),
            },
            faults,
        )),
        _ => Err(ReadFaults::new(folder, faults)),
    }
}

/// The digest of the set's files, by name: what was read, and nothing beside it.
fn digest(sources: &[(Role, Source)]) -> Digest {
    let parts = sources
        .iter()
        .flat_map(|(_, source)| [source.name.as_bytes(), source.bytes.as_slice()]);
    Digest::of_parts(parts)
}

/// What a file of the folder holds.
#[derive(Clone, Copy)]
enum Role {
    Header,
    Toml(Kind),
    JsonLines(Kind),
}

impl Role {
    fn of(name: &str) -> Option<Self> {
        if name == SET_FILE {
            return Some(Self::Header);
        }
        let (stem, ending) = name.rsplit_once('.')?;
        match (Kind::from_name(stem)?, ending) {
            (kind, "jsonl") => Some(Self::JsonLines(kind)),
            (Kind::RealOutput, _) => None,
            (kind, "toml") => Some(Self::Toml(kind)),
            _ => None,
        }
    }
}

/// What has been read so far.
#[derive(Default)]
struct Reading {
    faults: Vec<LintFault>,
    sources: Vec<(Role, Source)>,
    header: Header,
    controls: Vec<Control>,
    unread: Vec<Unread>,
    /// The trees of TOML files, to find the line of the key that a lint fault is about.
    nodes: BTreeMap<Place, Node>,
}

impl Reading {
    fn files(&mut self, folder: &Path) {
        let entries = match fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
            Ok(entries) => entries,
            Err(error) => return self.faults.push(unreadable(folder, "", &error)),
        };
        let mut names: Vec<_> = entries.into_iter().map(|entry| entry.file_name()).collect();
        names.sort();
        for name in names {
            let Some(name) = name.to_str() else {
                self.faults.push(unknown_file(&name.to_string_lossy()));
                continue;
            };
            match Role::of(name) {
                Some(role) => match Source::read(&folder.join(name), name) {
                    Ok(source) => self.sources.push((role, source)),
                    Err(fault) => self.lost(role, fault),
                },
                None if name.starts_with('.') || name.ends_with(".md") => {}
                None => self.faults.push(unknown_file(name)),
            }
        }
        let seen = |name: &str| {
            let faulty = self.faults.iter().any(|fault| fault.at.file == name);
            faulty || self.sources.iter().any(|(_, source)| source.name == name)
        };
        if !seen(SET_FILE) {
            let mend = "add it, with the set's id, version, rubric, authors, rules and transforms";
            self.faults.push(LintFault::error(
                "missing-file",
                whole(SET_FILE),
                "is missing",
                mend,
            ));
        }
    }

    /// A file that could not be read may have held anything.
    fn lost(&mut self, role: Role, fault: LintFault) {
        if let Role::Toml(kind) | Role::JsonLines(kind) = role {
            let at = fault.at.clone();
            self.unread.push(Unread {
                kind,
                at,
                id: None,
                pair: None,
                rule: None,
            });
        }
        self.faults.push(fault);
    }

    fn file(&mut self, at: usize) {
        let (role, source) = &self.sources[at];
        let role = *role;
        let mut sink = Sink::new(&source.name);
        let text = match source.text() {
            Ok(text) => text,
            Err(fault) => return self.lost(role, fault),
        };
        let nodes = match role {
            Role::JsonLines(_) => real_output::json_lines(text, &mut sink),
            Role::Header | Role::Toml(_) => match from_toml::parse(text) {
                Ok(node) => vec![node],
                Err(syntax) => {
                    let mend = "mend the syntax here; the rest of the file was not read";
                    sink.push("syntax", syntax.line, syntax.message, mend);
                    return sink
                        .faults
                        .into_iter()
                        .for_each(|fault| self.lost(role, fault));
                }
            },
        };
        for fault in std::mem::take(&mut sink.faults) {
            self.lost(role, fault);
        }
        for node in nodes {
            self.tree(role, node, &mut sink);
        }
        self.faults.append(&mut sink.faults);
    }

    fn tree(&mut self, role: Role, node: Node, sink: &mut Sink) {
        match role {
            Role::Header => {
                self.header = header::read(&node, sink);
                self.nodes.insert(whole(SET_FILE), node);
            }
            Role::Toml(kind) => {
                let Some(fields) = Fields::open(&At::root(&node), &FILE, sink) else {
                    return;
                };
                for control in fields.list("control", sink, |at, _| Some(at.node.clone())) {
                    self.control(kind, control, sink);
                }
            }
            Role::JsonLines(kind) => self.control(kind, node, sink),
        }
    }

    fn control(&mut self, kind: Kind, node: Node, sink: &mut Sink) {
        let at = sink.place(node.line);
        let control = match kind {
            Kind::RealOutput => real_output::read(&node, sink),
            _ => entry::read(&node, sink).map(|entry| Control {
                kind,
                at: at.clone(),
                entry,
                label: None,
            }),
        };
        match control {
            Some(control) => self.controls.push(control),
            None => self.unread.push(entry::unread(kind, at.clone(), &node)),
        }
        self.nodes.insert(at, node);
    }

    /// Adds what only the whole set shows, each fault at the line of its key.
    fn lint(&mut self) {
        let lint = Lint {
            header: self.header.whole.as_ref(),
            rules: self.header.rules.as_deref(),
            transforms: self.header.transforms.as_deref(),
            controls: &self.controls,
            unread: &self.unread,
        };
        for mut fault in lint.faults() {
            if let Some(node) = self.nodes.get(&fault.at)
                && !fault.key.is_empty()
            {
                fault.at.line = node.line_of(fault.key);
            }
            self.faults.push(fault);
        }
        self.faults.sort_by(|a, b| a.at.cmp(&b.at));
    }
}

fn unknown_file(name: &str) -> LintFault {
    let mut files = vec![SET_FILE.to_owned()];
    for kind in Kind::ALL {
        files.extend((kind != Kind::RealOutput).then(|| format!("{kind}.toml")));
        files.push(format!("{kind}.jsonl"));
    }
    let near = match name {
        "real-output.toml" => Some("real-output.jsonl"),
        _ => nearest(name, files.iter().map(String::as_str)),
    };
    let mend = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let kinds: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
            let kinds = kinds.join(", ");
            format!("name it after its kind (.toml or .jsonl): {kinds}; or make it a note (.md)")
        }
    };
    let message = "is no file of a control set";
    LintFault::error(
        "unknown-file",
        whole(quoted(name).trim_matches('`')),
        message,
        mend,
    )
}
