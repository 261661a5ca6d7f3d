//! Text that a component's author chose, made fit to stand inside one of our messages.

use std::fmt::Write as _;

/// How many characters of it are shown.
const LONGEST: usize = 400;

/// The text on one line: control and format characters (terminal codes, text direction) escaped, and
/// cut where it is long.
pub(crate) fn shown(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(LONGEST));
    for (at, letter) in text.chars().enumerate() {
        if at == LONGEST {
            line.push('…');
            break;
        }
        match letter {
            ' '..='~' => line.push(letter),
            _ if is_plain(letter) => line.push(letter),
            _ => {
                let _ = write!(line, "{}", letter.escape_unicode());
            }
        }
    }
    line
}

/// Letters, digits and the like: whatever cannot steer a terminal or reorder a line.
fn is_plain(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '–' | '—' | '…' | '‘' | '’' | '“' | '”')
}

/// A list for a sentence, cut where it is long.
pub(crate) fn listed<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let items: Vec<&str> = items.into_iter().collect();
    let mut text = items.iter().take(MOST).map(|item| shown(item)).collect::<Vec<_>>().join(", ");
    if items.len() > MOST {
        let _ = write!(text, " and {} more", items.len() - MOST);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{listed, shown};

    #[test]
    fn nothing_in_it_can_steer_a_terminal() {
        let line = shown("a\u{1b}[31mb\u{202e}c\nd é");
        assert_eq!(line, "a\\u{1b}[31mb\\u{202e}c\\u{a}d é");
        assert!(shown(&"x".repeat(10_000)).chars().count() < 500);
        assert_eq!(listed([]), "");
        assert!(listed(["a"; 20]).ends_with("and 8 more"));
    }
}
