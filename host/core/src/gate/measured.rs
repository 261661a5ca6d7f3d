//! How often a grader errs, as the report that it was promoted on tells.

use crate::control::set::Kind;
use crate::report::Report;
use crate::stats::interval::Count;

/// Outputs that should fail and did, and outputs that should pass and did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Measured {
    /// Of real outputs that people fail; absent where there were none.
    pub catch: Option<Count>,
    /// Of real outputs that people pass, else of known-good controls, each at its first repeat.
    pub pass: Option<Count>,
}

/// What a report measured. Controls that somebody chose say how often a grader fails what is good; of its catch rate in
/// use they say nothing.
#[must_use]
pub fn measured(report: &Report) -> Measured {
    let some = |count: &Count| count.of > 0;
    let real = report.real_output.as_ref();
    let side = |right, outputs| Some(Count::new(right, outputs)).filter(some);
    let catch = real.and_then(|it| side(it.catch.right, it.catch.outputs));
    let passed = real.and_then(|it| side(it.pass.right, it.pass.outputs));
    let known_good = report.kinds.iter().find(|line| line.kind == Kind::KnownGood);
    let known_good = known_good.map(|line| line.single).filter(some);
    // Both rates come from one sample, or the catch rate is not told.
    Measured { catch: catch.filter(|_| passed.is_some()), pass: passed.or(known_good) }
}
