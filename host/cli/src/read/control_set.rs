//! A folder of controls.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use accredit_core::control::label::RealOutputHeader;
use accredit_core::control::lint::{Lint, LintFault, SET_FILE, Unread, nearest, quoted};
use accredit_core::control::set::{Control, ControlSet, Kind, Place};
use accredit_core::id::Digest;

use super::entry::Reading;
use super::fault::ReadFaults;
use super::fields::{At, Fields, Shape, Sink};
use super::header::{self, Header};
use super::node::Node;
use super::source::{Source, unreadable, whole};
use super::{entry, from_toml, real_output};

const FILE: Shape = Shape { what: "a file of controls", keys: &["control"] };

/// Reads a control set: `set.toml` and a file for each kind, `<kind>.toml` or `<kind>.jsonl`. Notes
/// (`*.md`) and files whose name starts with a dot are passed over; any other file is a fault. With the
/// set come the warnings that do not stop a run.
///
/// # Errors
/// Every fault of every file and of the set as a whole, with the warnings among them.
pub fn control_set(folder: &Path) -> Result<(ControlSet, Vec<LintFault>), ReadFaults> {
    let names = names(folder)
        .map_err(|error| ReadFaults::new(folder, vec![*unreadable(folder, "", &error)]))?;
    let mut read = Folder::default();
    read.files(&names, |name| Source::read(&folder.join(name), name));
    read.set().map_err(|faults| ReadFaults::new(folder, faults))
}

/// The same for a folder that is held in memory: the name and the bytes of each file.
///
/// # Errors
/// As [`control_set`].
pub fn control_set_of(
    files: &BTreeMap<String, Vec<u8>>,
) -> Result<(ControlSet, Vec<LintFault>), ReadFaults> {
    let names: Vec<_> = files.keys().cloned().collect();
    let mut read = Folder::default();
    read.files(&names, |name| Ok(Source { name: name.to_owned(), bytes: files[name].clone() }));
    read.set().map_err(|faults| ReadFaults::new("", faults))
}

/// The same for a folder in which the file of this name holds these bytes, whatever it holds on the disk.
///
/// # Errors
/// As [`control_set`].
pub fn control_set_with(
    folder: &Path,
    name: &str,
    bytes: &[u8],
) -> Result<(ControlSet, Vec<LintFault>), ReadFaults> {
    let mut names = names(folder)
        .map_err(|error| ReadFaults::new(folder, vec![*unreadable(folder, "", &error)]))?;
    if !names.iter().any(|it| it == name) {
        names.push(name.to_owned());
        names.sort();
    }
    let mut read = Folder::default();
    read.files(&names, |it| match it == name {
        true => Ok(Source { name: it.to_owned(), bytes: bytes.to_vec() }),
        false => Source::read(&folder.join(it), it),
    });
    read.set().map_err(|faults| ReadFaults::new(folder, faults))
}

/// The files of a control set in this folder, by name: what [`control_set_of`] takes. Notes are left out.
///
/// # Errors
/// When the folder or a file cannot be read.
pub fn control_files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, ReadFaults> {
    let names = names(folder)
        .map_err(|error| ReadFaults::new(folder, vec![*unreadable(folder, "", &error)]))?;
    let read = |name: String| Source::read(&folder.join(&name), &name).map(|it| (name, it.bytes));
    let files = names.into_iter().filter(|name| Role::of(name).is_some()).map(read);
    files.collect::<Result<_, _>>().map_err(|fault| ReadFaults::new(folder, vec![*fault]))
}

/// Whether a file of this name holds regression controls.
#[must_use]
pub fn is_regression_file(name: &str) -> bool {
    Role::of(name).is_some_and(Role::is_regression)
}

/// The names of everything in the folder, in order.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut names: Vec<_> = entries.into_iter().map(|entry| entry.file_name()).collect();
    names.sort();
    Ok(names.iter().map(|name| name.to_string_lossy().into_owned()).collect())
}

/// The digest of the set's files, by name: what was read, and nothing beside it; and that of the files of
/// regression controls, which are apart.
fn digests(sources: &[(Role, Source)]) -> (Digest, Option<Digest>) {
    let of = |apart: bool| {
        let of = sources.iter().filter(move |(role, _)| role.is_regression() == apart);
        of.flat_map(|(_, source)| [source.name.as_bytes(), source.bytes.as_slice()])
    };
    (Digest::of_parts(of(false)), of(true).next().map(|_| Digest::of_parts(of(true))))
}

/// What a file of the folder holds.
#[derive(Clone, Copy)]
enum Role {
    Header,
    Toml(Kind),
    JsonLines(Kind),
}

