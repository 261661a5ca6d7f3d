//! A page: text stays text, in an element and in an attribute within double quotes.

use accredit_core::untrusted::Untrusted;
use maud::Render;

use super::references;

/// Text on its way into a page, cut after so many bytes of it.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    text: &'a str,
    longest: usize,
}

/// What a grader or a system under test wrote.
#[must_use]
pub fn said(text: &Untrusted) -> Shown<'_> {
    Shown { text: text.raw(), longest: usize::MAX }
}

/// What control sets and policies say.
#[must_use]
pub fn words(text: &str) -> Shown<'_> {
    Shown { text, longest: usize::MAX }
}

impl Shown<'_> {
    /// The same, cut where it comes to more than so many bytes of the page.
    #[must_use]
    pub fn at_most(self, longest: usize) -> Self {
        Self { longest: self.longest.min(longest), ..self }
    }

    /// Whether there is no text, or nothing but white space.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// What the text comes to in the page, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.render().into_string().len()
    }

    /// Whether the text has more bytes than this.
    #[must_use]
    pub fn is_longer_than(&self, bytes: usize) -> bool {
        self.text.len() > bytes
    }
}

impl Render for Shown<'_> {
    fn render_to(&self, buffer: &mut String) {
        references(self.text, self.longest, buffer);
    }
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    #[test]
    fn markup_is_text_in_elements_and_attributes() {
        for (text, shown) in [
            ("plain é 数\n\tindented", "plain é 数&#10;&#9;indented"),
            ("a\n::error::x ##[group]", "a&#10;::error::x ##&#91;group]"),
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("</pre><img src=x onerror=y>", "&lt;/pre&gt;&lt;img src=x onerror=y&gt;"),
            ("\" autofocus onfocus=\"y", "&quot; autofocus onfocus=&quot;y"),
            ("' onfocus='y `", "&#39; onfocus=&#39;y &#96;"),
            ("<!-- --> ]]> &lt;", "&lt;!-- --&gt; ]]&gt; &amp;lt;"),
            ("a\u{202e}b\u{0}c\u{1b}[2J\r", "a\\u{202e}b\\u{0}c\\u{1b}[2J\\u{d}"),
        ] {
            let text = Untrusted::new(text);
            let page = html! { p title=(said(&text)) { (said(&text)) } };
            let expected = format!("<p title=\"{shown}\">{shown}</p>");
            assert_eq!(page.into_string(), expected);
        }
        assert_eq!(html! { (words("<abc").at_most(5)) }.into_string(), "&lt;a…");
        assert_eq!(html! { (words("<abc").at_most(7)) }.into_string(), "&lt;abc");
    }
}
