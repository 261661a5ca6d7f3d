//! Component to machine code: one function, so that where it happens can change.

use wasmtime::Engine;
use wasmtime::component::Component;

use crate::engine::FEATURES;
use crate::error::LoadError;
use crate::shown::shown;

/// Compiles a component that has passed inspection.
///
/// Neither fuel nor epochs bound the compiler: a small file can be made to take it minutes. A caller that
/// takes components from strangers must bound this call from outside.
pub(crate) fn compile(engine: &Engine, bytes: &[u8]) -> Result<Component, LoadError> {
    Component::from_binary(engine, bytes).map_err(|error| LoadError::Compile {
        detail: shown(&format!("{error:#}")),
        features: FEATURES,
    })
}
