//! Reads how an output ends: its last line, the list it closes, and whether it refuses.

use crate::language::choice;
use crate::language::edges::Edges;
use crate::language::refusal;
use crate::language::text::{normal, trim};
use crate::markers::marker::Surety;
use crate::markers::scan::is_frame;
use crate::page::layout::{Layout, Line, Mask, list_item};
use crate::page::quotation::Quotations;
use crate::page::{addressed, sentence};
use crate::reference::whole_value;

/// How many items of a closing list are looked at.
const MOST_ITEMS: usize = 64;

/// What kind of line a list or column consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemKind {
    /// Lines with a list mark.
    Bulleted,
    /// Bare values.
    Values,
    /// Bare words.
    Words,
    /// Sentences.
    None,
}

/// How an output ends.
pub(crate) struct Close<'a> {
    /// The last line that is not empty.
    pub(crate) line: &'a str,
    pub(crate) mask: Mask,
    /// The sentence that the line may go on with begins in an earlier one.
    pub(crate) paragraph: &'a str,
    /// The items of the list or column that the output ends in, the last one included.
    pub(crate) items: Vec<&'a str>,
    pub(crate) kind: ItemKind,
    pub(crate) refusal: Surety,
    /// Whether something that may be for the reader was left out as addressed to the grader.
    pub(crate) is_cut: bool,
}

pub(crate) fn read(text: &str) -> Close<'_> {
    let mut close = Close {
        line: "",
        mask: Mask::Clear,
        paragraph: "",
        items: Vec::new(),
        kind: ItemKind::None,
        refusal: Surety::No,
        is_cut: false,
    };
    let mut start = 0;
    let mut is_blank_before = true;
    for line in Layout::new(text) {
        let whole = trim(&text[line.start..line.end]);
        let cut = addressed::cut(whole);
        let bare = cut.kept;
        close.is_cut |= !cut.is_sure;
        if line.mask == Mask::Addressed || (bare.is_empty() && !whole.is_empty()) {
            continue;
        }
        if bare.is_empty() || (line.mask == Mask::Clear && is_frame(bare)) {
            is_blank_before = true;
            continue;
        }
        if is_blank_before || ends_sentence(close.line) {
            start = line.start;
        }
        close.take(bare, line, is_blank_before);
        let end = bare.as_ptr() as usize - text.as_ptr() as usize + bare.len();
        close.paragraph = &text[start..end];
        is_blank_before = false;
    }
    close.refusal = refusal(text);
    close
}

impl<'a> Close<'a> {
    /// Goes on to the next line.
    fn take(&mut self, bare: &'a str, line: Line, is_blank_before: bool) {
        let item = list_item(bare);
        let kind = kind_of(bare, item);
        if kind != self.kind || (is_blank_before && kind != ItemKind::Bulleted) {
            self.items.clear();
        }
        self.kind = kind;
        if kind != ItemKind::None && self.items.len() < MOST_ITEMS {
            self.items.push(item.unwrap_or(bare));
        }
        self.line = bare;
        self.mask = line.mask;
    }

    pub(crate) fn is_bulleted(&self) -> bool {
        self.kind == ItemKind::Bulleted
    }

    /// Whether the items are not all the same. A word above another may be a title, a column of three is a list.
    pub(crate) fn has_different_items(&self) -> bool {
        if self.kind == ItemKind::Words && self.items.len() < 3 {
            return false;
        }
        let first = self.items.first().map(|item| normal(item));
        self.items.iter().any(|item| Some(normal(item)) != first)
    }
}

/// What kind of line this is.
fn kind_of(bare: &str, item: Option<&str>) -> ItemKind {
    if item.is_some() {
        ItemKind::Bulleted
    } else if whole_value(bare).is_some() {
        ItemKind::Values
    } else if choice::is_bare(bare) {
        ItemKind::Words
    } else {
        ItemKind::None
    }
}

/// Whether the output itself refuses; what it quotes does not count.
pub(crate) fn refusal(text: &str) -> Surety {
    let mut found = Surety::No;
    let mut quotations = Quotations::new(text);
    let mut resume = 0;
    for line in Layout::new(text).filter(|line| line.mask == Mask::Clear) {
        let mut from = line.start.max(resume);
        for (offset, c) in text[line.start..line.end].char_indices() {
            let at = line.start + offset;
            if at < from || c.is_alphanumeric() || c.is_whitespace() {
                continue;
            }
            if let Some(end) = quotations.end(at) {
                found = stronger(found, refusal::refuses(&text[from..at]));
                from = end;
                resume = end;
            }
        }
        if from < line.end {
            found = stronger(found, refusal::refuses(&text[from..line.end]));
        }
        if found == Surety::Yes {
            break;
        }
    }
    found
}

fn stronger(a: Surety, b: Surety) -> Surety {
    match (a, b) {
        (Surety::Yes, _) | (_, Surety::Yes) => Surety::Yes,
        (Surety::No, Surety::No) => Surety::No,
        _ => Surety::Perhaps,
    }
}

/// Whether a line ends with its sentence, or with a colon.
pub(crate) fn ends_sentence(line: &str) -> bool {
    let bare = line.trim_end_of(sentence::is_closer);
    // Dots trail off.
    let trails = bare.ends_with("..");
    bare.is_empty()
        || !trails
            && bare.closes(|c| matches!(c, '.' | '!' | '?' | ':' | '。' | '！' | '？' | '｡' | '：'))
}
