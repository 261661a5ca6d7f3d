//! Long texts, folded and, where a page would grow too large, cut.

use maud::{Markup, html};

use crate::render::escape::Shown;

/// What all texts of a page may come to, in bytes: of 2,000 wrong controls, whatever their length, the page
/// stays below 5 MB.
const ALL: usize = 2_400_000;
/// What one text may come to at least, and at most.
const EACH: std::ops::RangeInclusive<usize> = 200..=40_000;
/// A text that is longer is folded.
const FOLDED: usize = 360;
/// How much of a folded text is seen.
const SEEN: usize = 160;

/// How long each of so many texts may be.
pub(super) fn each_of(texts: usize) -> usize {
    ALL.checked_div(texts).unwrap_or(ALL).clamp(*EACH.start(), *EACH.end())
}

/// A text whose line breaks count.
pub(super) fn block(text: Shown<'_>, longest: usize) -> Markup {
    let text = text.at_most(longest);
    html! {
        @if text.is_empty() {
            p.faint { "(blank)" }
        } @else if text.is_longer_than(FOLDED) {
            details { summary { span.seen { (text.at_most(SEEN)) } } pre dir="auto" { (text) } }
        } @else {
            pre dir="auto" { (text) }
        }
    }
}