impl Role {
    fn is_regression(self) -> bool {
        matches!(self, Self::Toml(Kind::Regression) | Self::JsonLines(Kind::Regression))
    }

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
struct Folder {
    faults: Vec<LintFault>,
    sources: Vec<(Role, Source)>,
    header: Option<Header>,
    /// What the header line of the real outputs says.
    outputs: RealOutputHeader,
    controls: Vec<Control>,
    unread: Vec<Unread>,
    /// Of the unread controls those of which a part could be read, with the keys that could not.
    parts: Vec<(Control, BTreeSet<String>)>,
    /// The trees of TOML files, to find the line of the key that a lint fault is about.
    nodes: BTreeMap<Place, Node>,
}

impl Folder {
    /// Reads every file of these names, then each control in them.
    fn files(&mut self, names: &[String], open: impl Fn(&str) -> Result<Source, Box<LintFault>>) {
        if !names.iter().any(|name| name == SET_FILE) {
            let mend = "add it, with the set's id, version, rubric, authors, rules and transforms";
            let at = whole(SET_FILE);
            self.faults.push(LintFault::error("missing-file", at, "is missing", mend));
        }
        for name in names {
            self.found(name, &open);
        }
        // A thread a file; what they read is put together in the files' order.
        let sources = std::mem::take(&mut self.sources);
        thread::scope(|scope| {
            let read = |(role, source): &'_ (Role, Source)| Self::file(*role, source);
            let files: Vec<_> =
                sources.iter().map(|source| scope.spawn(move || read(source))).collect();
            for file in files {
                self.add(file.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
        });
        self.sources = sources;
    }

    /// Adds what was read of one more file.
    fn add(&mut self, file: Self) {
        let Self { faults, sources: _, header, outputs, controls, unread, parts, nodes } = file;
        self.header = header.or(self.header.take());
        // One file at most holds real outputs.
        if outputs != RealOutputHeader::default() {
            self.outputs = outputs;
        }
        self.faults.extend(faults);
        self.controls.extend(controls);
        self.unread.extend(unread);
        self.parts.extend(parts);
        self.nodes.extend(nodes);
    }

    /// What was read, if it is a sound set; with its warnings.
    fn set(mut self) -> Result<(ControlSet, Vec<LintFault>), Vec<LintFault>> {
        self.lint();
        let Self { faults, sources, controls, header, outputs, .. } = self;
        match header.and_then(|header| header.set) {
            Some(header) if !faults.iter().any(LintFault::is_error) => {
                let (digest, regression) = digests(&sources);
                let sample = outputs.sample;
                Ok((ControlSet { header, controls, sample, digest, regression }, faults))
            }
            _ => Err(faults),
        }
    }

    fn found(&mut self, name: &str, open: &impl Fn(&str) -> Result<Source, Box<LintFault>>) {
        match Role::of(name) {
            Some(role) => match open(name) {
                Ok(source) => self.sources.push((role, source)),
                Err(fault) => self.lost(role, *fault),
            },
            None if name.starts_with('.') || name.ends_with(".md") => {}
            None => {
                let meant = meant(name);
                let fault = unknown_file(name, meant.as_deref());
                match meant.and_then(|meant| Role::of(&meant)) {
                    Some(role) => self.lost(role, fault),
                    None => self.faults.push(fault),
                }
            }
        }
    }

    /// A file that could not be read may have held anything.
    fn lost(&mut self, role: Role, fault: LintFault) {
        if let Role::Toml(kind) | Role::JsonLines(kind) = role {
            let at = fault.at.clone();
            self.unread.push(Unread { kind, at, id: None, pair: None, rule: None });
        }
        self.faults.push(fault);
    }

    /// Reads one file, as if it were the whole folder.
    fn file(role: Role, source: &Source) -> Self {
        let mut read = Self::default();
        read.take(role, source);
        read
    }

    fn take(&mut self, role: Role, source: &Source) {
        let mut sink = Sink::new(&source.name);
        let text = match source.text() {
            Ok(text) => text,
            Err(fault) => return self.lost(role, *fault),
        };
        let mut nodes = match role {
            Role::JsonLines(_) => real_output::json_lines(text, &mut sink),
            Role::Header | Role::Toml(_) => match from_toml::parse(text) {
                Ok(node) => vec![node],
                Err(syntax) => {
                    let mend = "mend the syntax here; the rest of the file was not read";
                    sink.push("syntax", syntax.line, syntax.message, mend);
                    return sink.faults.into_iter().for_each(|fault| self.lost(role, fault));
                }
            },
        };
        for fault in std::mem::take(&mut sink.faults) {
            self.lost(role, fault);
        }
        if let Role::JsonLines(Kind::RealOutput) = role {
            self.outputs = real_output::take_header(&mut nodes, &mut sink);
        }
        for node in nodes {
            self.tree(role, node, &mut sink);
        }
        self.faults.append(&mut sink.faults);
    }

    fn tree(&mut self, role: Role, node: Node, sink: &mut Sink) {
        match role {
            Role::Header => {
                self.header = Some(header::read(&node, sink));
                self.nodes.insert(whole(SET_FILE), node);
            }
            Role::Toml(kind) => {
                let mut own = Sink::new(&sink.file);
                let fields = Fields::open(&At::root(&node), &FILE, &mut own);
                let read = |at: &At<'_>, _: &mut Sink| Some(at.node.clone());
                let controls = fields.map(|fields| fields.list("control", &mut own, read));
                for fault in own.faults {
                    self.lost(role, fault);
                }
                for control in controls.unwrap_or_default() {
                    self.control(kind, control, sink);
                }
            }
            Role::JsonLines(kind) => self.control(kind, node, sink),
        }
    }

    fn control(&mut self, kind: Kind, node: Node, sink: &mut Sink) {
        let at = sink.place(node.line);
        let of = |entry| Control { kind, at: at.clone(), entry, label: None, held_out: false };
        let whole = match kind {
            Kind::RealOutput => real_output::read(&node, self.outputs.labels_by, sink),
            _ => match entry::read(&node, sink) {
                Reading::Whole(entry) => Some(of(entry)),
                Reading::Part(entry, blamed) => {
                    self.parts.push((of(entry), blamed));
                    None
                }
                Reading::Nothing => None,
            },
        };
        match whole {
            Some(control) => self.controls.push(control),
            None => self.unread.push(entry::unread(kind, at.clone(), &node)),
        }
        self.nodes.insert(at, node);
    }

    /// Adds what only the whole set shows, each fault at the line of its key.
    fn lint(&mut self) {
        let header = self.header.take().unwrap_or_default();
        let lint = Lint {
            header: header.set.as_ref(),
            rules: header.rules(),
            transforms: header.transforms(),
            controls: &self.controls,
            unread: &self.unread,
        };
        let of_parts =
            self.parts.iter().flat_map(|(part, blamed)| faults_of_part(&lint, part, blamed));
        let known =
            |fault: &LintFault| fault.at.file != SET_FILE || is_known(fault, &header.blamed);
        let whole = lint.faults().into_iter().filter(known);
        for mut fault in whole.chain(of_parts) {
            if let Some(node) = self.nodes.get(&fault.at)
                && !fault.key.is_empty()
            {
                fault.at.line = node.line_of(fault.key);
            }
            self.faults.push(fault);
        }
        self.faults.sort_by(|a, b| a.at.cmp(&b.at));
        self.header = Some(header);
    }
}

/// What is wrong with the keys of a control that could be read, though others could not.
fn faults_of_part(lint: &Lint<'_>, part: &Control, blamed: &BTreeSet<String>) -> Vec<LintFault> {
    let mut faults = lint.faults_of(part);
    faults.retain(|fault| is_known(fault, blamed));
    if blamed.contains("id") {
        faults.iter_mut().for_each(|fault| fault.control = None);
    }
    faults
}

/// Whether the key that a fault is about was read as it stands.
fn is_known(fault: &LintFault, blamed: &BTreeSet<String>) -> bool {
    let key = fault.key.split('.').next();
    !key.is_some_and(|key| blamed.contains(key))
}

/// The file that this one was probably meant to be.
fn meant(name: &str) -> Option<String> {
    if name == "real-output.toml" {
        return Some("real-output.jsonl".to_owned());
    }
    let mut files = vec![SET_FILE.to_owned()];
    for kind in Kind::ALL {
        files.extend((kind != Kind::RealOutput).then(|| format!("{kind}.toml")));
        files.push(format!("{kind}.jsonl"));
    }
    nearest(name, files.iter().map(String::as_str)).map(str::to_owned)
}

fn unknown_file(name: &str, meant: Option<&str>) -> LintFault {
    let mend = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => {
            let kinds = Kind::ALL.map(Kind::name).join(", ");
            format!("name it after its kind (.toml or .jsonl): {kinds}; or make it a note (.md)")
        }
    };
    let shown = quoted(name);
    let at = whole(shown.trim_matches('`'));
    LintFault::error("unknown-file", at, "is no file of a control set", mend)
}
