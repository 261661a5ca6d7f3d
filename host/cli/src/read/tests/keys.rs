//! Faults of keys and values, in TOML and in JSON Lines.

use super::*;

/// A known-good control with these lines in place of the `why`.
fn control(lines: &str) -> String {
    format!(
        "[[control]]\nid = \"kg\"\nfamily = \"f\"\n{lines}\n\
         expect = {{ verdict = \"pass\" }}\ncase.output = \"o\"\n"
    )
}

/// What stands on line 4, and the fault.
const OF_ONE_KEY: [(&str, &str); 16] = [
    (
        "wy = \"w\"",
        "known-good.toml:4 kg unknown-key: `wy` is no key of a control / did you mean `why`?",
    ),
    (
        "why = \"w\"\ncolour = 1",
        "known-good.toml:5 kg unknown-key: `colour` is no key of a control / take it out; a control has `id`, ",
    ),
    ("", "known-good.toml:1 kg missing-key: `why` is missing / add `why` to a control"),
    (
        "why = 3",
        "known-good.toml:4 kg wrong-type: `why` is a number where a text belongs / write a text",
    ),
    ("why = 1.5", "known-good.toml:4 kg wrong-type: `why` is a number where"),
    ("why = nan", "known-good.toml:4 kg wrong-type: `why` is a number that is not finite where"),
    (
        "why = 2024-01-01",
        "known-good.toml:4 kg wrong-type: `why` is a date where a text belongs / write a text, in quotes",
    ),
    ("why = true", "known-good.toml:4 kg wrong-type: `why` is true or false where"),
    ("why = []", "known-good.toml:4 kg wrong-type: `why` is a list where"),
    ("why = {}", "known-good.toml:4 kg wrong-type: `why` is a table where"),
    (
        "why = \"w\"\npair = \"A b\"",
        "known-good.toml:5 kg bad-id: `pair` is no valid id: `A b` / use 1 to 64 lower-case letters, digits, \
             '.', '_' or '-', starting with a letter or digit: for example `a-b`",
    ),
    (
        "why = \"w\"\nvariation = \"reword\"",
        "known-good.toml:5 kg unknown-value: `reword` is no value of `variation` / did you mean `reworded`?",
    ),
    (
        "why = \"w\"\nvariation = \"other\"",
        "known-good.toml:5 kg unknown-value: `other` is no value of `variation` / use one of `reworded`, ",
    ),
    (
        "why = \"w\"\nskip_transforms = [\n  \"white_space\",\n]",
        "known-good.toml:6 kg unknown-value: `white_space` is no value of `skip_transforms[0]` / did you mean `white-space`?",
    ),
    (
        "why = \"w\"\nalso = \"one\"",
        "known-good.toml:5 kg wrong-type: `also` is a text where a list belongs",
    ),
    (
        "why = \"w\"\nalso = [1]",
        "known-good.toml:5 kg wrong-type: `also[0]` is a number where a text",
    ),
];

#[test]
fn faults_of_one_key() {
    for (lines, expected) in OF_ONE_KEY {
        check("known-good.toml", &control(lines), &[expected]);
    }
}

#[test]
fn faults_within_the_case() {
    let table = [
        (
            "case = 1",
            "known-good.toml:6 kg wrong-type: `case` is a number where a table belongs / write the keys",
        ),
        (
            "case = {}",
            "known-good.toml:6 kg missing-key: `case.output` is missing / add `output` to a case",
        ),
        (
            "case.output = \"o\"\ncase.referense = \"x\"",
            "known-good.toml:7 kg unknown-key: `case.referense` is no key of a case / did you mean `reference`?",
        ),
        (
            "[control.case]\noutput = \"o\"\n[[control.case.evidence]]\nid = \"a\"\nkind = \"k\"",
            "known-good.toml:8 kg missing-key: `case.evidence[0].content` is missing / add `content` to a piece",
        ),
        (
            "[control.case]\noutput = \"o\"\n[[control.case.artifacts]]\nname = \"a\"\ndata = [\n0x7f,\n256]",
            "known-good.toml:12 kg wrong-type: `case.artifacts[0].data[1]` is no byte / write the bytes as a list",
        ),
        (
            "[control.case]\noutput = \"o\"\n[[control.case.messages]]\nrole = \"user\"",
            "known-good.toml:8 kg missing-key: `case.messages[0].content` is missing",
        ),
        (
            "[control.case]\noutput = \"o\"\n[[control.case.claims]]\nid = 7\ntext = \"t\"",
            "known-good.toml:9 kg wrong-type: `case.claims[0].id` is a number",
        ),
        (
            "[control.case]\noutput = \"o\"\ncontext = \"[]\"",
            "known-good.toml:8 kg not-a-json-object: `context` is no JSON object",
        ),
    ];
    for (case, expected) in table {
        let head = "[[control]]\nid = \"kg\"\nfamily = \"f\"\nwhy = \"w\"\nexpect = { verdict = \"pass\" }\n";
        check("known-good.toml", &format!("{head}{case}\n"), &[expected]);
    }
}

