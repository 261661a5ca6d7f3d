//! What is one strict object with the three members, and what is not.

use super::{AT_THE_LIMITS, check};

const ALL: &str = "PPPPP";
const NONE: &str = "FNNNN";

/// One output a line.
fn lines(expected: &str, outputs: &str) {
    for output in outputs.lines().map(str::trim).filter(|line| !line.is_empty()) {
        check(output, AT_THE_LIMITS, expected);
    }
}

#[test]
fn anything_but_an_object_fails() {
    lines(
        NONE,
        r#"
        {}
        []
        null
        43
        true
        "dti"
        {
        }
        {]
        [43, 80, false]
        [{"dti": 43, "ltv": 80, "flag": false}]
        {{"dti": 43, "ltv": 80, "flag": false}}
        {"result": {"dti": 43, "ltv": 80, "flag": false}}
        "#,
    );
    for blank in ["", " ", "\n", "\u{0}"] {
        check(blank, AT_THE_LIMITS, NONE);
    }
}

#[test]
fn each_of_the_three_must_be_there_under_its_exact_key() {
    lines(
        NONE,
        r#"
        {"dti": 43, "ltv": 80}
        {"ltv": 80, "flag": false}
        {"dti": 43, "flag": false}
        {"DTI": 43, "ltv": 80, "flag": false}
        {"dti ": 43, "ltv": 80, "flag": false}
        {"": 43, "ltv": 80, "flag": false}
        {"dt": 43, "ltv": 80, "flag": false}
        {"dtii": 43, "ltv": 80, "flag": false}
        {"dti\u0000": 43, "ltv": 80, "flag": false}
        {"dti\u0301": 43, "ltv": 80, "flag": false}
        {"ｄti": 43, "ltv": 80, "flag": false}
        {"\\u0064ti": 43, "ltv": 80, "flag": false}
        {"\u0044ti": 43, "ltv": 80, "flag": false}
        {"\u0164ti": 43, "ltv": 80, "flag": false}
        {"d\ti": 43, "ltv": 80, "flag": false}
        {"dti": 43, "ltv": 80, "\flag": false}
        {"x": {"dti": 43}, "ltv": 80, "flag": false}
        "#,
    );
}

#[test]
fn keys_are_compared_unescaped() {
    lines(
        ALL,
        r#"
        {"\u0064ti": 43, "ltv": 80, "flag": false}
        {"dt\u0069": 43, "\u006ctv": 80, "flag": false}
        {"\u0064\u0074\u0069": 43, "l\u0074v": 80, "\u0066\u006C\u0061\u0067": false}
        "#,
    );
}

#[test]
fn only_a_repetition_of_the_three_fails() {
    lines(
        NONE,
        r#"
        {"dti": 43, "dti": 43, "ltv": 80, "flag": false}
        {"dti": 43, "\u0064ti": 43, "ltv": 80, "flag": false}
        {"dti": "x", "ltv": 80, "flag": false, "dti": 43}
        {"dti": 43, "ltv": 80, "ltv": 1, "flag": false}
        {"dti": 43, "ltv": 80, "flag": false, "flag": false, "flag": false}
        {"dti": 43, "ltv": 80, "flag": false, "flag": {}}
        "#,
    );
    lines(
        ALL,
        r#"
        {"a": 1, "a": 2, "dti": 43, "ltv": 80, "flag": false, "a": null}
        {"a": {"dti": 1, "dti": 2, "b": 1, "b": 2}, "dti": 43, "ltv": 80, "flag": false}
        {"DTI": 1, "dti": 43, "ltv": 80, "LTV": 2, "flag": false, "Flag": true}
        {"x": [{"flag": true}, {"flag": true}], "dti": 43, "ltv": 80, "flag": false}
        "#,
    );
}

