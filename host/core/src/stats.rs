//! Statistics: one small module each, each citing its source. A rate over nothing is absent, never 0
//! and never NaN.

pub mod interval;
pub mod percentile;
pub mod sample_size;
