//! Reads the unit beside a number and tells whether two units agree.

use crate::language::edges::Edges;
use crate::language::phrases::{is_apostrophe, is_unspaced, phrase_at};
use crate::numbers::unit_table::{AMBIGUOUS, Entry, RATES, UNITS};
use crate::same::Same;

/// A unit to a power, such as square metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Power {
    id: &'static str,
    power: u8,
}

/// What stands beside a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Nothing, or a word that the table does not know.
    None,
    /// A unit of the table, and what it is divided by.
    Known(Known),
    /// A word that names several units.
    Ambiguous(&'static str),
    /// Something built from units that the table does not cover.
    Unclear,
}

/// A unit of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    base: Power,
    per: Option<Power>,
}

impl Unit {
    fn plain(id: &'static str) -> Unit {
        Unit::Known(Known { base: Power { id, power: 1 }, per: None })
    }

    /// Whether this is per cent.
    pub(crate) fn is_percent(self) -> bool {
        self == Unit::plain("percent")
    }

    /// Whether nothing is stated.
    pub(crate) fn is_none(self) -> bool {
        self == Unit::None
    }

    /// Whether two statements of a unit agree. Per cent is not a bare number.
    pub(crate) fn agrees(self, other: Unit) -> Same {
        if self == other {
            return if self == Unit::Unclear { Same::Unsure } else { Same::Yes };
        }
        match (self, other) {
            (Unit::None, stated) | (stated, Unit::None) => {
                if stated.is_percent() {
                    Same::No
                } else {
                    Same::Yes
                }
            }
            (Unit::Known(a), Unit::Known(b)) => known_agree(a, b),
            _ => Same::Unsure,
        }
    }
}

fn known_agree(a: Known, b: Known) -> Same {
    // A wage or price may leave its rate unsaid; a speed is no length.
    let one_rate_unsaid = a.per.is_none() != b.per.is_none() && is_money_id(a.base.id);
    if a.base == b.base && one_rate_unsaid { Same::Unsure } else { Same::No }
}

/// The unit at the start of the text behind a number, with the length that was read.
pub(crate) fn behind(text: &str) -> (Unit, usize) {
    let spaces =
        text.len() - text.trim_start_of(|c| matches!(c, ' ' | '\t' | '\u{A0}' | '\u{202F}')).len();
    let rest = &text[spaces..];
    let names_nothing =
        |c: char| c.is_ascii() && !c.is_ascii_alphabetic() && !matches!(c, '%' | '$');
    if rest.chars().next().is_none_or(names_nothing) {
        return (Unit::None, 0);
    }
    if let Some((word, name)) = ambiguous(rest) {
        let (unit, length) = rate_behind(Unit::Ambiguous(name), None, &rest[word.len()..]);
        return (unit, spaces + word.len() + length);
    }
    let (power, skipped) = prefix_power(rest);
    let Some((id, length)) = atom(&rest[skipped..]) else {
        return whole_rate(rest).map_or((Unit::None, 0), |(unit, length)| (unit, spaces + length));
    };
    if id == "inch" && is_preposition(&rest[skipped..], length) {
        return (Unit::None, 0);
    }
    let mut end = skipped + length;
    let (suffix, taken) = suffix_power(&rest[end..]);
    end += taken;
    let base = Power { id, power: power.max(suffix) };
    let (unit, taken) =
        rate_behind(Unit::Known(Known { base, per: None }), Some(base), &rest[end..]);
    (unit, spaces + end + taken)
}

/// The unit of an amount with a currency before it: what stands behind may repeat or narrow it, or make it a rate.
pub(crate) fn behind_money(currency: Unit, text: &str) -> (Unit, usize) {
    let base = match currency {
        Unit::Known(known) => Some(known.base),
        _ => None,
    };
    let (rate, taken) = rate_behind(currency, base, text);
    if taken > 0 {
        return (rate, taken);
    }
    let (stated, taken) = behind(text);
    match (currency, stated) {
        (Unit::Known(sign), Unit::Known(word))
            if sign.base.id == "dollar" && word.base.id.ends_with("dollar") =>
        {
            (stated, taken)
        }
        (Unit::Known(sign), Unit::Known(word)) if sign.base == word.base => (stated, taken),
        (Unit::Ambiguous(_), Unit::Known(_)) => (stated, taken),
        _ => (currency, 0),
    }
}

/// The currency at the start of the text before a number, with the length that was read.
pub(crate) fn before(text: &str) -> Option<(Unit, usize)> {
    let stop = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let letters = &text[..stop];
    let sign = text[stop..].chars().next().filter(|c| is_currency_sign(*c));
    let end = stop + sign.map_or(0, char::len_utf8);
    let may_be_code = letters.len() == 3 && letters.bytes().all(|b| b.is_ascii_uppercase());
    if letters.len() > 3 || (sign.is_none() && !may_be_code) {
        return None;
    }
    let token = &text[..end];
    if matches!(token, "¥" | "￥") {
        return Some((Unit::Ambiguous("¥"), end));
    }
    let entry = UNITS.iter().find(|entry| entry.symbols.contains(&token))?;
    (sign.is_some() || is_money(entry)).then(|| (Unit::plain(entry.id), end))
}

/// Whether a character is a currency sign.
pub(crate) fn is_currency_sign(c: char) -> bool {
    matches!(
        c,
        '$' | '€'
            | '£'
            | '¥'
            | '￥'
            | '₹'
            | '₩'
            | '₽'
            | '₺'
            | '฿'
            | '₪'
            | '₫'
            | '₴'
            | '₦'
            | '₿'
            | '¢'
    )
}

