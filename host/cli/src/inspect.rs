//! What is known of a component: from its bytes, and, where it loads, from itself.

use accredit_core::id::Digest;
use accredit_core::manifest::Manifest;
use accredit_core::untrusted::Untrusted;
use accredit_core::verdict::GraderKind;
use accredit_engine::{
    Access, CacheNote, Engine, Grader, Import, Inspection, Limits, LoadError, Minimums,
};
use serde::Serialize;

use crate::bounds::{Bound, bounds};
use crate::place;

/// What is known of a component. What could not be found out is absent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inspected {
    /// Whether this host takes it as a grader.
    pub loads: Loads,
    /// What stands in the way, in load order.
    pub obstacles: Vec<String>,
    /// The digest of its bytes: what authority is bound to. Absent where the file is too large to be read.
    pub digest: Option<Digest>,
    /// The first digits of the digest, for people.
    pub short: Option<String>,
    /// Bytes of the file; absent where it is too large to be read.
    pub size: Option<usize>,
    /// The contract it was built against.
    pub contract: Option<Untrusted>,
    /// What kind of grader it is, from what it imports.
    pub kind: Option<GraderKind>,
    /// What it says of itself: name, version, rubric and rules.
    pub manifest: Option<Manifest>,
    /// What it imports, and what the host does about each.
    pub imports: Vec<Imported>,
    /// What it exports, where that is no grader.
    pub exports: Vec<Untrusted>,
    /// What its metadata says; anyone can write anything there.
    pub metadata: Metadata,
    /// What it needs before any of it runs.
    pub minimums: Option<Needs>,
    /// The limits that it would run under.
    pub limits: Vec<Bound>,
    /// What decides outcomes on this host, as one digest.
    pub semantics: Digest,
    /// What the compile cache did, where it was loaded.
    pub cache: Option<String>,
}

/// Whether a component is a grader for this host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loads {
    /// It was loaded, and described itself.
    Yes,
    /// It was not loaded: see the obstacles.
    No,
    /// Nothing is in its way as far as its bytes show; it was not run.
    NotTried,
}

/// An import, and what the host does about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Imported {
    /// Its full name.
    pub name: Untrusted,
    /// `granted`, `inert` or `refused`.
    pub access: &'static str,
    /// What that means, and what to do about it.
    pub why: String,
}

/// What a component's metadata says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Metadata {
    /// Authors.
    pub authors: Vec<Untrusted>,
    /// Licences.
    pub licences: Vec<Untrusted>,
    /// Versions.
    pub versions: Vec<Untrusted>,
    /// Tools that made it.
    pub producers: Vec<Tool>,
}

/// A tool that worked on a component, as the component says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// `language`, `processed-by` or `sdk`.
    pub field: Untrusted,
    /// The tool.
    pub name: Untrusted,
    /// Its version.
    pub version: Untrusted,
}

/// What a component needs before any of it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Needs {
    /// Core modules.
    pub modules: usize,
    /// Core instances.
    pub instances: usize,
    /// Linear memories.
    pub memories: usize,
    /// Bytes of all of them.
    pub memory_bytes: u64,
    /// Tables.
    pub tables: usize,
    /// Elements of all of them.
    pub table_elements: u64,
    /// Whether its memory is recycled from trial to trial on this machine, which makes trials quick.
    pub pooled: bool,
}

/// Whether to run a component's `describe`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    /// Compile it, and ask it.
    Describe,
    /// Only look at its bytes.
    Nothing,
}

/// Finds out what there is to know of a component.
#[must_use]
pub fn inspect(engine: &Engine, limits: &Limits, bytes: &[u8], run: Run) -> Inspected {
    let mut found = Inspected::of_bytes(engine, limits, bytes);
    match run {
        Run::Describe => match engine.load(bytes) {
            Ok(grader) => found.grader(engine, &grader),
            Err(error) => found.not_loaded(engine, bytes, &error),
        },
        Run::Nothing => match engine.inspect(bytes) {
            Ok(inspection) => found.inspection(engine, &inspection),
            Err(error) => found.obstacles.push(obstacle(&error)),
        },
    }
    if !found.obstacles.is_empty() {
        found.loads = Loads::No;
    }
    found
}

