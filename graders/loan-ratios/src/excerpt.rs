//! Cuts what is quoted in a rationale to a length that people read.

use std::borrow::Cow;

/// How many characters of a quoted text are shown.
const SHOWN: usize = 32;

/// The beginning of `text`, with a mark where it was cut and blanks for control characters.
pub(crate) fn shorten(text: &str) -> Cow<'_, str> {
    let cut = text.char_indices().nth(SHOWN).map(|(at, _)| &text[..at]);
    let kept = cut.unwrap_or(text);
    if cut.is_none() && !kept.contains(char::is_control) {
        return Cow::Borrowed(kept);
    }
    let mut shown = kept.replace(char::is_control, " ");
    if cut.is_some() {
        shown.push('…');
    }
    Cow::Owned(shown)
}
