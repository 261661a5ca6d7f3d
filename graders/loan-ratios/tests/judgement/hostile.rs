//! Inputs that nobody means well with: none may panic, recurse, or take more than linear time.

use super::{AT_THE_LIMITS, RIGHT, loan_file, verdicts};
use std::time::{Duration, Instant};

struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Whatever the text, as output and as loan file: a full set of findings, and never a panic.
fn survives(text: &str) {
    verdicts(text, vec![loan_file(AT_THE_LIMITS)]);
    verdicts(RIGHT, vec![loan_file(text), loan_file(AT_THE_LIMITS), loan_file(text)]);
}

#[test]
fn soup_of_bytes_and_of_pieces() {
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        "\\u",
        "\\u0064",
        ":",
        ",",
        "\"dti\"",
        "\"ltv\"",
        "\"flag\"",
        "true",
        "false",
        "null",
        "-",
        "0",
        "43",
        ".",
        "e",
        "E+",
        "1e999999999999999999999",
        "```",
        "json",
        "\n",
        "\r",
        " ",
        "é",
        "\u{feff}",
        "😀",
        "\u{0}",
        "\"monthly_debt\":",
        "\"annual_income\":",
        "\"loan_amount\":",
        "\"property_value\":",
        "{\"dti\":",
    ];
    let mut draw = Draw(0xD1CE);
    for _ in 0..30_000 {
        let length = draw.below(40);
        let text: String = (0..length).map(|_| pieces[draw.below(pieces.len())]).collect();
        survives(&text);
        let bytes: Vec<u8> = (0..length).map(|_| draw.below(256) as u8).collect();
        survives(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn every_cut_and_every_change_of_a_byte() {
    let fenced = format!("```json\n{RIGHT}\n```\n");
    for whole in
        [AT_THE_LIMITS, RIGHT, &fenced, r#"{"dti":-4.3e1,"\u0064ti":[{"é":"\ud83d"}],"ltv":1E-5}"#]
    {
        for at in 0..=whole.len() {
            let (Some(head), Some(tail)) = (whole.get(..at), whole.get(at..)) else {
                continue;
            };
            survives(head);
            survives(tail);
            for piece in ["\"", "\\", "{", "]", "`", "\n", "9", "e", "é", "\u{0}"] {
                survives(&format!("{head}{piece}{tail}"));
                survives(&format!("{head}{piece}{}", tail.get(1..).unwrap_or_default()));
            }
        }
    }
}

#[test]
fn every_proper_prefix_is_malformed() {
    let fenced = format!("```json\n{RIGHT}\n```");
    for whole in [RIGHT, &fenced] {
        for at in 0..whole.len() {
            assert_eq!(verdicts(&whole[..at], vec![]), "FNNNN", "{}", &whole[..at]);
        }
    }
}

#[test]
fn long_repeats_stay_linear() {
    let million = 1_000_000;
    let repeats = [
        "[", "{\"a\":", "]", "\"", "\\", "\\u0064", " ", "\n", "`", "```\n", "9", "-", "{", ",",
        "é", "\"a\":1,", "[],", "1e9",
    ];
    let mut texts: Vec<String> =
        repeats.iter().map(|piece| piece.repeat(million / piece.len())).collect();
    let nines = "9".repeat(million);
    texts.push(format!(
        r#"{{"dti": {nines}.{nines}e{nines}, "ltv": 0.{nines}e-{nines}, "flag": true}}"#
    ));
    texts.push(format!(
        r#"{{"{}": 1, "dti": 43, "ltv": 80, "flag": false}}"#,
        "\\u0064".repeat(million / 6)
    ));
    texts.push(format!(
        "{{{}\"dti\": 43, \"ltv\": 80, \"flag\": false}}",
        "\"dti\": 1, ".repeat(million / 10)
    ));
    texts.push(format!(
        r#"{{"monthly_debt": {nines}, "annual_income": {nines}e-{nines}, "loan_amount": 1e{nines}, "property_value": 0.{nines}}}"#
    ));
    for text in &texts {
        let begin = Instant::now();
        survives(text);
        let shown: String = text.chars().take(30).collect();
        // Generous: a quadratic step over a million bytes takes minutes.
        assert!(begin.elapsed() < Duration::from_secs(20), "{shown} took {:?}", begin.elapsed());
    }
}

#[test]
fn long_numbers_on_both_sides_stay_near_linear() {
    let nines = "9".repeat(1_000_000);
    let file = format!(
        r#"{{"monthly_debt": 1{nines}, "annual_income": {nines}, "loan_amount": {nines}, "property_value": {nines}}}"#
    );
    let output = format!(r#"{{"dti": 1.{nines}, "ltv": 99.{nines}, "flag": true}}"#);
    let begin = Instant::now();
    assert_eq!(verdicts(&output, vec![loan_file(&file)]), "PFPPP");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

#[test]
fn many_files_are_read_once_each() {
    let file = AT_THE_LIMITS.to_string();
    let mut files: Vec<_> = (0..2_000).map(|_| loan_file(&file)).collect();
    assert_eq!(verdicts(RIGHT, files.clone()), "PPPPP");
    files.push(loan_file(&file.replace("2150", "2151")));
    assert_eq!(verdicts(RIGHT, files), "PUUUP");
}

#[test]
fn equal_files_of_unequal_length_stay_linear() {
    let long = AT_THE_LIMITS.replace("2150", &format!("2150{}", "0".repeat(4_000_000)));
    let short = AT_THE_LIMITS.replace("2150", "2150e4000000");
    let mut files = vec![loan_file(&long)];
    files.extend((0..2_000).map(|_| loan_file(&short)));
    let begin = Instant::now();
    assert_eq!(verdicts(RIGHT, files), "PFPFP");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}
