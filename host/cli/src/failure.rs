//! Why a command could not do its work.

use std::io;
use std::path::{Path, PathBuf};

use accredit_core::compare::CompareError;
use accredit_core::statement::NotPromotable;
use accredit_engine::{EngineError, LoadError};

use crate::exit::Exit;
use crate::read::ReadFaults;
use crate::record::RecordError;

/// Why a command could not do its work: nothing was decided.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Input files that cannot be used, with every fault.
    #[error("{0}")]
    Read(#[from] ReadFaults),
    /// A file that cannot be read.
    #[error("{path}: cannot be read: {error}. Check the path and its permissions")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file that cannot be written.
    #[error("{path}: cannot be written: {error}. {kept}")]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
        /// What is left of it.
        kept: &'static str,
    },
    /// A file that is no grader.
    #[error("{path}: {error}")]
    Load {
        /// The file.
        path: PathBuf,
        /// Why.
        error: Box<LoadError>,
    },
    /// No engine.
    #[error("{0}")]
    Engine(#[from] EngineError),
    /// A record that cannot be used.
    #[error("{path}: {error}")]
    Record {
        /// The file.
        path: PathBuf,
        /// Why.
        error: RecordError,
    },
    /// A result that standard output does not take.
    #[error(
        "standard output cannot be written: {0}. Nothing that was decided has been told: run it again"
    )]
    Stdout(io::Error),
    /// What was given is not what was promised.
    #[error("{0}")]
    Integrity(String),
    /// Records that cannot be compared.
    #[error("{0}")]
    Compare(#[from] CompareError),
    /// Nothing was chosen to be run.
    #[error("{0}")]
    NothingToRun(String),
    /// What was to be signed was not.
    #[error("{0}")]
    Signing(String),
    /// Evidence that promotes nothing.
    #[error("{0}")]
    NotPromotable(#[from] NotPromotable),
    /// Arguments that do not go together.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    /// A file that cannot be read.
    pub(crate) fn unreadable(path: &Path, error: io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), error }
    }

    /// A file that cannot be written, and what is left of it.
    pub(crate) fn unwritable(path: &Path, error: io::Error, kept: &'static str) -> Self {
        Self::Unwritable { path: path.to_owned(), error, kept }
    }

    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Record { error, .. } if error.is_tampering() => Exit::Integrity,
            Self::Integrity(_) => Exit::Integrity,
            Self::Load { error, .. } if error.is_of_the_host() => Exit::NotEvaluated,
            Self::Unwritable { .. } | Self::Stdout(_) | Self::Engine(_) | Self::NothingToRun(_) => {
                Exit::NotEvaluated
            }
            _ => Exit::BadInput,
        }
    }
}
