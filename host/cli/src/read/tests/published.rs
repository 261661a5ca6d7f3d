//! The published schemas are those of the structs, and the readers know the same keys as the structs.

use std::collections::BTreeSet;

use serde_json::Value;

use super::*;
use crate::read::fields::Shape;
use crate::read::{
    case, entry, header, history, inventory, later, profile, real_output, run_record,
};
use crate::read::{
    case_schema, control_schema, gate_schema, header_schema, inventory_schema, profile_schema,
    real_output_header_schema, real_output_schema, report_schema, run_record_schema,
    settlement_schema,
};
use crate::render::json::{
    comparison_schema, evidence_schema, verdicts_schema, verification_schema,
};

#[test]
fn the_published_schemas_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    let bless = std::env::var_os("ACCREDIT_BLESS").is_some();
    for (name, schema) in [
        ("control", control_schema()),
        ("set", header_schema()),
        ("real-output", real_output_schema()),
        ("real-output-header", real_output_header_schema()),
        ("case", case_schema()),
        ("comparison", comparison_schema()),
        ("evidence-grades", evidence_schema()),
        ("gate", gate_schema()),
        ("inventory", inventory_schema()),
        ("profile", profile_schema()),
        ("report", report_schema()),
        ("run-record", run_record_schema()),
        ("settlement", settlement_schema()),
        ("verdicts", verdicts_schema()),
        ("verification", verification_schema()),
    ] {
        let path = folder.join(format!("{name}.schema.json"));
        let text = serde_json::to_string_pretty(&schema).expect("plain data") + "\n";
        if bless {
            fs::write(&path, &text).expect("writes");
        }
        let published = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            published == text,
            "schemas/{name}.schema.json is out of date: run `ACCREDIT_BLESS=1 cargo test -p accredit published`"
        );
    }
}

fn keys(schema: &Value) -> BTreeSet<&str> {
    let properties = schema["properties"].as_object().expect("an object");
    properties.keys().map(String::as_str).collect()
}

#[test]
fn readers_know_the_keys_of_the_structs() {
    let (control, set, real, case) =
        (control_schema(), header_schema(), real_output_schema(), case_schema());
    let real_header = real_output_header_schema();
    let (run, selected) = (run_record_schema(), inventory_schema());
    let profile = profile_schema();
    let table: [(&Value, &Shape); 40] = [
        (&run, &run_record::RUN),
        (&run["$defs"]["Ran"], &run_record::RAN),
        (&run["$defs"]["Step"], &run_record::STEP),
        (&run["$defs"]["Stated"], &run_record::STATED),
        (&run["$defs"]["Call"], &run_record::CALL),
        (&run["$defs"]["Effect"], &run_record::EFFECT),
        (&run["$defs"]["ExpectedCheck"], &run_record::EXPECTED),
        (&run["$defs"]["History"], &history::HISTORY),
        (&run["$defs"]["Custody"], &history::CUSTODY),
        (&run["$defs"]["Judge"], &history::JUDGE),
        (&run["$defs"]["Execution"], &history::EXECUTION),
        (&run["$defs"]["Write"], &history::WRITE),
        (&run["$defs"]["ClaimedGrade"], &history::CLAIMED),
        (&run["$defs"]["Correction"], &run_record::CORRECTION),
        (&run["$defs"]["Forecast"], &later::FORECAST),
        (&run["$defs"]["Baseline"], &later::BASELINE),
        (&run["$defs"]["Explanation"], &later::EXPLANATION),
        (&run["$defs"]["Rival"], &later::RIVAL),
        (&run["$defs"]["Dimensions"], &later::DIMENSIONS),
        (&run["$defs"]["Dimension"], &later::DIMENSION),
        (&run["$defs"]["LaterOutcome"], &later::OUTCOME),
        (&selected, &inventory::INVENTORY),
        (&selected["$defs"]["Selection"], &inventory::SELECTION),
        (&selected["$defs"]["Selected"], &inventory::SELECTED),
        (&selected["$defs"]["Check"], &inventory::CHECK),
        (&profile, &profile::PROFILE),
        (&profile["$defs"]["Weight"], &profile::WEIGHT),
        (&control, &entry::CONTROL),
        (&control["$defs"]["Expectation"], &entry::EXPECT),
        (&case, &case::CASE),
        (&case["$defs"]["Evidence"], &case::EVIDENCE),
        (&case["$defs"]["Message"], &case::MESSAGE),
        (&case["$defs"]["Claim"], &case::CLAIM),
        (&case["$defs"]["Artifact"], &case::ARTIFACT),
        (&set, &header::SET),
        (&set["$defs"]["Commitments"], &header::HELD_OUT),
        (&real, &real_output::REAL_OUTPUT),
        (&real["$defs"]["NamedLabel"], &real_output::LABEL),
        (&real_header, &real_output::HEADER),
        (&real_header["$defs"]["Sample"], &real_output::SAMPLE),
    ];
    for (schema, shape) in table {
        assert_eq!(keys(schema), shape.keys.iter().copied().collect(), "{}", shape.what);
    }
    for (name, variation) in entry::VARIATIONS {
        assert_eq!(serde_json::to_value(variation).expect("plain data"), name);
    }
}
