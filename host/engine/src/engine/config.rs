//! wasmtime's settings, each with its reason.

use std::num::NonZeroUsize;

use wasmtime::{
    Config, Enabled, InstanceAllocationStrategy, OperatorCost, PoolingAllocationConfig,
    WasmBacktraceDetails,
};

use crate::inspect::Minimums;
use crate::limits::Limits;

/// The WebAssembly features that are on, for people and for the semantics fingerprint.
pub(crate) const FEATURES: &str = "wasm 2.0, tail calls, extended constants, relaxed SIMD (deterministic), component model 1.0; \
     NaN canonicalised; no threads, memory64, multi-memory, gc, exceptions, async";

/// Names the fuel table: wasmtime's own costs, and `memory.grow` charged.
pub(crate) const FUEL_TABLE: &str = "wasmtime-48-default+grow-255-a-page";

/// The most trials that run at one time.
pub(super) const MOST_JOBS: usize = 256;

/// How many trials a pool holds at one time: as many as the jobs, and some room for an embedder's own
/// calls. 16 cost 0.8 ms at start, the default of 1,000 takes 9.5 ms.
pub(super) fn slots(jobs: usize) -> u32 {
    u32::try_from(jobs.clamp(1, MOST_JOBS) + 15).unwrap_or(u32::MAX)
}

/// Core instances that a component of the pool may have: a std guest has 1 to 6, Python 14.
const POOL_INSTANCES: usize = 32;
/// Tables that a component of the pool may have: its own, and its shims'.
const POOL_TABLES: usize = 4;

/// Whether a component with these needs fits the pool. Code inside a component inside a component may be
/// instantiated any number of times, which only the compiler counts: those run on demand. (Toolchains put a
/// component without code into each component, to give its exports their types.)
pub(super) fn fits_pool(minimums: &Minimums) -> bool {
    minimums.nested_instances == 0
        && minimums.memories <= 1
        && minimums.instances <= POOL_INSTANCES
        && minimums.modules <= POOL_INSTANCES
        && minimums.tables <= POOL_TABLES
        && minimums.tables_per_module <= POOL_TABLES
}

/// The pool never holds more than this in one memory: limits above it run on demand.
const LARGEST_POOLED_MEMORY: usize = 1 << 30;

/// Slots that are recycled from trial to trial: half the cost of a trial, or less.
pub(super) fn pooled(limits: &Limits, slots: u32) -> Result<Config, String> {
    if limits.memory_bytes > LARGEST_POOLED_MEMORY {
        return Err("the memory limit is larger than a slot of the pool".to_owned());
    }
    let mut pool = PoolingAllocationConfig::default();
    let per_slot = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).saturating_mul(slots);
    pool.total_component_instances(slots)
        .total_core_instances(per_slot(POOL_INSTANCES))
        .total_memories(slots)
        .total_tables(per_slot(POOL_TABLES))
        .max_core_instances_per_component(u32::try_from(POOL_INSTANCES).unwrap_or(u32::MAX))
        .max_memories_per_component(1)
        .max_tables_per_component(u32::try_from(POOL_TABLES).unwrap_or(u32::MAX))
        .max_tables_per_module(u32::try_from(POOL_TABLES).unwrap_or(u32::MAX))
        .max_memories_per_module(1)
        // Upper bounds of what is allocated for an instance, not allocated beforehand.
        .max_core_instance_size(16 << 20)
        .max_component_instance_size(16 << 20)
        // A slot is what the limit allows, so that a guest meets the limit first and everywhere the same.
        .max_memory_size(limits.memory_bytes.next_multiple_of(65_536))
        .table_elements(limits.table_elements)
        // Pages kept between trials instead of being mapped again: judging a megabyte of text touches several MiB, and
        // mapping them anew takes a tenth of the trial. Only slots in use hold them, as many as there are jobs.
        .linear_memory_keep_resident(8 << 20)
        .table_keep_resident(64 << 10)
        // Resets only the pages a trial touched; halves the cost of a trial. Needs Linux 6.7.
        .pagemap_scan(Enabled::Auto);
    let mut config = base(limits);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    Ok(config)
}

/// Memory mapped for each trial: for guests that do not fit a slot.
pub(super) fn on_demand(limits: &Limits) -> Config {
    let mut config = base(limits);
    config.allocation_strategy(InstanceAllocationStrategy::OnDemand);
    config
}

/// Nothing is run: for the process that compiles.
pub(super) fn compiling(limits: &Limits) -> Config {
    let mut config = on_demand(limits);
    // One function in memory at a time, and no more time on the processors than on the clock. A second
    // thread would save some tenths of a second over a large grader, once.
    config.parallel_compilation(false);
    config
}

fn base(limits: &Limits) -> Config {
    let mut config = Config::new();
    config
        .wasm_component_model(true)
        // Fuel decides; charge what costs time and would be free.
        .consume_fuel(true)
        .operator_cost(fuel_table())
        // The backstop behind it.
        .epoch_interruption(true)
        .max_wasm_stack(limits.wasm_stack_bytes)
        // The same bits on every machine.
        .cranelift_nan_canonicalization(true)
        .wasm_relaxed_simd(true)
        .relaxed_simd_deterministic(true)
        // Not needed by any guest known, so closed.
        .wasm_memory64(false)
        .wasm_multi_memory(false)
        .wasm_custom_page_sizes(false)
        .wasm_wide_arithmetic(false)
        .shared_memory(false)
        // Nothing here is async.
        .concurrency_support(false)
        // One frame: enough to tell an error inside the guest from one in its answer.
        .wasm_backtrace_max_frames(NonZeroUsize::new(1))
        // Never read an environment variable to decide this.
        .wasm_backtrace_details(WasmBacktraceDetails::Disable)
        .memory_init_cow(true);
    config
}

fn fuel_table() -> OperatorCost {
    let mut cost = OperatorCost::new();
    // A page of 64 KiB costs the host a few thousand instructions to map and clear; 255 is the most that
    // the table can say.
    cost.variable.memory_grow_per_page = u8::MAX;
    cost
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};

    use super::*;

    /// What machine code must agree on to be loaded.
    fn compatibility(config: &Config) -> u64 {
        let engine = wasmtime::Engine::new(config).expect("an engine");
        let mut hasher = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn what_one_engine_compiles_every_other_loads() {
        let expected = compatibility(&compiling(&Limits::default()));
        let small = Limits {
            memory_bytes: 1 << 20,
            table_elements: 10,
            wasm_stack_bytes: 1 << 16,
            fuel: 1,
            ..Limits::default()
        };
        for limits in [Limits::default(), small] {
            assert_eq!(compatibility(&compiling(&limits)), expected);
            assert_eq!(compatibility(&on_demand(&limits)), expected);
            let pooled = pooled(&limits, slots(1)).expect("fits a pool");
            assert_eq!(compatibility(&pooled), expected);
        }
        // It does tell settings apart.
        let mut other = compiling(&Limits::default());
        other.consume_fuel(false);
        assert_ne!(compatibility(&other), expected);
    }
}