impl Inspected {
    fn of_bytes(engine: &Engine, limits: &Limits, bytes: &[u8]) -> Self {
        // A file above the limit was not read to its end.
        let digest = (bytes.len() <= limits.component_bytes).then(|| Digest::of(bytes));
        Self {
            loads: Loads::NotTried,
            obstacles: Vec::new(),
            short: digest.map(|digest| digest.short()),
            size: digest.map(|_| bytes.len()),
            digest,
            contract: None,
            kind: None,
            manifest: None,
            imports: Vec::new(),
            exports: Vec::new(),
            metadata: Metadata::default(),
            minimums: None,
            limits: bounds(limits),
            semantics: engine.semantics().fingerprint,
            cache: None,
        }
    }

    fn grader(&mut self, engine: &Engine, grader: &Grader) {
        self.inspection(engine, grader.inspection());
        self.loads = Loads::Yes;
        self.kind = Some(grader.kind());
        self.manifest = Some(grader.manifest().clone());
        self.cache = Some(cache(grader.cache_note()));
    }

    /// All that its bytes still show. The reason it did not load stands last, unless its bytes showed it.
    fn not_loaded(&mut self, engine: &Engine, bytes: &[u8], error: &LoadError) {
        if let Ok(inspection) = engine.inspect(bytes) {
            self.inspection(engine, &inspection);
        }
        if self.obstacles.is_empty() {
            self.obstacles.push(obstacle(error));
        }
    }

    fn inspection(&mut self, engine: &Engine, inspection: &Inspection) {
        self.contract = inspection.contract.clone().map(Untrusted::new);
        self.imports = inspection.imports.iter().map(imported).collect();
        if inspection.contract.is_none() {
            self.exports = inspection.exports.iter().map(Untrusted::new).collect();
        }
        self.metadata = metadata(inspection);
        self.minimums = Some(needs(&inspection.minimums, engine.is_pooled(&inspection.minimums)));
        self.obstacles.extend(inspection.obstacles.iter().map(obstacle));
    }
}

/// What is in the way, and the mend. What is wrong with each import stands beside the import.
fn obstacle(error: &LoadError) -> String {
    let text = error.to_string();
    match (error, text.split_once(":\n")) {
        (LoadError::ImportsRefused { .. }, Some((first, _))) => {
            format!("{first}; each refused import says why, and what to do")
        }
        _ => text,
    }
}

fn cache(note: &CacheNote) -> String {
    match note {
        CacheNote::Off => "off: it was compiled".to_owned(),
        CacheNote::Hit => "it was there, compiled".to_owned(),
        CacheNote::Stored => "it was compiled, and kept for next time".to_owned(),
        trouble => place::cache_text(trouble),
    }
}

fn imported(import: &Import) -> Imported {
    let (access, why) = match &import.access {
        Access::Granted => ("granted", "works, inside the sandbox"),
        Access::Inert => ("inert", "linked; every call answers access-denied and is counted"),
        Access::Refused { why } => ("refused", why.as_str()),
    };
    Imported { name: Untrusted::new(&import.name), access, why: why.to_owned() }
}

fn metadata(inspection: &Inspection) -> Metadata {
    let producers = inspection.producers.iter().map(|producer| Tool {
        field: producer.field.clone(),
        name: producer.name.clone(),
        version: producer.version.clone(),
    });
    Metadata {
        authors: inspection.authors.clone(),
        licences: inspection.licences.clone(),
        versions: inspection.versions.clone(),
        producers: producers.collect(),
    }
}

fn needs(minimums: &Minimums, pooled: bool) -> Needs {
    Needs {
        modules: minimums.modules,
        instances: minimums.instances,
        memories: minimums.memories,
        memory_bytes: minimums.memory_bytes,
        tables: minimums.tables,
        table_elements: minimums.table_elements,
        pooled,
    }
}
