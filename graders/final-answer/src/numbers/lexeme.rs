//! Reads one number with its notation and unit.

use crate::language::edges::Edges;
use crate::language::phrases::{is_apostrophe, is_unspaced, phrase_at};
use crate::numbers::number::{Decimal, Number};
use crate::numbers::unit::{self, Unit};
use crate::numbers::unit_table::{SCALE_SYMBOLS, SCALES};
use crate::numbers::value::{Limit, Quantity, Value};

/// How far the arguments of a function or command are followed.
const LONGEST_TAIL: usize = 200;

/// What digits turned out to be.
pub(crate) enum Found {
    /// A value of `length` bytes; where `list` is not zero, commas part list items up to there.
    Value {
        /// The value.
        value: Value,
        /// Its length.
        length: usize,
        /// How far the list that it begins reaches.
        list: usize,
    },
    /// An ordinal such as "3rd", with its length.
    Word(usize),
}

/// Digits with their separators.
struct Digits {
    plain: String,
    length: usize,
    is_number: bool,
    commas: usize,
}

/// Reads a number at the start of the text.
pub(crate) fn read(
    text: &str,
    negative: bool,
    currency: Option<Unit>,
    in_list: bool,
) -> Option<Found> {
    let starts =
        digit(text).is_some() || text.strip_prefix('.').is_some_and(|rest| digit(rest).is_some());
    if !starts {
        return None;
    }
    let mut digits = scan(text, in_list);
    let mut list = 0;
    if !digits.is_number && digits.commas >= 2 {
        list = digits.length;
        digits = scan(text, true);
    }
    let length = digits.length;
    let found = |value, length| Some(Found::Value { value, length, list });
    if let Some(taken) = ordinal(&text[length..]) {
        return Some(Found::Word(length + taken));
    }
    let odd_tail = odd_tail(text, length);
    if !digits.is_number || odd_tail > 0 {
        return found(Value::Odd(text[..length + odd_tail].to_owned(), None), length + odd_tail);
    }
    let Some((number, taken)) = notation(&digits.plain, &text[length..]) else {
        return found(Value::Odd(text[..length].to_owned(), None), length);
    };
    let number = if negative { number.negated() } else { number };
    let (value, taken) = beside(text, length + taken, number, currency);
    found(value, taken)
}

/// An ASCII or full-width digit at the start of the text.
fn digit(text: &str) -> Option<char> {
    let c = text.chars().next()?;
    match c {
        '0'..='9' => Some(c),
        '０'..='９' => char::from_digit(u32::from(c) - u32::from('０'), 10),
        _ => None,
    }
}

/// Reads digits, separators in groups of three and one point. With `in_list` a comma ends the number.
fn scan(text: &str, in_list: bool) -> Digits {
    let mut digits = Digits { plain: String::new(), length: 0, is_number: true, commas: 0 };
    let mut group = 0usize;
    let mut separator = None;
    let mut has_point = false;
    while let Some(c) = text[digits.length..].chars().next() {
        let rest = &text[digits.length + c.len_utf8()..];
        if let Some(value) = digit(&text[digits.length..]) {
            digits.plain.push(value);
            group += 1;
        } else if digit(rest).is_none() {
            break;
        } else if c == '.' {
            digits.is_number &= !has_point && (separator.is_none() || group == 3);
            has_point = true;
            digits.plain.push('.');
        } else if is_separator(c) {
            let of_three = groups_three(rest);
            let is_space = matches!(c, '\u{A0}' | '\u{202F}');
            if (has_point && c != ',') || (c == ',' && in_list) || (is_space && !of_three) {
                break;
            }
            // "1.234,5": behind the point a comma parts nothing that the rubric knows.
            digits.is_number &= !has_point;
            has_point = false;
            let first = separator.is_none();
            let fits = if first {
                group <= 3 && !digits.plain.starts_with('0')
            } else {
                separator == Some(c)
            };
            digits.is_number &= of_three && fits;
            digits.commas = if first || separator == Some(c) {
                digits.commas + usize::from(c == ',')
            } else {
                0
            };
            separator = Some(c);
            group = 0;
        } else {
            break;
        }
        digits.length += c.len_utf8();
    }
    digits
}

fn is_separator(c: char) -> bool {
    matches!(c, ',' | '_' | '\u{A0}' | '\u{202F}' | '\'' | '’')
}

/// Whether exactly three digits follow.
fn groups_three(text: &str) -> bool {
    let mut rest = text;
    for _ in 0..3 {
        let Some(c) = rest.chars().next().filter(|_| digit(rest).is_some()) else { return false };
        rest = &rest[c.len_utf8()..];
    }
    digit(rest).is_none()
}

fn ordinal(rest: &str) -> Option<usize> {
    ["st", "nd", "rd", "th"].iter().find(|suffix| {
        let fits = rest.get(..2).is_some_and(|found| found.eq_ignore_ascii_case(suffix));
        fits && !rest[2..].opens(char::is_alphanumeric)
    })?;
    Some(2)
}

