//! Text for people, at a terminal.

mod assessment;
mod bench;
mod comparison;
mod doctor;
mod evidence;
mod explanation;
mod failures;
mod gate;
mod gate_comparison;
mod graded;
mod inspect;
mod layout;
mod ledger;
mod lint;
mod misses;
mod one_case;
mod probe;
mod promotion;
mod report;
mod requirement;
mod status;
mod verification;
mod wrap;

pub use assessment::imported;
pub use bench::bench;
pub use comparison::comparison;
pub use doctor::checks;
pub use evidence::evidence;
pub use explanation::explanation;
pub use failures::failures;
pub use gate::gate;
pub use graded::graded;
pub use inspect::inspected;
pub use ledger::{ledger, plain, survey};
pub use lint::lint;
pub use one_case::one_case;
pub use probe::probes;
pub(crate) use promotion::promotion;
pub use report::report;
pub use requirement::{requirement, requirements};
pub use status::status;
pub use verification::verification;

use super::words::counted;
use layout::{lines, table};
