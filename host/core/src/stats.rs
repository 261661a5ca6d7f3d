//! Statistics: one small module each, each citing its source.
//!
//! Whatever cannot be computed is [`Absent`], with a reason: never 0, never NaN, never infinite, never a
//! panic. The older functions over a [`interval::Count`] say `None` for the same.
//!
//! Shares, rates and probabilities are fractions of 1, not percentages. A *confidence* lies strictly between
//! 0 and 1; it is two-sided for an interval and one-sided for a bound. What is random takes its seed as an
//! argument, so that the same values give the same figures everywhere.

mod absent;
pub mod calibration;
pub mod cluster;
pub mod correction;
pub mod decimal;
pub mod difference;
pub mod effective;
pub mod fleiss;
pub mod interval;
pub mod isotonic;
pub mod kappa;
pub mod kappa_difference;
pub mod krippendorff;
pub mod mcnemar;
pub mod percentile;
pub mod platt;
pub mod power;
pub mod random;
pub mod sample_size;
pub mod strata;
pub mod threshold;
pub mod trials;
pub mod workload;

pub use absent::Absent;
