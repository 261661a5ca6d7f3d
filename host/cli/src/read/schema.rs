//! The JSON Schemas of the files that people write, and of the report, from the structs of core.
//!
//! They are published in `schemas/`, for editors and for other tools that write controls or read reports.

use accredit_core::case::Case;
use accredit_core::control::label::RealOutputHeader;
use accredit_core::control::real_output::RealOutput;
use accredit_core::control::set::{Entry, SetHeader};
use accredit_core::gate::GateReport;
use accredit_core::gate::inventory::Inventory;
use accredit_core::gate::profile::Profile;
use accredit_core::gate::record::SutRun;
use accredit_core::gate::settlement::SettlementReport;
use accredit_core::report::Report;
use schemars::JsonSchema;
use serde_json::Value;

/// The schema of a control: a `[[control]]` table, or a line of `<kind>.jsonl`.
#[must_use]
pub fn control_schema() -> Value {
    schema::<Entry>()
}

/// The schema of `set.toml`.
#[must_use]
pub fn header_schema() -> Value {
    schema::<SetHeader>()
}

/// The schema of a line of real outputs.
#[must_use]
pub fn real_output_schema() -> Value {
    schema::<RealOutput>()
}

/// The schema of the header line of real outputs.
#[must_use]
pub fn real_output_header_schema() -> Value {
    schema::<RealOutputHeader>()
}

/// The schema of a case in a file of its own.
#[must_use]
pub fn case_schema() -> Value {
    schema::<Case>()
}

/// The schema of a report: `--format json`, and `report.json`.
#[must_use]
pub fn report_schema() -> Value {
    schema::<Report>()
}

/// The schema of a run record of a system under test.
#[must_use]
pub fn run_record_schema() -> Value {
    schema::<SutRun>()
}

/// The schema of an inventory.
#[must_use]
pub fn inventory_schema() -> Value {
    schema::<Inventory>()
}

/// The schema of a reader's profile.
#[must_use]
pub fn profile_schema() -> Value {
    schema::<Profile>()
}

/// The schema of what a gate found: `accredit gate --format json`.
#[must_use]
pub fn gate_schema() -> Value {
    schema::<GateReport>()
}

/// The schema of how forecasts and explanations came out: `accredit settle show --format json`.
#[must_use]
pub fn settlement_schema() -> Value {
    schema::<SettlementReport>()
}

fn schema<T: JsonSchema>() -> Value {
    schemars::SchemaGenerator::default().into_root_schema_for::<T>().to_value()
}
