//! Reads the reference: its alternatives, as numbers and as texts.

use crate::language::edges::Edges;
use crate::language::text::{holds_words, is_blank, normal, strip_outer, trim};
use crate::numbers::fold::folded;
use crate::numbers::token::Token;
use crate::numbers::value::Value;
use crate::page::latex::plain;
use crate::same::Same;

/// One right answer.
#[derive(Debug)]
struct Alternative {
    raw: String,
    normal: String,
    value: Option<Value>,
}

/// What a right answer is, where one is known.
#[derive(Debug)]
pub(crate) struct Reference {
    alternatives: Vec<Alternative>,
}

impl Reference {
    /// Reads a reference; one that is absent or unreadable has no alternatives.
    pub(crate) fn read(text: Option<&str>) -> Reference {
        let text = text.unwrap_or("");
        let readable = |part: &&str| part.has(|c| !is_blank(c) && c != '\u{FFFD}');
        let parts: Vec<&str> = text.split(" | ").collect();
        let parts = if parts.iter().all(|part| is_balanced(part)) { parts } else { vec![text] };
        Reference {
            alternatives: parts.into_iter().filter(readable).map(Alternative::read).collect(),
        }
    }

    /// Whether there is nothing to compare with.
    pub(crate) fn is_absent(&self) -> bool {
        self.alternatives.is_empty()
    }

    /// Whether an alternative is a number, range or bound.
    pub(crate) fn is_numeric(&self) -> bool {
        self.alternatives.iter().any(|known| known.value.as_ref().is_some_and(Value::is_numeric))
    }

    /// Whether an alternative is a single letter, as in multiple choice.
    pub(crate) fn is_letter(&self) -> bool {
        self.alternatives.iter().any(|known| known.normal.chars().count() == 1)
    }

    /// Whether a text as a whole equals one of the alternatives.
    pub(crate) fn equals(&self, text: &str) -> Same {
        if self.is_absent() {
            return Same::No;
        }
        let value = whole_value(text);
        let normal = normal(text);
        let each =
            self.alternatives.iter().map(|known| known.equals(text, &normal, value.as_ref()));
        let same = each.fold(Same::No, Same::or);
        if same == Same::Yes { same } else { same.or(self.equals_unwrapped(text)) }
    }

    /// Whether a text equals an alternative once LaTeX wrapping is off both. That wrapping makes no difference to numbers;
    /// with no digit in the text it is not sure that it makes none.
    fn equals_unwrapped(&self, text: &str) -> Same {
        const LONGEST: usize = 4096;
        let is_wrapped = |text: &str| text.has(|c| matches!(c, '\\' | '$'));
        if text.len() > LONGEST
            || !(is_wrapped(text) || self.any_text(is_wrapped))
            || whole_value(text).is_some()
        {
            return Same::No;
        }
        let bare = normal(&plain(text));
        let is_same = self
            .alternatives
            .iter()
            .any(|known| !known.is_number() && normal(&plain(&known.raw)) == bare);
        match (is_same, bare.has(|c| c.is_ascii_digit())) {
            (false, _) => Same::No,
            (true, true) => Same::Yes,
            (true, false) => Same::Unsure,
        }
    }

    /// Whether a value equals one of the alternatives.
    pub(crate) fn equals_value(&self, value: &Value) -> Same {
        let each = self
            .alternatives
            .iter()
            .filter_map(|known| known.value.as_ref())
            .map(|known| known.same(value));
        each.fold(Same::No, Same::or)
    }

    /// Whether a text holds an alternative that is a text as whole words, or equals it but for LaTeX or a closing mark.
    pub(crate) fn holds(&self, text: &str) -> bool {
        let known = |found: &str| {
            self.alternatives
                .iter()
                .any(|known| !known.is_number() && holds_words(found, &known.normal))
        };
        let bare = plain(text);
        known(&normal(text)) || known(&normal(bare.trim_end_of(|c| matches!(c, '!' | '?' | '.'))))
    }

    /// The alternatives that pass a test of their text.
    pub(crate) fn any_text(&self, test: impl Fn(&str) -> bool) -> bool {
        self.alternatives.iter().any(|known| test(&known.raw))
    }
}

impl Alternative {
    fn read(text: &str) -> Alternative {
        Alternative { raw: trim(text).to_owned(), normal: normal(text), value: whole_value(text) }
    }

    fn is_number(&self) -> bool {
        self.value.as_ref().is_some_and(Value::is_numeric)
    }

    fn equals(&self, text: &str, normal: &str, value: Option<&Value>) -> Same {
        if trim(text) == self.raw {
            return Same::Yes;
        }
        let is_text_equal = normal == self.normal;
        match (&self.value, value) {
            (Some(known), Some(found)) if known.is_numeric() && found.is_numeric() => {
                known.same(found)
            }
            // Symbols are case-sensitive: "5 M" is not "5 m", though the texts fold to the same.
            (None, None) if is_text_equal => Same::Yes,
            _ if is_text_equal && strip_outer(text) == strip_outer(&self.raw) => Same::Yes,
            (Some(known), Some(found)) if is_text_equal => known.same(found).or(Same::Unsure),
            _ if is_text_equal => Same::Unsure,
            (Some(known), Some(found)) => known.same(found),
            _ => Same::No,
        }
    }
}

/// The value that a text consists of, with at most one word behind it that is no unit.
pub(crate) fn whole_value(text: &str) -> Option<Value> {
    const LONGEST: usize = 4096;
    const MOST_SPACES: usize = 20;
    let is_digit = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    let is_short = text.len() <= LONGEST
        && text.bytes().filter(|byte| *byte == b' ').nth(MOST_SPACES).is_none();
    if !is_short || !text.contains(is_digit) {
        return None;
    }
    let unwrapped = plain(trim(text));
    let bare = strip_outer(&unwrapped);
    let tokens = folded(bare);
    let (first, rest) = match tokens.split_first()? {
        (approx, rest) if matches!(approx.token, Token::Approx) => rest.split_first()?,
        split => split,
    };
    let fits = match rest {
        [] => true,
        [word] => matches!(word.token, Token::Word(word) if word.opens(char::is_lowercase)),
        _ => false,
    };
    if fits { first.value().cloned() } else { None }
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0i64;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}
