//! Every probe: what it tries, and what must stop it.

use std::time::Duration;

use accredit_core::findings::FaultKind::{self, Deadline, Memory, OutputTooLarge, Trap};
use accredit_engine::{Limits, LoadError, Trial};

use super::MachineDependent::{No, Yes};
use super::{Component, Figure, Look, MachineDependent, Must, Of, Probe, Refused, bomb, look};

/// The honest grader that is asked after every probe.
pub const SOUND: &[u8] = include_bytes!("../../probes/sound.wasm");

/// A probe of the component of its name.
macro_rules! probe {
    ($name:literal, $tried:literal, $stop:literal, $must:expr) => {
        Probe {
            name: $name,
            tried: $tried,
            stop: $stop,
            component: Component::Embedded(include_bytes!(concat!(
                "../../probes/",
                $name,
                ".wasm"
            ))),
            under: Limits::clone,
            must: $must,
        }
    };
}

const fn ends(kind: FaultKind, says: &'static str, machine: MachineDependent, figure: Of) -> Must {
    Must::End { kind, says, machine, figure }
}

const fn answers(look: fn(&[Trial], &Limits) -> Look) -> Must {
    Must::Answer(look)
}

/// Fuel decides; a machine that is busy with other things must not let the wall clock come first here.
fn unhurried(limits: &Limits) -> Limits {
    Limits { wall: limits.wall.saturating_mul(6), ..limits.clone() }
}

const IN_ONE_CALL: &str = "passed to the host in one call";

