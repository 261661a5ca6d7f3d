//! Takes LaTeX wrapping off, so that a number reads the same with and without it.

use crate::language::edges::Edges;
use std::borrow::Cow;

/// Commands whose braces are dropped.
const WRAPPERS: &[&str] = &[
    "text",
    "mathrm",
    "mathbf",
    "mathit",
    "mathsf",
    "mathtt",
    "textbf",
    "textit",
    "textrm",
    "emph",
    "operatorname",
    "mbox",
    "boxed",
    "fbox",
    "ensuremath",
    "displaystyle",
    "left",
    "right",
    "bigl",
    "bigr",
    "big",
    "Big",
    "bf",
    "rm",
];

/// Commands that stand for one character.
const SYMBOLS: &[(&str, &str)] = &[
    ("times", "×"),
    ("cdot", "·"),
    ("div", "÷"),
    ("pm", "±"),
    ("approx", "≈"),
    ("simeq", "≈"),
    ("leqslant", "≤"),
    ("geqslant", "≥"),
    ("leq", "≤"),
    ("geq", "≥"),
    ("le", "≤"),
    ("ge", "≥"),
    ("lt", "<"),
    ("gt", ">"),
    ("neq", "≠"),
    ("ne", "≠"),
    ("degree", "°"),
    ("circ", "°"),
    ("pi", "π"),
    ("infty", "∞"),
    ("quad", " "),
    ("qquad", " "),
    ("euro", "€"),
    ("pounds", "£"),
    ("sqrt", "√"),
    ("percent", "%"),
];

/// The text without LaTeX wrapping; what is not wrapping stays as it is.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if !text.has(|c| matches!(c, '\\' | '$' | '{')) {
        return Cow::Borrowed(text);
    }
    let mut unwrapper = Unwrapper {
        text,
        rest: text,
        out: String::with_capacity(text.len()),
        braces: Vec::new(),
        math_end: None,
    };
    while let Some(c) = unwrapper.rest.chars().next() {
        unwrapper.step(c);
    }
    Cow::Owned(unwrapper.out)
}

struct Unwrapper<'a> {
    text: &'a str,
    rest: &'a str,
    out: String,
    /// One entry an open brace: whether its closing brace is dropped.
    braces: Vec<bool>,
    /// Where the dollar that closes the present formula stands.
    math_end: Option<usize>,
}

impl Unwrapper<'_> {
    fn step(&mut self, c: char) {
        match c {
            '\\' => self.command(),
            '$' => self.dollar(),
            '{' if self.rest.starts_with("{,}") => {
                self.out.push(',');
                self.skip(3);
            }
            '{' => {
                let dropped = self.out.ends_with('^') || self.out.is_empty();
                self.open(dropped);
            }
            '}' => {
                if self.braces.pop() != Some(true) {
                    self.out.push('}');
                }
                self.skip(1);
            }
            '^' if self.rest.starts_with("^\\circ") => self.skip(1),
            '^' if self.rest.starts_with("^{\\circ}") => {
                self.out.push('°');
                self.skip("^{\\circ}".len());
            }
            other => {
                self.out.push(other);
                self.skip(other.len_utf8());
            }
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    fn open(&mut self, dropped: bool) {
        if !dropped {
            self.out.push('{');
        }
        self.braces.push(dropped);
        self.skip(1);
    }

    /// A dollar opens or closes a formula, or is money.
    fn dollar(&mut self) {
        let at = self.text.len() - self.rest.len();
        if self.rest.starts_with("$$") {
            self.skip(2);
        } else if self.math_end == Some(at) {
            self.math_end = None;
            self.skip(1);
        } else {
            self.math_end = formula_end(self.rest).map(|length| at + length);
            if self.math_end.is_none() {
                self.out.push('$');
            }
            self.skip(1);
        }
    }

    fn command(&mut self) {
        let after = &self.rest[1..];
        let name = &after[..after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len())];
        if name.is_empty() {
            return self.escape(after);
        }
        if matches!(name, "frac" | "dfrac" | "tfrac")
            && let Some((numerator, denominator, length)) = fraction(&after[name.len()..])
        {
            self.out.push_str(&format!("{numerator}/{denominator}"));
            return self.skip(1 + name.len() + length);
        }
        self.skip(1 + name.len());
        if WRAPPERS.contains(&name) {
            if self.rest.starts_with('{') {
                self.open(true);
            }
        } else if let Some((_, symbol)) = SYMBOLS.iter().find(|(known, _)| *known == name) {
            self.out.push_str(symbol);
        } else {
            self.out.push('\\');
            self.out.push_str(name);
        }
    }

    /// A backslash before something other than a letter.
    fn escape(&mut self, after: &str) {
        let Some(c) = after.chars().next() else {
            self.out.push('\\');
            return self.skip(1);
        };
        match c {
            '(' | ')' | '[' | ']' | '!' => {}
            // The thin space of LaTeX is the narrow no-break space.
            ',' => self.out.push('\u{202F}'),
            ' ' | ';' | ':' | '\\' | '\n' => self.out.push(' '),
            other => self.out.push(other),
        }
        self.skip(1 + c.len_utf8());
    }
}

/// How far the dollar that closes the formula at the start of `rest` is away: one behind a character that is not
/// space, and before one that is not a digit, on the same line.
fn formula_end(rest: &str) -> Option<usize> {
    const LONGEST: usize = 400;
    if rest[1..].opens(char::is_whitespace) {
        return None;
    }
    let mut before = '$';
    for (at, c) in rest.char_indices().skip(1).take(LONGEST) {
        if c == '\n' {
            return None;
        }
        if c == '$' && before != '\\' {
            let opens =
                before.is_whitespace() || rest[at + 1..].opens(|next| next.is_ascii_digit());
            return if opens || before == '$' { None } else { Some(at) };
        }
        before = c;
    }
    None
}

/// The two integers of a fraction command and the length of its arguments.
fn fraction(arguments: &str) -> Option<(&str, &str, usize)> {
    let (numerator, first) = integer(arguments)?;
    let (denominator, second) = integer(&arguments[first..])?;
    Some((numerator, denominator, first + second))
}

fn integer(argument: &str) -> Option<(&str, usize)> {
    let is_integer = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    };
    if let Some(inner) = argument.strip_prefix('{') {
        let close = inner.find('}')?;
        let text = inner[..close].trim();
        return is_integer(text).then_some((text, close + 2));
    }
    let digit = argument.get(..1)?;
    is_integer(digit).then_some((digit, 1))
}
