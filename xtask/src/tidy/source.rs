//! Rust as text: what is code in it, what is tests, and where a word stands.

/// The text with comments and the contents of literals replaced by blanks, line for line. What is left
/// can be searched for words and counted for braces.
pub(super) fn code(text: &str) -> String {
    let mut left: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < left.len() {
        let end = match skipped(&left, at) {
            Some((from, to)) => {
                blank(&mut left[from..to]);
                to.max(at + 1)
            }
            None => after_word(&left, at),
        };
        at = end;
    }
    left.into_iter().collect()
}

fn blank(characters: &mut [char]) {
    for character in characters.iter_mut().filter(|character| **character != '\n') {
        *character = ' ';
    }
}

/// The comment or literal that starts here: what of it is to be blanked.
fn skipped(text: &[char], at: usize) -> Option<(usize, usize)> {
    match (text[at], text.get(at + 1)) {
        ('/', Some('/')) => Some((at, find(text, at, |rest| rest[0] == '\n'))),
        ('/', Some('*')) => Some((at, block_comment_end(text, at))),
        ('"', _) => Some((at + 1, quoted_end(text, at + 1, '"'))),
        ('\'', Some('\\')) => Some((at + 1, quoted_end(text, at + 1, '\''))),
        ('\'', Some(_)) if text.get(at + 2) == Some(&'\'') => Some((at + 1, at + 3)),
        ('r', Some('"' | '#')) => raw_string(text, at),
        _ => None,
    }
}

/// Where the first rest that fits starts; the end of the text if none does.
fn find(text: &[char], from: usize, fits: impl Fn(&[char]) -> bool) -> usize {
    (from..text.len()).find(|&at| fits(&text[at..])).unwrap_or(text.len())
}

fn block_comment_end(text: &[char], start: usize) -> usize {
    let (mut at, mut depth) = (start + 2, 1);
    while at < text.len() && depth > 0 {
        match (text[at], text.get(at + 1)) {
            ('/', Some('*')) => (at, depth) = (at + 2, depth + 1),
            ('*', Some('/')) => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
    }
    at.min(text.len())
}

/// Behind the closing quote.
fn quoted_end(text: &[char], mut at: usize, quote: char) -> usize {
    while at < text.len() && text[at] != quote {
        at += if text[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

/// A raw string `r"..."`, `r#"..."#`; a raw identifier `r#fn` is none.
fn raw_string(text: &[char], at: usize) -> Option<(usize, usize)> {
    let hashes = text[at + 1..].iter().take_while(|&&character| character == '#').count();
    let start = at + 1 + hashes;
    if text.get(start) != Some(&'"') {
        return None;
    }
    let closes = |rest: &[char]| {
        rest[0] == '"' && rest[1..].iter().take_while(|&&c| c == '#').count() >= hashes
    };
    let end = find(text, start + 1, closes);
    Some((start + 1, (end + 1 + hashes).min(text.len())))
}

/// Behind the word that starts here, so that an `r` within a word opens no raw string; one further if
/// there is none. `br"..."` and `cr"..."` are words with one letter before the string.
fn after_word(text: &[char], at: usize) -> usize {
    let prefixed = matches!(text[at], 'b' | 'c') && text.get(at + 1) == Some(&'r');
    if !is_word(text[at]) || prefixed {
        return at + 1;
    }
    find(text, at, |rest| !is_word(rest[0]))
}

/// Whether a character can be part of an identifier.
pub(super) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Where this stands in the text, as bytes from its start, with no identifier going on at either end.
pub(super) fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let (first, last) = (word.chars().next(), word.chars().next_back());
        let goes_on = |outer: Option<char>, inner: Option<char>| {
            outer.is_some_and(is_word) && inner.is_some_and(is_word)
        };
        !goes_on(before, first) && !goes_on(after, last)
    })
}

/// The line, from 1, of this byte.
pub(super) fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Where the brace closes that opens at this byte; the end if it does not.
pub(super) fn closing_brace(code: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, character) in code[open..].char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => return open + at,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

/// The code without its inline test modules, line for line.
pub(super) fn without_tests(code: &str) -> String {
    let mut left = code.to_owned();
    while let Some(start) = left.find("#[cfg(test)]") {
        let rest = &left[start..];
        let is_block =
            rest.find('{').is_some_and(|open| rest.find(';').is_none_or(|end| open < end));
        let end = match (is_block, rest.find('{'), rest.find(';')) {
            (true, Some(open), _) => closing_brace(&left, start + open),
            (false, _, Some(end)) => start + end,
            _ => left.len(),
        };
        let end = (end + 1).min(left.len());
        let blanked: String =
            left[start..end].chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
        left.replace_range(start..end, &blanked);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::{code, line, without_tests, words};

    #[test]
    fn comments_and_literals_are_no_code() {
        let table = [
            ("a // b {\nc", "a       \nc"),
            ("a /* b /* c */ } */ d", "a                   d"),
            (r#"f("{ \" }", 1)"#, r#"f("       , 1)"#),
            (r##"f(r#"{ " }"#, 1)"##, r##"f(r#"       , 1)"##),
            ("br\"{\" x", "br\"   x"),
            ("'{' '\\'' x", "'   '    x"),
            ("&'a str { var\"x\"", "&'a str { var\"  "),
            ("r#fn for\"{\"", "r#fn for\"  "),
        ];
        for (text, expected) in table {
            assert_eq!(code(text), expected, "{text}");
        }
    }

    #[test]
    fn words_are_whole() {
        let found: Vec<usize> = words("Instant Instants std::io std::iox", "Instant").collect();
        assert_eq!(found, [0]);
        assert_eq!(words("std::io std::iox", "std::io").count(), 1);
        assert_eq!(words("eprintln!() println!()", "println!").count(), 1);
        assert_eq!(line("a\nb\nc", 4), 3);
    }

    #[test]
    fn inline_tests_are_left_out() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n fn b() {}\n}\nfn c() {}";
        let left = without_tests(text);
        assert!(left.contains("fn a") && left.contains("fn c") && !left.contains("fn b"), "{left}");
        assert_eq!(left.lines().count(), text.lines().count());
        let left = without_tests("#[cfg(test)]\nmod tests;\nfn c() {}");
        assert!(left.contains("fn c") && !left.contains("mod tests"), "{left}");
    }
}
