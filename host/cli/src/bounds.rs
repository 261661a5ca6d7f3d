//! The limits in force, as rows: what each is, how much, and of what.

use accredit_engine::Limits;
use serde::Serialize;

/// One limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bound {
    /// What is limited.
    pub limit: &'static str,
    /// How much is allowed.
    pub amount: u64,
    /// Of what.
    pub unit: &'static str,
    /// The option that sets it, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option: Option<&'static str>,
}

/// Every limit there is, those of a trial first.
#[must_use]
pub fn bounds(limits: &Limits) -> Vec<Bound> {
    let millis = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let rows = [
        ("fuel", limits.fuel, "units a trial", Some("--fuel")),
        ("wall clock", millis(limits.wall), "ms a trial", Some("--wall-seconds")),
        ("memory", limits.memory_bytes as u64, "bytes a trial", Some("--memory-mib")),
        ("tables", limits.table_elements as u64, "elements a trial", None),
        ("handles", limits.handles as u64, "at one time", None),
        ("one call", limits.hostcall_bytes as u64, "bytes and the case's size", None),
        ("findings", limits.findings as u64, "a trial", None),
        ("findings' text", limits.finding_bytes as u64, "bytes a trial", None),
        ("quotations", limits.search_bytes, "bytes of evidence searched a trial", None),
        ("output kept", limits.captured_bytes as u64, "bytes a trial", None),
        ("native stack", limits.wasm_stack_bytes as u64, "bytes", None),
        ("component", limits.component_bytes as u64, "bytes", None),
        ("linear memories", limits.memories as u64, "a component", None),
        ("tables in all", limits.tables as u64, "a component", None),
        ("core instances", limits.instances as u64, "a component", None),
        ("compile time", millis(limits.compile_wall), "ms", Some("--compile-seconds")),
        ("compile memory", limits.compile_memory_bytes, "bytes", Some("--compile-memory-mib")),
    ];
    rows.map(|(limit, amount, unit, option)| Bound { limit, amount, unit, option }).into()
}
