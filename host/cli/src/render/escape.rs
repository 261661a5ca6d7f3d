//! Escapers for text that nobody on our side wrote: one for each place that it may stand in.
//!
//! An [`Untrusted`](accredit_core::untrusted::Untrusted) has no `Display`, so it reaches an output only by
//! one of these. What control sets and policies say may have come with a record from elsewhere, and takes
//! the same way.

mod github;
mod html;
mod markdown;
mod terminal;
mod xml;

pub use github::{annotation, property};
pub use html::{Shown, said, words};
pub use markdown::{cell, code, code_cut, code_of};
pub use terminal::{terminal_block, terminal_cut, terminal_line, terminal_text};
pub use xml::{Xml, xml, xml_of};

/// Characters that a terminal acts on, reorders by, or does not show: controls, separators of lines, all that Unicode
/// calls default ignorable, the blank of braille, and what annotates other text.
pub(super) fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{fffe}' | '\u{ffff}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The text in one line: line breaks, tabs and everything hidden as visible escapes, and what is longer
/// than so many characters cut.
fn one_line(text: &str, longest: usize) -> String {
    let mut shown = String::new();
    let mut chars = text.chars();
    for char in chars.by_ref().take(longest) {
        match char {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            hidden if is_hidden(hidden) => shown.push_str(&visible(hidden)),
            plain => shown.push(plain),
        }
    }
    if chars.next().is_some() {
        shown.push('…');
    }
    // In a log of GitHub Actions this begins a command, wherever in a line it stands.
    shown.replace("##[", "#\\u{23}[")
}

/// Markup as text, for HTML and XML: what markup is made of and line breaks as character references,
/// everything hidden as visible escapes. Whatever is written stands in one line, so that in a log none of it
/// begins a command. It ends where it comes to more than `longest` bytes.
fn references(text: &str, longest: usize, buffer: &mut String) {
    let end = buffer.len().saturating_add(longest);
    for char in text.chars() {
        if buffer.len() >= end {
            buffer.push('…');
            break;
        }
        match char {
            '&' => buffer.push_str("&amp;"),
            '<' => buffer.push_str("&lt;"),
            '>' => buffer.push_str("&gt;"),
            '"' => buffer.push_str("&quot;"),
            '\'' => buffer.push_str("&#39;"),
            '`' => buffer.push_str("&#96;"),
            '\n' => buffer.push_str("&#10;"),
            '\t' => buffer.push_str("&#9;"),
            '[' if buffer.ends_with("##") => buffer.push_str("&#91;"),
            // XML 1.0 allows neither of the last two.
            hidden if is_hidden(hidden) || matches!(hidden, '\u{fffe}' | '\u{ffff}') => {
                buffer.push_str(&visible(hidden));
            }
            plain => buffer.push(plain),
        }
    }
}

/// A hidden character, in letters and digits.
fn visible(hidden: char) -> String {
    format!("\\u{{{:x}}}", u32::from(hidden))
}
