//! How a text is shown in a message, and which known word it was probably meant to be.

/// Longer texts are cut in messages, and are nobody's misspelling.
const LONGEST: usize = 64;

/// The text between back-quotes, with everything escaped that could act on a terminal, and cut where it
/// is long.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut shown = String::from("`");
    for (count, char) in text.chars().enumerate() {
        match char {
            _ if count == LONGEST => {
                shown.push('…');
                break;
            }
            '"' | '\'' | '\\' => shown.push(char),
            _ => shown.extend(char.escape_debug()),
        }
    }
    shown.push('`');
    shown
}

/// The known word that is the fewest edits away from this one, if it is near enough to be meant: within
/// a third of its length.
#[must_use]
pub fn nearest<'a>(text: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written: Vec<char> =
        text.to_lowercase().replace('_', "-").chars().take(LONGEST + 1).collect();
    if written.len() > LONGEST {
        return None;
    }
    known
        .into_iter()
        .filter(|word| *word != text && word.len() <= LONGEST)
        .map(|word| (distance(&written, &word.replace('_', "-").chars().collect::<Vec<_>>()), word))
        .filter(|(edits, word)| *edits <= (word.chars().count() / 3).max(1))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, word)| word)
}

/// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, each one edit
/// (Damerau 1964, restricted).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut edits = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                edits = edits.min(before[j - 1] + 1);
            }
            row.push(edits);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words() {
        let known = ["expect", "evidence", "media_type", "id", "why", "output", "output_type"];
        let table = [
            ("expekt", Some("expect")),
            ("epxect", Some("expect")),
            ("media-type", Some("media_type")),
            ("Output", Some("output")),
            ("outputs", Some("output")),
            ("evidences", Some("evidence")),
            ("wy", Some("why")),
            ("zzz", None),
            ("", None),
        ];
        for (text, word) in table {
            assert_eq!(nearest(text, known), word, "{text}");
        }
        assert_eq!(nearest(&"x".repeat(10_000), known), None);
    }

    #[test]
    fn a_quoted_text_acts_on_no_terminal() {
        let table = [
            ("a \"b\" 'c'", "`a \"b\" 'c'`"),
            ("\u{1b}[31m\n", "`\\u{1b}[31m\\n`"),
            ("a\u{202e}b", "`a\\u{202e}b`"),
            ("café", "`café`"),
        ];
        for (text, shown) in table {
            assert_eq!(quoted(text), shown);
        }
        assert_eq!(quoted(&"x".repeat(200)).chars().count(), LONGEST + 3);
    }
}
