//! What is added comes back, and what was there stays.

use std::collections::BTreeMap;

use accredit_core::case::{Artifact, Case, Claim, Evidence, Message};
use accredit_core::control::set::Expectation;
use accredit_core::verdict::Verdict;
use proptest::prelude::*;

use super::*;

const SET: &str = "id = \"s\"\nversion = \"1\"\nrubric = \"r\"\nauthors = [\"a\"]\nrules = [\"one\"]\ntransforms = []\n";
const BAD: &str = "[[control]]\nid = \"kb\"\nfamily = \"kb\"\nwhy = \"because\"\nexpect = { verdict = \"fail\", rule = \"one\" }\ncase.output = \"1\"\n";

fn entry(case: Case, why: &str) -> Entry {
    Entry {
        id: id_of(&case),
        family: "f".parse().expect("an id"),
        why: why.into(),
        expect: Expectation { verdict: Verdict::Fail, rule: "one".parse().ok() },
        also: vec![],
        pair: None,
        tactic: None,
        base: None,
        variation: None,
        skip_transforms: vec![],
        segment: BTreeMap::new(),
        case,
    }
}

fn set(regression: Option<&[u8]>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        fs::write(folder.path().join(name), bytes).expect("written");
    };
    write("set.toml", SET.as_bytes());
    write("known-bad.toml", BAD.as_bytes());
    if let Some(bytes) = regression {
        write(FILE, bytes);
    }
    folder
}

