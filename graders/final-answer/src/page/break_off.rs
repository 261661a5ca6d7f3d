//! Tells whether a text breaks off at an operator or `=`.

use crate::language::edges::Edges;
use crate::language::text::trim;

/// LaTeX commands that stand for an operator or a relation.
const COMMANDS: &[&str] =
    &["\\times", "\\cdot", "\\div", "\\pm", "\\approx", "\\leq", "\\geq", "\\le", "\\ge", "\\neq"];

/// Whether a text breaks off at an operator or `=`.
pub(crate) fn breaks_off(text: &str) -> bool {
    let ends_math = text.trim_end_of(|c| matches!(c, '$' | ' '));
    if COMMANDS.iter().any(|command| ends_math.ends_with(command)) {
        return true;
    }
    let text = unemphasised(text).trim_end_of(|c| matches!(c, '$' | ' ' | '.' | '…'));
    let Some(last) = text.chars().next_back() else { return false };
    let before = &text[..text.len() - last.len_utf8()];
    let behind_value = |text: &str| text.closes(|c| c.is_numeric() || ")]}%".contains(c));
    match last {
        '=' | '×' | '÷' | '−' | '≈' | '≤' | '≥' | '±' | '·' | '⋅' | '＝' => true,
        '+' | '*' | '/' | '-' | '^' => {
            !trim(before).is_empty() && (behind_value(before) || before.closes(char::is_whitespace))
        }
        'x' => before.closes(char::is_whitespace) && behind_value(trim(before)),
        '<' | '>' => before.ends_with(' '),
        _ => false,
    }
}

/// The text without emphasis that closes at its end.
pub(crate) fn unemphasised(text: &str) -> &str {
    let text = trim(text);
    for run in ["***", "**", "*", "__", "_", "~~"] {
        if let Some(rest) = text.strip_suffix(run) {
            let closes = rest.contains(run) && (!rest.ends_with(' ') || rest.starts_with(run));
            return if closes { trim(rest) } else { text };
        }
    }
    text
}
