//! Splits a sentence into numbers, words and signs.

use crate::language::edges::Edges;
use crate::language::phrases::{is_apostrophe, is_emphasis, is_one_of, is_unspaced};
use crate::language::text::is_blank;
use crate::numbers::lexeme::{self, Found};
use crate::numbers::unit;
use crate::numbers::value::{Limit, Value};

/// Longer sentences are cut here, and nothing sure is said of them.
pub(crate) const MAX_TOKENS: usize = 4096;

/// One piece of a sentence.
#[derive(Clone, Debug)]
pub(crate) enum Token<'a> {
    /// A number, range, bound or odd piece with digits.
    Value(Value),
    /// A word.
    Word(&'a str),
    /// `=`
    Equals,
    /// `≈` or `~`
    Approx,
    /// `≠`
    NotEqual,
    /// `<`, `≤`, `>` or `≥`
    Compare(Limit),
    /// One of `+ - * / ^ ±`.
    Operator(char),
    /// An en dash, as in a range.
    Dash,
    /// A comma.
    Comma,
    /// A semicolon or a full stop inside a sentence.
    Stop,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// Any other sign.
    Other,
}

/// A token with its place.
#[derive(Clone, Debug)]
pub(crate) struct Spanned<'a> {
    pub(crate) token: Token<'a>,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Spanned<'_> {
    /// The value, if this is one.
    pub(crate) fn value(&self) -> Option<&Value> {
        match &self.token {
            Token::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Whether this is one of some words.
    pub(crate) fn is_word(&self, words: &[&str]) -> bool {
        matches!(self.token, Token::Word(word) if is_one_of(word, words))
    }
}

/// The tokens of a text without LaTeX wrapping, at most [`MAX_TOKENS`].
pub(crate) fn tokens(text: &str) -> Vec<Spanned<'_>> {
    let mut lexer = Lexer { text, at: 0, list_end: 0, out: Vec::new() };
    while lexer.at < text.len() && lexer.out.len() < MAX_TOKENS {
        lexer.step();
    }
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Until here commas part the items of a list.
    list_end: usize,
    out: Vec<Spanned<'a>>,
}

impl<'a> Lexer<'a> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let Some(c) = rest.chars().next() else { return };
        if is_blank(c) || is_emphasis(c) && !self.is_factor(rest) {
            self.at += c.len_utf8();
        } else if !self.number(rest) {
            if c.is_alphabetic() {
                self.word(rest);
            } else if c.is_numeric() || matches!(c, '√' | '∞' | '\\') {
                let length = c.len_utf8() + lexeme::tail(&rest[c.len_utf8()..]);
                self.push(Token::Value(Value::Odd(rest[..length].to_owned(), None)), length);
            } else {
                self.sign(rest, c);
            }
        }
    }

    fn push(&mut self, token: Token<'a>, length: usize) {
        self.out.push(Spanned { token, start: self.at, end: self.at + length });
        self.at += length;
    }

    fn before(&self) -> Option<char> {
        self.text[..self.at].chars().next_back()
    }

    /// Whether an asterisk multiplies: a single one between a value and a number.
    fn is_factor(&self, rest: &str) -> bool {
        let after_value = self
            .out
            .last()
            .is_some_and(|last| last.value().is_some() || matches!(last.token, Token::Close));
        let next = rest[1..].trim_start_matches(' ');
        let before_value = next.opens(|c| c.is_ascii_digit() || c == '(');
        rest.starts_with('*') && after_value && before_value && self.before() != Some('*')
    }

    /// Reads a number with its sign and currency, if one begins here.
    fn number(&mut self, rest: &str) -> bool {
        let mut length = 0;
        let mut negative = false;
        let mut currency = None;
        let mut signed = false;
        loop {
            let here = &rest[length..];
            if let Some(sign) = here.chars().next().filter(|c| matches!(c, '-' | '+' | '−')) {
                if signed || (length == 0 && !self.may_sign(here, sign)) {
                    return false;
                }
                signed = true;
                negative = sign != '+';
                length += sign.len_utf8();
                if sign == '−' {
                    length += here[sign.len_utf8()..].len()
                        - here[sign.len_utf8()..].trim_start_matches(' ').len();
                }
            } else if let (None, Some((unit, taken))) = (currency, unit::before(here)) {
                currency = Some(unit);
                length += taken;
                length += rest[length..].len()
                    - rest[length..].trim_start_of(|c| matches!(c, ' ' | '\u{A0}')).len();
            } else {
                break;
            }
        }
        let in_list = self.at < self.list_end;
        match lexeme::read(&rest[length..], negative, currency, in_list) {
            // "第3" is an ordinal.
            Some(Found::Value { length: taken, .. }) if self.before() == Some('第') => {
                let word = &self.text[self.at..self.at + length + taken];
                self.push(Token::Word(word), length + taken);
            }
            Some(Found::Value { value, length: taken, list }) => {
                self.list_end = self.list_end.max(self.at + length + list);
                self.push(Token::Value(value), length + taken);
            }
            Some(Found::Word(taken)) => {
                let word = &self.text[self.at..self.at + length + taken];
                self.push(Token::Word(word), length + taken);
            }
            None => return false,
        }
        true
    }

    /// Whether a sign here belongs to the number behind it, and is not an operator.
    fn may_sign(&self, here: &str, sign: char) -> bool {
        let behind = &here[sign.len_utf8()..];
        if behind.starts_with(' ') {
            return sign == '−' && self.out.is_empty();
        }
        if self
            .before()
            .is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | ']' | '}' | '%' | '°' | '\''))
        {
            return false;
        }
        let after_value = self
            .out
            .last()
            .is_some_and(|last| last.value().is_some() || matches!(last.token, Token::Close));
        !after_value || self.before() != Some(' ')
    }

    fn word(&mut self, rest: &str) {
        let mut length = 0;
        let mut before = ' ';
        for (at, c) in rest.char_indices() {
            let next = rest[at + c.len_utf8()..].chars().next();
            let joins = (is_apostrophe(c) || c == '-')
                && next.is_some_and(char::is_alphanumeric)
                && before != '-';
            let number_begins = c.is_numeric() && is_unspaced(before);
            if !c.is_alphanumeric() && !joins || number_begins {
                break;
            }
            before = c;
            length = at + c.len_utf8();
        }
        let called = rest[length..].strip_prefix('(').is_some_and(|inner| {
            inner.trim_start_of(|c| matches!(c, '-' | '+' | ' ')).opens(|c| c.is_ascii_digit())
        });
        if called {
            length += lexeme::tail(&rest[length..]);
            return self.push(Token::Value(Value::Odd(rest[..length].to_owned(), None)), length);
        }
        let word = &self.text[self.at..self.at + length];
        self.push(Token::Word(word), length);
    }

    fn sign(&mut self, rest: &str, c: char) {
        if let Some(length) = html_tag(rest) {
            return self.push(Token::Other, length);
        }
        for (sign, token) in [
            ("=>", Token::Other),
            ("->", Token::Other),
            ("==", Token::Equals),
            (">=", Token::Compare(Limit::AtLeast)),
            ("<=", Token::Compare(Limit::AtMost)),
            ("!=", Token::NotEqual),
            ("≠", Token::NotEqual),
            ("=", Token::Equals),
            ("＝", Token::Equals),
            ("≥", Token::Compare(Limit::AtLeast)),
            ("≤", Token::Compare(Limit::AtMost)),
            (">", Token::Compare(Limit::MoreThan)),
            ("<", Token::Compare(Limit::LessThan)),
        ] {
            if rest.starts_with(sign) {
                return self.push(token, sign.len());
            }
        }
        let token = match c {
            '≈' | '~' | '≅' | '≃' => Token::Approx,
            '+' | '^' | '±' => Token::Operator(c),
            '-' | '−' => Token::Operator('-'),
            '*' | '×' | '·' | '⋅' => Token::Operator('*'),
            '/' | '÷' => Token::Operator('/'),
            '–' | '—' => Token::Dash,
            ',' | '，' | '、' => Token::Comma,
            ';' | '.' | '!' | '?' | '。' | '｡' | '！' | '？' | '；' => Token::Stop,
            '(' | '[' | '{' | '（' => Token::Open,
            ')' | ']' | '}' | '）' => Token::Close,
            _ => Token::Other,
        };
        self.push(token, c.len_utf8());
    }
}

/// The length of an HTML tag such as `</b>`, so that its signs are not read as comparisons.
fn html_tag(text: &str) -> Option<usize> {
    const LONGEST: usize = 12;
    let inner = text.strip_prefix('<')?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let end = inner.bytes().take(LONGEST).position(|byte| byte == b'>')?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | ' ');
    let named = name.opens(|c| c.is_ascii_alphabetic()) && inner[..end].chars().all(is_name);
    named.then_some(end + 2)
}