/// One value a line, each put beside the three as a member of its own.
fn beside(expected: &str, values: &str) {
    for value in values.lines().map(str::trim).filter(|line| !line.is_empty()) {
        for output in [
            format!(r#"{{"x": {value}, "dti": 43, "ltv": 80, "flag": false}}"#),
            format!(r#"{{"dti": 43, "ltv": 80, "flag": false,"x":{value}}}"#),
            format!(
                r#"{{"dti": 43, "x": [[{value}, {{"y": {value} }}]], "ltv": 80, "flag": false}}"#
            ),
        ] {
            check(&output, AT_THE_LIMITS, expected);
        }
    }
}

#[test]
fn other_keys_may_hold_anything() {
    beside(
        ALL,
        r#"
        null
        true
        []
        {}
        [[], {}, [{}]]
        ""
        "\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"
        "\ud800"
        -0
        -0.0e-0
        1e-7
        1E+07
        [1, 2, "é", {"a": [false]}]
        {"": 0, "a": {"b": {"c": [ ]}} , "d" : [ 1 , 2 ] }
        "#,
    );
    beside(ALL, "\"\u{7f}\u{2028}\u{feff}\u{85}\"");
}

#[test]
fn what_json_does_not_have_fails() {
    let values = "
        NaN\n Infinity\n -Infinity\n nan\n undefined\n None\n True\n TRUE\n 'a'\n a\n tru\n nulll
        01\n -01\n 00\n +1\n .5\n 5.\n 1e\n 1e+\n 1.e3\n -\n --1\n 0x10\n 1_000\n 1 000\n ٣\n 43%
        \"a\n \"\\x\"\n \"\\u12\"\n \"\\u12g4\"\n \"\\\"\n \"\t\"\n \"\u{0}\"\n \"\u{1f}\"
        \"a\" \"b\"\n [1,]\n [,1]\n [1 2]\n {\"a\":1,}\n {,}\n {\"a\"}\n {\"a\":}\n {a:1}\n {1:2}
        [\n ]\n {\"a\":1]\n [1}\n 1 // x\n /* x */ 1\n 1 # x\n [1]]\n {\"a\" 1}\n {\"a\",1}
        \u{feff}1\n $43\n {\"a\":1 \"b\":2}\n {\"a\"::1}\n [1,,2]\n \"a\rb\"\n truefalse\n -e1\n 1e1.5";
    beside(NONE, values);
    for value in values.lines().map(str::trim).chain(["1,000", "\"\n\""]) {
        check(&format!(r#"{{"dti": {value}, "ltv": 80, "flag": false}}"#), AT_THE_LIMITS, NONE);
    }
    lines(
        NONE,
        r#"
        {"dti": 43, "ltv": 80, "flag": false,}
        {,"dti": 43, "ltv": 80, "flag": false}
        {"dti": 43,, "ltv": 80, "flag": false}
        {"dti": 43 "ltv": 80, "flag": false}
        {"dti"= 43, "ltv": 80, "flag": false}
        {"dti": 43; "ltv": 80; "flag": false}
        {'dti': 43, 'ltv': 80, 'flag': false}
        {dti: 43, ltv: 80, flag: false}
        "#,
    );
}

#[test]
fn the_three_have_their_types() {
    let types = ["\"43\"", "null", "true", "[43]", "{\"dti\": 43}", "\"43.0\""];
    for value in types {
        check(&format!(r#"{{"dti": {value}, "ltv": 80, "flag": false}}"#), AT_THE_LIMITS, NONE);
        check(&format!(r#"{{"dti": 43, "ltv": {value}, "flag": false}}"#), AT_THE_LIMITS, NONE);
    }
    for value in ["\"true\"", "\"false\"", "0", "1", "null", "[false]", "{}", "False", "no", "\"\""]
    {
        check(&format!(r#"{{"dti": 43, "ltv": 80, "flag": {value}}}"#), AT_THE_LIMITS, NONE);
    }
}

#[test]
fn a_malformed_output_leaves_the_rest_not_applicable_without_a_file_too() {
    assert_eq!(super::verdicts("nothing", vec![]), NONE);
    check("nothing", "not a loan file", NONE);
}

#[test]
fn a_hundred_levels_and_far_more_are_read() {
    for depth in [1, 99, 100, 101, 1_000, 100_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":[", "]}]")] {
            let inner = if open.ends_with(':') { "0" } else { "" };
            let nested = format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
            check(
                &format!(r#"{{"dti": 43, "x": {nested}, "ltv": 80, "flag": false}}"#),
                AT_THE_LIMITS,
                ALL,
            );
            check(
                &format!(r#"{{"dti": 43, "x": {nested}], "ltv": 80, "flag": false}}"#),
                AT_THE_LIMITS,
                NONE,
            );
        }
    }
}
