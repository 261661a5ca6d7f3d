//! A loaded grader: checked, compiled, linked and asked what it is.

use std::fmt;
use std::sync::Arc;

use accredit_core::findings::Outcome;
use accredit_core::id::Digest;
use accredit_core::manifest::{Manifest, RawManifest};
use accredit_core::verdict::GraderKind;
use wasmtime::component::{Component, ComponentExportIndex, InstancePre};

use crate::cache::{CacheNote, Shelf};
use crate::compile::{accepted, compile};
use crate::contract::v0_1::{self, DescribeResult, GradeParams, GradeResult, GradingCase};
use crate::engine::Shared;
use crate::error::LoadError;
use crate::fault::Phase;
use crate::inspect::{Inspection, Known, check_size};
use crate::sandbox::{State, inert_calls, link_inert};
use crate::shown::shown;
use crate::trial::{Attempt, Start, Trial, TrialInput, attempt};

/// A grader that can be given trials. Cheap to clone, and usable from many threads at once.
#[derive(Clone)]
pub struct Grader {
    inner: Arc<Inner>,
}

struct Inner {
    // Dropped before the engine it belongs to.
    pre: InstancePre<State>,
    grade: ComponentExportIndex,
    inert: Vec<String>,
    manifest: Manifest,
    inspection: Inspection,
    cache_note: CacheNote,
    shared: Arc<Shared>,
}

impl fmt::Debug for Grader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grader").field("digest", &self.digest()).finish_non_exhaustive()
    }
}

impl Grader {
    pub(crate) fn load(shared: &Arc<Shared>, bytes: &[u8]) -> Result<Self, LoadError> {
        let Compiled { inspection, component, cache_note } = Compiled::of(shared, bytes)?;
        let mut linker = shared.backend(&inspection.minimums)?.linker.clone();
        let inert = link_inert(&mut linker, &component).map_err(|error| link_error(&error))?;
        let pre = linker.instantiate_pre(&component).map_err(|error| link_error(&error))?;
        let exports =
            Exports::find(&component, inspection.contract.as_deref().unwrap_or_default())?;
        let manifest = describe(shared, &pre, &exports.describe)?;
        Ok(Self {
            inner: Arc::new(Inner {
                pre,
                grade: exports.grade,
                inert,
                manifest,
                inspection,
                cache_note,
                shared: Arc::clone(shared),
            }),
        })
    }

    /// The digest of the component's bytes: what authority is bound to.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.inner.inspection.digest
    }

    /// What it said of itself, checked.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.inner.manifest
    }

    /// What kind of grader it is, from what it imports: contract 0.1.0 has nothing through which a
    /// component could ask a model, so whatever loads is code.
    #[must_use]
    pub fn kind(&self) -> GraderKind {
        GraderKind::Code
    }

    /// What was read from its bytes before it was compiled.
    #[must_use]
    pub fn inspection(&self) -> &Inspection {
        &self.inner.inspection
    }

    /// What the compile cache did.
    #[must_use]
    pub fn cache_note(&self) -> &CacheNote {
        &self.inner.cache_note
    }

    /// How many trials [`crate::run`] and [`crate::stream`] may run at one time.
    pub(crate) fn jobs(&self) -> usize {
        self.inner.shared.jobs()
    }

    /// Bytes of native stack that a thread needs to give a trial.
    pub(crate) fn stack_bytes(&self) -> usize {
        self.inner.shared.limits().wasm_stack_bytes
    }

    /// Gives it one case, in a fresh instance. However it ends is in [`Trial::outcome`].
    ///
    /// May be called from many threads, but from no more at one time than [`crate::Settings::jobs`] and 15:
    /// with more, trials end in a machine-dependent memory fault.
    #[must_use]
    pub fn trial(&self, input: &TrialInput<'_>) -> Trial {
        let inner = &*self.inner;
        let limits = inner.shared.limits();
        let case = GradingCase::of(input.case);
        let start = Start {
            engine: inner.pre.engine(),
            pre: &inner.pre,
            limits,
            seed: input.seed,
            clock_unix_s: input.clock_unix_s,
            case_bytes: case.bytes(),
        };
        let attempt = attempt(&start, |store, instance| {
            let grade = instance
                .get_typed_func::<GradeParams<'_>, GradeResult>(&mut *store, &inner.grade)?;
            grade.call(store, (case,))
        });
        let Attempt { result, fuel, wall, state } = attempt;
        let outcome = match result {
            Ok(answer) => v0_1::outcome(answer, input.case, limits),
            Err((_, fault)) => Outcome::Fault(fault),
        };
        Trial {
            outcome,
            fuel,
            wall,
            memory_bytes: state.meter.memory_bytes(),
            inert: inert_calls(&inner.inert, &state),
            captured_truncated: state.captured.truncated(),
            captured: state.captured.into_text(),
        }
    }
}