/// The length of what makes digits text: a time, a date, a version, a variable, a root.
fn odd_tail(text: &str, length: usize) -> usize {
    let rest = &text[length..];
    let Some(c) = rest.chars().next() else { return 0 };
    let behind = &rest[c.len_utf8()..];
    let run = |allowed: fn(char) -> bool| rest.find(|c: char| !allowed(c)).unwrap_or(rest.len());
    if c == ':' && digit(behind).is_some() {
        return run(|c| c.is_ascii_digit() || c == ':' || c == '.');
    }
    if matches!(c, '-' | '/') {
        let whole = run(|c| c.is_ascii_digit() || c == '-' || c == '/');
        let parts = rest[..whole].matches(c).count();
        return if parts == 2 && digit(behind).is_some() { whole } else { 0 };
    }
    let ahead = rest.trim_start_of(|c| matches!(c, ' ' | '\u{202F}'));
    let command = ahead.strip_prefix('\\').is_some_and(|name| name.opens(char::is_alphabetic));
    if command || ahead.opens(|c| matches!(c, '√' | 'π' | '∞')) {
        return rest.len() - ahead.len() + tail(ahead);
    }
    if c.is_numeric() && digit(rest).is_none() {
        let is_power_of_ten = &text[..length] == "10" && superscript(rest).is_some();
        return if is_power_of_ten { 0 } else { tail(rest) };
    }
    if c == ' ' { mixed(text, length) } else { attached(rest, c) }
}

/// "3 1/2": a whole number with a fraction behind it.
fn mixed(text: &str, length: usize) -> usize {
    let rest = &text[length + 1..];
    let numerator = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let Some(denominator) = rest[numerator..].strip_prefix('/') else { return 0 };
    let below = denominator.find(|c: char| !c.is_ascii_digit()).unwrap_or(denominator.len());
    let is_whole = text[..length].bytes().all(|b| b.is_ascii_digit());
    if numerator == 0 || below == 0 || !is_whole { 0 } else { 1 + numerator + 1 + below }
}

/// Letters that run on from the digits and are neither a unit, a scale nor an exponent.
fn attached(rest: &str, c: char) -> usize {
    if !c.is_alphabetic() {
        return 0;
    }
    if is_unspaced(c) {
        return unspaced_scale(rest);
    }
    let run = rest.find(|c: char| !c.is_alphanumeric() || is_unspaced(c)).unwrap_or(rest.len());
    let word = &rest[..run];
    let is_scale = SCALE_SYMBOLS.contains(&word);
    let is_unit = unit::behind(rest).1 > 0 || scale_word(rest).is_some();
    let has_exponent = exponent(rest).is_some() || power_of_ten(rest).is_some();
    if is_scale || is_unit || has_exponent { 0 } else { tail(rest) }
}

/// An ideograph that scales the number before it, or makes it a fraction ("3分の1").
fn unspaced_scale(rest: &str) -> usize {
    if let Some(behind) = rest.strip_prefix("分の") {
        let digits = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        return rest.len() - behind.len() + digits;
    }
    rest.find(|c: char| !"百千万萬億亿兆割".contains(c)).unwrap_or(rest.len())
}

/// The length of letters, digits, commands and bracketed arguments that belong to what stands before.
pub(crate) fn tail(text: &str) -> usize {
    let mut depth = 0usize;
    let mut end = 0;
    for (at, c) in text.char_indices().take(LONGEST_TAIL) {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            _ if is_unspaced(c) => break,
            _ if c.is_alphanumeric() || matches!(c, '\\' | '√' | 'π' | '∞') => {}
            _ => break,
        }
        end = at + c.len_utf8();
    }
    end
}

/// The number that digits and the notation behind them spell, with the length of the notation.
fn notation(plain: &str, rest: &str) -> Option<(Number, usize)> {
    let decimal = |exponent| Decimal::new(false, plain, exponent);
    if let Some((exponent, length)) = exponent(rest).or_else(|| power_of_ten(rest)) {
        return Some((Number::Decimal(decimal(exponent)?), length));
    }
    if plain == "10"
        && let Some((exponent, length)) = superscript(rest)
    {
        return Some((Number::Decimal(Decimal::new(false, "1", exponent)?), length));
    }
    if !plain.contains('.')
        && let Some((denominator, length)) = rest.strip_prefix(['/', '⁄']).and_then(denominator)
    {
        let slash = rest.chars().next().map_or(0, char::len_utf8);
        let bottom = Decimal::new(false, &denominator, 0)?;
        return Some((Number::fraction(decimal(0)?, bottom)?, slash + length));
    }
    Some((Number::Decimal(decimal(0)?), 0))
}

fn denominator(text: &str) -> Option<(String, usize)> {
    let digits = scan(text, true);
    (digits.length > 0 && digits.is_number && !digits.plain.contains('.'))
        .then_some((digits.plain, digits.length))
}

/// `e5`, `E-3`.
fn exponent(rest: &str) -> Option<(i64, usize)> {
    let (value, length) = integer(rest.strip_prefix(['e', 'E'])?)?;
    (!rest[1 + length..].opens(char::is_alphanumeric)).then_some((value, 1 + length))
}

