//! Forecasts and explanations, settled: registered before anybody knows, entered with a date when somebody does.
//!
//! `registration` is the fingerprint of what was said, `book` the chained file of what was registered and of how it came
//! out, `line` one forecast or explanation beside both, `report` the table of them all. The original verdict stays
//! `unresolved`; what was settled informs, and never gates.

mod book;
mod calibrated;
mod line;
mod registration;
mod report;

pub use book::{Book, BookFault, Came, NotAfter, Refusal, Standing, What};
pub use calibrated::{Beside, ForecastBin, ForecastCalibration};
pub use line::{
    BaselineLine, ExplanationLine, ForecastLine, Line, OutcomeLine, Refused, State, lines,
};
pub use registration::{About, Registration};
pub use report::{BothSides, Counts, FORMAT, NotHere, REACH, Settled, SettlementReport};
