//! What may stand around the object: white space, one fence, and nothing else.

use super::{AT_THE_LIMITS, RIGHT, check};

const ALL: &str = "PPPPP";
const NONE: &str = "FNNNN";

fn each(expected: &str, outputs: &[&str]) {
    for output in outputs {
        check(output, AT_THE_LIMITS, expected);
    }
}

/// Each with the right output in place of `@`.
fn around(expected: &str, outputs: &[&str]) {
    for output in outputs {
        check(&output.replace('@', RIGHT), AT_THE_LIMITS, expected);
    }
}

#[test]
fn alone_with_json_white_space_around() {
    around(ALL, &["@", " @", "@\n", "\r\n\t @ \t\r\n"]);
    let wide = r#"{ "dti"   :43 ,"ltv":
        80	,"flag":false}"#;
    each(ALL, &[wide, r#"{"flag":false,"ltv":80,"dti":43}"#]);
    around(NONE, &["\u{feff}@", "\u{a0}@", "@\u{c}", "@\u{b}", "\u{2028}@", "@\u{0}", "@\u{feff}"]);
    around(NONE, &["@\u{85}", "\u{200b}@", "@\u{3000}"]);
}

#[test]
fn one_fence_with_or_without_json() {
    around(ALL, &["```\n@\n```", "```json\n@\n```", "\n ```json\r\n@\r\n```\r\n", "```\r@\r```"]);
    around(ALL, &["```json \n\n  @\n\n\t```\t\n", "``` json\n@\n```", "\t```\n @ \n```   "]);
    around(NONE, &["```JSON\n@\n```", "```json5\n@\n```", "```jsonc\n@\n```", "```js\n@\n```"]);
    around(NONE, &["```json json\n@\n```", "```json {}\n@\n```", "```rust\n@\n```"]);
    around(NONE, &["```@```", "```json @\n```", "```json\n@```", "```\n@ ```", "`@`", "``\n@\n``"]);
    around(
        NONE,
        &["````\n@\n````", "````json\n@\n```", "```\n@\n````", "~~~\n@\n~~~", "```json@\n```"],
    );
    around(
        NONE,
        &[
            "```json\n@",
            "```json\n@\n",
            "@\n```",
            "```\n@\n``",
            "```json\n@\n```json",
            "```\n@\n~~~",
        ],
    );
    around(
        NONE,
        &["```\n\u{feff}@\n```", "\u{feff}```\n@\n```", "```\u{a0}\n@\n```", "```\u{b}@\n```"],
    );
    each(NONE, &["```\n```", "```", "```json", "```json\n", "```\n\n```"]);
}

#[test]
fn a_fence_may_stand_inside_a_string() {
    let inside = r#"{"note": "```\n```json", "dti": 43, "ltv": 80, "flag": false}"#;
    each(ALL, &[inside, &format!("```json\n{inside}\n```")]);
}

#[test]
fn a_second_block_or_any_prose_fails() {
    around(NONE, &["```\n@\n```\n```\n@\n```", "```\n@\n```\n```\n```", "@\n@", "@@", "@,", "[@]"]);
    around(NONE, &["Here it is:\n@", "@ done", "```json\n@\n```\nDone.", "Sure!\n```json\n@\n```"]);
    around(
        NONE,
        &["@\n```json\n@\n```", "```json\n@\n@\n```", "```\n```\n@\n```\n```", "# @", "@;"],
    );
    around(NONE, &["<b>@</b>", "// x\n@", "json\n@", "\"@\"", "> @", "```\njson\n@\n```"]);
    around(NONE, &["```json\n@\n```.", "```json\nx\n@\n```", "```json\n@\nx\n```"]);
}
