//! Words onto lines of a terminal that is 80 columns wide.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The columns of a line.
pub(super) const WIDTH: usize = 80;

/// A paragraph: its first line behind one margin, the others behind another, broken between words so that
/// no line takes more than 80 columns. What was escaped for a terminal holds no line break.
pub(super) fn wrapped(first: &str, margin: &str, text: &str) -> String {
    let mut lines = String::new();
    let mut line = first.to_owned();
    let mut is_blank = true;
    for word in text.split_whitespace() {
        let space = usize::from(!is_blank);
        if !is_blank && columns(&line) + space + columns(word) > WIDTH {
            next(&mut lines, &mut line, margin);
        } else if !is_blank {
            line.push(' ');
        }
        is_blank = false;
        if columns(&line) + columns(word) <= WIDTH || word.contains('\u{1b}') {
            line.push_str(word);
            continue;
        }
        // A word that is wider than a line goes on in the next one.
        for char in word.chars() {
            if columns(&line) + char.width().unwrap_or_default() > WIDTH {
                next(&mut lines, &mut line, margin);
            }
            line.push(char);
        }
    }
    next(&mut lines, &mut line, margin);
    lines
}

fn next(lines: &mut String, line: &mut String, margin: &str) {
    // In a log of GitHub Actions this begins a command, where a line begins with it.
    if begins_with_command(line) {
        *line = line.replacen("::", "\\u{3a}:", 1);
    }
    lines.push_str(line.trim_end());
    lines.push('\n');
    margin.clone_into(line);
}

/// Whether a line would, without our own styles.
fn begins_with_command(line: &str) -> bool {
    let mut rest = line.trim_start();
    while let Some((_, after)) = rest.strip_prefix('\u{1b}').and_then(|style| style.split_once('m'))
    {
        rest = after.trim_start();
    }
    rest.starts_with("::")
}

/// The columns that a text takes at a terminal, our own styles not counted.
pub(super) fn columns(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let plain = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.split_once('m').map_or("", |(_, rest)| rest).width());
    plain.width() + rest.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::STRONG;

    #[test]
    fn text_is_broken_between_words_and_never_too_wide() {
        assert_eq!(wrapped("- ", "  ", "one two"), "- one two\n");
        assert_eq!(wrapped("- ", "  ", ""), "-\n");
        let words = "word ".repeat(40);
        let long = "x".repeat(300);
        let wide = "数".repeat(100);
        let styled = format!("{STRONG}strong{STRONG:#} ").repeat(30);
        for text in [words.as_str(), &long, &wide, &styled, &format!("{words}{long} {words}")] {
            let shown = wrapped("  * ", "    ", text);
            assert!(shown.lines().all(|line| columns(line) <= WIDTH), "{shown}");
            assert!(shown.lines().skip(1).all(|line| line.starts_with("    ")), "{shown}");
            assert!(shown.lines().all(|line| line == line.trim_end()), "{shown}");
            let kept: String = shown.replace("  * ", "").split_whitespace().collect();
            assert_eq!(kept, text.split_whitespace().collect::<String>());
        }
    }

    #[test]
    fn no_line_begins_a_command() {
        let command = "::error::x";
        let texts = [
            command.to_owned(),
            format!("{} {command}", "word ".repeat(15)),
            format!("{STRONG}{command}{STRONG:#}"),
            format!("{}{command}", "x".repeat(78)),
        ];
        for text in texts {
            let text = wrapped("  ", "  ", &text);
            assert!(!text.lines().any(begins_with_command), "{text}");
        }
    }
}
