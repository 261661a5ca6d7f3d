//! All that is wrong with what was to be read.

use std::fmt;
use std::path::PathBuf;

use accredit_core::control::lint::LintFault;

/// How many faults are written out. A file of nothing but faults would fill a disk.
const SHOWN: usize = 200;

/// Every fault found, sorted by file and line; at least one is an error. Warnings found beside them are
/// listed too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFaults {
    /// The folder that the places of the faults are in.
    pub folder: PathBuf,
    /// The faults.
    pub faults: Vec<LintFault>,
}

impl ReadFaults {
    /// These faults, sorted.
    pub(super) fn new(folder: impl Into<PathBuf>, mut faults: Vec<LintFault>) -> Self {
        faults.sort_by(|a, b| a.at.cmp(&b.at));
        Self { folder: folder.into(), faults }
    }

    /// How many of them are errors.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.faults.iter().filter(|fault| fault.is_error()).count()
    }
}

impl fmt::Display for ReadFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = self.folder.display().to_string();
        for fault in self.faults.iter().take(SHOWN) {
            match folder.as_str() {
                "" => writeln!(f, "{fault}")?,
                _ if fault.at.file.is_empty() => writeln!(f, "{folder}{fault}")?,
                _ => writeln!(f, "{}/{fault}", folder.trim_end_matches('/'))?,
            }
        }
        if self.faults.len() > SHOWN {
            writeln!(
                f,
                "… and {} more (controls lint --format json lists all)",
                self.faults.len() - SHOWN
            )?;
        }
        match self.errors() {
            1 => write!(f, "1 fault: mend it and read again"),
            errors => write!(f, "{errors} faults: mend them and read again"),
        }
    }
}

impl std::error::Error for ReadFaults {}
