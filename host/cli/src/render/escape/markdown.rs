//! A comment in Markdown: the text stands in a code span, where nothing is a link, an image, a mention, a
//! reference to an issue, an emoji or HTML.

use accredit_core::untrusted::Untrusted;

use super::one_line;

/// How much of a text a comment shows.
const LINE: usize = 300;

/// What a grader or a system under test wrote, as a code span of one line, cut after 300 characters.
#[must_use]
pub fn code_of(text: &Untrusted) -> String {
    code(text.raw())
}

/// The same, cut after so many characters.
#[must_use]
pub fn code_cut(text: &Untrusted, longest: usize) -> String {
    span(&one_line(text.raw(), longest))
}

/// What control sets and policies say, likewise: for paragraphs and lists.
#[must_use]
pub fn code(text: &str) -> String {
    span(&one_line(text, LINE))
}

fn span(text: &str) -> String {
    if text.trim().is_empty() {
        return "(blank)".to_owned();
    }
    let fence = "`".repeat(longest_run(text) + 1);
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// The same for a cell of a table, which would end at a bar even within a code span.
#[must_use]
pub fn cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    let runs = text.split(|char| char != '`').map(str::len);
    runs.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_code_span() {
        for (text, shown) in [
            ("plain é 数", "`plain é 数`"),
            ("![](https://example.org/?q=1)", "`![](https://example.org/?q=1)`"),
            ("@someone fixes #1 <b>", "`@someone fixes #1 <b>`"),
            ("a`b``c", "```a`b``c```"),
            ("`@someone`", "`` `@someone` ``"),
            ("``` ", "```` ```  ````"),
            ("a\n\n# b\r\n<!-- c", "`a\\n\\n# b\\r\\n<!-- c`"),
            ("a | b \\| c", "`a | b \\| c`"),
            ("##[error]", "`#\\u{23}[error]`"),
            ("ends in \\", "`ends in \\`"),
            ("\u{202e}x\u{0}", "`\\u{202e}x\\u{0}`"),
            (" ", "(blank)"),
            ("", "(blank)"),
        ] {
            assert_eq!(code_of(&Untrusted::new(text)), shown);
        }
        assert_eq!(cell("a | b"), "`a \\| b`");
        assert_eq!(code(&"x".repeat(1000)).chars().count(), LINE + 3);
    }
}
