//! Faults of files and of the folder, and files of their own: a case, real outputs.

use super::*;
use crate::read::{case, real_outputs};

/// A file, what it holds, and the fault.
const OF_FILES: [(&str, &str, &str); 8] = [
    (
        "known-bda.toml",
        "",
        "known-bda.toml:0 - unknown-file: is no file of a control set / did you mean `known-bad.toml`?",
    ),
    (
        "real-output.toml",
        "",
        "real-output.toml:0 - unknown-file: is no file of a control set / did you mean `real-output.jsonl`?",
    ),
    (
        "notes.txt",
        "",
        "notes.txt:0 - unknown-file: is no file of a control set / name it after its kind (.toml or .jsonl): known-bad, known-good,",
    ),
    ("known-good.toml", "a = \n[[control]]", "known-good.toml:1 - syntax: "),
    (
        "known-good.toml",
        "[[control]]\nid = \"a\"\nid = \"b\"",
        "known-good.toml:3 - syntax: duplicate key / mend the syntax here",
    ),
    (
        "known-good.toml",
        "[[controls]]",
        "known-good.toml:1 - unknown-key: `controls` is no key of a file of controls / did you mean `control`?",
    ),
    (
        "known-good.toml",
        "[control]\nid = \"a\"",
        "known-good.toml:1 - wrong-type: `control` is a table where a list belongs",
    ),
    (
        "known-good.toml",
        "control = [1]",
        "known-good.toml:1 - wrong-type: a number where a table belongs",
    ),
];

#[test]
fn faults_of_files() {
    for (name, text, expected) in OF_FILES {
        check(name, text, &[expected]);
    }
    for (name, text) in
        [("README.md", "#"), (".note", "x"), ("known-good.toml", ""), ("known-good.jsonl", "\r\n")]
    {
        check(name, text, &[]);
    }
}

