//! How much a grader may use. Every number that can decide an outcome stands here.

use std::time::Duration;

use crate::cache::CacheConfig;
use crate::compile::Compiler;

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// What one trial, or one component, may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The budget that decides: units of fuel a trial, about one a WebAssembly instruction and one a
    /// byte of bulk memory operations. The same fault everywhere, whatever the machine's speed.
    pub fuel: u64,
    /// The backstop behind the fuel. Reaching it is a machine-dependent fault.
    pub wall: Duration,
    /// Bytes of all linear memories of a trial together.
    pub memory_bytes: usize,
    /// Elements of all tables of a trial together.
    pub table_elements: usize,
    /// Linear memories in a component.
    pub memories: usize,
    /// Tables in a component.
    pub tables: usize,
    /// Core instances in a component.
    pub instances: usize,
    /// Handles (streams, pollables, sockets) that a guest holds at one time.
    pub handles: usize,
    /// Bytes that pass from a guest to the host in one call. The size of the case is added to it, so that a
    /// grader can always hand back what it was given.
    pub hostcall_bytes: usize,
    /// Findings of one trial.
    pub findings: usize,
    /// Bytes of all text in the findings of one trial.
    pub finding_bytes: usize,
    /// Bytes of evidence that the quotations of one trial ask to be searched: each means reading the whole of
    /// what it cites.
    pub search_bytes: u64,
    /// Bytes kept of stdout, stderr and diagnostics together; what comes after is dropped and flagged.
    pub captured_bytes: usize,
    /// Bytes of a component file.
    pub component_bytes: usize,
    /// Bytes of native stack for WebAssembly frames. Overflow is a machine-dependent fault.
    pub wasm_stack_bytes: usize,
    /// How long a child may take to read and compile a component. Decides whether it loads, not what it does.
    pub compile_wall: Duration,
    /// Bytes of address space that child may have.
    pub compile_memory_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // 0.3 to 2.5 s of plain computing: a hundred thousand times what a small grader needs, and short
            // enough that a set of 1,000 controls with a grader that always loops ends within the hour.
            fuel: 1_000_000_000,
            // Several times what the fuel takes, so that only a stall meets it first, or a guest that spends its
            // fuel on what is slowest for a processor (loads that miss every cache).
            wall: Duration::from_secs(10),
            // Python and JavaScript guests start at 10 to 30 MiB; a 1 MiB case needs a few times its size.
            memory_bytes: 64 * MIB,
            // Python's interpreter needs 6,000 to 9,000; plain Rust about 70.
            table_elements: 20_000,
            // One, or a few where components are composed.
            memories: 8,
            tables: 32,
            // Python's dynamic linking makes about 30.
            instances: 128,
            // Guests hold three streams and a pollable or two.
            handles: 1_024,
            // Findings with long quotations are some KiB; a 100 MB list must not be lifted.
            hostcall_bytes: 4 * MIB,
            // A rule a claim, for a hundred rules and a hundred claims.
            findings: 10_000,
            // Every finding goes into the run record and the report.
            finding_bytes: MIB,
            // A thousand quotations of a megabyte, found in a second or less; fuel does not see them.
            search_bytes: 1 << 30,
            // A panic with a backtrace is 2 to 4 KiB.
            captured_bytes: 64 * KIB,
            // The largest guests known, Python with its standard library, are 18 to 40 MB.
            component_bytes: 64 * MIB,
            // wasmtime's own default; native threads start with 2 MiB.
            wasm_stack_bytes: 512 * KIB,
            // Rust and C graders take 0.1 to 1 s. Python guests need more than this, and a user who says so.
            compile_wall: Duration::from_secs(10),
            compile_memory_bytes: 512 * MIB as u64,
        }
    }
}

/// How an engine is set up.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// What graders may use.
    pub limits: Limits,
    /// Where compiled components are kept, if anywhere.
    pub cache: Option<CacheConfig>,
    /// Where they are compiled.
    pub compiler: Compiler,
    /// How many trials run at one time; 0 and 1 both mean one.
    pub jobs: usize,
}
