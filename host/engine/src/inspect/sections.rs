//! One pass over a component's sections: metadata, static minimums, and the rules of the format.

use std::collections::BTreeSet;

use accredit_core::untrusted::Untrusted;
use wasmparser::{Instance, InstanceSectionReader, Parser, Payload, Validator, WasmFeatures};

use super::Known;
use crate::error::LoadError;
use crate::limits::Limits;
use crate::shown::shown;

/// Bytes of one page of linear memory.
const PAGE: u64 = 65_536;

/// A tool that worked on a component, as the component says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Producer {
    /// `language`, `processed-by` or `sdk`.
    pub field: Untrusted,
    /// The tool.
    pub name: Untrusted,
    /// Its version.
    pub version: Untrusted,
}

/// What a component needs before any of it runs: sums over its modules, which hold for a component that
/// instantiates each of them once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Minimums {
    /// Core modules.
    pub modules: usize,
    /// Core instances.
    pub instances: usize,
    /// Those of them that stand in components inside it, which may be instantiated any number of times.
    pub nested_instances: usize,
    /// Linear memories.
    pub memories: usize,
    /// Bytes of all of them.
    pub memory_bytes: u64,
    /// Tables.
    pub tables: usize,
    /// Elements of all of them.
    pub table_elements: u64,
    /// The most memories that one module defines.
    pub memories_per_module: usize,
    /// The most tables that one module defines.
    pub tables_per_module: usize,
}

impl Minimums {
    /// Whether a trial could start at all.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), LoadError> {
        let checks = [
            (self.memory_bytes, limits.memory_bytes as u64, "bytes of linear memory"),
            (self.table_elements, limits.table_elements as u64, "table elements"),
            (self.memories as u64, limits.memories as u64, "linear memories"),
            (self.tables as u64, limits.tables as u64, "tables"),
            (self.instances as u64, limits.instances as u64, "core instances"),
        ];
        match checks.into_iter().find(|(needs, limit, _)| needs > limit) {
            Some((needs, limit, unit)) => Err(LoadError::NeedsMore { needs, unit, limit }),
            None => Ok(()),
        }
    }
}

/// What the pass gathers.
#[derive(Default)]
pub(super) struct Sections {
    pub(super) authors: Vec<Untrusted>,
    pub(super) licences: Vec<Untrusted>,
    pub(super) versions: Vec<Untrusted>,
    pub(super) producers: Vec<Producer>,
    pub(super) minimums: Minimums,
    /// What the lists above hold already: a file may repeat a section a million times.
    seen: BTreeSet<(String, Untrusted)>,
    made_by: BTreeSet<Producer>,
}

/// Memories and tables of the module being read.
#[derive(Default)]
struct Open {
    memories: usize,
    tables: usize,
}

/// Reads every section once, nested ones too, checking all but the function bodies, which the compiler
/// checks.
pub(super) fn read(bytes: &[u8], known: Known) -> Result<Sections, LoadError> {
    let mut validator = Validator::new_with_features(features());
    let mut sections = Sections::default();
    let mut open = vec![Open::default()];
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(invalid)?;
        if known == Known::Nothing {
            validator.payload(&payload).map_err(invalid)?;
        }
        if let Payload::ModuleSection { unchecked_range: inside, .. }
        | Payload::ComponentSection { unchecked_range: inside, .. } = &payload
            && inside.end > bytes.len()
        {
            // The parser takes the end of the bytes for the end of what is open.
            return Err(LoadError::Invalid {
                detail: "unexpected end-of-file in a module".to_owned(),
            });
        }
        match &payload {
            Payload::ModuleSection { .. } => {
                sections.minimums.modules += 1;
                open.push(Open::default());
            }
            Payload::ComponentSection { .. } => open.push(Open::default()),
            Payload::End(_) => {
                let closed = open.pop().unwrap_or_default();
                let minimums = &mut sections.minimums;
                minimums.memories_per_module = minimums.memories_per_module.max(closed.memories);
                minimums.tables_per_module = minimums.tables_per_module.max(closed.tables);
            }
            Payload::InstanceSection(reader) => sections.instances(reader, open.len() > 1)?,
            _ => sections.payload(&payload, open.last_mut())?,
        }
    }
    Ok(sections)
}

/// The proposals that the format check lets through: what the compiler of this host also takes.
pub(crate) fn features() -> WasmFeatures {
    let off = WasmFeatures::THREADS
        | WasmFeatures::SHARED_EVERYTHING_THREADS
        | WasmFeatures::MEMORY64
        | WasmFeatures::MULTI_MEMORY
        | WasmFeatures::GC
        | WasmFeatures::EXCEPTIONS
        | WasmFeatures::FUNCTION_REFERENCES;
    (WasmFeatures::WASM3 | WasmFeatures::COMPONENT_MODEL).difference(off)
}

impl Sections {
    fn payload(&mut self, payload: &Payload<'_>, open: Option<&mut Open>) -> Result<(), LoadError> {
        let minimums = &mut self.minimums;
        match payload {
            Payload::MemorySection(reader) => {
                for memory in reader.clone() {
                    let memory = memory.map_err(invalid)?;
                    minimums.memories += 1;
                    minimums.memory_bytes =
                        minimums.memory_bytes.saturating_add(memory.initial.saturating_mul(PAGE));
                }
                if let Some(open) = open {
                    open.memories += reader.count() as usize;
                }
            }
            Payload::TableSection(reader) => {
                for table in reader.clone() {
                    let table = table.map_err(invalid)?;
                    minimums.tables += 1;
                    minimums.table_elements =
                        minimums.table_elements.saturating_add(table.ty.initial);
                }
                if let Some(open) = open {
                    open.tables += reader.count() as usize;
                }
            }
            Payload::CustomSection(custom) => self.custom(custom),
            _ => {}
        }
        Ok(())
    }

    fn instances(
        &mut self,
        reader: &InstanceSectionReader<'_>,
        nested: bool,
    ) -> Result<(), LoadError> {
        for instance in reader.clone() {
            if let Instance::Instantiate { .. } = instance.map_err(invalid)? {
                self.minimums.instances += 1;
                self.minimums.nested_instances += usize::from(nested);
            }
        }
        Ok(())
    }

    fn custom(&mut self, custom: &wasmparser::CustomSectionReader<'_>) {
        let list = match custom.name() {
            "authors" => &mut self.authors,
            "licenses" => &mut self.licences,
            "version" => &mut self.versions,
            "producers" => return self.producers(custom),
            _ => return,
        };
        let text = Untrusted::new(String::from_utf8_lossy(custom.data()));
        if self.seen.insert((custom.name().to_owned(), text.clone())) {
            list.push(text);
        }
    }

    /// A producers section that cannot be read says nothing.
    fn producers(&mut self, custom: &wasmparser::CustomSectionReader<'_>) {
        let Ok(producers) =
            wasm_metadata::Producers::from_bytes(custom.data(), custom.data_offset())
        else {
            return;
        };
        for (field, values) in producers.iter() {
            for (name, version) in values.iter() {
                let producer = Producer {
                    field: Untrusted::new(field.as_str()),
                    name: Untrusted::new(name.as_str()),
                    version: Untrusted::new(version.as_str()),
                };
                if self.made_by.insert(producer.clone()) {
                    self.producers.push(producer);
                }
            }
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
fn invalid(error: wasmparser::BinaryReaderError) -> LoadError {
    LoadError::Invalid {
        detail: shown(&format!("{} at byte {:#x}", error.message(), error.offset())),
    }
}
