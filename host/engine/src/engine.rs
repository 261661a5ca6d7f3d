//! One engine a process: how wasmtime is set up, its two allocators, and the ticker of the wall clock.

mod config;
mod ticker;

use std::sync::{Arc, OnceLock};

use crate::compile;
use crate::error::LoadError;
use crate::grader::Grader;
use crate::inspect::{Inspection, Minimums};
use crate::limits::{Limits, Settings};
use crate::sandbox::{Linker, base_linker};
use crate::semantics::Semantics;
use ticker::Ticker;
use wasmtime::PoolingAllocationConfig;

pub(crate) use config::{FEATURES, FUEL_TABLE};
pub(crate) use ticker::ticks;

/// An engine that compiles for all others with these limits, with one thread and with little memory.
pub(crate) fn compiling_engine(limits: &Limits) -> Result<wasmtime::Engine, LoadError> {
    wasmtime::Engine::new(&config::compiling(limits))
        .map_err(|error| no_backend(&format!("{error:#}")))
}

/// Why no engine could be made. Not the fault of any grader.
#[derive(Debug, thiserror::Error)]
#[error(
    "the WebAssembly engine could not be set up: {detail}. This host needs Linux on x86-64 or aarch64, and {need}"
)]
pub struct EngineError {
    detail: String,
    need: &'static str,
}

/// Loads graders. Cheap to clone; graders keep it alive.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

/// What the machine offers to an engine, for people who ask why it is slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Whether memory is recycled between trials. Not where address space is limited (`ulimit -v`) or the
    /// memory limit is above 1 GiB; each trial then costs two to four times as much.
    pub pooled: bool,
    /// Whether the kernel can tell which pages a trial touched (Linux 6.7): halves the cost of a trial.
    pub pagemap_scan: bool,
    /// The most trials that run at one time, whatever is asked for.
    pub most_jobs: usize,
}

/// What all graders of an engine share.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    /// Recycles memory between trials. None where the address space does not allow it.
    pooled: Option<Backend>,
    /// For guests that do not fit a slot of the pool; made when the first one comes.
    on_demand: OnceLock<Result<Backend, String>>,
    /// Stops with the last user of the engine.
    ticker: Ticker,
}

/// A wasmtime engine and what is linked for it.
pub(crate) struct Backend {
    pub(crate) engine: wasmtime::Engine,
    pub(crate) linker: Linker,
}

impl Engine {
    /// Sets up the engine and starts its ticker thread.
    ///
    /// # Errors
    /// When the machine cannot run WebAssembly, or a limit is beyond what the engine can keep.
    pub fn new(settings: &Settings) -> Result<Self, EngineError> {
        let slots = config::slots(settings.jobs);
        let pooled =
            config::pooled(&settings.limits, slots).and_then(|config| Backend::new(&config)).ok();
        let on_demand = OnceLock::new();
        if pooled.is_none() {
            let backend = Backend::new(&config::on_demand(&settings.limits))
                .map_err(|detail| EngineError { detail, need: "limits that fit its memory" })?;
            let _ = on_demand.set(Ok(backend));
        }
        let ticker = Ticker::start().map_err(|error| EngineError {
            detail: error.to_string(),
            need: "leave to start one thread",
        })?;
        if let Some(backend) =
            pooled.as_ref().or_else(|| on_demand.get().and_then(|made| made.as_ref().ok()))
        {
            ticker.add(&backend.engine);
        }
        Ok(Self {
            shared: Arc::new(Shared { settings: settings.clone(), pooled, on_demand, ticker }),
        })
    }

    /// What decides outcomes here, for run records.
    #[must_use]
    pub fn semantics(&self) -> Semantics {
        Semantics::of(&self.shared.settings.limits)
    }

    /// What this machine offers. None of it decides an outcome; it decides how fast they come.
    #[must_use]
    pub fn machine(&self) -> Machine {
        Machine {
            pooled: self.shared.pooled.is_some(),
            pagemap_scan: PoolingAllocationConfig::is_pagemap_scan_available(),
            most_jobs: config::MOST_JOBS,
        }
    }

    /// Whether memory is recycled between the trials of a component with these needs; see
    /// [`Machine::pooled`].
    #[must_use]
    pub fn is_pooled(&self, minimums: &Minimums) -> bool {
        self.shared.is_pooled(minimums)
    }

    /// Checks, compiles (or takes from the cache) and links a component, and asks it to describe itself.
    ///
    /// # Errors
    /// One variant a step; see [`LoadError`].
    pub fn load(&self, bytes: &[u8]) -> Result<Grader, LoadError> {
        Grader::load(&self.shared, bytes)
    }

    /// Looks into a component without compiling it, where [`Settings::compiler`] says: what takes a child too
    /// much time or memory is refused.
    ///
    /// # Errors
    /// See [`crate::inspect`]; and what can go wrong with a child.
    pub fn inspect(&self, bytes: &[u8]) -> Result<Inspection, LoadError> {
        compile::look(&self.shared.settings, bytes)
    }
}

impl Shared {
    pub(crate) fn limits(&self) -> &Limits {
        &self.settings.limits
    }

    /// How many trials a run may have at one time.
    pub(crate) fn jobs(&self) -> usize {
        self.settings.jobs.clamp(1, config::MOST_JOBS)
    }

    /// Whether a component's static needs fit the pool's slots; decided before anything is compiled.
    pub(crate) fn is_pooled(&self, minimums: &Minimums) -> bool {
        self.pooled.is_some() && config::fits_pool(minimums)
    }

    /// The backend a component with these needs runs on.
    pub(crate) fn backend(&self, minimums: &Minimums) -> Result<&Backend, LoadError> {
        match &self.pooled {
            Some(pooled) if self.is_pooled(minimums) => Ok(pooled),
            _ => self.on_demand(),
        }
    }

    /// An engine whose machine code fits every backend.
    pub(crate) fn code_generator(&self) -> Result<&wasmtime::Engine, LoadError> {
        match &self.pooled {
            Some(pooled) => Ok(&pooled.engine),
            None => self.on_demand().map(|backend| &backend.engine),
        }
    }

    fn on_demand(&self) -> Result<&Backend, LoadError> {
        let made = self.on_demand.get_or_init(|| {
            let backend = Backend::new(&config::on_demand(self.limits()))?;
            self.ticker.add(&backend.engine);
            Ok(backend)
        });
        made.as_ref().map_err(|detail| no_backend(detail))
    }
}

fn no_backend(detail: &str) -> LoadError {
    LoadError::Compile { detail: detail.to_owned(), features: FEATURES }
}

impl Backend {
    fn new(config: &wasmtime::Config) -> Result<Self, String> {
        let text = |error: wasmtime::Error| format!("{error:#}");
        let engine = wasmtime::Engine::new(config).map_err(text)?;
        let linker = base_linker(&engine).map_err(text)?;
        Ok(Self { engine, linker })
    }
}
