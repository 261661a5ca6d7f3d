//! From a folder of tests/hostile to a component: the folder's module fields, then what stands behind
//! every such grader (tests/hostile/grader.wat), wrapped as wit/grader.wit has it.

use std::fmt::Write as _;

use accredit_tests::guest::CONTRACT;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// The rest of every module.
const BEHIND: &str = include_str!("../../hostile/grader.wat");
/// What guests of the engine's own tests import: WASI 0.2, and packages that no host grants.
const WASI: &str = include_str!("../../../host/engine/tests/all/wasi.wit");
/// Between the packages of one file.
const NEXT_PACKAGE: &str = "//---";
/// Where constants begin.
const CONSTANTS: usize = 0x400;
/// Where they must have ended: at the findings.
const CONSTANTS_END: usize = 0x10000;
/// The interface that a grader exports.
const GRADER: &str = "accredit:grader/grader@0.1.0";

/// A grader's component, from the fields of its module and, in place of WASI, the packages it imports.
pub(crate) fn build(fields: &str, packages: Option<&str>) -> Vec<u8> {
    let mut resolve = Resolve::default();
    resolve.push_source("grader.wit", CONTRACT).expect("the contract parses");
    for package in packages.unwrap_or(WASI).split(NEXT_PACKAGE) {
        resolve.push_source("imports.wit", package).expect("the imports parse");
    }
    let mut imports = String::new();
    for (id, _) in resolve.interfaces.iter() {
        let name = resolve.id_of(id).expect("named");
        if name != GRADER {
            writeln!(imports, "import {name};").expect("a string takes it");
        }
    }
    let world = format!("package test:hostile; world hostile {{ {imports} export {GRADER}; }}");
    let package = resolve.push_source("hostile.wit", &world).expect("the world parses");
    let world = resolve.select_world(&[package], None).expect("one world");
    let text = module(fields);
    let mut module = wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}"));
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).expect("embeds");
    let mut encoder = ComponentEncoder::default().module(&module).expect("fits the contract");
    encoder.encode().expect("fits the contract")
}

/// The whole module in text.
fn module(fields: &str) -> String {
    let emit =
        r#"(import "accredit:grader/diagnostics@0.1.0" "emit" (func $emit (param i64 i64 i32)))"#;
    let mut text = format!("{fields}\n{}", left_open(BEHIND, fields));
    for function in ["describe", "grade"] {
        let export = format!("(export \"{function}\")");
        text = text.replace(&export, &format!("(export \"{GRADER}#{function}\")"));
    }
    format!("(module\n{emit}\n{})", with_constants(&text))
}

/// The parts of a text that the fields do not define themselves.
fn left_open(text: &str, fields: &str) -> String {
    let mut keep = true;
    let mut left = String::new();
    for line in text.lines() {
        if let Some(defined) = line.strip_prefix(";; @unless ") {
            keep = !fields.contains(defined);
        } else if line == ";; @end" {
            keep = true;
        } else if keep {
            left.push_str(line);
            left.push('\n');
        }
    }
    left
}

/// Puts address and length in the place of every `(@text "...")`, and the constants into memory.
fn with_constants(text: &str) -> String {
    let (mut out, mut data, mut at) = (String::new(), String::new(), CONSTANTS);
    let mut parts = text.split("(@text \"");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = closing_quote(part);
        let (literal, rest) = part.split_at(end);
        let rest = rest.strip_prefix("\")").expect("a constant is one string");
        let len = length(literal);
        write!(out, "(i32.const {at}) (i32.const {len}){rest}").expect("a string takes it");
        writeln!(data, "(data (i32.const {at}) \"{literal}\")").expect("a string takes it");
        // `$say` reads sixteen bytes at a time: one text must not run into the next.
        at = (at + len + 16).next_multiple_of(16);
    }
    assert!(at <= CONSTANTS_END, "constants of {at} bytes run into the findings");
    out + &data
}

fn closing_quote(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
    end.expect("a constant ends")
}

/// How many bytes a string of the text format stands for.
fn length(literal: &str) -> usize {
    let (mut rest, mut len) = (literal, 0);
    while let Some(letter) = rest.chars().next() {
        let (taken, bytes) = match (letter, rest.as_bytes().get(1)) {
            ('\\', Some(b'u')) => {
                let end = rest.find('}').expect("a character's number ends");
                let number = u32::from_str_radix(&rest[3..end], 16).expect("a number");
                (end + 1, char::from_u32(number).expect("a character").len_utf8())
            }
            ('\\', Some(digit)) if digit.is_ascii_hexdigit() => (3, 1),
            ('\\', _) => (2, 1),
            _ => (letter.len_utf8(), letter.len_utf8()),
        };
        rest = &rest[taken..];
        len += bytes;
    }
    len
}
