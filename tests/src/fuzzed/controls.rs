//! The files that people write: control sets, policies, cases and real outputs.
//!
//! One input holds several files. A line `=== NAME` begins one; what stands before the first is passed
//! over. `accredit.toml` is read as a policy, `case.toml` and `case.json` as a case, `outputs.jsonl` as
//! real outputs; all the others make up one control set.

use std::collections::BTreeMap;

use accredit::read::{self, ReadFaults};
use accredit::render;
use accredit_core::baseline;
use accredit_core::case::Case;
use accredit_core::control::lint::{LintFault, lint};
use accredit_core::control::plan::Plan;
use accredit_core::control::set::{Control, ControlSet};
use accredit_core::explain::explain;
use accredit_core::manifest::{RawManifest, RawRule, Rule};
use accredit_core::run::event::ControlFacts;
use accredit_core::verdict::{RuleTier, Scope};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Reached, assert_tame, assert_tame_line};

pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Reads every file.
///
/// # Panics
/// When a promise of the readers is broken.
pub fn run(bytes: &[u8]) -> Reached {
    let mut files = files_of(bytes);
    let mut reached = Vec::new();
    for name in ["accredit.toml", "case.toml", "case.json", "outputs.jsonl"] {
        if let Some(bytes) = files.remove(name) {
            reached.push(one_file(name, bytes));
        }
    }
    if reached.is_empty() || !files.is_empty() {
        reached.push(set(&files));
    }
    reached.into_iter().min().unwrap_or(Reached::Refused)
}

/// The files of one input; of two of one name the last.
pub(super) fn files_of(bytes: &[u8]) -> Files {
    let mut files = Files::new();
    let mut current: Option<&mut Vec<u8>> = None;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if let Some(name) = line.strip_prefix(b"=== ") {
            let name = String::from_utf8_lossy(name).trim().to_owned();
            let file = files.entry(name).or_default();
            file.clear();
            current = Some(file);
        } else if let Some(file) = &mut current {
            file.extend(line);
        }
    }
    files
}

fn one_file(name: &str, bytes: Vec<u8>) -> Reached {
    let files = Files::from([(name.to_owned(), bytes)]);
    let bytes = &files[name];
    let read = match name {
        "accredit.toml" => read::policy_of(name, bytes).map(|read| {
            same_in_json(&read.policy);
            let explanation = explain(&read.policy);
            same_in_json(&explanation);
            assert_tame(&render::human::explanation(&explanation, "a policy"));
        }),
        "outputs.jsonl" => read::real_outputs_of(name, bytes).map(|controls| {
            controls.controls.iter().for_each(|control| one_control(control, &files));
        }),
        _ => {
            let case = read::case_of(name, bytes);
            if name.ends_with(".json") {
                on_a_line(&case, bytes);
            }
            case.map(|case| one_case(&case))
        }
    };
    taken(read.map(|()| Vec::new()), &files)
}

/// A case on a line of bulk grading is read as a file of its own is, and refused in few words.
fn on_a_line(of_file: &Result<Case, ReadFaults>, bytes: &[u8]) {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    match read::case_line(bytes) {
        Ok(case) => assert_eq!(Some(&case), of_file.as_ref().ok()),
        Err(told) => {
            assert!(of_file.is_err(), "refused on a line alone: {told}");
            assert!(!told.is_empty() && told.chars().count() <= 1_001);
        }
    }
}

fn taken(read: Result<Vec<LintFault>, ReadFaults>, files: &Files) -> Reached {
    match read {
        Ok(warnings) => {
            assert!(!warnings.iter().any(LintFault::is_error), "{warnings:?}");
            faults_are_fit(&warnings, files);
            Reached::Taken
        }
        Err(faults) => {
            assert!(faults.errors() > 0, "refused without a fault: {faults:?}");
            assert_tame(&faults);
            faults_are_fit(&faults.faults, files);
            Reached::Refused
        }
    }
}

/// Each fault stands on a line that is there, and can be shown.
fn faults_are_fit(faults: &[LintFault], files: &Files) {
    for fault in faults {
        assert_tame_line(&fault.at.file);
        assert_tame_line(&fault.message);
        assert_tame_line(&fault.mend);
        assert!(!fault.message.is_empty() && !fault.mend.is_empty(), "{fault:?}");
        line_is_there(&fault.at.file, fault.at.line, files);
    }
    let json = render::json::lint(faults);
    let parsed: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(parsed["faults"].as_array().map(Vec::len), Some(faults.len()));
}

fn line_is_there(file: &str, line: usize, files: &Files) {
    let Some(bytes) = files.get(file) else { return };
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
    assert!(line <= lines, "line {line} of {file}, which has {lines}");
}

fn set(files: &Files) -> Reached {
    let read = read::control_set_of(files);
    if let Ok((set, warnings)) = &read {
        assert!(!lint(&set.header, &set.controls).iter().any(LintFault::is_error));
        assert_tame(&render::human::lint("set".as_ref(), set, warnings));
        set.controls.iter().for_each(|control| one_control(control, files));
        what_follows(set);
    }
    taken(read.map(|(_, warnings)| warnings), files)
}

fn one_control(control: &Control, files: &Files) {
    line_is_there(&control.at.file, control.at.line, files);
    same_in_json(&ControlFacts::new(control, Vec::new()));
    one_case(&control.entry.case);
}

fn one_case(case: &Case) {
    same_in_json(case);
    assert_eq!(case.content_digest(), case.blinded().content_digest());
}

/// What was read is the same when it is written into a record and read again.
fn same_in_json<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("plain data");
    let again: T = serde_json::from_str(&text).expect("it was just written");
    assert_eq!(*value, again, "{text}");
}

/// The plan and the baselines of a sound set.
fn what_follows(set: &ControlSet) {
    let plan = Plan::new(&set.controls, &set.header.transforms, 1, 7);
    assert_eq!(plan.trials.len(), plan.shown.len());
    for shown in &plan.shown {
        let written = &set.controls[shown.control].entry.case;
        assert_eq!(shown.content, shown.case.content_digest());
        assert_eq!(shown.variant.is_some(), shown.case != written.blinded());
        for (evidence, before) in shown.case.evidence.iter().zip(&written.evidence) {
            if evidence.id == before.id {
                same_json(&before.content, &evidence.content);
            }
        }
    }
    let rules = rules(set);
    for baseline in baseline::all(&set.controls, &rules, 7) {
        assert_eq!(baseline.verdicts.len(), set.controls.len());
        assert!(baseline.verdicts.iter().all(|verdicts| verdicts.len() == rules.len()));
    }
}

/// Evidence under a transform still means the same.
fn same_json(before: &str, after: &str) {
    if before != after {
        let value = |text| serde_json::from_str::<serde_json::Value>(text).ok();
        assert_eq!(value(before), value(after), "{before} became {after}");
    }
}

/// The rules of a grader that declares just what the set lists.
fn rules(set: &ControlSet) -> Vec<Rule> {
    let rule = |id: &accredit_core::id::RuleId| RawRule {
        id: id.to_string(),
        text: String::new(),
        tier: RuleTier::Essential,
        scope: Scope::Output,
        needs: Vec::new(),
    };
    let manifest = RawManifest {
        name: "g".into(),
        version: String::new(),
        rubric: set.header.rubric.to_string(),
        rules: set.header.rules.iter().map(rule).collect(),
        extra: String::new(),
    };
    manifest.check().expect("a sound set lists rules, each once").rules
}
