//! The sandbox of accredit: bytes -> checked component -> trials.
//!
//! This crate knows wasmtime and nothing else of accredit does. It never prints, opens no file but
//! those of its compile cache, and never sees what a control expects: a [`TrialInput`] holds a case
//! and nothing of the verdict it must get. Whatever a grader does ends as data, a
//! [`Trial`] holding a core [`Outcome`](accredit_core::findings::Outcome); only bytes that are no
//! grader at all are an error, a [`LoadError`].
//!
//! The way in, one module a step: `inspect` (what the bytes are, without compiling), `compile` (in a child
//! process that is bounded) and `cache`, `grader` (compiled, linked, asked to describe itself), `trial` (one attempt at one case in
//! a fresh instance), `runner` (many of them, in order) and `stream` (as many as come), both by way of `queue`. `sandbox` is
//! all that a guest can call.

mod artefact;
mod cache;
mod compile;
mod contract;
mod defect;
mod engine;
mod error;
mod fault;
mod grader;
mod inspect;
mod limits;
mod queue;
mod runner;
mod sandbox;
mod semantics;
mod shown;
mod stream;
mod trial;

pub use accredit_core::verdict::GraderKind;
pub use cache::{CacheConfig, CacheNote};
pub use compile::{ChildError, Compiler, compile_child};
pub use engine::{Engine, EngineError, Machine};
pub use error::LoadError;
pub use grader::Grader;
pub use inspect::{Access, Import, Inspection, Minimums, Producer, inspect};
pub use limits::{Limits, Settings};
pub use queue::Weight;
pub use runner::run;
pub use semantics::Semantics;
pub use stream::{Source, stream};
pub use trial::{Trial, TrialInput};
