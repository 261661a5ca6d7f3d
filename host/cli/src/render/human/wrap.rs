//! Words onto lines of a terminal that is 80 columns wide.

/// The columns of a line.
const WIDTH: usize = 80;

/// The text in lines of at most 80 columns, the first behind `first`, the others behind `rest`, each with a
/// line break. What is longer than a line stays whole.
pub(super) fn wrapped(first: &str, rest: &str, text: &str) -> String {
    let mut lines = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push_str(line.trim_end());
            lines.push('\n');
            rest.clone_into(&mut line);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    lines + line.trim_end() + "\n"
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_end_at_eighty_columns() {
        let text = wrapped("  a: ", "     ", &"words of é text ".repeat(30));
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("     ")), "{text}");
        let filled = text.lines().rev().skip(1);
        assert!(filled.into_iter().all(|line| line.chars().count() > 60), "only the last is short");
        assert_eq!(wrapped("x ", "", ""), "x\n");
        let long = "y".repeat(100);
        assert_eq!(wrapped("", " ", &format!("a {long} b")), format!("a\n {long}\n b\n"));
    }
}
