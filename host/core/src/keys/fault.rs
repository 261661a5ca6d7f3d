//! What is wrong with a line of a file.

use std::fmt;

/// What is wrong with a line, and how to mend it. It holds nothing of the file that is not escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFault {
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub mend: String,
}

impl LineFault {
    pub(super) fn new(line: usize, message: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { line, message: message.into(), mend: mend.into() }
    }
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, message, mend } = self;
        match line {
            0 => write!(f, "{message}: {mend}"),
            _ => write!(f, "line {line}: {message}: {mend}"),
        }
    }
}

/// Faults as text: one a line.
#[must_use]
pub fn line_faults(faults: &[LineFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
