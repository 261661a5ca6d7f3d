//! From files to checked values, with every fault of every file at once.
//!
//! serde and toml stop at the first error, and a person who mends a control set one error a run gives up.
//! So a file is first parsed into a tree that knows its lines ([`node`]), and each value is then read from
//! that tree field by field ([`fields`]), collecting what is wrong. What only the whole set shows is added
//! by core's lint.

mod case;
mod case_line;
mod control_set;
mod entry;
mod fault;
mod fields;
mod from_json;
mod from_toml;
mod grader_file;
mod header;
mod history;
mod inventory;
mod later;
mod node;
mod policy;
mod profile;
mod real_output;
mod root;
mod run_record;
mod run_records;
mod schema;
mod source;
mod splice;
#[cfg(test)]
mod tests;
mod verdicts;

pub use case::{case, case_of};
pub use case_line::case_line;
pub use control_set::{
    control_files, control_set, control_set_of, control_set_with, is_regression_file,
};
pub use fault::ReadFaults;
pub use grader_file::{GraderFile, grader_file};
pub use inventory::{inventory, inventory_in, inventory_of};
pub use policy::{ReadPolicy, policy, policy_of};
pub use profile::profile;
pub use real_output::{RealOutputs, real_outputs, real_outputs_of};
pub(crate) use root::policy_version;
pub use root::{root_of, signers_of};
pub use run_records::{Placed, placed_records, run_records, run_records_at, run_records_of};
pub use schema::{
    case_schema, control_schema, gate_schema, header_schema, inventory_schema, profile_schema,
    real_output_header_schema, real_output_schema, report_schema, run_record_schema,
    settlement_schema,
};
pub use splice::with_item;
pub use verdicts::{Import, Verdicts, import};
