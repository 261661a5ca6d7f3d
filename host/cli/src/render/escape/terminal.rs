//! A terminal: nothing in the text moves, colours, reorders or hides anything.

use accredit_core::untrusted::Untrusted;

use super::one_line;

/// How much of a text a terminal line shows.
const LINE: usize = 160;

/// For one line of a terminal: control characters, line breaks and everything that reorders or hides text
/// become visible escapes, and what is longer than 160 characters is cut.
#[must_use]
pub fn terminal_line(text: &Untrusted) -> String {
    one_line(text.raw(), LINE)
}

/// The same, cut after so many characters.
#[must_use]
pub fn terminal_cut(text: &Untrusted, longest: usize) -> String {
    one_line(text.raw(), longest)
}

/// For one line of a terminal, whole: the words of control sets and policies, which may have come with a
/// record from elsewhere.
#[must_use]
pub fn terminal_text(text: &str) -> String {
    one_line(text, usize::MAX)
}

/// For a block of lines of a terminal: the same, with line breaks kept and each line behind a margin.
#[must_use]
pub fn terminal_block(text: &Untrusted, margin: &str) -> String {
    let lines = text.raw().lines().map(|line| format!("{margin}{}\n", one_line(line, 10 * LINE)));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_a_terminal_that_it_would_act_on() {
        for (text, shown) in [
            ("plain é 数", "plain é 数"),
            ("\x1b[31mred\x07", "\\u{1b}[31mred\\u{7}"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("a\nb\tc\r", "a\\nb\\tc\\r"),
            ("pass\u{202e}liaf", "pass\\u{202e}liaf"),
            ("##[error]x ###[", "#\\u{23}[error]x ##\\u{23}["),
            ("zero\u{200b}width\u{feff}", "zero\\u{200b}width\\u{feff}"),
        ] {
            assert_eq!(terminal_line(&Untrusted::new(text)), shown);
        }
        for hidden in [
            '\u{34f}',
            '\u{115f}',
            '\u{1160}',
            '\u{17b4}',
            '\u{17b5}',
            '\u{180b}',
            '\u{180f}',
            '\u{2800}',
            '\u{3164}',
            '\u{fe00}',
            '\u{fe0f}',
            '\u{ffa0}',
            '\u{fff0}',
            '\u{1bca0}',
            '\u{1d173}',
            '\u{1d17a}',
            '\u{e0100}',
            '\u{e01ef}',
            '\u{e0fff}',
        ] {
            let shown = terminal_line(&Untrusted::new(format!("a{hidden}b")));
            assert_eq!(shown, format!("a\\u{{{:x}}}b", u32::from(hidden)));
        }
        let long = terminal_line(&Untrusted::new("x".repeat(1_000_000)));
        assert_eq!(long.chars().count(), LINE + 1);
        assert_eq!(terminal_block(&Untrusted::new("a\nb\x1b"), "| "), "| a\n| b\\u{1b}\n");
    }
}
