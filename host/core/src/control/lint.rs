//! What is wrong with a control set as a whole, every fault at once.
//!
//! Reading a file shows whether each control is well formed. Only the set as a whole shows whether it means
//! anything: whether every rule has a control that must fail by it, every pair has two sides and every
//! variant its base. A fault says what is wrong and what to do; errors stop a run, warnings do not.

mod across;
mod case;
mod coverage;
mod entry;
mod grader;
mod header;
mod spelling;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::set::{Control, Kind, Place, SetHeader};
use super::transform::Transform;
use crate::id::{ControlId, RuleId};

pub use case::case_faults;
pub use grader::against;
pub use spelling::{nearest, quoted};

/// The file that holds a set's header.
pub const SET_FILE: &str = "set.toml";

/// Whether a fault stops a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing runs until it is mended.
    Error,
    /// Worth knowing; the set runs.
    Warning,
}

/// One thing wrong with a set: what, where, and the mend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LintFault {
    /// Whether it stops a run.
    pub severity: Severity,
    /// The fault's name, in kebab-case: for filters and tests.
    pub code: &'static str,
    /// Where it stands. Line 0 stands for the file as a whole.
    pub at: Place,
    /// The key it is about, dotted from the control (`expect.rule`); empty for the whole control.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub key: &'static str,
    /// The control it is about, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<ControlId>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub mend: String,
}

impl LintFault {
    /// An error about a place, and no control in particular.
    pub fn error(
        code: &'static str,
        at: Place,
        message: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        let (message, mend) = (message.into(), mend.into());
        Self { severity: Severity::Error, code, at, key: "", control: None, message, mend }
    }

    /// The same fault, said of this control.
    #[must_use]
    pub fn of(mut self, control: &ControlId) -> Self {
        self.control = Some(control.clone());
        self
    }

    /// The same fault, said of this key.
    #[must_use]
    pub fn about(mut self, key: &'static str) -> Self {
        self.key = key;
        self
    }

    /// The same fault, as one that does not stop a run.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Whether it stops a run.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for LintFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at.line {
            0 => f.write_str(&self.at.file)?,
            _ => write!(f, "{}", self.at)?,
        }
        if self.severity == Severity::Warning {
            f.write_str(": warning")?;
        }
        if let Some(control) = &self.control {
            write!(f, ": {control}")?;
        }
        write!(f, ": {}\n    {}", self.message, self.mend)
    }
}

/// A control that is there and could not be read: what is known of it, so that nothing is called
/// missing that merely has a fault of its own. What is not known may be anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Its kind.
    pub kind: Kind,
    /// Where it stands.
    pub at: Place,
    /// Its id.
    pub id: Option<ControlId>,
    /// The pair it is half of.
    pub pair: Option<ControlId>,
    /// The rule it expects a verdict of.
    pub rule: Option<RuleId>,
}

/// A set, as far as it could be read.
#[derive(Debug, Clone, Copy)]
pub struct Lint<'a> {
    /// `set.toml`, if all of it could be read.
    pub header: Option<&'a SetHeader>,
    /// The header's rules, if these could be read.
    pub rules: Option<&'a [RuleId]>,
    /// The header's transforms, if these could be read.
    pub transforms: Option<&'a [Transform]>,
    /// The controls that could be read, in the order of the files.
    pub controls: &'a [Control],
    /// The controls that could not.
    pub unread: &'a [Unread],
}

impl Lint<'_> {
    /// Every fault, by file and line.
    #[must_use]
    pub fn faults(&self) -> Vec<LintFault> {
        let mut faults = Vec::new();
        if let Some(header) = self.header {
            header::check(header, &mut faults);
        }
        for control in self.controls {
            entry::check(self, control, &mut faults);
        }
        across::check(self, &mut faults);
        coverage::check(self, &mut faults);
        faults.sort_by(|a, b| a.at.cmp(&b.at));
        faults
    }

    /// The faults of one control on its own: also for a control of which only a part could be read.
    #[must_use]
    pub fn faults_of(&self, control: &Control) -> Vec<LintFault> {
        let mut faults = Vec::new();
        entry::check(self, control, &mut faults);
        faults
    }

    /// Whether a control that could not be read may be the one looked for.
    fn may_hide(&self, wanted: impl Fn(&Unread) -> bool) -> bool {
        self.unread.iter().any(wanted)
    }
}

/// Every fault of a set that was read as a whole, by file and line.
#[must_use]
pub fn lint(header: &SetHeader, controls: &[Control]) -> Vec<LintFault> {
    Lint {
        header: Some(header),
        rules: Some(&header.rules),
        transforms: Some(&header.transforms),
        controls,
        unread: &[],
    }
    .faults()
}

/// An error about one key of one control.
fn fault(
    control: &Control,
    code: &'static str,
    key: &'static str,
    message: impl Into<String>,
    mend: impl Into<String>,
) -> LintFault {
    LintFault::error(code, control.at.clone(), message, mend).about(key).of(&control.entry.id)
}

/// A control of this kind, with its article.
fn a_control(kind: Kind) -> String {
    let article = if kind.name().starts_with(['a', 'i']) { "an" } else { "a" };
    format!("{article} {kind} control")
}

/// Where a fault of the header stands.
fn in_header() -> Place {
    Place { file: SET_FILE.to_owned(), line: 0 }
}

/// The second and further occurrences, each once.
fn repeated<T: Ord>(items: &[T]) -> impl Iterator<Item = &T> {
    let mut counts = BTreeMap::new();
    items.iter().filter(move |item| {
        let count = counts.entry(*item).or_insert(0_usize);
        *count += 1;
        *count == 2
    })
}
