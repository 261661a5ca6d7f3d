//! Run records and inventories: every fault at once, with its line.

use super::*;
use crate::read::{inventory_in, inventory_of, profile, run_records, run_records_of};

const RUN: &str = r#"{
  "format": 1, "id": "a-1", "case": "a", "run": 1, "purpose": "acceptance",
  "ran": {"code_version": "v1", "settings": {"temperature": 0.5}, "clock": "2026-11-30T22:00:00Z"},
  "steps": [
    {"id": "s", "answer": "42", "claims": [], "calls": [{"order": 1, "tool": "t"}],
     "effects": [{"order": 2, "target": "x", "before": null, "after": 3}], "cost": 0.5}
  ]
}"#;

#[test]
fn a_sound_record_is_read_and_what_is_absent_was_not_observed() {
    let runs = run_records_of("a.json", RUN.as_bytes()).expect("sound");
    let step = &runs[0].steps[0];
    assert_eq!(step.claims.as_deref(), Some(&[][..]), "observed, and none");
    assert_eq!((step.documents.is_none(), step.cost), (true, Some(0.5)));
    let by_serde: accredit_core::gate::record::SutRun = serde_json::from_str(RUN).expect("sound");
    assert_eq!(runs[0], by_serde, "the reader and the published shape agree");
}

#[test]
fn every_fault_of_a_record_is_told_at_once_with_its_line() {
    let bad = r#"{
  "format": 1, "id": "A 1", "case": "a", "run": -1,
  "purpose": "acceptence",
  "ran": {"clock": "yesterday", "modle": "x"},
  "steps": [
    {"id": "s", "answer": 42,
     "effects": [{"order": 1, "target": "x", "after": 3}]}
  ],
  "outcomes": [{"came": "maybe"}]
}"#;
    let faults = run_records_of("a.json", bad.as_bytes()).expect_err("faults").to_string();
    for told in [
        "a.json:2: `id` is no valid id",
        "a.json:2: `run`",
        "a.json:3: `acceptence` is no value of `purpose`",
        "a.json:4: `ran.clock` is no time: `yesterday`",
        "a.json:4: `ran.modle`",
        "a.json:6: `steps[0].answer`",
        "a.json:7: `steps[0].effects[0].before` is missing",
        "a.json:9: `outcomes[0].came` is a text where true or false belongs",
        "a.json:9: `outcomes[0].source` is missing",
    ] {
        assert!(faults.contains(told), "{told:?} is not in\n{faults}");
    }
}

#[test]
fn an_unknown_format_is_told_in_words() {
    let later = RUN.replace("\"format\": 1", "\"format\": 2");
    let told = run_records_of("a.json", later.as_bytes()).expect_err("a fault").to_string();
    assert!(told.contains("is of format 2, and this version reads format 1"), "{told}");
}

#[test]
fn a_folder_is_read_file_by_file_and_a_run_stands_there_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("writes");
    put("a.json", RUN);
    put("notes.txt", "no record");
    put("inventory.json", "{}");
    let line = |id: &str| RUN.replace("a-1", id).replace('\n', " ");
    put("b.jsonl", &format!("{}\n{}\n", line("b-1"), line("b-2")));
    assert_eq!(run_records(folder.path()).expect("sound").len(), 3);
    put("c.json", RUN);
    put("d.json", "{\n\"format\": }");
    let told = run_records(folder.path()).expect_err("faults").to_string();
    assert!(told.contains("c.json:1: run `a-1` is recorded twice: in a.json:1"));
    assert!(told.contains("d.json:2"), "{told}");
    assert!(run_records(&folder.path().join("nowhere")).is_err());
}

#[test]
fn an_inventory_is_read_with_all_its_faults() {
    let sound = "format = 1\n[selection]\nrule = \"all\"\nseed = 7\n[[checks]]\ngrader = \"g\"\n[[cases]]\ncase = \"a\"\npurpose = \"held-out\"\nruns = [\"a-1\"]\nsteps = [\"s\"]\n";
    let read = inventory_of("inventory.toml", sound.as_bytes()).expect("sound");
    assert_eq!((read.cases.len(), read.checks.len()), (1, 1));
    let json = serde_json::to_string(&read).expect("JSON");
    assert_eq!(inventory_of("inventory.json", json.as_bytes()).expect("sound"), read);
    let bad = sound.replace("rule = \"all\"", "").replace("grader = \"g\"", "serious = \"very\"");
    let told = inventory_of("inventory.toml", bad.as_bytes()).expect_err("faults").to_string();
    for part in ["inventory.toml:2: `selection.rule`", "inventory.toml:6: `very`"] {
        assert!(told.contains(part), "{part:?} is not in\n{told}");
    }
    let empty = "format = 1\ncases = []\n[selection]\nrule = \"all\"\n";
    let told = inventory_of("inventory.toml", empty.as_bytes()).expect_err("a fault").to_string();
    assert!(told.contains("selects no case"), "{told}");
    let folder = tempfile::tempdir().expect("a folder");
    let told = inventory_in(folder.path()).expect_err("none").to_string();
    assert!(told.contains("holds no inventory"), "{told}");
}

#[test]
fn a_profile_takes_nothing_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trader.toml");
    let text = "format = 1\nname = \"trader\"\n[[adds]]\ngrader = \"h\"\n[[weights]]\ngrader = \"g\"\nweight = 2\n";
    fs::write(&path, text).expect("writes");
    let read = profile(&path).expect("sound");
    assert_eq!((read.adds.len(), read.weights.len()), (1, 1));
    fs::write(&path, text.replace("weight = 2", "weight = 0")).expect("writes");
    let told = profile(&path).expect_err("a fault").to_string();
    assert!(told.contains("a weight is a number above 0"), "{told}");
}

#[test]
fn the_gate_stands_in_a_policy() {
    let read = |text: &str| crate::read::policy_of("accredit.toml", text.as_bytes());
    let policy = read("[gate]\nmax_false_block = 0.2\n").expect("sound").policy;
    assert_eq!((policy.gate.max_false_block, policy.gate.pass_rate), (0.2, 1.0));
    let told = read("[gate]\npass_rate = 2\nmax = 1\n").expect_err("faults").to_string();
    assert!(told.contains("accredit.toml:2: `gate.pass_rate`"), "{told}");
    assert!(told.contains("accredit.toml:3: `gate.max`"), "{told}");
}
