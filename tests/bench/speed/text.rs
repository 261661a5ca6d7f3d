//! The outputs that are judged: sums worked out in prose, as long as asked for.

/// The reference of every output.
pub(crate) const REFERENCE: &str = "18";

const TASK: &str = "Janet's ducks lay 16 eggs a day. She eats three and bakes with four. She sells the \
                    rest for $2 each. How much does she make a day?";

const SENTENCE: &str = "She sells 16 - 3 - 4 = 9 eggs a day, at $2 each. ";
const ENDING: &str = "So Janet makes 9 * 2 = $18 a day.\nThe answer is 18.";

/// An output of exactly so many bytes.
pub(crate) fn output(bytes: usize) -> String {
    let body = bytes.saturating_sub(ENDING.len());
    let mut text: String = SENTENCE.chars().cycle().take(body).collect();
    text.push_str(ENDING);
    text
}

/// The case as the host has it.
pub(crate) fn case(bytes: usize) -> accredit_core::case::Case {
    let mut case = accredit_core::case::Case {
        task: TASK.to_owned(),
        output: output(bytes),
        reference: Some(REFERENCE.to_owned()),
        ..Default::default()
    };
    case = case.blinded();
    case
}

/// The same case as the grader has it.
pub(crate) fn native_case(bytes: usize) -> accredit_sdk::Case {
    let case = case(bytes);
    accredit_sdk::Case {
        id: case.id,
        task: case.task,
        output: case.output,
        output_type: case.output_type,
        reference: case.reference,
        ..Default::default()
    }
}
