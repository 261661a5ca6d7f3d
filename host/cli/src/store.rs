//! The register: what stands in the folder `.accredit/` of a repository, how it is read and how it is written.
//!
//! - Readers take no lock and never write. A writer may be at work: what it has not acknowledged yet is no error.
//! - Writers hold one lock for the whole register. What replaces a file is written beside it, forced to the disk
//!   and renamed; an entry of a ledger is appended, forced to the disk, and then acknowledged by the head.
//! - State that others can write proves nothing: whatever is read must belong to us or to root, be writable by
//!   nobody else, and be a file where it stands. Symbolic links are refused: what they lead to is outside of
//!   what was looked at, and may be outside of what version control holds.

mod atomic;
mod gc;
mod guarded;
mod ledger_file;
mod named;
mod objects;
mod register;
mod writing;

pub(crate) use atomic::{make_folders, survive_size_limit, write_new};
pub use gc::{Survey, survey};
pub(crate) use guarded::{folder as guarded_folder, read as guarded_read};
pub use ledger_file::LedgerFile;
pub(crate) use ledger_file::{Files, LARGEST as LARGEST_LEDGER};
pub use objects::{Objects, Stored};
pub use register::Register;
pub(crate) use register::ledger_of;
pub use writing::Writing;

/// Where things stand in the folder `.accredit`.
pub mod place {
    /// The folder itself, in the repository's root.
    pub const REGISTER: &str = ".accredit";
    /// The format.
    pub const FORMAT: &str = "register.toml";
    /// The root of trust.
    pub const ROOT: &str = "root.toml";
    /// Who may sign.
    pub const SIGNERS: &str = "allowed_signers";
    /// A folder for each file that is signed, named by its digest; in it a file for each signature.
    pub const SIGNATURES: &str = "signatures";
    /// A file for each grader: where its files are.
    pub const GRADERS: &str = "graders";
    /// The ledgers and their heads.
    pub const LEDGER: &str = "ledger";
    /// What is named by its digest.
    pub const OBJECTS: &str = "objects";
    /// The book of forecasts and explanations: what was registered, and how it came out.
    pub const SETTLEMENTS: &str = "settlements.jsonl";
    /// Results of the gate that were kept.
    pub const GATES: &str = "gates";
    /// Statements that wait for signatures.
    pub const PENDING: &str = "pending";
    /// What a writer holds.
    pub const LOCK: &str = "lock";
}
