//! Why bytes could not be loaded as a grader: one variant a step of the load order.

use std::path::PathBuf;
use std::time::Duration;

use accredit_core::findings::Fault;
use accredit_core::manifest::ManifestFault;
use accredit_core::untrusted::Untrusted;

use crate::inspect::Import;
use crate::shown::{listed, shown};

/// Why bytes could not be loaded as a grader. The messages hold no raw text of the component: it is
/// escaped and cut.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LoadError {
    /// The file is empty.
    #[error(
        "the component is empty (0 bytes): build the grader again, and give the path of the .wasm file it makes"
    )]
    Empty,
    /// The file is larger than the limit, and was not read into.
    #[error(
        "the component has {size} bytes, more than the limit of {limit}: strip debug information (`wasm-tools strip`), or raise the limit on component size"
    )]
    TooLarge {
        /// Bytes of the file.
        size: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// The file is no WebAssembly at all.
    #[error("this is not a WebAssembly component: it is {what}. {advice}")]
    NotWasm {
        /// What the bytes look like.
        what: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// A core module where a component belongs.
    #[error(
        "this is a core WebAssembly module, not a component: build for the target `wasm32-wasip2`, which makes components, or wrap it with `wasm-tools component new FILE -o grader.wasm`"
    )]
    CoreModule,
    /// The bytes break the rules of the binary format.
    #[error(
        "the component's bytes are not valid: {detail}. The file is damaged, or uses a WebAssembly proposal that this host does not enable: build it again with the tools of its language for WASI 0.2"
    )]
    Invalid {
        /// What the decoder met, and at which offset.
        detail: String,
    },
    /// It imports something that the host does not grant.
    #[error("{}", refused_text(.imports))]
    ImportsRefused {
        /// What was refused, and why.
        imports: Vec<Import>,
    },
    /// It does not export the grader interface.
    #[error("this component is not a grader: it does not export `accredit:grader/grader`; it exports {}. Build it against the world `code-grader` of wit/grader.wit", exports_text(.exports))]
    NotAGrader {
        /// What it exports.
        exports: Vec<String>,
    },
    /// It exports another version of the contract.
    #[error("built against contract {}, this host speaks {speaks}: rebuild with wit/grader.wit of that version, or use a host that speaks the grader's", shown(.found))]
    OtherContract {
        /// The export's full name.
        found: String,
        /// The versions this host speaks.
        speaks: &'static str,
    },
    /// It exports the right name with other types.
    #[error("the component's types differ from contract {contract}: {}. Build it against an unchanged wit/grader.wit", listed(.differences.iter().map(String::as_str)))]
    TypesDiffer {
        /// The version of the contract.
        contract: &'static str,
        /// The first differences found, by name.
        differences: Vec<String>,
    },
    /// Its static minimum is above a limit, so that no trial could ever start.
    #[error(
        "the component needs {needs} {unit} before it starts, more than the limit of {limit}: make it smaller, or raise the limit"
    )]
    NeedsMore {
        /// What is needed.
        needs: u64,
        /// Of what.
        unit: &'static str,
        /// How much is allowed.
        limit: u64,
    },
    /// The compiler refused it.
    #[error(
        "the component could not be compiled: {detail}. It may use a WebAssembly proposal that this host does not enable ({features})"
    )]
    Compile {
        /// What the compiler said.
        detail: String,
        /// The features that are on.
        features: &'static str,
    },
    /// Reading and compiling it took too long.
    #[error(
        "compiling needed more than {}: the component is refused. Make its largest functions smaller and less deeply nested, or, if you trust it, raise the limit on compile time (--compile-seconds)", seconds(*.limit)
    )]
    CompileTime {
        /// How long it may take.
        limit: Duration,
    },
    /// Reading and compiling it took too much memory.
    #[error(
        "compiling needed more than {} MiB of memory: the component is refused. Make its largest functions smaller, or, if you trust it, raise the limit on compile memory (--compile-memory-mib)", .limit >> 20
    )]
    CompileMemory {
        /// Bytes it may take.
        limit: u64,
    },
    /// Host code panicked over it.
    #[error(
        "this host met a defect of its own while {detail}. The component is refused; please report it, with the file"
    )]
    Defect {
        /// During what, and the panic's message.
        detail: String,
    },
    /// The process that compiles could not be started. Not the component's fault.
    #[error(
        "{}: the process that compiles components could not be started: {why}. See that this program may be run, and that the system has room for one more process with three pipes; or, for a grader that you made yourself, compile without bounds (ACCREDIT_COMPILE=in-process)", .program.display()
    )]
    CompilerNotStarted {
        /// The program.
        program: PathBuf,
        /// Why not.
        why: String,
    },
    /// The process that compiles did not do its part.
    #[error(
        "the process that compiles components {what}. The component is refused; try again, and if it happens again, report it, with the file"
    )]
    Compiler {
        /// What it did instead.
        what: String,
    },
    /// An import has the right name and another type than the host's.
    #[error(
        "an import does not have the type that this host provides: {detail}. Build the component with a WASI 0.2 toolchain, or drop the import"
    )]
    Link {
        /// What did not fit.
        detail: String,
    },
    /// It failed before it could be asked anything.
    #[error("the component failed while it started: {}{}. Run its start-up code outside the host first, and see that it needs no file, argument or environment", fault_text(.fault), said(.captured))]
    Instantiate {
        /// What happened.
        fault: Fault,
        /// What it wrote before that.
        captured: Untrusted,
    },
    /// `describe` did not answer.
    #[error("the grader's `describe` did not answer: {}{}. It must return its manifest at once and from nothing but itself", fault_text(.fault), said(.captured))]
    Describe {
        /// What happened.
        fault: Fault,
        /// What it wrote before that.
        captured: Untrusted,
    },
    /// `describe` answered with two manifests.
    #[error(
        "the grader's `describe` does not answer the same every time: its manifest changes with the clock or with random numbers. Return one that is made from nothing but constants"
    )]
    ManifestChanges,
    /// `describe` answered with a manifest that breaks the rules.
    #[error("the grader's manifest is not valid: {}", manifest_text(.faults))]
    Manifest {
        /// Everything that is wrong with it.
        faults: Vec<ManifestFault>,
    },
}

