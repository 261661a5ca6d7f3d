//! Verdicts on real work: what graders with authority say of the runs of a system under test, combined strictly.
//!
//! Everything here is a pure function of the run records, the inventory that was written before them, the graders'
//! findings with their authority now, the policy, and now. `inventory` says what was selected, `record` what ran,
//! `case` what a grader is shown of it; `judged` turns findings into one verdict a rule, `combine` those into steps, runs
//! and cases, `release` these into true, false or undefined; `report` is the model that renderers read. `kind` says when a
//! verdict may settle, and `settlement` how forecasts and explanations came out later, beside all that.

pub mod case;
pub mod combine;
pub mod compare;
pub mod evidence_grade;
pub mod false_block;
pub mod inventory;
pub mod judged;
pub mod kind;
pub mod measured;
pub mod persons;
pub mod profile;
pub mod record;
pub mod release;
pub mod report;
pub mod settlement;
pub mod standing;
pub mod status;
pub mod summary;
pub mod texts;
pub mod trials;
pub mod versions;

#[cfg(test)]
mod tests;

pub use report::{Gate, GateFault, GateReport};