#[test]
fn faults_of_the_header() {
    let table: [(&str, &[&str]); 4] = [
        (
            "id = \"S s\"\nversion = 1\nrubrik = \"r\"\nauthors = \"me\"\nrules = []\ntransforms = [\"x\"]\n",
            &[
                "set.toml:1 - bad-id: `id` is no valid id: `S s` / ",
                "set.toml:2 - wrong-type: `version` is a number",
                "set.toml:3 - unknown-key: `rubrik` is no key of a set / did you mean `rubric`?",
                "set.toml:4 - wrong-type: `authors` is a text where a list belongs",
                "set.toml:5 - no-rules: the set lists no rule / list the rubric's rule ids",
                "set.toml:6 - unknown-value: `x` is no value of `transforms[0]` / use one of `line-endings`, ",
            ],
        ),
        ("", &["set.toml:1 - missing-key: `id` is missing / add `id` to a set"; 1]),
        (
            "id = \"s\"\nversion = \"1\"\nrubric = \"r\"\nauthors = []\nrules = [\"one\", \"two\", \"three\"]\n",
            &[
                "set.toml:4 - empty-authors: the set names no author / name who wrote the controls",
                "set.toml:5 - rule-without-known-bad: no known-bad control must fail by the rule `three` / add one",
            ],
        ),
        (
            "id = \"s\"\nversion = \"1\"\nrubric = \"r\"\nrules = [\"one\", \"three\"]\n",
            &[
                "known-bad.toml:13 kb-2 rule-not-listed: `expect.rule` names the rule `two`",
                "set.toml:1 - missing-key: `authors` is missing",
                "set.toml:4 - rule-without-known-bad: no known-bad control must fail by the rule `three`",
            ],
        ),
    ];
    for (text, expected) in table {
        let faults = shown(set_of(&[("set.toml", text)]).path());
        let all = if text.is_empty() { 5 } else { expected.len() };
        assert_eq!(faults.len(), all, "{faults:#?}");
        for (fault, expected) in faults.iter().zip(expected) {
            assert!(fault.starts_with(expected), "{fault}\n{expected}");
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_hides_no_other() {
    let folder = set_of(&[("known-good.toml", "x"), ("hard-positive.jsonl", "{}")]);
    fs::remove_file(folder.path().join("set.toml")).expect("removes");
    fs::write(folder.path().join("regression.toml"), b"a = 1\n\xff").expect("writes");
    fs::create_dir(folder.path().join("adversarial.toml")).expect("makes");
    fs::create_dir(folder.path().join("old")).expect("makes");
    let faults = shown(folder.path());
    let expected = [
        "adversarial.toml:0 - unreadable: is a folder / put a regular file here",
        "hard-positive.jsonl:1 - missing-key: `id` is missing",
        "hard-positive.jsonl:1 - missing-key: `family` is missing",
        "hard-positive.jsonl:1 - missing-key: `why` is missing",
        "hard-positive.jsonl:1 - missing-key: `expect` is missing",
        "hard-positive.jsonl:1 - missing-key: `case` is missing",
        "known-good.toml:1 - syntax: ",
        "old:0 - unknown-file: ",
        "regression.toml:2 - not-utf8: a byte here is not UTF-8 / save the file as UTF-8",
        "set.toml:0 - missing-file: is missing / add it, with the set's id",
    ];
    assert_eq!(faults.len(), expected.len(), "{faults:#?}");
    for (fault, expected) in faults.iter().zip(expected) {
        assert!(fault.starts_with(expected), "{fault}\n{expected}");
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere() {
    let folder = set_of(&[]);
    let link = |from: &str, to: &str| {
        std::os::unix::fs::symlink(to, folder.path().join(from)).expect("links");
    };
    link("near-miss.toml", "near-miss.toml");
    link("known-good.toml", "nowhere");
    link("regression.toml", "/dev/null");
    let faults = shown(folder.path());
    assert_eq!(faults.len(), 3, "{faults:#?}");
    assert!(
        faults[0].starts_with("known-good.toml:0 - unreadable: cannot be read: No such file"),
        "{faults:#?}"
    );
    assert!(
        faults[1].starts_with("near-miss.toml:0 - unreadable: cannot be read: Too many levels"),
        "{faults:#?}"
    );
    assert!(
        faults[1].ends_with("/ the link leads nowhere or back to itself: put the file itself here")
    );
    assert!(
        faults[2].starts_with("regression.toml:0 - unreadable: is no regular file"),
        "{faults:#?}"
    );
}

#[test]
fn a_folder_that_is_not_there_is_one_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let faults = control_set(&folder.path().join("gone")).expect_err("is not there");
    assert_eq!(faults.faults.len(), 1);
    let text = faults.to_string();
    assert!(text.contains("gone: cannot be read: No such file"), "{text}");
}

#[test]
fn all_faults_are_printed_with_their_files() {
    let folder = set_of(&[("known-good.toml", "[[control]]\nid = \"kg\"\n"), ("x", "")]);
    let path = folder.path().display().to_string();
    let text = control_set(folder.path()).expect_err("has faults").to_string();
    let text = text.replace(&path, "SET");
    for line in [
        "SET/known-good.toml:1: kg: `why` is missing\n    add `why` to a control\n",
        "SET/x: is no file of a control set\n    name it after its kind",
        "SET/near-miss.toml: warning: the set has no near-miss control\n",
        "\n5 faults: mend them and read again",
    ] {
        assert!(text.contains(line), "{line}\nnot in\n{text}");
    }
}

fn write(name: &str, text: &str) -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("writes");
    (folder, path)
}

#[test]
fn cases_of_their_own() {
    let toml = "output = \"o\"\n[[evidence]]\nid = \"a\"\nkind = \"k\"\ncontent = \"c\"\n";
    let json = r#"{"output": "o", "evidence": [{"id": "a", "kind": "k", "content": "c"}]}"#;
    let read = |name, text| {
        let (_folder, path) = write(name, text);
        case(&path)
    };
    assert_eq!(read("c.toml", toml).expect("reads"), read("c.json", json).expect("reads"));
    let table = [
        ("c.toml", "a = ", "/c.toml:1: "),
        ("c.yaml", "", "/c.yaml: a case is a JSON or a TOML file"),
        (
            "c.json",
            "{\n\"outptu\": \"\",\n\"task\": 1}",
            "/c.json:2: `outptu` is no key of a case\n    did you mean `output`?",
        ),
        (
            "c.json",
            "{\n\"outptu\": \"\",\n\"task\": 1}",
            "/c.json:3: `task` is a number where a text belongs",
        ),
        ("c.json", "{\n\n", "/c.json:3: EOF while parsing"),
        ("c.json", "[]", "/c.json:1: a list where a table belongs"),
        ("c.toml", "output = \"\"\ncontext = \"1\"", "/c.toml:2: `context` is no JSON object"),
        (
            "c.json",
            "{\"output\": \"\",\n\"claims\": [{\"id\": \"a\", \"text\": \"\"},\n{\"id\": \"a\", \"text\": \"\"}]}",
            "/c.json:2: two claims of the case are named `a`",
        ),
    ];
    for (name, text, expected) in table {
        let faults = read(name, text).expect_err("has faults").to_string();
        assert!(faults.contains(expected), "{expected}\nnot in\n{faults}");
    }
}

#[test]
fn real_outputs_line_by_line() {
    let text = concat!(
        r#"{"id": "A", "task": "t", "output": "o", "labels": ["pass", "Fail", 1], "hard": 1}"#,
        "\r\n",
        "\n",
        r#"{"id": "b", "task": "t", "output": "o", "human_label": "pass"}"#,
        "\n",
        r#"{"id": "B", "task": "t", "output": "p", "human_label": null, "reference": {"a": 1.5}}"#,
        "\n",
        "nonsense\n",
        r#"{"id": "c/d", "outputs": "p", "meta": []}"#,
    );
    let (_folder, path) = write("ro.jsonl", text);
    let faults = real_outputs(&path).expect_err("has faults");
    let shown: Vec<_> =
        faults.faults.iter().map(|f| format!("{} {}: {}", f.at.line, f.code, f.message)).collect();
    let expected = [
        "1 wrong-type: `hard` is a number where true or false belongs",
        "1 unknown-value: `Fail` is no value of `labels[1]`",
        "1 wrong-type: `labels[2]` is a number where a text belongs",
        "4 duplicate-id: the id `b` is taken by the control at ro.jsonl:3",
        "5 syntax: expected ident",
        "6 unknown-key: `outputs` is no key of a real output",
        "6 bad-id: `id` is no valid id: `c/d`",
        "6 missing-key: `task` is missing",
        "6 wrong-type: `meta` is a list where an object belongs",
    ];
    let sorted = |lines: &[String]| {
        let mut lines = lines.to_vec();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&shown), sorted(&expected.map(str::to_owned)));
    let (_folder, path) = write(
        "ro.jsonl",
        r#"{"id": "A", "task": "t", "output": "o", "labels": ["pass"], "meta": {"label_source": "x"}}"#,
    );
    let read = real_outputs(&path).expect("reads");
    assert_eq!(read.controls[0].entry.id.as_str(), "a");
    assert_eq!(read.controls[0].label.as_ref().map(|label| label.annotators), Some(1));
    assert_eq!(read.sample, None);
}

#[test]
fn a_header_line_says_what_holds_for_the_file() {
    let output = r#"{"id": "a", "task": "t", "output": "o", "labels": ["pass"]}"#;
    let read = |first: &str| {
        let (_folder, path) = write("ro.jsonl", &format!("{first}\n{output}\n"));
        real_outputs(&path)
    };
    let header = r#"{"sample": {"rule": "each tenth, from a", "seed": 7, "population": 10}, "labels_by": "people"}"#;
    let sound = read(header).expect("reads");
    let sample = sound.sample.expect("declares a sample");
    assert_eq!((sample.seed, sample.population), (7, Some(10)));
    assert!(sound.controls[0].label.as_ref().expect("has a label").is_peoples());
    let table = [
        (
            r#"{"sample": {"rule": " "}}"#,
            vec!["`sample.rule` is blank", "`sample.seed` is missing"],
        ),
        (r#"{"labels_by": "us"}"#, vec!["`us` is no value of `labels_by`"]),
        (r#"{"labels_by": "code", "smaple": {}}"#, vec!["did you mean `sample`?"]),
        (
            r#"{"sample": {"rule": "r", "seed": -1}}"#,
            vec!["`sample.seed` is a number where a whole"],
        ),
    ];
    for (first, expected) in table {
        let faults = read(first).expect_err("has faults").to_string();
        for text in expected {
            assert!(faults.contains(text), "{text}\nnot in\n{faults}");
        }
    }
    let (_folder, path) = write("ro.jsonl", &format!("{output}\n{header}\n"));
    let faults = real_outputs(&path).expect_err("a header must come first").to_string();
    assert!(faults.contains("`sample` is no key of a real output"), "{faults}");
}

#[test]
fn labels_may_say_who_gave_them() {
    let text = r#"{"id": "a", "task": "t", "output": "o", "labels": [{"by": "", "label": "maybe"}, {"label": "pass", "agian": "pass"}]}"#;
    let (_folder, path) = write("ro.jsonl", text);
    let faults = real_outputs(&path).expect_err("has faults").to_string();
    for text in [
        "`labels[0].by` is blank",
        "`maybe` is no value of `labels[0].label`",
        "`labels[1].by` is missing",
        "did you mean `again`?",
    ] {
        assert!(faults.contains(text), "{text}\nnot in\n{faults}");
    }
}