impl LoadError {
    /// Whether it is this host, or its machine, that failed: nothing was found out about the component.
    #[must_use]
    pub fn is_of_the_host(&self) -> bool {
        matches!(
            self,
            Self::Defect { .. } | Self::CompilerNotStarted { .. } | Self::Compiler { .. }
        )
    }
}

fn refused_text(imports: &[Import]) -> String {
    let mut text = match imports {
        [_] => "the component imports something that this host does not grant:".to_owned(),
        _ => {
            format!("the component imports {} things that this host does not grant:", imports.len())
        }
    };
    for import in imports.iter().take(12) {
        let why = import.access.refusal().unwrap_or_default();
        text.push_str(&format!("\n  {}: {}", shown(&import.name), shown(why)));
    }
    if imports.len() > 12 {
        text.push_str(&format!("\n  and {} more", imports.len() - 12));
    }
    text.push_str("\n  granted: ");
    text.push_str(crate::inspect::GRANTED_TEXT);
    text
}

/// Whole seconds without a fraction.
fn seconds(limit: Duration) -> String {
    format!("{} s", limit.as_secs_f64())
}

fn exports_text(exports: &[String]) -> String {
    if exports.is_empty() {
        "nothing".to_owned()
    } else {
        listed(exports.iter().map(String::as_str))
    }
}

fn fault_text(fault: &Fault) -> String {
    format!("{}, {}", fault.kind.name(), shown(fault.detail.raw()))
}

fn said(captured: &Untrusted) -> String {
    if captured.is_empty() {
        String::new()
    } else {
        format!("; it wrote: {}", shown(captured.raw().trim_end()))
    }
}

fn manifest_text(faults: &[ManifestFault]) -> String {
    const MOST: usize = 12;
    let mut texts: Vec<String> =
        faults.iter().take(MOST).map(|fault| shown(&fault.to_string())).collect();
    if faults.len() > MOST {
        texts.push(format!("and {} more", faults.len() - MOST));
    }
    texts.join("; ")
}
