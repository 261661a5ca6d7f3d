//! Component to machine code: in a child process that is bounded, or here where nothing bounds it.
//!
//! The child reads the component before this process does: a file that brings a decoder or the compiler
//! down, or makes it take minutes or gigabytes, does so over there. What this process then does with the
//! bytes, the child has already survived.

mod child;
mod ending;
mod parent;
mod wire;

use std::ffi::OsString;
use std::path::PathBuf;

use wasmtime::{Engine, OutOfMemory};

use crate::artefact::Code;
use crate::defect;
use crate::engine::FEATURES;
use crate::error::LoadError;
use crate::inspect::{self, Inspection, Known, inspect};
use crate::limits::{Limits, Settings};
use crate::shown::shown;
use wire::{Reply, Task};

pub use child::{ChildError, compile_child};

/// Where components are read and compiled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Compiler {
    /// In this process. **Nothing contains it**: neither fuel nor the wall clock nor any limit applies to
    /// the compiler, and a component of 300 KB can take it a minute and most of a gigabyte. For tests, and
    /// for components that you made yourself.
    #[default]
    InProcess,
    /// In a child process, one a component, within [`Limits::compile_wall`] and
    /// [`Limits::compile_memory_bytes`].
    Child {
        /// The program: of this very build, for its output is run as machine code. It calls
        /// [`compile_child`] and does nothing else with its standard input and output.
        program: PathBuf,
        /// What it is given before the arguments of [`compile_child`].
        args: Vec<OsString>,
    },
}

/// Reads and compiles a component that nothing is known of.
pub(crate) fn compile(
    settings: &Settings,
    engine: &Engine,
    bytes: &[u8],
) -> Result<(Inspection, Code), LoadError> {
    let limits = &settings.limits;
    let (inspection, code) = match &settings.compiler {
        Compiler::InProcess => compile_here(engine, limits, bytes)?,
        Compiler::Child { program, args } => {
            let reply = parent::ask(program, args, Task::Compile, bytes, limits)?;
            // The child has come this far too.
            let inspection = accepted(bytes, limits, Known::Nothing);
            match reply {
                Reply::Done(code) => (inspection?, code),
                Reply::Refused => return Err(inspection.err().unwrap_or_else(disagreement)),
            }
        }
    };
    Ok((inspection, Code::compiled(code)))
}

/// Looks into a component that nothing is known of.
pub(crate) fn look(settings: &Settings, bytes: &[u8]) -> Result<Inspection, LoadError> {
    if let Compiler::Child { program, args } = &settings.compiler {
        parent::ask(program, args, Task::Inspect, bytes, &settings.limits)?;
    }
    inspect(bytes, &settings.limits)
}

/// What a component is, where nothing stands in the way of running it.
pub(crate) fn accepted(
    bytes: &[u8],
    limits: &Limits,
    known: Known,
) -> Result<Inspection, LoadError> {
    let inspection = inspect::look(bytes, limits, known)?;
    match inspection.obstacles.first() {
        Some(obstacle) => Err(obstacle.clone()),
        None => Ok(inspection),
    }
}

/// Inspection, and the artefact as wasmtime serialises it.
fn compile_here(
    engine: &Engine,
    limits: &Limits,
    bytes: &[u8],
) -> Result<(Inspection, Vec<u8>), LoadError> {
    let inspection = accepted(bytes, limits, Known::Nothing)?;
    let made = defect::caught("compiling it", || engine.precompile_component(bytes))?;
    let code = made.map_err(|error| match error.is::<OutOfMemory>() {
        true => LoadError::CompileMemory { limit: limits.compile_memory_bytes },
        false => LoadError::Compile { detail: shown(&format!("{error:#}")), features: FEATURES },
    })?;
    Ok((inspection, code))
}

fn disagreement() -> LoadError {
    LoadError::Compiler { what: "refused a component that this process takes".to_owned() }
}
