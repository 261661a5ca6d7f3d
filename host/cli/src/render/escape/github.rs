//! A workflow command of GitHub Actions: the text is the message or a property of the one command it
//! stands in, and begins no other.

use super::one_line;

/// How much of a text an annotation shows.
const LINE: usize = 1000;

/// For the message of a command, in one line, cut after 1000 characters.
#[must_use]
pub fn annotation(text: &str) -> String {
    one_line(text, LINE).replace('%', "%25")
}

/// For the value of a property, where `:` and `,` end it.
#[must_use]
pub fn property(text: &str) -> String {
    annotation(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_holds_one_message_and_no_second_command() {
        for (text, message, value) in [
            ("plain é 数", "plain é 数", "plain é 数"),
            ("100% %0A::error::x", "100%25 %250A::error::x", "100%25 %250A%3A%3Aerror%3A%3Ax"),
            ("a\r\n::error::x", "a\\r\\n::error::x", "a\\r\\n%3A%3Aerror%3A%3Ax"),
            ("x,line=1::y", "x,line=1::y", "x%2Cline=1%3A%3Ay"),
            ("##[error]x", "#\\u{23}[error]x", "#\\u{23}[error]x"),
            (
                "\u{1b}[31m\u{202e}\u{85}",
                "\\u{1b}[31m\\u{202e}\\u{85}",
                "\\u{1b}[31m\\u{202e}\\u{85}",
            ),
        ] {
            assert_eq!(annotation(text), message);
            assert_eq!(property(text), value);
        }
    }
}