fn is_money_id(id: &str) -> bool {
    UNITS.iter().any(|entry| entry.id == id && is_money(entry))
}

/// Whether an entry is a currency: its first symbols hold a sign or a code of three capitals.
fn is_money(entry: &Entry) -> bool {
    let is_code =
        |symbol: &str| symbol.len() == 3 && symbol.bytes().all(|b| b.is_ascii_uppercase());
    entry.symbols.iter().any(|symbol| symbol.has(is_currency_sign) || is_code(symbol))
}

fn ambiguous(text: &str) -> Option<(&'static str, &'static str)> {
    AMBIGUOUS.iter().copied().find(|(word, _)| {
        let is_symbol =
            word.len() <= 3 && !word.chars().all(|c| c.is_ascii_lowercase()) || word.len() == 1;
        let fits = if is_symbol {
            text.starts_with(word)
        } else {
            phrase_at(text, word) == Some(word.len())
        };
        // "degrees Celsius" and "°C" are not ambiguous.
        fits && ends_here(&text[word.len()..], word) && atom(text).is_none()
    })
}

/// Whether a symbol ends where it should: letters may not run on.
fn ends_here(rest: &str, symbol: &str) -> bool {
    let joins = |c: char| c.is_alphabetic() && !is_unspaced(c) || is_apostrophe(c);
    let runs_on = rest.starts_with(joins);
    !runs_on || !symbol.closes(char::is_alphabetic)
}

/// One unit of the table at the start of the text: the longest alias that fits.
fn atom(text: &str) -> Option<(&'static str, usize)> {
    let first = text.chars().next()?;
    let mut best: Option<(&'static str, usize)> = None;
    for entry in UNITS {
        let symbols = entry.symbols.iter().filter(|symbol| text.starts_with(**symbol));
        let symbols = symbols
            .map(|symbol| symbol.len())
            .filter(|length| ends_here(&text[*length..], &text[..*length]));
        let words = entry.words.iter().filter(|word| word.starts_with(first.to_ascii_lowercase()));
        let words = words.filter_map(|word| phrase_at(text, word));
        if let Some(length) = symbols.chain(words).max()
            && best.is_none_or(|(_, known)| known < length)
        {
            best = Some((entry.id, length));
        }
    }
    best
}

/// A rate that is written as one symbol.
fn whole_rate(text: &str) -> Option<(Unit, usize)> {
    let (symbol, top, bottom) = RATES.iter().find(|(symbol, _, _)| {
        phrase_at(text, symbol).is_some() || {
            text.starts_with(symbol) && ends_here(&text[symbol.len()..], symbol)
        }
    })?;
    let known =
        Known { base: Power { id: top, power: 1 }, per: Some(Power { id: bottom, power: 1 }) };
    Some((Unit::Known(known), symbol.len()))
}

/// "5 in total" and "5 in 10" hold a preposition, "5 in" an inch.
fn is_preposition(text: &str, length: usize) -> bool {
    text[..length] == *"in" && text[length..].trim_start().opens(char::is_alphanumeric)
}

fn prefix_power(text: &str) -> (u8, usize) {
    let prefixes =
        [("square ", 2), ("sq ", 2), ("sq. ", 2), ("cubic ", 3), ("cu ", 3), ("cu. ", 3)];
    for (prefix, power) in prefixes {
        let word = prefix.trim_end();
        if phrase_at(text, word).is_some() && text[word.len()..].starts_with(' ') {
            return (power, prefix.len());
        }
    }
    (1, 0)
}

fn suffix_power(text: &str) -> (u8, usize) {
    let suffixes = [("²", 2), ("³", 3), ("^2", 2), ("^3", 3), ("2", 2), ("3", 3)];
    for (suffix, power) in suffixes {
        if let Some(rest) = text.strip_prefix(suffix)
            && !rest.opens(|c| c.is_ascii_digit())
        {
            return (power, suffix.len());
        }
    }
    (1, 0)
}

/// What a unit is divided by: "/h", " per hour"; a word that is no unit is left alone.
fn rate_behind(unit: Unit, base: Option<Power>, text: &str) -> (Unit, usize) {
    let (rest, slash) = match text.strip_prefix('/').or_else(|| text.strip_prefix(" / ")) {
        Some(rest) => (rest, true),
        None => match phrase_at(text.trim_start(), "per") {
            Some(length) if text.starts_with(' ') => {
                (text.trim_start()[length..].trim_start(), false)
            }
            _ if text.opens(|c| matches!(c, '·' | '^' | '*'))
                && !text.starts_with("**")
                && base.is_some() =>
            {
                let joined = text.chars().nth(1).is_some_and(char::is_alphanumeric);
                return if joined { (Unit::Unclear, 0) } else { (unit, 0) };
            }
            _ => return (unit, 0),
        },
    };
    let Some((id, length)) = atom(rest) else {
        let is_rate = slash && !unit.is_percent() && rest.opens(char::is_alphabetic);
        return if is_rate { (Unit::Unclear, 0) } else { (unit, 0) };
    };
    let (power, suffix) = suffix_power(&rest[length..]);
    let taken = text.len() - rest.len() + length + suffix;
    match base {
        Some(base) => (Unit::Known(Known { base, per: Some(Power { id, power }) }), taken),
        None => (Unit::Unclear, taken),
    }
}

/// Whether a word differs from a symbol of the table only in case, so that nobody can say what it means.
pub(crate) fn is_miscased(word: &str) -> bool {
    let known = |symbol: &&str| symbol.len() > 1 && symbol.eq_ignore_ascii_case(word);
    UNITS.iter().any(|entry| entry.symbols.iter().any(&known))
}
