//! A case on a line of its own: read at once where it is sound, and looked at key by key where it is not.

use accredit_core::case::Case;
use accredit_core::control::lint::{LintFault, case_faults};
use accredit_core::control::set::Place;

use super::fields::{At, Sink};
use super::{case, from_json};

/// The longest line whose faults are all looked for: a tree of it takes many times its room.
const LOOKED_AT: usize = 1 << 20;

/// How many faults of a line are told.
const TOLD: usize = 5;

/// How much is told of them, in letters.
const LETTERS: usize = 1_000;

/// Reads the case on one line of JSON Lines.
///
/// # Errors
/// What is wrong with it and the mends, in one text.
pub fn case_line(line: &[u8]) -> Result<Case, String> {
    let case = match Case::from_json(line) {
        Ok(case) => case,
        Err(error) => looked_at(line, &error)?,
    };
    match case_faults(&case, &nowhere(), None) {
        faults if faults.is_empty() => Ok(case),
        faults => Err(told(&faults)),
    }
}

fn nowhere() -> Place {
    Place { file: String::new(), line: 1 }
}

/// The case if it is one, read slowly; else every fault of it.
fn looked_at(line: &[u8], error: &serde_json::Error) -> Result<Case, String> {
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => {
            return Err(format!(
                "byte {} of the line is not UTF-8: save the file as UTF-8",
                error.valid_up_to() + 1
            ));
        }
    };
    if line.len() > LOOKED_AT {
        let error = error.to_string();
        let what = error.replace(" at line 1 column ", " at byte ");
        return Err(cut(&format!("{what}: write one case a line, as a JSON object")));
    }
    let mut sink = Sink::new("");
    let read = match from_json::parse(text, 1) {
        Ok(node) => case::read(&At::root(&node), &mut sink),
        Err(syntax) => {
            let mend = "write one case a line, as a JSON object";
            return Err(cut(&format!("{}: {mend}", syntax.message)));
        }
    };
    match read {
        Some(case) if sink.faults.is_empty() => Ok(case),
        _ => Err(told(&sink.faults)),
    }
}

fn told(faults: &[LintFault]) -> String {
    let each = |fault: &LintFault| format!("{}: {}", fault.message, fault.mend);
    let mut told: Vec<_> = faults.iter().take(TOLD).map(each).collect();
    if faults.len() > TOLD {
        told.push(format!("and {} more", faults.len() - TOLD));
    }
    cut(&told.join("; "))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(line: impl AsRef<[u8]>) -> String {
        case_line(line.as_ref()).expect_err("is no case")
    }

    #[test]
    fn a_line_is_read_as_a_file_is() {
        let case = case_line(br#"{"id":"a","output":"x","reference":null}"#).expect("a case");
        assert_eq!((case.id.as_str(), case.output.as_str()), ("a", "x"));
        assert_eq!(case, case_line(br#" {"output":"x","id":"a"} "#).expect("a case"));
    }

    #[test]
    fn what_is_wrong_is_told_by_name_with_its_mend() {
        let table = [
            (r#"{"outpt":"x"}"#, &["`outpt`", "did you mean `output`?"][..]),
            (
                r#"{"task":1,"output":"x","x":2}"#,
                &["`task` is a number", "`x` is no key of a case"],
            ),
            (r#"{"output":"a","output":"b"}"#, &["`output` stands twice"]),
            (r#"{"output":"x","context":"no"}"#, &["`context` is no JSON object"]),
            (
                r#"{"output":"x","messages":[{"role":"boss","content":""}]}"#,
                &["`boss` is no role of a message"],
            ),
            ("[]", &["a list where"]),
            (r#"["id","task","output"]"#, &["a list where"]),
            (r#"{"output":"","claims":[["a","b"]]}"#, &["`claims[0]` is a list"]),
            ("{\"output\": ", &["write one case a line"]),
            ("{} {}", &["write one case a line"]),
        ];
        for (line, expected) in table {
            let told = fault(line);
            for text in expected {
                assert!(told.contains(text), "{line}: {told}");
            }
        }
        assert!(fault(b"{\"output\":\"\xff\"}").contains("byte 12 of the line is not UTF-8"));
    }

    #[test]
    fn hostile_lines_are_told_in_few_words() {
        let deep = format!("{{\"output\":{}", "[".repeat(100_000));
        let keys: String = (0..10_000).map(|at| format!("\"k{at}\":0,")).collect();
        let long = "x".repeat(2 << 20);
        for line in [
            deep.clone(),
            deep + &"]".repeat(100_000),
            format!("{{{keys}\"output\":\"\"}}"),
            format!("{{\"{long}\":1}}"),
            format!("{{\"output\":\"\",\"context\":\"{long}\"}}"),
            "[".repeat(2 << 20),
        ] {
            let told = fault(&line);
            assert!(told.chars().count() <= LETTERS + 1, "{}", told.len());
        }
        let told = fault(format!("{{{keys}\"output\":\"\"}}"));
        assert!(told.contains("`k0` is no key of a case") && told.contains("and 9995 more"));
    }
}
