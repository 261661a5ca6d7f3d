//! Sets that must be read, and bytes that must not harm.

use proptest::prelude::*;

use super::*;
use crate::read::{case, real_outputs};

#[test]
fn the_sets_of_this_repository_have_no_fault() {
    let controls = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../controls");
    let mut sets = 0;
    for entry in fs::read_dir(controls).expect("the folder of control sets") {
        let folder = entry.expect("an entry").path();
        let (set, _) = control_set(&folder).unwrap_or_else(|faults| panic!("{faults}"));
        assert!(!set.controls.is_empty());
        sets += 1;
    }
    assert!(sets > 0);
}

#[test]
fn toml_and_json_lines_read_alike() {
    let toml = r#"[[control]]
id = "kg"
family = "f"
why = "w"
expect = { verdict = "pass" }
skip_transforms = ["white-space"]
[control.case]
output = "o\r\n"
reference = "r"
messages = [{ role = "user", content = "c" }]
claims = [{ id = "c", text = "t", extra = "{}" }]
artifacts = [{ name = "a", data = [0, 0xff, 0b1, 0o7] }]
[[control.case.evidence]]
id = "e"
kind = "k"
as_of = "2024-01-01T00:00:00Z"
content = "c"
"#;
    let json = concat!(
        r#"{"id": "kg", "family": "f", "why": "w", "expect": {"verdict": "pass"}, "skip_transforms": ["white-space"], "#,
        r#""case": {"output": "o\r\n", "reference": "r", "messages": [{"role": "user", "content": "c"}], "#,
        r#""claims": [{"id": "c", "text": "t", "extra": "{}"}], "artifacts": [{"name": "a", "data": [0, 255, 1, 7]}], "#,
        r#""evidence": [{"id": "e", "kind": "k", "as_of": "2024-01-01T00:00:00Z", "content": "c"}]}}"#,
    );
    let read = |name, text| {
        let folder = set_of(&[(name, text)]);
        control_set(folder.path()).expect("reads").0
    };
    let (one, other) = (read("known-good.toml", toml), read("known-good.jsonl", json));
    let entry = |set: &accredit_core::control::set::ControlSet| {
        let found = set.controls.iter().find(|control| control.entry.id.as_str() == "kg");
        found.expect("is there").entry.clone()
    };
    assert_eq!(entry(&one), entry(&other));
    assert_eq!(entry(&one), serde_json::from_str(json).expect("serde reads it too"));
    assert_ne!(one.digest, other.digest);
}

#[test]
fn line_ends_of_the_file_change_no_control() {
    let text = KNOWN_BAD.replace("output = \"1\"", "output = '''\na\nb'''");
    let read = |text: &str| {
        let folder = set_of(&[("known-bad.toml", text), ("set.toml", &SET.replace('\n', "\r\n"))]);
        control_set(folder.path()).expect("reads").0
    };
    let (lf, crlf) = (read(&text), read(&text.replace('\n', "\r\n")));
    assert_eq!(lf.controls, crlf.controls);
    assert_eq!(lf.controls[0].entry.case.output, "a\nb");
    assert_eq!(lf.controls[1].at.line, 11);
}

#[test]
fn notes_are_no_part_of_the_digest() {
    fn digest(files: &[(&str, &str)]) -> accredit_core::id::Digest {
        control_set(set_of(files).path()).expect("reads").0.digest
    }
    let plain = digest(&[]);
    assert_eq!(digest(&[("README.md", "x"), (".x", "y")]), plain);
    assert_ne!(digest(&[("set.toml", &format!("{SET}\n"))]), plain);
    assert_ne!(digest(&[("known-good.toml", "")]), plain);
}

#[test]
fn warnings_come_with_the_set() {
    let (set, warnings) = control_set(set_of(&[]).path()).expect("reads");
    assert_eq!(set.controls.len(), 2);
    assert_eq!(warnings.len(), 5, "{warnings:#?}");
    assert!(warnings.iter().all(|warning| warning.code == "kind-without-controls"));
}

/// Reads these bytes as every kind of file.
fn read_as_everything(bytes: &[u8]) {
    let folder = set_of(&[]);
    for name in ["set.toml", "known-good.toml", "near-miss.jsonl", "real-output.jsonl", "case.json"]
    {
        fs::write(folder.path().join(name), bytes).expect("writes");
    }
    if let Err(faults) = control_set(folder.path()) {
        assert!(!faults.to_string().is_empty());
    }
    for name in ["real-output.jsonl", "case.json", "known-good.toml"] {
        let _read = real_outputs(&folder.path().join(name));
        let _read = case(&folder.path().join(name));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn arbitrary_bytes_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        read_as_everything(&bytes);
    }

    #[test]
    fn almost_a_control_does_no_harm(
        at in 0..KNOWN_BAD.len(),
        cut in 0_usize..20,
        put in "[\\[\\]{}\"'=.,#a-z0-9\\\\é \n\r\t-]{0,8}",
    ) {
        let end = (at + cut).min(KNOWN_BAD.len());
        read_as_everything(format!("{}{put}{}", &KNOWN_BAD[..at], &KNOWN_BAD[end..]).as_bytes());
    }
}

#[test]
fn deep_nesting_is_a_fault_and_no_overflow() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        read_as_everything(
            format!("{}1{}", open.repeat(100_000), close.repeat(100_000)).as_bytes(),
        );
        read_as_everything(
            format!("x = {}1{}", "[".repeat(100_000), "]".repeat(100_000)).as_bytes(),
        );
    }
}
