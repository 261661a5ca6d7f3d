//! What decides outcomes: everything that could make the same grader answer otherwise, and nothing else.

use accredit_core::id::Digest;
use serde::{Deserialize, Serialize};

use crate::contract;
use crate::engine::{FEATURES, FUEL_TABLE};
use crate::limits::Limits;

/// The release of wasmtime that this crate is built with.
const WASMTIME: &str = "48.0.8";

/// The version of this crate's own part: the virtual WASI, and how ends of trials become outcomes. Raise
/// it with every change that a guest could notice.
const SANDBOX: &str = "1";

/// What decides outcomes, as it goes into run records. CPU features, paths and timings are no part of it:
/// two machines with one fingerprint give the same outcomes, fuel and output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Semantics {
    /// wasmtime's version.
    pub wasmtime: String,
    /// The WebAssembly features that are on.
    pub features: String,
    /// The name of the fuel table.
    pub fuel_table: String,
    /// The version of the sandbox.
    pub sandbox: String,
    /// The contract's version.
    pub contract: String,
    /// The limits that decide, `name=value` and spaces.
    pub limits: String,
    /// The digest of all of the above.
    pub fingerprint: Digest,
}

impl Semantics {
    /// What decides outcomes under these limits.
    #[must_use]
    pub fn of(limits: &Limits) -> Self {
        let limits = deciding(limits);
        let parts = [WASMTIME, FEATURES, FUEL_TABLE, SANDBOX, contract::VERSION, &limits];
        Self {
            fingerprint: Digest::of_parts(parts.iter().map(|part| part.as_bytes())),
            wasmtime: WASMTIME.to_owned(),
            features: FEATURES.to_owned(),
            fuel_table: FUEL_TABLE.to_owned(),
            sandbox: SANDBOX.to_owned(),
            contract: contract::VERSION.to_owned(),
            limits,
        }
    }
}

/// All limits but those whose faults are machine-dependent anyway, and the size of the file.
fn deciding(limits: &Limits) -> String {
    let Limits {
        fuel,
        wall: _,
        memory_bytes,
        table_elements,
        memories,
        tables,
        instances,
        handles,
        hostcall_bytes,
        findings,
        finding_bytes,
        search_bytes,
        captured_bytes,
        component_bytes: _,
        wasm_stack_bytes: _,
        compile_wall: _,
        compile_memory_bytes: _,
    } = limits;
    format!(
        "fuel={fuel} memory_bytes={memory_bytes} table_elements={table_elements} memories={memories} \
         tables={tables} instances={instances} handles={handles} hostcall_bytes={hostcall_bytes} \
         findings={findings} finding_bytes={finding_bytes} search_bytes={search_bytes} captured_bytes={captured_bytes}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_one_that_is_locked() {
        let lock = include_str!("../../../Cargo.lock");
        assert!(
            lock.contains(&format!("name = \"wasmtime\"\nversion = \"{WASMTIME}\"")),
            "update WASMTIME"
        );
    }

    #[test]
    fn what_decides_changes_the_fingerprint_and_nothing_else_does() {
        let base = Limits::default();
        let fingerprint = |limits: &Limits| Semantics::of(limits).fingerprint;
        let mut other = base.clone();
        other.fuel += 1;
        assert_ne!(fingerprint(&base), fingerprint(&other));
        let mut same = base.clone();
        same.wall *= 2;
        same.component_bytes *= 2;
        same.compile_wall *= 2;
        same.compile_memory_bytes *= 2;
        assert_eq!(fingerprint(&base), fingerprint(&same));
    }
}
