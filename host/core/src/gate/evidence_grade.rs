//! The grade of the evidence behind a verdict. Nobody can mint their own grade.
//!
//! It is derived from four things alone: the judges that were declared before the run, the executions of judges that
//! were observed, the writes of the result, and the custody of those observations. What a producer says of itself is
//! rejected, and counted.
//!
//! - A declared judge that never ran grades the run `unverified`; nothing else in it makes up for that.
//! - One that ran and passed is worth its kind. One that ran and failed is recorded: it never lowers by itself, and
//!   raises the flag `failed_declared_evidence`, which stands wherever the grade stands.
//! - An edit resets: what was checked before the last write is not what is there.
//! - A grade belongs to the content that was judged. Where another content is there now, it is worth `unverified`.
//! - A judge of the chain of authorship that wrote the result is worth `constructed_check` at most, whether people or
//!   agents stand in it. A proof that a kernel checked is exempt, and counted. Where a chain is not known the same cap
//!   holds: leaving it out must not pay.
//! - A declared judge that failed at the tier of the one that passed demotes that one by one tier; its true kind stays
//!   beside it.
//! - Of several judges the maximum counts. Ties are counted, and ties of a capped with an uncapped judge apart.
//! - Checks that nobody declared contribute records, never a grade.
//!
//! `grade` holds the ranks, `history` what is observed, `derive` the derivation, of which `operation` keeps every step;
//! `counters` are counted from those steps, `graded` is the list that is shown, `of_gate` makes it for a gate, and
//! `audit` holds a list that was kept against what it rests on.

mod audit;
mod counters;
mod derive;
mod grade;
mod graded;
mod history;
#[cfg(test)]
mod make;
mod of_gate;
mod operation;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
mod voice;

pub use counters::Counters;
pub use derive::{ByHost, Observed, RunGrade, derive};
pub use grade::Grade;
pub use graded::{EvidenceGrades, FORMAT, of_records};
pub use history::{Came, ClaimedGrade, Custody, Execution, History, Judge, Write, content_digest};
pub(in crate::gate) use of_gate::of_gate;
pub use operation::{Op, Operation};