/// A component in memory, and how it came there.
struct Compiled {
    inspection: Inspection,
    component: Component,
    cache_note: CacheNote,
}

impl Compiled {
    fn of(shared: &Shared, bytes: &[u8]) -> Result<Self, LoadError> {
        let limits = shared.limits();
        check_size(bytes, limits)?;
        let engine = shared.code_generator()?;
        let shelf = Shelf::of(engine, shared.settings.cache.as_ref(), &Digest::of(bytes));
        if let Some(code) = shelf.take() {
            // Whoever put it there has read these very bytes, and survived it.
            let inspection = accepted(bytes, limits, Known::Compiled)?;
            let engine = &shared.backend(&inspection.minimums)?.engine;
            if let Ok(component) = code.load(engine) {
                return Ok(Self { inspection, component, cache_note: CacheNote::Hit });
            }
        }
        let (inspection, code) = compile(&shared.settings, engine, bytes)?;
        let engine = &shared.backend(&inspection.minimums)?.engine;
        let component = code.load(engine).map_err(|error| LoadError::Compiler {
            what: format!(
                "made an artefact that cannot be loaded: {}",
                shown(&format!("{error:#}"))
            ),
        })?;
        Ok(Self { inspection, component, cache_note: shelf.put(&code) })
    }
}

/// Where the contract's functions are among the component's exports.
struct Exports {
    describe: ComponentExportIndex,
    grade: ComponentExportIndex,
}

impl Exports {
    fn find(component: &Component, contract: &str) -> Result<Self, LoadError> {
        let interface = component.get_export_index(None, contract);
        let function = |name: &str| component.get_export_index(Some(interface.as_ref()?), name);
        match (function("describe"), function("grade")) {
            (Some(describe), Some(grade)) => Ok(Self { describe, grade }),
            _ => Err(LoadError::NotAGrader { exports: vec![contract.to_owned()] }),
        }
    }
}

/// Seed and clock each time that a grader is asked to describe itself, which the contract wants the same
/// every time: what follows chance or the clock names no grader, and no rubric that controls could fit.
const ASKED: [([u8; 32], u64); 2] = [([0; 32], 0), ([0xa5; 32], 4_102_444_799)];

/// What the grader says of itself, if it says the same however it is asked.
fn describe(
    shared: &Shared,
    pre: &InstancePre<State>,
    index: &ComponentExportIndex,
) -> Result<Manifest, LoadError> {
    let [first, again] = ASKED;
    let manifest = described(shared, pre, index, first)?;
    if described(shared, pre, index, again)? != manifest {
        return Err(LoadError::ManifestChanges);
    }
    manifest.check().map_err(|faults| LoadError::Manifest { faults })
}

fn described(
    shared: &Shared,
    pre: &InstancePre<State>,
    index: &ComponentExportIndex,
    (seed, clock_unix_s): ([u8; 32], u64),
) -> Result<RawManifest, LoadError> {
    let limits = shared.limits();
    let start = Start { engine: pre.engine(), pre, limits, seed, clock_unix_s, case_bytes: 0 };
    let attempt = attempt(&start, |store, instance| {
        let describe = instance.get_typed_func::<(), DescribeResult>(&mut *store, index)?;
        describe.call(store, ())
    });
    let captured = attempt.state.captured.into_text();
    let (manifest,) = attempt.result.map_err(|(phase, fault)| match phase {
        Phase::Start => LoadError::Instantiate { fault, captured },
        Phase::Call => LoadError::Describe { fault, captured },
    })?;
    Ok(RawManifest::from(manifest))
}

fn link_error(error: &wasmtime::Error) -> LoadError {
    LoadError::Link { detail: shown(&format!("{error:#}")) }
}
