//! JUnit's XML: text stays text, and holds no character that XML 1.0 does not allow.

use accredit_core::untrusted::Untrusted;
use maud::Render;

use super::references;

/// Text on its way into an XML file.
#[derive(Debug, Clone, Copy)]
pub struct Xml<'a>(&'a str);

/// What a grader or a system under test wrote.
#[must_use]
pub fn xml_of(text: &Untrusted) -> Xml<'_> {
    Xml(text.raw())
}

/// What control sets and policies say.
#[must_use]
pub fn xml(text: &str) -> Xml<'_> {
    Xml(text)
}

impl Render for Xml<'_> {
    fn render_to(&self, buffer: &mut String) {
        references(self.0, usize::MAX, buffer);
    }
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    #[test]
    fn what_xml_does_not_allow_is_shown_and_markup_is_text() {
        for (text, shown) in [
            ("plain é 数", "plain é 数"),
            ("a\u{0}b\u{1b}[0m\u{7}", "a\\u{0}b\\u{1b}[0m\\u{7}"),
            ("\u{fffe}\u{ffff}\u{202e}\u{85}", "\\u{fffe}\\u{ffff}\\u{202e}\\u{85}"),
            ("]]></failure><testcase/>", "]]&gt;&lt;/failure&gt;&lt;testcase/&gt;"),
            ("\" x='y'\n\t\r", "&quot; x=&#39;y&#39;&#10;&#9;\\u{d}"),
            ("<!ENTITY a \"&b;\">", "&lt;!ENTITY a &quot;&amp;b;&quot;&gt;"),
        ] {
            let file = html! { failure message=(xml_of(&Untrusted::new(text))) { (xml(text)) } };
            let expected = format!("<failure message=\"{shown}\">{shown}</failure>");
            assert_eq!(file.into_string(), expected);
        }
    }
}