/// The probes, in the order in which they are tried.
pub const ALL: &[Probe] = &[
    Probe {
        under: unhurried,
        ..probe!(
            "infinite-loop",
            "loops for ever",
            "fuel",
            ends(Deadline, "out of fuel", No, Of::Fuel)
        )
    },
    Probe {
        under: unhurried,
        ..probe!(
            "host-call-loop",
            "calls the host for ever",
            "fuel",
            ends(Deadline, "out of fuel", No, Of::Fuel)
        )
    },
    Probe {
        under: |limits| Limits {
            fuel: u64::MAX / 2,
            wall: Duration::from_millis(100),
            ..limits.clone()
        },
        name: "wall-backstop",
        ..probe!(
            "infinite-loop",
            "loops for ever on endless fuel, with 100 ms of time",
            "wall clock",
            ends(Deadline, "the wall clock's limit", Yes, Of::Wall)
        )
    },
    probe!(
        "memory-growth",
        "grows its memory MiB by MiB to 1 GiB",
        "memory limit",
        ends(Memory, "more than the limit of", No, Of::Memory)
    ),
    probe!(
        "memory-at-once",
        "grows its memory to 4 GiB in one step",
        "memory limit",
        ends(Memory, "more than the limit of", No, Of::Memory)
    ),
    probe!(
        "table-growth",
        "grows a table to a million elements",
        "table limit",
        ends(
            Memory,
            "table elements would grow to",
            No,
            Of::Said("elements", |limits| Some(limits.table_elements as u64))
        )
    ),
    probe!(
        "deep-recursion",
        "calls itself for ever",
        "native stack limit",
        ends(Trap, "call stack exhausted", Yes, Of::Said("calls deep", |_| None))
    ),
    probe!(
        "handles",
        "takes 100,000 handles and gives none back",
        "handle limit",
        ends(
            Memory,
            "handles held at one time",
            No,
            Of::Said("handles", |limits| Some(limits.handles as u64))
        )
    ),
    probe!(
        "huge-string",
        "answers with a string of 32 MiB",
        "limit on one call",
        ends(
            OutputTooLarge,
            IN_ONE_CALL,
            No,
            Of::Said("bytes offered", |limits| Some(limits.hostcall_bytes as u64))
        )
    ),
    probe!(
        "huge-list",
        "answers with 400,000 findings",
        "limit on one call",
        ends(
            OutputTooLarge,
            IN_ONE_CALL,
            No,
            Of::Said("bytes offered", |limits| Some(limits.hostcall_bytes as u64))
        )
    ),
    probe!(
        "many-findings",
        "answers with 20,000 small findings",
        "limit on findings",
        ends(
            OutputTooLarge,
            "findings, more than the limit",
            No,
            Of::Said("findings offered", |limits| Some(limits.findings as u64))
        )
    ),
    probe!(
        "long-text",
        "answers with a rationale of 2 MiB",
        "limit on findings' text",
        ends(
            OutputTooLarge,
            "bytes of text",
            No,
            Of::Said("bytes offered", |limits| Some(limits.finding_bytes as u64))
        )
    ),
    probe!(
        "stderr-flood",
        "writes 1 MiB to stderr",
        "limit on what is kept",
        answers(look::output)
    ),
    probe!("sleep", "sleeps for a day", "virtual clock", answers(look::sleep)),
    probe!("wall-clock", "reads the time of day", "virtual clock", answers(look::clock)),
    probe!("randomness", "asks for random numbers", "seed of the trial", answers(look::randomness)),
    probe!("environment", "reads environment variables", "empty", answers(look::environment)),
    probe!("arguments", "reads arguments, folder, stdin", "empty", answers(look::arguments)),
    probe!("files", "asks for a folder to open", "denied and counted", answers(look::files)),
    probe!(
        "sockets",
        "opens a socket, looks a host up",
        "denied and counted",
        answers(look::sockets)
    ),
    probe!("state", "leaves a mark for the next trial", "fresh instance", answers(look::state)),
    probe!(
        "exit",
        "exits with success before it answers",
        "an exit is a fault",
        ends(Trap, "exit with success before answering", No, Of::Nothing)
    ),
    probe!(
        "panic",
        "panics with a last word",
        "a panic is a fault, its words kept",
        ends(Trap, "`unreachable`", No, Of::Captured)
    ),
    probe!(
        "http-import",
        "imports the network",
        "refused by name",
        Must::NotLoad(|refused| refused_import(refused, "wasi:http/outgoing-handler@0.2.6"))
    ),
    probe!(
        "unknown-import",
        "imports what no contract declares",
        "refused by name",
        Must::NotLoad(|refused| refused_import(refused, "acme:things/store@1.0.0"))
    ),
    Probe {
        name: "large-file",
        tried: "is a file of 65 MiB",
        stop: "limit on component size",
        component: Component::Made(bomb::large_file),
        under: Limits::clone,
        must: Must::NotLoad(too_large),
    },
    Probe {
        name: "compile-memory",
        tried: "makes the compiler keep 320 million values",
        stop: "compile memory limit",
        component: Component::Made(bomb::nested_loops),
        under: Limits::clone,
        must: Must::NotLoad(compile_memory),
    },
    Probe {
        name: "compile-time",
        tried: "is 100,000 functions to compile, in 1 s",
        stop: "compile time limit",
        component: Component::Made(bomb::many_functions),
        under: |limits| Limits {
            compile_wall: Duration::from_secs(1),
            compile_memory_bytes: 2 << 30,
            ..limits.clone()
        },
        must: Must::NotLoad(compile_time),
    },
];

/// Refused for one import, of this name.
fn refused_import(refused: &Refused<'_>, name: &str) -> Option<Figure> {
    let LoadError::ImportsRefused { imports } = refused.error else { return None };
    let is_it = matches!(&imports[..], [import] if import.name == name);
    is_it.then(|| Figure::new(1, "import named", None))
}

fn too_large(refused: &Refused<'_>) -> Option<Figure> {
    let LoadError::TooLarge { size, limit } = refused.error else { return None };
    Some(Figure::new(*size as u64, "bytes", Some(*limit as u64)))
}

fn compile_memory(refused: &Refused<'_>) -> Option<Figure> {
    let LoadError::CompileMemory { .. } = refused.error else { return None };
    Some(Figure::new(refused.size as u64, "bytes of component", None))
}

fn compile_time(refused: &Refused<'_>) -> Option<Figure> {
    let LoadError::CompileTime { .. } = refused.error else { return None };
    Some(Figure::millis(refused.wall, refused.limits.compile_wall))
}
