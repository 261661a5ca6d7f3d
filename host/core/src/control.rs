//! Controls: cases with the verdicts they must get, written before a grader runs.

pub mod family;
pub mod held_out;
pub mod label;
pub mod lint;
pub mod plan;
pub mod real_output;
pub mod select;
pub mod set;
pub mod transform;
