//! What a file is, without compiling it: the first steps of the load order, each with an error of its own.

mod access;
mod contract;
mod sections;

use accredit_core::id::Digest;
use accredit_core::untrusted::Untrusted;
use wit_parser::decoding::DecodedWasm;
use wit_parser::{Resolve, WorldId, WorldItem, WorldKey};

pub(crate) use access::GRANTED_TEXT;
pub use access::{Access, Import};
pub use sections::{Minimums, Producer};

use crate::defect;
use crate::error::LoadError;
use crate::limits::Limits;

/// What a component file says, read without compiling or running any of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Inspection {
    /// The digest of the file's bytes.
    pub digest: Digest,
    /// Bytes of the file.
    pub size: usize,
    /// The contract it was built against, such as `accredit:grader/grader@0.1.0`; none when it is no grader.
    pub contract: Option<String>,
    /// What it imports, in its own order, and what the host does about each.
    pub imports: Vec<Import>,
    /// What it exports, by full name.
    pub exports: Vec<String>,
    /// The authors its metadata names. Anyone can write anything there.
    pub authors: Vec<Untrusted>,
    /// The licences its metadata names.
    pub licences: Vec<Untrusted>,
    /// The versions its metadata names.
    pub versions: Vec<Untrusted>,
    /// The tools that made it, as they say.
    pub producers: Vec<Producer>,
    /// What it needs before it runs.
    pub minimums: Minimums,
    /// What stands in the way of loading it, in load order; empty for a grader that this host takes.
    pub obstacles: Vec<LoadError>,
}

/// Looks into a file without compiling it, in this process: a file of some MB can be made to take seconds
/// and hundreds of MB. [`crate::Engine::inspect`] is bounded.
///
/// # Errors
/// When the bytes are no valid component. A component that is no grader, or asks for something that the
/// host does not grant, is no error here: see [`Inspection::obstacles`].
pub fn inspect(bytes: &[u8], limits: &Limits) -> Result<Inspection, LoadError> {
    look(bytes, limits, Known::Nothing)
}

/// What is known of bytes before they are looked into.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing: all is checked.
    Nothing,
    /// They were compiled for this contract before, so that the format's rules and the contract's types hold.
    Compiled,
}

pub(crate) fn look(bytes: &[u8], limits: &Limits, known: Known) -> Result<Inspection, LoadError> {
    check_size(bytes, limits)?;
    check_preamble(bytes)?;
    let sections = sections::read(bytes, known)?;
    let (resolve, world) = decode(bytes)?;
    let imports = access::imports(&resolve, world);
    let exports =
        resolve.worlds[world].exports.keys().map(|key| name(&resolve, key)).collect::<Vec<_>>();
    let mut inspection = Inspection {
        digest: Digest::of(bytes),
        size: bytes.len(),
        contract: contract::exported_name(&resolve, world),
        imports,
        exports,
        authors: sections.authors,
        licences: sections.licences,
        versions: sections.versions,
        producers: sections.producers,
        minimums: sections.minimums,
        obstacles: Vec::new(),
    };
    inspection.obstacles = obstacles(&inspection, (&resolve, world), limits, known);
    Ok(inspection)
}

/// Refuses a file by its size alone.
pub(crate) fn check_size(bytes: &[u8], limits: &Limits) -> Result<(), LoadError> {
    match bytes.len() {
        0 => Err(LoadError::Empty),
        size if size > limits.component_bytes => {
            Err(LoadError::TooLarge { size, limit: limits.component_bytes })
        }
        _ => Ok(()),
    }
}

/// Tells a component from everything that is taken for one.
fn check_preamble(bytes: &[u8]) -> Result<(), LoadError> {
    match bytes {
        [0, b'a', b's', b'm', 0x0d, 0, 1, 0, ..] => Ok(()),
        [0, b'a', b's', b'm', _, _, 0, 0, ..] => Err(LoadError::CoreModule),
        [0, b'a', b's', b'm', ..] => Err(LoadError::Invalid {
            detail: "the header names a version of the component format that this host does not know, or is cut short".into(),
        }),
        _ => Err(not_wasm(bytes)),
    }
}

fn not_wasm(bytes: &[u8]) -> LoadError {
    let start = bytes.trim_ascii_start();
    let (what, advice) = if start.starts_with(b"(component")
        || start.starts_with(b"(module")
        || start.starts_with(b"(;")
        || start.starts_with(b";;")
    {
        (
            "WebAssembly text",
            "Turn it into the binary form with `wasm-tools parse FILE -o grader.wasm`",
        )
    } else if start.starts_with(b"package ")
        || start.starts_with(b"world ")
        || start.starts_with(b"interface ")
    {
        ("a WIT file", "Give the component that was built from it")
    } else if bytes.starts_with(b"\x7fELF") {
        (
            "a native program or an artefact compiled elsewhere",
            "Give the component itself: this host compiles it",
        )
    } else if bytes.starts_with(b"\x1f\x8b")
        || bytes.starts_with(b"PK")
        || bytes.starts_with(b"\x28\xb5\x2f\xfd")
    {
        ("a compressed file", "Unpack it first")
    } else if std::str::from_utf8(bytes).is_ok() {
        ("a text file", "Give the path of the .wasm file that the build makes")
    } else {
        ("no format that this host knows", "Give the path of the .wasm file that the build makes")
    };
    LoadError::NotWasm { what, advice }
}

fn decode(bytes: &[u8]) -> Result<(Resolve, WorldId), LoadError> {
    match defect::caught("reading it", || wit_parser::decoding::decode(bytes))? {
        Ok(DecodedWasm::Component(resolve, world)) => Ok((resolve, world)),
        Ok(DecodedWasm::WitPackage(..)) => Err(LoadError::NotWasm {
            what: "a WIT package in binary form, which holds types and no code",
            advice: "Give the component that was built from it",
        }),
        Err(error) => {
            Err(LoadError::Invalid { detail: crate::shown::shown(&format!("{error:#}")) })
        }
    }
}

/// The full name of an import or export.
fn name(resolve: &Resolve, key: &WorldKey) -> String {
    match key {
        WorldKey::Name(name) => name.clone(),
        WorldKey::Interface(id) => {
            resolve.id_of(*id).unwrap_or_else(|| "(unnamed interface)".to_owned())
        }
    }
}

/// What stands in the way, in load order.
fn obstacles(
    inspection: &Inspection,
    (resolve, world): (&Resolve, WorldId),
    limits: &Limits,
    known: Known,
) -> Vec<LoadError> {
    let mut found = Vec::new();
    let refused: Vec<Import> = inspection
        .imports
        .iter()
        .filter(|import| import.access.refusal().is_some())
        .cloned()
        .collect();
    if !refused.is_empty() {
        found.push(LoadError::ImportsRefused { imports: refused });
    }
    if known == Known::Nothing
        && let Err(error) = contract::check(resolve, world, &inspection.exports)
    {
        found.push(error);
    }
    if let Err(error) = inspection.minimums.check(limits) {
        found.push(error);
    }
    found
}

/// An exported or imported interface, if the item is one.
fn interface(item: &WorldItem) -> Option<wit_parser::InterfaceId> {
    match item {
        WorldItem::Interface { id, .. } => Some(*id),
        WorldItem::Function(_) | WorldItem::Type { .. } => None,
    }
}
