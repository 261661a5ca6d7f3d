//! The rule book of accredit: what graders, controls, runs and decisions are, and what follows from them.
//!
//! This crate is pure. It reads no file, no clock and no environment, starts no thread and prints
//! nothing, so it cannot fail for such reasons, and whatever it computes can be computed again from
//! the same values by anyone. Modules stand on those below them, with no circle:
//! `report` · `decision` · `assess` · `run` · `control`, `findings`, `policy` · `case`, `verdict`, `manifest`,
//! `ledger`, `keys` · `id`, `stats`.

pub mod assess;
pub mod authority;
pub mod baseline;
pub mod bundle;
pub mod case;
pub mod compare;
pub mod contamination;
pub mod control;
pub mod decision;
pub mod explain;
pub mod failures;
pub mod findings;
pub mod gate;
pub mod grading;
pub mod id;
pub mod keys;
pub mod ledger;
pub mod manifest;
pub mod measure;
pub mod policy;
pub mod report;
pub mod run;
pub mod score;
pub mod statement;
pub mod stats;
pub mod status;
pub mod untrusted;
pub mod verdict;
pub mod verification;

#[cfg(test)]
pub(crate) mod example;