/// `×10^5`, `x 10³`.
fn power_of_ten(rest: &str) -> Option<(i64, usize)> {
    let ahead = rest.trim_start_matches(' ').strip_prefix(['×', 'x', 'X', '*', '·', '⋅'])?;
    let raised = ahead.trim_start_matches(' ').strip_prefix("10")?;
    let (value, length) = superscript(raised)?;
    Some((value, rest.len() - raised.len() + length))
}

/// `^5`, `^{-3}`, `⁵`.
fn superscript(rest: &str) -> Option<(i64, usize)> {
    if let Some(after) = rest.strip_prefix('^') {
        let inner = after.strip_prefix(['{', '(']);
        let (value, length) = integer(inner.unwrap_or(after))?;
        let closed = inner.is_none_or(|inner| inner[length..].opens(|c| matches!(c, '}' | ')')));
        let brackets = if inner.is_some() { 2 } else { 0 };
        return closed.then_some((value, 1 + length + brackets));
    }
    let mut plain = String::new();
    let mut length = 0;
    for c in rest.chars() {
        let Some(at) = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".chars().position(|known| known == c) else {
            break;
        };
        plain.push(char::from_digit(u32::try_from(at).ok()?, 10).unwrap_or('-'));
        length += c.len_utf8();
    }
    Some((plain.parse().ok()?, length))
}

fn integer(text: &str) -> Option<(i64, usize)> {
    let unsigned = text.trim_start_of(|c| matches!(c, '+' | '-' | '−'));
    let sign = text.len() - unsigned.len();
    let negative = match &text[..sign] {
        "" | "+" => false,
        "-" | "−" => true,
        _ => return None,
    };
    let length = unsigned.find(|c: char| !c.is_ascii_digit()).unwrap_or(unsigned.len());
    let value: i64 = unsigned[..length].parse().ok()?;
    Some((if negative { -value } else { value }, sign + length))
}

/// The length of a word that scales a number.
fn scale_word(text: &str) -> Option<usize> {
    SCALES.iter().find_map(|word| phrase_at(text, word))
}

/// Adds what stands beside a number: a scale, a unit, a plus for "and more".
fn beside(text: &str, length: usize, number: Number, currency: Option<Unit>) -> (Value, usize) {
    let rest = &text[length..];
    if let Some(taken) = variable(rest) {
        return (Value::Odd(text[..length + taken].to_owned(), Some(number)), length + taken);
    }
    if let Some(taken) = scale(rest) {
        let scaled = text[..length + taken].to_ascii_lowercase();
        return (Value::Odd(scaled, Some(number)), length + taken);
    }
    let (unit, taken) = match currency {
        Some(currency) => unit::behind_money(currency, rest),
        None => unit::behind(rest),
    };
    let unit = if unit.is_none() { miscased(rest) } else { unit };
    let quantity = Quantity { number, unit };
    let end = length + taken;
    let open_ended = text[end..].strip_prefix('+').is_some_and(|rest| {
        let goes_on = |c: char| c.is_ascii_digit() || matches!(c, '(' | '-' | '=' | '$' | '+');
        !rest.opens(char::is_alphabetic) && !rest.trim_start().starts_with(goes_on)
    });
    if open_ended {
        return (Value::Bound(Limit::AtLeast, quantity), end + 1);
    }
    (Value::Number(quantity), end)
}

/// A single letter behind a space that is no unit: "7 x" may be a product.
fn variable(rest: &str) -> Option<usize> {
    let ahead = rest.strip_prefix([' ', '\u{202F}'])?;
    let skipped = rest.len() - ahead.len();
    let is_variable = ahead.opens(|c| "xyznijpqruvwe".contains(c));
    let ends = !ahead.get(1..)?.opens(|c| c.is_alphanumeric() || is_apostrophe(c) || c == '-');
    (is_variable && ends && power_of_ten(rest).is_none()).then_some(skipped + 1)
}

/// The length of a word or symbol that scales the number before it.
fn scale(rest: &str) -> Option<usize> {
    let ahead = rest.trim_start_of(|c| matches!(c, ' ' | '-' | '\u{A0}' | '\u{202F}'));
    let skipped = rest.len() - ahead.len();
    if !ahead.opens(|c| c.is_ascii_alphabetic()) {
        return None;
    }
    if let Some(length) = scale_word(ahead) {
        return Some(skipped + length);
    }
    let symbol = SCALE_SYMBOLS.iter().find(|symbol| {
        ahead.starts_with(**symbol)
            && !ahead[symbol.len()..].opens(|c| c.is_alphanumeric() || is_apostrophe(c))
    })?;
    Some(skipped + symbol.len())
}

/// A word that is a symbol of the table in the wrong case.
fn miscased(rest: &str) -> Unit {
    let word = rest.trim_start_matches(' ');
    let end = word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len());
    let is_lower = word[..end].bytes().all(|b| b.is_ascii_lowercase());
    if end > 0 && !is_lower && unit::is_miscased(&word[..end]) { Unit::Unclear } else { Unit::None }
}