#[test]
fn every_fault_of_a_file_at_once() {
    let text = r#"[[control]]
id = "Kg 1"
famly = "f"
why = 3
expect = { verdict = "fial", rul = "one" }
also = ["one"]
tactic = "x"
[control.case]
task = "t"

[[control]]
id = "kg-2"
family = "f"
why = ""
expect = { verdict = "fail", rule = "oen" }
case.output = "1"

[[control]]
id = "kb-1"
family = "f"
why = "w"
size = "large"
expect = { verdict = "fail", rule = "one" }
case.output = "3"
"#;
    check(
        "known-good.toml",
        text,
        &[
            "known-good.toml:2 - bad-id: `id` is no valid id: `Kg 1` / ",
            "known-good.toml:3 - unknown-key: `famly` is no key of a control / did you mean `family`?",
            "known-good.toml:4 - wrong-type: `why` is a number",
            "known-good.toml:5 - unknown-key: `expect.rul` is no key of an expectation / did you mean `rule`?",
            "known-good.toml:5 - unknown-value: `fial` is no value of `expect.verdict` / did you mean `fail`?",
            "known-good.toml:7 - key-of-another-kind: `tactic` in a known-good control",
            "known-good.toml:8 - missing-key: `case.output` is missing",
            "known-good.toml:14 kg-2 empty-why: `why` is empty",
            "known-good.toml:15 kg-2 good-control-not-passing: ",
            "known-good.toml:15 kg-2 rule-not-listed: `expect.rule` names the rule `oen`, which set.toml does not \
             list / did you mean `one`?",
            "known-good.toml:16 kg-2 duplicate-case: the same case as `kb-1` at known-bad.toml:2, with another",
            "known-good.toml:19 kb-1 duplicate-id: the id `kb-1` is taken by the control at known-bad.toml:2",
            "known-good.toml:22 kb-1 unknown-key: `size` is no key of a control",
            "known-good.toml:23 kb-1 good-control-not-passing: ",
        ],
    );
}

#[test]
fn what_a_faulty_key_decides_is_not_judged() {
    let text = "[[control]]\nid = \"nm\"\nfamily = \"f\"\nwhy = \"w\"\npiar = \"p\"\n\
                expect = { verdict = \"pass\" }\ncase.output = \"o\"\n";
    check(
        "near-miss.toml",
        text,
        &["near-miss.toml:5 nm unknown-key: `piar` is no key of a control"],
    );
    let variant = text.replace("piar = \"p\"", "base = \"Kg\"\nvariation = \"reworded\"");
    check("invariance.toml", &variant, &["invariance.toml:5 nm bad-id: `base` is no valid id"]);
}

#[test]
fn lines_of_json() {
    let text = concat!(
        r#"{"id": "kg-1", "family": "f", "why": "w", "expect": {"verdict": "pass"}, "case": {"output": "a"}}"#,
        "\n\n",
        r#"{"id": "kg-2", "family": "f", "why": "w", "expect": {"verdict": "pass"}, "case": {"output": 1, "x": 1}}"#,
        "\n{\n",
        r#"{"id": "kg-3", "id": "kg-4", "family": "f", "expect": null, "case": {"output": "b"}}"#,
        "\n[]\n",
        r#"{"id": "kg-1", "family": "f", "why": "w", "pair": null, "expect": {"verdict": "pass"}, "case": {"output": "c"}}"#,
    );
    check(
        "known-good.jsonl",
        text,
        &[
            "known-good.jsonl:3 kg-2 unknown-key: `case.x` is no key of a case",
            "known-good.jsonl:3 kg-2 wrong-type: `case.output` is a number where a text belongs",
            "known-good.jsonl:4 - syntax: EOF while parsing an object / write one JSON object a line",
            "known-good.jsonl:5 kg-3 duplicate-key: `id` stands twice / keep one of the two",
            "known-good.jsonl:5 kg-3 missing-key: `why` is missing",
            "known-good.jsonl:5 kg-3 missing-key: `expect` is missing",
            "known-good.jsonl:6 - wrong-type: a list where a table belongs",
            "known-good.jsonl:7 kg-1 duplicate-id: the id `kg-1` is taken by the control at known-good.jsonl:1",
        ],
    );
}
