//! Memory, tables and instances: counted over a whole trial, and refused past their limits.

use wasmtime::{Error, ResourceLimiter, Result};

use super::Stop;
use crate::limits::Limits;

/// Counts what a trial holds. A growth that fails ends the trial: a guest that goes on after a failed
/// `memory.grow` would answer otherwise than with more memory, and nobody would know.
pub(crate) struct Meter {
    memory: usize,
    memory_limit: usize,
    elements: usize,
    element_limit: usize,
    memories: usize,
    tables: usize,
    instances: usize,
}

impl Meter {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            memory: 0,
            memory_limit: limits.memory_bytes,
            elements: 0,
            element_limit: limits.table_elements,
            memories: limits.memories,
            tables: limits.tables,
            instances: limits.instances,
        }
    }

    /// Bytes of all linear memories. They only grow.
    pub(crate) fn memory_bytes(&self) -> u64 {
        self.memory as u64
    }
}

/// The new total, or why not.
fn grown(
    total: usize,
    current: usize,
    desired: usize,
    maximum: Option<usize>,
    limit: usize,
    what: &str,
) -> Result<usize> {
    let total = total.saturating_sub(current).saturating_add(desired);
    if total > limit {
        return Err(Stop::Memory(format!(
            "{what} would grow to {total}, more than the limit of {limit}"
        ))
        .into());
    }
    match maximum.filter(|maximum| desired > *maximum) {
        Some(maximum) => Err(Stop::Memory(format!(
            "{what} would grow to {desired}, more than its own maximum of {maximum}"
        ))
        .into()),
        None => Ok(total),
    }
}

impl ResourceLimiter for Meter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> Result<bool> {
        self.memory = grown(
            self.memory,
            current,
            desired,
            maximum,
            self.memory_limit,
            "bytes of linear memory",
        )?;
        Ok(true)
    }

    fn memory_grow_failed(&mut self, error: Error) -> Result<()> {
        Err(Stop::HostMemory(error.to_string()).into())
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> Result<bool> {
        self.elements =
            grown(self.elements, current, desired, maximum, self.element_limit, "table elements")?;
        Ok(true)
    }

    fn table_grow_failed(&mut self, error: Error) -> Result<()> {
        Err(Stop::HostMemory(error.to_string()).into())
    }

    fn instances(&self) -> usize {
        self.instances
    }

    fn tables(&self) -> usize {
        self.tables
    }

    fn memories(&self) -> usize {
        self.memories
    }
}
