//! Long texts, folded and, where a page would grow too large, cut.

use maud::{Markup, html};

use crate::render::escape::Shown;

/// What all texts of a page may come to, in bytes: of 2,000 wrong controls, whatever their length, the page
/// stays below 5 MB.
const ALL: usize = 2_400_000;
/// What one text may come to at least, and at most.
const EACH: std::ops::RangeInclusive<usize> = 200..=40_000;
/// A text that is longer is folded, unless it is cut before that.
const FOLDED: usize = 360;
/// How much of a folded text is seen.
const SEEN: usize = 160;

/// How long each of these texts may be, so that all of them have room: what short ones leave is for the others.
pub(super) fn longest<'a>(texts: impl IntoIterator<Item = Shown<'a>>) -> usize {
    let mut lengths: Vec<_> = texts.into_iter().map(|text| text.bytes()).collect();
    lengths.sort_unstable();
    let (mut room, mut left) = (ALL, lengths.len());
    for length in lengths {
        let each = room / left;
        if length > each {
            return each.clamp(*EACH.start(), *EACH.end());
        }
        (room, left) = (room - length, left - 1);
    }
    *EACH.end()
}

/// A text whose line breaks count.
pub(super) fn block(text: Shown<'_>, longest: usize) -> Markup {
    let text = text.at_most(longest);
    html! {
        @if text.is_empty() {
            p.faint { "(blank)" }
        } @else if longest > FOLDED && text.is_longer_than(FOLDED) {
            details { summary { span.seen { (text.at_most(SEEN)) } } pre dir="auto" { (text) } }
        } @else {
            pre dir="auto" { (text) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::escape::words;

    #[test]
    fn short_texts_leave_their_room_to_long_ones() {
        let (short, long) = ("x".repeat(100), "y".repeat(2000));
        let of = |shorts: usize, longs: usize| {
            let shorts = std::iter::repeat_n(words(&short), shorts);
            longest(shorts.chain(std::iter::repeat_n(words(&long), longs)))
        };
        assert_eq!(of(0, 0), *EACH.end());
        assert_eq!(of(5, 1), *EACH.end());
        assert_eq!(of(10_000, 0), *EACH.end());
        assert_eq!(of(10_000, 1000), (ALL - 1_000_000) / 1000);
        assert_eq!(of(0, 13_000), *EACH.start());
    }

    #[test]
    fn a_long_text_is_folded_and_an_empty_one_says_so() {
        let long = "z".repeat(FOLDED + 1);
        assert!(block(words(&long), 1000).into_string().starts_with("<details>"));
        assert!(block(words(&long), FOLDED).into_string().starts_with("<pre"));
        assert!(block(words("z"), 1000).into_string().starts_with("<pre"));
        assert!(block(words(" "), 1000).into_string().contains("(blank)"));
    }
}
