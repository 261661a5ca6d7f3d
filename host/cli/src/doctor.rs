//! What this machine offers, and what that costs: facts are gathered ([`facts`]), then judged by a pure
//! function of them.

mod facts;
mod verdicts;

use serde::Serialize;

pub use facts::{Cache, Compiling, Facts, Store};
pub use verdicts::examine;

/// How well one thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// As it should be.
    Ok,
    /// Everything works, and something costs more than it must.
    Degraded,
    /// accredit cannot do its work.
    Broken,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was looked at.
    pub check: &'static str,
    /// How it is.
    pub status: Status,
    /// What was found.
    pub found: String,
    /// What that costs; only where it is not ok.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
    /// What to do about it; only where it is not ok.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

/// Everything that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Examination {
    /// The worst of all.
    pub status: Status,
    /// One by one.
    pub checks: Vec<Check>,
}

impl Check {
    fn ok(check: &'static str, found: impl Into<String>) -> Self {
        Self { check, status: Status::Ok, found: found.into(), cost: None, mend: None }
    }

    fn degraded(
        check: &'static str,
        found: impl Into<String>,
        cost: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        let (cost, mend) = (Some(cost.into()), Some(mend.into()));
        Self { check, status: Status::Degraded, found: found.into(), cost, mend }
    }

    fn broken(
        check: &'static str,
        found: impl Into<String>,
        cost: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self { status: Status::Broken, ..Self::degraded(check, found, cost, mend) }
    }
}