/// Texts with whatever a file can get wrong: control characters, quotes, line ends, hidden characters.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        prop::sample::select(vec![
            "\"",
            "\"\"\"",
            "'",
            "'''",
            "\\",
            "\\u",
            "\r\n",
            "\n",
            "\r",
            "\t",
            " ",
            " \n",
            "\0",
            "\u{7f}",
            "\u{85}",
            "\u{2028}",
            "\u{feff}",
            "\u{202e}",
            "#",
            "[[control]]",
            "=",
            "word",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn cases() -> impl Strategy<Value = Case> {
    let list = || prop::collection::vec((texts(), texts()), 0..3);
    let bytes = prop::collection::vec(any::<u8>(), 0..60);
    ((texts(), texts(), texts()), prop::option::of(texts()), (list(), list(), list()), bytes)
        .prop_map(|((id, task, output), reference, (messages, claims, evidence), data)| {
            let named = |at: usize, name: &String| format!("{at} {name}");
            let message =
                |(_, content)| Message { role: "user".into(), content, extra: String::new() };
            let claims = claims.into_iter().enumerate();
            let evidence = evidence.into_iter().enumerate();
            Case {
                id,
                task,
                output_type: if reference.is_some() { "text/html" } else { "text/plain" }.into(),
                artifacts: match data.len() % 3 {
                    0 => vec![],
                    _ => vec![Artifact {
                        name: format!("x{output}"),
                        media_type: "text/plain".into(),
                        data,
                    }],
                },
                output,
                messages: messages.into_iter().map(message).collect(),
                claims: claims
                    .map(|(at, (id, text))| Claim {
                        id: named(at, &id),
                        text,
                        extra: String::new(),
                    })
                    .collect(),
                evidence: evidence
                    .map(|(at, (id, content))| Evidence {
                        id: named(at, &id),
                        kind: "file".into(),
                        as_of: reference.clone(),
                        source: content.clone(),
                        media_type: id,
                        content,
                        extra: "{\"a\": 1}".into(),
                    })
                    .collect(),
                reference,
                context: String::new(),
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_case_comes_back_exactly(case in cases(), why in texts()) {
        let folder = set(None);
        let held = Held::new(folder.path()).expect("held");
        let entry = entry(case, &format!("because {why}"));
        let addition = held.plan(&entry, &[]).map_err(|it| TestCaseError::fail(it.to_string()))?;
        // Where it is the one known-bad control but for spacing, it is known.
        if addition.bytes.is_some() {
            prop_assert_eq!(&addition.control.entry, &entry);
            held.write(&addition).expect("written");
            let (read, _) = read::control_set(folder.path()).expect("a sound set");
            prop_assert!(read.controls.iter().any(|it| it.entry == entry));
        }
    }

    #[test]
    fn nothing_that_was_there_is_changed(
        comments in prop::collection::vec("[ a-z#\t]{0,20}", 0..5),
        at_end in any::<bool>(),
        output in texts(),
    ) {
        let mut before: String = comments.iter().map(|it| format!("# {it}\n")).collect();
        before.push_str(&BAD.replace("kb", "found-earlier").replace("\"1\"", "\"earlier\""));
        if !at_end {
            before.pop();
        }
        let folder = set(Some(before.as_bytes()));
        let held = Held::new(folder.path()).expect("held");
        let case = Case { output: format!("x{output}"), output_type: "text/plain".into(), ..Case::default() };
        let addition = held.plan(&entry(case, "because"), &[]).expect("planned");
        held.write(&addition).expect("written");
        let after = fs::read(folder.path().join(FILE)).expect("read");
        prop_assert!(after.starts_with(before.as_bytes()));
        let (read, _) = read::control_set(folder.path()).expect("a sound set");
        prop_assert_eq!(read.controls.len(), 3);
    }
}

fn output(text: &str) -> Case {
    Case { output: text.into(), output_type: "text/plain".into(), ..Case::default() }
}

#[test]
fn a_new_file_reads_well() {
    let folder = set(None);
    let held = Held::new(folder.path()).expect("held");
    let case = Case { task: "Sum?".into(), ..output("First: 1\nThen: \"2\"\n") };
    let entry = Entry { also: vec!["one".parse().expect("an id")], ..entry(case, "it was wrong") };
    let mut entry = entry;
    entry.expect.rule = None;
    let addition = held.plan(&entry, &["requirement: sums are right".into()]).expect("planned");
    assert_eq!(held.place(&addition.control.at), format!("{}/{FILE}:4", folder.path().display()));
    held.write(&addition).expect("written");
    let id = &entry.id;
    let expected = format!(
        "{HEAD}\n# requirement: sums are right\n[[control]]\nid = \"{id}\"\nfamily = \"f\"\nwhy = \"it was wrong\"\nexpect = {{ verdict = \"fail\" }}\nalso = [\"one\"]\n\n[control.case]\ntask = \"Sum?\"\noutput = \"\"\"\nFirst: 1\nThen: \"2\"\n\"\"\"\n"
    );
    assert_eq!(fs::read_to_string(folder.path().join(FILE)).expect("read"), expected);
    let names = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(names, 3, "nothing is left over");
}

#[test]
fn the_same_case_is_known_whatever_its_spacing() {
    let folder = set(None);
    let held = Held::new(folder.path()).expect("held");
    for text in ["1", " 1\n"] {
        let known = held.plan(&entry(output(text), "because"), &[]).expect("planned");
        assert!(known.bytes.is_none());
        assert_eq!(known.control.entry.id.as_str(), "kb");
    }
    let mut contrary = entry(output("1 "), "because");
    contrary.expect = Expectation { verdict: Verdict::Pass, rule: None };
    let told = held.plan(&contrary, &[]).err().map(|it| it.to_string()).unwrap_or_default();
    assert!(told.contains("known-bad.toml:1: the same case is the control `kb` already"), "{told}");
    assert!(told.contains("fail by `one`, not pass"), "{told}");
}

#[test]
fn every_fault_is_told_and_nothing_is_written() {
    let broken = "[[control]]\nid = \"X\"\n";
    for before in [None, Some(broken.as_bytes()), Some(b"control = []\n".as_slice())] {
        let folder = set(before);
        let held = Held::new(folder.path()).expect("held");
        let mut bad = entry(output("2"), " ");
        bad.expect.rule = "two".parse().ok();
        let told = held.plan(&bad, &[]).err().map(|it| it.to_string()).unwrap_or_default();
        assert!(told.contains("Nothing was written"), "{told}");
        let array = before.is_some_and(|it| it.starts_with(b"control"));
        assert!(array || told.contains("`why` is empty"), "{told}");
        assert!(array || told.contains("names the rule `two`"), "{told}");
        assert_eq!(fs::read(folder.path().join(FILE)).ok().as_deref(), before);
    }
}

#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    let folder = set(None);
    let elsewhere = tempfile::tempdir().expect("a folder");
    let target = elsewhere.path().join("kept.toml");
    fs::write(&target, "# mine\n").expect("written");
    fs::set_permissions(&target, Permissions::from_mode(0o640)).expect("set");
    std::os::unix::fs::symlink(&target, folder.path().join(FILE)).expect("linked");
    let held = Held::new(folder.path()).expect("held");
    let addition = held.plan(&entry(output("2"), "because"), &[]).expect("planned");
    held.write(&addition).expect("written");
    assert!(fs::symlink_metadata(folder.path().join(FILE)).is_ok_and(|it| it.is_symlink()));
    assert!(fs::read_to_string(&target).expect("read").starts_with("# mine\n\n[[control]]\n"));
    let mode = fs::metadata(&target).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}
