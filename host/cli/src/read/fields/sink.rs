//! Where the faults of a file go.

use std::collections::BTreeSet;

use accredit_core::control::lint::LintFault;
use accredit_core::control::set::Place;
use accredit_core::id::ControlId;

/// The faults of one file, and what is being read of it.
pub(in crate::read) struct Sink {
    pub(in crate::read) file: String,
    /// The control being read, where its id is known.
    pub(in crate::read) control: Option<ControlId>,
    pub(in crate::read) faults: Vec<LintFault>,
    /// The keys of the control being read that were not read as they stand: what depends on them is not
    /// known.
    pub(in crate::read) blamed: BTreeSet<String>,
}

impl Sink {
    pub(in crate::read) fn new(file: &str) -> Self {
        Self { file: file.to_owned(), control: None, faults: Vec::new(), blamed: BTreeSet::new() }
    }

    /// A line of the file.
    pub(in crate::read) fn place(&self, line: usize) -> Place {
        Place { file: self.file.clone(), line }
    }

    /// Adds a fault of the control being read, or of the file.
    pub(in crate::read) fn push(
        &mut self,
        code: &'static str,
        line: usize,
        message: impl Into<String>,
        mend: impl Into<String>,
    ) {
        let fault = LintFault::error(code, self.place(line), message, mend);
        self.faults.push(match &self.control {
            Some(control) => fault.of(control),
            None => fault,
        });
    }

    /// Notes the outermost key of this path as one that has a fault.
    pub(in crate::read) fn blame(&mut self, path: &str) {
        self.blamed.extend(path.split(['.', '[']).next().map(str::to_owned));
    }

    /// What `read` returns, unless it pushed a fault.
    pub(in crate::read) fn clean<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let before = self.faults.len();
        let value = read(self);
        if self.faults.len() == before { value } else { None }
    }
}
