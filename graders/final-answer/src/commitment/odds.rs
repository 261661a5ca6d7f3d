//! Tells whether an answer spreads odds over candidates: "70% A / 30% B", "A (70%), B (30%)", "60-40 for A".

use crate::language::choice::{Choice, is_candidate};
use crate::language::edges::Edges;
use crate::language::phrases::{is_one_of, words};
use crate::language::text::normal;
use crate::numbers::number::{Decimal, Number};
use crate::numbers::rational::{Piece, Rational, evaluate};
use crate::numbers::token::{Spanned, Token, tokens};
use crate::numbers::value::Value;

/// Words of odds, which are no part of a candidate.
pub(crate) const ODDS: &[&str] = &[
    "chance",
    "chances",
    "odds",
    "probability",
    "likelihood",
    "likely",
    "confidence",
    "confident",
    "sure",
];

/// Words around odds that are no part of a candidate either.
const FILLERS: &[&str] = &[
    "of", "for", "with", "at", "is", "it", "it's", "that", "there", "the", "a", "an", "as", "in",
    "my", "about", "maybe", "perhaps", "probably", "either", "certain",
];

/// Words that part one candidate from the next.
const PARTS: &[&str] = &["and", "or", "vs", "versus", "against", "but"];

/// Words that say whom a split such as "60-40" favours.
const FAVOURS: &[&str] = &[
    "for",
    "favour",
    "favor",
    "favouring",
    "favoring",
    "on",
    "between",
    "toward",
    "towards",
    "odds",
    "split",
    "chance",
];

/// The longest answer that is looked at.
const LONGEST: usize = 400;

/// One candidate with its share.
#[derive(Default)]
struct Bet {
    candidate: String,
    shares: Vec<Number>,
    /// Whether the candidate stands before its share.
    leads: bool,
}

impl Bet {
    fn is_whole(&self) -> bool {
        self.shares.len() == 1 && is_candidate(&self.candidate, 4)
    }
}

/// Whether a text offers several candidates with odds; shares that do not add up to the whole are unsure.
pub(crate) fn read(text: &str) -> Choice {
    if text.len() > LONGEST || !text.has(|c| c.is_numeric()) {
        return Choice::Single;
    }
    if is_split(text) {
        return Choice::Several;
    }
    let tokens = tokens(text);
    let spoken = tokens.iter().any(|token| token.is_word(ODDS));
    let Some(bets) = bets(text, &tokens, spoken) else { return Choice::Single };
    let first = bets.first().map(|bet| normal(&bet.candidate));
    let differ = bets.iter().any(|bet| Some(normal(&bet.candidate)) != first);
    let shares = bets.iter().flat_map(|bet| &bet.shares);
    match sum(shares) {
        Some(total) if differ && bets.len() > 1 => {
            let Some(hundred) = hundred() else { return Choice::Single };
            let is_all = total.same(&hundred) == Some(true);
            match total.below(&hundred) {
                Some(true) if !spoken => Choice::Unsure,
                Some(below) if below || is_all => Choice::Several,
                _ => Choice::Single,
            }
        }
        _ => Choice::Single,
    }
}

/// The candidates with one share each; nothing where a share stands alone or is one of something: "20% of 210".
fn bets(text: &str, tokens: &[Spanned<'_>], spoken: bool) -> Option<Vec<Bet>> {
    let mut bets = Vec::new();
    let mut bet = Bet::default();
    for (index, token) in tokens.iter().enumerate() {
        let share = share(token, spoken);
        let of = tokens.get(index + 1).is_some_and(|next| next.is_word(&["of"]));
        if share.is_some() && of && !spoken {
            return None;
        }
        let word = match &token.token {
            // The letter A is a candidate.
            Token::Word("A") => Some("A"),
            Token::Word(word) if !token.is_word(FILLERS) && !token.is_word(ODDS) => Some(*word),
            _ => None,
        };
        let parts = matches!(token.token, Token::Comma | Token::Stop | Token::Operator('/'))
            || token.is_word(PARTS);
        let next_leads = bet.leads && (word.is_some() || matches!(token.token, Token::Value(_)));
        if parts || (bet.is_whole() && (share.is_some() || next_leads)) {
            bets.push(std::mem::take(&mut bet));
        }
        match (&token.token, share, word) {
            (_, Some(share), _) => {
                bet.leads = !bet.candidate.is_empty();
                bet.shares.push(share);
            }
            (_, None, Some(word)) if !parts => push(&mut bet.candidate, word),
            (Token::Value(_), ..) => push(&mut bet.candidate, &text[token.start..token.end]),
            _ => {}
        }
    }
    bets.push(bet);
    bets.retain(|bet| !bet.shares.is_empty());
    bets.iter().all(Bet::is_whole).then_some(bets)
}

fn push(candidate: &mut String, word: &str) {
    if !candidate.is_empty() {
        candidate.push(' ');
    }
    candidate.push_str(word);
}

/// The share in per cent that a token states; with words of odds, a number between 0 and 1 is one too.
fn share(token: &Spanned<'_>, spoken: bool) -> Option<Number> {
    let Value::Number(quantity) = token.value()? else { return None };
    if quantity.unit.is_percent() {
        return Some(quantity.number.clone());
    }
    let scaled = quantity.number.scaled(2);
    let is_share = spoken && quantity.unit.is_none() && quantity.number.is_part();
    (is_share && scaled.below(&hundred()?)?).then_some(scaled)
}

fn hundred() -> Option<Number> {
    Decimal::new(false, "100", 0).map(Number::Decimal)
}

fn sum<'n>(numbers: impl Iterator<Item = &'n Number>) -> Option<Number> {
    let mut pieces = Vec::new();
    for number in numbers {
        if !pieces.is_empty() {
            pieces.push(Piece::Operator('+'));
        }
        pieces.push(Piece::Value(Rational::from_number(number)?));
    }
    evaluate(&pieces)?.to_number()
}

/// "60-40 for A": two whole numbers that add up to a hundred, and a word that says whom they favour.
fn is_split(text: &str) -> bool {
    if !words(text).any(|(_, word)| is_one_of(word, FAVOURS)) {
        return false;
    }
    let numbers: Vec<(usize, &str)> =
        words(text).filter(|(_, word)| word.bytes().all(|byte| byte.is_ascii_digit())).collect();
    numbers.windows(2).any(|pair| {
        let [(at, first), (next, second)] = pair else { return false };
        let between = &text[at + first.len()..*next];
        let sum = first.parse::<u32>().ok().zip(second.parse::<u32>().ok());
        matches!(between, "-" | "–" | "/" | ":")
            && sum.is_some_and(|(a, b)| a.checked_add(b) == Some(100))
    })
}
